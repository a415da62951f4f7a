"""Makes records of tables that are over, and checks records: the promise, every number and every position."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from bot.rules.chance import FairChance, NotedChance
from bot.rules.game import AnyGame, Options
from bot.rules.package import GamePackage
from bot.rules.refusals import Refusal
from bot.tables.controls import TakeBack
from bot.tables.model import Record
from bot.tables.record import (
    Drawn,
    Ending,
    MoveRecord,
    OutcomeRecord,
    PortableRecord,
    RecordReason,
    move_record,
    seat_record,
)
from bot.tables.table import commitment_of, digest_of, salt_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was checked of a record that holds."""

    moves: int
    numbers: int
    """How many numbers chance gave."""
    controls: int
    """Entries of the host, which are no moves: where there are any, the ranking is not the rules' alone."""


@dataclass(frozen=True, slots=True)
class _Reached:
    """Where the rules have come after the set-up or an entry, and what they asked of chance on the way."""

    state: Any
    numbers: tuple[Drawn, ...]


def portable(record: Record, package: GamePackage) -> PortableRecord:
    """Make the record of a table that is over; a table that may go on keeps its seed, so it has none."""
    header = record.header
    if header.status.is_sealed:
        raise ValueError(f"table {header.id} is not over: its seed stays secret")
    bare = PortableRecord(
        game=header.game,
        rules=header.version,
        options=json.loads(header.options),
        seats=tuple(map(seat_record, record.seats)),
        commitment=commitment_of(header.seed),
        seed=header.seed.hex(),
        salt=header.salt or None,
        ending=Ending(header.status.value),
        setup=None,
        moves=tuple(map(move_record, record.entries)),
        outcome=None,
    )
    return _with_numbers(bare, package.game)


def verify(record: PortableRecord, games: Mapping[str, GamePackage]) -> Verdict:
    """Check everything a record says, in the order of `docs/fair-dice.md`; refuses with the first flaw."""
    seed = bytes.fromhex(record.seed)
    if commitment_of(seed) != record.commitment:
        raise Refusal(RecordReason.COMMITMENT)
    if record.salt is None:
        return _never_started(record)
    if salt_of(seat.contribution for seat in record.seats) != record.salt:
        raise Refusal(RecordReason.SALT)
    _require_steps(record)
    _require_numbers(record, seed, record.salt)
    _require_replay(record, games)
    return Verdict(
        moves=len(record.moves),
        numbers=sum(len(numbers or ()) for numbers in _listed(record)),
        controls=sum(move.is_control for move in record.moves),
    )


def _never_started(record: PortableRecord) -> Verdict:
    """Accept a table that ended in the lobby: nothing was rolled, so there is nothing but the promise to check."""
    if record.setup is not None or record.moves or record.outcome is not None:
        raise Refusal(RecordReason.NOT_STARTED)
    return Verdict(moves=0, numbers=0, controls=0)


def _require_steps(record: PortableRecord) -> None:
    for expected, move in enumerate(record.moves, 1):
        if move.step != expected:
            raise Refusal(RecordReason.STEPS, step=move.step, expected=expected)


def _require_numbers(record: PortableRecord, seed: bytes, salt: str) -> None:
    for step, numbers in enumerate(_listed(record)):
        chance = FairChance(seed, salt, step)
        for bound, number in numbers or ():
            due = chance.below(bound)
            if number != due:
                raise Refusal(RecordReason.NUMBER, step=step, number=number, bound=bound, due=due)


def _require_replay(record: PortableRecord, games: Mapping[str, GamePackage]) -> None:
    if record.game not in games:
        raise Refusal(RecordReason.GAME, game=record.game, games=", ".join(games))
    game = games[record.game].game
    if record.rules != game.info.version:
        raise Refusal(RecordReason.RULES, version=record.rules, known=game.info.version)
    state: Any = None
    for step, (listed, reached) in enumerate(zip(_listed(record), _followed(record, game), strict=True)):
        if listed is not None and listed != reached.numbers:
            raise Refusal(RecordReason.OTHER_NUMBERS, step=step)
        state = reached.state
    _require_outcome(record, game, state)


def _require_outcome(record: PortableRecord, game: AnyGame, state: Any) -> None:
    """Compare the ranking with the rules', unless the host's entries had a say in it."""
    if record.ending is Ending.FINISHED and any(move.is_control for move in record.moves):
        return
    if record.outcome != _outcome(record, game, state):
        raise Refusal(RecordReason.OUTCOME)


def _outcome(record: PortableRecord, game: AnyGame, state: Any) -> OutcomeRecord | None:
    outcome = game.outcome(state) if record.ending is Ending.FINISHED else None
    return None if outcome is None else OutcomeRecord.of(outcome)


def _listed(record: PortableRecord) -> Iterator[tuple[Drawn, ...] | None]:
    """Return the numbers of the set-up and of each move."""
    yield record.setup
    yield from (move.numbers for move in record.moves)


def _with_numbers(record: PortableRecord, game: AnyGame) -> PortableRecord:
    """Add what chance gave, as far as the moves still lead where they led at the table, and the ranking."""
    reached: list[_Reached] = []
    # What was reached before a refusal stays in the list. A held table gets no further, and its record says so.
    with contextlib.suppress(Refusal):
        reached.extend(_followed(record, game))
    if not reached:
        return record
    start, *after = reached
    pairs = zip(record.moves, after, strict=False)
    told = tuple(move.model_copy(update={"numbers": each.numbers}) for move, each in pairs)
    whole = len(after) == len(record.moves)
    return record.model_copy(
        update={
            "setup": start.numbers,
            "moves": told + record.moves[len(told) :],
            "outcome": _outcome(record, game, reached[-1].state) if whole else None,
        }
    )


def _followed(record: PortableRecord, game: AnyGame) -> Iterator[_Reached]:
    """Play a record's moves again, the set-up first; refuses where they lead elsewhere than they say."""
    if record.salt is None:
        return
    options = _options(record, game)
    chance = _chance(record, 0)
    try:
        state = game.start(options, len(record.seats), chance)
    except Exception as fault:
        raise Refusal(RecordReason.OPTIONS) from fault
    yield _Reached(state, tuple(chance.notes))
    before = state
    for move in record.moves:
        chance = _chance(record, move.step)
        if move.text == str(TakeBack()):
            state = before
        elif not move.is_control:
            before, state = state, _after(game, state, move, chance)
        if digest_of(game.position(state)) != move.digest:
            raise Refusal(RecordReason.DIGEST, step=move.step, text=move.text)
        yield _Reached(state, tuple(chance.notes))


def _options(record: PortableRecord, game: AnyGame) -> Options:
    if not game.info.least_seats <= len(record.seats) <= game.info.most_seats:
        raise Refusal(RecordReason.SEATS, seats=len(record.seats), game=game.info.title)
    try:
        return game.info.options.model_validate_json(json.dumps(record.options))
    except ValidationError as fault:
        raise Refusal(RecordReason.OPTIONS) from fault


def _chance(record: PortableRecord, step: int) -> NotedChance:
    return NotedChance(FairChance(bytes.fromhex(record.seed), record.salt or "", step))


def _after(game: AnyGame, state: Any, move: MoveRecord, chance: NotedChance) -> Any:
    try:
        state, _ = game.play(state, move.seat, game.parse(move.text), chance)
    except Exception as fault:
        # A record may say anything, and rules may fail in any way over moves they never allowed.
        raise Refusal(RecordReason.REFUSED, step=move.step, text=move.text) from fault
    return state
