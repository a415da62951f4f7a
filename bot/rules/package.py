"""What a game's folder hands to the host."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from bot.rules.chance import Chance
from bot.rules.game import Event, Game, Options
from bot.rules.picture import PictureBuilder, ReadingBuilder
from bot.rules.refusals import RefusalReason
from bot.rules.screen import Field, ScreenBuilder
from bot.rules.showcase import Showcase

OptionsT = TypeVar("OptionsT", bound=Options)
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
ViewT = TypeVar("ViewT")
ViewT_contra = TypeVar("ViewT_contra", contravariant=True)


class Strategy(Protocol[ViewT_contra, MoveT]):
    """A computer player: it sees a view, never the state or the table's chance."""

    def __call__(self, view: ViewT_contra, moves: Sequence[MoveT], chance: Chance) -> MoveT:
        """Choose one of the moves."""
        ...


@dataclass(frozen=True, slots=True)
class Guide:
    """A game explained in our own words."""

    summary: str
    """One sentence for somebody who has never heard of the game."""
    sections: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class ScoreKind:
    """What a game's scores count, and which of two is better."""

    format_score: Callable[[int], str]
    """Writes a score with its unit, such as `12 points`."""
    lower_is_better: bool = False


def _describe_nothing(_options: object) -> Sequence[str]:
    """Return nothing."""
    return ()


def _count_nothing(_state: object, _news: Sequence[Event]) -> Iterable[str]:
    """Count nothing."""
    return ()


@dataclass(frozen=True, slots=True)
class Series(Generic[OptionsT]):
    """How games follow one another at tables of their own: in a tournament, or to break a tie."""

    count_games: Callable[[OptionsT], int]
    """How many games the options ask for; what a seat scores in them adds up."""
    rank_seats: Callable[[Sequence[int]], tuple[int, ...]]
    """Returns the places of seats by what has added up."""
    tie_break_options: Callable[[OptionsT], OptionsT]
    """Returns the options of the game that breaks a tie of a game with these options."""


@dataclass(frozen=True, slots=True)
class GamePackage(Generic[OptionsT, StateT, MoveT, ViewT]):
    """A game ready to be hosted: rules, screen, words and computer players.

    Its parts must agree on the types of options, state, move and view. Code that handles every game alike uses
    `bot.tables.registry.AnyPackage`.
    """

    game: Game[OptionsT, StateT, MoveT, ViewT]
    build_screen: ScreenBuilder[ViewT]
    error_messages: Mapping[RefusalReason, str]
    """The sentence for each reason the rules refuse a move; facts of the refusal stand in braces."""
    guide: Guide
    strategies: Mapping[str, Strategy[ViewT, MoveT]]
    """Computer players by level, weakest first."""
    score_kind: ScoreKind
    """What the scores of an outcome mean."""
    describe_options: Callable[[OptionsT], Sequence[str]] = _describe_nothing
    """Names the options that differ from the defaults, in words."""
    estimate_minutes: Callable[[OptionsT, int], int] | None = None
    """About how long a game takes with these options and so many seats, where that depends on the options."""
    build_abandoned_fields: Callable[[ViewT, Sequence[str]], tuple[Field, ...]] | None = None
    """Makes a screen's fields from a view and names, without a mark at whoever is to move.

    They are shown where resignations have ended a table before its game was over; without it the screen's own are.
    """
    tally: Callable[[StateT, Sequence[Event]], Iterable[str]] = _count_nothing
    """Names what a simulation counts, from the state after a move and what happened in it."""
    build_hand_screen: ScreenBuilder[ViewT] | None = None
    """Draws what a seat alone may see, with the moves that name it; None where nothing is hidden."""
    series: Series[OptionsT] | None = None
    """None for a game that is over when it is over."""
    shown_moves: int | None = None
    """How many of the newest moves the screen tells of, where turns have many; otherwise one for each seat."""
    build_picture: PictureBuilder[ViewT] | None = None
    """Makes the table's picture from a spectator's view; None where there is none yet."""
    hand_contents: Callable[[ViewT], Hashable] | None = None
    """Returns what a seat holds, from its view; a hand that is shown is out of date once this is something else."""
    build_hand_picture: PictureBuilder[ViewT] | None = None
    """Makes the picture of a hand from the view of its seat."""
    build_reading: ReadingBuilder[ViewT] | None = None
    """Tells the whole table in plain words from a spectator's view."""
    showcases: tuple[Showcase[OptionsT, StateT], ...] = ()
    """What is worth a look in the gallery."""
    prepare: Callable[[], None] | None = None
    """Works out what screens look up, where that takes long; it is called once, in a thread, before most are shown."""


def minutes_of(package: GamePackage[OptionsT, StateT, MoveT, ViewT], options: OptionsT, seats: int) -> int:
    """Return about how many minutes a game takes with these options and so many seats."""
    if package.estimate_minutes is not None:
        return package.estimate_minutes(options, seats)
    return package.game.info.minutes_per_seat * seats


def shown_moves_of(package: GamePackage[OptionsT, StateT, MoveT, ViewT], seats: int) -> int:
    """Return how many of the newest moves the screen of a game for so many seats tells of."""
    return seats if package.shown_moves is None else package.shown_moves


class GameContent(BaseModel):
    """What a game needs besides its rules; each field is a file of that name in the game's folder of `data/`."""

    model_config = ConfigDict(frozen=True, extra="forbid")


ContentT = TypeVar("ContentT", bound=GameContent)
PackageT = TypeVar("PackageT")


@dataclass(frozen=True, slots=True)
class GameFactory(Generic[ContentT, PackageT]):
    """A game that still needs its content: a folder offers this instead of a package."""

    content: type[ContentT]
    build: Callable[[ContentT], PackageT]
