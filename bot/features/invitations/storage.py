"""Queries for invitations: their limits, their messages, and which have lapsed."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    false,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from bot.features.blocks.storage import blocks
from bot.features.invitations.model import AlreadyInvited, InvitationReason, NotInvitable
from bot.features.settings.storage import invitation_refusals, preferences
from bot.platform.database.sql import Values, lock, try_insert
from bot.platform.jobs.shards import is_served, select_served
from bot.platform.notices.schema import invitations
from bot.platform.places import ShardRange
from bot.rules.refusals import RefusalReason
from bot.tables.model import Status
from bot.tables.notifications import Invitation
from bot.tables.schema import location_of, read_row, seats, tables

_LOCK_TABLE = select(tables.c.id).where(tables.c.id == bindparam("table_id")).with_for_update()
_SELECT_EARLIER = select(invitations.c.user_id, invitations.c.click_id).where(
    invitations.c.table_id == bindparam("table_id")
)
_WAS_INVITED_RECENTLY = select(
    exists().where(
        invitations.c.inviter_id == bindparam("inviter_id"),
        invitations.c.user_id == bindparam("user_id"),
        invitations.c.noted_at > bindparam("since", type_=invitations.c.noted_at.type),
    )
)
_REFUSES_INVITATIONS = select(exists().where(invitation_refusals.c.user_id == bindparam("user_id")))
# Those at the table who block the guest or whom the guest blocks: each row is the blocker.
_SELECT_BLOCKERS = (
    select(blocks.c.blocker_id)
    .join(seats, or_(seats.c.user_id == blocks.c.blocker_id, seats.c.user_id == blocks.c.blocked_id))
    .where(
        seats.c.table_id == bindparam("table_id"),
        or_(blocks.c.blocker_id == bindparam("user_id"), blocks.c.blocked_id == bindparam("user_id")),
    )
)
_ARE_INVITATIONS_OFF = select(
    exists().where(
        tables.c.id == bindparam("table_id"), preferences.c.scope_id == tables.c.guild_id, ~preferences.c.invites
    )
)
_INSERT = insert(invitations)

_MATCHES_KEY = (
    invitations.c.table_id == bindparam("which_table"),
    invitations.c.user_id == bindparam("guest"),
    invitations.c.click_id == bindparam("click"),
)
_DELETE = delete(invitations).where(*_MATCHES_KEY)
_SET_MESSAGE = update(invitations).where(*_MATCHES_KEY, invitations.c.stands).values(message_id=bindparam("message"))
# A process that did not find the message must not clear an id that was stored meanwhile.
_CLEAR_MESSAGE = (
    update(invitations)
    .where(*_MATCHES_KEY, or_(invitations.c.message_id.is_(None), invitations.c.message_id == bindparam("message")))
    .values(message_id=None, stands=false())
)

_TAKEN_SEATS = select(func.count()).where(seats.c.table_id == invitations.c.table_id).scalar_subquery()
_IS_LAPSED: ColumnElement[bool] = or_(
    tables.c.status != literal(Status.LOBBY.value),
    exists().where(seats.c.table_id == invitations.c.table_id, seats.c.user_id == invitations.c.user_id),
    exists().where(invitation_refusals.c.user_id == invitations.c.user_id),
    exists().where(blocks.c.blocker_id == invitations.c.user_id, blocks.c.blocked_id == invitations.c.inviter_id),
    exists().where(blocks.c.blocker_id == invitations.c.inviter_id, blocks.c.blocked_id == invitations.c.user_id),
    invitations.c.most_seats <= _TAKEN_SEATS,
)
SELECT_LAPSED = (
    select(invitations, tables.c.guild_id, tables.c.channel_id, tables.c.solo_id)
    .join(tables, tables.c.id == invitations.c.table_id)
    .where(invitations.c.stands, _IS_LAPSED, is_served(tables.c.guild_id))
    .order_by(invitations.c.table_id, invitations.c.user_id)
    .limit(bindparam("most"))
)
_DELETE_OLD = delete(invitations).where(
    ~invitations.c.stands,
    invitations.c.noted_at <= bindparam("since", type_=invitations.c.noted_at.type),
    exists().where(and_(tables.c.id == invitations.c.table_id, tables.c.status != literal(Status.LOBBY.value))),
)

_INSERT_REFUSAL = insert(invitation_refusals).returning(invitation_refusals.c.user_id)
_DELETE_REFUSAL = delete(invitation_refusals).where(invitation_refusals.c.user_id == bindparam("guest"))


def add(connection: Connection, invitation: Invitation, since: datetime, most: int) -> None:
    """Store an invitation.

    Args:
        connection: The connection.
        invitation: The invitation.
        since: An inviter can't invite a person whom they have invited after this.
        most: How many invitations a table can have.

    Raises:
        AlreadyInvited: The person was invited to the table before.
        NotInvitable: A preference or a limit forbids it.
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
    values = asdict(invitation)
    # The table's row has the location.
    del values["location"]
    connection.execute(_INSERT, values)


