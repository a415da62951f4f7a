"""Saves a change of a table."""

from sqlalchemy.exc import IntegrityError

from bot.platform.database.database import Database
from bot.tables import storage
from bot.tables.events import CalledHooks
from bot.tables.model import Status, TableUpdate
from bot.tables.storage import ChannelTaken, Conflict
from bot.tables.table import Table


async def save_change(db: Database, change: TableUpdate, hooks: CalledHooks | None = None) -> Table | None:
    """Save a change of a table, with what features do in the same transaction.

    Columns fixed when a table is opened (game, version, place, seed, creation) are not written. What is shown is
    written by `mark_published` alone, so a save never overwrites it. An entry of a game that goes on is saved by one
    statement, with only the columns that entries change.

    Returns:
        The table as the features leave it; None if they are not called.

    Raises:
        Conflict: The stored revision is not the expected one, or the entry exists.
        ChannelTaken: The table is resumed where another one is open.
        Exception: A feature forbids it.
    """
    table: Table | None = None
    if change.entry is not None and hooks is None and _is_plain(change):
        await db.write_statement(storage.save_move, change.header, change.entry)
    else:
        try:
            table = await db.write(storage.save, change, hooks)
        except IntegrityError as error:
            # A resumed table may find another table in its place.
            header = change.header
            taken = await db.read(storage.find_open, header.location.channel_id, header.location.solo_id)
            if taken is None or taken == header.id:
                raise Conflict(header.id) from error
            raise ChannelTaken(taken) from error
    if change.entry is not None:
        db.metrics.count_move(change.header.game)
    return table


def _is_plain(change: TableUpdate) -> bool:
    """Return whether no more than an entry is to be saved, after which the game goes on."""
    return change.seats is None and change.header.status is Status.PLAYING
