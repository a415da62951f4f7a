"""Every refusal of the host and of Magpie as it is really raised, with words of the sentence that tells it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.games.magpie.moves import Roll
from bot.games.magpie.pieces import MagpieOptions
from bot.rules.chance import ScriptedChance
from bot.rules.refusals import Refusal
from bot.tables.actions import guards, lobby
from bot.tables.actions.seats import ABSENT_AFTER, come_back, propose_close, resign_seat, substitute_absent, take_back
from bot.tables.actions.series import continue_series
from bot.tables.controls import AgreeToClose, AskForSubstitute, Resign, Substitute
from bot.tables.model import Occupant, Person, Preferences, Status
from bot.tables.refusals import HostReason
from bot.tables.runtime.host_settings import HostSettings
from bot.tables.runtime.service import TableService
from bot.tables.table import Table, apply_control
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import InvitationButton, InvitationId
from bot.ui.features.settings import parse_picture_choice
from bot.ui.interactions.context import guest_of, place_of, require_permissions
from bot.ui.render.game_names import find_game
from cogs.magpie import parse_dice
from tests.support.fakes import (
    GAMES,
    HERE,
    JAY,
    NOON,
    ROBIN,
    STRANGER,
    WREN,
    as_solo,
    make_service,
    make_table,
    open_lobby,
    start_game,
)
from tests.support.finished_games import play_to_end
from tests.support.magpie_series import SERIES_REGISTRY, as_second_game, make_finished_table, play_new_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_click, make_command, make_guest

PLAYING = make_table(status=Status.PLAYING)
MOVER = PLAYING.seats[PLAYING.header.to_move or 0]
WAITING = next(who for who in PLAYING.seats if who is not MOVER)
RESIGNED = apply_control(PLAYING, 1, Resign())
SUBSTITUTED = apply_control(PLAYING, 0, Substitute(PLAYING.header.to_move or 0))
MOVING = Person(MOVER.user_id or 0, MOVER.name)
ASKER = next(seat for seat in (1, 2) if seat != PLAYING.header.to_move)
ASKED = apply_control(PLAYING, ASKER, AskForSubstitute(PLAYING.header.to_move or 0))
ALONE = as_solo(PLAYING)
ACTED = replace(PLAYING, acted=frozenset(range(3)))
AMONG_COMPUTERS = replace(
    make_table(
        lobby.make_occupant(ROBIN, 1), Occupant("Computer", level="random", contribution="c"), status=Status.PLAYING
    ),
    acted=frozenset({0, 1}),
)
FULL = make_table(*(lobby.make_occupant(Person(at, f"P{at}"), at) for at in range(1, 7)))


def catch_refusal(wish: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        wish()
    return refused.value


def interaction(**more: Any) -> Any:
    return make_command(ROBIN, **more)


def person_in(who: Any) -> Person:
    return Person(who.user_id, who.name)


def magpie_refusal(seat: int, text: str, *, over: bool = False) -> Refusal:
    game = PLAYING.package.game
    state = replace(PLAYING.state, mover=None, trigger=0) if over else PLAYING.state
    return catch_refusal(lambda: game.play(state, seat, game.parse_move(text), ScriptedChance(())))


LINK = "https://discord.com/channels/3/70"
MISSING = discord.Permissions(view_channel=True)
SEAT = PLAYING.header.to_move or 0

RAISED_REFUSALS: dict[str, tuple[Callable[[], Refusal], str]] = {
    "not seated": (lambda: catch_refusal(lambda: guards.require_turn(PLAYING, STRANGER, 0)), "no seat"),
    "not your turn": (
        lambda: catch_refusal(lambda: guards.require_turn(PLAYING, person_in(WAITING), 0)),
        f"{MOVER.name}'s turn",
    ),
    "already seated": (lambda: catch_refusal(lambda: lobby.join(make_table(), WREN, 1)), "already have a seat"),
    "table full": (lambda: catch_refusal(lambda: lobby.join(FULL, STRANGER, 1)), "This table is full"),
    "no computer": (
        lambda: catch_refusal(lambda: lobby.remove_computer(make_table(), ROBIN, 1)),
        "no computer player",
    ),
    "already started": (lambda: catch_refusal(lambda: lobby.join(PLAYING, STRANGER, 1)), "already started"),
    "not started": (
        lambda: catch_refusal(lambda: guards.require_turn(make_table(), WREN, 0)),
        "Robin starts it",
    ),
    "not opener": (lambda: catch_refusal(lambda: lobby.add_computer(make_table(), WREN, 1)), "Only Robin"),
    "not your game": (
        lambda: catch_refusal(lambda: lobby.start(as_solo(make_table()), STRANGER, 1, NOON)),
        "Robin's game. Open your own with `/magpie new`",
    ),
    "not closer": (
        lambda: catch_refusal(lambda: lobby.cancel(make_table(), WREN, is_moderator=False)),
        "Only Robin or a moderator can close",
    ),
    "nothing follows": (
        lambda: catch_refusal(lambda: continue_series(make_finished_table(30, 20), ROBIN, 1)),
        f"a new table with the same players: {LINK}",
    ),
    "not tied": (
        lambda: catch_refusal(lambda: continue_series(make_finished_table(30, 30, 20), JAY, 1)),
        f"You can watch: {LINK}",
    ),
    "seats fixed": (
        lambda: catch_refusal(lambda: lobby.leave(as_second_game(make_table()), ROBIN)),
        "`/table cancel`",
    ),
    "table over": (
        lambda: catch_refusal(lambda: lobby.leave(make_table(status=Status.FINISHED), ROBIN)),
        "`/magpie new`",
    ),
    "resigned": (lambda: catch_refusal(lambda: guards.require_turn(RESIGNED, WREN, 1)), "You've resigned"),
    "substituted": (lambda: catch_refusal(lambda: guards.require_turn(SUBSTITUTED, MOVING, 1)), "`/table back`"),
    "not substituted": (lambda: catch_refusal(lambda: come_back(PLAYING, WREN)), "You're already in your seat"),
    "own turn": (lambda: catch_refusal(lambda: substitute_absent(PLAYING, MOVING, NOON)), "your own turn"),
    "nobody awaited": (
        lambda: catch_refusal(lambda: substitute_absent(SUBSTITUTED, person_in(WAITING), NOON)),
        "It's a computer player's turn",
    ),
    "not absent": (
        lambda: catch_refusal(lambda: substitute_absent(PLAYING, person_in(WAITING), NOON - ABSENT_AFTER)),
        f"{MOVER.name} hasn't been quiet",
    ),
    "already asked": (
        lambda: catch_refusal(lambda: substitute_absent(ASKED, person_in(PLAYING.seats[ASKER]), NOON)),
        "Another player has to ask",
    ),
    "nothing to take back": (lambda: catch_refusal(lambda: take_back(PLAYING, WREN)), "nothing to take back"),
    "unknown level": (
        lambda: catch_refusal(lambda: lobby.add_computer(make_table(), ROBIN, 1, "mean")),
        "these levels: Random, Normal.",
    ),
    "no such choice": (
        lambda: catch_refusal(lambda: lobby.choose_option(make_table(), ROBIN, "target", "9", "")),
        "Magpie doesn't have that option",
    ),
    "no seat to invite from": (
        lambda: catch_refusal(lambda: lobby.require_invitable(make_table(), STRANGER, ROBIN.id)),
        f"Press *Join* at the table first: {LINK}",
    ),
    "invited yourself": (
        lambda: catch_refusal(lambda: lobby.require_invitable(make_table(), ROBIN, ROBIN.id)),
        "That's you",
    ),
    "they have a seat": (
        lambda: catch_refusal(lambda: lobby.require_invitable(make_table(), ROBIN, WREN.id)),
        "already have a seat",
    ),
    "invited computer": (
        lambda: catch_refusal(lambda: guest_of(interaction(), make_guest(discord.Member, bot=True))),
        "`/table computer`",
    ),
    "no guests here": (
        lambda: catch_refusal(lambda: guest_of(interaction(guild_id=None), make_guest(discord.Member))),
        "a server's channel",
    ),
    "not a member": (
        lambda: catch_refusal(lambda: guest_of(interaction(), make_guest(discord.User))),
        "aren't in this server",
    ),
    "cannot see": (
        lambda: catch_refusal(
            lambda: guest_of(interaction(), make_guest(discord.Member, permissions=discord.Permissions.none()))
        ),
        "can't see this channel",
    ),
    "they have no seat": (lambda: catch_refusal(lambda: lobby.kick(make_table(), ROBIN, 99)), "They have no seat"),
    "only leave": (lambda: catch_refusal(lambda: lobby.kick(make_table(), ROBIN, ROBIN.id)), "Press *Leave*"),
    "not finished": (lambda: catch_refusal(lambda: lobby.play_again(PLAYING, ROBIN, 1)), "isn't finished yet"),
    "not starter": (
        lambda: catch_refusal(lambda: lobby.start(make_table(), WREN, 1)),
        "Only Robin can start. After five",
    ),
    "needs_agreement": (
        lambda: catch_refusal(lambda: lobby.cancel(ACTED, ROBIN, is_moderator=False)),
        "`/table cancel`",
    ),
    "already_agreed": (
        lambda: catch_refusal(lambda: propose_close(apply_control(ACTED, 0, AgreeToClose()), ROBIN)),
        "Wren and Jay",
    ),
    "only_resign": (lambda: catch_refusal(lambda: propose_close(AMONG_COMPUTERS, ROBIN)), "`/table resign`"),
    "alone": (lambda: catch_refusal(lambda: resign_seat(ALONE, ROBIN)), "`/table cancel`"),
    "table held": (
        lambda: catch_refusal(lambda: guards.require_turn(make_table(status=Status.HELD), WREN, 0)),
        "Robin or a moderator",
    ),
    "missing permissions": (
        lambda: catch_refusal(lambda: require_permissions(interaction(app_permissions=MISSING))),
        "**Send Messages and Embed Links**",
    ),
    "unknown game": (lambda: catch_refusal(lambda: find_game(GAMES, "chess {0}")), "I host: Magpie."),
    "no place": (lambda: catch_refusal(lambda: place_of(interaction(guild_id=None))), "direct message with me"),
    "unreadable": (lambda: catch_refusal(lambda: parse_dice("{fly}")), "not a move in this game"),
    "unreadable move": (lambda: magpie_refusal(SEAT, "fly"), "not a move in this game"),
    "not to move": (lambda: magpie_refusal((SEAT + 1) % 3, "roll 1"), "not your turn"),
    "game over": (lambda: magpie_refusal(SEAT, "roll 1", over=True), "game is over"),
    "no dice": (lambda: magpie_refusal(SEAT, "roll"), "at least one die"),
    "no such die": (lambda: magpie_refusal(SEAT, "roll 2 7"), "no die 7"),
    "out of order": (
        lambda: catch_refusal(lambda: PLAYING.package.game.play(PLAYING.state, SEAT, Roll((3, 1)), ScriptedChance(()))),
        "lowest number first",
    ),
    "die twice": (lambda: magpie_refusal(SEAT, "roll 3 3"), "die 3 twice"),
}


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


async def gone_silent(adapter: Adapter) -> None:
    table = await start_game(make_service(adapter.store), JAY, WREN)
    adapter.store.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
    adapter.clock.tick(86_400)
    await open_lobby(adapter.service, ROBIN)


async def a_game_aside(adapter: Adapter) -> Table:
    table = await start_game(adapter.service, JAY, WREN)
    adapter.clock.tick(86_400)
    await adapter.service.put_aside(table.id, HERE.channel_id)
    return table


async def set_aside(adapter: Adapter) -> None:
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
    await open_lobby(adapter.service, ROBIN, place=own)
    await adapter.service.open("magpie", MagpieOptions(), ROBIN, own, click_id=999)


async def already_invited(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    for click_id in (1, 2):
        await adapter.service.invite(table.id, ROBIN, JAY.id, click_id)


async def too_many_tables(adapter: Adapter) -> None:
    limited = TableService(adapter.store, GAMES, HostSettings(open_tables=1))
    for channel_id in (70, 71):
        await open_lobby(limited, ROBIN, place=replace(HERE, channel_id=channel_id))


async def too_quick(_adapter: Adapter) -> None:
    # What the client tells whoever clicks faster than anybody can by hand.
    raise Refusal(HostReason.TOO_QUICK)


async def invited_today(adapter: Adapter) -> None:
    for click_id, place in enumerate((HERE, replace(HERE, channel_id=HERE.channel_id + 1))):
        table = await open_lobby(adapter.service, ROBIN, place=place)
        await adapter.service.invite(table.id, ROBIN, JAY.id, click_id)


async def too_many_invitations(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    for guest_id in range(200, 206):
        await adapter.service.invite(table.id, ROBIN, guest_id, guest_id)


async def invitations_refused(adapter: Adapter) -> None:
    await adapter.host.invitations.set_refuses(JAY.id, refuses=True)
    await already_invited(adapter)


async def invitations_off(adapter: Adapter) -> None:
    await adapter.store.save_preferences(HERE.scope_id, Preferences(invites=False))
    await already_invited(adapter)


async def not_your_invitation(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    pressed = InvitationId(table.id, JAY.id, InvitationButton.JOIN)
    await adapter.features.invitations.press(make_click(STRANGER, pressed), table, pressed)  # type: ignore[arg-type]


async def no_solo_game(adapter: Adapter) -> None:
    await adapter.features.tables.cancel(interaction(), make_guest(discord.User, id=ROBIN.id))


async def not_moderator(adapter: Adapter) -> None:
    await adapter.features.tables.cancel(interaction(), make_guest(discord.User))


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


async def no_replay(adapter: Adapter) -> None:
    table = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    adapter.store.tamper(table.id, lambda record: replace(record, header=replace(record.header, seed=bytes(32))))
    await adapter.features.replays.show_here(make_command(ROBIN), None)  # type: ignore[arg-type]


async def no_such_pictures(_adapter: Adapter) -> None:
    parse_picture_choice("colourful")


async def not_manager(adapter: Adapter) -> None:
    await adapter.features.settings.update(make_command(ROBIN), None)  # type: ignore[arg-type]


HOST_REFUSALS: dict[HostReason, tuple[Callable[[Adapter], Awaitable[None]], str]] = {
    HostReason.UNKNOWN_TABLE: (unknown_table, "no longer exists"),
    HostReason.GAME_GONE: (game_gone, "can close it with `/table cancel`"),
    HostReason.NO_TABLE_HERE: (no_table_here, "no open table in this channel"),
    HostReason.NO_TABLE_YET: (no_table_yet, "a table in this channel yet"),
    HostReason.OTHER_GAME_HERE: (other_game_here, f"plays Magpie: {LINK}"),
    HostReason.CHANNEL_TAKEN: (channel_taken, f"Magpie is waiting for players in this channel: {LINK}"),
    HostReason.SOLO_TAKEN: (solo_taken, f"Your table of Magpie is waiting here: {LINK}"),
    HostReason.CHANNEL_SILENT: (
        channel_silent,
        "You can put it aside. Nothing is lost: its players can bring it back",
    ),
    HostReason.GONE_SILENT: (gone_silent, "I no longer host, and no one has played for a while"),
    HostReason.SET_ASIDE: (set_aside, "Nothing is lost: `/table resume` brings it back"),
    HostReason.ONLY_ASIDE_HERE: (only_aside_here, "Its players can bring it back with `/table resume`"),
    HostReason.NOTHING_ASIDE: (nothing_aside, "You have no game to resume"),
    HostReason.RESUME_TAKEN: (resume_taken, "Your game is safe. Once that one is over, `/table resume`"),
    HostReason.NOT_YOURS_TO_RESUME: (not_yours_to_resume, "Only its players or a moderator"),
    HostReason.ALREADY_INVITED: (already_invited, f"once is the limit. Send them the link yourself: {LINK}"),
    HostReason.TOO_MANY_TABLES: (too_many_tables, "open tables here as allowed (1)"),
    HostReason.TOO_QUICK: (too_quick, "Wait a few seconds"),
    HostReason.INVITED_TODAY: (invited_today, "once a day is the limit. Send them the link yourself: https://"),
    HostReason.TOO_MANY_INVITATIONS: (too_many_invitations, "Five people have been invited to this table"),
    HostReason.INVITATIONS_REFUSED: (invitations_refused, f"They're still welcome to join: {LINK}"),
    HostReason.INVITATIONS_OFF: (invitations_off, f"turned invitations off. Send people the link yourself: {LINK}"),
    HostReason.NOT_YOUR_INVITATION: (not_your_invitation, f"press *Join* at the table: {LINK}"),
    HostReason.NO_SOLO_GAME: (no_solo_game, "has no solo game in this channel"),
    HostReason.NOT_MODERATOR: (not_moderator, "Only a moderator (Manage Messages) can end"),
    HostReason.GOES_ON_THERE: (goes_on_there, f"continues at another table: {LINK}"),
    HostReason.UNKNOWN_BUTTON: (unknown_button, "another version"),
    HostReason.NOTHING_TO_REPLAY: (nothing_to_replay, "No one has finished a game here yet"),
    HostReason.UNKNOWN_REPLAY: (unknown_replay, "That game wasn't played here"),
    HostReason.NOT_OVER: (not_over, f"isn't finished, so there's nothing to replay yet: {LINK}"),
    HostReason.NO_REPLAY: (no_replay, "The rules have changed since"),
    HostReason.NO_SUCH_PICTURES: (no_such_pictures, "Choose from the list"),
    HostReason.NOT_MANAGER: (not_manager, "(Manage Server)"),
    HostReason.ONLY_YOURSELF: (only_yourself, "`/profile` in a server"),
}
