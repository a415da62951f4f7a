"""Cost of a click: Parlour, which saves a move, compared with a bare bot, which saves nothing."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import PICTURES
from bot.features.settings.choices import PictureChoice
from bot.games.magpie.pieces import MagpieOptions
from bot.pictures.service import PictureService
from bot.platform.content import DATA
from bot.platform.database.database import Database
from bot.platform.discord.content import MessageContent
from bot.platform.places import Location, Person
from bot.rules.picture import Theme
from bot.rules.screen import EMPTY_DRAFT
from bot.sandbox.wire import Json
from bot.settings import child_environment
from bot.tables import storage as table_storage
from bot.tables.model import PublishedRevision, Status
from bot.tables.opening import open_game
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.bench.click_sandbox import ClickSandbox
from tests.bench.databases import open_migrated
from tests.bench.measured_clicks import ClickCosts, MeasuredClicks
from tests.bench.processes import (
    PARLOUR,
    memory_mib,
    parlour_environment,
    pin_to_processor,
    ready_parlour_command,
    run_bot,
    run_sandbox,
    wait_until_idle,
)
from tests.support.fakes import ALL_FIVE, GAMES, ROBIN, WREN, make_table
from tests.support.rendering import render_game
from tests.support.responses import apply_text

TABLES = 50
IN_A_ROW = 8
"""Clicks per table and round, one after another; too few to end a game.

After each click at every table it is another bot's turn: the machine is slower in some seconds than in others.
"""
AT_ONCE = 12
"""Clicks per table and round while all tables are clicked at once."""
WARM_UP = 3

BARE = "bare discord.py"
DRAWN = "draws a picture"
READY = "posts one and the same ready file"
IN_WORDS = "posts no picture"

Addresses: TypeAlias = dict[str, Callable[[], str]]
_FIRST_MESSAGE = 500_000
_FIRST_CHANNEL = 700_000
_FIRST_PERSON = 900_000
_NAMES = (ROBIN.name, WREN.name)


@dataclass(slots=True)
class ShownMessage:
    """A message and its present buttons."""

    message: Json
    custom_id: str
    name: str
    """The user to click."""

    def apply_payload(self, data: Json) -> None:
        """Update the message from the bot's answer."""
        buttons = (each for row in data["components"] for each in row["components"])
        label = self.label_of(self.custom_id)
        self.custom_id = next(each["custom_id"] for each in buttons if self.label_of(each["custom_id"]) == label)
        title = data["embeds"][0]["title"]
        self.name = next((name for name in _NAMES if name in title), self.name)

    @property
    def person_id(self) -> int:
        """The user to click. Each table has its own people, because one user does not click at fifty tables."""
        return person_at(int(self.message["channel_id"]) - _FIRST_CHANNEL, self.name).id

    @staticmethod
    def label_of(custom_id: str) -> list[str]:
        """Return the part of an id that names the button, if it is one of the game's."""
        return custom_id.split(":")[3:4]

    @property
    def step(self) -> int:
        """The number of moves made."""
        return int(self.custom_id.split(":")[2])


@dataclass(slots=True)
class MeasuredBot:
    """A bot in its own process, with its messages."""

    exchange: ClickSandbox
    process_id: int
    boards: list[ShownMessage]
    row: MeasuredClicks = field(default_factory=MeasuredClicks)
    once: MeasuredClicks = field(default_factory=MeasuredClicks)

    async def click(self, board: ShownMessage) -> float:
        """Click, wait for the answer and return the time taken in milliseconds."""
        began, step = asyncio.get_running_loop().time(), board.step
        answer = await self.exchange.click(board.message, board.person_id, board.name, board.custom_id)
        board.apply_payload(answer.body["data"])
        if board.step != step + 1:
            raise RuntimeError(f"a click on step {step} was answered with step {board.step}")
        return 1000 * (answer.at - began)

    async def click_sequentially(self) -> None:
        """Click every table, one after another."""

        async def clicks() -> list[float]:
            return [await self.click(board) for board in self.boards]

        await self.row.add(self.process_id, clicks())

    async def click_concurrently(self, times: int) -> None:
        """Click all tables at once, a number of times."""
        await self.once.add(self.process_id, self.click_all(self.boards, times))

    async def click_all(self, boards: Sequence[ShownMessage], times: int) -> list[float]:
        """Click some tables at once, each again as soon as it is answered; return the milliseconds of every click."""

        async def each(board: ShownMessage) -> list[float]:
            return [await self.click(board) for _ in range(times)]

        return [one for taken in await asyncio.gather(*map(each, boards)) for one in taken]

    def costs(self) -> ClickCosts:
        """Return the costs of all clicks."""
        return ClickCosts(self.row.cost(), self.once.cost(), memory_mib(self.process_id))


