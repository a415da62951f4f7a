"""The whole bot, connected to a sandbox over real sockets, in this process."""

import asyncio
import importlib
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import discord
import pytest
from discord.gateway import DiscordWebSocket

import bot.platform.discord.picture_attachments
from bot.app.bootstrap import build_client
from bot.app.databases import migrate
from bot.features.settings.all_settings import direct_sections, find_setting
from bot.features.settings.kinds import SettingsSection
from bot.features.settings.messages import SettingsPagesId
from bot.pictures.rolls import RollService
from bot.pictures.service import PictureService
from bot.platform.catalogues import Catalogues
from bot.platform.clock import Clock, utc_now
from bot.platform.content import DATA
from bot.platform.database.database import Database, open_database
from bot.platform.discord.client import ParlourClient
from bot.platform.discord.emoji_sync import EmojiSync
from bot.platform.discord.run import set_api_url
from bot.platform.places import ShardRange
from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Button, Message
from bot.sandbox.people.person import Person
from bot.sandbox.validation.commands import check_commands
from bot.sandbox.wire import encode
from bot.tables.handlers.hands import ShownHands
from bot.tables.host import Host
from bot.tables.service import HostSettings
from bot.tables.table import Table
from tests.support.databases import create_schema
from tests.support.fakes import FakeClockAhead
from tests.support.fixed_randomness import fix_randomness
from tests.support.games import load_games_once
from tests.support.openapi_conformance import find_breaches
from tests.support.processes import PICTURE_FOLDER
from tests.support.refusals_page import find_unlisted
from tests.support.waiting import DEADLINE_SECONDS, PATIENT_POSTGRES, PATIENT_SQLITE, wait_until

MORE = "More …"
ROLL = "@roll"
"""The button of the safest roll of Magpie."""


def find_button(message: Message, button: str | int) -> Button:
    """Return a button, found by its place, by its label or, after an @, by the key of its control."""
    if isinstance(button, int):
        return message.buttons[button]
    if not button.startswith("@"):
        return message.button(button)
    key = button.removeprefix("@")
    return next(found for found in message.buttons if re.match(rf"t:\d+:\d+:{key}:", found.custom_id or ""))


def button_id(message: Message, button: str | int) -> str:
    """Return the id of a button."""
    found = find_button(message, button)
    assert found.custom_id is not None
    return found.custom_id


def is_played(message: Message) -> bool:
    """Return whether a message shows a table that is being played."""
    return any((button.custom_id or "").startswith("t:") for button in message.buttons)


async def choose_setting(person: Person, channel: Channel, setting: str, value: str) -> Message:
    """Choose a value in the panel of settings, and return the panel."""
    (panel,) = (await person.slash(channel, "settings show")).replies
    pages = SettingsPagesId(SettingsSection.TABLES if channel.server is not None else direct_sections()[0])
    found = find_setting(setting)
    assert found is not None
    assert found.section is not None
    await person.select(panel, str(pages), [found.section.value])
    await person.select(panel, f"S:{setting}", [value])
    return panel


def shows_step(message: Message, step: int) -> bool:
    """Whether a message shows the first table at a step, with the controls of the seat to move."""
    return any((button.custom_id or "").startswith(f"t:1:{step}:") for button in message.buttons)


@contextmanager
def point_discord_at(sandbox: Sandbox) -> Iterator[None]:
    """Point discord.py at the sandbox with generous time limits, and back afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        # Recorded here so that the values that `set_api_url` overwrites are restored.
        patch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
        patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
        patch.setattr(discord.asset.Asset, "BASE", discord.asset.Asset.BASE)
        # However busy the machine is, a picture is there in time.
        patch.setattr(bot.platform.discord.picture_attachments, "CLICK_PICTURE_SECONDS", DEADLINE_SECONDS)
        # A slow handler defers first, and answers in another way then.
        patch.setattr("bot.platform.discord.answers.DEFER_AFTER_SECONDS", DEADLINE_SECONDS)
        for limit, seconds in (PATIENT_SQLITE | PATIENT_POSTGRES).items():
            patch.setattr(limit, seconds)
        set_api_url(sandbox.api_url)
        yield


async def add_imported_cog(client: ParlourClient, name: str) -> None:
    """Add the cog of a module without executing the module again, which takes half of a start."""
    await importlib.import_module(name).setup(client)


@contextmanager
def import_cogs_once() -> Iterator[None]:
    """Let all clients share the modules of the cogs; discord.py executes them anew for each client."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ParlourClient, "load_extension", add_imported_cog)
        yield


