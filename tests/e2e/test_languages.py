"""Servers in two languages, and people who speak the other one, on one bot at the same time."""

import asyncio
import re
from collections import defaultdict
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from babel.dates import format_skeleton

from bot.features.settings.all_settings import SEEN_LANGUAGE
from bot.features.settings.service import SettingsCache
from bot.features.tournaments.messages import TournamentButton, TournamentButtonId
from bot.platform.catalogues import Catalogues
from bot.sandbox import Message, Person, Sandbox
from bot.sandbox.model.world import Change, MessageChange
from bot.tables.host import Host
from bot.tables.model import Status
from tests.support.languages import find_foreign, lines_of
from tests.support.parlour import ROLL, Parlour, button_id, choose_setting, is_played, run_parlour
from tests.support.tournaments import tournament_of
from tests.support.waiting import wait_until

FIRST_TURNS = 4
"""After so many the host asks what has happened."""

SHORT_GAME = {"target": 50, "double_big_rolls": True, "five_dice_bonus": True}


def translate(code: str, text: str) -> str:
    """Return a text in a language."""
    return Catalogues().find(code).catalogue.gettext(text)


def has_text(message: Message, text: str) -> bool:
    """Return whether a message shows a text."""
    return text in message.text


@pytest.mark.slow
async def test_two_servers_play_at_once_in_their_languages(sandbox: Sandbox, tmp_path: Path) -> None:
    """In each sits a person who speaks the language of the other, and reads in it what they alone see."""
    world = sandbox.world
    there = world.add_channel(world.add_server(world.server.id + 1, "Elsewhere"), "games")
    world.server.locale = there.server.locale = "he"
    said = defaultdict[str, set[str]](set)

    def note(change: Change) -> None:
        if isinstance(change, MessageChange):
            message = change.message
            in_hebrew = message.channel is there if message.ephemeral_to is None else message.ephemeral_to == robin.id
            said["he" if in_hebrew else "de"].update(lines_of(message))

    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as parlour:
        await wait_until(lambda: len(parlour.client.guilds) == 2)
        robin, jay = parlour.robin, parlour.jay
        world.locales |= {robin.id: "he", jay.id: "de"}
        lobby = await parlour.open_table(robin, **SHORT_GAME)
        await choose_setting(robin, parlour.here, "language", "de")
        await sandbox.until(lambda: find_foreign(lines_of(lobby), "de") == [])
        world.subscribe(note)
        (other_lobby,) = (await jay.slash(there, "magpie new", **SHORT_GAME)).replies
        await asyncio.gather(play(parlour, lobby, robin, parlour.wren), play(parlour, other_lobby, jay, parlour.linnet))
    for code, person in (("de", "Jay"), ("he", "Robin")):
        assert find_foreign(said[code], code) == []
        assert any(person in line for line in said[code])
        assert said[code] >= {translate(code, text) for text in ("Join", "Play again", "Commands and settings")}


async def play(parlour: Parlour, message: Message, host: Person, guest: Person) -> None:
    """Play a game of two to its end; the host asks for help on the way."""

    async def press(person: Person, button: str) -> None:
        await person.click(message, next(custom_id for custom_id in ids_of(message) if re.search(button, custom_id)))

    await press(guest, ":join$")
    await parlour.sandbox.until(partial(has_text, message, guest.name))
    await press(host, ":start$")
    await parlour.sandbox.until(lambda: is_played(message))
    table_id, service = int(button_id(message, ROLL).split(":")[1]), parlour.client.app.service(Host).service
    await host.slash(message.channel, "help")
    while (table := await service.table(table_id)).header.status is Status.PLAYING:
        assert table.mover is not None
        before = ids_of(message)
        await press(parlour.sandbox.person(table.mover.name), "^t:.*:roll:")
        await parlour.sandbox.until(partial(has_other_buttons, message, before))
        if table.header.step == FIRST_TURNS:
            await host.slash(message.channel, "table news")


def ids_of(message: Message) -> list[str]:
    """Return the ids of a message's buttons."""
    return [button.custom_id or "" for button in message.buttons]


def has_other_buttons(message: Message, before: list[str]) -> bool:
    """Return whether a message has changed its buttons."""
    return ids_of(message) != before


async def test_direct_messages_follow_the_language_of_discord_until_their_person_chooses(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    database = tmp_path / "parlour.sqlite3"
    place = sandbox.person("Wren").direct_channel
    sandbox.world.locales[sandbox.person("Wren").id] = "de"
    german = translate("de", "Ready to start")
    async with run_parlour(sandbox, database) as parlour:
        (table,) = (await parlour.wren.slash(place, "magpie new")).replies
        assert german in table.text
        await parlour.wait_until_settled()
        assert not table.edited
        settings, server = parlour.client.app.service(SettingsCache), sandbox.world.server
        sandbox.world.set_locale(server, "fr")
        await wait_until(lambda: (known := settings.known(server.id)) and known.get(SEEN_LANGUAGE) == "fr")
    async with run_parlour(sandbox, database) as parlour:
        # Nothing has told this process who reads the table.
        await parlour.client.app.service(Host).refresh_open_tables(place.id)
        await sandbox.until(lambda: table.edited)
        assert german in table.text
        panel = await choose_setting(parlour.wren, place, "language", "fr")
        assert translate("fr", "Language") in lines_of(panel)
        await sandbox.until(partial(has_text, table, translate("fr", "Ready to start")))


async def test_a_tournament_without_a_title_is_named_in_the_language_of_each_reader(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    sandbox.world.server.locale = "de"
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as parlour:
        robin, wren, here = parlour.robin, parlour.wren, parlour.here
        sandbox.world.locales |= {robin.id: "en-GB", wren.id: "he"}
        answer = await robin.slash(here, "tournament new", game="magpie")
        await sandbox.until(lambda: "https://" in answer.text)
        message = parlour.jay.visible_messages(here)[-1]
        day = (await tournament_of(parlour)).opened_at
        names = {code: usual_name(code, day) for code in ("de", "en", "he", "es")}
        assert len(set(names.values())) == len(names)
        assert names["de"] in shown_in(message)
        for person, code in ((robin, "en"), (wren, "he")):
            for command in ("tournament list", "tournament show"):
                (read,) = (await person.slash(here, command)).replies
                assert names[code] in shown_in(read)
        await choose_setting(robin, here, "language", "es")
        await wren.click(message, str(TournamentButtonId(1, TournamentButton.JOIN)))
        await sandbox.until(lambda: names["es"] in shown_in(message))


def usual_name(code: str, day: datetime) -> str:
    """Return the name of a tournament of Magpie without a title."""
    date = format_skeleton("MMMMd", day, locale=code)
    return translate(code, "{game} tournament, {date}").format(game=translate(code, "Magpie"), date=date)


def shown_in(message: Message) -> str:
    """Return the text of a message as Discord shows it, without the signs that keep names from being Markdown."""
    return message.text.replace("\\", "")
