"""Makes records of tables that are over, and checks records: the promise, every number and every position."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.rules.chance import FairChance
from bot.rules.package import GamePackage
from bot.rules.refusals import Refusal
from bot.tables.model import Record, Status
from bot.tables.records.record import (
    Drawn,
    Ending,
    OutcomeRecord,
    PortableRecord,
    RecordReason,
    move_record,
    seat_record,
)
from bot.tables.records.record_replay import followed
from bot.tables.slices import Steps, finish_at_once
from bot.tables.table import Table, commitment_of, salt_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was checked of a record that holds."""

    moves: int
    numbers: int
    """How many numbers chance gave."""
    controls: int
    """Entries of the host, which are no moves: what they need of times, and of who opened the table, is not told."""


def portable(record: Record, package: GamePackage) -> PortableRecord:
    """Make the record of a table that is over; a table that may go on keeps its seed, so it has none."""
    return finish_at_once(portable_in_steps(record, package))


def portable_in_steps(record: Record, package: GamePackage) -> Steps[PortableRecord]:
    """Make a record as `portable` does, step by step: it takes a while for a long game."""
    header = record.header
    if header.status.is_sealed:
        raise ValueError(f"table {header.id} is not over: its seed stays secret")
    moves = []
    for entry in record.entries:
        moves.append(move_record(entry))
        yield
    bare = PortableRecord(
        game=header.game,
        rules=header.version,
        options=json.loads(header.options),
        seats=tuple(map(seat_record, record.seats)),
        commitment=commitment_of(header.seed),
        seed=header.seed.hex(),
        salt=header.salt or None,
        ending=Ending.HELD if header.status is Status.HELD_ASIDE else Ending(header.status.value),
        setup=None,
        moves=tuple(moves),
        outcome=None,
    )
    return (yield from _with_numbers(bare, package))


def verify(record: PortableRecord, games: Mapping[str, GamePackage]) -> Verdict:
    """Check everything a record says, in the order of `docs/fair-dice.md`; refuses with the first flaw."""
    return finish_at_once(verify_in_steps(record, games))


def verify_in_steps(record: PortableRecord, games: Mapping[str, GamePackage]) -> Steps[Verdict]:
    """Check a record as `verify` does, step by step: it takes a while for a long game."""
    seed = bytes.fromhex(record.seed)
    if commitment_of(seed) != record.commitment:
        raise Refusal(RecordReason.COMMITMENT)
    if record.salt is None:
        return _never_started(record)
    if salt_of(seat.contribution for seat in record.seats) != record.salt:
        raise Refusal(RecordReason.SALT)
    _require_steps(record)
    yield from _require_numbers(record, seed, record.salt)
    yield from _require_replay(record, games)
    return Verdict(
        moves=len(record.moves),
        numbers=sum(len(numbers or ()) for numbers in _listed(record)),
        controls=sum(move.is_control for move in record.moves),
    )


def _never_started(record: PortableRecord) -> Verdict:
    """Accept a table that ended in the lobby: nothing was rolled, so there is nothing but the promise to check."""
    if record.setup is not None or record.moves or record.outcome is not None:
        raise Refusal(RecordReason.NOT_STARTED)
    if record.ending in (Ending.FINISHED, Ending.HELD, Ending.ABANDONED):
        raise Refusal(RecordReason.ENDING, ending=record.ending)
    return Verdict(moves=0, numbers=0, controls=0)


def _require_steps(record: PortableRecord) -> None:
    for expected, move in enumerate(record.moves, 1):
        if move.step != expected:
            raise Refusal(RecordReason.STEPS, step=move.step, expected=expected)


def _require_numbers(record: PortableRecord, seed: bytes, salt: str) -> Steps[None]:
    for step, numbers in enumerate(_listed(record)):
        chance = FairChance(seed, salt, step)
        for bound, number in numbers or ():
            due = chance.below(bound)
            if number != due:
                raise Refusal(RecordReason.NUMBER, step=step, number=number, bound=bound, due=due)
        yield


def _require_replay(record: PortableRecord, games: Mapping[str, GamePackage]) -> Steps[None]:
    if record.game not in games:
        raise Refusal(RecordReason.GAME, game=record.game, games=", ".join(games))
    package = games[record.game]
    known = package.game.info.version
    if record.rules != known:
        raise Refusal(RecordReason.RULES, version=record.rules, known=known)
    for step, (listed, table) in enumerate(zip(_listed(record), followed(record, package), strict=True)):
        if listed is not None and listed != table.numbers:
            raise Refusal(RecordReason.OTHER_NUMBERS, step=step)
        if step == len(record.moves):
            _require_end(record, table)
        yield


def _require_end(record: PortableRecord, table: Table) -> None:
    """Compare how a table ended, and the ranking, with where its entries lead."""
    is_over = table.header.status is Status.FINISHED
    agreed = table.header.status is Status.CANCELLED and record.ending is not Ending.CANCELLED
    if is_over is not (record.ending is Ending.FINISHED) or record.ending is Ending.EXPIRED or agreed:
        raise Refusal(RecordReason.ENDING, ending=record.ending)
    if record.outcome != _outcome(table):
        raise Refusal(RecordReason.OUTCOME)


def _outcome(table: Table) -> OutcomeRecord | None:
    return OutcomeRecord.of(table.outcome) if table.outcome else None


def _listed(record: PortableRecord) -> Iterator[tuple[Drawn, ...] | None]:
    """Return the numbers of the set-up and of each move."""
    yield record.setup
    yield from (move.numbers for move in record.moves)


def _with_numbers(record: PortableRecord, package: GamePackage) -> Steps[PortableRecord]:
    """Add what chance gave, as far as the moves still lead where they led at the table, and the ranking."""
    reached: list[Table] = []
    # What was reached before a refusal stays in the list. A held table gets no further, and its record says so.
    with contextlib.suppress(Refusal):
        for table in followed(record, package):
            reached.append(table)
            yield
    if not reached:
        return record
    start, *after = reached
    told = []
    for move, each in zip(record.moves, after, strict=False):
        told.append(move.model_copy(update={"numbers": each.numbers}))
        yield
    is_whole = len(after) == len(record.moves)
    return record.model_copy(
        update={
            "setup": start.numbers,
            "moves": (*told, *record.moves[len(told) :]),
            "outcome": _outcome(reached[-1]) if is_whole else None,
        }
    )
