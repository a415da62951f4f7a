"""A second model of all tables, which follows each write that an act allows and rejects all others.

It knows the rules of the games, the rows on disk and the permissions of players, but no other part of the host.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.rules.screen import Toggle
from bot.tables.model import Header, Occupant, Status, TableId
from bot.tables.registry import AnyPackage
from tests.fuzz.acts import Act
from tests.fuzz.permissions import (
    may_change_table,
    may_invite,
    may_open,
    may_save_settings,
    pressed_control,
    pressed_table,
)
from tests.fuzz.recording_store import PersonInvited, SettingsSaved, TableOpened, TableSaved, Write
from tests.fuzz.table_model import TableModel

LOBBY_IDLE_LIMIT = timedelta(hours=1)


class ForbiddenWrite(AssertionError):
    """A change was written that none of the acts allows."""


@dataclass(slots=True)
class ReferenceModel:
    """The accounts of all tables."""

    games: Mapping[str, AnyPackage]
    clock: Callable[[], datetime]
    tables: dict[TableId, TableModel] = field(default_factory=dict)
    open_tables: set[TableId] = field(default_factory=set)
    """Which of them are open."""
    effects: Counter[str] = field(default_factory=Counter)
    """What people's acts have led to."""

    def apply_writes(self, acts: Sequence[Act], writes: Sequence[Write]) -> None:
        """Apply the writes during some acts; raise ForbiddenWrite for one that no act allows."""
        for act in acts:
            self._note_draft(act)
        for write in writes:
            if self._is_by_host(write):
                pass
            elif cause := next((act for act in acts if self._is_allowed(act, write)), None):
                self.effects[self._name_effect(cause, write)] += 1
            else:
                raise ForbiddenWrite(f"{write} came of {acts}, {self._describe_table(write)}")
            self._apply_write(write)

    def sealed_seeds(self) -> set[str]:
        """Return the seeds that have to stay secret: those of open tables, and of all with the bag of the day."""
        today = self.clock().date()
        monday = today - timedelta(days=today.weekday())
        present = (f"daily:{today.isoformat()}", f"weekly:{monday.isoformat()}")
        secret = [
            each
            for each in self.tables.values()
            if each.header.status.is_seed_secret or each.seats[0].contribution in present
        ]
        return {each.header.seed.hex() for each in secret}

    def _is_first(self, opened: TableOpened) -> bool:
        """Return whether a table is the first of its person with the contribution of its seat."""
        mark = opened.header.opener_id, opened.seats[0].contribution
        return mark not in [(each.header.opener_id, each.seats[0].contribution) for each in self.tables.values()]

    def tables_here(self, act: Act) -> list[TableModel]:
        """Return the open tables that a user's commands can refer to: their own solo game and the channel's table."""
        accounts = (self.tables[table_id] for table_id in self.open_tables if not self.tables[table_id].is_challenge)
        return [each for each in accounts if each.is_at(act) and each.header.location.solo_id in (0, act.person.id)]

    def _name_effect(self, act: Act, write: Write) -> str:
        """Describe an act."""
        match write:
            case TableOpened():
                return "open"
            case PersonInvited():
                return "invite"
            case SettingsSaved():
                return "settings"
            case TableSaved(header, seats, entry) if entry is not None:
                return entry.text.split(" ")[0] if entry.text.startswith("!") else "move"
            case TableSaved(header, seats):
                return self._name_change(act, self.tables[header.id], header, seats)

    def _name_change(self, act: Act, account: TableModel, header: Header, seats: tuple[Occupant, ...] | None) -> str:
        if header.status is Status.PLAYING and account.header.status is not Status.PLAYING:
            return "start"
        if header.status is not Status.LOBBY or seats is None:
            noted = "hint" if header.hinted != account.header.hinted else header.status.value
            return "options" if header.status is Status.LOBBY else noted
        # A player who leaves is in the old list only, one who joins in the new list only.
        shorter, longer = sorted((seats, account.seats), key=len)
        who, *_ = (Counter(longer) - Counter(shorter)).elements()
        if len(seats) > len(account.seats):
            return "add" if who.is_computer else "join"
        if who.is_computer:
            return "remove"
        return "leave" if who.user_id == act.person.id else "kick"

    def _describe_table(self, write: Write) -> str:
        account = None if isinstance(write, TableOpened | SettingsSaved) else self.tables.get(_table_id_of(write))
        return "" if account is None else f"at step {account.header.step} of {account.header} with {account.seats}"

    def _is_by_host(self, write: Write) -> bool:
        """Return whether the host may write this on its own: a computer's move, the end of a turn or of a lobby."""
        if not isinstance(write, TableSaved):
            return False
        account, entry = self.tables[write.header.id], write.entry
        if entry is None:
            idle = self.clock() - account.header.updated_at >= LOBBY_IDLE_LIMIT
            return write.header.status is Status.EXPIRED and account.header.status is Status.LOBBY and idle
        if entry.click_id is not None or entry.text.startswith("!"):
            return False
        may_move = account.is_automatic(entry.seat) or account.is_forced_end(entry)
        return account.to_move == entry.seat and may_move and account.is_legal(entry)

    def _apply_write(self, write: Write) -> None:
        match write:
            case TableOpened(header, seats):
                self.tables[header.id] = account = TableModel(self.games[header.game], header, seats)
                self.open_tables.add(header.id)
                if account.is_challenge:
                    account.start()
            case TableSaved(header, seats, entry):
                account = self.tables[header.id]
                _require_fixed(account.header, header)
                has_begun = account.header.status is Status.LOBBY and header.status is Status.PLAYING
                account.header, account.seats = header, account.seats if seats is None else seats
                (self.open_tables.add if header.status.is_open else self.open_tables.discard)(header.id)
                if has_begun:
                    account.start()
                if entry is not None:
                    account.apply(entry)
                    if header.status is not account.status() or header.step != len(account.entries):
                        raise ForbiddenWrite(f"{header} does not follow from {account.entries}")
            case PersonInvited() | SettingsSaved():
                pass

    def _is_allowed(self, act: Act, write: Write) -> bool:
        match write:
            case TableOpened(header):
                finished = self.tables.get(pressed_table(act, "a") or pressed_table(act, "x") or 0)
                may = not header.is_private or self._is_first(write)
                return may and may_open(act, write, self.games[header.game], finished)
            case SettingsSaved(scope_id):
                return may_save_settings(act, scope_id)
            case PersonInvited(invitation):
                return may_invite(act, self.tables[invitation.table_id], invitation.user_id)
            case TableSaved(header):
                return may_change_table(act, self.tables[header.id], write, self.clock())

    def _note_draft(self, act: Act) -> None:
        """Record what the player to move has picked; the store never sees drafts."""
        pressed = pressed_control(act)
        account = self.tables.get(pressed.table_id or 0) if pressed else None
        if pressed is None or account is None or not account.is_at(act) or account.to_move is None:
            return
        seat = account.seat_of(act.person.id)
        if seat != account.to_move or pressed.step != account.header.step:
            return
        drafts = account.hand_drafts if pressed.is_in_hand else account.drafts
        # What is picked by now depends on which of several messages was pressed last.
        for draft in (pressed.draft, *drafts):
            effect = account.effect_of(pressed.key, draft, seat if pressed.is_in_hand else None)
            if isinstance(effect, Toggle) and (picked := effect.apply(draft)) not in drafts:
                drafts.append(picked)


def _table_id_of(write: TableSaved | PersonInvited) -> TableId:
    return write.header.id if isinstance(write, TableSaved) else write.invitation.table_id


def _require_fixed(before: Header, after: Header) -> None:
    """Require that the fixed fields of a table stay as they were at its opening."""
    if before.location != after.location and before.status is not Status.LOBBY:
        raise ForbiddenWrite(f"the place of table {before.id} has changed after the start")
    before = replace(before, location=replace(before.location, solo_id=after.location.solo_id))
    for name in ("seed", "game", "version", "location", "created_at", "link"):
        if getattr(before, name) != getattr(after, name):
            raise ForbiddenWrite(f"{name} of table {before.id} has changed")
    if before.salt not in ("", after.salt):
        raise ForbiddenWrite(f"the salt of table {before.id} has changed")
