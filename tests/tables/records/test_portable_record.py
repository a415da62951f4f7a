"""Portable records: made only when the seed may be shown, and read with suspicion."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from bot.features.fairness.records import MAX_RECORD_BYTES, OutcomeRecord, RecordReason, read_record
from bot.features.fairness.verification import VerificationResult, make_record, verify_record
from bot.features.hints.service import use_hint
from bot.rules.refusals import Refusal
from bot.tables.model import Entry, Status, StoredTable
from bot.tables.refusals import TableFacts
from bot.tables.service import TableService
from bot.tables.table import digest_of
from tests.fairdice import checker
from tests.fairdice.worked_example import make_example_record
from tests.support.broken_games import with_broken_tables
from tests.support.each_case import each_case
from tests.support.fakes import GAMES, NOON, ROBIN, make_service, mover_of, open_lobby, roll, start_game
from tests.support.memory_database import MemoryDatabase
from tests.tables.refusals import refused_for

MAGPIE = GAMES["magpie"]


async def play_and_cancel(db: MemoryDatabase, moves: int = 3) -> StoredTable:
    service = make_service(db)
    table = await start_game(service)
    for _ in range(moves):
        table = await roll(service, table)
    await service.cancel(table.id, ROBIN, is_moderator=True)
    return await service.load_stored(table.id)


class TestSeal:
    async def test_a_table_that_may_go_on_has_no_record(self, service: TableService) -> None:
        table = await open_lobby(service)
        with pytest.raises(ValueError, match="stays secret"):
            make_record(await service.load_stored(table.id), MAGPIE)
        await service.start(table.id, ROBIN, 1)
        with pytest.raises(ValueError, match="stays secret"):
            make_record(await service.load_stored(table.id), MAGPIE)

    def test_every_status_is_either_sealed_or_an_ending(self, db: MemoryDatabase) -> None:
        assert {status for status in Status if status.is_seed_secret} == {Status.LOBBY, Status.PLAYING, Status.ASIDE}

    async def test_no_text_of_a_table_contains_its_seed(self, service: TableService) -> None:
        table = await start_game(service)
        seed = table.header.seed
        record = await service.load_stored(table.id)
        for text in (repr(table), repr(record), str(Refusal(RecordReason.GAME, TableFacts(table)))):
            assert repr(seed)[2:12] not in text
            assert seed.hex()[:8] not in text

    async def test_its_levels_are_those_of_the_results(self, service: TableService) -> None:
        """Also where the stored arrays of Strong broke during the game."""
        table = await open_lobby(service, ROBIN)
        table = await service.add_computer(table.id, ROBIN, table.header.revision, "strong")
        table = await service.start(table.id, ROBIN, 1)
        await service.cancel(table.id, ROBIN, is_moderator=True)
        stored = await service.load_stored(table.id)
        for package, level in ((MAGPIE, "strong"), (with_broken_tables(MAGPIE), "normal")):
            assert [seat.level for seat in make_record(stored, package).seats] == [None, level]

    async def test_a_table_that_ended_in_the_lobby_has_only_a_seal(self, service: TableService) -> None:
        table = await open_lobby(service)
        await service.cancel(table.id, ROBIN, is_moderator=True)
        made = make_record(await service.load_stored(table.id), MAGPIE)
        assert (made.salt, made.setup, made.moves, made.outcome) == (None, None, (), None)
        assert verify_record(made, GAMES) == VerificationResult(0, 0, 0)
        assert checker.find_flaws(json.loads(str(made))) == []
        played = make_record(await play_and_cancel(MemoryDatabase()), MAGPIE)
        outcome = OutcomeRecord(places=(), scores=(), reason="")
        for changes in ({"setup": ()}, {"moves": played.moves[:1]}, {"outcome": outcome}):
            with refused_for(RecordReason.NOT_STARTED):
                verify_record(made.model_copy(update=changes), GAMES)


class TestHints:
    async def test_a_record_says_who_used_hints_and_holds(self, db: MemoryDatabase) -> None:
        service = make_service(db)
        table = await start_game(service)
        mover = table.header.to_move
        await use_hint(service, table.id, mover_of(table), 0)
        await service.cancel((await roll(service, table)).id, ROBIN, is_moderator=True)
        made = make_record(await service.load_stored(table.id), MAGPIE)
        again = read_record(str(made).encode())
        assert again == made
        assert [seat.hints for seat in again.seats] == [seat == mover for seat in range(3)]
        assert verify_record(again, GAMES).moves == 1
        assert checker.find_flaws(json.loads(str(made))) == []


def change_move(record: StoredTable) -> StoredTable:
    first, second, *rest = record.entries
    return replace(record, entries=(first, replace(second, digest="0" * 16), *rest))


class TestHeld:
    async def test_a_record_says_up_to_which_move_it_can_be_replayed(self, db: MemoryDatabase) -> None:
        sound = await play_and_cancel(db)
        held = change_move(replace(sound, header=replace(sound.header, status=Status.HELD)))
        made = make_record(held, MAGPIE)
        assert (made.ending, made.outcome) == ("held", None)
        assert [move.numbers is None for move in made.moves] == [False, True, True]
        assert made.setup == make_record(sound, MAGPIE).setup
        assert checker.find_flaws(json.loads(str(made))) == []
        with pytest.raises(Refusal) as refused:
            verify_record(made, GAMES)
        assert refused.value.reason is RecordReason.DIGEST
        assert refused.value.facts.by_name()["step"] == 2

    async def test_if_the_rules_cannot_start_the_numbers_are_left_out(self, db: MemoryDatabase) -> None:
        sound = await play_and_cancel(db)
        held = replace(sound, header=replace(sound.header, status=Status.HELD, options='{"target": 7}'))
        made = make_record(held, MAGPIE)
        assert made.setup is None
        assert all(move.numbers is None for move in made.moves)
        assert read_record(str(made).encode()) == made
        assert {'  {"step": 1, ', '  {"name": "Ro'} <= {line[:14] for line in str(made).splitlines()}


class TestControls:
    async def with_entry(self, db: MemoryDatabase) -> StoredTable:
        """A finished table, but for an entry of the host put before its last move."""
        record = await play_and_cancel(db, moves=2)
        table = await make_service(db).table(record.header.id)
        digest = digest_of(MAGPIE.game.encode_position(table.state))
        entry = Entry(3, 0, "!resign", digest, 77, NOON)
        header = replace(record.header, step=3)
        return replace(record, header=header, entries=(*record.entries, entry))

    async def test_control_entries_roll_nothing_and_leave_the_position(self, db: MemoryDatabase) -> None:
        made = make_record(await self.with_entry(db), MAGPIE)
        assert (made.moves[2].text, made.moves[2].numbers) == ("!resign", ())
        assert verify_record(made, GAMES).control_entries == 1
        assert checker.find_flaws(json.loads(str(made))) == []
        *_, before, after = checker.replay_magpie_faces(json.loads(str(made)))
        assert before == after

    async def test_control_entries_may_not_roll(self, db: MemoryDatabase) -> None:
        made = make_record(await self.with_entry(db), MAGPIE)
        (number,) = checker.draw_numbers(json.loads(str(made)), 3, [6])
        rolling = made.moves[2].model_copy(update={"numbers": (tuple(number),)})
        with refused_for(RecordReason.OTHER_NUMBERS):
            verify_record(made.model_copy(update={"moves": (*made.moves[:2], rolling)}), GAMES)


def set_key(**changes: Any) -> Any:
    return lambda data: {**data, **changes}


def drop_key(key: str) -> Any:
    return lambda data: {each: value for each, value in data.items() if each != key}


def nest(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


MALFORMED_RECORDS: list[tuple[Any, RecordReason, str]] = [
    (drop_key("seed"), RecordReason.NO_SEED, ""),
    (set_key(seed=None), RecordReason.NO_SEED, ""),
    (set_key(seed="sealed"), RecordReason.NO_SEED, ""),
    (set_key(version=2), RecordReason.OTHER_VERSION, ""),
    (set_key(version="1"), RecordReason.NO_RECORD, ""),
    (set_key(version=True), RecordReason.NO_RECORD, ""),
    (drop_key("version"), RecordReason.NO_RECORD, ""),
    (set_key(format="chess"), RecordReason.NO_RECORD, ""),
    (set_key(extra=1), RecordReason.MALFORMED, "extra"),
    (set_key(commitment="AB" * 32), RecordReason.MALFORMED, "commitment"),
    (set_key(salt=5), RecordReason.MALFORMED, "salt"),
    (set_key(seats={}), RecordReason.MALFORMED, "seats"),
    (set_key(seats=[{"name": "x"}]), RecordReason.MALFORMED, "seats.0.level"),
    (
        set_key(seats=[{"name": "x", "level": None, "contribution": "1\n2", "hints": False}]),
        RecordReason.MALFORMED,
        "seats.0.contribution",
    ),
    (set_key(setup=[[0, 0]]), RecordReason.MALFORMED, "setup.0.0"),
    (set_key(setup=[[2**64 + 1, 0]]), RecordReason.MALFORMED, "setup.0.0"),
    (set_key(setup=[[6, -1]]), RecordReason.MALFORMED, "setup.0.1"),
    (set_key(setup=[[6, 1.5]]), RecordReason.MALFORMED, "setup.0.1"),
    (set_key(setup=[[6]]), RecordReason.MALFORMED, "setup.0.1"),
    (set_key(moves=[None]), RecordReason.MALFORMED, "moves.0"),
    (set_key(moves="roll"), RecordReason.MALFORMED, "moves"),
    (set_key(rules=10**400), RecordReason.MALFORMED, "rules"),
    (set_key(ending="playing"), RecordReason.MALFORMED, "ending"),
    (set_key(options=[]), RecordReason.MALFORMED, "options"),
    (set_key(outcome={"places": [1]}), RecordReason.MALFORMED, "outcome.scores"),
]


class TestReading:
    async def test_a_record_is_read_as_it_was_written(self) -> None:
        made = await make_example_record()
        assert read_record(str(made).encode()) == made

    @each_case("mangle, reason, where", MALFORMED_RECORDS)
    async def test_a_mangled_record_is_refused(self, mangle: Any, reason: RecordReason, where: str) -> None:
        data = json.loads(str(await make_example_record()))
        with pytest.raises(Refusal) as refused:
            read_record(json.dumps(mangle(data)).encode())
        assert refused.value.reason is reason
        assert refused.value.facts.by_name().get("where", "") == where

    @each_case(
        "text, reason",
        [
            (b"", RecordReason.NO_JSON),
            (b"{", RecordReason.NO_JSON),
            (b"\xff\xfe{}", RecordReason.NO_JSON),
            (b'{"a": NaN}', RecordReason.NO_JSON),
            (nest(100_000), RecordReason.NO_JSON),
            (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, RecordReason.NO_JSON),
            (nest(50), RecordReason.NO_RECORD),
            (b"null", RecordReason.NO_RECORD),
            (b"7", RecordReason.NO_RECORD),
            (b"{}", RecordReason.NO_RECORD),
            (b" " * MAX_RECORD_BYTES, RecordReason.NO_JSON),
            (b" " * (MAX_RECORD_BYTES + 1), RecordReason.TOO_LARGE),
        ],
    )
    def test_other_files_are_refused(self, text: bytes, reason: RecordReason) -> None:
        with refused_for(reason):
            read_record(text)

    @each_case("more", ['"version":1,', "".join(f'"k{number}":0,' for number in range(64))])
    async def test_a_key_given_twice_and_more_than_64_keys_are_refused(self, more: str) -> None:
        made = await make_example_record()
        with pytest.raises(Refusal) as refused:
            read_record(str(made).replace("{", "{" + more, 1).encode())
        assert refused.value.reason is RecordReason.NO_RECORD
        assert refused.value.__cause__ is None, "Pydantic would need much memory for many keys"
        options = {f"k{number}": 0 for number in range(64)}
        allowed = made.model_copy(update={"options": options})
        assert read_record(str(allowed).encode()).options == options

    async def test_damage_never_causes_an_error(self) -> None:
        """Damaged bytes are refused with a message, unless the record is still valid."""
        text, chances, held = str(await make_example_record()).encode(), random.Random(8), 0
        for _ in range(300):
            damaged = bytearray(text)
            for _ in range(chances.randint(1, 3)):
                at = chances.randrange(len(damaged))
                damaged[at : at + chances.randint(0, 2)] = bytes(
                    chances.choices(b'0123456789abcdef"[]{}:, \\unl-.', k=1)
                )
            try:
                verify_record(read_record(bytes(damaged)), GAMES)
            except Refusal:
                continue
            held += 1
        assert held < 60  # a changed name or an added space can't be detected

    async def test_games_far_longer_than_real_ones_fit(self) -> None:
        """Computer players end the longest game of all, Fortune to 20,000, within 700 moves."""
        made = await make_example_record()
        move = made.moves[0].model_copy(update={"numbers": ((6, 5),) * 10, "text": "roll 1 2 3 4 5"})
        assert len(str(made.model_copy(update={"moves": (move,) * 5000}))) < MAX_RECORD_BYTES
