"""English in wide letters: a language in which no test finds an English word.

`pytest --wide-letters` runs the tests in it. What passes there lets every sentence change.
"""

import re
import string
from unicodedata import east_asian_width

import pytest

from bot.languages import ENGLISH, EnglishTexts
from bot.pictures.shaping import ShapedText, Typeface

_WIDE = {code: code + 0xFEE0 for code in map(ord, string.ascii_letters)}
ORDINARY = {wide: code for code, wide in _WIDE.items()}

_KEPT = re.compile(r"\{[^{}]*\}|`[^`]*`|<[^<>\s]*>|https?://\S+")
"""What translators keep: placeholders, commands, mentions and emoji, addresses."""


class WideTranslations(EnglishTexts):
    """Writes texts in wide letters, except for what translators keep."""

    def gettext(self, message: str) -> str:
        """Translate a text."""
        message = super().gettext(message)
        kept = [*_KEPT.findall(message), ""]
        return "".join(
            literal.translate(_WIDE) + part for literal, part in zip(_KEPT.split(message), kept, strict=True)
        )

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Translate a text with a number."""
        return self.gettext(msgid1 if n == 1 else msgid2)


class _WideTypeface(Typeface):
    """Draws ordinary letters, because the font has no wide ones."""

    def shape(self, text: str) -> ShapedText:
        return super().shape(text.translate(ORDINARY))

    def has_glyph(self, character: str) -> bool:
        return super().has_glyph(character.translate(ORDINARY))


def _ordinary_width(letter: str) -> str:
    """Measure a wide letter as the ordinary one that it stands for: lines hold as many of them as in English."""
    return east_asian_width(letter.translate(ORDINARY))


def speak_in_wide_letters() -> None:
    """Translate everything that this process shows from now on."""
    ENGLISH.catalogue = WideTranslations()
    patch = pytest.MonkeyPatch()
    patch.setattr("bot.pictures.shaping.Typeface", _WideTypeface)
    patch.setattr("bot.tables.shown.links.east_asian_width", _ordinary_width)
