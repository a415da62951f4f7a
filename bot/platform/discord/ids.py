"""Custom ids of buttons and menus: at most 100 characters that survive restarts and new versions.

An id only names a button and its subject. The answer to the click decides what it may do, so a forged id gains nothing.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from enum import StrEnum
from functools import lru_cache
from types import UnionType
from typing import Any, ClassVar, Final, TypeAlias, cast, get_args

from bot.platform.discord.answers import Interaction
from bot.rules.screen import Draft

MAX_CLOSING_REASON: Final = 60
"""The longest reason for closing tables, in characters: the id of the button that closes them has room for it."""

_KINDS: Final[dict[str, "type[CustomId]"]] = {}
"""The kinds of ids by prefix."""


@dataclass(frozen=True)
class CustomId:
    """A custom id: the prefix of its kind and its fields, joined by colons."""

    prefix: ClassVar[str]
    __match_args__: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, prefix: str = "") -> None:
        cls.prefix = prefix
        if prefix and _KINDS.setdefault(prefix, cls) is not cls:
            raise TypeError(f"{cls.__name__} and {_KINDS[prefix].__name__} have the same prefix")

    def __str__(self) -> str:
        return ":".join([self.prefix, *[str(getattr(self, name)) for name in self.__match_args__]])


@dataclass(frozen=True)
class TableButtonId(CustomId):
    """The id of a button that names only a table."""

    table_id: int

    def __str__(self) -> str:
        return f"{self.prefix}:{self.table_id}"


Handler: TypeAlias = Callable[[Interaction, Any], Awaitable[None]]
"""Answers a click on a button or menu, whose id has the handler's kind."""

Handlers: TypeAlias = Mapping[type[CustomId], Handler]


class UnknownId(Exception):
    """No button of ours has the id."""


def kinds_of_ids() -> Sequence[type[CustomId]]:
    """Return the defined kinds of ids, sorted by prefix."""
    return [_KINDS[prefix] for prefix in sorted(_KINDS)]


def parse_id(text: str) -> CustomId:
    """Parse a custom id strictly.

    Raises:
        UnknownId: No button of ours has the id.
    """
    prefix, _, rest = text.partition(":")
    if prefix in _KINDS:
        pattern, converters = _parser_of(prefix)
        if match := pattern.fullmatch(rest):
            values = [convert(part) for convert, part in zip(converters, match.groups(), strict=True)]
            return cast("Callable[..., CustomId]", _KINDS[prefix])(*values)
    raise UnknownId(text)


_Converter: TypeAlias = Callable[[str], object]
_Part: TypeAlias = tuple[str, _Converter]
"""The pattern of a field's text, and the function that converts it."""


def _decode_draft(mask: str) -> Draft:
    bits = int(mask, 16)
    return frozenset(token for token in range(bits.bit_length()) if bits >> token & 1)


def _split_options(texts: str) -> tuple[str, ...]:
    return tuple(texts.split(",")) if texts else ()


_PARTS: Final[Mapping[str, _Part]] = {
    "table_id": (r"\d{1,18}", int),
    "step": (r"\d{1,18}", int),
    "revision": (r"\d{1,18}", int),
    "key": ("[a-z0-9_]{1,24}", str),
    "value": ("[a-z0-9_]{1,24}", str),
    "draft": ("[0-9a-f]{1,16}", _decode_draft),
    "page": (r"\d{1,6}", int),
    "options_digest": ("[0-9a-f]{16}", str),
    "option": ("[a-z][a-z0-9_]{0,31}", str),
    "player_id": (r"\d{1,20}", int),
    "guest_id": (r"\d{1,20}", int),
    "game": ("[a-z_]{1,32}", str),
    "computers": (r"\d", int),
    "level": ("[a-z]{0,12}", str),
    "span": (r"all|season|month|week|2\d{3}(?:-(?:Q[1-4]|0[1-9]|1[0-2]))?", str),
    "puzzle": ("[0-9a-f]{8}", str),
    "day": (r"\d{1,6}", int),
    "period": (r"\d{1,12}", int),
    "choice": (r"\d", int),
    "tournament": (r"\d{1,18}", int),
    "round": (r"\d{1,3}", int),
    "board": (r"\d{1,3}", int),
    "reason": (f".{{0,{MAX_CLOSING_REASON}}}", str),
    "options": ('[a-z0-9_",.-]{0,60}', _split_options),
}
"""The fields of ids by name, except enums and nested ids."""


def _part_of(field: Field[Any]) -> _Part:
    if field.name in _PARTS:
        return _PARTS[field.name]
    if isinstance(field.type, UnionType):
        prefixes = "|".join(kind.prefix for kind in get_args(field.type))
        return f"(?:{prefixes}):.{{1,97}}", parse_id
    # Every other field is an enum.
    values = cast("type[StrEnum]", field.type)
    return "|".join(values), values


@lru_cache(maxsize=256)  # more than there are prefixes
def _parser_of(prefix: str) -> tuple[re.Pattern[str], tuple[_Converter, ...]]:
    """Return the pattern of the text after a prefix, and the functions that convert its fields."""
    patterns, converters = zip(*map(_part_of, fields(_KINDS[prefix])), strict=True)
    return re.compile(":".join(f"({pattern})" for pattern in patterns), re.ASCII), converters
