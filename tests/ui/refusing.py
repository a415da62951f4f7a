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
from bot.tables.actions import lobby as wishes
from bot.tables.actions.seats import ABSENT_AFTER, closing, coming_back, resigning, substituting, taking_back
from bot.tables.actions.series import going_on
from bot.tables.controls import Ask, Close, Resign, Substitute
from bot.tables.model import Occupant, Person, Preferences, Status
from bot.tables.refusals import HostReason
from bot.tables.runtime.service import TableService
from bot.tables.table import Table, controlled
from bot.ui.custom_ids import InviteAction, InviteId
from bot.ui.features.settings import picture_choice
from bot.ui.interactions.context import guest_of, place_of, require_permissions
from bot.ui.render.game_names import game_named
from cogs.magpie import places_in
from tests.support.fakes import (
    GAMES,
    HERE,
    JAY,
    NOON,
    ROBIN,
    STRANGER,
    WREN,
    a_lobby,
    a_service,
    a_table,
    alone,
    under_way,
)
from tests.support.played import played
from tests.support.series import IN_SERIES, finished_game, the_next, won
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import a_guest, click_of, command_of

PLAYING = a_table(status=Status.PLAYING)
MOVER = PLAYING.seats[PLAYING.header.to_move or 0]
WAITING = next(who for who in PLAYING.seats if who is not MOVER)
RESIGNED = controlled(PLAYING, 1, Resign())
SUBSTITUTED = controlled(PLAYING, 0, Substitute(PLAYING.header.to_move or 0))
MOVING = Person(MOVER.user_id or 0, MOVER.name)
ASKER = next(seat for seat in (1, 2) if seat != PLAYING.header.to_move)
ASKED = controlled(PLAYING, ASKER, Ask(PLAYING.header.to_move or 0))
ALONE = alone(PLAYING)
ACTED = replace(PLAYING, acted=frozenset(range(3)))
AMONG_COMPUTERS = replace(
    a_table(wishes.occupant(ROBIN, 1), Occupant("Computer", level="random", contribution="c"), status=Status.PLAYING),
    acted=frozenset({0, 1}),
)
FULL = a_table(*(wishes.occupant(Person(at, f"P{at}"), at) for at in range(1, 7)))


