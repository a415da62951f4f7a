"""What features do in the transactions that save tables, on every database."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from bot.platform.database.database import Database
from bot.tables.events import Happened, Hook, TableEvent
from bot.tables.model import Award, Status
from bot.tables.seats import resign_seat
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.store.samples import load_header
from tests.support.apps import shared_app
from tests.support.fakes import GAMES, HERE, ROBIN, WREN, FakeClock, mover_of, open_lobby, roll, start_game

EVERYTHING = ~Happened(0)


class Refused(Exception):
    """What a feature raises that forbids a change."""


@pytest.fixture
def service(db: Database) -> TableService:
    """A service whose dice fall the same way in every run: a lucky roll would earn a badge."""
    return TableService(db, GAMES, clock=FakeClock(), entropy=Random(3).randbytes)


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """The statements that are executed."""
    executed: list[str] = []

    def note(*arguments: Any) -> None:
        executed.append(arguments[2])

    event.listen(Engine, "before_cursor_execute", note)
    yield executed
    event.remove(Engine, "before_cursor_execute", note)


async def test_hooks_hear_of_what_happens_and_of_no_plain_move(service: TableService, db: Database) -> None:
    heard: list[tuple[Happened, frozenset[int]]] = []
    seen: list[Table] = []

    def hear(_: Connection, happening: TableEvent) -> Table:
        heard.append((happening.happened, happening.newcomers))
        seen.append(happening.after)
        return happening.after

    service.hooks = [Hook(EVERYTHING, in_transaction=hear)]
    opened = await open_lobby(service, location=replace(HERE, channel_id=71))
    assert [table.header for table in seen] == [await load_header(db, opened.id)], "a new table has its id"
    heard.clear()
    table = await start_game(service, ROBIN, WREN)
    table = await roll(service, table)
    assert heard == [
        (Happened.OPENED, frozenset({ROBIN.id})),
        (Happened.SEATED, frozenset({WREN.id})),
        (Happened.PLAYED, frozenset()),
    ]
    await service.apply_seat_action(table.id, mover_of(table), resign_seat, 90)
    assert heard[3:] == [(Happened.ENDED, frozenset())]


async def test_hooks_run_in_order_and_change_the_table(service: TableService) -> None:
    def award(_: Connection, happening: TableEvent) -> Table:
        table = happening.after
        more = Award(ROBIN.id, f"magpie/{len(table.awards)}", table.id, HERE.guild_id, table.header.updated_at)
        return replace(table, awards=(*table.awards, more))

    service.hooks = [Hook(Happened.ENDED, in_transaction=award)] * 2
    table = await open_lobby(service)
    closed = await service.cancel(table.id, ROBIN, is_moderator=False)
    assert [each.badge for each in closed.awards] == ["magpie/0", "magpie/1"]
    assert await service.table(table.id) is closed


@pytest.mark.parametrize("when", ["check", "in_transaction"])
async def test_what_a_hook_forbids_is_not_saved(service: TableService, db: Database, when: str) -> None:
    def refuse(_: Connection, happening: TableEvent) -> Table:
        raise Refused(happening.happened)

    hooks: dict[str, Any] = {when: refuse}
    table = await open_lobby(service)
    service.hooks = [Hook(Happened.ENDED | Happened.OPENED, **hooks)]
    with pytest.raises(Refused):
        await service.cancel(table.id, ROBIN, is_moderator=False)
    with pytest.raises(Refused):
        await open_lobby(service, location=replace(HERE, channel_id=71))
    assert (await load_header(db, table.id)).status is Status.LOBBY
    assert await service.newest_table_id_in(71) is None


async def test_a_plain_move_is_two_statements_on_sqlite_and_one_on_postgresql(
    service: TableService, db: Database, statements: list[str]
) -> None:
    service.hooks = shared_app().tables.hooks
    table = await start_game(service, ROBIN, WREN)
    statements.clear()
    await roll(service, table)
    verbs = [statement.split()[0] for statement in statements]
    assert verbs == (["WITH"] if db.url.drivername.startswith("postgresql") else ["BEGIN", "UPDATE", "INSERT"])
