"""Commands are sent to Discord only when they have changed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from babel.messages import Catalog
from babel.messages.pofile import write_po
from discord import app_commands

from bot.app.bootstrap import build_client
from bot.features.new_tables.commands import MAX_DESCRIPTION
from bot.platform.catalogues import Catalogues
from bot.platform.database.errors import StoreUnavailable
from bot.platform.database.sql import get_value
from bot.platform.discord.command_sync import sync_commands, sync_commands_if_possible
from bot.platform.discord.command_texts import LOCALES, describe_commands
from bot.sandbox.validation.commands import check_commands
from bot.tables.registry import GameRegistry
from tests.support.each_case import each_case
from tests.support.fakes import GAMES
from tests.support.games import load_games_once
from tests.support.login import log_in
from tests.support.memory_database import MemoryDatabase
from tests.ui.fake_interactions import BAD_REQUEST, MISSING_ACCESS, SERVER_ERROR, make_http_error

APPLICATION = 42

ENGLISH_ALONE = Catalogues(Path(__file__).parent)
"""A folder without catalogues."""


class FakeDiscord:
    """The requests about commands, answered from memory."""

    def __init__(self) -> None:
        self.lists: dict[int | None, list[dict[str, Any]]] = {}
        self.sent: list[int | None] = []
        self.faults: dict[int | None, Exception] = {}
        """What telling a place fails with."""

    def replace(self, place: int | None, payload: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if place in self.faults:
            raise self.faults[place]
        self.sent.append(place)
        self.lists[place] = [
            {**command, "id": str(at), "application_id": str(APPLICATION), "version": "1"}
            for at, command in enumerate(payload, 1)
        ]
        return self.lists[place]

    async def get_global_commands(self, application_id: int) -> list[dict[str, Any]]:
        return self.lists.get(None, [])

    async def get_guild_commands(self, application_id: int, guild_id: int) -> list[dict[str, Any]]:
        return self.lists.get(guild_id, [])

    async def bulk_upsert_global_commands(self, application_id: int, payload: Any) -> list[dict[str, Any]]:
        return self.replace(None, payload)

    async def bulk_upsert_guild_commands(
        self, application_id: int, guild_id: int, payload: Any
    ) -> list[dict[str, Any]]:
        return self.replace(guild_id, payload)


REQUESTS = (
    "get_global_commands",
    "get_guild_commands",
    "bulk_upsert_global_commands",
    "bulk_upsert_guild_commands",
)
Tree = app_commands.CommandTree[Any]


@pytest.fixture
def discords() -> FakeDiscord:
    return FakeDiscord()


async def make_tree(db: MemoryDatabase, discords: FakeDiscord, games: GameRegistry = GAMES) -> Tree:
    """The real commands of the real client, as a new process has them."""
    client = build_client(db, games)
    with pytest.MonkeyPatch.context() as patch:
        # The setup would register the commands already.
        patch.setattr(client, "setup_hook", client.load_cogs)
        await log_in(client, APPLICATION, patch)
    for name in REQUESTS:
        setattr(client.http, name, getattr(discords, name))
    return client.tree


@pytest.fixture
async def tree(db: MemoryDatabase, discords: FakeDiscord) -> Tree:
    return await make_tree(db, discords)


async def test_the_first_start_sends_all_commands(
    tree: Tree, db: MemoryDatabase, discords: FakeDiscord, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bot.platform.discord.command_sync")
    assert await sync_commands(tree, db, APPLICATION, None, ENGLISH_ALONE)
    assert discords.sent == [None]
    assert {command["name"] for command in discords.lists[None]} == {command.name for command in tree.get_commands()}
    assert f"synced {len(discords.lists[None])} commands" in caplog.text


async def test_unchanged_commands_are_not_sent_again(
    tree: Tree, db: MemoryDatabase, discords: FakeDiscord, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bot.platform.discord.command_sync")
    await sync_commands(tree, db, APPLICATION, None, ENGLISH_ALONE)
    again = await make_tree(db, discords)
    for command in reversed(again.get_commands()):
        again.remove_command(command.name)
        again.add_command(command)
    assert not await sync_commands(again, db, APPLICATION, None, ENGLISH_ALONE)
    assert discords.sent == [None]
    assert "commands are unchanged" in caplog.text


async def test_a_changed_command_is_sent(tree: Tree, db: MemoryDatabase, discords: FakeDiscord) -> None:
    await sync_commands(tree, db, APPLICATION, None, ENGLISH_ALONE)
    changed = await make_tree(db, discords)
    command = changed.get_command("help")
    assert isinstance(command, app_commands.Command)
    command.description = "Another description"
    assert await sync_commands(changed, db, APPLICATION, None, ENGLISH_ALONE)
    assert not await sync_commands(changed, db, APPLICATION, None, ENGLISH_ALONE)
    assert discords.sent == [None, None]


def make_catalogues(folder: Path, texts: dict[str, str]) -> Catalogues:
    """Return a language with a few texts."""
    catalogue = Catalog(locale="es")
    for text, translation in texts.items():
        catalogue.add(text, translation)
    with (folder / "es.po").open("wb") as file:
        write_po(file, catalogue)
    return Catalogues(folder)


SPANISH = {
    "Magpie": "La urraca",
    "Which game": "Qué juego",
    "Round robin": "Liga",
    "What Parlour is and how to start a game": "Qué es Parlour",
    "{game}: {summary}": "Juega a {game}. {summary}",
}


async def test_descriptions_and_choices_are_sent_in_every_language(
    tree: Tree, db: MemoryDatabase, discords: FakeDiscord, tmp_path: Path
) -> None:
    await sync_commands(tree, db, APPLICATION, None, make_catalogues(tmp_path, SPANISH))
    commands = {command["name"]: command for command in discords.lists[None]}
    spoken = dict.fromkeys(("es-ES", "es-419"), "Qué es Parlour")
    assert commands["help"]["description_localizations"] == spoken
    (new,) = [each for each in commands["magpie"]["options"] if each["name"] == "new"]
    assert new["description_localizations"]["es-419"].startswith("Juega a La urraca. Five dice")
    (new,) = [each for each in commands["tournament"]["options"] if each["name"] == "new"]
    options = {each["name"]: each for each in new["options"]}
    assert options["game"]["description_localizations"]["es-ES"] == "Qué juego"
    choices = {each["value"]: each.get("name_localizations") for each in options["format"]["choices"]}
    assert choices["round_robin"] == dict.fromkeys(("es-ES", "es-419"), "Liga")
    assert all("name_localizations" not in each for each in (*commands.values(), *options.values()))
    check_commands(discords.lists[None])


async def test_a_changed_translation_is_sent_once(
    tree: Tree, db: MemoryDatabase, discords: FakeDiscord, tmp_path: Path
) -> None:
    for number, text in enumerate(("Qué juego", "Qué juego", "Cuál juego"), 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        has_changed = await sync_commands(tree, db, APPLICATION, None, make_catalogues(folder, {"Which game": text}))
        assert has_changed == (number != 2)
    assert discords.sent == [None, None]


async def test_the_commands_are_within_limits_and_complete_in_every_language(
    db: MemoryDatabase, discords: FakeDiscord
) -> None:
    """Of each text, Discord counts the language in which it is longest."""
    tree, catalogues = await make_tree(db, discords, load_games_once()), Catalogues()
    payload = await describe_commands(tree, None, catalogues)
    for code in catalogues.codes[1:]:
        locale = next(each for each in LOCALES if catalogues.find_code(each) == code)
        texts = list(find_texts(payload, locale))
        # Some languages say 10 minutes as English does.
        sentences = [(english, spoken) for english, spoken in texts if " " in english and english[0].isalpha()]
        assert [english for english, spoken in sentences if not spoken] == [], code
        assert [spoken for _, spoken in texts if len(spoken) > MAX_DESCRIPTION] == [], code
    check_commands(payload)


def find_texts(parts: list[dict[str, Any]], locale: str) -> Iterator[tuple[str, str]]:
    """Yield the texts with their translations; those that are the same in a language have none."""
    for part in parts:
        name = "name" if "value" in part else "description"
        yield part[name], part.get(f"{name}_localizations", {}).get(locale, "")
        yield from find_texts([*part.get("options", ()), *part.get("choices", ())], locale)


async def test_a_removed_command_is_sent(tree: Tree, db: MemoryDatabase, discords: FakeDiscord) -> None:
    await sync_commands(tree, db, APPLICATION, None, ENGLISH_ALONE)
    tree.remove_command("help")
    assert await sync_commands(tree, db, APPLICATION, None, ENGLISH_ALONE)
    assert "help" not in {command["name"] for command in discords.lists[None]}


@pytest.mark.parametrize("damage", [list.clear, list.pop])
async def test_commands_deleted_elsewhere_are_sent_again(
    tree: Tree, db: MemoryDatabase, discords: FakeDiscord, damage: Any
) -> None:
    await sync_commands(tree, db, APPLICATION, None, ENGLISH_ALONE)
    damage(discords.lists[None])
    assert await sync_commands(tree, db, APPLICATION, None, ENGLISH_ALONE)
    assert len(discords.lists[None]) == len(tree.get_commands())


async def test_each_application_has_its_own_notes(tree: Tree, db: MemoryDatabase, discords: FakeDiscord) -> None:
    await sync_commands(tree, db, APPLICATION, None, ENGLISH_ALONE)
    assert await sync_commands(tree, db, APPLICATION + 1, None, ENGLISH_ALONE)
    assert len(discords.sent) == 2


async def test_commands_can_be_limited_to_one_server(tree: Tree, db: MemoryDatabase, discords: FakeDiscord) -> None:
    assert await sync_commands(tree, db, APPLICATION, 7, ENGLISH_ALONE)
    assert not await sync_commands(await make_tree(db, discords), db, APPLICATION, 7, ENGLISH_ALONE)
    assert discords.sent == [7]


@pytest.mark.parametrize("then", [None, 8], ids=["everywhere", "another server"])
async def test_a_server_with_its_own_commands_lists_nothing_twice_afterwards(
    tree: Tree, db: MemoryDatabase, discords: FakeDiscord, then: int | None
) -> None:
    await sync_commands(tree, db, APPLICATION, 7, ENGLISH_ALONE)
    for _ in range(2):
        await sync_commands(await make_tree(db, discords), db, APPLICATION, then, ENGLISH_ALONE)
    assert discords.sent == [7, 7, then]
    assert discords.lists[7] == []
    assert len(discords.lists[then]) == len(tree.get_commands())
    assert await sync_commands(await make_tree(db, discords), db, APPLICATION, 7, ENGLISH_ALONE)
    assert len(discords.lists[7]) == len(tree.get_commands())


@pytest.mark.parametrize("fault", [MISSING_ACCESS, make_http_error(discord.NotFound, 404, 10004)], ids=repr)
async def test_a_server_that_the_bot_has_left_is_skipped(
    tree: Tree, db: MemoryDatabase, discords: FakeDiscord, fault: Exception
) -> None:
    await sync_commands(tree, db, APPLICATION, 7, ENGLISH_ALONE)
    discords.faults[7] = fault
    assert await sync_commands(await make_tree(db, discords), db, APPLICATION, None, ENGLISH_ALONE)
    assert not await sync_commands(await make_tree(db, discords), db, APPLICATION, None, ENGLISH_ALONE)
    assert discords.sent == [7, None]


async def test_a_failed_removal_is_repeated_at_the_next_start(
    tree: Tree, db: MemoryDatabase, discords: FakeDiscord
) -> None:
    await sync_commands(tree, db, APPLICATION, 7, ENGLISH_ALONE)
    discords.faults[7] = SERVER_ERROR
    with pytest.raises(discord.HTTPException):
        await sync_commands(await make_tree(db, discords), db, APPLICATION, None, ENGLISH_ALONE)
    discords.faults.clear()
    assert await sync_commands(await make_tree(db, discords), db, APPLICATION, None, ENGLISH_ALONE)
    assert discords.sent == [7, 7, None]


async def test_a_failed_sync_is_repeated(tree: Tree, db: MemoryDatabase, discords: FakeDiscord) -> None:
    discords.faults[None] = SERVER_ERROR
    with pytest.raises(discord.HTTPException):
        await sync_commands(tree, db, APPLICATION, None, ENGLISH_ALONE)
    discords.faults.clear()
    assert await sync_commands(tree, db, APPLICATION, None, ENGLISH_ALONE)


REFUSALS = [
    MISSING_ACCESS,
    SERVER_ERROR,
    BAD_REQUEST,
    make_http_error(discord.HTTPException, 400, 30034),
    discord.RateLimited(86_400.0),
    aiohttp.ServerDisconnectedError(),
    TimeoutError(),
    KeyError("id"),
    json.JSONDecodeError("no JSON", "", 0),
    TypeError("null"),
]


@each_case("fault", REFUSALS)
async def test_commands_that_discord_does_not_take_are_told_of_and_left_as_they_are(
    tree: Tree, db: MemoryDatabase, discords: FakeDiscord, caplog: pytest.LogCaptureFixture, fault: Exception
) -> None:
    caplog.clear()
    discords.faults = {None: fault, 7: fault}
    for place in (None, 7):
        await sync_commands_if_possible(tree, db, APPLICATION, place, ENGLISH_ALONE)
    assert sum("people keep the old ones" in each for each in caplog.messages) == 2
    assert sum("DEV_GUILD_ID" in each for each in caplog.messages) == isinstance(fault, discord.Forbidden)
    assert not discords.sent
    caplog.clear()


async def test_a_fault_of_the_database_ends_the_start(tree: Tree, db: MemoryDatabase) -> None:
    db.broken = {get_value}
    with pytest.raises(StoreUnavailable):
        await sync_commands_if_possible(tree, db, APPLICATION, None, ENGLISH_ALONE)