def person_at(number: int, name: str) -> Person:
    """Return one of the two people at a table, by the table's number."""
    return Person(_FIRST_PERSON + 2 * number + _NAMES.index(name), name)


async def measure_clicks(addresses: Addresses, rounds: int, folder: Path) -> dict[str, ClickCosts]:
    """Measure the bare bot and Parlour on each database, without pictures."""
    async with AsyncExitStack() as stack:
        contenders = {
            name: await stack.enter_async_context(run_parlour(address(), None)) for name, address in addresses.items()
        }
        sample = next(iter(contenders.values())).boards
        contenders[BARE] = await stack.enter_async_context(run_bare_bot(folder, sample, None))
        return await measure_in_turn(contenders, rounds)


async def measure_clicks_with_pictures(
    address: Callable[[], str], rounds: int, folder: Path, theme: Theme = Theme.STANDARD
) -> dict[str, ClickCosts]:
    """Measure Parlour with drawn, ready and no pictures, and the bare bot.

    The bare bot posts the same ready file as Parlour where nothing is drawn.
    """
    file = await _render_sample_picture(folder, theme)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        contenders = {
            DRAWN: await enter(run_parlour(address(), theme)),
            READY: await enter(run_parlour(address(), theme, ready_parlour_command(file))),
            IN_WORDS: await enter(run_parlour(address(), None)),
        }
        contenders[BARE] = await enter(run_bare_bot(folder, contenders[DRAWN].boards, file))
        return await measure_in_turn(contenders, rounds)


async def measure_in_turn(contenders: dict[str, MeasuredBot], rounds: int) -> dict[str, ClickCosts]:
    """Let contenders take turns, so that other load affects all."""
    with pin_to_processor(0, min(os.sched_getaffinity(0))):
        # A bot draws its art and prepares its games after it is ready: many clicks at once would wait too long for it.
        for each in contenders.values():
            await wait_until_idle(each.process_id)
        for each in contenders.values():
            await each.click_all(each.boards, WARM_UP)
        for each in contenders.values():
            await wait_until_idle(each.process_id)
        for _ in range(rounds):
            for each in IN_A_ROW * list(contenders.values()):
                await each.click_sequentially()
            for each in contenders.values():
                await each.click_concurrently(AT_ONCE)
    return {name: each.costs() for name, each in contenders.items()}


@asynccontextmanager
async def run_parlour(
    address: str, theme: Theme | None, command: tuple[str, ...] = PARLOUR, *, locale: str = "en-US"
) -> AsyncIterator[MeasuredBot]:
    """Run Parlour with games of Magpie under way, in a server of some language."""
    tables = await _open_tables(address, theme)
    async with run_sandbox(ClickSandbox()) as exchange:
        exchange.world.server.locale = locale
        boards = [_make_shown_message(exchange, table) for table in tables]
        async with _run_measured(exchange, command, parlour_environment(exchange, address), boards) as running:
            yield running


