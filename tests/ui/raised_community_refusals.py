"""Refusals about settings, blocks, boards, puzzles, daily bags and clocks as they are raised, with their words."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
from discord import app_commands

from bot.features.blocks import storage as block_storage
from bot.features.blocks.commands import BlockCommands
from bot.features.blocks.service import MAX_BLOCKS
from bot.features.blocks.storage import Block, BlockReason
from bot.features.boards.commands import Boards
from bot.features.boards.messages import BoardButton, BoardId
from bot.features.boards.model import BoardOrder, BoardReason, Span
from bot.features.daily_bag.commands import DailyBags
from bot.features.daily_bag.messages import DailyBagButton, DailyBagId
from bot.features.daily_bag.model import DailyBagReason
from bot.features.daily_bag.service import DailyBagService
from bot.features.daily_bag.storage import begin_attempt
from bot.features.invitations.model import InvitationReason
from bot.features.invitations.service import store_invitation
from bot.features.new_tables.handlers import NewTables
from bot.features.privacy.commands import PrivacyCommands
from bot.features.privacy.messages import PrivacyButton, PrivacyId
from bot.features.profiles.commands import Profiles
from bot.features.puzzles.commands import Puzzles
from bot.features.puzzles.messages import DailyPuzzleButton, DailyPuzzleId, NextPuzzleId, PuzzleChoiceId
from bot.features.puzzles.model import PuzzleReason
from bot.features.reminders.handlers import Pings
from bot.features.reminders.model import PingReason
from bot.features.seasons.commands import SeasonPages
from bot.features.settings.all_settings import (
    CHANNELS,
    GAMES as GAMES_SETTING,
    MODERATORS,
    OPENERS,
    PICTURES,
    THREADS,
    Setting,
    SettingReason,
)
from bot.features.settings.handlers import SettingsCommands, SettingsPanels
from bot.features.settings.messages import SettingId
from bot.features.settings.service import ServerRules
from bot.platform.discord.declared_options import require_declared_options
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import RefusalReason
from bot.tables.handlers.hands import Hands
from bot.tables.kinds import DAILY_GAME, daily_contribution
from bot.tables.model import Company, TurnClock
from bot.tables.refusals import HostReason
from bot.tables.seats import substitute_absent
from bot.tables.service import TableService
from tests.support.chosen_settings import chosen
from tests.support.fakes import GAMES, HERE, ROBIN, STRANGER, WREN, mover_of, open_lobby, start_game
from tests.support.sample_results import make_game_results
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import SERVER_ERROR, make_click, make_command, make_guest, make_menu_choice
from tests.ui.fake_servers import make_member, make_server
from tests.ui.raised_table_refusals import LINK


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


option_not_a_choice = forge_option("theme", "pink", discord.AppCommandOptionType.string)
option_range = forge_option("hour", 24, discord.AppCommandOptionType.integer)
option_length = forge_option("zone", "x" * 101, discord.AppCommandOptionType.string)
option_unknown = forge_option("friend", "7", discord.AppCommandOptionType.user)


async def no_such_setting(adapter: Adapter) -> None:
    pressed = SettingId(PICTURES.key)
    click = make_menu_choice(ROBIN, pressed, "colourful", permissions=discord.Permissions.all())
    await adapter.app.service(SettingsPanels).press(click, pressed)  # type: ignore[arg-type]


async def not_manager(adapter: Adapter) -> None:
    await adapter.app.service(SettingsPanels).open(make_command(ROBIN))  # type: ignore[arg-type]


async def not_manager_of_data(adapter: Adapter) -> None:
    pressed = PrivacyId(PrivacyButton.SERVER_FOREVER)
    await adapter.app.service(PrivacyCommands).press(make_command(ROBIN), pressed)  # type: ignore[arg-type]


async def no_board_yet(adapter: Adapter) -> None:
    await adapter.app.service(Boards).show(make_command(ROBIN), None)  # type: ignore[arg-type]


async def board_posted(adapter: Adapter) -> None:
    adapter.db.add_results(*make_game_results(1, ROBIN.id, WREN.id))
    post = BoardId("magpie", Company.PEOPLE, BoardOrder.WINS, Span.ALL, 1, BoardButton.POST)
    for _ in range(2):
        await adapter.app.service(Boards).press(make_click(ROBIN, post), post)  # type: ignore[arg-type]


async def only_in_servers(adapter: Adapter) -> None:
    await adapter.app.service(SeasonPages).show(make_command(ROBIN, guild_id=None, in_own_dm=True))  # type: ignore[arg-type]


async def versus_yourself(adapter: Adapter) -> None:
    await adapter.app.service(Profiles).versus(make_command(ROBIN), ROBIN)  # type: ignore[arg-type]


async def no_puzzles(adapter: Adapter) -> None:
    click = make_click(ROBIN, "")
    await adapter.app.service(Puzzles).press(click, NextPuzzleId("poker", "00000000"))  # type: ignore[arg-type]


async def unknown_puzzle(adapter: Adapter) -> None:
    click = make_click(ROBIN, "")
    await adapter.app.service(Puzzles).press(click, PuzzleChoiceId("magpie", "00000000", 0, 0))  # type: ignore[arg-type]


async def puzzle_not_answered(adapter: Adapter) -> None:
    click = make_click(ROBIN, "")
    await adapter.app.service(Puzzles).press(click, DailyPuzzleId(DailyPuzzleButton.SHARE, 20_000))  # type: ignore[arg-type]


async def no_seat_for_you(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.db.write(block_storage.add, Block(ROBIN.id, WREN.id), adapter.clock(), 9)
    await adapter.service.join(table.id, WREN, 1)


async def you_block_someone(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.db.write(block_storage.add, Block(WREN.id, ROBIN.id), adapter.clock(), 9)
    await adapter.service.join(table.id, WREN, 1)


async def you_block_them(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.db.write(block_storage.add, Block(ROBIN.id, WREN.id), adapter.clock(), 9)
    await store_invitation(adapter.service, adapter.db, table.id, ROBIN, WREN.id, 1)


async def blocked_yourself(adapter: Adapter) -> None:
    await adapter.app.service(BlockCommands).block(make_command(ROBIN), make_guest(discord.User, id=ROBIN.id))  # type: ignore[arg-type]


async def blocked_computer(adapter: Adapter) -> None:
    await adapter.app.service(BlockCommands).block(make_command(ROBIN), make_guest(discord.User, bot=True))  # type: ignore[arg-type]


async def too_many_blocks(adapter: Adapter) -> None:
    for blocked_id in range(1000, 1000 + MAX_BLOCKS):
        await adapter.db.write(block_storage.add, Block(ROBIN.id, blocked_id), adapter.clock(), MAX_BLOCKS)
    await adapter.app.service(BlockCommands).block(make_command(ROBIN), make_guest(discord.User))  # type: ignore[arg-type]


async def not_blocked(adapter: Adapter) -> None:
    await adapter.app.service(BlockCommands).unblock(make_command(ROBIN), make_guest(discord.User))  # type: ignore[arg-type]


async def set_rules(adapter: Adapter, values: Mapping[Setting[Any], Any]) -> Any:
    """Choose settings of a server with channel 81 and role 501, and return a command there."""
    adapter.db.chosen[HERE.scope_id] = chosen(values)
    server = make_server(HERE.channel_id, 81, 82, hidden=(82,), roles=(HERE.guild_id or 0, 501))
    return make_command(ROBIN, guild=server, member=make_member(ROBIN, server))


async def played_elsewhere(adapter: Adapter) -> None:
    await adapter.app.service(NewTables).open(await set_rules(adapter, {CHANNELS: frozenset({81})}), "magpie", {}, 0)


async def not_played_here(adapter: Adapter) -> None:
    await adapter.app.service(NewTables).open(await set_rules(adapter, {CHANNELS: frozenset({82})}), "magpie", {}, 0)


async def may_not_open(adapter: Adapter) -> None:
    await adapter.app.service(NewTables).open(await set_rules(adapter, {OPENERS: frozenset({501})}), "magpie", {}, 0)


async def game_off(adapter: Adapter) -> None:
    await adapter.app.service(NewTables).open(
        await set_rules(adapter, {GAMES_SETTING: frozenset({"magpie"})}), "magpie", {}, 0
    )


async def no_thread(adapter: Adapter) -> None:
    async def create_thread(**_: object) -> None:
        raise SERVER_ERROR

    command = await set_rules(adapter, {THREADS: True})
    command.channel = SimpleNamespace(
        type=discord.ChannelType.text, create_thread=create_thread, guild=make_server(), id=HERE.channel_id
    )
    await adapter.app.service(NewTables).open(command, "magpie", {}, 0)


async def too_many_chosen(adapter: Adapter) -> None:
    server = make_server(*range(100, 126))
    adapter.db.chosen[HERE.scope_id] = chosen({CHANNELS: frozenset(range(100, 125))})
    manager = make_command(ROBIN, guild=server, permissions=discord.Permissions(manage_guild=True))
    added: Any = SimpleNamespace(id=125)
    await adapter.app.service(SettingsCommands).change_ids(manager, "channels", added, None)  # type: ignore[arg-type]


async def choose_everyone(setting: Setting[Any], adapter: Adapter) -> None:
    manager = make_command(ROBIN, permissions=discord.Permissions(manage_guild=True))
    everyone: Any = SimpleNamespace(id=HERE.guild_id)
    await adapter.app.service(SettingsCommands).change_ids(manager, setting.key, everyone, None)  # type: ignore[arg-type]


async def no_daily_bag(adapter: Adapter) -> None:
    # Only Magpie is installed.
    await adapter.app.service(DailyBags).show(make_command(ROBIN))  # type: ignore[arg-type]


async def daily_bag_open(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN, WREN)
    games = {DAILY_GAME: GAMES["magpie"], **GAMES}
    features, service = adapter.app.service(DailyBags), TableService(adapter.db, games, clock=adapter.clock)
    today = features.bags.today
    adapter.db.run(begin_attempt, table.header, ROBIN.name, today)
    rules = ServerRules(adapter.settings, games)
    ephemeral, hands = adapter.app.ephemeral_messages, adapter.app.service(Hands)
    bags = DailyBags(features.bags, service, ephemeral, rules=rules, hands=hands)
    await bags.press(make_click(ROBIN, ""), DailyBagId(DailyBagButton.PLAY, today, 1))  # type: ignore[arg-type]


async def daily_bag_sealed(adapter: Adapter) -> None:
    table, bags = await start_game(adapter.service, ROBIN, WREN), adapter.app.service(DailyBagService)
    seats = [replace(each, contribution=daily_contribution(bags.today)) for each in table.seats]
    await bags.require_may_see(replace(table, seats=tuple(seats)), STRANGER.id)


async def clock_runs(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, WREN)
    await adapter.service.choose_clock(table.id, ROBIN, TurnClock.ONE_DAY)
    table = await adapter.service.start(table.id, ROBIN, 1)
    other = WREN if mover_of(table) == ROBIN else ROBIN
    action = partial(substitute_absent, since=adapter.clock.now)
    await adapter.service.apply_seat_action(table.id, other, action, 2)


async def no_pings_here(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN, location=replace(HERE, guild_id=None))
    await adapter.app.service(Pings).choose_here(make_command(ROBIN))  # type: ignore[arg-type]


async def unknown_zone(adapter: Adapter) -> None:
    await adapter.app.service(Pings).choose_quiet_hours(make_command(ROBIN), 22, 7, "Mars")  # type: ignore[arg-type]


async def no_quiet_hours(adapter: Adapter) -> None:
    await adapter.app.service(Pings).choose_quiet_hours(make_command(ROBIN), 7, 7, "UTC")  # type: ignore[arg-type]


COMMUNITY_REFUSALS: Mapping[RefusalReason, tuple[Callable[[Adapter], Awaitable[None]], str]] = {
    BoardReason.NO_BOARD_YET: (no_board_yet, "No one here is on a leaderboard"),
    BoardReason.BOARD_POSTED: (board_posted, f"within the last ten minutes: {LINK}/"),
    SettingReason.NO_SUCH_SETTING: (no_such_setting, "`/settings show` shows what you can"),
    SettingReason.NOT_MANAGER: (not_manager, "(Manage Server)"),
    HostReason.NOT_MANAGER_OF_DATA: (not_manager_of_data, "(Manage Server) can delete"),
    DailyBagReason.NO_DAILY_BAG: (no_daily_bag, "no daily bag today"),
    DailyBagReason.DAILY_BAG_OPEN: (daily_bag_open, f"is still open: {LINK}"),
    DailyBagReason.DAILY_BAG_SEALED: (daily_bag_sealed, "shown only to people who have finished it"),
    HostReason.ONLY_IN_SERVERS: (only_in_servers, "works in servers only"),
    HostReason.VERSUS_YOURSELF: (versus_yourself, "Name another member"),
    PuzzleReason.NO_PUZZLES: (no_puzzles, "I have no such puzzles at the moment."),
    PuzzleReason.UNKNOWN_PUZZLE: (unknown_puzzle, "`/puzzle` shows today's"),
    HostReason.CLOCK_RUNS: (clock_runs, "still has time"),
    PingReason.NO_PINGS_HERE: (no_pings_here, "no one else is waiting"),
    PingReason.UNKNOWN_ZONE: (unknown_zone, "such as `Europe/Berlin`"),
    ClickReason.OPTION_NOT_A_CHOICE: (option_not_a_choice, "`theme` takes only one of these: *Light*, *Dark*."),
    ClickReason.OPTION_RANGE: (option_range, "`hour` takes a whole number from 0 to 23."),
    ClickReason.OPTION_LENGTH: (option_length, "`zone` takes 1 to 100 characters."),
    ClickReason.OPTION_UNKNOWN: (option_unknown, "I can't find what you chose as `friend`."),
    PingReason.NO_QUIET_HOURS: (no_quiet_hours, "at another hour than they begin"),
    PuzzleReason.PUZZLE_NOT_ANSWERED: (puzzle_not_answered, "`/puzzle` shows today's"),
    HostReason.NO_SEAT_FOR_YOU: (no_seat_for_you, "taken or kept for others"),
    BlockReason.YOU_BLOCK_SOMEONE: (you_block_someone, "No one else sees this"),
    InvitationReason.YOU_BLOCK_THEM: (you_block_them, "You block them"),
    BlockReason.BLOCKED_YOURSELF: (blocked_yourself, "You can only block others"),
    BlockReason.BLOCKED_COMPUTER: (blocked_computer, "You can only block people"),
    BlockReason.TOO_MANY_BLOCKS: (too_many_blocks, "You block 100 people already"),
    BlockReason.NOT_BLOCKED: (not_blocked, "You don't block them"),
    SettingReason.PLAYED_ELSEWHERE: (played_elsewhere, "games are played in <#81>."),
    SettingReason.NOT_PLAYED_HERE: (not_played_here, "no games are played in this channel"),
    SettingReason.MAY_NOT_OPEN: (may_not_open, "only some roles open tables: <@&501>"),
    SettingReason.GAME_OFF: (game_off, "Magpie is switched off in this server"),
    HostReason.NO_THREAD: (no_thread, "Please try again in a moment"),
    SettingReason.TOO_MANY_CHOSEN: (too_many_chosen, "more than 25"),
    SettingReason.EVERYONE_OPENS: (partial(choose_everyone, OPENERS), "Leave the list empty instead"),
    SettingReason.EVERYONE_MODERATES: (
        partial(choose_everyone, MODERATORS),
        "everyone could close the tables of others",
    ),
}
