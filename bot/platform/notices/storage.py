"""The rows of notices: each kind has a table of its own, with some columns that all have."""

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
from bot.platform.jobs.shards import select_served
from bot.platform.places import ShardRange

# SQLite uses a partial index only for a condition of exactly the same text, so this contains no parameters.
STANDS: Final = text("stands")


@dataclass(frozen=True, slots=True)
class Notice:
    """A message beside a table's own, stored before it is sent so that it is sent once and can be deleted."""

    table_id: int
    channel_id: int
    """The channel where the message is or will be."""
    _: KW_ONLY
    noted_at: datetime
    """When the notice was stored, before the message was sent."""
    message_id: int | None = None
    """None as long as it is not known, as after a crash."""
    stands: bool = True
    """Whether the message may still be in the channel. Afterwards the row only records that there was one."""

    @property
    def key(self) -> Hashable:
        """What no two notices of its kind have in common."""
        return self.table_id

    @property
    def is_held(self) -> bool:
        """Whether the message is sent later, so that there is none yet."""
        return False


NoticeT = TypeVar("NoticeT", bound=Notice)


@dataclass(frozen=True)
class NoticeKind(Generic[NoticeT]):
    """A kind of notice: its rows, and when they and their messages are over."""

    name: str
    table: Table
    identity: tuple[str, ...]
    """The columns that tell a notice from another one that has replaced it."""
    read: Callable[[AnyRow], NoticeT]
    recognises: Callable[[NoticeT, Json], bool]
    """Finds the message of a notice among those of its channel."""
    lapsed: Select[Any]
    """The notices that are over, at most `most`."""
    is_forgotten: ColumnElement[bool] | None
    """When a row without a message is deleted; None if it goes on to count until the feature deletes it."""
    unsent_after: tuple[type[Exception], ...] = ()
    """The errors of sending after which a notice counts as if it had never been stored."""


def notice_table(name: str, *items: SchemaItem) -> Table:
    """Return the table of a kind of notice: its own columns, after those that all kinds have."""
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
    """Store where a notice's message is; return False if it must go, because the notice is over or was replaced."""
    values = {"message_id": notice.message_id, "channel_id": notice.channel_id}
    change = update(kind.table).where(_is_its_row(kind, notice), kind.table.c.stands).values(values)
    return connection.execute(change).rowcount > 0


def note_removed(connection: Connection, kind: NoticeKind[NoticeT], notice: NoticeT) -> None:
    """Note that a notice has no message, unless the id of another one was stored meanwhile."""
    message_id = kind.table.c.message_id
    removed = and_(_is_its_row(kind, notice), or_(message_id.is_(None), message_id == notice.message_id))
    if (
        kind.is_forgotten is not None
        and connection.execute(delete(kind.table).where(removed, kind.is_forgotten)).rowcount
    ):
        return
    connection.execute(update(kind.table).where(removed).values(message_id=None, stands=False))


def withdraw(connection: Connection, kind: NoticeKind[NoticeT], notice: NoticeT) -> None:
    """Delete a notice as if it had never been stored, unless another one has replaced it."""
    connection.execute(delete(kind.table).where(_is_its_row(kind, notice)))


def find_lapsed(connection: Connection, shards: ShardRange, kind: NoticeKind[NoticeT], limit: int) -> Sequence[NoticeT]:
    """Return the notices of a kind that are over."""
    return [kind.read(row) for row in select_served(connection, shards, kind.lapsed, {"most": limit})]


def _is_its_row(kind: NoticeKind[NoticeT], notice: NoticeT) -> ColumnElement[bool]:
    return and_(*(kind.table.c[name] == getattr(notice, name) for name in kind.identity))
