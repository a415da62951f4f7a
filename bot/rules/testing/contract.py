"""What the contract of a game demands, and how it is told that a game does not keep it."""

from enum import Enum
from typing import Any, TypeAlias

from bot.rules.game import Game
from bot.rules.package import GamePackage

AnyGame: TypeAlias = Game[Any, Any, Any, Any]
AnyPackage: TypeAlias = GamePackage[Any, Any, Any, Any]
"""A game of any types: the contract asks the same of all of them."""


class Check(Enum):
    """What the contract demands, one line each."""

    INFO = "what is fixed about a game is told, and fits: title, credits, seats, numbers of at least one"
    GUIDE = "the guide tells something and fits Discord's limits"
    OPTIONS = "options survive being written as JSON"
    DESCRIBED = "an option that differs from its default is named, a default is not"
    CHOICES = "every option has words, and values with names to choose from"
    SENTENCES = "every reason has a sentence that its facts complete"
    VALUES = "states, moves and events are values: hashable and equal when made alike"
    SEAT = "the seat to move sits at the table"
    MOVES = "the seat to move has moves"
    STABLE = "moves come in the same order every time"
    UNIQUE = "no move is offered twice"
    KINDS = "moves of a kind stand side by side"
    LEGAL = "a move that is offered is legal"
    ILLEGAL = "a move that is not offered is refused, unless it does the same as one that is"
    ANSWERED = "whatever stands in a move, check says whether it is allowed and why not"
    OTHERS = "the other seats are refused"
    PLAY_REFUSES = "play raises what check returns, before any chance is used"
    NOTATION = "a move is read back from its own notation"
    UNREADABLE = "what is no move is refused as unreadable"
    DETERMINED = "state and chance alone decide what a move leads to"
    UNTOUCHED = "the old state stays as it was"
    AUDIT = "no fault in the pieces"
    POSITION = "the position is one line, the same every time"
    AUDIENCE = "an event is for everybody or for a seat of the table"
    LONGEST = "the game ends within its alarm bound"
    UNFINISHED = "there is no outcome before the end"
    OUTCOME = "the outcome ranks every seat"
    OVER = "after the end there are no moves, and every seat is told so"
    REPLAY = "the record leads to the same positions again"
    LIMITS = "a screen fits Discord's limits"
    KEYS = "controls are found by their keys, and menus have keys of their own"
    IDS = "a control and its draft fit into a button's id and are read back from it"
    PRESSABLE = "what a control plays is legal"
    PICKS = "what a control picks or puts back shows"
    OFFERED = "there are controls while a seat is to move, and none after the end"
    PICTURE = "everything in a picture has its place, and can be read"
    TOLD = "the whole table is told in words"
    ACCENT = "a screen carries the colour of a seat of the table"
    PLAYERS = "a computer player chooses one of the moves"
    OPEN = "where nothing is hidden, every view is the state and every event is for everybody"
    HIDDEN = "what a seat may not see can be dealt anew, and leads to another sound position"
    VIEW = "a view tells nothing of what its seat may not see"
    SCREEN = "a screen tells nothing of what its seat may not see"
    DRAWN = "a picture tells nothing of what its seat may not see"
    CHOICE = "what a seat may do, and why not, tells nothing of what it may not see"
    EVENTS = "events tell nothing of what whoever sees them may not see"


class BrokenContract(AssertionError):
    """A game that does not keep the contract."""

    def __init__(self, check: Check, *told: object) -> None:
        super().__init__(": ".join((check.value, *map(str, told))))
        self.check = check


def require(check: Check, holds: bool, *told: object) -> None:
    """Raise unless the contract holds; what is told stands in the message."""
    if not holds:
        raise BrokenContract(check, *told)
