"""The whole bot, connected to a sandbox over real sockets, in this process."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from datetime import timedelta
from functools import cache
from pathlib import Path

import discord
import pytest
from discord.gateway import DiscordWebSocket

import bot.ui.delivery.picture_attachments
from bot.content import DATA
from bot.pictures.service import Studio
from bot.rules.picture import Theme
from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.store.store import SqlStore
from bot.tables.clock import utc_now
from bot.tables.registry import Registry, load_games
from bot.tables.table import Table
from bot.ui.client.client import ParlourClient
from bot.ui.client.endpoints import point_at
from tests.support.databases import put_schema
from tests.support.described import breaches
from tests.support.dice import steady
from tests.support.fakes import ClockAhead, until
from tests.support.patience import DEADLINE_SECONDS


def id_of(message: Message, button: str | int) -> str:
    """Return the id of a button, found by its place or by its label."""
    found = message.buttons[button] if isinstance(button, int) else message.button(button)
    assert found.custom_id is not None
    return found.custom_id


def shows(message: Message, step: int) -> bool:
    """Whether a message shows the first table there is as it stands at a step, to whoever is to move."""
    return any((button.custom_id or "").startswith(f"t:1:{step}:") for button in message.buttons)


@contextmanager
def pointed_at(sandbox: Sandbox) -> Iterator[None]:
    """Point discord.py at the sandbox, where nobody is in a hurry, and back afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        # What `point_at` overwrites is noted here first, so that it is put back.
        patch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
        patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
        patch.setattr(discord.asset.Asset, "BASE", discord.asset.Asset.BASE)
        # However busy the machine is, a picture is there in time.
        patch.setattr(bot.ui.delivery.picture_attachments, "_IN_TIME_SECONDS", DEADLINE_SECONDS)
        # Whoever is slow asks for time first, and answers in another way then.
        patch.setattr("bot.ui.interactions.responses._PATIENCE_SECONDS", DEADLINE_SECONDS)
        point_at(sandbox.api_url)
        yield


class Parlour:
    """A running bot with its sandbox and its store."""

    def __init__(self, sandbox: Sandbox, client: ParlourClient, store: SqlStore) -> None:
        self.sandbox = sandbox
        self.client = client
        self.store = store
        self.robin, self.wren, self.jay, self.linnet = map(sandbox.person, ("Robin", "Wren", "Jay", "Linnet"))
        self.here = sandbox.channel("table-one")
        self.elsewhere = sandbox.channel("table-two")

    async def opened(self, opener: Person, /, **options: object) -> Message:
        """Open a table of Magpie and return its message."""
        answer = await opener.slash(self.here, "magpie new", **options)
        assert not answer.ephemeral, answer.text
        return answer.replies[0]

    async def started(self, *players: Person, **options: object) -> Message:
        """Open a table, seat everybody and start."""
        message = await self.opened(players[0], **options)
        for player in players[1:]:
            await self.press(player, message, "Join")
        await self.press(players[0], message, "Start" if len(players) > 1 else "Play the computer")
        await self.sandbox.until(lambda: "to roll" in message.text)
        return message

    async def press(self, who: Person, message: Message, label: str) -> Interaction:
        """Press the button that carries the label, as soon as the message shows it: an edit may be under way."""
        with suppress(TimeoutError):
            await self.sandbox.until(lambda: _offers(message, label))
        return await who.click(message, id_of(message, label))

    async def table(self, channel: Channel | None = None) -> Table:
        """Return the open table of a channel as the host has it."""
        table = await self.client.host.service.table_in((channel or self.here).id)
        assert table is not None
        return table

    async def mover(self) -> Person:
        """Return the person whose turn it is."""
        table = await self.table()
        assert table.mover is not None
        return self.sandbox.person(table.mover.name)

    def later(self, *, minutes: float) -> None:
        """Let time go by on the bot's clock."""
        service = self.client.host.service
        service.clock = ClockAhead(service.clock() + timedelta(minutes=minutes) - utc_now())

    async def caught_up(self, table_id: int = 1) -> None:
        """Wait until nothing is left to show of a table, or it could not be shown; the bot goes on as before."""
        await self.client.host.service.table(table_id)
        await until(lambda: _is_shown(self.client.host.service._cache.get(table_id)))

    async def settled(self) -> None:
        """Wait until everything that was decided is shown."""
        await self.client.host.publisher.close()


def _offers(message: Message, label: str) -> bool:
    return any(label in button.label or label == button.emoji for button in message.buttons)


def _is_shown(table: Table | None) -> bool:
    return table is not None and table.header.published == table.header.revision


@cache
def games() -> Registry:
    """Return the games with their content, which is read once for all tests."""
    return load_games()


@cache
def studio() -> Studio:
    """Return the one studio of this process: its art is made once for all tests."""
    return Studio(DATA)


async def prepared_studio() -> Studio:
    """Return the studio with everything at hand, so that no picture of a test is late."""
    for theme in Theme:
        await studio().prepare(theme)
    return studio()


@asynccontextmanager
async def in_order() -> AsyncIterator[Sandbox]:
    """Run a sandbox until the block ends; by then, whatever the bot asked for must fit Discord's description."""
    sandbox = Sandbox(deadline=DEADLINE_SECONDS)
    await sandbox.start()
    yield sandbox
    await sandbox.stop()
    assert not (found := breaches(sandbox.requests, of_the_bot=True)), "\n".join(found)


@asynccontextmanager
async def connected(
    sandbox: Sandbox, database: Path | str, *, pause: float = 0, dice_are_steady: bool = True
) -> AsyncIterator[Parlour]:
    """Run the bot on a database, an SQLite file or one with an address, until the block ends.

    The dice are the same in every run, unless a test is about what makes them fair.
    """
    if isinstance(database, Path):
        put_schema(database)
    store = SqlStore(database if isinstance(database, str) else f"sqlite+aiosqlite:///{database}")
    await store.upgrade()
    client = ParlourClient(store, games(), pause=pause, painter=await prepared_studio())
    with pointed_at(sandbox), steady(client.host) if dice_are_steady else nullcontext():
        running = asyncio.create_task(client.start(sandbox.token))
        try:
            online = asyncio.create_task(sandbox.until(lambda: sandbox.bot_online))
            await asyncio.wait({running, online}, return_when=asyncio.FIRST_COMPLETED)
            assert online.done(), running
            online.result()
            yield Parlour(sandbox, client, store)
        finally:
            await client.close()
            await asyncio.wait({running}, timeout=30)
            await store.close()
