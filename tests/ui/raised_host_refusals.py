"""Every refusal of the host as it is raised, with words of its message."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import discord

from bot.community.blocks import MAX_BLOCKS
from bot.community.boards.model import BoardOrder, Span
from bot.community.daily_bag.model import Attempt
from bot.games.magpie.pieces import MagpieOptions
from bot.rules.refusals import Refusal
from bot.tables.actions.hints import require_hint
from bot.tables.actions.seats import resign_seat, substitute_absent
from bot.tables.blocks import Block
from bot.tables.daily import DAILY_GAME, daily_contribution
from bot.tables.model import Company
from bot.tables.preferences import Preferences, TurnClock
from bot.tables.refusals import HostReason
from bot.tables.runtime.host_settings import HostSettings
from bot.tables.runtime.service import TableService
from bot.tables.runtime.thinker import Thinker
from bot.tables.table import Table
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import HintId, InvitationButton, InvitationId
from bot.ui.daily_ids import DailyBagButton, DailyBagId
from bot.ui.features.animations import require_sharer
from bot.ui.features.daily_bag import DailyBags
from bot.ui.features.hints import HintCommands
from bot.ui.features.reviews import Reviewer, Reviews
from bot.ui.interactions.server_rules import ServerRules
from bot.ui.interactions.table_responses import TableResponses
from bot.ui.privacy_ids import PrivacyButton, PrivacyId
from bot.ui.puzzle_ids import DailyPuzzleButton, DailyPuzzleId, NextPuzzleId, PuzzleChoiceId
from bot.ui.result_ids import BoardButton, BoardId, ShareId
from bot.ui.settings_ids import Setting, SettingId
from tests.support.fakes import (
    GAMES,
    HERE,
    JAY,
    ROBIN,
    STRANGER,
    WREN,
    make_service,
    mover_of,
    open_lobby,
    start_game,
)
from tests.support.finished_games import play_to_end
from tests.support.magpie_series import SERIES_REGISTRY, play_new_game
from tests.support.sample_results import make_game_results
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import SERVER_ERROR, make_click, make_command, make_guest, make_menu_choice
from tests.ui.fake_servers import make_member, make_server

LINK = "https://discord.com/channels/3/70"


async def unknown_table(adapter: Adapter) -> None:
    await adapter.service.table(12345)


async def game_gone(adapter: Adapter) -> None:
    table = await open_lobby(make_service(adapter.store), JAY)
    adapter.store.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
    await open_lobby(adapter.service, ROBIN)


async def no_table_here(adapter: Adapter) -> None:
    await adapter.features.tables.table_here(make_command(ROBIN))  # type: ignore[arg-type]


async def no_table_yet(adapter: Adapter) -> None:
    await adapter.features.tables.verify(make_command(ROBIN))  # type: ignore[arg-type]


async def other_game_here(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN)
    await adapter.features.tables.table_here(make_command(ROBIN), "chess")  # type: ignore[arg-type]


async def channel_taken(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN)
    await open_lobby(adapter.service, JAY)


async def channel_silent(adapter: Adapter) -> None:
    await start_game(adapter.service, JAY, WREN)
    adapter.clock.tick(86_400)
    await open_lobby(adapter.service, ROBIN)


async def game_gone_idle(adapter: Adapter) -> None:
    table = await start_game(make_service(adapter.store), JAY, WREN)
    adapter.store.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
    adapter.clock.tick(86_400)
    await open_lobby(adapter.service, ROBIN)


async def a_game_aside(adapter: Adapter) -> Table:
    table = await start_game(adapter.service, JAY, WREN)
    adapter.clock.tick(86_400)
    await adapter.service.put_aside(table.id, HERE.channel_id)
    return table


async def put_aside(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await adapter.service.join(table.id, ROBIN, 1)


async def only_aside_here(adapter: Adapter) -> None:
    await a_game_aside(adapter)
    await adapter.features.tables.table_here(make_command(ROBIN))  # type: ignore[arg-type]


async def nothing_aside(adapter: Adapter) -> None:
    await a_game_aside(adapter)
    await adapter.features.idle_tables.resume_here(make_command(ROBIN), None)  # type: ignore[arg-type]


async def resume_taken(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await open_lobby(adapter.service, ROBIN)
    await adapter.service.resume(table.id, JAY, is_moderator=False)


async def not_yours_to_resume(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await adapter.service.resume(table.id, ROBIN, is_moderator=False)


async def solo_taken(adapter: Adapter) -> None:
    own = replace(HERE, solo_id=ROBIN.id)
    await open_lobby(adapter.service, ROBIN, location=own)
    await adapter.service.open("magpie", MagpieOptions(), ROBIN, own, click_id=999)


async def already_invited(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    for click_id in (1, 2):
        await adapter.service.invite(table.id, ROBIN, JAY.id, click_id)


async def too_many_tables(adapter: Adapter) -> None:
    limited = TableService(adapter.store, GAMES, HostSettings(max_open_tables=1))
    for channel_id in (70, 71):
        await open_lobby(limited, ROBIN, location=replace(HERE, channel_id=channel_id))


async def too_quick(_adapter: Adapter) -> None:
    # The answer of the client to too many clicks.
    raise Refusal(HostReason.TOO_QUICK)


async def invited_today(adapter: Adapter) -> None:
    for click_id, place in enumerate((HERE, replace(HERE, channel_id=HERE.channel_id + 1))):
        table = await open_lobby(adapter.service, ROBIN, location=place)
        await adapter.service.invite(table.id, ROBIN, JAY.id, click_id)


async def too_many_invitations(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    for guest_id in range(200, 206):
        await adapter.service.invite(table.id, ROBIN, guest_id, guest_id)


async def invitations_refused(adapter: Adapter) -> None:
    await adapter.host.invitations.set_refuses(JAY.id, refuses=True)
    await already_invited(adapter)


async def invitations_off(adapter: Adapter) -> None:
    await adapter.store.change_preferences(HERE.scope_id, lambda _: Preferences(invites=False))
    await already_invited(adapter)


async def not_your_invitation(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    pressed = InvitationId(table.id, JAY.id, InvitationButton.JOIN)
    await adapter.features.invitations.press(make_click(STRANGER, pressed), table, pressed)  # type: ignore[arg-type]


async def no_solo_game(adapter: Adapter) -> None:
    await adapter.features.tables.cancel(make_command(ROBIN), make_guest(discord.User, id=ROBIN.id))  # type: ignore[arg-type]


async def not_moderator(adapter: Adapter) -> None:
    await adapter.features.tables.cancel(make_command(ROBIN), make_guest(discord.User))  # type: ignore[arg-type]


async def goes_on_there(adapter: Adapter) -> None:
    service = make_service(adapter.store, SERIES_REGISTRY)
    table = await play_new_game(service, ROBIN, WREN, games=3)
    for click_id in (1, 2):
        await service.continue_series(table.id, ROBIN, click_id)


async def unknown_button(_adapter: Adapter) -> None:
    parse_id("nonsense")


async def only_yourself(adapter: Adapter) -> None:
    asking: Any = make_command(ROBIN, guild_id=None, in_own_dm=True)
    await adapter.features.results.profile(asking, WREN)


async def nothing_to_replay(adapter: Adapter) -> None:
    await adapter.features.replays.show_here(make_command(ROBIN), None)  # type: ignore[arg-type]


async def unknown_replay(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    await adapter.features.replays.show_here(make_command(ROBIN, channel_id=71), str(table.id))  # type: ignore[arg-type]


async def not_over(adapter: Adapter) -> None:
    table = await start_game(adapter.service)
    await adapter.features.replays.show_here(make_command(ROBIN), str(table.id))  # type: ignore[arg-type]


async def not_yours_to_share(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    await adapter.features.sharing.share(make_click(STRANGER, ShareId(table.id)), table)  # type: ignore[arg-type]


async def already_shared(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    for person in (ROBIN, WREN):
        await adapter.features.sharing.share(make_click(person, ShareId(table.id)), table)  # type: ignore[arg-type]


async def no_animation(adapter: Adapter) -> None:
    adapter.store.chosen[HERE.scope_id] = Preferences(theme=None)
    await play_to_end(adapter.service, HERE, ROBIN, WREN)
    await adapter.features.animations.share(make_command(ROBIN), None)  # type: ignore[arg-type]


async def no_animation_of_daily_bags(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN)
    player = replace(table.seats[0], contribution=daily_contribution(20_000))
    require_sharer(replace(table, seats=(player, *table.seats[1:])), ROBIN.id)


async def no_review(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN, most=0)
    await adapter.service.apply_seat_action(table.id, WREN, resign_seat, 7)
    await adapter.features.reviews.show_here(make_command(ROBIN), None)  # type: ignore[arg-type]


async def review_failed(adapter: Adapter) -> None:
    speechless = {key: replace(package, evaluate=None, strategies={}) for key, package in GAMES.items()}
    reviewer = Reviewer(Thinker(speechless), adapter.store, adapter.service.time_slices, str)
    features = adapter.features
    reviews = Reviews(features.replays, reviewer, adapter.pictures, features.ephemeral_messages)
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    try:
        await reviews.show_here(make_command(ROBIN), None)  # type: ignore[arg-type]
    finally:
        assert await adapter.store.load_review(table.id) is None


async def no_replay(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    adapter.store.tamper(table.id, lambda record: replace(record, header=replace(record.header, seed=bytes(32))))
    await adapter.features.replays.show_here(make_command(ROBIN), None)  # type: ignore[arg-type]


async def no_such_setting(adapter: Adapter) -> None:
    pressed = SettingId(Setting.PICTURES)
    click = make_menu_choice(ROBIN, pressed, "colourful", permissions=discord.Permissions.all())
    await adapter.features.settings.press(click, pressed)  # type: ignore[arg-type]


async def not_manager(adapter: Adapter) -> None:
    await adapter.features.settings.open(make_command(ROBIN))  # type: ignore[arg-type]


async def not_manager_of_data(adapter: Adapter) -> None:
    pressed = PrivacyId(PrivacyButton.SERVER_FOREVER)
    await adapter.features.privacy.press(make_command(ROBIN), pressed)  # type: ignore[arg-type]


async def off_script(adapter: Adapter) -> None:
    table = await adapter.service.open_lesson("magpie", ROBIN, HERE, 1)
    await adapter.service.play(table.id, ROBIN, 0, "roll 1", 2)


async def no_hints(adapter: Adapter) -> None:
    package = replace(GAMES["magpie"], hints=None)
    service = TableService(adapter.store, {"magpie": package})
    table = await start_game(service, ROBIN)
    await service.use_hint(table.id, ROBIN, 0)


async def no_hints_in_lessons(adapter: Adapter) -> None:
    table = await adapter.service.open_lesson("magpie", ROBIN, HERE, 1)
    await adapter.service.use_hint(table.id, ROBIN, 0)


async def no_hints_in_daily_bags(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN)
    player = replace(table.seats[0], contribution=daily_contribution(20_000))
    require_hint(replace(table, seats=(player, *table.seats[1:])), ROBIN, 0)


async def hints_off_here(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.service.allow_hints(table.id, ROBIN, allows=False)
    await adapter.service.start(table.id, ROBIN, 1)
    await adapter.service.use_hint(table.id, ROBIN, 0)


async def hints_off_in_server(adapter: Adapter) -> None:
    await adapter.store.change_preferences(HERE.scope_id, lambda _: Preferences(hints=False))
    table = await start_game(adapter.service, ROBIN)
    await adapter.features.hints.press(make_click(ROBIN, ""), table, HintId(table.id, 0))  # type: ignore[arg-type]


async def hint_failed(adapter: Adapter) -> None:
    speechless = {key: replace(package, evaluate=None, strategies={}) for key, package in GAMES.items()}
    features, preferences, responses = adapter.features, adapter.pictures.preferences, cast("TableResponses", None)
    hints = HintCommands(
        adapter.service,
        Thinker(speechless),
        preferences,
        features.tables,
        table_responses=responses,
        ephemeral_messages=features.ephemeral_messages,
    )
    table = await start_game(adapter.service, ROBIN, WREN)
    await hints.press(make_click(mover_of(table), ""), table, HintId(table.id, 0))  # type: ignore[arg-type]


async def no_lesson(adapter: Adapter) -> None:
    package = replace(GAMES["magpie"], lesson=None)
    service = TableService(adapter.store, {"magpie": package})
    await service.open_lesson("magpie", ROBIN, HERE, 1)


async def board_posted(adapter: Adapter) -> None:
    adapter.store.results += make_game_results(1, ROBIN.id, WREN.id)
    post = BoardId("magpie", Company.PEOPLE, BoardOrder.WINS, Span.ALL, 1, BoardButton.POST)
    for _ in range(2):
        await adapter.features.boards.press(make_click(ROBIN, post), post)  # type: ignore[arg-type]


async def only_in_servers(adapter: Adapter) -> None:
    await adapter.features.boards.show_season(make_command(ROBIN, guild_id=None, in_own_dm=True))  # type: ignore[arg-type]


async def versus_yourself(adapter: Adapter) -> None:
    await adapter.features.results.versus(make_command(ROBIN), ROBIN)  # type: ignore[arg-type]


async def no_puzzles(adapter: Adapter) -> None:
    click = make_click(ROBIN, "")
    await adapter.features.puzzles.press(click, NextPuzzleId("poker", "00000000"))  # type: ignore[arg-type]


async def unknown_puzzle(adapter: Adapter) -> None:
    click = make_click(ROBIN, "")
    await adapter.features.puzzles.press(click, PuzzleChoiceId("magpie", "00000000", 0, 0))  # type: ignore[arg-type]


async def puzzle_not_answered(adapter: Adapter) -> None:
    click = make_click(ROBIN, "")
    await adapter.features.puzzles.press(click, DailyPuzzleId(DailyPuzzleButton.SHARE, 20_000))  # type: ignore[arg-type]


async def no_seat_for_you(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.store.add_block(Block(ROBIN.id, WREN.id), adapter.clock(), 9)
    await adapter.service.join(table.id, WREN, 1)


async def you_block_someone(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.store.add_block(Block(WREN.id, ROBIN.id), adapter.clock(), 9)
    await adapter.service.join(table.id, WREN, 1)


async def you_block_them(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.store.add_block(Block(ROBIN.id, WREN.id), adapter.clock(), 9)
    await adapter.service.invite(table.id, ROBIN, WREN.id, 1)


async def blocked_yourself(adapter: Adapter) -> None:
    await adapter.features.blocks.block(make_command(ROBIN), make_guest(discord.User, id=ROBIN.id))  # type: ignore[arg-type]


async def blocked_computer(adapter: Adapter) -> None:
    await adapter.features.blocks.block(make_command(ROBIN), make_guest(discord.User, bot=True))  # type: ignore[arg-type]


async def too_many_blocks(adapter: Adapter) -> None:
    for blocked_id in range(1000, 1000 + MAX_BLOCKS):
        await adapter.store.add_block(Block(ROBIN.id, blocked_id), adapter.clock(), MAX_BLOCKS)
    await adapter.features.blocks.block(make_command(ROBIN), make_guest(discord.User))  # type: ignore[arg-type]


async def not_blocked(adapter: Adapter) -> None:
    await adapter.features.blocks.unblock(make_command(ROBIN), make_guest(discord.User))  # type: ignore[arg-type]


async def set_rules(adapter: Adapter, **chosen: Any) -> Any:
    """Choose settings of a server with channel 81 and role 501, and return a command there."""
    adapter.store.chosen[HERE.scope_id] = Preferences(**chosen)
    server = make_server(HERE.channel_id, 81, 82, hidden=(82,), roles=(HERE.guild_id or 0, 501))
    return make_command(ROBIN, guild=server, member=make_member(ROBIN, server))


async def played_elsewhere(adapter: Adapter) -> None:
    await adapter.features.tables.open(await set_rules(adapter, channels=frozenset({81})), "magpie", {}, 0)


async def not_played_here(adapter: Adapter) -> None:
    await adapter.features.tables.open(await set_rules(adapter, channels=frozenset({82})), "magpie", {}, 0)


async def may_not_open(adapter: Adapter) -> None:
    await adapter.features.tables.open(await set_rules(adapter, opener_roles=frozenset({501})), "magpie", {}, 0)


async def game_off(adapter: Adapter) -> None:
    await adapter.features.tables.open(await set_rules(adapter, games_off=frozenset({"magpie"})), "magpie", {}, 0)


async def no_thread(adapter: Adapter) -> None:
    async def create_thread(**_: object) -> None:
        raise SERVER_ERROR

    command = await set_rules(adapter, opens_threads=True)
    command.channel = SimpleNamespace(
        type=discord.ChannelType.text, create_thread=create_thread, guild=make_server(), id=HERE.channel_id
    )
    await adapter.features.tables.open(command, "magpie", {}, 0)


async def too_many_chosen(adapter: Adapter) -> None:
    server = make_server(*range(100, 126))
    adapter.store.chosen[HERE.scope_id] = Preferences(channels=frozenset(range(100, 125)))
    manager = make_command(ROBIN, guild=server, permissions=discord.Permissions(manage_guild=True))
    added: Any = SimpleNamespace(id=125)
    await adapter.features.settings_commands.change_ids(manager, "channels", added, None)  # type: ignore[arg-type]


async def everyone_chosen(adapter: Adapter) -> None:
    manager = make_command(ROBIN, permissions=discord.Permissions(manage_guild=True))
    everyone: Any = SimpleNamespace(id=HERE.guild_id)
    await adapter.features.settings_commands.change_ids(manager, "openers", everyone, None)  # type: ignore[arg-type]


async def no_daily_bag(adapter: Adapter) -> None:
    # Only Magpie is installed.
    await adapter.features.daily_bags.show(make_command(ROBIN))  # type: ignore[arg-type]


async def daily_bag_open(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN, WREN)
    games = {DAILY_GAME: GAMES["magpie"], **GAMES}
    features, service = adapter.features.daily_bags, TableService(adapter.store, games, clock=adapter.clock)
    today = features.bags.today
    attempt = Attempt(ROBIN.id, today, table.id, HERE.guild_id, HERE.channel_id, ROBIN.name, adapter.clock())
    adapter.store.attempts[ROBIN.id, today] = attempt
    standings = adapter.table_messages.daily_standings
    rules = ServerRules(adapter.pictures.preferences, games)
    bags = DailyBags(features.bags, standings, service, adapter.features.ephemeral_messages, rules)
    await bags.press(make_click(ROBIN, ""), DailyBagId(DailyBagButton.PLAY, today, 1))  # type: ignore[arg-type]


async def clock_runs(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, WREN)
    await adapter.service.choose_clock(table.id, ROBIN, TurnClock.ONE_DAY)
    table = await adapter.service.start(table.id, ROBIN, 1)
    other = WREN if mover_of(table) == ROBIN else ROBIN
    action = partial(substitute_absent, since=adapter.clock.now)
    await adapter.service.apply_seat_action(table.id, other, action, 2)


async def no_pings_here(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN, location=replace(HERE, guild_id=None))
    await adapter.features.pings.choose_here(make_command(ROBIN))  # type: ignore[arg-type]


async def unknown_zone(adapter: Adapter) -> None:
    await adapter.features.pings.choose_quiet_hours(make_command(ROBIN), 22, 7, "Mars")  # type: ignore[arg-type]


async def no_quiet_hours(adapter: Adapter) -> None:
    await adapter.features.pings.choose_quiet_hours(make_command(ROBIN), 7, 7, "UTC")  # type: ignore[arg-type]


HOST_REFUSALS: dict[HostReason, tuple[Callable[[Adapter], Awaitable[None]], str]] = {
    HostReason.UNKNOWN_TABLE: (unknown_table, "no longer exists"),
    HostReason.GAME_GONE: (game_gone, "can close it with `/table cancel`"),
    HostReason.NO_TABLE_HERE: (no_table_here, "no open table in this channel"),
    HostReason.NO_TABLE_YET: (no_table_yet, "a table in this channel yet"),
    HostReason.OTHER_GAME_HERE: (other_game_here, f"plays Magpie: {LINK}"),
    HostReason.CHANNEL_TAKEN: (channel_taken, f"Magpie is waiting for players in this channel: {LINK}"),
    HostReason.SOLO_TAKEN: (solo_taken, f"Your table of Magpie is waiting here: {LINK}"),
    HostReason.CHANNEL_IDLE: (
        channel_silent,
        "You can put it aside. Nothing is lost: its players can bring it back",
    ),
    HostReason.GAME_GONE_IDLE: (game_gone_idle, "I no longer have, and no one has played for a while"),
    HostReason.PUT_ASIDE: (put_aside, "Nothing is lost: `/table resume` brings it back"),
    HostReason.ONLY_ASIDE_HERE: (only_aside_here, "Its players can bring it back with `/table resume`"),
    HostReason.NOTHING_ASIDE: (nothing_aside, "You have no game to resume"),
    HostReason.RESUME_TAKEN: (resume_taken, "Your game is safe. Once that one is over, `/table resume`"),
    HostReason.NOT_YOURS_TO_RESUME: (not_yours_to_resume, "Only its players or a moderator"),
    HostReason.ALREADY_INVITED: (already_invited, f"once is the limit. Send them the link yourself: {LINK}"),
    HostReason.TOO_MANY_TABLES: (too_many_tables, "open tables here as allowed (1)"),
    HostReason.TOO_QUICK: (too_quick, "Wait a few seconds"),
    HostReason.INVITED_TODAY: (invited_today, "once a day is the limit. Send them the link yourself: https://"),
    HostReason.TOO_MANY_INVITATIONS: (too_many_invitations, "Five people have been invited to this table"),
    HostReason.INVITATIONS_REFUSED: (invitations_refused, f"for others whom you'd like to ask: {LINK}"),
    HostReason.INVITATIONS_OFF: (invitations_off, f"turned invitations off. Send people the link yourself: {LINK}"),
    HostReason.NOT_YOUR_INVITATION: (not_your_invitation, f"press *Join* at the table: {LINK}"),
    HostReason.NO_SOLO_GAME: (no_solo_game, "has no solo game in this channel"),
    HostReason.NOT_MODERATOR: (not_moderator, "Only a moderator can end"),
    HostReason.GOES_ON_THERE: (goes_on_there, f"continues at another table: {LINK}"),
    HostReason.UNKNOWN_BUTTON: (unknown_button, "another version"),
    HostReason.NOTHING_TO_REPLAY: (nothing_to_replay, "No one has finished a game here yet"),
    HostReason.UNKNOWN_REPLAY: (unknown_replay, "That game wasn't played here"),
    HostReason.NOT_OVER: (not_over, f"isn't finished, so there's nothing to replay yet: {LINK}"),
    HostReason.NOT_YOURS_TO_SHARE: (not_yours_to_share, "Only the players of this game"),
    HostReason.ALREADY_SHARED: (already_shared, f"shared already: {LINK}/"),
    HostReason.BOARD_POSTED: (board_posted, f"within the last ten minutes: {LINK}/"),
    HostReason.NO_ANIMATION: (no_animation, "has no pictures here"),
    HostReason.NO_ANIMATION_OF_DAILY_BAGS: (no_animation_of_daily_bags, "who haven't played this bag"),
    HostReason.NO_REVIEW: (no_review, "nothing to review in this game"),
    HostReason.REVIEW_FAILED: (review_failed, "Please try again in a minute"),
    HostReason.NO_REPLAY: (no_replay, "The rules have changed since"),
    HostReason.NO_SUCH_SETTING: (no_such_setting, "`/settings show` shows what you can"),
    HostReason.NOT_MANAGER: (not_manager, "(Manage Server)"),
    HostReason.NOT_MANAGER_OF_DATA: (not_manager_of_data, "(Manage Server) can delete"),
    HostReason.OFF_SCRIPT: (off_script, "Not yet: the lesson asks for *Keep ⚃⚃, roll 3* first."),
    HostReason.NO_HINTS: (no_hints, "I have no hints for Magpie"),
    HostReason.NO_HINTS_IN_LESSONS: (no_hints_in_lessons, "its text tells you what to do"),
    HostReason.NO_HINTS_IN_DAILY_BAGS: (no_hints_in_daily_bags, "The daily bag has no hints"),
    HostReason.HINTS_OFF_HERE: (hints_off_here, "its host can turn them on with *Options*"),
    HostReason.HINTS_OFF_IN_SERVER: (hints_off_in_server, "can turn them on with `/settings show`"),
    HostReason.HINT_FAILED: (hint_failed, "and none was counted"),
    HostReason.NO_LESSON: (no_lesson, "Magpie has no lesson"),
    HostReason.ONLY_YOURSELF: (only_yourself, "the command in a server"),
    HostReason.NO_DAILY_BAG: (no_daily_bag, "no daily bag today"),
    HostReason.DAILY_BAG_OPEN: (daily_bag_open, f"is still open: {LINK}"),
    HostReason.ONLY_IN_SERVERS: (only_in_servers, "works in servers only"),
    HostReason.VERSUS_YOURSELF: (versus_yourself, "Name another member"),
    HostReason.NO_PUZZLES: (no_puzzles, "That game has no puzzles"),
    HostReason.UNKNOWN_PUZZLE: (unknown_puzzle, "`/puzzle` shows today's"),
    HostReason.CLOCK_RUNS: (clock_runs, "still has time"),
    HostReason.NO_PINGS_HERE: (no_pings_here, "no one else is waiting"),
    HostReason.UNKNOWN_ZONE: (unknown_zone, "such as `Europe/Berlin`"),
    HostReason.NO_QUIET_HOURS: (no_quiet_hours, "at another hour than they begin"),
    HostReason.PUZZLE_NOT_ANSWERED: (puzzle_not_answered, "nothing to share yet"),
    HostReason.NO_SEAT_FOR_YOU: (no_seat_for_you, "taken or kept for others"),
    HostReason.YOU_BLOCK_SOMEONE: (you_block_someone, "No one else sees this"),
    HostReason.YOU_BLOCK_THEM: (you_block_them, "You block them"),
    HostReason.BLOCKED_YOURSELF: (blocked_yourself, "You can only block others"),
    HostReason.BLOCKED_COMPUTER: (blocked_computer, "You can only block people"),
    HostReason.TOO_MANY_BLOCKS: (too_many_blocks, "You block 100 people already"),
    HostReason.NOT_BLOCKED: (not_blocked, "You don't block them"),
    HostReason.PLAYED_ELSEWHERE: (played_elsewhere, "games are played in <#81>."),
    HostReason.NOT_PLAYED_HERE: (not_played_here, "no games are played in this channel"),
    HostReason.MAY_NOT_OPEN: (may_not_open, "only some roles open tables: <@&501>"),
    HostReason.GAME_OFF: (game_off, "Magpie is switched off in this server"),
    HostReason.NO_THREAD: (no_thread, "Please try again in a moment"),
    HostReason.TOO_MANY_CHOSEN: (too_many_chosen, "more than 25"),
    HostReason.EVERYONE_CHOSEN: (everyone_chosen, "Choose another"),
}
