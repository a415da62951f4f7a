"""Compares a catalogue with the texts of the code."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from gettext import c2py
from string import Formatter
from typing import Final

from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.plurals import get_plural

KEPT: Final = re.compile(r"`[^`]*`|https?://[^\s)]+|<[@#:/t][^>]*>")
"""What stays as it is: commands and what is typed, addresses, mentions, emoji and times."""

_NUMBERS: Final = range(200)
"""The numbers that are tried to find out which have the same plural form."""

_BUTTON_NAME: Final = re.compile(r"(?<![*\w])\*([^*\n{}]+)\*(?![*\w])")

_LONGEST_QUOTE: Final = 60


def find_faults(catalogue: Catalog, found: Catalog) -> Iterator[tuple[int, str]]:
    """Yield the line and a sentence for each fault of a catalogue.

    Args:
        catalogue: The catalogue, as it was read from its file.
        found: The texts of the code.
    """
    expected = get_plural(catalogue.locale)
    if (catalogue.num_plurals, catalogue.plural_expr) != (expected.num_plurals, expected.plural_expr):
        yield 1, f"the header needs `Plural-Forms: {expected.plural_forms};`. Run `make messages` to write it."
        return
    for message in found:
        if message.id and catalogue.get(message.id, message.context) is None:
            yield 1, f"{quote(message)} is missing. Run `make messages`, then translate it."
    for message in (*catalogue, *catalogue.obsolete.values()):
        if message.id:
            for sentence in _find_faults_of(message, catalogue, found):
                yield message.lineno or 1, f"{quote(message)}: {sentence}"


def quote(message: Message) -> str:
    """Return the beginning of a text, with its context."""
    text = repr(singular_of(message))
    text = text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"
    return f"{text} ({message.context})" if message.context else text


def singular_of(message: Message) -> str:
    """Return the text of a message; of one with a number, that for one."""
    return message.id if isinstance(message.id, str) else str(message.id[0])


def translations_of(message: Message) -> tuple[str, ...]:
    """Return the translation, or all forms of it."""
    return tuple(message.string) if isinstance(message.string, list | tuple) else (str(message.string or ""),)


def find_misnamed_buttons(catalogue: Catalog) -> Iterator[tuple[Message, str]]:
    """Yield the messages with a button's name in italics, as in *Join*, that differs from what the button says."""
    labels = defaultdict[str, set[str]](set)
    for message in catalogue:
        if isinstance(message.id, str) and message.string and not message.fuzzy:
            labels[_name_of(message.id)].add(_name_of(str(message.string)))
    for message in catalogue:
        texts = [] if message.fuzzy else list(filter(None, translations_of(message)))
        for name in sorted({*_BUTTON_NAME.findall(message.id if isinstance(message.id, str) else message.id[1])}):
            spoken = labels[_name_of(name)]
            if spoken and not all(any(f"*{label}" in text for label in spoken) for text in texts):
                yield message, f"the button *{name}* is {', '.join(sorted(spoken))}. Name it so, in italics."


def _name_of(label: str) -> str:
    """Return what a button says without the dots that promise more."""
    return label.rstrip(" \xa0…")


class MessageFinder:
    """Finds the message from whose translation a shown text was made; if it was made from several, the longest."""

    def __init__(self, catalogue: Catalog) -> None:
        literals = ((_literals_of(text), message) for message in catalogue for text in translations_of(message))
        longest_first = sorted(literals, key=lambda each: -sum(map(len, each[0])))
        self._patterns = [
            (re.compile(".*".join(map(re.escape, parts)), re.DOTALL), message) for parts, message in longest_first
        ]

    def find(self, text: str) -> Message:
        """Find the message of a text."""
        return next(message for pattern, message in self._patterns if pattern.search(text))


def _literals_of(translation: str) -> list[str]:
    """Return a translation without its placeholders."""
    return [literal for literal, *_ in Formatter().parse(translation) if literal]


def _find_faults_of(message: Message, catalogue: Catalog, found: Catalog) -> Iterator[str]:
    original = found.get(message.id, message.context)
    if original is None or original.id != message.id:
        yield "the code no longer has this text. Run `make messages`, which removes it."
    elif message.fuzzy:
        yield "it is marked fuzzy. Correct the translation, and remove the mark."
    elif not all(text.strip() for text in translations_of(message)):
        yield "the translation is missing. Write it."
    elif isinstance(message.id, str):
        yield from _find_faults_of_text(message.id, message.id, str(message.string), ())
    elif len(translations_of(message)) != catalogue.num_plurals:
        yield f"it has {len(translations_of(message))} forms. Write {catalogue.num_plurals}: {catalogue.plural_forms}."
    else:
        one, many = message.id
        choose = c2py(catalogue.plural_expr)
        for form, text in enumerate(translations_of(message)):
            numbers = [number for number in _NUMBERS if choose(number) == form]
            for sentence in _find_faults_of_text(one, many, text, numbers):
                yield f"form {form}: {sentence}"


def _find_faults_of_text(one: str, many: str, text: str, numbers: Sequence[int]) -> Iterator[str]:
    """Yield the faults of a translation, or of the form for some numbers.

    The form for 1 may leave out the number; where 0 has the same form, only if the English text leaves it out, too.
    """
    allowed = _fields_of(one) | _fields_of(many)
    required = _fields_of(one) & _fields_of(many) if max(numbers, default=0) == 1 else _fields_of(many)
    try:
        fields = _fields_of(text)
    except ValueError as fault:
        yield f"its braces can't be read ({fault}). Write placeholders as in English, such as {{name}}."
        return
    missing = sorted(required - fields)
    for field in missing if len(missing) > 1 or numbers != [1] else ():
        yield f"{{{field}}} is missing. Put it where the value belongs."
    for field in sorted(fields - allowed):
        yield f"{{{field}}} is no placeholder of the English text. Use {_in_braces(allowed)}."
    kept = {**Counter(KEPT.findall(many)), **Counter(KEPT.findall(one))}
    for part in sorted({*KEPT.findall(text)} ^ {*kept}):
        yield f"{part} has to stand in the translation just as in English."
    if _edges(text) != _edges(one):
        yield "spaces or line breaks at its beginning or end differ from the English text. Make them the same."
    if "\n" in text and "\n" not in one:
        yield "it has a line break, and the English text has none. Remove it."
    if text.count("**") % 2:
        yield "a part in **bold** does not end. Close it with **."


def _fields_of(text: str) -> frozenset[str]:
    """Return the placeholders of a text as they are written, without braces."""
    return frozenset(
        f"{name}{conversion and '!' + conversion}{spec and ':' + spec}"
        for _literal, name, spec, conversion in ((a, b, c or "", d or "") for a, b, c, d in Formatter().parse(text))
        if name is not None
    )


def _in_braces(fields: frozenset[str]) -> str:
    return ", ".join(f"{{{field}}}" for field in sorted(fields)) or "none"


def _edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
