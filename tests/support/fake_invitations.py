"""Invitations in memory."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from bot.features.blocks.model import Block, people_in
from bot.features.settings.preferences import Preferences
from bot.tables.model import Status, StoredTable, TableId
from bot.tables.notifications import Invitation
from bot.tables.ports import AlreadyInvited, NotInvitable
from bot.tables.refusals import HostReason


class FakeInvitations:
    """Decides about invitations as the port promises."""

    def __init__(
        self, records: Mapping[TableId, StoredTable], chosen: Mapping[int, Preferences], blocks: Collection[Block] = ()
    ) -> None:
        self.stored: dict[tuple[TableId, int], Invitation] = {}
        self.refusers: set[int] = set()
        self._records = records
        self._chosen = chosen
        self._blocks = blocks

    def invite(self, new: Invitation, since: datetime, most: int) -> None:
        if earlier := self.stored.get(_key(new)):
            raise AlreadyInvited(earlier.click_id)
        pair = (new.inviter_id, new.user_id)
        lately = [each for each in self.stored.values() if (each.inviter_id, each.user_id) == pair]
        here = [each for each in self.stored.values() if each.table_id == new.table_id]
        obstacles = {
            HostReason.YOU_BLOCK_THEM: Block(new.inviter_id, new.user_id) in self._blocks,
            HostReason.INVITATIONS_OFF: not self._chosen.get(new.location.guild_id or 0, Preferences()).invites,
            HostReason.INVITATIONS_REFUSED: new.user_id in self.refusers or self._is_blocked(new),
            HostReason.TOO_MANY_INVITATIONS: len(here) >= most,
            HostReason.INVITED_TODAY: any(each.noted_at > since for each in lately),
        }
        for reason, stands in obstacles.items():
            if stands:
                raise NotInvitable(reason)
        self.stored[_key(new)] = new

    def withdraw(self, invitation: Invitation) -> None:
        if self._same(invitation):
            del self.stored[_key(invitation)]

    def keep(self, invitation: Invitation) -> bool:
        kept = self._same(invitation)
        if kept is None or not kept.stands:
            return False
        self.stored[_key(invitation)] = invitation
        return True

    def lapsed(self) -> list[Invitation]:
        return [kept for _, kept in sorted(self.stored.items()) if kept.stands and self._is_over(kept)]

    def close(self, invitation: Invitation) -> None:
        kept = self._same(invitation)
        if kept is not None and kept.message_id in (None, invitation.message_id):
            self.stored[_key(invitation)] = replace(kept, message_id=None, stands=False)

    def prune(self, since: datetime) -> None:
        for key, kept in list(self.stored.items()):
            is_lobby = self._records[kept.table_id].header.status is Status.LOBBY
            if not kept.stands and kept.noted_at <= since and not is_lobby:
                del self.stored[key]

    def refuse(self, user_id: int, *, refuses: bool) -> None:
        (self.refusers.add if refuses else self.refusers.discard)(user_id)

    def _is_blocked(self, new: Invitation) -> bool:
        """Return whether the guest and someone at the table block each other."""
        seated = people_in(self._records[new.table_id].seats)
        return any(
            (each.blocker_id == new.user_id and each.blocked_id in seated)
            or (each.blocked_id == new.user_id and each.blocker_id in seated)
            for each in self._blocks
        )

    def _same(self, invitation: Invitation) -> Invitation | None:
        kept = self.stored.get(_key(invitation))
        return kept if kept is not None and kept.click_id == invitation.click_id else None

    def _is_over(self, kept: Invitation) -> bool:
        record = self._records[kept.table_id]
        is_seated = kept.user_id in {who.user_id for who in record.seats}
        is_full = len(record.seats) >= kept.most_seats
        pair = (kept.inviter_id, kept.user_id)
        is_blocked = any(block in self._blocks for block in (Block(*pair), Block(*reversed(pair))))
        is_refused = is_blocked or kept.user_id in self.refusers
        return record.header.status is not Status.LOBBY or is_seated or is_full or is_refused


def _key(invitation: Invitation) -> tuple[TableId, int]:
    return invitation.table_id, invitation.user_id
