"""Queries for invitations: their limits, their messages, and those that have lapsed."""

from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Index,
    Integer,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
)

from bot.features.blocks.storage import blocks
from bot.features.invitations.messages import is_invitation
from bot.features.invitations.model import (
    MAX_INVITATIONS_A_DAY,
    AlreadyInvited,
    Invitation,
    InvitationReason,
    NotInvitable,
)
from bot.features.moderation.storage import bans, holds
from bot.features.settings.all_settings import INVITATIONS
from bot.features.settings.storage import is_off
from bot.platform.database.sql import lock, partial_index
from bot.platform.discord.errors import ChannelUnreachable
from bot.platform.jobs.shard_leases import is_served
from bot.platform.notices.storage import STANDS, NoticeKind, notice_table
from bot.rules.refusals import RefusalReason
from bot.tables.model import Status
from bot.tables.schema import read_row, seats, tables

invitations = notice_table(
    "invitations",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("inviter_id", BigInteger, nullable=False),
    Column("click_id", BigInteger, nullable=False),
    Column("most_seats", Integer, nullable=False),
    Index("invitations_by", "inviter_id", "user_id"),
    partial_index("invitations_standing", "table_id", where=STANDS),
)

_LOCK_TABLE = select(tables.c.id).where(tables.c.id == bindparam("table_id")).with_for_update()
_SELECT_EARLIER = select(invitations.c.user_id, invitations.c.click_id).where(
    invitations.c.table_id == bindparam("table_id")
)
_SELECT_RECENT = select(invitations.c.user_id).where(
    invitations.c.inviter_id == bindparam("inviter_id"),
    invitations.c.noted_at > bindparam("since", type_=invitations.c.noted_at.type),
)
_REFUSES_INVITATIONS = select(is_off(INVITATIONS, bindparam("user_id")))
# The blockers among the people at the table whom the guest blocks or who block the guest.
_SELECT_BLOCKERS = (
    select(blocks.c.blocker_id)
    .join(seats, or_(seats.c.user_id == blocks.c.blocker_id, seats.c.user_id == blocks.c.blocked_id))
    .where(
        seats.c.table_id == bindparam("table_id"),
        or_(blocks.c.blocker_id == bindparam("user_id"), blocks.c.blocked_id == bindparam("user_id")),
    )
)
_IS_BANNED = select(
    exists().where(
        bans.c.guild_id == tables.c.guild_id,
        bans.c.user_id == bindparam("user_id"),
        tables.c.id == bindparam("table_id"),
        holds(bindparam("now", type_=bans.c.ends_at.type)),
    )
)
_ARE_INVITATIONS_OFF = select(
    exists().where(tables.c.id == bindparam("table_id"), is_off(INVITATIONS, tables.c.guild_id))
)
_INSERT = insert(invitations)

_TAKEN_SEATS = select(func.count()).where(seats.c.table_id == invitations.c.table_id).scalar_subquery()
_IS_LAPSED: ColumnElement[bool] = or_(
    tables.c.status != literal(Status.LOBBY.value),
    exists().where(seats.c.table_id == invitations.c.table_id, seats.c.user_id == invitations.c.user_id),
    is_off(INVITATIONS, invitations.c.user_id),
    exists().where(blocks.c.blocker_id == invitations.c.user_id, blocks.c.blocked_id == invitations.c.inviter_id),
    exists().where(blocks.c.blocker_id == invitations.c.inviter_id, blocks.c.blocked_id == invitations.c.user_id),
    invitations.c.most_seats <= _TAKEN_SEATS,
)
INVITATION: Final = NoticeKind(
    "invitation",
    invitations,
    identity=("table_id", "user_id", "click_id"),
    read=partial(read_row, Invitation),
    recognises=is_invitation,
    lapsed=select(invitations)
    .join(tables, tables.c.id == invitations.c.table_id)
    .where(invitations.c.stands, _IS_LAPSED, is_served(tables.c.guild_id))
    .order_by(invitations.c.table_id, invitations.c.user_id)
    .limit(bindparam("most")),
    is_forgotten=None,
    unsent_after=(ChannelUnreachable,),
)
"""An invitation lapses when the lobby is full or over, or when the guest has joined or refuses invitations."""

_DELETE_OLD = delete(invitations).where(
    ~invitations.c.stands,
    invitations.c.noted_at <= bindparam("since", type_=invitations.c.noted_at.type),
    exists().where(and_(tables.c.id == invitations.c.table_id, tables.c.status != literal(Status.LOBBY.value))),
)


def add(connection: Connection, invitation: Invitation, since: datetime, most: int) -> None:
    """Store an invitation.

    Args:
        connection: The connection.
        invitation: The invitation.
            since: The inviter can't invite a person again whom they have invited after this time.
            most: The most invitations to a table.

    Raises:
        AlreadyInvited: The person was invited to the table before.
        NotInvitable: A preference or a limit forbids the invitation.
    """
    key = {"table_id": invitation.table_id}
    # Serialise invitations to this table, and this inviter's invitations to any table.
    connection.execute(_LOCK_TABLE, key)
    lock(connection, invitation.inviter_id)
    earlier = {row.user_id: row.click_id for row in connection.execute(_SELECT_EARLIER, key)}
    if invitation.user_id in earlier:
        raise AlreadyInvited(earlier[invitation.user_id])
    if reason := _find_refusal_reason(connection, invitation, since, most - len(earlier)):
        raise NotInvitable(reason)
    connection.execute(_INSERT, asdict(invitation))


def _find_refusal_reason(
    connection: Connection, invitation: Invitation, since: datetime, left: int
) -> RefusalReason | None:
    found = connection.execute(_SELECT_BLOCKERS, {"table_id": invitation.table_id, "user_id": invitation.user_id})
    blockers = set(found.scalars())
    if invitation.inviter_id in blockers:
        return InvitationReason.YOU_BLOCK_THEM
    if connection.execute(_ARE_INVITATIONS_OFF, {"table_id": invitation.table_id}).scalar_one():
        return InvitationReason.INVITATIONS_OFF
    refuses = connection.execute(_REFUSES_INVITATIONS, {"user_id": invitation.user_id}).scalar_one()
    guest = {"table_id": invitation.table_id, "user_id": invitation.user_id, "now": invitation.noted_at}
    # A blocked person must not learn of the block, and no player of a ban.
    if refuses or blockers or connection.execute(_IS_BANNED, guest).scalar_one():
        return InvitationReason.INVITATIONS_REFUSED
    if left <= 0:
        return InvitationReason.TOO_MANY_INVITATIONS
    recent = connection.execute(_SELECT_RECENT, {"inviter_id": invitation.inviter_id, "since": since}).scalars().all()
    if invitation.user_id in recent:
        return InvitationReason.INVITED_TODAY
    return InvitationReason.INVITED_MANY_TODAY if len(recent) >= MAX_INVITATIONS_A_DAY else None


def prune(connection: Connection, since: datetime) -> None:
    """Delete invitations stored before a time, except to tables that are still lobbies."""
    connection.execute(_DELETE_OLD, {"since": since})
