"""Conditions and limits of invitations."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from bot.platform.notices.storage import Notice
from bot.platform.places import Person
from bot.rules.refusals import Refusal, RefusalReason
from bot.tables import turns
from bot.tables.lobby import require_seat_for_person
from bot.tables.refusals import HostReason, TableFacts
from bot.tables.table import Table
from bot.words import N_

INVITE_AGAIN_AFTER = timedelta(days=1)
"""The time before a person can invite the same guest again, to any table."""

MAX_INVITATIONS = 5
"""The most invitations to a table."""

MAX_INVITATIONS_A_DAY = 25
"""The most invitations by a person within a day, to all tables: otherwise new tables allow any number of mentions."""


class InvitationReason(RefusalReason):
    """Why an invitation is refused."""

    NO_SEAT_TO_INVITE_FROM = "no_seat_to_invite_from"
    INVITED_YOURSELF = "invited_yourself"
    ALREADY_INVITED = "already_invited"
    YOU_BLOCK_THEM = "you_block_them"
    INVITED_TODAY = "invited_today"
    INVITED_MANY_TODAY = "invited_many_today"
    TOO_MANY_INVITATIONS = "too_many_invitations"
    INVITATIONS_REFUSED = "invitations_refused"
    INVITATIONS_OFF = "invitations_off"
    NOT_YOUR_INVITATION = "not_your_invitation"


INVITATION_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    InvitationReason.NO_SEAT_TO_INVITE_FROM: N_(
        "Only players with a seat can invite others. Press *Join* at the table first: {link}"
    ),
    InvitationReason.INVITED_YOURSELF: N_("That's you, and you already have a seat. Name someone else."),
    InvitationReason.ALREADY_INVITED: N_(
        "They've already been invited to this table, and once is the limit. Send them the link yourself: {link}"
    ),
    InvitationReason.YOU_BLOCK_THEM: N_("You have blocked them, so you can't invite them. `/unblock` changes that."),
    InvitationReason.INVITED_TODAY: N_(
        "You've already invited them in the last day, and once a day is the limit. Send them the link yourself: {link}"
    ),
    InvitationReason.INVITED_MANY_TODAY: N_(
        "You've invited 25 people in the last day, which is the limit. Send others the link yourself: {link}"
    ),
    InvitationReason.TOO_MANY_INVITATIONS: N_(
        "Five people have been invited to this table, which is the limit. Send others the link yourself: {link}"
    ),
    InvitationReason.INVITATIONS_REFUSED: N_(
        "They can't be invited, so I didn't ask them. To ask someone else, here is the table: {link}"
    ),
    InvitationReason.INVITATIONS_OFF: N_(
        "This server has turned invitations off. Send people the link yourself: {link}"
    ),
    InvitationReason.NOT_YOUR_INVITATION: N_(
        "This invitation is for someone else. If there's a free seat, press *Join* at the table: {link}"
    ),
}
"""What is said for each reason."""


@dataclass(frozen=True, slots=True)
class Invitation(Notice):
    """An invitation to a lobby; at most one for each table and person."""

    inviter_id: int
    user_id: int
    """The guest."""
    click_id: int
    """The id of the interaction that invited the guest."""
    most_seats: int
    """The invitation lapses when this many seats are taken."""

    @property
    def key(self) -> Hashable:
        """The table and the guest."""
        return self.table_id, self.user_id


class AlreadyInvited(Exception):
    """The guest was invited to the table before."""

    def __init__(self, click_id: int) -> None:
        super().__init__(click_id)
        self.click_id = click_id
        """The interaction of the earlier invitation."""


class NotInvitable(Exception):
    """A preference or a limit forbids the invitation."""

    def __init__(self, reason: RefusalReason) -> None:
        super().__init__(reason)
        self.reason = reason


def require_invitable(table: Table, person: Person, guest_id: int) -> None:
    """Refuse an invitation unless the inviter is seated, the guest is not, and a seat is free."""
    turns.require_editable_lobby(table)
    if table.seat_of(person.id) is None:
        raise Refusal(InvitationReason.NO_SEAT_TO_INVITE_FROM, TableFacts(table))
    if guest_id == person.id:
        raise Refusal(InvitationReason.INVITED_YOURSELF, TableFacts(table))
    if table.seat_of(guest_id) is not None:
        raise Refusal(HostReason.THEY_HAVE_A_SEAT, TableFacts(table))
    if guest_id in table.header.kicked and person.id != table.header.opener_id:
        raise Refusal(HostReason.THEY_WERE_KICKED, TableFacts(table))
    require_seat_for_person(table)


def readmit(table: Table, person: Person, guest_id: int) -> Table:
    """Let a guest sit down again who was removed from the table and whom the opener now invites."""
    require_invitable(table, person, guest_id)
    return replace(table, header=replace(table.header, kicked=table.header.kicked - {guest_id}))
