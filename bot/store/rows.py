"""How a table's parts become rows, and rows parts again."""

from typing import Any, TypeAlias

from sqlalchemy import Row

from bot.rules.game import Seat
from bot.tables.model import Entry, Header, Occupant, Place, Status, TableId

AnyRow: TypeAlias = Row[Any]
Values: TypeAlias = dict[str, Any]


def new_table(header: Header) -> Values:
    """Return the columns of a table that has no number yet."""
    return {
        "game": header.game,
        "version": header.version,
        "guild_id": header.place.guild_id,
        "channel_id": header.place.channel_id,
        "solo_id": header.place.solo_id,
        "seed": header.seed,
        "created_at": header.created_at,
        "published": header.published,
        "message_id": header.message_id,
        **changed_table(header),
    }


def changed_table(header: Header) -> Values:
    """Return the columns that change while a table is open, but for what is shown of it."""
    return {
        "opener_id": header.opener_id,
        "options": header.options,
        "salt": header.salt,
        "status": header.status.value,
        "step": header.step,
        "to_move": header.to_move,
        "revision": header.revision,
        "updated_at": header.updated_at,
    }


def seat_values(table_id: TableId, seat: Seat, occupant: Occupant) -> Values:
    """Return the row of an occupied seat."""
    return {
        "table_id": table_id,
        "seat": seat,
        "name": occupant.name,
        "user_id": occupant.user_id,
        "level": occupant.level,
        "contribution": occupant.contribution,
    }


def move_values(table_id: TableId, entry: Entry) -> Values:
    """Return the row of a move."""
    return {
        "table_id": table_id,
        "step": entry.step,
        "seat": entry.seat,
        "text": entry.text,
        "digest": entry.digest,
        "click_id": entry.click_id,
        "at": entry.at,
    }


def header_of(row: AnyRow) -> Header:
    """Return the header that a row holds."""
    return Header(
        id=row.id,
        game=row.game,
        version=row.version,
        options=row.options,
        place=Place(row.guild_id, row.channel_id, row.solo_id),
        opener_id=row.opener_id,
        seed=row.seed,
        salt=row.salt,
        created_at=row.created_at,
        status=Status(row.status),
        step=row.step,
        to_move=row.to_move,
        revision=row.revision,
        published=row.published,
        message_id=row.message_id,
        updated_at=row.updated_at,
    )


def occupant_of(row: AnyRow) -> Occupant:
    """Return who sits in the seat that a row holds."""
    return Occupant(row.name, row.user_id, row.level, row.contribution)


def entry_of(row: AnyRow) -> Entry:
    """Return the move that a row holds."""
    return Entry(row.step, row.seat, row.text, row.digest, row.click_id, row.at)
