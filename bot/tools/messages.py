"""`messages`: brings the catalogues of `data/locales` in step with the code, or checks that they are.

The texts of the code are collected by Babel, with the functions of `bot.words` that mark them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer
from babel import Locale
from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import PoFileError, read_po, write_po

from bot.commands.console import fail
from bot.platform.catalogues import LOCALES
from bot.tools.catalogue_checks import find_faults

ROOT = Path(__file__).parents[2]

FOLDERS: Final = ("bot", "cogs")
"""Where the texts of players stand."""

KEYWORDS: Final = {
    "_": None,
    "N_": None,
    "gettext": None,
    "NC_": ((1, "c"), 2),
    "pgettext": ((1, "c"), 2),
    "ngettext": (1, 2),
}
"""The functions that mark texts, with the places of context, text and plural."""

COMMENT_TAG: Final = "Translators:"

_LINE_WIDTH: Final = 120


def messages(
    *, check: Annotated[bool, typer.Option("--check", help="Change nothing, and say what is wrong.")] = False
) -> None:
    """Add new texts to every catalogue, remove those that are gone, and mark translations of changed ones as fuzzy."""
    found = collect_messages()
    files = sorted(LOCALES.glob("*.po"))
    if check:
        faults = [fault for file in files for fault in check_catalogue(file, found)]
        for fault in faults:
            typer.echo(fault, err=True)
        if faults:
            fail(f"The catalogues have {len(faults)} faults: see docs/translating.md.")
        return
    for file in files:
        catalogue = read_catalogue(file)
        update_catalogue(catalogue, found)
        write_catalogue(catalogue, file)
        new, fuzzy = len(list(_untranslated(catalogue))), sum(each.fuzzy for each in catalogue if each.id)
        typer.echo(f"{file.relative_to(ROOT)}: {new} texts to translate, {fuzzy} to look through")


def collect_messages(root: Path = ROOT) -> Catalog:
    """Return a catalogue of all texts of the code, in the order of files and lines, without translations."""
    found = Catalog()
    for folder in FOLDERS:
        for name, line, text, comments, context in extract_from_dir(
            root / folder, keywords=KEYWORDS, comment_tags=(COMMENT_TAG,), strip_comment_tags=True
        ):
            found.add(text, None, [(f"{folder}/{name}", line)], auto_comments=comments, context=context)
    return found


def read_catalogue(file: Path) -> Catalog:
    """Read a catalogue, whose name is the code of its language."""
    with file.open("rb") as source:
        return read_po(source, locale=file.stem, abort_invalid=True)


def update_catalogue(catalogue: Catalog, found: Catalog) -> None:
    """Give a catalogue the texts of the code; a new one that resembles one that is gone gets its translation, fuzzy."""
    catalogue.update(found, update_creation_date=False)


def write_catalogue(catalogue: Catalog, file: Path) -> None:
    """Write a catalogue so that only changed texts change the file."""
    locale = Locale.parse(file.stem)
    catalogue.header_comment = f"# Parlour in {locale.get_display_name('en')}. See docs/translating.md."
    catalogue.project, catalogue.version, catalogue.fuzzy = "Parlour", "", False
    catalogue.msgid_bugs_address = catalogue.last_translator = catalogue.language_team = ""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as target:
        write_po(target, catalogue, width=_LINE_WIDTH, include_lineno=False, ignore_obsolete=True)


def check_catalogue(file: Path, found: Catalog) -> Iterator[str]:
    """Yield a sentence for each fault of a catalogue, with file and line."""
    name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
    try:
        catalogue = read_catalogue(file)
    except PoFileError as fault:
        yield f"{name}:{fault.lineno + 1}: this line can't be read. Write msgid or msgstr with a text in quotes."
        return
    for line, sentence in find_faults(catalogue, found):
        yield f"{name}:{line}: {sentence}"


def _untranslated(catalogue: Catalog) -> Iterator[str]:
    for message in catalogue:
        texts = message.string if isinstance(message.string, list | tuple) else (message.string,)
        if message.id and not all(texts):
            yield str(message.id)
