"""Servers in two languages, and people who speak a third, on one bot at the same time."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from bot.features.settings.all_settings import SEEN_LANGUAGE
from bot.features.settings.service import SettingsCache
from bot.platform.catalogues import Catalogues
from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.host import Host
from bot.words import gettext
from tests.support.languages import add_languages
from tests.support.parlour import choose_setting, run_parlour
from tests.support.waiting import wait_until

JOIN = {"de": "Mitspielen", "fr": "Participer", "pt_BR": "Entrar"}
WAITING = {"de": "Warten auf Mitspieler", "fr": "En attente de joueurs", "pt_BR": "À espera de jogadores"}
OPTIONS = {"de": "Spielweise", "fr": "Variantes", "pt_BR": "Opções"}
TITLE = {"de": "Sprache", "fr": "Langue", "pt_BR": "Idioma"}
MORE = dict.fromkeys(JOIN, "More …")
READY = {"de": "Bereit", "fr": "Tout est prêt", "pt_BR": "Pronto"}


@pytest.fixture
def catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogues:
    """Three languages that translate a few texts; all others are English."""
    texts = {"Join": JOIN, "Waiting for players": WAITING, "Options": OPTIONS, "Ready to start": READY}
    texts |= {"Language": TITLE, "More …": MORE}
    return add_languages(monkeypatch, tmp_path, texts)


def shown(message: Message) -> str:
    """Return the text of a message and of its buttons."""
    return "\n".join((message.text, *(button.label for button in message.buttons)))


def has_text(message: Message, text: str) -> bool:
    """Return whether a message shows a text."""
    return text in message.text


async def test_each_server_and_each_person_has_a_language(
    sandbox: Sandbox, tmp_path: Path, catalogues: Catalogues
) -> None:
    world = sandbox.world
    there = world.add_channel(world.add_server(world.server.id + 1, "Ailleurs"), "jeux")
    world.server.locale, there.server.locale = "de", "fr"
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3", catalogues=catalogues) as parlour:
        await wait_until(lambda: len(parlour.client.guilds) == 2)
        robin, wren, jay = parlour.robin, parlour.wren, parlour.jay
        world.locales |= {robin.id: "pt-BR", wren.id: "ko"}

        async def open_table(person: Person, code: str, channel: Channel) -> Message:
            (message,) = (await person.slash(channel, "magpie new")).replies
            assert WAITING[code] in message.text
            return message

        here_table, there_table = await asyncio.gather(
            open_table(robin, "de", parlour.here), open_table(jay, "fr", there)
        )
        await asyncio.gather(
            wren.click(here_table, _id(here_table, "de")), wren.click(there_table, _id(there_table, "fr"))
        )
        for message, code in ((here_table, "de"), (there_table, "fr")):
            await sandbox.until(partial(has_text, message, "Wren"))
            assert JOIN[code] in shown(message)
        (private,) = (await parlour.press(robin, here_table, "More …")).replies
        assert OPTIONS["pt_BR"] in shown(private)
        (private,) = (await parlour.press(jay, there_table, "More …")).replies
        assert gettext("Options") in shown(private)
        await choose_setting(robin, parlour.here, "language", "fr")
        await sandbox.until(lambda: JOIN["fr"] in shown(here_table))


def _id(message: Message, code: str) -> str:
    return next(button.custom_id or "" for button in message.buttons if button.label == JOIN[code])


async def test_direct_messages_follow_the_language_of_discord_until_their_person_chooses(
    sandbox: Sandbox, tmp_path: Path, catalogues: Catalogues
) -> None:
    database = tmp_path / "parlour.sqlite3"
    place = sandbox.person("Wren").direct_channel
    sandbox.world.locales[sandbox.person("Wren").id] = "de"
    async with run_parlour(sandbox, database, catalogues=catalogues) as parlour:
        (table,) = (await parlour.wren.slash(place, "magpie new")).replies
        assert READY["de"] in table.text
        await parlour.wait_until_settled()
        assert not table.edited
        settings, server = parlour.client.app.service(SettingsCache), sandbox.world.server
        sandbox.world.set_locale(server, "fr")
        await wait_until(lambda: (known := settings.known(server.id)) and known.get(SEEN_LANGUAGE) == "fr")
    async with run_parlour(sandbox, database, catalogues=catalogues) as parlour:
        # Nothing has told this process who reads the table.
        await parlour.client.app.service(Host).refresh_open_tables(place.id)
        await sandbox.until(lambda: table.edited)
        assert READY["de"] in table.text
        panel = await choose_setting(parlour.wren, place, "language", "fr")
        assert TITLE["fr"] in shown(panel)
        await sandbox.until(partial(has_text, table, READY["fr"]))
