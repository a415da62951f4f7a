"""Tables at which a person and a computer player take turns, in as many servers, and the people who click there."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.ids import parse_id
from bot.platform.jobs.shard_leases import SERVER_BITS
from bot.platform.places import Location, Person
from bot.rules.screen import EMPTY_DRAFT
from bot.sandbox.rest.rates import DISCORD
from bot.sandbox.rest.routes import ApiRequest, ApiResponse
from bot.sandbox.wire import Json
from bot.tables import storage as table_storage
from bot.tables.handlers.ids import ControlId, PlayAgainId
from bot.tables.model import PublishedRevision
from bot.tables.opening import open_game
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.bench.click_costs import message_payload
from tests.bench.click_sandbox import UPDATE, ClickSandbox
from tests.bench.databases import open_migrated
from tests.support.fakes import GAMES
from tests.support.rendering import render_game
from tests.support.waiting import wait_until

THINKING_SECONDS: Final = (2.0, 5.0)
"""How long a person looks at a table before the next click, at least and at most."""
CALM_THINKING_SECONDS: Final = (10.0, 20.0)
"""The same where a third of the moves are made in the same time."""
SHOW_SECONDS: Final = 300.0
"""By when a change must be shown; the first one on a busy machine waits for the start of workers."""
TARGET: Final = 500
"""Points; hardly any game ends during a measurement."""
MOVES: Final = frozenset({"roll", "keep"})
"""The buttons that make a move. Those of single dice only choose."""

_FIRST_CHANNEL: Final = 700_000
_FIRST_MESSAGE: Final = 500_000
_FIRST_PERSON: Final = 900_000


@dataclass(slots=True)
class Board:
    """A table's message as people see it."""

    message: Json
    server_id: int
    person: Person
    buttons: list[str] = field(default_factory=list)
    """The ids of the buttons that make a move; none during the computer player's turn."""
    is_over: bool = False
    turns: int = 0
    """How many turns of the computer player have been shown."""
    shown_at: float = 0.0
    _shown: asyncio.Event = field(default_factory=asyncio.Event)

    def show(self, data: Json) -> None:
        """Show what the bot has sent; the words of a moment alone change nothing."""
        if "components" not in data:
            return
        shown = [each for row in data["components"] for each in row["components"]]
        parsed = [parse_id(each["custom_id"]) for each in shown if "custom_id" in each and not each.get("disabled")]
        self.buttons = [str(each) for each in parsed if isinstance(each, ControlId) and each.key in MOVES]
        self.is_over = any(isinstance(each, PlayAgainId) for each in parsed)
        self.shown_at = asyncio.get_running_loop().time()
        self._shown.set()
        self._shown = asyncio.Event()

    async def next_shown(self) -> None:
        """Wait until something else is shown."""
        async with asyncio.timeout(SHOW_SECONDS):
            await self._shown.wait()


class BusySandbox(ClickSandbox):
    """Shows edited messages on boards, and keeps to Discord's rate limits."""

    def __init__(self, shards: int) -> None:
        super().__init__(shards=shards, rates=DISCORD)
        self.boards: dict[str, Board] = {}

    def add_board(self, board: Board) -> None:
        """Add a table with its server."""
        self.boards[board.message["id"]] = board
        self.world.add_server(board.server_id, f"Server {board.server_id >> SERVER_BITS}")

    def server_of(self, message: Json) -> int:
        """Return the id of the server that a message is in."""
        return self.boards[message["id"]].server_id

    def _on_edit(self, call: ApiRequest) -> ApiResponse:
        self.boards[call.params["message_id"]].show(call.json_object)
        return super()._on_edit(call)


@dataclass(slots=True)
class Waits:
    """What people have waited for, in seconds."""

    clicks: list[float] = field(default_factory=list)
    """From a click until the table is shown after it."""
    turns: list[float] = field(default_factory=list)
    """From then until the computer player's turn is shown."""


