"""Choosing options in the lobby, and options that no longer fit their game."""

import logging
from dataclasses import replace

import pytest

from bot.games.magpie.pieces import MagpieOptions
from bot.platform.places import Location, Person
from bot.tables import lobby as lobby_actions
from bot.tables.lobby import digest_of_options
from bot.tables.model import Status, StoredTable
from bot.tables.opening import play_again
from bot.tables.refusals import HostReason, Stale
from bot.tables.seats import resign_seat
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.each_case import each_case
from tests.support.fakes import (
    JAY,
    ROBIN,
    WREN,
    FakeClock,
    make_service,
    make_table,
    open_lobby,
    start_game,
)
from tests.support.memory_database import MemoryDatabase
from tests.tables.refusals import refused_for


async def choose(service: TableService, table: Table, option: str, value: str, person: Person = ROBIN) -> Table:
    return await service.choose_option(table.id, person, option, value, digest_of_options(table))


class TestChoosing:
    async def test_the_opener_changes_one_option_after_another(
        self, service: TableService, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        """Each restarts the timer of the lobby."""
        service = make_service(db, clock=clock)
        table = await open_lobby(service, ROBIN, WREN)
        for option, value in (("target", "250"), ("reroll_fours", "true")):
            clock.tick(lobby_actions.OPENER_AWAY_AFTER.total_seconds())
            table = await choose(service, table, option, value)
            assert table.header.awaited_since == clock()
        assert table.options == MagpieOptions(target=250, reroll_fours=True)
        assert (table.header.status, len(table.seats)) == (Status.LOBBY, 2)
        again = await make_service(db).table(table.id)
        assert (again.options, again.header.revision) == (table.options, table.header.revision)

    async def test_a_choice_from_changed_options_is_stale_but_not_one_from_before_a_join(
        self, service: TableService
    ) -> None:
        shown = await open_lobby(service, ROBIN)
        with pytest.raises(Stale):
            await choose(service, shown, "target", "100")
        assert (await service.table(shown.id)).header.revision == shown.header.revision, "it was 100 already"
        await service.join(shown.id, WREN, 7)
        table = await choose(service, shown, "target", "250")
        assert (table.options, len(table.seats)) == (MagpieOptions(target=250), 2)
        with pytest.raises(Stale):
            await choose(service, shown, "target", "300")
        assert (await service.table(shown.id)).options == MagpieOptions(target=250)

    @each_case("option, value", [("target", "49"), ("target", "x"), ("moon", "1"), ("five_dice_bonus", "7")])
    def test_unknown_options_are_refused(self, option: str, value: str) -> None:
        with refused_for(HostReason.NO_SUCH_CHOICE):
            lobby_actions.choose_option(make_table(), ROBIN, option, value, digest_of_options(make_table()))


OLD = '{"target": 7, "moon": true, "reroll_fours": true}'
"""Options of a model that is not Magpie's any more, but for one."""

FITTING = MagpieOptions(reroll_fours=True)


def with_old_options(record: StoredTable) -> StoredTable:
    return replace(record, header=replace(record.header, options=OLD))


class TestModelsThatChanged:
    async def test_playing_again_keeps_options_that_still_fit(self, db: MemoryDatabase, service: TableService) -> None:
        table = await start_game(service, ROBIN, WREN)
        await service.apply_seat_action(table.id, WREN, resign_seat, 2)
        db.tamper(table.id, with_old_options)
        new = await play_again(make_service(db), table.id, ROBIN, 77)
        assert new.options == FITTING
        assert new.header.options == FITTING.model_dump_json()

    async def test_a_finished_table_with_old_options_still_loads(
        self, db: MemoryDatabase, service: TableService, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        finished, cancelled = (
            await start_game(service, ROBIN, WREN),
            await start_game(service, JAY, location=Location(3, 71)),
        )
        await service.apply_seat_action(finished.id, WREN, resign_seat, 2)
        await service.cancel(cancelled.id, JAY, is_moderator=False)
        late = make_service(db)
        for table in (finished, cancelled):
            db.tamper(table.id, with_old_options)
            before = db.header(table.id)
            assert (await late.table(table.id)).header == before == db.header(table.id)
            (record,) = (each for each in caplog.records if f"table {table.id} " in each.getMessage())
            assert record.levelno == logging.INFO
            assert "can't be replayed" in record.getMessage()

    async def test_a_lobby_keeps_options_that_still_fit_and_others_can_be_chosen(
        self, db: MemoryDatabase, service: TableService
    ) -> None:
        table = await open_lobby(service, ROBIN, WREN)
        db.tamper(table.id, with_old_options)
        late = make_service(db)
        table = await choose(late, await late.table(table.id), "target", "250")
        assert table.options == MagpieOptions(target=250, reroll_fours=True)
        db.tamper(table.id, with_old_options)
        await make_service(db).start(table.id, ROBIN, 1)
        revived = await make_service(db).table(table.id)
        assert (revived.header.status, revived.state.options) == (Status.PLAYING, FITTING)
        assert revived.header.options == FITTING.model_dump_json()
