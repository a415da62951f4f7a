"""What a click costs: Parlour, which saves a move, beside a bare bot, which saves nothing."""

import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any, TypeAlias

from bot.content import DATA
from bot.games.magpie.pieces import MagpieOptions
from bot.pictures.service import Studio
from bot.rules.picture import Theme
from bot.rules.screen import EMPTY_DRAFT
from bot.sandbox.wire import Json
from bot.settings import child_environment
from bot.store.store import SqlStore
from bot.tables.model import Person, Place, Preferences, Published, Status
from bot.tables.runtime.service import TableService
from bot.tables.table import Table, moved
from bot.ui.render.message import Frame
from bot.ui.render.table_message import game_frame
from tests.bench.exchange import Exchange
from tests.bench.processes import (
    PARLOUR,
    mib,
    parlour_environment,
    processor_seconds,
    ready_parlour_command,
    running,
    settled,
)
from tests.support.fakes import ALL_FIVE, GAMES, ROBIN, WREN, a_table

TABLES = 50
IN_A_ROW = 8
"""How often each table is clicked in a round, one click after another; no game of so many clicks ends."""
AT_ONCE = 12
"""... and while all tables are clicked at once."""
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


@dataclass(frozen=True, slots=True)
class Cost:
    """What clicks cost, in milliseconds."""

    p50: float
    """From the sending of the click until the answer is there."""
    p99: float
    processor: float
    """What the bot's process spent on a click."""
    sandbox: float
    """What the sandbox, whose process is another, spent on a click."""


@dataclass(frozen=True, slots=True)
class Clicked:
    """What a bot took for clicks, one after another and on all tables at once."""

    in_a_row: Cost
    at_once: Cost
    resident_mib: float
    """What the process holds when everything is over."""


@dataclass(slots=True)
class Board:
    """A message with buttons, as the people see it now."""

    message: Json
    custom_id: str
    name: str
    """Who is to press."""

    def show(self, data: Json) -> None:
        """See what the bot has answered."""
        buttons = (each for row in data["components"] for each in row["components"])
        label = self.label_of(self.custom_id)
        self.custom_id = next(each["custom_id"] for each in buttons if self.label_of(each["custom_id"]) == label)
        title = data["embeds"][0]["title"]
        self.name = next((name for name in _NAMES if name in title), self.name)

    @property
    def person_id(self) -> int:
        """Who is to press: each table has people of its own, because nobody clicks at fifty tables at once."""
        return person_at(int(self.message["channel_id"]) - _FIRST_CHANNEL, self.name).id

    @staticmethod
    def label_of(custom_id: str) -> list[str]:
        """Return the part of an id that says which button it is, if it is one of the game's."""
        return custom_id.split(":")[3:4]

    @property
    def step(self) -> int:
        """How many moves there have been."""
        return int(self.custom_id.split(":")[2])


@dataclass(slots=True)
class Contender:
    """A bot in its process, with the messages that it has shown."""

    exchange: Exchange
    process_id: int
    boards: list[Board]
    row: list[Cost] = field(default_factory=list)
    once: list[Cost] = field(default_factory=list)

    async def click(self, board: Board) -> float:
        """Press, wait for the answer and return how long that took in milliseconds."""
        began, step = asyncio.get_running_loop().time(), board.step
        answer = await self.exchange.click(board.message, board.person_id, board.name, board.custom_id)
        board.show(answer.body["data"])
        if board.step != step + 1:
            raise RuntimeError(f"a click on step {step} was answered with step {board.step}")
        return 1000 * (answer.at - began)

    async def in_a_row(self, times: int) -> Cost:
        """Click every table so often, one click after another."""

        async def clicks() -> list[float]:
            return [await self.click(board) for board in islice(cycle(self.boards), times * len(self.boards))]

        return await self._costs(clicks)

    async def at_once(self, times: int) -> Cost:
        """Click all tables at once so often."""

        async def each(board: Board) -> list[float]:
            return [await self.click(board) for _ in range(times)]

        async def clicks() -> list[float]:
            return [one for taken in await asyncio.gather(*map(each, self.boards)) for one in taken]

        return await self._costs(clicks)

    async def _costs(self, clicks: Callable[[], Awaitable[list[float]]]) -> Cost:
        bot, own = processor_seconds(self.process_id), time.process_time()
        taken = await clicks()
        own, bot = time.process_time() - own, processor_seconds(self.process_id) - bot
        return Cost(*quantiles(taken), 1000 * bot / len(taken), 1000 * own / len(taken))


def person_at(number: int, name: str) -> Person:
    """Return one of the two people at a table, by the table's number."""
    return Person(_FIRST_PERSON + 2 * number + _NAMES.index(name), name)


def quantiles(taken: Sequence[float]) -> tuple[float, float]:
    """Return the median and what one in a hundred exceeds."""
    return statistics.median(taken), statistics.quantiles(taken, n=100, method="inclusive")[98]


async def clicks(addresses: Addresses, rounds: int, folder: Path) -> dict[str, Clicked]:
    """Measure the bare bot and Parlour on each database, without pictures."""
    async with AsyncExitStack() as stack:
        contenders = {
            name: await stack.enter_async_context(parlour(address(), None)) for name, address in addresses.items()
        }
        sample = next(iter(contenders.values())).boards
        contenders[BARE] = await stack.enter_async_context(bare_bot(folder, sample, None))
        return await _measured(contenders, rounds)


