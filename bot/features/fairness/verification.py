"""Makes records of tables that are over, and verifies records: the commitment, every number and every position."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.features.fairness.records import (
    DrawnNumber,
    Ending,
    EndingFacts,
    MoveRecord,
    NumberFacts,
    OutcomeRecord,
    PortableRecord,
    RecordReason,
    SeatRecord,
    StepFacts,
    StepOrderFacts,
    UnknownGameFacts,
    VersionFacts,
    replay_record,
)
from bot.platform.time_slices import SlicedWork, run_unsliced
from bot.rules.chance import FairChance
from bot.rules.refusals import Refusal
from bot.tables.kinds import Edition, SharedSeed, claims_edition, find_edition
from bot.tables.model import Status, StoredTable
from bot.tables.registry import AnyPackage, played_level
from bot.tables.table import Table, commitment_of, salt_of
from bot.words import join_items


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """The parts of a valid record that were verified."""

    moves: int
    numbers: int
    """How many drawn numbers were verified."""
    control_entries: int
    """How many moves are control entries. A record contains no times and no opener, so these are not verified."""
    edition: Edition | None = None
    """The edition of a challenge, in which everyone gets the same seed."""


def edition_of(record: StoredTable) -> Edition | None:
    """Return the edition of a stored table; None if it belongs to no challenge."""
    return find_edition(record.seats[0].contribution) if record.seats else None


def is_seed_secret(record: StoredTable, shared: SharedSeed | None = None) -> bool:
    """Return whether a table's seed must not be shown.

    Args:
        record: The table.
        shared: The seed of its edition if the table belongs to a challenge; without it, the seed stays secret.
    """
    edition = edition_of(record)
    is_published = shared is not None and shared.edition == edition and shared.published_at is not None
    return record.header.status.is_seed_secret or (edition is not None and not is_published)


def make_record(record: StoredTable, package: AnyPackage, shared: SharedSeed | None = None) -> PortableRecord:
    """Return the record of a table that is over; one of a challenge also needs the seed of its edition.

    Raises:
        ValueError: The seed is secret, because the table is not over or the seed is not published.
    """
    return run_unsliced(make_record_in_slices(record, package, shared))


def make_record_in_slices(
    record: StoredTable, package: AnyPackage, shared: SharedSeed | None = None
) -> SlicedWork[PortableRecord]:
    """Do the same as `make_record`, yielding after each step because a long game takes a while."""
    header = record.header
    if is_seed_secret(record, shared):
        raise ValueError(f"the seed of table {header.id} stays secret")
    moves = []
    for entry in record.entries:
        moves.append(MoveRecord(step=entry.step, seat=entry.seat, text=entry.text, digest=entry.digest, numbers=None))
        yield
    without_numbers = PortableRecord(
        game=header.game,
        rules=header.version,
        options=json.loads(header.options),
        seats=tuple(
            SeatRecord(
                name=who.name,
                level=who.level and played_level(package, who.level),
                contribution=who.contribution,
                hints=seat in header.hinted,
            )
            for seat, who in enumerate(record.seats)
        ),
        commitment=commitment_of(header.seed),
        seed=header.seed.hex(),
        salt=header.salt or None,
        ending=Ending.HELD if header.status is Status.HELD_ASIDE else Ending(header.status.value),
        setup=None,
        moves=tuple(moves),
        outcome=None,
    )
    return (yield from _add_numbers(without_numbers, package))


def verify_record(record: PortableRecord, games: Mapping[str, AnyPackage]) -> VerificationResult:
    """Verify a record in the order that `docs/fair-dice.md` specifies.

    Raises:
        Refusal: The record fails verification; the reason is the first failed check.
    """
    return run_unsliced(verify_record_in_slices(record, games))


def verify_record_in_slices(record: PortableRecord, games: Mapping[str, AnyPackage]) -> SlicedWork[VerificationResult]:
    """Do the same as `verify_record`, yielding after each step because a long game takes a while."""
    seed = bytes.fromhex(record.seed)
    if commitment_of(seed) != record.commitment:
        raise Refusal(RecordReason.COMMITMENT)
    if record.salt is None:
        return _verify_unstarted(record)
    if salt_of(seat.contribution for seat in record.seats) != record.salt:
        raise Refusal(RecordReason.SALT)
    edition = _require_challenge(record)
    for expected, move in enumerate(record.moves, 1):
        if move.step != expected:
            raise Refusal(RecordReason.STEPS, StepOrderFacts(move.step, expected))
    yield from _require_numbers(record, seed, record.salt)
    yield from _require_replay(record, games)
    return VerificationResult(
        moves=len(record.moves),
        numbers=sum(len(numbers or ()) for numbers in _drawn_numbers(record)),
        control_entries=sum(move.is_control_entry for move in record.moves),
        edition=edition,
    )


def _verify_unstarted(record: PortableRecord) -> VerificationResult:
    """Verify the record of a table that ended in the lobby: it has only the commitment."""
    if record.setup is not None or record.moves or record.outcome is not None:
        raise Refusal(RecordReason.NOT_STARTED)
    if record.ending in (Ending.FINISHED, Ending.HELD, Ending.ABANDONED):
        raise Refusal(RecordReason.ENDING, EndingFacts(record.ending))
    return VerificationResult(moves=0, numbers=0, control_entries=0)


def _require_challenge(record: PortableRecord) -> Edition | None:
    """Return the edition of a challenge, which is played by one person, with the default options and without hints."""
    if not any(claims_edition(seat.contribution) for seat in record.seats):
        return None
    (first, *others) = record.seats
    edition = find_edition(first.contribution)
    is_alike = edition is not None and (record.game, record.options) == (edition.game, {})
    if edition is None or not is_alike or others or first.level is not None or first.hints:
        raise Refusal(RecordReason.CHALLENGE)
    return edition


def _require_numbers(record: PortableRecord, seed: bytes, salt: str) -> SlicedWork[None]:
    for step, numbers in enumerate(_drawn_numbers(record)):
        chance = FairChance(seed, salt, step)
        for bound, number in numbers or ():
            due = chance.randbelow(bound)
            if number != due:
                raise Refusal(RecordReason.NUMBER, NumberFacts(step, number, bound, due))
        yield


def _require_replay(record: PortableRecord, games: Mapping[str, AnyPackage]) -> SlicedWork[None]:
    if record.game not in games:
        raise Refusal(RecordReason.GAME, UnknownGameFacts(record.game, join_items(list(games))))
    package = games[record.game]
    version = package.game.info.version
    if record.rules != version:
        raise Refusal(RecordReason.RULES, VersionFacts(record.rules, version))
    for step, (numbers, table) in enumerate(zip(_drawn_numbers(record), replay_record(record, package), strict=True)):
        if numbers is not None and numbers != table.numbers:
            raise Refusal(RecordReason.OTHER_NUMBERS, StepFacts(step))
        if step == len(record.moves):
            _require_end(record, table)
        yield


def _require_end(record: PortableRecord, table: Table) -> None:
    """Compare the recorded ending and outcome with the table after its last entry."""
    is_finished = table.header.status is Status.FINISHED
    was_closed = table.header.status is Status.CANCELLED and record.ending is not Ending.CANCELLED
    if is_finished is not (record.ending is Ending.FINISHED) or record.ending is Ending.EXPIRED or was_closed:
        raise Refusal(RecordReason.ENDING, EndingFacts(record.ending))
    if record.outcome != _make_outcome_record(table):
        raise Refusal(RecordReason.OUTCOME)


def _make_outcome_record(table: Table) -> OutcomeRecord | None:
    return OutcomeRecord.from_outcome(table.outcome) if table.outcome else None


def _drawn_numbers(record: PortableRecord) -> Iterator[tuple[DrawnNumber, ...] | None]:
    """Yield the numbers of the set-up and of each move."""
    yield record.setup
    yield from (move.numbers for move in record.moves)


def _add_numbers(record: PortableRecord, package: AnyPackage) -> SlicedWork[PortableRecord]:
    """Add the drawn numbers and the outcome, as far as the entries replay."""
    replayed: list[Table] = []
    # Replaying a held table ends in a refusal; the list keeps the tables up to there.
    with contextlib.suppress(Refusal):
        for table in replay_record(record, package):
            replayed.append(table)
            yield
    if not replayed:
        return record
    start, *after_moves = replayed
    moves = []
    for move, table in zip(record.moves, after_moves, strict=False):
        moves.append(move.model_copy(update={"numbers": table.numbers}))
        yield
    is_complete = len(moves) == len(record.moves)
    return record.model_copy(
        update={
            "setup": start.numbers,
            "moves": (*moves, *record.moves[len(moves) :]),
            "outcome": _make_outcome_record(replayed[-1]) if is_complete else None,
        }
    )
