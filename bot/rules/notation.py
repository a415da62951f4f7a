"""The notation of moves: a class declares its text once, and writing and reading are made of it.

    @notation("place {card} on {spot}[ with {uses}]")
    @dataclass(frozen=True, slots=True)
    class Place:
        card: Annotated[int, names(CARD_BY_KEY)]
        spot: Spot
        uses: tuple[Use, ...] = ()

Fields stand in braces, in their order; brackets are left out if their field is None or empty. The type of a field says
how it is written: an integer in digits, an enum by its member's name in small letters, a class with a notation in that,
a tuple as words, and whatever is annotated as the codec says. Words may come in any order if `sorted` is annotated.
"""

import builtins
import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from types import NoneType
from typing import Any, Generic, NamedTuple, TypeVar, get_args, get_type_hints

from bot.rules.refusals import unreadable

T = TypeVar("T")
MoveT = TypeVar("MoveT")

MAX_WORDS = 64
"""The most words of a tuple: no text in the cache of read moves is long."""

_FIELD = re.compile(r"(\[[^{}[\]]*\{\w+\}\]|\{\w+\})")


class Codec(NamedTuple):
    """How the values of a field are written and read."""

    pattern: str
    """A regular expression without groups that capture."""
    write: Callable[[Any], str]
    read: Callable[[str], Any]


def digits(pattern: str) -> Codec:
    """Return the codec of integers that look like this."""
    return Codec(pattern, str, int)


def word(pattern: str) -> Codec:
    """Return the codec of strings that look like this."""
    return Codec(pattern, str, str)


def names(values: Mapping[str, object]) -> Codec:
    """Return the codec of values with these names, of which one may be empty."""
    by_value = {value: name for name, value in values.items()}
    return Codec("|".join(map(re.escape, values)), by_value.__getitem__, values.__getitem__)


class _Layout(NamedTuple):
    """The notation of a class."""

    template: str
    texts: list[str]
    """The text before each field, and at the end."""
    codecs: list[Codec]

    def pattern(self, group: str = "(?:") -> str:
        """Return a regular expression in which each field stands in a group that begins so."""
        fields = (f"{group}{codec.pattern})" for codec in self.codecs)
        return "".join(re.escape(text) + next(fields, "") for text in self.texts)


_LAYOUTS: dict[type, _Layout] = {}


def notation(template: str) -> Callable[[type[T]], type[T]]:
    """Declare what `str` writes of a dataclass or named tuple, and `Notation` reads.

    Raises:
        TypeError: The template does not name the fields in their order, or a type does not say how it is written.
    """
    parts = _FIELD.split(template)
    texts, fields = parts[::2], [part.strip("[{}]").rpartition("{") for part in parts[1::2]]

    def declare(kind: type[T]) -> type[T]:
        hints = get_type_hints(kind, include_extras=True)
        if [field for _lead, _brace, field in fields] != list(hints):
            raise TypeError(f"{kind.__name__} has the fields {list(hints)}; {template!r} names others")
        codecs = [_optional(lead, hints[field]) if brace else _codec_of(hints[field]) for lead, brace, field in fields]
        _LAYOUTS[kind] = _Layout(template, texts, codecs)
        terms = [f" + write{at}(value.{field}) + {texts[at + 1]!r}" for at, (*_, field) in enumerate(fields)]
        # Compiled, as the methods of dataclasses are, it takes no longer than a method that is written by hand.
        source, writes = f"lambda value: {texts[0]!r}{''.join(terms)}", (codec.write for codec in codecs)
        kind.__str__ = eval(source, {f"write{at}": write for at, write in enumerate(writes)})  # type: ignore[method-assign]  # noqa: S307
        return kind

    return declare


def _codec_of(hint: Any) -> Codec:
    """Return how a type is written."""
    match get_args(hint):
        case (_, Codec() as codec):
            return codec
        case (words, builtins.sorted):
            codec = _codec_of(words)
            return codec._replace(read=lambda text: tuple(sorted(codec.read(text))))
        case (each, builtins.Ellipsis):
            return _words(_codec_of(each))
        case () if hint is int:
            return digits("0|[1-9][0-9]{0,8}")
        case () if hint in _LAYOUTS:
            return Codec(_LAYOUTS[hint].pattern(), str, Notation[Any](hint).parse)
        case () if issubclass(hint, Enum):
            return names({member.name.lower(): member for member in hint})
    raise TypeError(f"{hint} does not say how it is written; annotate it with a codec")


def _words(codec: Codec) -> Codec:
    """Return the codec of tuples of words."""

    def write(values: tuple[Any, ...]) -> str:
        return " ".join(map(codec.write, values))

    def read(text: str) -> tuple[Any, ...]:
        return tuple(map(codec.read, text.split(" ")))

    return Codec(f"(?:{codec.pattern})(?: (?:{codec.pattern})){{0,{MAX_WORDS - 1}}}", write, read)


def _optional(lead: str, hint: Any) -> Codec:
    """Return the codec of what is left out, with the text that leads to it, if it is None or empty."""
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    empty, codec = (None, _codec_of(kinds[0])) if NoneType in get_args(hint) else ((), _codec_of(hint))

    def write(value: Any) -> str:
        return "" if value == empty else lead + codec.write(value)

    def read(text: str) -> Any:
        return codec.read(text[len(lead) :]) if text else empty

    return Codec(f"(?:{re.escape(lead)}(?:{codec.pattern}))?", write, read)


class Notation(Generic[MoveT]):
    """Reads the moves of a game."""

    def __init__(self, *kinds: type[MoveT]) -> None:
        layouts = [_LAYOUTS[kind] for kind in kinds]
        self._match = re.compile("|".join(f"({layout.pattern('(')})" for layout in layouts), re.ASCII).fullmatch
        self._expected = ", ".join(layout.template for layout in layouts)
        self._kinds: dict[int, tuple[type[MoveT], list[Codec]]] = {}
        """The classes by the number of their group, which those of their fields follow."""
        group = 1
        for kind, layout in zip(kinds, layouts, strict=True):
            self._kinds[group] = kind, layout.codecs
            group += 1 + len(layout.codecs)
        self.parse: Callable[[str], MoveT] = lru_cache(maxsize=1024)(self._parse)
        """Parses a move, or raises the refusal of an unreadable text; the first class that can read it does."""

    def _parse(self, text: str) -> MoveT:
        found = self._match(text)
        if found is None or found.lastindex is None:
            raise unreadable(text, self._expected)
        kind, codecs = self._kinds[found.lastindex]
        fields = found.groups()[found.lastindex :]
        return kind(*[codec.read(field) for codec, field in zip(codecs, fields, strict=False)])