def _find_refusal_reason(
    connection: Connection, invitation: Invitation, since: datetime, left: int
) -> RefusalReason | None:
    people = {"inviter_id": invitation.inviter_id, "user_id": invitation.user_id}
    found = connection.execute(_SELECT_BLOCKERS, {"table_id": invitation.table_id, "user_id": invitation.user_id})
    blockers = set(found.scalars())
    if invitation.inviter_id in blockers:
        return InvitationReason.YOU_BLOCK_THEM
    if connection.execute(_ARE_INVITATIONS_OFF, {"table_id": invitation.table_id}).scalar_one():
        return InvitationReason.INVITATIONS_OFF
    refuses = connection.execute(_REFUSES_INVITATIONS, {"user_id": invitation.user_id}).scalar_one()
    # Whoever is blocked must not learn it.
    if refuses or blockers:
        return InvitationReason.INVITATIONS_REFUSED
    if left <= 0:
        return InvitationReason.TOO_MANY_INVITATIONS
    if connection.execute(_WAS_INVITED_RECENTLY, {**people, "since": since}).scalar_one():
        return InvitationReason.INVITED_TODAY
    return None


def withdraw(connection: Connection, invitation: Invitation) -> None:
    """Delete an invitation, unless another one has replaced it."""
    connection.execute(_DELETE, _key(invitation))


def set_message(connection: Connection, invitation: Invitation) -> bool:
    """Store an invitation's message id; return False if the message must be deleted."""
    return connection.execute(_SET_MESSAGE, {**_key(invitation), "message": invitation.message_id}).rowcount > 0


def find_lapsed(connection: Connection, shards: ShardRange, limit: int) -> Sequence[Invitation]:
    """Return lapsed invitations whose messages may still be in their channels.

    It lapses when the table is full or no lobby any more, or when the guest has joined or refuses invitations.
    """
    found = select_served(connection, shards, SELECT_LAPSED, {"most": limit})
    return [read_row(Invitation, row, location=location_of(row)) for row in found]


def mark_removed(connection: Connection, invitation: Invitation) -> None:
    """Note that an invitation's message is gone, unless another message's id was stored."""
    connection.execute(_CLEAR_MESSAGE, {**_key(invitation), "message": invitation.message_id})


def prune(connection: Connection, since: datetime) -> None:
    """Delete invitations stored before a time, to tables that are no lobbies any more."""
    connection.execute(_DELETE_OLD, {"since": since})


def refuses_invitations(connection: Connection, user_id: int) -> bool:
    """Return whether a person refuses invitations."""
    return bool(connection.execute(_REFUSES_INVITATIONS, {"user_id": user_id}).scalar_one())


def set_refuses_invitations(connection: Connection, user_id: int, *, refuses: bool) -> None:
    """Store whether a person refuses invitations."""
    if not refuses:
        connection.execute(_DELETE_REFUSAL, {"guest": user_id})
        return
    try_insert(connection, _INSERT_REFUSAL, {"user_id": user_id})


def _key(invitation: Invitation) -> Values:
    return {"which_table": invitation.table_id, "guest": invitation.user_id, "click": invitation.click_id}
