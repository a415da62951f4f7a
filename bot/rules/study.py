"""What helps people to play better: hints, tips and lessons."""

import hashlib
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Generic, Protocol, TypeVar

from bot.rules.chance import Chance, FairChance
from bot.rules.evaluation import Evaluation
from bot.rules.game import Event, EventT_contra, Game, MoveT, OptionsT, Seat, ViewT, ViewT_contra
from bot.rules.screen import Control, Draft, Play, Screen, Toggle

MOST_MOVES: Final = 3
"""How many moves a hint shows."""

_DIGITS: Final = 6
"""Decimals that tell values apart: those of equal moves may be rounded differently."""

MoveT_co = TypeVar("MoveT_co", covariant=True)
MoveT_contra = TypeVar("MoveT_contra", contravariant=True)

MAX_TIP_LENGTH: Final = 46
"""The most characters of a tip, which is plain text: with its sign, a line of small print on a phone."""

TIP_KEY_PATTERN: Final = re.compile("[a-z0-9_-]{1,32}")
LEARNER: Final[Seat] = 0
"""The seat of the person who learns; computer players have the others."""

CONTRIBUTION: Final = "lesson"
"""What every seat of a lesson contributes to its salt."""

MAX_TEXT_LENGTH: Final = 150
"""The most characters of a step's text: four lines on a phone, above the picture."""

LEAST_STEPS, MOST_STEPS = 6, 10
"""How many moves the learner makes in a lesson."""

_MAX_DRAFTS: Final = 500
"""How many drafts are looked at for the clicks that make a move."""


@dataclass(frozen=True, slots=True)
class RankedMove(Generic[MoveT_co]):
    """One of the best moves of a position."""

    move: MoveT_co
    text: str
    """The move in words."""
    value: float
    """What it is worth, in the unit of the evaluation."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a hint says beside the moves."""

    odds: tuple[str, ...]
    """The odds that matter, a line for each that begins with a figure or a capital."""
    reason: str
    """Why the first move is the best, in one sentence."""


@dataclass(frozen=True, slots=True)
class Hint(Generic[MoveT_co]):
    """What a hint says."""

    best: tuple[RankedMove[MoveT_co], ...]
    """The best moves, best first."""
    evaluation: Evaluation
    explanation: Explanation


class MoveExplainer(Protocol[ViewT_contra, MoveT_contra]):
    """Explains the best moves of a view."""

    def __call__(
        self, view: ViewT_contra, best: Sequence[RankedMove[MoveT_contra]], evaluation: Evaluation, /
    ) -> Explanation:
        """Return the odds and the reason, where there is a choice; the best moves come best first."""


@dataclass(frozen=True, slots=True)
class Hints(Generic[ViewT, MoveT]):
    """How a game words hints."""

    explain: MoveExplainer[ViewT, MoveT]
    format_points: Callable[[float], str]
    """Formats a value in points, rounded as it is shown, in the game's own unit."""


def rank_moves(
    view: ViewT,
    moves: Sequence[MoveT],
    evaluation: Evaluation,
    key_of: Callable[[ViewT, MoveT], Hashable],
    describe: Callable[[ViewT, MoveT], str],
) -> tuple[RankedMove[MoveT], ...]:
    """Return the best moves, best first, and one of those that do the same."""
    values, best = evaluation.values, dict[Hashable, int]()
    for at in sorted(range(len(moves)), key=lambda at: -round(values[at], _DIGITS)):
        best.setdefault(key_of(view, moves[at]), at)
    return tuple(
        RankedMove(moves[at], describe(view, moves[at]), values[at]) for at in islice(best.values(), MOST_MOVES)
    )


@dataclass(frozen=True, slots=True)
class Tip:
    """A sentence that helps a beginner in a position."""

    key: str
    """Tips with the same key say the same thing."""
    text: str
    """One line, without Markdown."""
    is_explanation: bool = False
    """Whether it explains a piece that has just appeared, to the whole table and once.

    Other tips are for the player to move.
    """


class TipFinder(Protocol[ViewT_contra, EventT_contra]):
    """Finds the tips that matter in a position."""

    def __call__(self, view: ViewT_contra, events: Sequence[EventT_contra]) -> Iterable[Tip]:
        """Return explanations and then tips, each the most important first.

        Args:
            view: A spectator's view, since everyone reads the tips.
            events: The newest public events, oldest first.
        """


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step of a lesson."""

    move: str
    """The move in the game's notation; empty in the last step, which ends the lesson."""
    text: str = ""
    """What to press and why, with `{button}` for the label of the control to press next, and `{rival}` for the
    name of the computer player; empty if a computer player moves."""


@dataclass(frozen=True, slots=True)
class Lesson(Generic[OptionsT]):
    """A guided game."""

    options: OptionsT
    seats: int
    seed: int
    """Chosen among many for the game that it leads to (`docs/adding-a-game.md`)."""
    steps: tuple[LessonStep, ...]
    """The moves in order, and what is said after them."""

    @property
    def seed_bytes(self) -> bytes:
        """The seed of the table."""
        return self.seed.to_bytes(32)

    @property
    def salt(self) -> str:
        """The salt of the table: the hash of its contributions, as at any table."""
        return hashlib.sha256(f"{CONTRIBUTION}\n".encode() * self.seats).hexdigest()

    def chance(self, step: int) -> Chance:
        """Return the random numbers of a step; step 0 is the set-up."""
        return FairChance(self.seed_bytes, self.salt, step)


def play_lesson(game: Game[Any, Any, Any, Any, Any], lesson: Lesson[Any]) -> Iterator[tuple[Any, tuple[Event, ...]]]:
    """Yield the position before each step of a lesson, with the events that led to it.

    Raises:
        Refusal: A move is illegal.
        ValueError: A move comes after the end.
    """
    state, events = game.start(lesson.options, lesson.seats, lesson.chance(0)), tuple[Event, ...]()
    yield state, events
    for number, step in enumerate(lesson.steps[:-1], 1):
        seat = game.seat_to_move(state)
        if seat is None:
            raise ValueError(f"the game is over before {step.move!r}")
        state, events = game.play(state, seat, game.parse_move(step.move), lesson.chance(number))
        yield state, events


def find_clicks(move: str, look: Callable[[Draft], Screen], draft: Draft) -> tuple[Control, ...]:
    """Return the fewest controls to press for a move, in order; none if there is no way. Buttons come before menus.

    Args:
        move: The move in the game's notation.
        look: Returns the screen with a draft.
        draft: The pieces that are picked already.
    """
    paths: dict[Draft, tuple[Control, ...]] = {draft: ()}
    waiting = [draft]
    for now in waiting:
        screen = look(now)
        lines = [line for menu in screen.menus for line in menu.controls]
        controls = [control for control in screen.iter_controls() if not control.is_disabled]
        controls.sort(key=lines.__contains__)
        if found := next((control for control in controls if control.effect == Play(move)), None):
            return (*paths[now], found)
        for control in controls:
            if isinstance(control.effect, Toggle) and len(waiting) < _MAX_DRAFTS:
                after = control.effect.apply(now)
                if after not in paths:
                    paths[after] = (*paths[now], control)
                    waiting.append(after)
    return ()
