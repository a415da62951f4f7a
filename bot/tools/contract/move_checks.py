"""Checks moves: legality, notation and refusals."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from itertools import chain, groupby
from math import isfinite
from random import Random
from typing import Any

from bot.rules.chance import Chance, ScriptedChance
from bot.rules.game import Seat
from bot.rules.refusals import CommonReason, Refusal
from bot.rules.study import rank_moves
from bot.tools.contract.contract import AnyGame, AnyPackage, BrokenContract, Check, require

_NUMBERS = (-1, 0, 1, 2, 5, 6, 7, 8, 16, 99, 10**9, -(10**9))
_WORDS = ("", " ", "any", "place", "-", "nothing of the kind")


def mutate_moves(moves: Sequence[Any], random: Random, count: int) -> Iterator[Any]:
    """Yield mutations of moves, each with one field changed, or taken from another move of its type."""
    changeable, alike = [move for move in moves if _field_values(move)], defaultdict[type, list[Any]](list)
    for move in changeable:
        alike[type(move)].append(move)
    for _ in range(count if changeable else 0):
        move = random.choice(changeable)
        yield _change_field(move, alike[type(move)], random)


def _field_values(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass or a named tuple."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    names: Sequence[str] = getattr(value, "__match_args__", ()) if isinstance(value, tuple) else ()
    return {name: getattr(value, name) for name in names}


def _change_field(whole: Any, alike: Sequence[Any], random: Random) -> Any:
    """Return a value with one field changed, perhaps to that of another value of its type."""
    values = _field_values(whole)
    name, part = random.choice(list(values.items()))
    made = {name: random.choice([*_substitute_value(part, random), getattr(random.choice(alike), name)])}
    return type(whole)(**values | made) if isinstance(whole, tuple) else replace(whole, **made)


def _substitute_value(value: Any, random: Random) -> Sequence[Any]:
    """Return replacements for a value, of the same type except None."""
    match value:
        case bool():
            found: Sequence[Any] = [not value]
        case Enum() | str():
            found = [*type(value)] if isinstance(value, Enum) else [*_WORDS, value + value, value.upper()]
        case int():
            found = [*_NUMBERS, value + 1, value - 1, -value]
        case tuple() if _field_values(value):
            found = [_change_field(value, [value], random) for _ in range(4)]
        case tuple():
            found = list(_rearrange(value, random))
        case _:
            found = [value]
    return found


def _rearrange(some: tuple[Any, ...], random: Random) -> Iterator[tuple[Any, ...]]:
    """Yield variants of a tuple: empty, reordered, shortened, extended, doubled, very long, and with a changed item."""
    yield ()
    yield some[::-1]
    yield tuple(random.sample(some, len(some)))
    yield some[1:]
    yield (*some, *some[:1])
    yield some * 50
    if some:
        at = random.randrange(len(some))
        others = _substitute_value(some[at], random)
        yield (*some[:at], random.choice(others), *some[at + 1 :])
        yield (*some, random.choice(others))


def check_answer(game: AnyGame, state: Any, seat: Seat, move: Any) -> Refusal | None:
    """Check that any move is legal or refused, and return the refusal."""
    try:
        refusal = game.check(state, seat, move)
    except Exception as fault:
        raise BrokenContract(Check.ANSWERED, repr(move), repr(fault)) from fault
    require(Check.ANSWERED, refusal is None or isinstance(refusal, Refusal), repr(move), repr(refusal))
    return refusal


def check_equivalent(made: Callable[[Any], Any], move: Any, moves: Sequence[Any]) -> None:
    """Check that a legal move that is not listed has the same effect as one that is."""
    try:
        done = made(move)
    except Exception as fault:
        raise BrokenContract(Check.ILLEGAL, repr(move), repr(fault)) from fault
    alike = (each for each in moves if type(each) is type(move))
    require(Check.ILLEGAL, any(made(each) == done for each in alike), repr(move))


def value_moves(package: AnyPackage, view: Any, moves: Sequence[Any]) -> tuple[object, ...]:
    """Return the values of legal moves and the hint, which has the best of them; nothing if there is no choice.

    Raises:
        BrokenContract: There is not one value for each legal move.
    """
    evaluate, describe = package.mind.evaluate, package.study.describe_move
    if evaluate is None or describe is None or len(moves) < 2:
        return ()
    evaluation = evaluate(view, moves)
    values = tuple(map(float, evaluation.values))
    require(Check.VALUED, len(values) == len(moves) and all(map(isfinite, values)), values)
    best = rank_moves(view, moves, evaluation, package.mind.key_of, describe)
    explanation = None if package.study.hints is None else package.study.hints.explain(view, best, evaluation)
    return values, evaluation.unit, evaluation.is_exact, best, explanation


_MUTATED_MOVES = 60
"""The moves generated for each expensive check, from those of the position ..."""

_MAX_REMEMBERED_MOVES = 6
"""... and from this many earlier ones."""

NONSENSE = ("", " ", "\n", "\x00", "٣", "∞ ∞", "-", "None", "x" * 10_000, "1 " * 10_000)


class MoveReader:
    """Parses moves, each text once, because parsing does not depend on the position."""

    def __init__(self, package: AnyPackage) -> None:
        self._parse_move = package.game.parse_move
        self._moves: dict[str, Any] = {}

    def read(self, text: str) -> Any:
        """Parse a move; return None if it is unreadable."""
        if text not in self._moves:
            self._moves[text] = self._read_once(text)
        return self._moves[text]

    def check_nonsense(self) -> None:
        """Check that texts that are not moves are refused."""
        for text in NONSENSE:
            require(Check.UNREADABLE, self.read(text) is None, repr(text[:50]))

    def _read_once(self, text: str) -> Any:
        try:
            return self._parse_move(text)
        except Refusal as refusal:
            require(Check.UNREADABLE, refusal.reason is CommonReason.UNREADABLE, repr(text[:50]), refusal)
            return None
        except Exception as fault:
            raise BrokenContract(Check.UNREADABLE, repr(text[:50]), repr(fault)) from fault


class MoveChecker:
    """Checks the moves of a game."""

    def __init__(self, package: AnyPackage, seats: int, reader: MoveReader, random: Random) -> None:
        self._package = package
        self._game = package.game
        self._everyone = range(seats)
        self._reader = reader
        self._random = random
        self._seen_texts: list[str] = []
        self._seen_moves: list[Any] = []
        self._shared_lists: dict[int, tuple[Any, ...]] = {}

    def check_offered(self, state: Any, seat: Seat, moves: Sequence[Any]) -> None:
        """Check the seat to move and the legal moves."""
        require(Check.SEAT, seat in self._everyone, seat)
        require(Check.UNFINISHED, self._game.outcome(state) is None, state)
        require(Check.MOVES, len(moves) > 0, state)
        if (find := self._package.mind.find_forced_end) is not None:
            forced_end = find(self._game.view(state, None))
            require(Check.FORCED, forced_end is None or tuple(moves) == (forced_end,), forced_end, moves)
        again = self._game.legal_moves(state)
        require(Check.STABLE, again is moves or tuple(moves) == tuple(again), state)
        if isinstance(moves, tuple) and again is moves:
            # Some games cache their lists of moves and return the same ones again and again.
            if id(moves) in self._shared_lists:
                return
            self._shared_lists[id(moves)] = moves
        require(Check.UNIQUE, _count_distinct(moves) == len(moves), moves)
        kinds = [kind for kind, _ in groupby(map(type, moves))]
        require(Check.KINDS, len(set(kinds)) == len(kinds), kinds)

    def check_legality(
        self, state: Any, seat: Seat, moves: Sequence[Any], make_chance: Callable[[], Chance]
    ) -> list[Any]:
        """Check that `legal_moves`, `check`, `parse_move` and `play` agree on what is legal.

        Returns:
            Readable moves that are not offered.
        """
        for move in moves:
            text = str(move)
            is_exact = text.isprintable() and text == text.strip() and self._reader.read(text) == move
            require(Check.NOTATION, is_exact, text)
            require(Check.LEGAL, self._game.check(state, seat, move) is None, move)
        sample = self._random.choice(moves)
        self._check_other_seats(state, seat, sample)
        readable = (self._reader.read(text) for text in self._change_text(str(sample)))
        offered = set(moves)
        doubtful = [move for move in readable if move is not None and move not in offered]
        self._seen_moves = [*self._seen_moves[-_MAX_REMEMBERED_MOVES:], sample]
        mutated = mutate_moves([*moves, *self._seen_moves], self._random, _MUTATED_MOVES)
        for move in chain(doubtful, mutated):
            if move not in offered:
                self._check_doubtful(state, seat, move, moves, make_chance)
        self._seen_texts.append(str(sample))
        return doubtful

    def _check_other_seats(self, state: Any, seat: Seat, move: Any) -> None:
        for other in (*self._everyone, len(self._everyone)):
            if other != seat:
                refusal = self._game.check(state, other, move)
                require(Check.OTHERS, refusal == Refusal(CommonReason.NOT_TO_MOVE), other, refusal)
                self._check_refused(state, other, move, refusal)

    def _check_doubtful(
        self, state: Any, seat: Seat, move: Any, moves: Sequence[Any], make_chance: Callable[[], Chance]
    ) -> None:
        """Check that a move that is not listed is refused, or has the same effect as one that is."""
        if refusal := check_answer(self._game, state, seat, move):
            self._check_refused(state, seat, move, refusal)
            return
        check_equivalent(lambda each: self._game.play(state, seat, each, make_chance()), move, moves)

    def _change_text(self, text: str) -> Iterator[str]:
        """Return slightly changed notations of legal moves, and moves of other positions."""
        words = text.split(" ")
        at = self._random.randrange(len(words))
        yield " ".join(words[:at] + words[at + 1 :])
        yield " ".join(words[:at] + [words[at]] * 2 + words[at + 1 :])
        yield " ".join((*words, str(self._random.randrange(12))))
        yield from (" ".join((*words[:at], str(number), *words[at + 1 :])) for number in range(11))
        yield " ".join(self._random.sample(words, len(words)))
        yield from (text + " ", " " + text, text.replace(" ", "  "), text.upper(), text + "\n")
        yield from self._random.sample(self._seen_texts, min(3, len(self._seen_texts)))

    def _check_refused(self, state: Any, seat: Seat, move: Any, refusal: Refusal | None) -> None:
        """Check that `play` refuses as `check` does, and that there is a message."""
        try:
            self._game.play(state, seat, move, ScriptedChance(()))
        except (Refusal, AssertionError) as raised:
            require(Check.PLAY_REFUSES, raised == refusal, move, repr(raised), repr(refusal))
        else:
            raise BrokenContract(Check.PLAY_REFUSES, move)
        if refusal and not isinstance(refusal.reason, CommonReason):
            _check_sentence(self._package, refusal)


def _count_distinct(values: Sequence[Any]) -> int:
    """Return the number of different values."""
    try:
        return len(set(values))
    except TypeError as fault:
        raise BrokenContract(Check.VALUES, fault, values) from fault


def _check_sentence(package: AnyPackage, refusal: Refusal) -> None:
    """Check that a refusal has the facts that its message needs."""
    try:
        sentence = package.words.error_messages[refusal.reason].format_map(refusal.facts.by_name())
    except LookupError as fault:
        raise BrokenContract(Check.SENTENCES, repr(refusal), repr(fault)) from fault
    require(Check.SENTENCES, sentence.strip() != "", repr(refusal))
