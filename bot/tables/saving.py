"""Saves a change of a table."""

from collections.abc import Sequence

from sqlalchemy.exc import IntegrityError

from bot.platform.database.database import Database
from bot.tables import open_tables, storage, writing
from bot.tables.errors import ChannelTaken, Conflict
from bot.tables.model import Award, Status, TableUpdate


async def save_change(db: Database, change: TableUpdate) -> Sequence[Award]:
    """Save a change of a table, and return the badges that it awards.

    Columns fixed when a table is opened (game, version, place, seed, creation) are not written. What is shown is
    written by `mark_published` alone, so a save never overwrites it. An entry of a game that goes on is saved by one
    statement, with only the columns that entries change.

    Raises:
        Conflict: The stored revision is not the expected one, or the entry or the results exist.
        ChannelTaken: The table is resumed where another one is open.
        SeatBlocked: Two of its people block each other, and it is no part of a series.
    """
    awards: Sequence[Award] = ()
    if change.entry is not None and _is_plain(change):
        await db.write_statement(writing.save_move, change.header, change.entry)
    else:
        try:
            awards = await db.write(storage.save, change)
        except IntegrityError as error:
            # A resumed table may find another table in its place.
            header = change.header
            taken = await db.read(open_tables.find_open, header.location.channel_id, header.location.solo_id)
            if taken is None or taken == header.id:
                raise Conflict(header.id) from error
            raise ChannelTaken(taken) from error
    if change.entry is not None:
        db.metrics.count_move(change.header.game)
    return awards


def _is_plain(change: TableUpdate) -> bool:
    """Return whether a change is a move after which the game goes on, and nothing else."""
    has_more = change.seats is not None or change.results or change.daily_end or change.starts_clock
    return not has_more and change.header.status is Status.PLAYING
