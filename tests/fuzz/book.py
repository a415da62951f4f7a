"""The accounts of all tables, kept beside the bot: what was written is followed where somebody may have done it.

They know the rules of the games and what is on disk; of the host they know the rights of people.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.rules.package import GamePackage
from bot.rules.screen import Toggle
from bot.tables.model import Header, Occupant, Status, TableId
from tests.fuzz.account import Account
from tests.fuzz.rights import control_in, may_invite, may_open, may_save, table_in
from tests.fuzz.wire import Act
from tests.fuzz.writes import Invited, Opened, Saved, Write

LOBBY_IDLE = timedelta(hours=1)


class Forbidden(AssertionError):
    """Something was written that nobody who acted may do."""


@dataclass(slots=True)
class Book:
    """The accounts of all tables."""

    games: Mapping[str, GamePackage]
    clock: Callable[[], datetime]
    accounts: dict[TableId, Account] = field(default_factory=dict)
    live: set[TableId] = field(default_factory=set)
    """Which of them are open."""
    deeds: Counter[str] = field(default_factory=Counter)
    """What people's acts have led to."""

    def settle(self, acts: Sequence[Act], writes: Sequence[Write]) -> None:
        """Follow what was written while people acted; raises Forbidden for what nobody of them may do."""
        for act in acts:
            self._note_draft(act)
        for write in writes:
            if self._is_own(write):
                pass
            elif cause := next((act for act in acts if self._may(act, write)), None):
                self.deeds[self._deed(cause, write)] += 1
            else:
                raise Forbidden(f"{write} came of {acts}, {self._told(write)}")
            self._follow(write)

    def sealed(self) -> set[str]:
        """Return the seeds that have to stay secret."""
        accounts = self.accounts.values()
        return {each.header.seed.hex() for each in accounts if each.header.status.is_sealed}

    def here(self, act: Act) -> list[Account]:
        """Return the open tables that somebody's commands may mean: their own solo game, and the channel's."""
        accounts = (self.accounts[table_id] for table_id in self.live)
        return [each for each in accounts if each.is_at(act) and each.header.place.solo_id in (0, act.person.id)]

    def _deed(self, act: Act, write: Write) -> str:
        """Name what somebody has done."""
        match write:
            case Opened():
                return "open"
            case Invited():
                return "invite"
            case Saved(header, seats, entry) if entry is not None:
                return entry.text.split(" ")[0] if entry.text.startswith("!") else "move"
            case Saved(header, seats):
                return self._change(act, self.accounts[header.id], header, seats)

    def _change(self, act: Act, account: Account, header: Header, seats: tuple[Occupant, ...] | None) -> str:
        if header.status is Status.PLAYING:
            return "start"
        if header.status is not Status.LOBBY or seats is None:
            return "options" if header.status is Status.LOBBY else header.status.value
        # Who goes is on the longer side, and whoever comes.
        longer = max(seats, account.seats, key=len)
        (who,) = [each for each in longer if each not in seats or each not in account.seats]
        if len(seats) > len(account.seats):
            return "add" if who.is_computer else "join"
        if who.is_computer:
            return "remove"
        return "leave" if who.user_id == act.person.id else "kick"

    def _told(self, write: Write) -> str:
        account = None if isinstance(write, Opened) else self.accounts.get(_table_of(write))
        return "" if account is None else f"at step {account.header.step} of {account.header} with {account.seats}"

    def _is_own(self, write: Write) -> bool:
        """Tell whether the host may have done this by itself: a computer player's move, or the end of an idle lobby."""
        if not isinstance(write, Saved):
            return False
        account, entry = self.accounts[write.header.id], write.entry
        if entry is None:
            idle = self.clock() - account.header.updated_at >= LOBBY_IDLE
            return write.header.status is Status.EXPIRED and account.header.status is Status.LOBBY and idle
        if entry.click_id is not None or entry.text.startswith("!"):
            return False
        return account.to_move == entry.seat and account.is_automatic(entry.seat) and account.is_legal(entry)

    def _follow(self, write: Write) -> None:
        match write:
            case Opened(header, seats):
                self.accounts[header.id] = Account(self.games[header.game], header, seats)
                self.live.add(header.id)
            case Saved(header, seats, entry):
                account = self.accounts[header.id]
                _require_fixed(account.header, header)
                has_begun = account.header.status is Status.LOBBY and header.status is Status.PLAYING
                account.header, account.seats = header, account.seats if seats is None else seats
                (self.live.add if header.status.is_open else self.live.discard)(header.id)
                if has_begun:
                    account.begin()
                if entry is not None:
                    account.enter(entry)
                    if header.status is not account.status() or header.step != len(account.entries):
                        raise Forbidden(f"{header} does not follow from {account.entries}")
            case Invited():
                pass

    def _may(self, act: Act, write: Write) -> bool:
        match write:
            case Opened(header):
                finished = self.accounts.get(table_in(act, "a") or table_in(act, "x") or 0)
                return may_open(act, write, self.games[header.game], finished)
            case Invited(invitation):
                return may_invite(act, self.accounts[invitation.table_id], invitation.user_id)
            case Saved(header):
                return may_save(act, self.accounts[header.id], write, self.clock())

    def _note_draft(self, act: Act) -> None:
        """Follow what whoever is to move picks; a pick is written nowhere."""
        pressed = control_in(act)
        account = self.accounts.get(pressed.table_id or 0) if pressed else None
        if pressed is None or account is None or not account.is_at(act) or account.to_move is None:
            return
        seat = account.seat_of(act.person.id)
        if seat != account.to_move or pressed.step != account.header.step:
            return
        drafts = account.in_hand if pressed.is_in_hand else account.drafts
        draft = drafts[-1] if drafts else pressed.draft
        effect = account.pressed(pressed.key, draft, seat if pressed.is_in_hand else None)
        if isinstance(effect, Toggle):
            drafts.append(effect.applied_to(draft))


def _table_of(write: Saved | Invited) -> TableId:
    return write.header.id if isinstance(write, Saved) else write.invitation.table_id


def _require_fixed(before: Header, after: Header) -> None:
    """Demand that what was promised when a table was opened stays."""
    for name in ("seed", "game", "version", "place", "created_at", "link"):
        if getattr(before, name) != getattr(after, name):
            raise Forbidden(f"{name} of table {before.id} has changed")
    if before.salt not in ("", after.salt):
        raise Forbidden(f"the salt of table {before.id} has changed")
