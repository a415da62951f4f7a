"""Languages that were chosen, and those of people's Discord."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.settings import storage
from bot.features.settings.all_settings import LANGUAGE, SEEN_LANGUAGE
from bot.features.settings.commands import SettingsCommands
from bot.features.settings.languages import StoredLanguages
from bot.features.settings.service import SettingsCache
from bot.platform.discord.languages import Languages
from bot.platform.places import Location
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, WREN
from tests.support.languages import add_languages
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_command
from tests.ui.features.settings.panels import MANAGER


@pytest.fixture
def stored(db: MemoryDatabase) -> StoredLanguages:
    return StoredLanguages(SettingsCache(db))


@pytest.fixture
def languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored: StoredLanguages) -> Languages:
    """The languages of a process that has just started: English, German and Brazilian Portuguese."""
    languages = Languages(add_languages(monkeypatch, tmp_path, {"Join": {"de": "Mitspielen", "pt_BR": "Entrar"}}))
    languages.find_tags, languages.note_seen = stored.find, stored.note
    return languages


async def code_of(languages: Languages, locale: discord.Locale | None = None) -> str:
    return (await languages.of_person(WREN.id, locale)).code


async def test_the_language_of_a_persons_discord_is_stored_when_it_changes(
    languages: Languages, stored: StoredLanguages, db: MemoryDatabase
) -> None:
    assert await code_of(languages) == "en"
    for locale in (discord.Locale.german, discord.Locale.german, discord.Locale.brazil_portuguese):
        assert await code_of(languages, locale) == await code_of(languages)
        await stored.close(1)
    assert db.chosen == {WREN.id: chosen({SEEN_LANGUAGE: "pt_BR"})}
    assert db.calls.count(storage.change) == 2
    # English needs no row, and neither does a language that the bot does not speak.
    assert await code_of(languages, discord.Locale.korean) == "en"
    await stored.close(1)
    assert db.chosen == {}


async def test_a_chosen_language_comes_before_the_one_of_discord(languages: Languages, db: MemoryDatabase) -> None:
    db.chosen[WREN.id] = chosen({LANGUAGE: "de"})
    assert await code_of(languages, discord.Locale.brazil_portuguese) == "de"
    assert (await languages.of_place(Location(None, 90), WREN.id)).code == "de"


async def test_the_language_of_a_server_is_known_before_discord_describes_the_server(
    languages: Languages, stored: StoredLanguages, db: MemoryDatabase
) -> None:
    def describe(locale: discord.Locale, *, unavailable: bool = False) -> None:
        server: Any = SimpleNamespace(preferred_locale=locale, unavailable=unavailable)
        languages.find_server = lambda _: server

    describe(discord.Locale.german)
    assert (await languages.of_server(HERE.guild_id)).code == "de"
    await stored.close(1)
    assert db.chosen == {HERE.guild_id: chosen({SEEN_LANGUAGE: "de"})}
    describe(discord.Locale.american_english, unavailable=True)
    assert (await languages.of_server(HERE.guild_id)).code == "de"
    describe(discord.Locale.brazil_portuguese)
    assert (await languages.of_server(HERE.guild_id)).code == "pt_BR"


async def test_no_one_waits_long_for_a_language(
    languages: Languages, stored: StoredLanguages, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.settings.languages._MOST_SECONDS", 0.01)
    db.before[storage.find] = gate = Gate()
    assert await code_of(languages, discord.Locale.german) == "de"
    gate.open()
    await stored.close(1)


@pytest.mark.usefixtures("languages")
async def test_it_is_typed_as_its_code_in_any_case(adapter: Adapter, db: MemoryDatabase) -> None:
    command: Any = make_command(WREN, permissions=MANAGER)
    await adapter.app.service(SettingsCommands).set_value(command, "language", "PT_br")
    assert db.chosen == {HERE.guild_id: chosen({LANGUAGE: "pt_BR"})}
