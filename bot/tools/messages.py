"""`messages`: brings the catalogues of `data/locales` in step with the code, or checks that they are.

The texts of the code are collected by Babel, with the functions of `bot.words` that mark them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Annotated, Final

import typer
from babel import Locale
from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import PoFileError, read_po, write_po

from bot.commands.console import describe_count, fail
from bot.platform.catalogues import LOCALES, Catalogues, read_entries
from bot.tools.catalogue_checks import (
    find_faults,
    find_loose_marks,
    find_message,
    find_misnamed_buttons,
    find_rigid_forms,
    quote,
)
from bot.tools.left_texts import find_left_texts
from bot.tools.terms import find_broken_terms, load_terms, write_terms

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

PAGES: Final = ("PRIVACY.md", "TERMS.md")
"""The pages that are translated into the folder of each language."""

PAGE: Final = ROOT / "docs" / "translating.md"
"""The page with the table of terms."""

COMMENT_TAG: Final = "Translators:"

_LINE_WIDTH: Final = 120


def messages(
    *,
    check: Annotated[bool, typer.Option("--check", help="Change nothing, and say what is wrong.")] = False,
    language: Annotated[str, typer.Option(help="Only this language, such as pt_BR.")] = "*",
) -> None:
    """Add new texts to every catalogue, remove those that are gone, and mark translations of changed ones as fuzzy."""
    files = sorted(LOCALES.glob(f"{language}.po"))
    if not files:
        fail(f"There is no {_name_of(LOCALES)}/{language}.po.")
    found = collect_messages()
    if check:
        faults_of = {file: list(check_catalogue(file, found)) for file in files}
        faults = [*chain(*faults_of.values(), *(check_pages(file.with_suffix("")) for file in files))]
        # Texts with wrong placeholders can't be shown.
        faults += _check_texts([file for file in files if not faults_of[file]])
        for fault in faults:
            typer.echo(fault, err=True)
        if faults:
            fail(f"The catalogues have {describe_count(len(faults), 'fault')}: see docs/translating.md.")
        return
    write_terms(PAGE)
    for file in files:
        catalogue = read_catalogue(file)
        update_catalogue(catalogue, found)
        write_catalogue(catalogue, file)
        new, fuzzy = len(list(_untranslated(catalogue))), sum(each.fuzzy for each in catalogue if each.id)
        typer.echo(f"{file.relative_to(ROOT)}: {describe_count(new, 'text')} to translate, {fuzzy} to look through")


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
    name = _name_of(file)
    try:
        catalogue = read_catalogue(file)
    except PoFileError as fault:
        yield f"{name}:{fault.lineno + 1}: this line can't be read. Write msgid or msgstr with a text in quotes."
        return
    # Babel keeps one of them, and the bot another.
    keys = Counter((entry["msgid"], entry.get("msgctxt")) for entry in read_entries(file.read_text("utf-8-sig")))
    for message in (catalogue.get(*key) for key, count in keys.items() if count > 1):
        if message is not None:
            yield f"{name}:{message.lineno or 1}: {quote(message)} is there more than once. Keep one translation."
    for line, sentence in find_faults(catalogue, found):
        yield f"{name}:{line}: {sentence}"
    terms = load_terms()
    forms = chain.from_iterable(term.forms.get(file.stem, ()) for term in terms)
    for message, sentence in (
        *find_misnamed_buttons(catalogue),
        *find_rigid_forms(catalogue),
        *find_loose_marks(catalogue),
        *find_broken_terms(catalogue, terms),
        *find_left_texts(catalogue, forms),
    ):
        yield f"{name}:{message.lineno or 1}: {quote(message)}: {sentence}"


def check_pages(folder: Path, root: Path = ROOT) -> Iterator[str]:
    """Yield a sentence for each page whose translation in a folder is missing, or older than the English page."""
    for name in PAGES:
        mark = f"<!-- {name} {sha256((root / name).read_bytes()).hexdigest()[:12]} -->"
        file = folder / name
        if not file.exists():
            yield f"{_name_of(file)} is missing. Translate {name}, and end the translation with {mark}."
        elif mark not in file.read_text(encoding="utf-8"):
            yield f"{_name_of(file)}: {name} has changed. Translate what has, then end this page with {mark}."


def _check_texts(files: Sequence[Path]) -> Iterator[str]:
    """Yield a sentence for each text that is too long or too wide where it is shown."""
    if not files:
        return
    # The games and the font take a second to load.
    from bot.pictures.assets import load_assets
    from bot.platform.content import DATA
    from bot.tables.registry import load_games
    from bot.tools.shown_texts import find_positions, find_unfit_texts, find_unfit_translations
    from bot.tools.text_places import find_places

    assets, places = load_assets(DATA), find_places(ROOT, FOLDERS)
    positions = [each for package in load_games().values() for each in find_positions(package)]
    for file in files:
        language, catalogue = Catalogues(file.parent).find(file.stem), read_catalogue(file)
        unfit = dict[str, str]()
        for position, english in positions:
            for text, sentence in find_unfit_texts(position, english, language, assets):
                unfit.setdefault(text, sentence)
        found = [*find_unfit_translations(catalogue, places, assets)]
        found += [(find_message(text, catalogue), f"{text!r}: {sentence}") for text, sentence in unfit.items()]
        # One example of each message is enough.
        by_line = {message.lineno or 1: (message, sentence) for message, sentence in reversed(found)}
        for line, (message, sentence) in sorted(by_line.items()):
            yield f"{_name_of(file)}:{line}: {quote(message)}: {sentence}"


def _name_of(file: Path) -> str:
    return str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)


def _untranslated(catalogue: Catalog) -> Iterator[str]:
    for message in catalogue:
        texts = message.string if isinstance(message.string, list | tuple) else (message.string,)
        if message.id and not all(texts):
            yield str(message.id)
