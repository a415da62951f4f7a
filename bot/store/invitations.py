"""Who is invited to the tables that have not started."""

from dataclasses import asdict

from sqlalchemy import Connection, bindparam, delete, insert, select
from sqlalchemy.exc import IntegrityError

from bot.store.schema import invitations
from bot.tables.model import Invitation, TableId
from bot.tables.ports import AlreadyInvited

_NEW = insert(invitations)
_EARLIER = select(invitations.c.click_id).where(
    invitations.c.table_id == bindparam("table_id"), invitations.c.user_id == bindparam("user_id")
)
_WITHDRAWN = delete(invitations).where(
    invitations.c.table_id == bindparam("table_id"),
    invitations.c.user_id == bindparam("user_id"),
    invitations.c.click_id == bindparam("click_id"),
)
_FORGOTTEN = delete(invitations).where(invitations.c.table_id == bindparam("table_id"))


def invite(connection: Connection, invitation: Invitation) -> None:
    """Note an invitation; raises AlreadyInvited."""
    values = asdict(invitation)
    try:
        with connection.begin_nested():
            connection.execute(_NEW, values)
    except IntegrityError as error:
        earlier = connection.execute(_EARLIER, values).scalar_one_or_none()
        if earlier is None:
            raise
        raise AlreadyInvited(earlier) from error


def withdraw(connection: Connection, invitation: Invitation) -> None:
    """Take back what was noted of an invitation, unless another was noted since."""
    connection.execute(_WITHDRAWN, asdict(invitation))


def forget(connection: Connection, table_id: TableId) -> None:
    """Drop the invitations to a table."""
    connection.execute(_FORGOTTEN, {"table_id": table_id})
