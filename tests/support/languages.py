"""Languages of which tests know the texts."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po

from bot.features.settings import all_settings
from bot.features.settings.all_settings import LANGUAGE, SETTINGS
from bot.platform.catalogues import LOCALES, Catalogues
from bot.sandbox import Message
from bot.tools.catalogue_checks import KEPT

_LATIN_WORD, _HEBREW_WORD = re.compile("[A-Za-z]{2,}"), re.compile("[א-ת]+")
_NAMES = re.compile(
    r"\b(Robin|Wren|Jay|Linnet|Heron|Siskin|Finch|Parlour|Discord|Pip|Dot|Rusty|Bramble|Hazel|Vesper|Onyx|Sage"
    r"|Pocket Ragz: Change|Richard C. Winter|TableCloth Games|Rob LeGood|piecepack)\b"
)
"""Names of people, of computer players, and in the credits of games."""


def lines_of(message: Message) -> list[str]:
    """Return the lines that a message says, in its buttons and menus too, and the descriptions of its pictures."""
    lines = [
        option.get(part) for menu in message.selects for option in menu.options for part in ("label", "description")
    ]
    lines += [message.text, *(button.label for button in message.buttons)]
    lines += [*(menu.placeholder for menu in message.selects), *(file.description for file in message.attachments)]
    return [line for text in lines for line in (text or "").splitlines()]


def find_foreign(texts: Iterable[str], code: str) -> list[str]:
    """Return the lines in another language: English ones, and those with letters that it has in names alone."""
    with (LOCALES / f"{code}.po").open("rb") as file:
        messages = [each for each in read_po(file) if each.id and isinstance(each.id, str)]
    english = {str(each.id) for each in messages} - {str(each.string) for each in messages}
    letters = _LATIN_WORD if code in {"he", "ru"} else _HEBREW_WORD
    lines = [line for text in texts for line in text.splitlines()]
    return [line for line in lines if line in english or letters.search(without_names(line))]


def without_names(line: str) -> str:
    """Return a line without what is the same in every language."""
    return _NAMES.sub("", KEPT.sub("", line))


def add_languages(patch: pytest.MonkeyPatch, folder: Path, texts: Mapping[str, Mapping[str, str]]) -> Catalogues:
    """Write catalogues into a folder, and let them be chosen as languages; what they don't translate is English.

    Args:
        patch: What takes the choices back.
        folder: The folder.
        texts: The translations by text and language.
    """
    for code in sorted({code for translations in texts.values() for code in translations}):
        catalogue = Catalog(locale=code)
        for text, translations in texts.items():
            catalogue.add(text, translations.get(code, ""))
        with (folder / f"{code}.po").open("wb") as file:
            write_po(file, catalogue)
    catalogues = Catalogues(folder)
    for code, name in catalogues.names.items():
        patch.setitem(LANGUAGE.values.labels, code, name)  # type: ignore[attr-defined]
    if LANGUAGE not in SETTINGS:
        patch.setattr(all_settings, "SETTINGS", (*SETTINGS, LANGUAGE))
    return catalogues
