"""A table brought to life: its record with the moves played again."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from bot.rules.chance import FairChance
from bot.rules.game import Event, Seat
from bot.rules.outcome import Outcome
from bot.rules.package import GamePackage
from bot.tables.model import Entry, Header, Occupant, Record, Status, TableId

_DIGEST_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Table:
    """One play of one game, as it stands."""

    header: Header
    seats: tuple[Occupant, ...]
    package: GamePackage
    state: Any = None
    """The game's state; None before the start, and when the table is held."""
    news: tuple[tuple[Event, ...], ...] = ()
    """The events of the newest moves, one round of them."""

    @property
    def id(self) -> TableId:
        """The table's number."""
        return self.header.id

    @property
    def mover(self) -> Occupant | None:
        """Who is to move."""
        return None if self.header.to_move is None else self.seats[self.header.to_move]

    @property
    def latest(self) -> tuple[Event, ...]:
        """The events of the last round in the order they happened."""
        return tuple(event for events in self.news for event in events)

    def seat_of(self, user_id: int) -> Seat | None:
        """Return where a person sits."""
        return next((seat for seat, who in enumerate(self.seats) if who.user_id == user_id), None)

    @property
    def outcome(self) -> Outcome | None:
        """The ranking of a finished table."""
        if self.header.status is not Status.FINISHED or self.state is None:
            return None
        return self.package.game.outcome(self.state)


class Diverged(Exception):
    """The recorded moves no longer lead to the recorded positions."""


def digest_of(position: str) -> str:
    """Return the short digest that is kept with every move."""
    return hashlib.sha256(position.encode()).hexdigest()[:_DIGEST_LENGTH]


def commitment_of(seed: bytes) -> str:
    """Return the fingerprint of a seed, which binds the host to it without giving it away."""
    return hashlib.sha256(seed).hexdigest()


def salt_of(contributions: Iterable[str]) -> str:
    """Return the hash of what each seat contributed: a line for each, in the order of the seats."""
    return hashlib.sha256("".join(f"{line}\n" for line in contributions).encode("ascii")).hexdigest()


def chance_of(header: Header, step: int) -> FairChance:
    """Return the chance of one step; step 0 is the set-up."""
    return FairChance(header.seed, header.salt, step)


def begun(table: Table) -> Table:
    """Set the game up for the seats that are taken."""
    options = table.package.game.info.options.model_validate_json(table.header.options)
    state = table.package.game.start(options, len(table.seats), chance_of(table.header, 0))
    return replace(table, state=state)


def moved(table: Table, seat: Seat, text: str) -> Table:
    """Make the next move and keep the news; raises the game's refusal."""
    game = table.package.game
    chance = chance_of(table.header, table.header.step + 1)
    state, events = game.play(table.state, seat, game.parse(text), chance)
    to_move = game.to_move(state)
    status = Status.FINISHED if to_move is None else Status.PLAYING
    header = replace(table.header, step=table.header.step + 1, to_move=to_move, status=status)
    return replace(table, header=header, state=state, news=(*table.news, events)[-len(table.seats) :])


def revived(record: Record, package: GamePackage) -> Table:
    """Bring a record back to life by playing its moves again; raises Diverged."""
    table = Table(record.header, record.seats, package)
    if not record.header.salt or record.header.status is Status.HELD:
        return table
    try:
        live = begun(replace(table, header=replace(record.header, step=0)))
        for entry in record.entries:
            live = _replayed(live, entry)
    except Exception as fault:
        # Rules that have changed may fail in any way over moves they never allowed.
        raise Diverged(f"table {table.id} can't be replayed: {fault}") from fault
    if live.header.step != record.header.step:
        raise Diverged(f"table {table.id} has {live.header.step} moves, not {record.header.step}")
    return replace(live, header=record.header)


def _replayed(table: Table, entry: Entry) -> Table:
    after = moved(table, entry.seat, entry.text)
    if digest_of(after.package.game.position(after.state)) != entry.digest:
        raise Diverged(f"table {table.id} differs after move {entry.step}, {entry.text!r}")
    return after
