"""Who can be invited to a table, and how often."""

from dataclasses import replace
from datetime import timedelta

from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables import guards
from bot.tables.lobby import require_free_seat
from bot.tables.refusals import HostReason, TableFacts
from bot.tables.table import Table

INVITE_AGAIN_AFTER = timedelta(days=1)
"""How long a person must wait to invite the same person again, to any table."""

MAX_INVITATIONS = 5
"""How many people can be invited to a table."""


class AlreadyInvited(Exception):
    """The person was invited to the table before."""

    def __init__(self, click_id: int) -> None:
        super().__init__(click_id)
        self.click_id = click_id
        """The interaction that invited them."""


class NotInvitable(Exception):
    """A preference or a limit forbids the invitation."""

    def __init__(self, reason: HostReason) -> None:
        super().__init__(reason)
        self.reason = reason


def require_invitable(table: Table, person: Person, guest_id: int) -> None:
    """Refuse an invitation unless the inviter is seated, the guest is not, and a seat is free."""
    guards.require_editable_lobby(table)
    if table.seat_of(person.id) is None:
        raise Refusal(HostReason.NO_SEAT_TO_INVITE_FROM, TableFacts(table))
    if guest_id == person.id:
        raise Refusal(HostReason.INVITED_YOURSELF, TableFacts(table))
    if table.seat_of(guest_id) is not None:
        raise Refusal(HostReason.THEY_HAVE_A_SEAT, TableFacts(table))
    if guest_id in table.header.kicked and person.id != table.header.opener_id:
        raise Refusal(HostReason.THEY_WERE_KICKED, TableFacts(table))
    require_free_seat(table)


def readmit(table: Table, person: Person, guest_id: int) -> Table:
    """Let a guest whom the opener invites take a seat again after they were removed."""
    require_invitable(table, person, guest_id)
    return replace(table, header=replace(table.header, kicked=table.header.kicked - {guest_id}))
