"""Replays a stored table: rebuilds it from its entries."""

from collections.abc import Iterator
from dataclasses import replace

from bot.platform.time_slices import TimeSlices
from bot.tables.control_entries import CONTROL_ENTRY_PREFIX, ControlEntry, parse_control_entry
from bot.tables.model import Entry, Status, StoredTable
from bot.tables.registry import AnyPackage
from bot.tables.table import Table, apply_control_entry, apply_move, position_digest, start_game


class ReplayDiverged(Exception):
    """The recorded moves no longer lead to the recorded positions."""


async def restore(record: StoredTable, package: AnyPackage, slices: TimeSlices) -> Table:
    """Rebuild a table by replaying its entries in time slices. Lobbies and held tables need no replay.

    Raises:
        ReplayDiverged: The entries lead to other positions than recorded.
    """
    table = Table(record.header, record.seats, package)
    if not record.header.salt or record.header.status in (Status.HELD, Status.HELD_ASIDE):
        return table
    async for replayed in slices.run(replay_entries(record, package)):
        table = replayed
    if table.header.step != record.header.step:
        raise ReplayDiverged(f"table {table.id} has {table.header.step} moves, not {record.header.step}")
    # The stored flag is also true for forced ends, to tell the sweep about them.
    awaits_computer = record.header.awaits_computer and table.header.awaits_computer
    header = replace(record.header, awaits_computer=awaits_computer)
    clicks = (entry.click_id for entry in reversed(record.entries) if entry.click_id is not None)
    return replace(table, header=header, click_id=next(clicks, None), awards=record.awards)


def replay_entries(record: StoredTable, package: AnyPackage) -> Iterator[Table]:
    """Yield a started table after the set-up and after each entry.

    Raises:
        ReplayDiverged: An entry is refused, or leads to another position than recorded.
    """
    try:
        table = start_game(Table(replace(record.header, step=0), record.seats, package))
        yield table
        for entry in record.entries:
            table = _replay_entry(table, entry)
            yield table
    except Exception as fault:
        # Changed rules may raise any exception for moves that they do not allow.
        raise ReplayDiverged(f"table {record.header.id} can't be replayed: {fault}") from fault


def control_entry_of(entry: Entry) -> ControlEntry | None:
    """Return the control entry in an entry, or None for a move of the game."""
    return parse_control_entry(entry.text) if entry.text.startswith(CONTROL_ENTRY_PREFIX) else None


def _replay_entry(table: Table, entry: Entry) -> Table:
    control_entry = control_entry_of(entry)
    after = (
        apply_move(table, entry.seat, table.package.game.parse_move(entry.text), by_host=entry.click_id is None)
        if control_entry is None
        else apply_control_entry(table, entry.seat, control_entry)
    )
    if position_digest(after) != entry.digest:
        raise ReplayDiverged(f"table {table.id} differs after move {entry.step}, {entry.text!r}")
    return after
