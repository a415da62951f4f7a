"""Finds what a translation has left in English, or in Latin letters in a language with other ones."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from babel.messages import Catalog
from babel.messages.catalog import Message

from bot.languages import name_of
from bot.platform.time_zones import search_zones
from bot.tools.catalogue_checks import FIELD, KEPT, texts_of, translations_of, typed_parts

AS_IN_ENGLISH: Final = "as in English"
"""What a translator's comment says if a word is rightly the same."""

_NAMES: Final = re.compile(r"\b(?:Discord|Parlour|Rusty|JSON|SHA-256|piecepack|[A-Z]+(?:_[A-Z]+)+)\b|@everyone")
"""Names that are the same in every language, and those of settings of the environment."""

_ZONE: Final = re.compile(r"\b[A-Z]\w+(?:/\w+)+")
"""What may be the name of a time zone."""

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LATIN_WORD: Final = re.compile(r"(?:(?![×÷])[A-Za-z\u00c0-\u024f])+")

_LATIN_LETTER: Final = re.compile(r"\b[A-Za-z]\b")

_RUN: Final = 3
"""So many words in the order of the English text are no accident."""


def find_left_texts(catalogue: Catalog, terms: Iterable[str]) -> Iterator[tuple[Message, str]]:
    """Yield the messages whose translations are not, or not all, in their language, with what to do.

    A text of one or two words may be the same in both languages: each of its words is then a term, or stands in
    another translation.

    Args:
        catalogue: The catalogue, in step with the code.
        terms: The forms of the terms in its language.
    """
    messages = [each for each in catalogue if each.id and not each.fuzzy and all(translations_of(each))]
    english = {id(each): [_words_of(each, text) for text in texts_of(each)] for each in messages}
    translated = [(each, text, _words_of(each, text)) for each in messages for text in translations_of(each)]
    known = {word for term in terms for word in _words_in(term)}
    known.update(chain.from_iterable(words for message, _, words in translated if words not in english[id(message)]))
    has_latin_letters = catalogue.locale is None or _LATIN_WORD.search(name_of(catalogue.locale))
    for message, text, words in translated:
        runs = set(chain.from_iterable(map(_runs_of, english[id(message)])))
        left = [" ".join(run) for run in _runs_of(words) if run in runs]
        if words in english[id(message)] and not known.issuperset(words):
            left.append(" ".join(words))
        if not has_latin_letters:
            # A letter that stands alone in English, too, is a sign.
            signs = {sign for each in texts_of(message) for sign in _LATIN_LETTER.findall(_strip(message, each))}
            left += [word for word in _LATIN_WORD.findall(_strip(message, text)) if word not in signs]
        if left and not any(AS_IN_ENGLISH in comment for comment in message.user_comments):
            yield message, f"{left[0]!r} is not translated. Translate it, or comment `# The same {AS_IN_ENGLISH}.`"


def _runs_of(words: list[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(_RUN)), strict=False)


def _words_of(message: Message, text: str) -> list[str]:
    return _words_in(_strip(message, text))


def _words_in(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _strip(message: Message, text: str) -> str:
    """Return a text without placeholders, names, time zones and whatever is typed."""
    for part in typed_parts(message):
        text = text.replace(part, "")
    text = _ZONE.sub(lambda zone: "" if zone[0] in search_zones(zone[0]) else zone[0], text)
    return _NAMES.sub("", FIELD.sub("", KEPT.sub("", text)))
