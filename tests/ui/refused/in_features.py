"""How each refusal of a feature is raised."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import discord
from discord import app_commands

from bot.features.blocks import storage as block_storage
from bot.features.blocks.commands import BlockCommands
from bot.features.blocks.service import MAX_BLOCKS
from bot.features.blocks.storage import Block, BlockReason
from bot.features.boards.commands import Boards
from bot.features.boards.messages import BoardButton, BoardId
from bot.features.boards.model import BoardOrder, BoardReason, Span
from bot.features.challenges.commands import Challenges
from bot.features.challenges.ids import ChallengeButton, ChallengeId
from bot.features.challenges.model import ChallengeReason
from bot.features.challenges.service import ChallengeService
from bot.features.hints.handlers import HintCommands
from bot.features.hints.messages import HintId, ShowHintId
from bot.features.hints.service import HintReason, require_hint, use_hint
from bot.features.invitations.model import InvitationReason
from bot.features.invitations.service import store_invitation
from bot.features.profiles.commands import Profiles
from bot.features.puzzles.commands import Puzzles
from bot.features.puzzles.messages import DailyPuzzleButton, DailyPuzzleId, NextPuzzleId, PuzzleChoiceId
from bot.features.puzzles.model import PuzzleReason
from bot.features.reminders.handlers import Pings
from bot.features.reminders.model import PingReason
from bot.features.replays.animations import Animations, require_sharer
from bot.features.replays.handlers import Replays
from bot.features.replays.model import ReplayReason
from bot.features.reviews import storage as review_storage
from bot.features.reviews.handlers import Reviewer, Reviews
from bot.features.reviews.model import ReviewReason
from bot.features.seasons.commands import SeasonPages
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import (
    HINTS,
    PICTURES,
)
from bot.features.settings.choices import PictureChoice
from bot.features.sharing import ShareId, Sharing
from bot.platform.discord.declared_options import require_declared_options
from bot.platform.discord.refusals import ClickReason
from bot.tables.handlers.commands import TableCommands
from bot.tables.kinds import Cadence, edition_on
from bot.tables.model import (
    Company,
    TurnClock,
)
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry
from bot.tables.seats import resign_seat, substitute_absent
from bot.tables.service import TableService
from bot.tables.thinker import Thinker
from tests.support.chosen_settings import chosen
from tests.support.fakes import (
    GAMES,
    HERE,
    ROBIN,
    STRANGER,
    WREN,
    mover_of,
    open_lobby,
    start_game,
)
from tests.support.finished_games import play_to_end
from tests.support.magpie_series import MAGPIE_SERIES, options_for
from tests.support.sample_results import make_game_results
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_click, make_command, make_guest
from tests.ui.refused.listing import raises

SOME_DAY = edition_on(Cadence.DAILY, 20_000)
SPEECHLESS = GameRegistry(
    replace(package, mind=replace(package.mind, evaluate=None, strategies={})) for package in GAMES.values()
)


@raises(ReplayReason.NOTHING_TO_REPLAY)
async def nothing_to_replay(adapter: Adapter) -> None:
    await adapter.app.service(Replays).show_here(make_command(ROBIN), None)  # type: ignore[arg-type]


@raises(ReplayReason.UNKNOWN_REPLAY)
async def unknown_replay(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    await adapter.app.service(Replays).show_here(make_command(ROBIN, channel_id=71), str(table.id))  # type: ignore[arg-type]


@raises(ReplayReason.NOT_OVER)
async def not_over(adapter: Adapter) -> None:
    table = await start_game(adapter.service)
    await adapter.app.service(Replays).show_here(make_command(ROBIN), str(table.id))  # type: ignore[arg-type]


@raises(HostReason.NOT_YOURS_TO_SHARE)
async def not_yours_to_share(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    await adapter.app.service(Sharing).share(make_click(STRANGER, ShareId(table.id)), table)  # type: ignore[arg-type]


@raises(HostReason.ALREADY_SHARED)
async def already_shared(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    for person in (ROBIN, WREN):
        await adapter.app.service(Sharing).share(make_click(person, ShareId(table.id)), table)  # type: ignore[arg-type]


@raises(ReplayReason.NO_ANIMATION)
async def no_animation(adapter: Adapter) -> None:
    adapter.db.chosen[HERE.scope_id] = chosen({PICTURES: PictureChoice.OFF})
    await play_to_end(adapter.service, HERE, ROBIN, WREN)
    await adapter.app.service(Animations).share(make_command(ROBIN), None)  # type: ignore[arg-type]


@raises(ReplayReason.NO_ANIMATION_OF_CHALLENGES)
async def no_animation_of_challenges(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN)
    player = replace(table.seats[0], contribution=str(SOME_DAY))
    require_sharer(replace(table, seats=(player, *table.seats[1:])), ROBIN.id)


@raises(ReviewReason.NO_REVIEW)
async def no_review(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN, most=0)
    await adapter.service.apply_seat_action(table.id, WREN, resign_seat, 7)
    await adapter.app.service(Reviews).show_here(make_command(ROBIN), None)  # type: ignore[arg-type]


@raises(ReviewReason.REVIEW_FAILED)
async def review_failed(adapter: Adapter) -> None:
    reviewer = Reviewer(Thinker(SPEECHLESS), adapter.db, adapter.service.time_slices, str)
    reviews = Reviews(adapter.app.service(Replays), reviewer, adapter.pictures, adapter.app.ephemeral_messages)
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    try:
        await reviews.show_here(make_command(ROBIN), None)  # type: ignore[arg-type]
    finally:
        assert await adapter.db.read(review_storage.find, table.id) is None


@raises(ReplayReason.NO_REPLAY)
async def no_replay(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    adapter.db.tamper(table.id, lambda record: replace(record, header=replace(record.header, seed=bytes(32))))
    await adapter.app.service(Replays).show_here(make_command(ROBIN), None)  # type: ignore[arg-type]


@raises(HintReason.NO_HINTS)
async def no_hints(adapter: Adapter) -> None:
    package = replace(GAMES["magpie"], study=replace(GAMES["magpie"].study, hints=None))
    service = TableService(adapter.db, {"magpie": package})
    table = await start_game(service, ROBIN)
    await use_hint(service, table.id, ROBIN, 0)


@raises(HintReason.NO_HINTS_IN_CHALLENGES)
async def no_hints_in_challenges(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN)
    player = replace(table.seats[0], contribution=str(SOME_DAY))
    require_hint(replace(table, seats=(player, *table.seats[1:])), ROBIN, 0)


@raises(HintReason.NO_HINTS_IN_TOURNAMENTS)
async def no_hints_in_tournaments(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN)
    header = replace(table.header, options=options_for(2).model_dump_json())
    require_hint(replace(table, package=MAGPIE_SERIES, header=header), ROBIN, 0)


@raises(HintReason.HINTS_OFF_HERE)
async def hints_off_here(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.service.allow_hints(table.id, ROBIN, allows=False)
    await adapter.service.start(table.id, ROBIN, 1)
    await use_hint(adapter.service, table.id, ROBIN, 0)


@raises(HintReason.HINTS_OFF_IN_SERVER)
async def hints_off_in_server(adapter: Adapter) -> None:
    await adapter.db.write(setting_storage.change, HERE.scope_id, HINTS, lambda _: False)
    table = await start_game(adapter.service, ROBIN)
    await adapter.app.service(HintCommands).press(make_click(ROBIN, ""), table, HintId(table.id, 0))  # type: ignore[arg-type]


@raises(HintReason.HINT_FAILED)
async def hint_failed(adapter: Adapter) -> None:
    hints = HintCommands(
        adapter.service,
        Thinker(SPEECHLESS),
        adapter.settings,
        adapter.app.service(TableCommands),
        table_responses=adapter.app.responses,
        ephemeral_messages=adapter.app.ephemeral_messages,
    )
    table = await start_game(adapter.service, ROBIN, WREN)
    await hints.press(make_click(mover_of(table), ""), table, ShowHintId(table.id, 0))  # type: ignore[arg-type]


@app_commands.command(name="sample")
@app_commands.choices(theme=[app_commands.Choice(name=each, value=each.lower()) for each in ("Light", "Dark")])
async def sample_command(
    _: discord.Interaction,
    theme: str = "",
    hour: app_commands.Range[int, 0, 23] = 0,
    zone: app_commands.Range[str, 1, 100] = "",
    friend: discord.User | None = None,
) -> None:
    """A command with an option of each kind."""


def forge_option(name: str, value: object, kind: discord.AppCommandOptionType) -> Callable[[Adapter], Awaitable[None]]:
    async def check(_: Adapter) -> None:
        data = {"name": "sample", "options": [{"name": name, "type": kind.value, "value": value}]}
        require_declared_options(SimpleNamespace(command=sample_command, data=data, namespace=None))  # type: ignore[arg-type]

    return check


raises(ClickReason.OPTION_NOT_A_CHOICE)(forge_option("theme", "pink", discord.AppCommandOptionType.string))
raises(ClickReason.OPTION_RANGE)(forge_option("hour", 24, discord.AppCommandOptionType.integer))
raises(ClickReason.OPTION_LENGTH)(forge_option("zone", "x" * 101, discord.AppCommandOptionType.string))
raises(ClickReason.OPTION_UNKNOWN)(forge_option("friend", "7", discord.AppCommandOptionType.user))


@raises(BoardReason.NO_BOARD_YET)
async def no_board_yet(adapter: Adapter) -> None:
    await adapter.app.service(Boards).show(make_command(ROBIN), None)  # type: ignore[arg-type]


@raises(BoardReason.BOARD_POSTED)
async def board_posted(adapter: Adapter) -> None:
    adapter.db.add_results(*make_game_results(1, ROBIN.id, WREN.id))
    post = BoardId("magpie", Company.PEOPLE, BoardOrder.WINS, Span.ALL, 1, BoardButton.POST)
    for _ in range(2):
        await adapter.app.service(Boards).press(make_click(ROBIN, post), post)  # type: ignore[arg-type]


@raises(HostReason.ONLY_IN_SERVERS)
async def only_in_servers(adapter: Adapter) -> None:
    await adapter.app.service(SeasonPages).show(make_command(ROBIN, guild_id=None))  # type: ignore[arg-type]


@raises(HostReason.VERSUS_YOURSELF)
async def versus_yourself(adapter: Adapter) -> None:
    await adapter.app.service(Profiles).versus(make_command(ROBIN), ROBIN)  # type: ignore[arg-type]


@raises(PuzzleReason.NO_PUZZLES)
async def no_puzzles(adapter: Adapter) -> None:
    click = make_click(ROBIN, "")
    await adapter.app.service(Puzzles).press(click, NextPuzzleId("poker", "00000000"))  # type: ignore[arg-type]


@raises(PuzzleReason.UNKNOWN_PUZZLE)
async def unknown_puzzle(adapter: Adapter) -> None:
    click = make_click(ROBIN, "")
    await adapter.app.service(Puzzles).press(click, PuzzleChoiceId("magpie", "00000000", 0, 0))  # type: ignore[arg-type]


@raises(PuzzleReason.PUZZLE_NOT_ANSWERED)
async def puzzle_not_answered(adapter: Adapter) -> None:
    click = make_click(ROBIN, "")
    await adapter.app.service(Puzzles).press(click, DailyPuzzleId(DailyPuzzleButton.SHARE, 20_000))  # type: ignore[arg-type]


@raises(HostReason.NO_SEAT_FOR_YOU)
async def no_seat_for_you(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.db.write(block_storage.add, Block(ROBIN.id, WREN.id), adapter.clock(), 9)
    await adapter.service.join(table.id, WREN, 1)


@raises(BlockReason.YOU_BLOCK_SOMEONE)
async def you_block_someone(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.db.write(block_storage.add, Block(WREN.id, ROBIN.id), adapter.clock(), 9)
    await adapter.service.join(table.id, WREN, 1)


@raises(InvitationReason.YOU_BLOCK_THEM)
async def you_block_them(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.db.write(block_storage.add, Block(ROBIN.id, WREN.id), adapter.clock(), 9)
    await store_invitation(adapter.service, adapter.db, table.id, ROBIN, WREN.id, 1)


@raises(BlockReason.BLOCKED_YOURSELF)
async def blocked_yourself(adapter: Adapter) -> None:
    await adapter.app.service(BlockCommands).block(make_command(ROBIN), make_guest(discord.User, id=ROBIN.id))  # type: ignore[arg-type]


@raises(BlockReason.BLOCKED_COMPUTER)
async def blocked_computer(adapter: Adapter) -> None:
    await adapter.app.service(BlockCommands).block(make_command(ROBIN), make_guest(discord.User, bot=True))  # type: ignore[arg-type]


@raises(BlockReason.TOO_MANY_BLOCKS)
async def too_many_blocks(adapter: Adapter) -> None:
    for blocked_id in range(1000, 1000 + MAX_BLOCKS):
        await adapter.db.write(block_storage.add, Block(ROBIN.id, blocked_id), adapter.clock(), MAX_BLOCKS)
    await adapter.app.service(BlockCommands).block(make_command(ROBIN), make_guest(discord.User))  # type: ignore[arg-type]


@raises(BlockReason.NOT_BLOCKED)
async def not_blocked(adapter: Adapter) -> None:
    await adapter.app.service(BlockCommands).unblock(make_command(ROBIN), make_guest(discord.User))  # type: ignore[arg-type]


@raises(ChallengeReason.NO_CHALLENGE)
async def no_challenge(adapter: Adapter) -> None:
    # Only Magpie is installed.
    await press_challenge(adapter, ChallengeButton.PLAY, Cadence.WEEKLY)


@raises(ChallengeReason.CHALLENGE_SEALED)
async def challenge_sealed(adapter: Adapter) -> None:
    table, challenges = await start_game(adapter.service, ROBIN, WREN), adapter.app.service(ChallengeService)
    await challenges.begin()
    today = edition_on(Cadence.DAILY, challenges.today)
    seats = [replace(each, contribution=str(today)) for each in table.seats]
    await challenges.require_may_see(replace(table, seats=tuple(seats)), STRANGER.id)


@raises(ChallengeReason.NOT_FINISHED)
async def challenge_not_finished(adapter: Adapter) -> None:
    await press_challenge(adapter, ChallengeButton.SHARE, Cadence.DAILY)


async def press_challenge(adapter: Adapter, button: ChallengeButton, cadence: Cadence) -> None:
    challenges = adapter.app.service(Challenges)
    pressed = ChallengeId(button, cadence, edition_on(cadence, challenges.challenges.today).day, 1)
    await challenges.press(make_click(ROBIN, pressed), pressed)  # type: ignore[arg-type]


@raises(HostReason.CLOCK_RUNS)
async def clock_runs(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, WREN)
    await adapter.service.choose_clock(table.id, ROBIN, TurnClock.ONE_DAY)
    table = await adapter.service.start(table.id, ROBIN, 1)
    other = WREN if mover_of(table) == ROBIN else ROBIN
    action = partial(substitute_absent, since=adapter.clock.now)
    await adapter.service.apply_seat_action(table.id, other, action, 2)


@raises(PingReason.NO_PINGS_HERE)
async def no_pings_here(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN, location=replace(HERE, guild_id=None))
    await adapter.app.service(Pings).choose_here(make_command(ROBIN))  # type: ignore[arg-type]


@raises(PingReason.UNKNOWN_ZONE)
async def unknown_zone(adapter: Adapter) -> None:
    await adapter.app.service(Pings).choose_quiet_hours(make_command(ROBIN), 22, 7, "Mars")  # type: ignore[arg-type]


@raises(PingReason.NO_QUIET_HOURS)
async def no_quiet_hours(adapter: Adapter) -> None:
    await adapter.app.service(Pings).choose_quiet_hours(make_command(ROBIN), 7, 7, "UTC")  # type: ignore[arg-type]
