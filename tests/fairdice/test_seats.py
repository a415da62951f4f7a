"""Two checkers accept tables whose players left or resigned, and detect every change to them."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.features.fairness.records import RecordReason, read_record
from bot.features.fairness.verification import make_record, verify_record
from bot.rules.refusals import Refusal
from bot.tables.model import StoredTable
from bot.tables.registry import GameRegistry
from bot.tables.seats import take_back
from tests.fairdice import checker
from tests.fairdice.seat_scenarios import (
    HEAP_GAMES,
    play_until_closed,
    play_until_last_person,
    play_with_every_entry,
    play_with_removal,
    play_without_absent,
    start_game,
)
from tests.rules.heap_game import PACKAGE, PATIENT_PACKAGE
from tests.support.each_case import each_case
from tests.support.fakes import mover_of
from tests.support.memory_database import MemoryDatabase

Data = dict[str, Any]
PlayRecord = Callable[[MemoryDatabase], Awaitable[StoredTable]]


@pytest.fixture
def db() -> MemoryDatabase:
    return MemoryDatabase()


def record_data(record: StoredTable) -> Data:
    data: Data = json.loads(str(make_record(record, PACKAGE)))
    return data


def entry_texts(data: Data) -> list[str]:
    return [move["text"] for move in data["moves"]]


def entry_with_text(data: Data, text: str) -> Data:
    """The first entry with a text."""
    return next(move for move in data["moves"] if move["text"] == text)


@pytest.mark.parametrize(
    ("made", "entries"),
    [
        (play_with_every_entry, ["!ask 0", "!substitute 0", "!back", "!undo", "!resign"]),
        (play_without_absent, ["!substitute 1"]),
        (play_with_removal, ["!remove", "!resign"]),
        (play_until_last_person, ["!undo", "!ask 0", "!substitute 0", "!back", "!resign", "!resign"]),
    ],
)
async def test_finished_tables_hold_and_rank_like_their_results(
    db: MemoryDatabase, made: PlayRecord, entries: list[str]
) -> None:
    data = record_data(await made(db))
    assert [text for text in entry_texts(data) if text.startswith("!")] == entries
    assert checker.find_flaws(data) == []
    assert verify_record(read_record(json.dumps(data).encode()), HEAP_GAMES).control_entries == len(entries)
    assert [result.place for result in db.results] == data["outcome"]["places"]
    assert [result.score for result in db.results] == data["outcome"]["scores"]


async def test_a_turn_that_was_taken_back_step_by_step_holds(db: MemoryDatabase) -> None:
    games = GameRegistry([PATIENT_PACKAGE])
    play = await start_game(db, games)
    mover = mover_of(play.table)
    for text in ("take 1", "take 1", "take 3"):
        await play.move(text)
    for _ in range(3):
        await play.apply_action(mover, take_back)
    await play.finish()
    data: Data = json.loads(str(make_record(db.records[play.table.id], PATIENT_PACKAGE)))
    assert entry_texts(data)[:6] == ["take 1", "take 1", "take 3", *["!undo"] * 3]
    assert checker.find_flaws(data) == []
    assert verify_record(read_record(json.dumps(data).encode()), games).control_entries == 3
    data["moves"][6] = {**data["moves"][5], "step": 7}
    assert "entry of step 7" in checker.find_flaws(data)
    with pytest.raises(Refusal):
        verify_record(read_record(json.dumps(data).encode()), games)


async def test_a_table_closed_by_agreement_holds_and_has_no_results(db: MemoryDatabase) -> None:
    data = record_data(await play_until_closed(db))
    assert [text for text in entry_texts(data) if text.startswith("!")] == ["!close", "!close", "!close", "!resign"]
    assert (data["ending"], data["outcome"], db.results) == ("cancelled", None, [])
    assert checker.find_flaws(data) == []
    assert verify_record(read_record(json.dumps(data).encode()), HEAP_GAMES).control_entries == 4


async def test_a_player_who_resigned_is_last_even_if_their_substitute_scored_more(db: MemoryDatabase) -> None:
    outcome = record_data(await play_with_every_entry(db))["outcome"]
    robin, wren, jay = outcome["scores"]
    assert wren > jay > robin
    assert outcome["places"] == [2, 1, 3]


async def test_the_last_player_wins_without_scores_if_all_others_resign(db: MemoryDatabase) -> None:
    assert record_data(await play_until_last_person(db))["outcome"] == {
        "places": [2, 2, 1],
        "scores": [0, 0, 0],
        "reason": "resigned",
    }


def replace_text(before: str, after: str) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        entry_with_text(data, before)["text"] = after

    return change


def replace_seat(of: str, after: int) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        assert entry_with_text(data, of)["seat"] != after
        entry_with_text(data, of)["seat"] = after

    return change


def replace_outcome(**changes: Any) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        assert data["outcome"] | changes != data["outcome"]
        data["outcome"] |= changes

    return change


def drop_entry(gone: str) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        data["moves"].remove(entry_with_text(data, gone))
        for step, move in enumerate(data["moves"], 1):
            move["step"] = step

    return change


def give_to_computer(data: Data) -> None:
    data["seats"][0]["level"] = "careless"


def append_after_end(data: Data) -> None:
    last = data["moves"][-1]
    data["moves"].append({**last, "step": last["step"] + 1, "seat": 2, "text": "!resign", "numbers": []})


def repeat_entry(again: str) -> Callable[[Data], None]:
    """Make an entry once more, and nothing after it."""

    def change(data: Data) -> None:
        at = entry_texts(data).index(again)
        data["moves"][at + 1 :] = [{**data["moves"][at], "step": at + 2}]
        data["ending"], data["outcome"] = "cancelled", None

    return change


def move_to_step(step: int, **changes: Any) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        data["moves"][step - 1] |= changes

    return change


def hold(data: Data) -> None:
    data["ending"] = "held"


def agree_too_early(data: Data) -> None:
    """Let the second move be an agreement, and nothing come after it."""
    first = data["moves"][0]
    data["moves"] = [first, {**first, "step": 2, "seat": 1, "text": "!close", "numbers": []}]


REFUSED, ENDING, OUTCOME = RecordReason.REFUSED, RecordReason.ENDING, RecordReason.OUTCOME

# A play, a change to its record, the bot's reason, and the word that the checker without rules prints.
CHANGES: list[tuple[PlayRecord, Callable[[Data], None], RecordReason, str]] = [
    (play_with_every_entry, replace_outcome(places=[1, 2, 3]), OUTCOME, ""),
    (play_with_every_entry, replace_outcome(places=[3, 1, 2]), OUTCOME, "ranking"),
    (play_with_every_entry, replace_outcome(places=[2, 1, 2]), OUTCOME, "ranking"),
    (play_with_every_entry, replace_outcome(places=[2, 1]), OUTCOME, "ranking"),
    (play_with_every_entry, replace_outcome(scores=[12, 15, 14]), OUTCOME, ""),
    (play_with_every_entry, replace_outcome(reason="resigned"), OUTCOME, "ranking"),
    (play_until_last_person, replace_outcome(places=[2, 1, 1]), OUTCOME, "ranking"),
    (play_until_last_person, replace_outcome(places=[3, 2, 1]), OUTCOME, "ranking"),
    (play_until_last_person, replace_outcome(scores=[0, 0, 1]), OUTCOME, "ranking"),
    (play_until_last_person, replace_outcome(reason="heap_empty"), OUTCOME, "ranking"),
    (play_with_every_entry, replace_text("!ask 0", "!ask 1"), REFUSED, "entry of step 1"),
    (play_with_every_entry, replace_text("!ask 0", "!ask 2"), REFUSED, ""),
    (play_with_every_entry, replace_text("!ask 0", "!ask 7"), REFUSED, "entry of step 1"),
    (play_with_every_entry, replace_text("!ask 0", "!ask"), REFUSED, "entry of step 1"),
    (play_with_every_entry, replace_text("!ask 0", "!back"), REFUSED, "entry of step 1"),
    (play_with_every_entry, replace_text("!ask 0", "!undo"), REFUSED, "entry of step 1"),
    (play_with_every_entry, replace_text("!ask 0", "!fly"), REFUSED, "entry of step 1"),
    (play_with_every_entry, replace_text("!substitute 0", "!ask 0"), REFUSED, "entry of step 2"),
    (play_with_every_entry, replace_text("!substitute 0", "!substitute 2"), REFUSED, "entry of step 2"),
    (play_with_every_entry, replace_text("!undo", "!back"), REFUSED, "entry of step 6"),
    (play_with_every_entry, replace_text("!resign", "!undo"), REFUSED, "entry of step 7"),
    (play_with_every_entry, replace_seat("!ask 0", 0), REFUSED, "entry of step 1"),
    (play_with_every_entry, replace_seat("!back", 1), REFUSED, "entry of step 4"),
    (play_with_every_entry, replace_seat("!undo", 0), REFUSED, "entry of step 6"),
    (play_with_every_entry, replace_seat("!resign", 9), REFUSED, "entry of step 7"),
    (play_with_every_entry, replace_seat("!resign", 1), OUTCOME, "ranking"),
    (play_with_every_entry, give_to_computer, REFUSED, "entry of step 2"),
    (play_with_every_entry, repeat_entry("!back"), REFUSED, "entry of step 5"),
    (play_with_every_entry, repeat_entry("!undo"), REFUSED, "entry of step 7"),
    (play_with_every_entry, repeat_entry("!resign"), REFUSED, "entry of step 8"),
    (play_until_last_person, replace_text("!resign", "!substitute 0"), REFUSED, "ranking"),
    (play_until_closed, hold, ENDING, "ranking"),
    (play_until_closed, move_to_step(7, seat=2), REFUSED, "entry of step 7"),
    (play_until_closed, agree_too_early, REFUSED, "entry of step 2"),
    (play_until_last_person, replace_seat("!resign", 2), OUTCOME, "ranking"),
    (play_until_last_person, drop_entry("!undo"), RecordReason.NUMBER, "numbers of step 7"),
    (play_until_last_person, append_after_end, REFUSED, "entry of step 10"),
]


@each_case("made, change, reason, seen", CHANGES)
async def test_every_change_is_noticed(
    db: MemoryDatabase, made: PlayRecord, change: Callable[[Data], None], reason: RecordReason, seen: str
) -> None:
    data = record_data(await made(db))
    change(data)
    with pytest.raises(Refusal) as refused:
        verify_record(read_record(json.dumps(data).encode()), HEAP_GAMES)
    assert refused.value.reason is reason
    assert not seen or seen in checker.find_flaws(data)
    assert seen or checker.find_flaws(data) == []


@pytest.mark.parametrize(
    ("ending", "holds"),
    [("cancelled", True), ("held", True), ("abandoned", True), ("expired", False), ("finished", False)],
)
async def test_a_table_that_was_stopped_early_says_so(db: MemoryDatabase, ending: str, holds: bool) -> None:
    data = record_data(await play_until_last_person(db))
    data["moves"].pop()
    data |= {"ending": ending, "outcome": None}
    assert (checker.find_flaws(data) == []) is holds
    record = read_record(json.dumps(data).encode())
    if holds:
        verify_record(record, HEAP_GAMES)
        return
    with pytest.raises(Refusal) as refused:
        verify_record(record, HEAP_GAMES)
    assert refused.value.reason is ENDING


@pytest.mark.parametrize(
    ("ending", "holds"),
    [("cancelled", True), ("expired", True), ("held", False), ("abandoned", False), ("finished", False)],
)
async def test_a_table_that_never_started_says_so(db: MemoryDatabase, ending: str, holds: bool) -> None:
    data = record_data(await play_until_last_person(db))
    data |= {"salt": None, "setup": None, "moves": [], "outcome": None, "ending": ending}
    record = read_record(json.dumps(data).encode())
    assert (checker.find_flaws(data) == []) is holds
    if holds:
        verify_record(record, HEAP_GAMES)
        return
    with pytest.raises(Refusal) as refused:
        verify_record(record, HEAP_GAMES)
    assert refused.value.reason is ENDING
