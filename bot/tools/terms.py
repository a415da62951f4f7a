"""The terms of the games in each language, which translations keep to: `data/locales/terms.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages import Catalog
from babel.messages.catalog import Message

from bot.platform.catalogues import LOCALES
from bot.tools.catalogue_checks import FIELD, KEPT, texts_of, translations_of

FILE: Final = LOCALES / "terms.toml"

HEADING: Final = "| English |"
"""The beginning of the table of terms."""

_PREFIXES: Final = {"he": "[ובהכלמש]*"}
"""By language, the letters that may stand before a word and mean words of their own, such as *and*."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the games."""

    name: str
    pattern: re.Pattern[str]
    """Finds the term in an English text."""
    forms: Mapping[str, Sequence[str]]
    """By language, the term and stems of its other forms."""

    def is_in(self, english: str) -> bool:
        """Return whether an English text holds the term."""
        return self.pattern.search(english) is not None

    def is_kept(self, translations: Sequence[str], code: str) -> bool:
        """Return whether all translations have a word that begins with the term, in a language that has it."""
        forms = "|".join(map(re.escape, self.forms.get(code, ("",))))
        found = re.compile(rf"(?<!\w){_PREFIXES.get(code, '')}(?:{forms})", re.IGNORECASE)
        return all(map(found.search, translations))


def load_terms(file: Path = FILE) -> list[Term]:
    """Load the terms; the name of one with a capital letter is found in this spelling alone."""
    with file.open("rb") as source:
        entries = tomllib.load(source)
    return [
        Term(
            name,
            _make_pattern(entry.get("english", (name,))),
            {code: entry[code] for code in entry if code != "english"},
        )
        for name, entry in entries.items()
    ]


def _make_pattern(words: Sequence[str]) -> re.Pattern[str]:
    found = "|".join(rf"(?<![\w/]){re.escape(word)}(?:s|es)?(?!\w)" for word in words)
    return re.compile(found, re.IGNORECASE if found.islower() else 0)


def find_broken_terms(catalogue: Catalog, terms: Sequence[Term]) -> Iterator[tuple[Message, str]]:
    """Yield the messages whose translations lack a term, with what is wrong and what to do."""
    code = str(catalogue.locale)
    for message in catalogue:
        if not message.id or message.fuzzy or not all(translations_of(message)):
            continue
        english = "\n".join(FIELD.sub("", KEPT.sub("", text)) for text in texts_of(message))
        for term in terms:
            if term.is_in(english) and not term.is_kept(translations_of(message), code):
                forms = ", ".join(term.forms[code])
                yield message, f"the term {term.name!r} is missing. Use one of {forms}, or add a form to {FILE.name}."


def render_terms(terms: Sequence[Term]) -> str:
    """Return the terms but names of spaces and cards as a table in Markdown, with a column for each language."""
    codes = list(dict.fromkeys(code for term in terms for code in term.forms))
    names = [Locale.parse(code).get_display_name("en") or code for code in codes]
    rows = [["English", *names], ["---"] * (len(codes) + 1)]
    rows += [[term.name, *(term.forms.get(code, ("",))[0] for code in codes)] for term in terms if term.name.islower()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def write_terms(page: Path) -> None:
    """Write the table of terms to the end of a page, in the place of the old one."""
    text = page.read_text(encoding="utf-8")
    before = text[: text.index(HEADING)]
    page.write_text(before + render_terms(load_terms()), encoding="utf-8")
