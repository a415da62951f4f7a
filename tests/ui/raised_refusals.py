"""Every refusal of the host and of Magpie as it is raised, with words of its message."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.features.invitations.model import require_invitable
from bot.games.magpie.pieces import Roll
from bot.platform.discord.context import guest_of, location_of, require_permissions
from bot.platform.places import Person
from bot.rules.chance import ScriptedChance
from bot.rules.refusals import Refusal
from bot.tables import closing, lobby, turns
from bot.tables.closing import propose_close
from bot.tables.control_entries import AgreeToClose, AskForSubstitute, Resign, Substitute
from bot.tables.model import Occupant, Status
from bot.tables.seats import ABSENT_AFTER, come_back, resign_seat, substitute_absent, take_back
from bot.tables.series import continue_series
from bot.tables.shown.words import find_game
from bot.tables.table import apply_control_entry
from cogs.magpie import parse_dice
from tests.support.fakes import GAMES, JAY, NOON, ROBIN, STRANGER, WREN, as_solo, make_table
from tests.support.magpie_series import as_second_game, make_finished_table
from tests.ui.fake_interactions import make_command, make_guest
from tests.ui.raised_table_refusals import LINK

PLAYING = make_table(status=Status.PLAYING)
MOVER = PLAYING.seats[PLAYING.header.to_move or 0]
WAITING = next(who for who in PLAYING.seats if who is not MOVER)
RESIGNED = apply_control_entry(PLAYING, 1, Resign())
SUBSTITUTED = apply_control_entry(PLAYING, 0, Substitute(PLAYING.header.to_move or 0))
MOVING = Person(MOVER.user_id or 0, MOVER.name)
ASKER = next(seat for seat in (1, 2) if seat != PLAYING.header.to_move)
ASKED = apply_control_entry(PLAYING, ASKER, AskForSubstitute(PLAYING.header.to_move or 0))
ALONE = as_solo(PLAYING)
ACTED = replace(PLAYING, acted=frozenset(range(3)))
AMONG_COMPUTERS = replace(
    make_table(
        lobby.make_occupant(ROBIN, 1), Occupant("Computer", level="random", contribution="c"), status=Status.PLAYING
    ),
    acted=frozenset({0, 1}),
)
FULL = make_table(*(lobby.make_occupant(Person(at, f"P{at}"), at) for at in range(1, 7)))


def catch_refusal(attempt: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        attempt()
    return refused.value


def interaction(**more: Any) -> Any:
    return make_command(ROBIN, **more)


def person_in(who: Any) -> Person:
    return Person(who.user_id, who.name)


def magpie_refusal(seat: int, text: str, *, over: bool = False) -> Refusal:
    game = PLAYING.package.game
    state = replace(PLAYING.state, mover=None, trigger=0) if over else PLAYING.state
    return catch_refusal(lambda: game.play(state, seat, game.parse_move(text), ScriptedChance(())))


MISSING = discord.Permissions(view_channel=True)
SEAT = PLAYING.header.to_move or 0

RAISED_REFUSALS: dict[str, tuple[Callable[[], Refusal], str]] = {
    "not seated": (lambda: catch_refusal(lambda: turns.require_turn(PLAYING, STRANGER, 0)), "no seat"),
    "not a player": (
        lambda: catch_refusal(lambda: lobby.play_again(make_finished_table(30, 20), STRANGER, 1)),
        "`/play` opens a table of your own",
    ),
    "not your turn": (
        lambda: catch_refusal(lambda: turns.require_turn(PLAYING, person_in(WAITING), 0)),
        f"{MOVER.name}'s turn",
    ),
    "already seated": (lambda: catch_refusal(lambda: lobby.join(make_table(), WREN, 1)), "already have a seat"),
    "table full": (lambda: catch_refusal(lambda: lobby.join(FULL, STRANGER, 1)), "taken or kept for others"),
    "no computer": (
        lambda: catch_refusal(lambda: lobby.remove_computer(make_table(), ROBIN, 1)),
        "no computer player",
    ),
    "already started": (lambda: catch_refusal(lambda: lobby.join(PLAYING, STRANGER, 1)), "already started"),
    "not started": (
        lambda: catch_refusal(lambda: turns.require_turn(make_table(), WREN, 0)),
        "Robin can start it",
    ),
    "not opener": (lambda: catch_refusal(lambda: lobby.add_computer(make_table(), WREN, 1)), "Only Robin"),
    "not your game": (
        lambda: catch_refusal(lambda: lobby.start(as_solo(make_table()), STRANGER, 1, NOON)),
        "Robin's game. Open your own with `/magpie new`",
    ),
    "not closer": (
        lambda: catch_refusal(lambda: closing.cancel(make_table(), WREN, is_moderator=False)),
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
    "resigned": (lambda: catch_refusal(lambda: turns.require_turn(RESIGNED, WREN, 1)), "You've resigned"),
    "substituted": (lambda: catch_refusal(lambda: turns.require_turn(SUBSTITUTED, MOVING, 1)), "`/table back`"),
    "not substituted": (lambda: catch_refusal(lambda: come_back(PLAYING, WREN)), "You're already in your seat"),
    "own turn": (lambda: catch_refusal(lambda: substitute_absent(PLAYING, MOVING, NOON)), "your own turn"),
    "computer's turn": (
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
    "nothing to take back": (lambda: catch_refusal(lambda: take_back(PLAYING, WREN)), "Only the newest move"),
    "no such choice": (
        lambda: catch_refusal(lambda: lobby.choose_option(make_table(), ROBIN, "target", "9", "")),
        "Magpie doesn't have that option",
    ),
    "no seat to invite from": (
        lambda: catch_refusal(lambda: require_invitable(make_table(), STRANGER, ROBIN.id)),
        f"Press *Join* at the table first: {LINK}",
    ),
    "invited yourself": (
        lambda: catch_refusal(lambda: require_invitable(make_table(), ROBIN, ROBIN.id)),
        "That's you",
    ),
    "they have a seat": (
        lambda: catch_refusal(lambda: require_invitable(make_table(), ROBIN, WREN.id)),
        "already have a seat",
    ),
    "invited computer": (
        lambda: catch_refusal(lambda: guest_of(interaction(), make_guest(discord.Member, bot=True))),
        "Press *Add computer*",
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
        "Only Robin, the host, can start",
    ),
    "needs_agreement": (
        lambda: catch_refusal(lambda: closing.cancel(ACTED, ROBIN, is_moderator=False)),
        "`/table cancel`",
    ),
    "already_agreed": (
        lambda: catch_refusal(lambda: propose_close(apply_control_entry(ACTED, 0, AgreeToClose()), ROBIN)),
        "Wren and Jay",
    ),
    "only_resign": (lambda: catch_refusal(lambda: propose_close(AMONG_COMPUTERS, ROBIN)), "`/table resign`"),
    "alone": (lambda: catch_refusal(lambda: resign_seat(ALONE, ROBIN)), "`/table cancel`"),
    "table held": (
        lambda: catch_refusal(lambda: turns.require_turn(make_table(status=Status.HELD), WREN, 0)),
        "Robin or a moderator",
    ),
    "missing permissions": (
        lambda: catch_refusal(lambda: require_permissions(interaction(app_permissions=MISSING))),
        "**Send Messages and Embed Links**",
    ),
    "unknown game": (lambda: catch_refusal(lambda: find_game(GAMES, "chess {0}")), "I have: Magpie."),
    "no place": (lambda: catch_refusal(lambda: location_of(interaction(guild_id=None))), "direct message with me"),
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
