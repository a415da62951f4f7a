"""Lessons: guided games for beginners, with scripted moves and dice.

The dice are those of any table, but seed and salt are fixed, so they fall the same way for everyone.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic

from bot.rules.chance import Chance, FairChance
from bot.rules.game import Event, Game, OptionsT, Seat
from bot.rules.screen import Control, Draft, Play, Screen, Toggle

LEARNER: Final[Seat] = 0
"""The seat of the person who learns; computer players have the others."""

CONTRIBUTION: Final = "lesson"
"""What every seat of a lesson contributes to the salt."""

MAX_TEXT_LENGTH: Final = 150
"""The most characters of a step's text: four lines on a phone, above the picture."""

LEAST_STEPS, MOST_STEPS = 6, 10
"""How many moves the learner makes in a lesson."""

_MAX_DRAFTS: Final = 500
"""How many drafts are looked at for the clicks that make a move."""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step of a lesson."""

    move: str
    """The move in the game's notation; empty in the last step, which leaves the game to the learner."""
    text: str = ""
    """What to press and why, with `{button}` for the label of the control that makes the move; empty if a computer
    player moves."""


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


def is_lesson(contribution: str) -> bool:
    """Return whether a salt is that of a lesson, by the contribution of the first seat; all have the same."""
    return contribution == CONTRIBUTION


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
    """Return the fewest controls to press for a move, in order; none if there is no way.

    Args:
        move: The move in the game's notation.
        look: Returns the screen with a draft.
        draft: The pieces that are picked already.
    """
    paths: dict[Draft, tuple[Control, ...]] = {draft: ()}
    waiting = [draft]
    for now in waiting:
        controls = list(look(now).iter_controls())
        if found := next((control for control in controls if control.effect == Play(move)), None):
            return (*paths[now], found)
        for control in controls:
            if isinstance(control.effect, Toggle) and len(waiting) < _MAX_DRAFTS:
                after = control.effect.apply(now)
                if after not in paths:
                    paths[after] = (*paths[now], control)
                    waiting.append(after)
    return ()