_VALID_COMMANDS: set[str] = set()
"""The sets of commands that were found to be valid: all bots register the same, and checking takes much of a start."""


def check_new_commands(body: Any) -> None:
    """Check a set of commands, unless the same set was valid before."""
    if (commands := encode(body)) not in _VALID_COMMANDS:
        check_commands(body)
        _VALID_COMMANDS.add(commands)


def shows_moves(message: Message) -> bool:
    """Return whether a message shows a table with the moves of the player to move."""
    return any((button.custom_id or "").startswith("t:") for button in message.buttons)


class Parlour:
    """A running bot with its sandbox and its store."""

    def __init__(self, sandbox: Sandbox, client: ParlourClient, db: Database) -> None:
        self.sandbox = sandbox
        self.client = client
        self.db = db
        self.robin, self.wren, self.jay, self.linnet = map(sandbox.person, ("Robin", "Wren", "Jay", "Linnet"))
        self.here = sandbox.channel("table-one")
        self.elsewhere = sandbox.channel("table-two")

    async def open_table(self, opener: Person, /, **options: object) -> Message:
        """Open a table of Magpie and return its message."""
        answer = await opener.slash(self.here, "magpie new", **options)
        assert not answer.ephemeral, answer.text
        return answer.replies[0]

    async def start_game(self, *players: Person, **options: object) -> Message:
        """Open a table, seat everyone and start."""
        message = await self.open_table(players[0], **options)
        for player in players[1:]:
            await self.press(player, message, "Join")
        await self.press(players[0], message, "Start" if len(players) > 1 else "Start with Rusty")
        await self.sandbox.until(lambda: shows_moves(message))
        return message

    async def press(self, who: Person, message: Message, label: str) -> Interaction:
        """Press a button as soon as the message shows it, or *More …* and the button behind it."""
        with suppress(TimeoutError):
            await self.sandbox.until(lambda: _offers(message, label) or _offers(message, MORE))
        if not _offers(message, label):
            opened = await who.click(message, button_id(message, MORE))
            await self.sandbox.until(lambda: bool(opened.replies))
            message = opened.replies[-1]
        return await who.click(message, button_id(message, label))

    async def open_more(self, who: Person, message: Message) -> Message:
        """Press *More …* and return the private message with the further buttons, which some of them change."""
        (more,) = (await self.press(who, message, "More …")).replies
        return more

    async def open_options(self, who: Person, message: Message) -> Message:
        """Open the panel of options."""
        panel = await self.open_more(who, message)
        await self.press(who, panel, "Options")
        return panel

    async def table(self, channel: Channel | None = None) -> Table:
        """Return the open table of a channel, or else a person's solo game there, as the host has it."""
        service, place = self.client.app.service(Host).service, channel or self.here
        for solo_id in (0, *(person.id for person in (self.robin, self.wren, self.jay))):
            if (table := await service.open_table_in(place.id, solo_id)) is not None:
                return table
        raise AssertionError("no table is open here")

    async def mover(self) -> Person:
        """Return the person whose turn it is."""
        table = await self.table()
        assert table.mover is not None
        return self.sandbox.person(table.mover.name)

    def advance_clock(self, *, minutes: float) -> None:
        """Let time go by on the bot's clock."""
        service = self.client.app.service(Host).service
        service.clock = FakeClockAhead(service.clock() + timedelta(minutes=minutes) - utc_now())

    async def wait_until_shown(self, table_id: int = 1) -> None:
        """Wait until every change of a table is shown or has failed."""
        await self.client.app.service(Host).service.table(table_id)
        await wait_until(lambda: _is_shown(self.client.app.service(Host).service.cache.get(table_id)))

    async def wait_until_settled(self) -> None:
        """Wait until everything that was decided is shown."""
        await self.client.app.service(Host).publisher.close()
        await self.client.app.service(ShownHands).close(DEADLINE_SECONDS)

    async def show_now(self) -> None:
        """Let the publisher show everything that waits for its time, and wait until that is done."""
        await self.client.app.service(Host).publisher.tasks.finish()

    async def wait_until_tips_are_loaded(self) -> None:
        """Wait until what tips depend on is loaded, which happens in the background."""
        loading = [task for task in asyncio.all_tasks() if task.get_name().startswith(("person ", "tips "))]
        await asyncio.gather(*loading)


