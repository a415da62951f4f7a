"""The package that a game's folder exports."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Generic, Protocol, TypeVar

from bot.rules.chance import Chance
from bot.rules.components import Nameplate
from bot.rules.content import BrokenTables, ContentModel
from bot.rules.evaluation import Evaluator, Unit
from bot.rules.game import Event, EventT, EventT_contra, Game, MoveT, OptionsT, StateT, ViewT, ViewT_contra
from bot.rules.grades import Grades
from bot.rules.guide import Guide
from bot.rules.hero import HeroBuilder
from bot.rules.motion import Motion, Played
from bot.rules.picture import FELT, Picture, Surface, Symbol
from bot.rules.playout import Redeal
from bot.rules.puzzle import PuzzleSource
from bot.rules.refusals import RefusalReason
from bot.rules.rewards import Feat, GameBadge
from bot.rules.screen import Field, ScreenBuilder
from bot.rules.story import Narration
from bot.rules.study import Hints, Lesson, TipFinder

MAX_MOVE_TEXT_LENGTH: Final = 60
"""How long the description of a move is at most, so that it takes two lines of a phone."""

USUAL_LEVEL: Final = "normal"
"""The level of computer players unless the host chooses another."""


class Strategy(Protocol[ViewT_contra, MoveT]):
    """A computer player. It sees a view, and neither the state nor the table's chance."""

    def __call__(self, view: ViewT_contra, moves: Sequence[MoveT], chance: Chance) -> MoveT:
        """Return one of the moves."""


class PictureBuilder(Protocol[ViewT_contra, EventT_contra]):
    """Builds the picture of a view; it contains no draft."""

    def __call__(
        self, view: ViewT_contra, events: Sequence[EventT_contra], nameplates: Sequence[Nameplate], /
    ) -> Picture:
        """Build the picture; the events are those of the newest moves. Names belong in labels that say `is_name`."""


class MotionFinder(Protocol[ViewT, EventT]):
    """Finds what moves in the picture of a move."""

    def __call__(self, played: Played[ViewT, EventT], nameplates: Sequence[Nameplate], /) -> Motion | None:
        """Return the dice that the move rolled, and the picture before it without them; None if nothing moves."""


class StepFilter(Protocol[EventT_contra]):
    """Decides which positions within a computer player's turn people see, at most two in a turn."""

    def __call__(self, turn: Sequence[Sequence[EventT_contra]], following: Sequence[EventT_contra], /) -> bool:
        """Return whether people see a position.

        Args:
            turn: The public events of the turn so far, by move.
            following: The public events of the move that replaces the position.
        """


class ReadingBuilder(Protocol[ViewT_contra]):
    """Describes the whole table in words."""

    def __call__(self, view: ViewT_contra, names: Sequence[str]) -> str:
        """Describe the turn, the legal moves and the position; names are escaped for Markdown."""


@dataclass(frozen=True, slots=True)
class ScoreKind:
    """The meaning of a game's scores."""

    format_score: Callable[[int], str]
    """Formats a score with its unit, such as `12 points`."""
    lower_is_better: bool = False


def _describe_nothing(_options: object) -> Sequence[str]:
    """Return nothing."""
    return ()


def _describe_no_goal(_options: object) -> str:
    """Return nothing."""
    return ""


def _move_itself(_view: object, move: Hashable) -> Hashable:
    """Return the move: no other one does the same."""
    return move


def _find_no_feats(_before: object, _events: Sequence[Event], _after: object) -> Iterable[Feat]:
    """Find nothing."""
    return ()


@dataclass(frozen=True, slots=True)
class Series(Generic[OptionsT]):
    """How a game is played over several tables: as a tournament, or to break a tie."""

    count_games: Callable[[OptionsT], int]
    """Returns the number of games of a tournament, whose scores add up."""
    rank_seats: Callable[[Sequence[int]], tuple[int, ...]]
    """Returns the places of seats by their total scores."""
    tie_break_options: Callable[[OptionsT], OptionsT]
    """Returns the options of a tie-breaking game."""


@dataclass(frozen=True, slots=True)
class StoredArrays:
    """Arrays that computer players look up, which `train` calculates."""

    field: str
    """The field of the content that they are stored in."""
    check: Callable[[], object]
    """Loads the stored ones; raises `BrokenTables` if they can't be used."""

    def inspect(self) -> str:
        """Load the stored arrays, and return what is wrong with them; empty if they can be used."""
        try:
            self.check()
        except BrokenTables as fault:
            return str(fault)
        return ""


