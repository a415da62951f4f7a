"""Languages that translate a few texts; all others stay English."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.pofile import write_po

from bot.features.settings import all_settings
from bot.features.settings.all_settings import LANGUAGE, SETTINGS
from bot.platform.catalogues import Catalogues


def add_languages(patch: pytest.MonkeyPatch, folder: Path, texts: Mapping[str, Mapping[str, str]]) -> Catalogues:
    """Write catalogues into a folder, and let them be chosen as languages.

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
