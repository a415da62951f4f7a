"""Cost of a click: Parlour, which saves a move, compared with a bare bot, which saves nothing."""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import MOTION, PICTURES
from bot.features.settings.choices import MotionChoice, PictureChoice
from bot.games.magpie.pieces import MagpieOptions
from bot.pictures.service import PictureService
from bot.platform.content import DATA
from bot.platform.database.database import Database
from bot.platform.discord.content import MessageContent
from bot.platform.places import Location, Person
from bot.rules.screen import EMPTY_DRAFT
from bot.sandbox.wire import Json
from bot.settings import child_environment
from bot.tables import storage as table_storage
from bot.tables.model import PublishedRevision, Status
from bot.tables.opening import open_game
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.bench.click_sandbox import ClickSandbox
from tests.bench.databases import new_databases, new_sqlite_databases, open_migrated
from tests.bench.measured_clicks import ClickCosts, MeasuredClicks
from tests.bench.processes import (
    PARLOUR,
    memory_mib,
    parlour_environment,
    pin_to_processor,
    run_bot,
    run_sandbox,
    wait_until_idle,
)
from tests.bench.rows import Figure, Round, Row, Taken
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
DRAWN = "a new picture"
MOVE_ROWS = {
    "SQLite": (Row.MOVE_ON_SQLITE, Row.MOVE_AT_TABLES_ON_SQLITE),
    "PostgreSQL": (Row.MOVE_ON_POSTGRES, Row.MOVE_AT_TABLES_ON_POSTGRES),
}
PICTURE_ROWS = {DRAWN: (Row.PICTURE_CLICK, Row.PICTURE_CLICK_AT_TABLES)}

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

    async def click(self, board: ShownMessage) -> float:
        """Click, wait for the answer and return the time taken in milliseconds."""
        began, step = asyncio.get_running_loop().time(), board.step
        answer = await self.exchange.click(board.message, board.person_id, board.name, board.custom_id)
        board.apply_payload(answer.body["data"])
        if board.step != step + 1:
            raise RuntimeError(f"a click on step {step} was answered with step {board.step}")
        return 1000 * (answer.at - began)

    async def click_sequentially(self) -> list[float]:
        """Click every table, one after another; return the milliseconds of every click."""
        return [await self.click(board) for board in self.boards]

    async def click_all(self, boards: Sequence[ShownMessage], times: int) -> list[float]:
        """Click some tables at once, each again as soon as it is answered; return the milliseconds of every click."""

        async def each(board: ShownMessage) -> list[float]:
            return [await self.click(board) for _ in range(times)]

        return [one for taken in await asyncio.gather(*map(each, boards)) for one in taken]


def person_at(number: int, name: str) -> Person:
    """Return one of the two people at a table, by the table's number."""
    return Person(_FIRST_PERSON + 2 * number + _NAMES.index(name), name)


@asynccontextmanager
async def compare_clicks() -> AsyncIterator[Round]:
    """Compare the bare bot with Parlour on each database, without pictures."""
    async with AsyncExitStack() as stack:
        addresses = stack.enter_context(new_databases())
        contenders = {
            name: await stack.enter_async_context(run_parlour(address(), PictureChoice.OFF))
            for name, address in addresses.items()
        }
        contenders[BARE] = await stack.enter_async_context(run_bare_bot(contenders["SQLite"].boards))
        yield await prepare_turns(contenders, lambda costs: _beside_bare(costs, MOVE_ROWS))


@asynccontextmanager
async def compare_clicks_with_pictures() -> AsyncIterator[Round]:
    """Compare the bare bot, which posts the same file after every click, with Parlour, which draws a new picture."""
    with new_sqlite_databases() as address, tempfile.NamedTemporaryFile(prefix="parlour-bench-") as file:
        file.write(await _draw_sample_picture())
        file.flush()
        async with AsyncExitStack() as stack:
            contenders = {DRAWN: await stack.enter_async_context(run_parlour(address(), PictureChoice.STANDARD))}
            contenders[BARE] = await stack.enter_async_context(run_bare_bot(contenders[DRAWN].boards, file.name))
            yield await prepare_turns(contenders, lambda costs: _beside_bare(costs, PICTURE_ROWS))


