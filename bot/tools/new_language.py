"""`new-language`: writes an empty catalogue of a language."""

from typing import Annotated

import typer
from babel import Locale, UnknownLocaleError
from babel.messages import Catalog

from bot.commands.console import fail
from bot.platform.catalogues import LOCALES
from bot.tools.messages import ROOT, collect_messages, update_catalogue, write_catalogue

_MOST_LETTERS = 20


def new_language(code: Annotated[str, typer.Argument(help="The code of the language, such as it or pt_BR.")]) -> None:
    """Write a catalogue with all texts and without translations, and say what to do next."""
    try:
        locale = Locale.parse(code)
    except (ValueError, UnknownLocaleError):
        fail(f"{code!r} is no language that Babel knows. Use a code such as it or pt_BR.")
    file = LOCALES / f"{locale}.po"
    if str(locale) == "en" or file.exists():
        fail(f"Parlour speaks {locale.get_display_name('en')} already.")
    catalogue = Catalog(locale=locale)
    update_catalogue(catalogue, collect_messages())
    write_catalogue(catalogue, file)
    count = sum(bool(message.id) for message in catalogue)
    typer.echo(f"{file.relative_to(ROOT)}: {count} texts to translate, {catalogue.num_plurals} forms of each plural")
    if letters := _find_missing_letters(locale):
        typer.echo(f"The font of pictures lacks letters of this language, such as {letters}: they are left out there.")
    typer.echo(f"1. Add what the terms are called to data/locales/terms.toml, under `{locale}`.")
    typer.echo("2. Translate, and try it with `make demo`: texts without a translation are in English.")
    typer.echo(f"3. Name the faults with `python -m bot messages --check --language {locale}`.")
    typer.echo("docs/translating.md says what to mind, and what translators of the privacy page add.")


def _find_missing_letters(locale: Locale) -> str:
    """Return some letters of a language, from its names of languages, that the font of pictures lacks."""
    from bot.pictures.fonts import has_glyph

    letters = sorted({letter for name in locale.languages.values() for letter in name if letter.isalpha()})
    return " ".join([letter for letter in letters if not has_glyph(letter)][:_MOST_LETTERS])
