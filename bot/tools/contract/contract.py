"""The requirements of the contract, the error for a game that breaks one, and the options that are tried."""

from enum import Enum
from random import Random
from typing import Any, TypeAlias, get_args

from pydantic.fields import FieldInfo

from bot.rules.game import Game, Options
from bot.rules.options import bounds_of
from bot.rules.package import GamePackage

AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]
AnyPackage: TypeAlias = GamePackage[Any, Any, Any, Any, Any]
"""A package with its types erased."""


class Check(Enum):
    """The requirements of the contract."""

    INFO = "the game info is complete and within limits: title, credits, seats, positive numbers"
    GUIDE = "the guide has a summary, and pages of at most 90 words with different titles"
    GUIDE_PICTURES = "each page of the guide has a picture of its own without flaws"
    GUIDE_OPTIONS = "a page about an option appears only if the table uses the option"
    COVER = "the cover is art of the size of covers"
    SYMBOLS = "a symbol has a short name and art that exists, and no other symbol is named or written the same"
    BADGES = "a badge has a short key, name and sentence, and a medal of art that exists; no other has its key or name"
    LESSON = "a lesson has six to ten legal moves of the learner, and ends with the learner to move"
    LESSON_TEXTS = "each step of a lesson names, in at most 150 characters, a control that makes its move"
    OPTIONS = "options survive a round trip through JSON"
    DESCRIBED = "exactly the options that differ from their defaults are described"
    CHOICES = "every option has texts, and named values to choose from"
    SENTENCES = "every reason has a message, and a refusal all the facts for it"
    VALUES = "states, moves and events are values: hashable, and equal if made the same way"
    SEAT = "the seat to move is a seat of the table"
    MOVES = "the seat to move has moves"
    FORCED = "a turn ends by itself only with the one move that is legal"
    STABLE = "moves are always in the same order"
    UNIQUE = "no move is listed twice"
    KINDS = "moves of the same type are next to each other"
    LEGAL = "every listed move is legal"
    ILLEGAL = "a move that is not listed is refused, unless it has the same effect as one that is"
    ANSWERED = "`check` accepts or refuses moves with any values, and raises nothing"
    OTHERS = "the other seats are refused"
    PLAY_REFUSES = "`play` raises what `check` returns, before it uses chance"
    NOTATION = "a move survives a round trip through its notation"
    UNREADABLE = "a text that is not a move is refused as unreadable"
    DETERMINED = "a move's result depends on state and chance alone"
    UNTOUCHED = "the old state is not changed"
    AUDIT = "the audit finds no faults"
    POSITION = "the position is one line, and always the same"
    AUDIENCE = "an event is public or for a seat of the table"
    LONGEST = "the game ends before its step limit"
    UNFINISHED = "there is no outcome before the end"
    OUTCOME = "the outcome ranks every seat"
    SCORES = "every state has a score for each seat, a whole number of at most 32 bits, and at the end the outcome's"
    OVER = "after the end there are no moves, and every seat is refused"
    REPLAY = "a replay leads to the same positions"
    LIMITS = "a screen fits Discord's limits"
    STEADY = "the controls of the table's screen take the same number of lines on a phone whenever a seat is to move"
    FEW_BUTTONS = "the table's screen has few buttons"
    COLOURED = "one button stands out, for beginners and for others, unless the hand is awaited"
    ADVICE = (
        "a shortcut, and a button that stands out as the best, make one of the three best moves by the values of hints"
    )
    KEYS = "controls are found by their keys, and menus have keys of their own"
    IDS = "a control and its draft survive a round trip through a custom id"
    PRESSABLE = "the moves of controls are legal"
    PICKS = "picking a piece changes the screen"
    OFFERED = "there are controls while a seat is to move, and none after the end"
    PICTURE = "pictures have no flaws"
    LEGIBLE = "a table's picture has numbers, signs and names, no words, and all of them can be read on a phone"
    MOTION = "what moves has an area of its own in the position before the move, and nothing tells the result early"
    READING_NAMES = "the reading names every player"
    TOLD = "events are told in single lines, and highlights in a few words"
    TIPS = "a tip is a line of plain text with a key"
    ACCENT = "the accent of a screen is a seat of the table"
    MOVE_TEXTS = "if moves have values, they are described in one line of at most 60 characters"
    VALUED = "each legal move has one value, and no other move has any, so that hints name legal moves"
    PLAYERS = "a computer player chooses one of the moves"
    OPEN = "if nothing is hidden, every view is the state and every event is public"
    HIDDEN = "hidden pieces can be dealt again, which leads to another sound position"
    VIEW = "a view does not depend on pieces hidden from its seat"
    SCREEN = "a screen does not depend on pieces hidden from its seat"
    DRAWN = "a picture does not depend on pieces hidden from its seat"
    CHOICE = "legal moves and refusals do not depend on pieces hidden from the seat"
    VALUES_SEEN = "values and hints do not depend on pieces hidden from the seat"
    EVENTS = "visible events do not depend on pieces hidden from the seat"


class BrokenContract(AssertionError):
    """A game breaks the contract."""

    def __init__(self, check: Check, *details: object) -> None:
        super().__init__(": ".join((check.value, *map(str, details))))
        self.check = check


def require(check: Check, holds: bool, *details: object) -> None:
    """Raise BrokenContract, with details in its message, unless a requirement holds."""
    if not holds:
        raise BrokenContract(check, *details)


def option_choices(model: type[Options]) -> dict[str, tuple[Any, ...]]:
    """Return the values to try for an option: all of an enum, or the default and bounds of a number."""
    return {name: _values(field) for name, field in model.model_fields.items()}


def _values(field: FieldInfo) -> tuple[Any, ...]:
    kind = field.annotation
    if kind is bool:
        return (False, True)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(kind)
    if literals := get_args(kind):
        return literals
    return (field.default, *(bound for bound in bounds_of(field) if bound is not None))


def make_mixed_options(model: type[Options], seed: int) -> Options:
    """Return random options for a seed; seed 0 means the defaults."""
    random = Random(seed)
    chosen = {name: random.choice(values) for name, values in option_choices(model).items() if random.random() < 0.5}
    return model.model_validate(chosen if seed else {})
