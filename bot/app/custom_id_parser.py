"""Parses custom ids strictly: text that none of our buttons has is refused."""

import re
from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from enum import StrEnum
from types import UnionType
from typing import Any, Final, TypeAlias, cast, get_args

from bot.platform.discord.ids import CustomId
from bot.rules.refusals import Refusal
from bot.rules.screen import Draft
from bot.tables.handlers.ids import ComponentId
from bot.tables.refusals import HostReason

_Converter: TypeAlias = Callable[[str], object]
_Part: TypeAlias = tuple[str, _Converter]
"""The pattern of a field's text, and the function that makes its value."""

_Parser: TypeAlias = tuple[Callable[..., ComponentId], re.Pattern[str], tuple[_Converter, ...]]


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
    "draft": ("[0-9a-f]{1,16}", _decode_draft),
    "page": (r"\d{1,6}", int),
    "options_digest": ("[0-9a-f]{16}", str),
    "option": ("[a-z][a-z0-9_]{0,31}", str),
    "guest_id": (r"\d{1,20}", int),
    "game": ("[a-z_]{1,32}", str),
    "computers": (r"\d", int),
    "span": (r"all|season|month|week|2\d{3}(?:-(?:Q[1-4]|0[1-9]|1[0-2]))?", str),
    "puzzle": ("[0-9a-f]{8}", str),
    "day": (r"\d{1,6}", int),
    "period": (r"\d{1,12}", int),
    "choice": (r"\d", int),
    "tournament": (r"\d{1,18}", int),
    "round": (r"\d{1,3}", int),
    "board": (r"\d{1,3}", int),
    "options": ('[a-z0-9_",.-]{0,60}', _split_options),
}
"""The fields of ids by name, except enums and nested ids."""


def _part_of(field: Field[Any]) -> _Part:
    if field.name in _PARTS:
        return _PARTS[field.name]
    if isinstance(field.type, UnionType):
        prefixes = "".join(kind.prefix for kind in get_args(field.type))
        return f"[{prefixes}]:.{{1,97}}", parse_id
    # Every other field is an enum.
    values = cast("type[StrEnum]", field.type)
    return "|".join(values), values


def _parser_of(kind: Callable[..., ComponentId]) -> _Parser:
    """Return the kind, the pattern of what follows its prefix, and the functions that make its fields."""
    patterns, converters = zip(*map(_part_of, fields(cast("type[CustomId]", kind))), strict=True)
    return kind, re.compile(":".join(f"({pattern})" for pattern in patterns), re.ASCII), converters


def parse_id(text: str) -> ComponentId:
    """Parse a custom id.

    Raises:
        Refusal: None of our buttons has it.
    """
    prefix, _, rest = text.partition(":")
    if prefix in _PARSERS:
        kind, pattern, converters = _PARSERS[prefix]
        if match := pattern.fullmatch(rest):
            return kind(*[convert(part) for convert, part in zip(converters, match.groups(), strict=True)])
    raise Refusal(HostReason.UNKNOWN_BUTTON)


_PARSERS: Final = {kind.prefix: _parser_of(kind) for kind in get_args(ComponentId)}