@asynccontextmanager
async def run_bare_bot(folder: Path, like: Sequence[ShownMessage], file: Path | None) -> AsyncIterator[MeasuredBot]:
    """Run a bare bot whose answers are as large as the messages of these boards, and carry a file if there is one."""
    async with run_sandbox(ClickSandbox()) as exchange:
        order = folder / "bare_bot.json"
        shown = like[0].message
        rows = [[_strip_button(each) for each in row["components"]] for row in shown["components"]]
        embed = {key: value for key, value in shown["embeds"][0].items() if key != "image"}
        parts: Json = {"api_url": exchange.api_url, "token": exchange.token, "embed": embed, "rows": rows}
        parts["file"] = None if file is None else str(file)
        order.write_text(json.dumps(parts), encoding="utf-8")
        command = (sys.executable, "-m", "tests.bench.bare_bot", str(order))
        boards = [ShownMessage(each.message, each.custom_id, each.name) for each in like]
        async with _run_measured(exchange, command, child_environment(), boards) as running:
            yield running


@asynccontextmanager
async def _run_measured(
    exchange: ClickSandbox, command: tuple[str, ...], environment: dict[str, str], boards: list[ShownMessage]
) -> AsyncIterator[MeasuredBot]:
    """Run a bot on a processor of its own until the block ends."""
    async with run_bot(exchange, command, environment) as process:
        with pin_to_processor(process.pid, max(os.sched_getaffinity(0))):
            yield MeasuredBot(exchange, process.pid, boards)


def _strip_button(button: Json) -> Json:
    key = ":".join(str(button["custom_id"]).split(":")[3:]) or str(button["custom_id"])
    return {"label": button["label"], "style": button["style"], "key": key}


async def _render_sample_picture(folder: Path, theme: Theme) -> Path:
    """Draw the picture of a table after some rolls."""
    table = make_table(status=Status.PLAYING)
    while table.header.step < IN_A_ROW:
        table = apply_text(table, table.header.to_move or 0, ALL_FIVE)
    assert table.package.look.build_picture is not None
    studio = PictureService(DATA)
    drawn = await studio.draw(table.package.look.build_picture(table.state, table.recent_events_for(None), ()), theme)
    studio.close()
    file = folder / drawn.name
    file.write_bytes(drawn.data)
    return file


async def _open_tables(address: str, theme: Theme | None) -> list[Table]:
    async with open_migrated(address) as db:
        choice = PictureChoice.OFF if theme is None else PictureChoice(theme)
        await db.write(setting_storage.change, ClickSandbox().world.server.id, PICTURES, lambda _: choice)
        service = TableService(db, GAMES)
        return [await _start_table(service, db, number) for number in range(TABLES)]


async def _start_table(service: TableService, db: Database, number: int) -> Table:
    place = Location(ClickSandbox().world.server.id, _FIRST_CHANNEL + number)
    options = MagpieOptions(target=500)
    robin, wren = (person_at(number, name) for name in _NAMES)
    table = await open_game(service, "magpie", options, robin, place, click_id=10 * number + 1)
    await service.join(table.id, wren, 10 * number + 2)
    table = await service.start(table.id, robin, 10 * number + 3)
    await db.maintain(
        table_storage.mark_published, [PublishedRevision(table.id, table.header.revision, _FIRST_MESSAGE + number)]
    )
    return table


def _make_shown_message(exchange: ClickSandbox, table: Table) -> ShownMessage:
    number = table.header.location.channel_id - _FIRST_CHANNEL
    frame = render_game(table, EMPTY_DRAFT)
    message = exchange.message(_FIRST_MESSAGE + number, table.header.location.channel_id, message_payload(frame))
    rolls = [press.custom_id for row in frame.rows for press in row if ":roll:" in press.custom_id]
    assert table.mover is not None
    return ShownMessage(message, rolls[0], table.mover.name)


def message_payload(frame: MessageContent) -> Json:
    """Return what a message consists of, without its picture."""
    view = frame.view()
    assert view is not None
    components: list[Any] = view.to_components()
    return {"embeds": [frame.text_embed_json], "components": components}