def _offers(message: Message, label: str) -> bool:
    with suppress(LookupError, StopIteration):
        return not find_button(message, label).disabled
    return False


def _is_shown(table: Table | None) -> bool:
    return table is not None and table.header.published == table.header.revision


@cache
def shared_picture_service() -> PictureService:
    """Return the one studio of this process, which keeps its art where the bots of all runs find it."""
    surfaces = {key: package.look.surface for key, package in load_games_once().items()}
    return PictureService(DATA, PICTURE_FOLDER, surfaces)


async def prepare_picture_service() -> PictureService:
    """Return the picture service with the art of the standard theme; that of another is drawn when it is needed."""
    await shared_picture_service().prepare()
    return shared_picture_service()


@asynccontextmanager
async def run_sandbox(port: int = 0) -> AsyncIterator[Sandbox]:
    """Run a sandbox until the block ends, then check all requests: Discord's description and our page list them."""
    sandbox = Sandbox(port, deadline=DEADLINE_SECONDS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.sandbox.rest.application.check_commands", check_new_commands)
        await sandbox.start()
        yield sandbox
        await sandbox.stop()
    assert not (found := find_breaches(sandbox.requests, of_the_bot=True)), "\n".join(found)
    assert not (unlisted := find_unlisted(sandbox.requests)), f"docs/architecture.md#what-discord-refuses: {unlisted}"


@asynccontextmanager
async def run_parlour(
    sandbox: Sandbox,
    database: Path | str,
    *,
    pause: float = 0,
    dice_are_steady: bool = True,
    emoji_sync: EmojiSync | None = None,
    shards: ShardRange | None = None,
    clock: Clock | None = None,
    pictures: PictureService | None = None,
    rolls: RollService | None = None,
    catalogues: Catalogues | None = None,
    user_install: bool = False,
) -> AsyncIterator[Parlour]:
    """Run the bot on a database, an SQLite file or one with an address, until the block ends.

    The dice are the same in every run, unless a test is about what makes them fair. There may be another clock than
    this machine's, and something else than pictures.
    """
    if isinstance(database, Path):
        create_schema(database)
    db = open_database(database if isinstance(database, str) else f"sqlite+aiosqlite:///{database}")
    await migrate(db)
    pictures = pictures or await prepare_picture_service()
    settings = HostSettings(computer_pause=pause)
    client = build_client(
        db,
        load_games_once(),
        settings,
        pictures=pictures,
        rolls=rolls,
        emoji_sync=emoji_sync,
        catalogues=catalogues,
        user_install=user_install,
    )
    if clock is not None:
        client.app.service(Host).service.clock = clock
    if shards is not None:
        db.shards = shards
        client.use_shards(shards)
    fixed = fix_randomness(client.app.service(Host)) if dice_are_steady else nullcontext()
    with point_discord_at(sandbox), import_cogs_once(), fixed:
        running = asyncio.create_task(client.start(sandbox.token))
        try:
            online = asyncio.create_task(sandbox.until(lambda: sandbox.bot_online))
            await asyncio.wait({running, online}, return_when=asyncio.FIRST_COMPLETED)
            assert online.done(), running
            online.result()
            yield Parlour(sandbox, client, db)
        finally:
            # On a busy machine, half a second may not be enough to store what is shown.
            with patch("bot.tables.host.WRITE_SECONDS", DEADLINE_SECONDS):
                await client.close()
            await asyncio.wait({running}, timeout=30)
            await db.close()
