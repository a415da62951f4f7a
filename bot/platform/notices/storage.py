"""The rows of notices; each kind has its own SQL table, with some columns common to all."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    delete,
    or_,
    text,
    update,
)
from sqlalchemy.schema import SchemaItem

from bot.platform.database.sql import AnyRow, UtcDateTime, rowless_table, table_id_column
from bot.platform.discord.content import Json
from bot.platform.jobs.shard_leases import select_served
from bot.platform.places import ShardRange

# SQLite uses a partial index only if a query repeats its condition word for word, so this has no parameters.
STANDS: Final = text("stands")


@dataclass(frozen=True, slots=True)
class Notice:
    """A message beside a table's own, stored before sending so that it is sent once and can be deleted."""

    table_id: int
    channel_id: int
    """The channel where the message is or will be."""
    _: KW_ONLY
    noted_at: datetime
    """When the notice was stored, before the message was sent."""
    message_id: int | None = None
    """The id of the message; None while unknown, as after a crash."""
    stands: bool = True
    """Whether the message may still be in the channel. A row without it only records that there was one."""

    @property
    def key(self) -> Hashable:
        """The unique key of the notice within its kind."""
        return self.table_id

    @property
    def is_held(self) -> bool:
        """Whether the message is sent later, so that it does not exist yet."""
        return False


NoticeT = TypeVar("NoticeT", bound=Notice)


@dataclass(frozen=True)
class NoticeKind(Generic[NoticeT]):
    """A kind of notice: its rows, and when rows and messages are over."""

    name: str
    table: Table
    identity: tuple[str, ...]
    """The columns that distinguish a notice from one that has replaced it."""
    read: Callable[[AnyRow], NoticeT]
    recognises: Callable[[NoticeT, Json], bool]
    """Returns whether a message of the channel is the notice's."""
    lapsed: Select[Any]
    """Selects the notices that are over, at most `most`."""
    is_forgotten: ColumnElement[bool] | None
    """The condition for deleting a row without a message; None if the row counts until the feature deletes it."""
    unsent_after: tuple[type[Exception], ...] = ()
    """The errors of sending that undo a notice, as if it had never been stored."""


def notice_table(name: str, *items: SchemaItem) -> Table:
    """Return the SQL table of a kind of notice: the common columns, followed by its own."""
    return rowless_table(
        name,
        table_id_column(),
        Column("channel_id", BigInteger, nullable=False),
        Column("noted_at", UtcDateTime, nullable=False),
        Column("message_id", BigInteger),
        Column("stands", Boolean, nullable=False),
        *items,
    )


def set_message(connection: Connection, kind: NoticeKind[NoticeT], notice: NoticeT) -> bool:
    """Store the id of a notice's message; return False if the message must go, as the notice is over or replaced."""
    values = {"message_id": notice.message_id, "channel_id": notice.channel_id}
    change = update(kind.table).where(_is_its_row(kind, notice), kind.table.c.stands).values(values)
    return connection.execute(change).rowcount > 0


def note_removed(connection: Connection, kind: NoticeKind[NoticeT], notice: NoticeT) -> None:
    """Record that a notice has no message, unless another message's id was stored meanwhile."""
    message_id = kind.table.c.message_id
    removed = and_(_is_its_row(kind, notice), or_(message_id.is_(None), message_id == notice.message_id))
    if (
        kind.is_forgotten is not None
        and connection.execute(delete(kind.table).where(removed, kind.is_forgotten)).rowcount
    ):
        return
    connection.execute(update(kind.table).where(removed).values(message_id=None, stands=False))


def withdraw(connection: Connection, kind: NoticeKind[NoticeT], notice: NoticeT) -> None:
    """Delete a notice as if it had never been stored, unless another notice has replaced it."""
    connection.execute(delete(kind.table).where(_is_its_row(kind, notice)))


def find_lapsed(connection: Connection, shards: ShardRange, kind: NoticeKind[NoticeT], limit: int) -> Sequence[NoticeT]:
    """Return the notices of a kind that are over."""
    return [kind.read(row) for row in select_served(connection, shards, kind.lapsed, {"most": limit})]


def _is_its_row(kind: NoticeKind[NoticeT], notice: NoticeT) -> ColumnElement[bool]:
    return and_(*(kind.table.c[name] == getattr(notice, name) for name in kind.identity))
