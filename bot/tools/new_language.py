"""`new-language`: writes an empty catalogue of a language."""

from typing import Annotated

import typer
from babel import Locale, UnknownLocaleError
from babel.messages import Catalog

from bot.commands.console import describe_count, fail
from bot.platform.catalogues import LOCALES, Catalogues
from bot.tools.messages import ROOT, collect_messages, update_catalogue, write_catalogue

_MOST_LETTERS = 20


def new_language(code: Annotated[str, typer.Argument(help="The code of the language, such as it or pt_BR.")]) -> None:
    """Write a catalogue with all texts and without translations, and say what to do next."""
    try:
        locale = Locale.parse(code.replace("-", "_"))
    except (ValueError, UnknownLocaleError):
        fail(f"{code!r} is no language that Babel knows. Use a code such as it or pt_BR.")
    for known in map(Locale.parse, Catalogues(LOCALES).codes):
        if known.language == locale.language:
            fail(
                f"Parlour speaks {known.get_display_name('en')} already, with everyone who has chosen a form of this "
                "language in Discord. A second catalogue would leave some of them with English until it is complete."
            )
    file = LOCALES / f"{locale}.po"
    catalogue = Catalog(locale=locale)
    update_catalogue(catalogue, collect_messages())
    write_catalogue(catalogue, file)
    count = sum(bool(message.id) for message in catalogue)
    texts, forms = describe_count(count, "text"), describe_count(catalogue.num_plurals, "form")
    typer.echo(f"{file.relative_to(ROOT)}: {texts} to translate, {forms} of each plural")
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
