"""The texts of commands in every language; names of commands and of their options stay English."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation

from bot.languages import ENGLISH, Language, speaking
from bot.platform.catalogues import Catalogues

LOCALES: Final = (*map(str, discord.Locale), "ar", "he")
"""The languages of Discord; discord.py does not know the last two."""

_PLACE: Final = discord.Locale.american_english
"""Where discord.py puts the texts of the language that is asked for."""

_NAMES: Final = frozenset((
    TranslationContextLocation.command_name,
    TranslationContextLocation.group_name,
    TranslationContextLocation.parameter_name,
))  # fmt: skip

Payload = dict[str, Any]


def in_each_language(make: Callable[[], str]) -> app_commands.locale_str:
    """Return a text of a command that is made of several texts, or has a context; it is made for each language."""
    return app_commands.locale_str(make(), make=make)


async def describe_commands(
    tree: app_commands.CommandTree[Any], guild: discord.Object | None, catalogues: Catalogues
) -> list[Payload]:
    """Return the commands as JSON for Discord's API, in English and in all languages."""
    locales = defaultdict[str, list[str]](list)
    for locale in LOCALES:
        locales[catalogues.find_code(locale)].append(locale)
    del locales[ENGLISH.code]
    commands = tree.get_commands(guild=guild)
    payload: list[Payload] = [{**command.to_dict(tree)} for command in commands]
    for code, alike in locales.items():
        translator = _Translator(catalogues.find(code))
        for command, described in zip(commands, payload, strict=True):
            _add_texts(described, await command.get_translated_payload(tree, translator), alike)
    return payload


class _Translator(app_commands.Translator):
    """Translates texts of commands into one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Return a text in the language, or None for names."""
        if locale is not _PLACE or context.location in _NAMES:
            return None
        with speaking(self._language):
            make = string.extras.get("make")
            return self._language.catalogue.gettext(string.message) if make is None else str(make())


def _add_texts(english: Payload, spoken: Payload, locales: Iterable[str]) -> None:
    """Add the texts of a language that differ from the English ones to a command, an option or a choice."""
    for name in ("name", "description"):
        text = spoken.get(f"{name}_localizations", {}).get(str(_PLACE))
        if text is not None and text != english[name]:
            english.setdefault(f"{name}_localizations", {}).update(dict.fromkeys(locales, text))
    for name in ("options", "choices"):
        for part, spoken_part in zip(english.get(name, ()), spoken.get(name, ()), strict=True):
            _add_texts(part, spoken_part, locales)
