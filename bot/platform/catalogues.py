"""The catalogues of `data/locales`: one file for each language but English."""

import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from gettext import NullTranslations, c2py
from pathlib import Path
from typing import Final

from babel import Locale, UnknownLocaleError

from bot.languages import END_OF_CONTEXT, ENGLISH, Language, name_of

logger = logging.getLogger(__name__)

LOCALES: Final = Path(__file__).parent.parent.parent / "data" / "locales"


class Catalogues:
    """The languages of a folder with catalogues, and English."""

    def __init__(self, folder: Path = LOCALES) -> None:
        self._folder = folder
        self.codes = (ENGLISH.code, *filter(_is_locale, sorted(file.stem for file in folder.glob("*.po"))))
        """The codes of the languages, in gettext's form."""

    @property
    def names(self) -> Mapping[str, str]:
        """The name of each language in itself, by code."""
        return {code: name_of(Locale.parse(code)) for code in self.codes}

    def find(self, *tags: str | None) -> Language:
        """Return the language of the first tag, such as `pt-BR` or `es-419`, near which there is one, or English."""
        return _load(self._folder, self.find_code(*tags))

    def find_code(self, *tags: str | None) -> str:
        """Return the code of that language, without loading it."""
        for tag in filter(None, tags):
            code = tag.replace("-", "_")
            main = code.partition("_")[0]
            near = [code] if code in self.codes else [each for each in self.codes if each.partition("_")[0] == main]
            if near:
                return near[0]
        return ENGLISH.code


def _is_locale(code: str) -> bool:
    try:
        Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        logger.warning("left out %s.po: its name is not a language code such as pt_BR", code)
        return False
    return True


@lru_cache(maxsize=64)
def _load(folder: Path, code: str) -> Language:
    """Return a language, or English if its file can't be read. The first call takes about 20 ms."""
    if code == ENGLISH.code:
        return ENGLISH
    try:
        texts = Texts((folder / f"{code}.po").read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, LookupError) as error:
        logger.warning("%s.po can't be read, so its language is English until the next start: %r", code, error)
        return ENGLISH
    return Language(code, Locale.parse(code), texts)


class Texts(NullTranslations):
    """The texts of a catalogue, and English ones where it has none.

    Reading is simple, because `messages` writes the catalogues. Babel keeps comments and places, and takes six times as
    long.
    """

    def __init__(self, source: str) -> None:
        super().__init__()
        self._texts = dict[str, str]()
        self._forms = dict[str, tuple[str, ...]]()
        self._choose_form: Callable[[int], int] = c2py(_USUAL_RULE)
        for entry in read_entries(source):
            context = entry.get("msgctxt")
            key = entry["msgid"] if context is None else f"{context}{END_OF_CONTEXT}{entry['msgid']}"
            forms = tuple(text for name, text in entry.items() if name.startswith("msgstr"))
            if not key:
                self._choose_form = c2py(next(iter(_RULE.findall(forms[0])), _USUAL_RULE))
            elif not all(forms):
                continue
            elif "msgid_plural" in entry:
                self._forms[key] = forms
            else:
                self._texts[key] = forms[0]

    def gettext(self, message: str) -> str:
        """Return a text."""
        return self._texts.get(message) or ENGLISH.catalogue.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the text for a number."""
        forms, form = self._forms.get(msgid1, ()), self._choose_form(n)
        return forms[form] if form < len(forms) else ENGLISH.catalogue.ngettext(msgid1, msgid2, n)


_RULE: Final = re.compile("plural=([^;]+)")
_USUAL_RULE: Final = "n != 1"


def read_entries(source: str) -> Iterator[dict[str, str]]:
    """Yield the texts of the header and of each entry that is neither fuzzy nor obsolete, by keywords."""
    entry, name, is_fuzzy = dict[str, str](), "", False
    for line in (*source.split("\n"), "#"):
        if line.startswith('"'):
            entry[name] += json.loads(line)
        elif line:
            if name.startswith("msgstr") and not line.startswith("msgstr"):
                if not (is_fuzzy and entry["msgid"]):
                    yield entry
                entry, name, is_fuzzy = {}, "", False
            if line.startswith("#"):
                is_fuzzy = is_fuzzy or (line.startswith("#,") and "fuzzy" in line)
            else:
                name, _, text = line.partition(" ")
                entry[name] = json.loads(text)