@dataclass(frozen=True, slots=True)
class Words(Generic[OptionsT, EventT, ViewT]):
    """What people read and press at a table."""

    build_screen: ScreenBuilder[ViewT, EventT]
    error_messages: Mapping[RefusalReason, str]
    """A message for each reason the rules refuse a move, with the refusal's facts in braces."""
    describe_options: Callable[[OptionsT], Sequence[str]] = _describe_nothing
    """Returns short texts about the options that differ from the defaults."""
    describe_goal: Callable[[OptionsT], str] = _describe_no_goal
    """Returns what ends a game, such as `first to 100`; empty if there is no such number."""
    estimate_minutes: Callable[[OptionsT, int], int] | None = None
    """Returns the usual minutes of a game by options and seats, if the options matter."""
    build_abandoned_fields: Callable[[ViewT, Sequence[str]], tuple[Field, ...]] | None = None
    """Returns the fields of a screen that does not show whose turn it is, from a view and names.

    They are shown if resignations end a table before its game is over. None uses the fields of the usual screen.
    """
    build_hand_screen: ScreenBuilder[ViewT, EventT] | None = None
    """Builds the private screen of a seat, with the moves that name hidden pieces; None if nothing is hidden."""
    hand_contents: Callable[[ViewT], Hashable] | None = None
    """Returns a key for the content of a hand, from its view; a hand that was shown with another key is shown again."""
    find_doubt: Callable[[ViewT, str], str] | None = None
    """Returns why a seat, from its view, should not make a move at the table, such as a winning card that it holds.

    It is asked that once and privately, as the table itself must not tell; empty if nothing speaks against the move.
    """
    build_reading: ReadingBuilder[ViewT] | None = None
    """Describes the table in words from a spectator's view."""
    narration: Narration[ViewT, EventT] | None = None
    """Tells what happened, for the news and *What happened*; None offers neither."""
    shown_moves: int | None = None
    """How many of the newest moves the screen describes; None means one for each seat."""


@dataclass(frozen=True, slots=True)
class Look(Generic[EventT, ViewT]):
    """What a game looks like."""

    build_picture: PictureBuilder[ViewT, EventT] | None = None
    """Builds the picture of the table from a spectator's view; None if there is none."""
    find_motion: MotionFinder[ViewT, EventT] | None = None
    """Finds the dice that tumble before the picture shows a move; None if nothing ever moves."""
    picture_height: int = 750
    """How high that picture usually is at most; a higher one leaves messages less room for a tip and a hint."""
    draws_moments: bool = False
    """Whether that picture shows highlights itself; otherwise a banner is appended to it."""
    shows_step: StepFilter[EventT] | None = None
    """Decides which positions within a computer player's turn people see; None if they see its end alone. A motion is
    about all moves since the position that they saw last."""
    build_hand_picture: PictureBuilder[ViewT, EventT] | None = None
    """Builds the picture of a hand from its seat's view."""
    build_hero: HeroBuilder[ViewT] | None = None
    """Lays out what a seat did best, for the picture of the result; None shows the cover."""
    surface: Surface = FELT
    """What all pictures of the game lie on."""
    cover: str | None = None
    """The art that lobbies and the list of games show, such as `magpie/cover`, of the size `COVER_SIZE`; or None."""
    symbols: tuple[Symbol, ...] = ()
    """The symbols of the game's texts that its art shows too."""


@dataclass(frozen=True, slots=True)
class Study(Generic[OptionsT, MoveT, EventT, ViewT]):
    """What teaches a game."""

    guide: Guide[OptionsT]
    lesson: Lesson[OptionsT] | None = None
    """The guided game for beginners."""
    find_tips: TipFinder[ViewT, EventT] | None = None
    """Finds tips for people who are new to the game; None if there are none."""
    describe_move: Callable[[ViewT, MoveT], str] | None = None
    """Names a legal move in a label of its own, such as `Re-roll ⚁⚄`; a game with an evaluator needs it."""
    hints: Hints[ViewT, MoveT] | None = None
    """Words hints, for which a game needs an evaluator and `describe_move`; None offers none."""
    puzzles: PuzzleSource | None = None
    """Which games puzzles are found in, by the evaluator; None offers no puzzles."""


