"""What computer players say: when, and in which words. They never comment on a bust, or on how well people play."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from bot.rules.components import Species
from bot.rules.game import Event, Outcome, Seat, visible_events
from bot.tables.characters import species_of
from bot.tables.model import Occupant
from bot.tables.registry import AnyPackage
from bot.words import N_, gettext as _

SILENCE: Final = 5
"""How many turns of its own a computer player lets pass between two remarks."""

_BIG: Final = 2
"""The least weight of a highlight that is worth a remark."""

_SALT_DIGITS: Final = 8


class Occasion(Enum):
    """What a remark is about."""

    START = auto()
    """The game begins."""
    LUCK = auto()
    """The computer player has just had a big turn."""
    MOMENT = auto()
    """A person has."""
    LOST = auto()
    """A person has won the game."""
    WON = auto()
    """The computer player has won it."""


class Remark(NamedTuple):
    """Something that a computer player has said; what it said follows from the rest."""

    seat: Seat
    occasion: Occasion
    turn: int
    """The number of turns that had ended at the table."""
    number: int = 0
    """How many remarks the seat had made before."""


def greet(seats: Sequence[Occupant]) -> tuple[Remark, ...]:
    """Return the remark at the start of a game: that of the first computer player, if there is one."""
    return tuple(Remark(seat, Occasion.START, 0) for seat, who in enumerate(seats) if who.is_computer)[:1]


def remark_on_turn(
    remarks: tuple[Remark, ...],
    package: AnyPackage,
    seats: Sequence[Occupant],
    view: Any,
    moves: Sequence[tuple[Seat, Sequence[Event]]],
    turn: int,
) -> tuple[Remark, ...]:
    """Return the newest remark of each seat after a turn, which may have given an occasion for another one.

    Args:
        remarks: The newest remark of each seat before the turn.
        package: The game.
        seats: Who has the seats.
        view: A spectator's view after the turn.
        moves: The seat and the events of each move of the turn.
        turn: The number of turns that have ended.
    """
    narration = package.words.narration
    if narration is None:
        return remarks
    found = [narration.highlight(view, visible_events(None, events)) for _seat, events in moves]
    shown = [highlight for highlight in found if highlight is not None]
    if not all(each.is_good for each in shown) or not any(each.weight >= _BIG for each in shown):
        return remarks
    mover = moves[0][0]
    if seats[mover].is_computer:
        return _add(remarks, Occasion.LUCK, (mover,), turn, len(seats))
    others = (*range(mover + 1, len(seats)), *range(mover))
    speakers = (seat for seat in others if seats[seat].is_computer)
    return _add(remarks, Occasion.MOMENT, speakers, turn, len(seats))


def remark_on_end(
    remarks: tuple[Remark, ...], seats: Sequence[Occupant], outcome: Outcome, turn: int
) -> tuple[Remark, ...]:
    """Return the newest remark of each seat at the end of a game: the best computer player may have the last word."""
    computers = sorted((seat for seat, who in enumerate(seats) if who.is_computer), key=outcome.places.__getitem__)
    has_person_won = any(not seats[seat].is_computer for seat in outcome.winners)
    return _add(remarks, Occasion.LOST if has_person_won else Occasion.WON, computers[:1], turn, len(seats))


def _add(
    remarks: tuple[Remark, ...], occasion: Occasion, speakers: Iterable[Seat], turn: int, seats: int
) -> tuple[Remark, ...]:
    """Let the first speaker who may speak again make a remark."""
    for seat in speakers:
        last = next((remark for remark in remarks if remark.seat == seat), None)
        if last is None or turn - last.turn >= SILENCE * seats:
            said = Remark(seat, occasion, turn, 0 if last is None else last.number + 1)
            return (*(remark for remark in remarks if remark is not last), said)
    return remarks


def words_of(remark: Remark, level: str, salt: str) -> str:
    """Return what a computer player says.

    Args:
        remark: Its remark.
        level: Its level.
        salt: The salt of the table, so that not every game begins with the same words.
    """
    lines = _LINES[species_of(level)][remark.occasion]
    return _(lines[(int(salt[:_SALT_DIGITS] or "0", 16) + remark.number) % len(lines)])


_LINES: Final[Mapping[Species, Mapping[Occasion, Sequence[str]]]] = {
    Species.MOUSE: {
        Occasion.START: (
            N_("Which way up do dice go?"),
            N_("Ooh, is it starting?"),
            N_("I brought my own crumbs."),
            N_("I hardly slept. A game!"),
            N_("Are these for chewing?"),
        ),
        Occasion.LUCK: (
            N_("Did I do that?"),
            N_("Eek! All of it mine?"),
            N_("My whiskers tingled!"),
            N_("Look, look, look!"),
            N_("I closed my eyes!"),
        ),
        Occasion.MOMENT: (
            N_("Oh, do it again!"),
            N_("Hooray for you!"),
            N_("That was so pretty!"),
            N_("May I touch those?"),
            N_("Wait till I tell Mum!"),
        ),
        Occasion.LOST: (
            N_("That was fun. Again?"),
            N_("Best game of my day!"),
            N_("Hooray for you! Again?"),
            N_("You win! I get the crumbs."),
            N_("Same time tomorrow?"),
        ),
        Occasion.WON: (
            N_("Me? Really? Thank you!"),
            N_("My cousins won't believe it!"),
            N_("Cheese for everyone!"),
            N_("Did that count?"),
            N_("Lucky whiskers. Again?"),
        ),
    },
    Species.FOX: {
        Occasion.START: (
            N_("Let's see what you've got."),
            N_("Shall we?"),
            N_("No tricks. Hardly any."),
            N_("I've had worse evenings."),
            N_("After you. Or after me."),
        ),
        Occasion.LUCK: (
            N_("I'll take it."),
            N_("All planned. Mostly."),
            N_("Foxes get lucky, too."),
            N_("I won't complain."),
            N_("That'll do."),
        ),
        Occasion.MOMENT: (
            N_("Well played."),
            N_("Well, look at that."),
            N_("Save some for me."),
            N_("I felt that one."),
            N_("Fair enough."),
        ),
        Occasion.LOST: (
            N_("You earned that."),
            N_("Fair and square."),
            N_("I'd like a rematch."),
            N_("Hats off."),
            N_("I blame the tail."),
        ),
        Occasion.WON: (
            N_("Thanks for the game."),
            N_("Luck liked me today."),
            N_("Next one's on me."),
            N_("I'll keep quiet about it."),
            N_("Any other day, yours."),
        ),
    },
    Species.OWL: {
        Occasion.START: (
            N_("Good evening."),
            N_("A pleasure, as always."),
            N_("Do take your time."),
            N_("The night is young."),
            N_("Shall we begin?"),
        ),
        Occasion.LUCK: (
            N_("The odds were kind."),
            N_("A happy accident."),
            N_("I was fortunate."),
            N_("Even chance has moods."),
            N_("How unlikely."),
        ),
        Occasion.MOMENT: (
            N_("I did not expect that."),
            N_("How splendid."),
            N_("I must write that down."),
            N_("Delightful. Truly."),
            N_("One does not see that often."),
        ),
        Occasion.LOST: (
            N_("Remarkable. I shall remember it."),
            N_("My compliments."),
            N_("It was an honour."),
            N_("I bow."),
            N_("A fine evening. Thank you."),
        ),
        Occasion.WON: (
            N_("It could have been yours."),
            N_("Chance was kind to me."),
            N_("A close thing. Thank you."),
            N_("I enjoyed every turn."),
            N_("Might we play again?"),
        ),
    },
}