def _beside_bare(costs: Mapping[str, ClickCosts], rows: Mapping[str, tuple[Row, Row]]) -> dict[Row, Figure]:
    """Return the medians of each bot, for clicks one after another and at all tables."""
    bare, found = costs[BARE], dict[Row, Figure]()
    for name, (in_a_row, at_once) in rows.items():
        if name in costs:
            found[in_a_row] = Figure(costs[name].in_a_row.p50, bare.in_a_row.p50)
            found[at_once] = Figure(costs[name].at_once.p50, bare.at_once.p50)
    return found


async def prepare_turns(
    contenders: Mapping[str, MeasuredBot], read_rows: Callable[[Mapping[str, ClickCosts]], Mapping[Row, Figure]]
) -> Round:
    """Let contenders finish their starts, and return the function that measures them in turn."""
    # A bot draws its art and prepares its games after it is ready: many clicks at once would wait too long for it.
    for bot in contenders.values():
        await wait_until_idle(bot.process_id)
    for bot in contenders.values():
        # Each table is loaded at its first click.
        await bot.click_sequentially()
        await bot.click_all(bot.boards, WARM_UP)
    for bot in contenders.values():
        await wait_until_idle(bot.process_id)

    async def measure() -> Taken:
        costs = await _click_in_turn(contenders)
        return Taken(read_rows(costs), costs)

    return measure


async def _click_in_turn(contenders: Mapping[str, MeasuredBot]) -> dict[str, ClickCosts]:
    """Let contenders take turns, so that other load affects all."""
    in_a_row = {name: MeasuredClicks() for name in contenders}
    at_once = {name: MeasuredClicks() for name in contenders}
    with pin_to_processor(0, min(os.sched_getaffinity(0))):
        for name, bot in IN_A_ROW * list(contenders.items()):
            await in_a_row[name].add(bot.process_id, bot.click_sequentially())
        for name, bot in contenders.items():
            await at_once[name].add(bot.process_id, bot.click_all(bot.boards, AT_ONCE))
    return {
        name: ClickCosts(in_a_row[name].cost(), at_once[name].cost(), memory_mib(bot.process_id))
        for name, bot in contenders.items()
    }


@asynccontextmanager
async def run_parlour(address: str, pictures: PictureChoice, *, locale: str = "en-US") -> AsyncIterator[MeasuredBot]:
    """Run Parlour with games of Magpie under way, in a server of some language."""
    tables = await _open_tables(address, pictures)
    async with run_sandbox(ClickSandbox()) as exchange:
        exchange.world.server.locale = locale
        boards = [_make_shown_message(exchange, table) for table in tables]
        async with _run_measured(exchange, PARLOUR, parlour_environment(exchange, address), boards) as running:
            yield running


@asynccontextmanager
async def run_bare_bot(like: Sequence[ShownMessage], picture: str = "") -> AsyncIterator[MeasuredBot]:
    """Run a bare bot whose answers are as large as the messages of these boards, with a picture if one is named."""
    async with run_sandbox(ClickSandbox()) as exchange:
        shown = like[0].message
        rows = [[_strip_button(each) for each in row["components"]] for row in shown["components"]]
        embed = {key: value for key, value in shown["embeds"][0].items() if key != "image"}
        order: Json = {"api_url": exchange.api_url, "token": exchange.token, "embed": embed, "rows": rows}
        command = (sys.executable, "-m", "tests.bench.bare_bot", json.dumps(order), picture)
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


async def _draw_sample_picture() -> bytes:
    """Draw the picture of a table after some rolls."""
    table = make_table(status=Status.PLAYING)
    while table.header.step < IN_A_ROW:
        table = apply_text(table, table.header.to_move or 0, ALL_FIVE)
    assert table.package.look.build_picture is not None
    picture = table.package.look.build_picture(table.state, table.recent_events_for(None), ())
    with PictureService(DATA) as studio:
        return (await studio.draw(picture)).data


async def _open_tables(address: str, pictures: PictureChoice) -> list[Table]:
    async with open_migrated(address) as db:
        server_id = ClickSandbox().world.server.id
        await db.write(setting_storage.change, server_id, PICTURES, lambda _: pictures)
        # While dice roll, a message does not say who is to move next.
        await db.write(setting_storage.change, server_id, MOTION, lambda _: MotionChoice.OFF)
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