@dataclass(frozen=True, slots=True)
class Mind(Generic[StateT, MoveT, ViewT]):
    """What moves are worth, and who chooses them if no person does."""

    strategies: Mapping[str, Strategy[ViewT, MoveT]] = field(default_factory=dict)
    """Computer players by level, weakest first; without `evaluate` and them, playouts are used (`bot.tables.minds`)."""
    evaluate: Evaluator[ViewT, MoveT] | None = None
    """Says what moves are worth, as well as the game can: for hints, reviews and puzzles; None offers none of them."""
    key_of: Callable[[ViewT, MoveT], Hashable] = _move_itself
    """Returns a key that is the same for moves that do the same, such as rolling either of two equal dice."""
    redeal: Redeal[ViewT, StateT] | None = None
    """Deals the hidden pieces of a view, for playouts; a game in which nothing is hidden needs none."""
    easy_losses: Mapping[Unit, float] = field(default_factory=dict)
    """What Easy gives away in a decision, on average over games against Normal, by the values of `evaluate`."""
    value_errors: Mapping[Unit, float] = field(default_factory=dict)
    """How far off values usually are, by unit, where they are estimates; measured."""
    find_forced_end: Callable[[ViewT], MoveT | None] | None = None
    """Returns the only legal move if it just ends a turn in which nothing can be done, or None.

    Such a turn ends by itself. It gets a spectator's view, so that nothing hidden shows in it.
    """
    stored: StoredArrays | None = None
    """None if computer players need nothing that takes long to calculate."""
    prepare: Callable[[], None] | None = None
    """Computes tables that screens look up, if that takes long. Called once, in a thread, soon after the start."""
    broken: str = ""
    """A sentence about stored arrays that can't be used, so that only the usual level plays; or empty."""


@dataclass(frozen=True, slots=True)
class Results(Generic[OptionsT, StateT, EventT]):
    """What counts in a game, and what is told and kept of it at the end."""

    score_kind: ScoreKind
    scores_of: Callable[[StateT], Sequence[int]] | None = None
    """Returns the score of each seat, from a state; at the end these are the outcome's.

    Everyone sees the scores of all turns once the game is over. None leaves the race out of the picture of the result.
    """
    far_behind: float = 0.25
    """How far behind at some time makes a win a comeback, as a share of the points that the winner made in all.

    Of such winners in Magpie and Fortune, at least 93 of 100 once had less than 30 % to win. Where scores go up and
    down, being as far behind is usual.
    """
    series: Series[OptionsT] | None = None
    """None for a game that is played at one table."""
    grades: Grades | None = None
    """How good a score of a solo game with the default options is."""
    summarize: Callable[[StateT], str] | None = None
    """Sums up a finished solo game in symbols, without anything that helps others who play with the same dice."""
    find_feats: Callable[[StateT, Sequence[EventT], StateT], Iterable[Feat]] = _find_no_feats
    """Returns what chance did in a move, to tell the most remarkable at the end.

    It gets the states before and after the move, and its events.
    """
    name_roll: Callable[[int], str] = str
    """Names what a feat of luck has rolled, such as `Full house`."""
    badges: tuple[GameBadge[StateT, EventT], ...] = ()
    """What people can earn by playing it."""


@dataclass(frozen=True, slots=True)
class GamePackage(Generic[OptionsT, StateT, MoveT, EventT, ViewT]):
    """A game ready to be hosted: its rules, and five groups of what goes with them.

    They must agree on the types of options, state, move, event and view. Code for all games uses
    `bot.tables.registry.AnyPackage`.
    """

    game: Game[OptionsT, StateT, MoveT, EventT, ViewT]
    words: Words[OptionsT, EventT, ViewT]
    study: Study[OptionsT, MoveT, EventT, ViewT]
    results: Results[OptionsT, StateT, EventT]
    look: Look[EventT, ViewT] = field(default_factory=Look)
    mind: Mind[StateT, MoveT, ViewT] = field(default_factory=Mind)


def usual_strategy(
    package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT],
) -> Strategy[ViewT, MoveT] | None:
    """Return the strategy of the usual level, or else of the strongest; None if the game has none."""
    strategies = package.mind.strategies
    return strategies.get(USUAL_LEVEL) or (list(strategies.values())[-1] if strategies else None)


def minutes_of(package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT], options: OptionsT, seats: int) -> int:
    """Return the usual minutes of a game."""
    if package.words.estimate_minutes is not None:
        return package.words.estimate_minutes(options, seats)
    return package.game.info.minutes_per_seat * seats


def shown_moves_of(package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT], seats: int) -> int:
    """Return how many of the newest moves the screen describes."""
    return seats if package.words.shown_moves is None else package.words.shown_moves


def on_surface(package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT], picture: Picture) -> Picture:
    """Return a picture on the surface of its game."""
    surface = package.look.surface
    return picture if surface == picture.surface else replace(picture, surface=surface)


class GameContent(ContentModel):
    """Content of a game; each field is a file of that name in the game's folder of `data/`."""


ContentT = TypeVar("ContentT", bound=GameContent)
PackageT = TypeVar("PackageT")


@dataclass(frozen=True, slots=True)
class GameFactory(Generic[ContentT, PackageT]):
    """Builds a package from content; exported instead of a package."""

    content: type[ContentT]
    build: Callable[[ContentT], PackageT]


def ends_turn(game: Game[OptionsT, StateT, MoveT, EventT, ViewT], before: StateT, after: StateT) -> bool:
    """Return whether the step between two states ended a turn or the game."""
    return game.seat_to_move(after) is None or game.turn_of(before) != game.turn_of(after)
