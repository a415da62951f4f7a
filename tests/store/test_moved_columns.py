"""With an entry of a game that goes on, only some columns of its table are written: no other changes."""

import pytest

from bot.store.rows import changed_table_values, moved_table_values
from bot.tables.control_entries import AgreeToClose, AskForSubstitute, ComeBack, ControlEntry, Resign, Substitute
from bot.tables.model import Status
from bot.tables.runtime.changes import TableChange, next_revision
from bot.tables.table import Table, apply_control_entry, apply_move
from tests.support.fakes import ALL_FIVE, NOON, make_table


def find_changed(before: Table, after: Table) -> set[str]:
    after = next_revision(before, TableChange(after), NOON, restarts_wait=True)
    assert after.header.status is before.header.status is Status.PLAYING
    old, new = changed_table_values(before.header), changed_table_values(after.header)
    assert moved_table_values(after.header).items() <= new.items()
    return {name for name in new if new[name] != old[name]} - moved_table_values(after.header).keys()


def test_a_move_changes_no_other_columns() -> None:
    table = make_table(status=Status.PLAYING)
    move = table.package.game.parse_move(ALL_FIVE)
    assert find_changed(table, apply_move(table, table.header.to_move or 0, move)) == set()


@pytest.mark.parametrize(
    "entries", [[Resign()], [AskForSubstitute(1)], [Substitute(1), ComeBack()], [AgreeToClose()]], ids=str
)
def test_control_entries_change_no_other_columns(entries: list[ControlEntry]) -> None:
    table = make_table(status=Status.PLAYING)
    for entry in entries:
        seat = 1 if isinstance(entry, ComeBack) else 0
        after = apply_control_entry(table, seat, entry)
        assert find_changed(table, after) == set()
        table = after
