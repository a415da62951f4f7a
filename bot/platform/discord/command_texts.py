"""The texts of commands in every language; names of commands and of their options stay English."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation

from bot.languages import ENGLISH, Language, speaking
from bot.platform.catalogues import Catalogues

LOCALES: Final = (*map(str, discord.Locale), "ar", "he")
"""The languages of Discord; discord.py does not know the last two."""

_PLACE: Final = discord.Locale.american_english
"""Where discord.py puts the number of a text."""

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
    languages = [(catalogues.find(code), alike) for code, alike in locales.items()]
    payload: list[Payload] = []
    for command in tree.get_commands(guild=guild):
        collector = _Collector()
        numbered = await command.get_translated_payload(tree, collector)
        texts = [_translate(text, languages) for text in collector.texts]
        described = {**command.to_dict(tree)}
        _add_texts(described, numbered, texts)
        payload.append(described)
    return payload


class _Collector(app_commands.Translator):
    """Collects the texts of a command, and puts the number of each in its place.

    discord.py asks for each text in each of its languages, which takes long.
    """

    def __init__(self) -> None:
        self.texts: list[app_commands.locale_str] = []

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Return the number of a text in one language, and None in the others and for names."""
        if locale is not _PLACE or context.location in _NAMES:
            return None
        self.texts.append(string)
        return str(len(self.texts) - 1)


def _translate(text: app_commands.locale_str, languages: Iterable[tuple[Language, Iterable[str]]]) -> Mapping[str, str]:
    """Return a text by the languages of Discord."""
    make, found = text.extras.get("make"), dict[str, str]()
    for language, alike in languages:
        with speaking(language):
            said = language.catalogue.gettext(text.message) if make is None else str(make())
        found |= dict.fromkeys(alike, said)
    return found


def _add_texts(english: Payload, numbered: Payload, texts: Sequence[Mapping[str, str]]) -> None:
    """Add the texts that differ from the English ones to a command, an option or a choice."""
    for name in ("name", "description"):
        number = numbered.get(f"{name}_localizations", {}).get(str(_PLACE))
        if number is not None:
            spoken = {locale: text for locale, text in texts[int(number)].items() if text != english[name]}
            if spoken:
                english[f"{name}_localizations"] = spoken
    for name in ("options", "choices"):
        for part, numbered_part in zip(english.get(name, ()), numbered.get(name, ()), strict=True):
            _add_texts(part, numbered_part, texts)
