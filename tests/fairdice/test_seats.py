"""Tables whose seats were left and given up hold in the eyes of two checkers, and nothing can be changed unnoticed."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.rules.refusals import Refusal
from bot.tables.model import Record
from bot.tables.records.checking import portable, verify
from bot.tables.records.record import RecordReason, read_record
from tests.fairdice import checker
from tests.fairdice.seats import HEAPS, all_at_once, closed, given_up
from tests.rules.toy import PACKAGE
from tests.support.fakes import FakeStore

Data = dict[str, Any]
Made = Callable[[FakeStore], Awaitable[Record]]


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


def data_of(record: Record) -> Data:
    data: Data = json.loads(str(portable(record, PACKAGE)))
    return data


def texts_of(data: Data) -> list[str]:
    return [move["text"] for move in data["moves"]]


def seat_to(data: Data, text: str) -> Data:
    """The first entry with a text."""
    return next(move for move in data["moves"] if move["text"] == text)


@pytest.mark.parametrize(
    ("made", "entries"),
    [
        (all_at_once, ["!ask 0", "!substitute 0", "!back", "!undo", "!resign"]),
        (given_up, ["!undo", "!ask 0", "!substitute 0", "!back", "!resign", "!resign"]),
    ],
)
async def test_tables_hold_and_rank_as_their_results_were_written(
    store: FakeStore, made: Made, entries: list[str]
) -> None:
    data = data_of(await made(store))
    assert [text for text in texts_of(data) if text.startswith("!")] == entries
    assert checker.flaws(data) == []
    assert verify(read_record(json.dumps(data).encode()), HEAPS).controls == len(entries)
    assert [result.place for result in store.results] == data["outcome"]["places"]
    assert [result.score for result in store.results] == data["outcome"]["scores"]


async def test_a_table_that_all_who_play_agreed_to_close_holds_and_left_no_results(store: FakeStore) -> None:
    data = data_of(await closed(store))
    assert [text for text in texts_of(data) if text.startswith("!")] == ["!close", "!close", "!close", "!resign"]
    assert (data["ending"], data["outcome"], store.results) == ("cancelled", None, [])
    assert checker.flaws(data) == []
    assert verify(read_record(json.dumps(data).encode()), HEAPS).controls == 4


async def test_who_resigned_is_last_though_their_computer_player_scored_more(store: FakeStore) -> None:
    outcome = data_of(await all_at_once(store))["outcome"]
    robin, wren, jay = outcome["scores"]
    assert wren > jay > robin
    assert outcome["places"] == [2, 1, 3]


async def test_where_all_others_resign_the_last_one_wins_without_scores(store: FakeStore) -> None:
    assert data_of(await given_up(store))["outcome"] == {"places": [2, 2, 1], "scores": [0, 0, 0], "reason": "resigned"}


def text(before: str, after: str) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        seat_to(data, before)["text"] = after

    return change


def seat(of: str, after: int) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        assert seat_to(data, of)["seat"] != after
        seat_to(data, of)["seat"] = after

    return change


def outcome(**changes: Any) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        assert data["outcome"] | changes != data["outcome"]
        data["outcome"] |= changes

    return change


def without(gone: str) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        data["moves"].remove(seat_to(data, gone))
        for step, move in enumerate(data["moves"], 1):
            move["step"] = step

    return change


def by_a_computer_player(data: Data) -> None:
    data["seats"][0]["level"] = "careless"


def after_the_end(data: Data) -> None:
    last = data["moves"][-1]
    data["moves"].append({**last, "step": last["step"] + 1, "seat": 2, "text": "!resign", "numbers": []})


def twice(again: str) -> Callable[[Data], None]:
    """Make an entry once more, and nothing after it."""

    def change(data: Data) -> None:
        at = texts_of(data).index(again)
        data["moves"][at + 1 :] = [{**data["moves"][at], "step": at + 2}]
        data["ending"], data["outcome"] = "cancelled", None

    return change


def at_step(step: int, **changes: Any) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        data["moves"][step - 1] |= changes

    return change


def held(data: Data) -> None:
    data["ending"] = "held"


def before_everybody_has_acted(data: Data) -> None:
    """Let the second move be an agreement, and nothing come after it."""
    first = data["moves"][0]
    data["moves"] = [first, {**first, "step": 2, "seat": 1, "text": "!close", "numbers": []}]


REFUSED, ENDING, OUTCOME = RecordReason.REFUSED, RecordReason.ENDING, RecordReason.OUTCOME

# What is changed in which table, what the bot says, and what somebody without the rules can see.
CHANGES: list[tuple[Made, Callable[[Data], None], RecordReason, str]] = [
    (all_at_once, outcome(places=[1, 2, 3]), OUTCOME, ""),
    (all_at_once, outcome(places=[3, 1, 2]), OUTCOME, "ranking"),
    (all_at_once, outcome(places=[2, 1, 2]), OUTCOME, "ranking"),
    (all_at_once, outcome(places=[2, 1]), OUTCOME, "ranking"),
    (all_at_once, outcome(scores=[12, 15, 14]), OUTCOME, ""),
    (all_at_once, outcome(reason="resigned"), OUTCOME, "ranking"),
    (given_up, outcome(places=[2, 1, 1]), OUTCOME, "ranking"),
    (given_up, outcome(places=[3, 2, 1]), OUTCOME, "ranking"),
    (given_up, outcome(scores=[0, 0, 1]), OUTCOME, "ranking"),
    (given_up, outcome(reason="heap_empty"), OUTCOME, "ranking"),
    (all_at_once, text("!ask 0", "!ask 1"), REFUSED, "entry of step 1"),
    (all_at_once, text("!ask 0", "!ask 2"), REFUSED, ""),
    (all_at_once, text("!ask 0", "!ask 7"), REFUSED, "entry of step 1"),
    (all_at_once, text("!ask 0", "!ask"), REFUSED, "entry of step 1"),
    (all_at_once, text("!ask 0", "!back"), REFUSED, "entry of step 1"),
    (all_at_once, text("!ask 0", "!undo"), REFUSED, "entry of step 1"),
    (all_at_once, text("!ask 0", "!fly"), REFUSED, "entry of step 1"),
    (all_at_once, text("!substitute 0", "!ask 0"), REFUSED, "entry of step 2"),
    (all_at_once, text("!substitute 0", "!substitute 2"), REFUSED, "entry of step 2"),
    (all_at_once, text("!undo", "!back"), REFUSED, "entry of step 6"),
    (all_at_once, text("!resign", "!undo"), REFUSED, "entry of step 7"),
    (all_at_once, seat("!ask 0", 0), REFUSED, "entry of step 1"),
    (all_at_once, seat("!back", 1), REFUSED, "entry of step 4"),
    (all_at_once, seat("!undo", 0), REFUSED, "entry of step 6"),
    (all_at_once, seat("!resign", 9), REFUSED, "entry of step 7"),
    (all_at_once, seat("!resign", 1), OUTCOME, "ranking"),
    (all_at_once, by_a_computer_player, REFUSED, "entry of step 2"),
    (all_at_once, twice("!back"), REFUSED, "entry of step 5"),
    (all_at_once, twice("!undo"), REFUSED, "entry of step 7"),
    (all_at_once, twice("!resign"), REFUSED, "entry of step 8"),
    (given_up, text("!resign", "!substitute 0"), REFUSED, "ranking"),
    (closed, held, ENDING, "ranking"),
    (closed, at_step(7, seat=2), REFUSED, "entry of step 7"),
    (closed, before_everybody_has_acted, REFUSED, "entry of step 2"),
    (given_up, seat("!resign", 2), OUTCOME, "ranking"),
    (given_up, without("!undo"), RecordReason.NUMBER, "numbers of step 7"),
    (given_up, after_the_end, REFUSED, "entry of step 10"),
]


@pytest.mark.parametrize(("made", "change", "reason", "seen"), CHANGES)
async def test_every_change_is_noticed(
    store: FakeStore, made: Made, change: Callable[[Data], None], reason: RecordReason, seen: str
) -> None:
    data = data_of(await made(store))
    change(data)
    with pytest.raises(Refusal) as refused:
        verify(read_record(json.dumps(data).encode()), HEAPS)
    assert refused.value.reason is reason
    assert not seen or seen in checker.flaws(data)
    assert seen or checker.flaws(data) == []


@pytest.mark.parametrize(
    ("ending", "holds"),
    [("cancelled", True), ("held", True), ("abandoned", True), ("expired", False), ("finished", False)],
)
async def test_a_table_that_was_not_played_to_its_end_says_so(store: FakeStore, ending: str, holds: bool) -> None:
    data = data_of(await given_up(store))
    data["moves"].pop()
    data |= {"ending": ending, "outcome": None}
    assert (checker.flaws(data) == []) is holds
    record = read_record(json.dumps(data).encode())
    if holds:
        verify(record, HEAPS)
        return
    with pytest.raises(Refusal) as refused:
        verify(record, HEAPS)
    assert refused.value.reason is ENDING


@pytest.mark.parametrize(
    ("ending", "holds"),
    [("cancelled", True), ("expired", True), ("held", False), ("abandoned", False), ("finished", False)],
)
async def test_a_table_that_never_started_says_so(store: FakeStore, ending: str, holds: bool) -> None:
    data = data_of(await given_up(store))
    data |= {"salt": None, "setup": None, "moves": [], "outcome": None, "ending": ending}
    record = read_record(json.dumps(data).encode())
    assert (checker.flaws(data) == []) is holds
    if holds:
        verify(record, HEAPS)
        return
    with pytest.raises(Refusal) as refused:
        verify(record, HEAPS)
    assert refused.value.reason is ENDING