class Crowd:
    """A person at each table, who clicks whenever it is their turn."""

    def __init__(self, sandbox: BusySandbox, seed: int) -> None:
        self._waits = Waits()
        self._measured_from = 0.0
        self._sandbox = sandbox
        self._seed = seed

    @asynccontextmanager
    async def playing(self, thinking_seconds: tuple[float, float] = THINKING_SECONDS) -> AsyncIterator[None]:
        """Let everyone play while the block runs."""
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(self._play(board, random.Random(self._seed + number), thinking_seconds))
                for number, board in enumerate(self._sandbox.boards.values())
            ]
            yield
            for task in tasks:
                task.cancel()

    async def wait_until_warm(self) -> None:
        """Wait until the computer players at all tables have played, which takes longest the first time."""
        await wait_until(lambda: all(board.turns or board.is_over for board in self._sandbox.boards.values()), 300)

    async def measure(self, seconds: float) -> Waits:
        """Return what people have waited for within some seconds, from now on."""
        self._waits, self._measured_from = Waits(), asyncio.get_running_loop().time()
        await asyncio.sleep(seconds)
        return self._waits

    async def _play(self, board: Board, chance: random.Random, thinking_seconds: tuple[float, float]) -> None:
        await asyncio.sleep(chance.uniform(0, thinking_seconds[1]))
        while not board.is_over:
            if not board.buttons:
                await self._wait_for_turn(board)
                continue
            await asyncio.sleep(chance.uniform(*thinking_seconds))
            await self._click(board, chance.choice(board.buttons))

    async def _wait_for_turn(self, board: Board) -> None:
        """Wait until the computer player's turn is shown."""
        began = board.shown_at
        await board.next_shown()
        board.turns += 1
        if began >= self._measured_from:
            self._waits.turns.append(board.shown_at - began)

    async def _click(self, board: Board, button: str) -> None:
        began, shown_at, person = asyncio.get_running_loop().time(), board.shown_at, board.person
        answer = await self._sandbox.press(board.message, person.id, person.name, button)
        if answer.body["type"] == UPDATE:
            board.show(answer.body["data"])
        while board.shown_at == shown_at:
            # The bot has only acknowledged the click, and edits the message.
            await board.next_shown()
        if began >= self._measured_from:
            self._waits.clicks.append(board.shown_at - began)


async def open_boards(address: str, sandbox: BusySandbox, tables: int) -> None:
    """Start games between a person and a computer player, each in a server of its own."""
    async with open_migrated(address) as db:
        service = TableService(db, GAMES)
        started = [await _start_table(service, number) for number in range(tables)]
        await db.maintain(
            table_storage.mark_published,
            [
                PublishedRevision(table.id, table.header.revision, _FIRST_MESSAGE + number)
                for number, table in enumerate(started)
            ],
        )
    for number, table in enumerate(started):
        sandbox.add_board(_make_board(sandbox, number, table))


async def _start_table(service: TableService, number: int) -> Table:
    person, place = _person_at(number), Location(_server_at(number), _FIRST_CHANNEL + number)
    options = MagpieOptions(target=TARGET)
    table = await open_game(service, "magpie", options, person, place, click_id=10 * number + 1, computers=1)
    return await service.start(table.id, person, 10 * number + 2)


def _person_at(number: int) -> Person:
    return Person(_FIRST_PERSON + number, "Robin")


def _server_at(number: int) -> int:
    """Return the id of a table's server; consecutive ones belong to different shards."""
    return (number + 1) << SERVER_BITS


def _make_board(sandbox: BusySandbox, number: int, table: Table) -> Board:
    payload = message_payload(render_game(table, EMPTY_DRAFT))
    message = sandbox.message(_FIRST_MESSAGE + number, _FIRST_CHANNEL + number, payload)
    board = Board(message, _server_at(number), _person_at(number))
    board.show(payload)
    return board
