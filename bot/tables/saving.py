"""Saves a change of a table, in one transaction with what features do about it."""

from sqlalchemy.exc import IntegrityError

from bot.platform.database.database import Database
from bot.tables import storage
from bot.tables.events import CalledHooks
from bot.tables.model import Status, TableUpdate
from bot.tables.storage import ChannelTaken, Conflict
from bot.tables.table import Table


async def save_change(db: Database, change: TableUpdate, hooks: CalledHooks | None = None) -> Table | None:
    """Save a change of a table, and run the hooks of features in the same transaction.

    A save never writes the columns fixed when a table is opened (game, version, channel, seed, creation), nor the
    published revision, which `mark_published` alone writes. One statement saves an entry of a game that goes on, with
    only the columns that entries change.

    Returns:
        The table as the hooks leave it; None without hooks.

    Raises:
        Conflict: The stored revision is not the expected one, or the entry exists.
        ChannelTaken: The table is resumed where another one is open.
        Exception: A hook forbids the change.
    """
    table: Table | None = None
    header = change.header
    is_plain = hooks is None and change.seats is None and header.status is Status.PLAYING
    if change.entry is not None and is_plain:
        await db.write_statement(storage.save_move, header, change.entry)
    else:
        try:
            table = await db.write(storage.save, change, hooks)
        except IntegrityError as error:
            # A resumed table may find another table in its place.
            taken = await db.read(storage.find_open, header.location.channel_id, header.location.solo_id)
            if taken is None or taken == header.id:
                raise Conflict(header.id) from error
            raise ChannelTaken(taken) from error
    if change.entry is not None:
        db.metrics.count_move(header.game)
    return table
