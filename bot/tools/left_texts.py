"""Finds what a translation has left in English, or in Latin letters in a language with other ones."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from babel.messages import Catalog
from babel.messages.catalog import Message

from bot.languages import name_of
from bot.tools.catalogue_checks import FIELD, KEPT, texts_of, translations_of, typed_parts

AS_IN_ENGLISH: Final = "as in English"
"""What a translator's comment says if a word is rightly the same."""

_NAMES: Final = re.compile(
    r"\b(?:Discord|Parlour|Rusty|JSON|SHA-256|piecepack|[A-Z]+(?:_[A-Z]+)+|[A-Z]\w+/[A-Z]\w+)\b|@everyone"
    r"|(?<!\w)/[a-z]+(?: [a-z]+)?"
)
"""Names that are the same in every language, those of settings of the environment and of time zones, and commands."""

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LATIN_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f]{2,}|(?<=[^\W\d_])[A-Za-z]|[A-Za-z](?=[^\W\d_])")
"""A word, or a letter that only looks like those beside it."""

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
            left += _LATIN_WORD.findall(_strip(message, text))
        if left and not any(AS_IN_ENGLISH in comment for comment in message.user_comments):
            yield message, f"{left[0]!r} is not translated. Translate it, or comment `# The same {AS_IN_ENGLISH}.`"


def _runs_of(words: list[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(_RUN)), strict=False)


def _words_of(message: Message, text: str) -> list[str]:
    return _words_in(_strip(message, text))


def _words_in(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _strip(message: Message, text: str) -> str:
    """Return a text without placeholders, names and whatever is typed."""
    for part in typed_parts(message):
        text = text.replace(part, "")
    return _NAMES.sub("", FIELD.sub("", KEPT.sub("", text)))