async def clicks_with_pictures(
    address: Callable[[], str], rounds: int, folder: Path, theme: Theme = Theme.STANDARD
) -> dict[str, Clicked]:
    """Measure Parlour where it draws, where its pictures cost nothing, and where it has none, and the bare bot.

    The bare bot posts the same ready file as Parlour where nothing is drawn.
    """
    file = await _sample_picture(folder, theme)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        contenders = {
            DRAWN: await enter(parlour(address(), theme)),
            READY: await enter(parlour(address(), theme, ready_parlour_command(file))),
            IN_WORDS: await enter(parlour(address(), None)),
        }
        contenders[BARE] = await enter(bare_bot(folder, contenders[DRAWN].boards, file))
        return await _measured(contenders, rounds)


async def _measured(contenders: dict[str, Contender], rounds: int) -> dict[str, Clicked]:
    """Let contenders take turns, so that all meet whatever else goes on."""
    with settled(0, min(os.sched_getaffinity(0))):
        for each in contenders.values():
            await each.at_once(WARM_UP)
        for _ in range(rounds):
            for each in contenders.values():
                each.row.append(await each.in_a_row(IN_A_ROW))
            for each in contenders.values():
                each.once.append(await each.at_once(AT_ONCE))
    return {name: _middle(each) for name, each in contenders.items()}


def _middle(contender: Contender) -> Clicked:
    return Clicked(_median(contender.row), _median(contender.once), mib(contender.process_id))


def _median(costs: Sequence[Cost]) -> Cost:
    figures = ("p50", "p99", "processor", "sandbox")
    return Cost(*(round(statistics.median(getattr(each, name) for each in costs), 3) for name in figures))


@asynccontextmanager
async def parlour(address: str, theme: Theme | None, command: tuple[str, ...] = PARLOUR) -> AsyncIterator[Contender]:
    """Run Parlour with games of Magpie under way."""
    tables = await _tables(address, theme)
    exchange = Exchange()
    await exchange.start()
    try:
        boards = [_board(exchange, table) for table in tables]
        async with running(exchange, command, parlour_environment(exchange, address)) as process:
            with settled(process.pid, max(os.sched_getaffinity(0))):
                yield Contender(exchange, process.pid, boards)
    finally:
        await exchange.stop()


@asynccontextmanager
async def bare_bot(folder: Path, like: Sequence[Board], file: Path | None) -> AsyncIterator[Contender]:
    """Run a bare bot whose answers are as large as the messages of these boards, and carry a file if there is one."""
    exchange = Exchange()
    await exchange.start()
    try:
        order = folder / "bare_bot.json"
        shown = like[0].message
        rows = [[_plain(each) for each in row["components"]] for row in shown["components"]]
        embed = {key: value for key, value in shown["embeds"][0].items() if key != "image"}
        parts: Json = {"api_url": exchange.api_url, "token": exchange.token, "embed": embed, "rows": rows}
        parts["file"] = None if file is None else str(file)
        order.write_text(json.dumps(parts), encoding="utf-8")
        command = (sys.executable, "-m", "tests.bench.bare_bot", str(order))
        async with running(exchange, command, child_environment()) as process:
            boards = [Board(each.message, each.custom_id, each.name) for each in like]
            with settled(process.pid, max(os.sched_getaffinity(0))):
                yield Contender(exchange, process.pid, boards)
    finally:
        await exchange.stop()


def _plain(button: Json) -> Json:
    key = ":".join(str(button["custom_id"]).split(":")[3:]) or str(button["custom_id"])
    return {"label": button["label"], "style": button["style"], "key": key}


async def _sample_picture(folder: Path, theme: Theme) -> Path:
    """Draw the picture of a table after some rolls."""
    table = a_table(status=Status.PLAYING)
    while table.header.step < IN_A_ROW:
        table = moved(table, table.header.to_move or 0, ALL_FIVE)
    assert table.package.picture is not None
    studio = Studio(DATA)
    drawn = await studio.draw(table.package.picture(table.state, table.latest), theme)
    studio.close()
    file = folder / drawn.name
    file.write_bytes(drawn.data)
    return file


async def _tables(address: str, theme: Theme | None) -> list[Table]:
    store = SqlStore(address)
    try:
        await store.upgrade()
        await store.prefer(Exchange().world.server.id, Preferences(theme=theme))
        service = TableService(store, GAMES)
        return [await _started(service, store, number) for number in range(TABLES)]
    finally:
        await store.close()


async def _started(service: TableService, store: SqlStore, number: int) -> Table:
    place = Place(Exchange().world.server.id, _FIRST_CHANNEL + number)
    options = MagpieOptions(target=500)
    robin, wren = (person_at(number, name) for name in _NAMES)
    table = await service.open("magpie", options, robin, place, click_id=10 * number + 1)
    await service.join(table.id, wren, 10 * number + 2)
    table = await service.start(table.id, robin, 10 * number + 3)
    await store.mark_published([Published(table.id, table.header.revision, _FIRST_MESSAGE + number)])
    return table


def _board(exchange: Exchange, table: Table) -> Board:
    number = table.header.place.channel_id - _FIRST_CHANNEL
    frame = game_frame(table, EMPTY_DRAFT)
    message = exchange.message(_FIRST_MESSAGE + number, table.header.place.channel_id, _data(frame))
    rolls = [press.custom_id for row in frame.rows for press in row if ":roll:" in press.custom_id]
    assert table.mover is not None
    return Board(message, rolls[0], table.mover.name)


def _data(frame: Frame) -> Json:
    view = frame.view()
    assert view is not None
    components: list[Any] = view.to_components()
    return {"embeds": [frame.words], "components": components}
