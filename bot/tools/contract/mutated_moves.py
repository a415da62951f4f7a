"""Mutates moves: legal moves with other values in their fields."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from random import Random
from typing import Any

from bot.rules.game import Seat
from bot.rules.refusals import Refusal
from bot.tools.contract.contract import AnyGame, BrokenContract, Check, require

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