def refusal_of(wish: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        wish()
    return refused.value


def interaction(**more: Any) -> Any:
    return command_of(ROBIN, **more)


def person(who: Any) -> Person:
    return Person(who.user_id, who.name)


def magpie(seat: int, text: str, *, over: bool = False) -> Refusal:
    game = PLAYING.package.game
    state = replace(PLAYING.state, mover=None, trigger=0) if over else PLAYING.state
    return refusal_of(lambda: game.play(state, seat, game.parse(text), ScriptedChance(())))


LINK = "https://discord.com/channels/3/70"
MISSING = discord.Permissions(view_channel=True)
SEAT = PLAYING.header.to_move or 0

RAISED: dict[str, tuple[Callable[[], Refusal], str]] = {
    "not seated": (lambda: refusal_of(lambda: wishes.require_turn(PLAYING, STRANGER, 0)), "no seat"),
    "not your turn": (
        lambda: refusal_of(lambda: wishes.require_turn(PLAYING, person(WAITING), 0)),
        f"{MOVER.name}'s turn",
    ),
    "already seated": (lambda: refusal_of(lambda: wishes.joined(a_table(), WREN, 1)), "already have a seat"),
    "table full": (lambda: refusal_of(lambda: wishes.joined(FULL, STRANGER, 1)), "Every seat"),
    "no computer": (
        lambda: refusal_of(lambda: wishes.computer_removed(a_table(), ROBIN, 1)),
        "no computer player",
    ),
    "already started": (lambda: refusal_of(lambda: wishes.joined(PLAYING, STRANGER, 1)), "already started"),
    "not started": (
        lambda: refusal_of(lambda: wishes.require_turn(a_table(), WREN, 0)),
        "Robin starts it",
    ),
    "not opener": (lambda: refusal_of(lambda: wishes.computer_added(a_table(), WREN, 1)), "Only Robin"),
    "not your game": (
        lambda: refusal_of(lambda: wishes.started(alone(a_table()), STRANGER, 1, NOON)),
        "Robin's own game, so only they deal. Open yours beside it with `/magpie new`",
    ),
    "not closer": (
        lambda: refusal_of(lambda: wishes.cancelled(a_table(), WREN, is_moderator=False)),
        "Only Robin or a moderator can close",
    ),
    "nothing follows": (
        lambda: refusal_of(lambda: going_on(won(30, 20), ROBIN, 1)),
        f"a new table with the same seats: {LINK}",
    ),
    "not tied": (lambda: refusal_of(lambda: going_on(won(30, 30, 20), JAY, 1)), f"You can watch: {LINK}"),
    "seats fixed": (lambda: refusal_of(lambda: wishes.left(the_next(a_table()), ROBIN)), "`/table cancel`"),
    "table over": (
        lambda: refusal_of(lambda: wishes.left(a_table(status=Status.FINISHED), ROBIN)),
        "`/magpie new`",
    ),
    "resigned": (lambda: refusal_of(lambda: wishes.require_turn(RESIGNED, WREN, 1)), "You have resigned"),
    "substituted": (lambda: refusal_of(lambda: wishes.require_turn(SUBSTITUTED, MOVING, 1)), "`/table back`"),
    "not substituted": (lambda: refusal_of(lambda: coming_back(PLAYING, WREN)), "Nobody stands in for you"),
    "own turn": (lambda: refusal_of(lambda: substituting(PLAYING, MOVING, NOON)), "your own turn"),
    "nobody awaited": (
        lambda: refusal_of(lambda: substituting(SUBSTITUTED, person(WAITING), NOON)),
        "A computer player is to move",
    ),
    "not absent": (
        lambda: refusal_of(lambda: substituting(PLAYING, person(WAITING), NOON - ABSENT_AFTER)),
        f"{MOVER.name} has not been silent",
    ),
    "already asked": (
        lambda: refusal_of(lambda: substituting(ASKED, person(PLAYING.seats[ASKER]), NOON)),
        "Somebody else who plays here",
    ),
    "nothing to take back": (lambda: refusal_of(lambda: taking_back(PLAYING, WREN)), "nothing to take back"),
    "unknown level": (
        lambda: refusal_of(lambda: wishes.computer_added(a_table(), ROBIN, 1, "mean")),
        "these levels: random, sensible.",
    ),
    "no such choice": (
        lambda: refusal_of(lambda: wishes.option_chosen(a_table(), ROBIN, "target", "9", "")),
        "Magpie can't be played like that",
    ),
    "no seat to invite from": (
        lambda: refusal_of(lambda: wishes.require_invitable(a_table(), STRANGER, ROBIN.id)),
        f"Press *Join* at the table first: {LINK}",
    ),
    "invited yourself": (
        lambda: refusal_of(lambda: wishes.require_invitable(a_table(), ROBIN, ROBIN.id)),
        "That is you",
    ),
    "they have a seat": (
        lambda: refusal_of(lambda: wishes.require_invitable(a_table(), ROBIN, WREN.id)),
        "already have a seat",
    ),
    "invited computer": (
        lambda: refusal_of(lambda: guest_of(interaction(), a_guest(discord.Member, bot=True))),
        "`/table computer`",
    ),
    "no guests here": (
        lambda: refusal_of(lambda: guest_of(interaction(guild_id=None), a_guest(discord.Member))),
        "a server's channel",
    ),
    "not a member": (
        lambda: refusal_of(lambda: guest_of(interaction(), a_guest(discord.User))),
        "not in this server",
    ),
    "cannot see": (
        lambda: refusal_of(
            lambda: guest_of(interaction(), a_guest(discord.Member, permissions=discord.Permissions.none()))
        ),
        "can't see this channel",
    ),
    "they have no seat": (lambda: refusal_of(lambda: wishes.removed(a_table(), ROBIN, 99)), "They have no seat"),
    "only leave": (lambda: refusal_of(lambda: wishes.removed(a_table(), ROBIN, ROBIN.id)), "Press Leave"),
    "not finished": (lambda: refusal_of(lambda: wishes.again(PLAYING, ROBIN, 1)), "not finished"),
    "not starter": (lambda: refusal_of(lambda: wishes.started(a_table(), WREN, 1)), "Only Robin starts the game"),
    "needs_agreement": (
        lambda: refusal_of(lambda: wishes.cancelled(ACTED, ROBIN, is_moderator=False)),
        "`/table cancel`",
    ),
    "already_agreed": (lambda: refusal_of(lambda: closing(controlled(ACTED, 0, Close()), ROBIN)), "Wren and Jay"),
    "only_resign": (lambda: refusal_of(lambda: closing(AMONG_COMPUTERS, ROBIN)), "`/table resign`"),
    "alone": (lambda: refusal_of(lambda: resigning(ALONE, ROBIN)), "`/table cancel`"),
    "table held": (
        lambda: refusal_of(lambda: wishes.require_turn(a_table(status=Status.HELD), WREN, 0)),
        "Robin or a moderator",
    ),
    "missing permissions": (
        lambda: refusal_of(lambda: require_permissions(interaction(app_permissions=MISSING))),
        "**Send Messages and Embed Links**",
    ),
    "unknown game": (lambda: refusal_of(lambda: game_named(GAMES, "chess {0}")), "I host: Magpie."),
    "no place": (lambda: refusal_of(lambda: place_of(interaction(guild_id=None))), "direct message with me"),
    "unreadable": (lambda: refusal_of(lambda: places_in("{fly}")), "not a move of this game"),
    "unreadable move": (lambda: magpie(SEAT, "fly"), "not a move of this game"),
    "not to move": (lambda: magpie((SEAT + 1) % 3, "roll 1"), "not your turn"),
    "game over": (lambda: magpie(SEAT, "roll 1", over=True), "game is over"),
    "no dice": (lambda: magpie(SEAT, "roll"), "at least one die"),
    "no such die": (lambda: magpie(SEAT, "roll 2 7"), "no die 7"),
    "out of order": (
        lambda: refusal_of(lambda: PLAYING.package.game.play(PLAYING.state, SEAT, Roll((3, 1)), ScriptedChance(()))),
        "from left to right",
    ),
    "die twice": (lambda: magpie(SEAT, "roll 3 3"), "Die 3 is named twice"),
}


async def unknown_table(adapter: Adapter) -> None:
    await adapter.service.table(12345)


async def game_gone(adapter: Adapter) -> None:
    table = await a_lobby(a_service(adapter.store), JAY)
    adapter.store.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
    await a_lobby(adapter.service, ROBIN)


async def no_table_here(adapter: Adapter) -> None:
    await adapter.desk.table_here(command_of(ROBIN))  # type: ignore[arg-type]


async def no_table_yet(adapter: Adapter) -> None:
    await adapter.desk._verify(command_of(ROBIN))  # type: ignore[arg-type]


async def other_game_here(adapter: Adapter) -> None:
    await a_lobby(adapter.service, ROBIN)
    await adapter.desk.table_here(command_of(ROBIN), "chess")  # type: ignore[arg-type]


async def channel_taken(adapter: Adapter) -> None:
    await a_lobby(adapter.service, ROBIN)
    await a_lobby(adapter.service, JAY)


async def channel_silent(adapter: Adapter) -> None:
    await under_way(adapter.service, JAY, WREN)
    adapter.clock.tick(86_400)
    await a_lobby(adapter.service, ROBIN)


async def gone_silent(adapter: Adapter) -> None:
    table = await under_way(a_service(adapter.store), JAY, WREN)
    adapter.store.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
    adapter.clock.tick(86_400)
    await a_lobby(adapter.service, ROBIN)


async def a_game_aside(adapter: Adapter) -> Table:
    table = await under_way(adapter.service, JAY, WREN)
    adapter.clock.tick(86_400)
    await adapter.service.put_aside(table.id, HERE.channel_id)
    return table


async def set_aside(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await adapter.service.join(table.id, ROBIN, 1)


async def only_aside_here(adapter: Adapter) -> None:
    await a_game_aside(adapter)
    await adapter.desk.table_here(command_of(ROBIN))  # type: ignore[arg-type]


async def nothing_aside(adapter: Adapter) -> None:
    await a_game_aside(adapter)
    await adapter.silent_tables._resume_here(command_of(ROBIN), None)  # type: ignore[arg-type]


async def resume_taken(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await a_lobby(adapter.service, ROBIN)
    await adapter.service.resume(table.id, JAY, is_moderator=False)


async def not_yours_to_resume(adapter: Adapter) -> None:
    table = await a_game_aside(adapter)
    await adapter.service.resume(table.id, ROBIN, is_moderator=False)


async def solo_taken(adapter: Adapter) -> None:
    own = replace(HERE, solo_id=ROBIN.id)
    await a_lobby(adapter.service, ROBIN, place=own)
    await adapter.service.open("magpie", MagpieOptions(), ROBIN, own, click_id=999)


async def already_invited(adapter: Adapter) -> None:
    table = await a_lobby(adapter.service, ROBIN)
    for click_id in (1, 2):
        await adapter.service.invite(table.id, ROBIN, JAY.id, click_id)


async def too_many_tables(adapter: Adapter) -> None:
    limited = TableService(adapter.store, GAMES, most_open=1)
    for channel_id in (70, 71):
        await a_lobby(limited, ROBIN, place=replace(HERE, channel_id=channel_id))


async def too_quick(_adapter: Adapter) -> None:
    # What the client tells whoever clicks faster than anybody can by hand.
    raise Refusal(HostReason.TOO_QUICK)


async def invited_today(adapter: Adapter) -> None:
    for click_id, place in enumerate((HERE, replace(HERE, channel_id=HERE.channel_id + 1))):
        table = await a_lobby(adapter.service, ROBIN, place=place)
        await adapter.service.invite(table.id, ROBIN, JAY.id, click_id)


async def too_many_invitations(adapter: Adapter) -> None:
    table = await a_lobby(adapter.service, ROBIN)
    for guest_id in range(200, 206):
        await adapter.service.invite(table.id, ROBIN, guest_id, guest_id)


async def invitations_refused(adapter: Adapter) -> None:
    await adapter.host.invitations.refuse(JAY.id, refuses=True)
    await already_invited(adapter)


async def invitations_off(adapter: Adapter) -> None:
    await adapter.store.prefer(HERE.scope_id, Preferences(invites=False))
    await already_invited(adapter)


async def not_your_invitation(adapter: Adapter) -> None:
    table = await a_lobby(adapter.service, ROBIN)
    pressed = InviteId(table.id, JAY.id, InviteAction.JOIN)
    await adapter.invitations.press(click_of(STRANGER, pressed), table, pressed)  # type: ignore[arg-type]


async def no_solo_game(adapter: Adapter) -> None:
    await adapter.desk.cancel(interaction(), a_guest(discord.User, id=ROBIN.id))


async def not_moderator(adapter: Adapter) -> None:
    await adapter.desk.cancel(interaction(), a_guest(discord.User))


async def goes_on_there(adapter: Adapter) -> None:
    service = a_service(adapter.store, IN_SERIES)
    table = await finished_game(service, ROBIN, WREN, games=3)
    for click_id in (1, 2):
        await service.go_on(table.id, ROBIN, click_id)


async def unknown_button(adapter: Adapter) -> None:
    await adapter.clicks._dispatch(click_of(ROBIN, "nonsense"))  # type: ignore[arg-type]


async def only_yourself(adapter: Adapter) -> None:
    asking: Any = command_of(ROBIN, guild_id=None, in_own_dm=True)
    await adapter.scorebook.profile(asking, WREN)


async def nothing_to_replay(adapter: Adapter) -> None:
    await adapter.replays._show_here(command_of(ROBIN), None)  # type: ignore[arg-type]


async def unknown_replay(adapter: Adapter) -> None:
    table = await played(adapter.service, HERE, ROBIN, WREN)
    await adapter.replays._show_here(command_of(ROBIN, channel_id=71), str(table.id))  # type: ignore[arg-type]


async def not_over(adapter: Adapter) -> None:
    table = await under_way(adapter.service)
    await adapter.replays._show_here(command_of(ROBIN), str(table.id))  # type: ignore[arg-type]


async def no_replay(adapter: Adapter) -> None:
    table = await played(adapter.service, HERE, ROBIN, WREN)
    adapter.store.tamper(table.id, lambda record: replace(record, header=replace(record.header, seed=bytes(32))))
    await adapter.replays._show_here(command_of(ROBIN), None)  # type: ignore[arg-type]


async def no_such_pictures(_adapter: Adapter) -> None:
    picture_choice("colourful")


async def not_manager(adapter: Adapter) -> None:
    await adapter.preference_desk.settle(command_of(ROBIN), None)  # type: ignore[arg-type]


HOSTED: dict[HostReason, tuple[Callable[[Adapter], Awaitable[None]], str]] = {
    HostReason.UNKNOWN_TABLE: (unknown_table, "does not exist any more"),
    HostReason.GAME_GONE: (game_gone, "can close it with `/table cancel`"),
    HostReason.NO_TABLE_HERE: (no_table_here, "no open table in this channel"),
    HostReason.NO_TABLE_YET: (no_table_yet, "no table in this channel yet"),
    HostReason.OTHER_GAME_HERE: (other_game_here, f"plays Magpie: {LINK}"),
    HostReason.CHANNEL_TAKEN: (channel_taken, f"Magpie is waiting for players in this channel: {LINK}"),
    HostReason.SOLO_TAKEN: (solo_taken, f"Your table of Magpie is waiting here: {LINK}"),
    HostReason.CHANNEL_SILENT: (
        channel_silent,
        "You can put it aside: it keeps everything, and its players bring it back",
    ),
    HostReason.GONE_SILENT: (gone_silent, "that I don't host any more, and nobody has played for a while"),
    HostReason.SET_ASIDE: (set_aside, "Nothing is lost: `/table resume` brings it back"),
    HostReason.ONLY_ASIDE_HERE: (only_aside_here, "its players bring it back with `/table resume`"),
    HostReason.NOTHING_ASIDE: (nothing_aside, "No game of yours was put aside"),
    HostReason.RESUME_TAKEN: (resume_taken, "Your game stays as it is. Once that one is over, `/table resume`"),
    HostReason.NOT_YOURS_TO_RESUME: (not_yours_to_resume, "Only somebody who plays in this game, or a moderator"),
    HostReason.ALREADY_INVITED: (already_invited, f"nobody is asked twice. Show them the way yourself: {LINK}"),
    HostReason.TOO_MANY_TABLES: (too_many_tables, "as one person may have at a time (1)"),
    HostReason.TOO_QUICK: (too_quick, "Wait a few seconds"),
    HostReason.INVITED_TODAY: (invited_today, "once a day is enough. Ask them yourself: https://"),
    HostReason.TOO_MANY_INVITATIONS: (too_many_invitations, "Five people have been invited to this table"),
    HostReason.INVITATIONS_REFUSED: (invitations_refused, f"They are still welcome to join: {LINK}"),
    HostReason.INVITATIONS_OFF: (invitations_off, f"turned invitations off. Show people the way yourself: {LINK}"),
    HostReason.NOT_YOUR_INVITATION: (not_your_invitation, f"press *Join* at the table: {LINK}"),
    HostReason.NO_SOLO_GAME: (no_solo_game, "plays no solo game in this channel"),
    HostReason.NOT_MODERATOR: (not_moderator, "Only a moderator (Manage Messages) can end"),
    HostReason.GOES_ON_THERE: (goes_on_there, f"gone on at another table already: {LINK}"),
    HostReason.UNKNOWN_BUTTON: (unknown_button, "another version"),
    HostReason.NOTHING_TO_REPLAY: (nothing_to_replay, "No game has been finished here yet"),
    HostReason.UNKNOWN_REPLAY: (unknown_replay, "No such game was played here"),
    HostReason.NOT_OVER: (not_over, f"not finished, so there is nothing to replay yet: {LINK}"),
    HostReason.NO_REPLAY: (no_replay, "rules that have changed since"),
    HostReason.NO_SUCH_PICTURES: (no_such_pictures, "Choose from the list"),
    HostReason.NOT_MANAGER: (not_manager, "(Manage Server)"),
    HostReason.ONLY_YOURSELF: (only_yourself, "`/profile` in a server"),
}
