"""Two checkers accept records of daily bags, and refuse tables that only claim to be one."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.features.daily_bag.service import open_daily
from bot.features.fairness.records import RecordReason, read_record
from bot.features.fairness.verification import is_seed_secret, make_record, verify_record
from bot.platform.places import day_of
from bot.rules.refusals import Refusal
from bot.tables.kinds import DailyBag, find_daily_day
from bot.tables.model import StoredTable
from bot.tables.service import TableService
from tests.fairdice import checker
from tests.support.daily_games import finish_daily
from tests.support.each_case import each_case
from tests.support.fakes import HERE, ROBIN
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase

Data = dict[str, Any]

GAMES = load_games_once()
NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
SEALED = DailyBag(day_of(NOON), bytes(range(32)), NOON)
BAG = replace(SEALED, published_at=NOON)


async def play_daily() -> StoredTable:
    service = TableService(MemoryDatabase(), GAMES)
    table = await open_daily(service, SEALED, "magic_bag", ROBIN, HERE, 1, is_practice=False)
    await finish_daily(service, table.id, ROBIN)
    return await service.load_stored(table.id)


async def test_a_daily_bag_holds_once_its_seed_is_published() -> None:
    stored = await play_daily()
    made = make_record(stored, GAMES["magic_bag"], BAG)
    assert checker.find_flaws(json.loads(str(made))) == []
    verdict = verify_record(read_record(str(made).encode()), GAMES)
    assert verdict.daily_day == SEALED.day
    assert [seat.contribution for seat in made.seats] == ["daily:2027-03-01"]


async def test_there_is_no_record_before() -> None:
    stored = await play_daily()
    for bag in (None, SEALED, replace(BAG, day=BAG.day - 1)):
        assert is_seed_secret(stored, bag)
        with pytest.raises(ValueError, match="stays secret"):
            make_record(stored, GAMES["magic_bag"], bag)
    for text in map(repr, (SEALED, BAG, stored)):
        assert SEALED.seed.hex()[:8] not in text
        assert repr(SEALED.seed)[2:12] not in text


def resalt(data: Data) -> None:
    data["salt"] = checker.derive_salt([seat["contribution"] for seat in data["seats"]])


def change_seat(**changes: object) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        data["seats"][0].update(changes)
        resalt(data)

    return change


def add_seat(data: Data) -> None:
    data["seats"].append({"name": "Wren", "level": None, "contribution": "5", "hints": False})
    resalt(data)


def change_game(data: Data) -> None:
    data["game"] = "magpie"


def add_option(data: Data) -> None:
    data["options"]["rows"] = 9


def take_back(data: Data) -> None:
    """Take back a `stop`, which rolls nothing."""
    at = next(at for at, move in enumerate(data["moves"]) if move["text"].startswith("roll"))
    stop = {**data["moves"][at], "text": "stop", "numbers": []}
    data["moves"] = [*data["moves"][:at], stop, {**stop, "step": at + 2, "text": "!undo"}]
    data["ending"], data["outcome"] = "cancelled", None


@each_case(
    "change",
    [
        change_seat(hints=True),
        change_seat(level="strong"),
        change_seat(contribution="daily:2027-02-29"),
        change_seat(contribution="daily:yesterday"),
        change_seat(contribution="daily:"),
        add_seat,
        change_game,
        add_option,
    ],
)
async def test_a_table_that_only_claims_to_be_one_is_refused(change: Callable[[Data], None]) -> None:
    data: Data = json.loads(str(make_record(await play_daily(), GAMES["magic_bag"], BAG)))
    change(data)
    with pytest.raises(Refusal) as refused:
        verify_record(read_record(json.dumps(data).encode()), GAMES)
    assert refused.value.reason is RecordReason.DAILY
    assert "daily bag" in checker.find_flaws(data)


async def test_nothing_is_taken_back_in_a_daily_bag() -> None:
    data: Data = json.loads(str(make_record(await play_daily(), GAMES["magic_bag"], BAG)))
    take_back(data)
    with pytest.raises(Refusal) as refused:
        verify_record(read_record(json.dumps(data).encode()), GAMES)
    assert refused.value.reason in (RecordReason.DIGEST, RecordReason.REFUSED)
    assert any(flaw.startswith("entry of step") for flaw in checker.find_flaws(data))


@each_case(
    "contribution", ["daily:2027-3-1", "daily:2027-13-01", "lesson", "123", "Daily:2027-03-01", "daily:2027-03-01\n"]
)
def test_other_contributions_mark_no_daily_bag(contribution: str) -> None:
    assert find_daily_day(contribution) is None
