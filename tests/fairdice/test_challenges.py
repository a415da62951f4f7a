"""Two checkers accept records of challenges, and refuse tables that only claim to be one."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.features.challenges.service import open_challenge
from bot.features.fairness.records import RecordReason, read_record
from bot.features.fairness.verification import is_seed_secret, make_record, verify_record
from bot.platform.places import day_of
from bot.rules.refusals import Refusal
from bot.tables.kinds import Cadence, Edition, SharedSeed, edition_on, find_edition
from bot.tables.model import StoredTable
from bot.tables.service import TableService
from tests.fairdice import checker
from tests.support.challenge_games import finish_challenge
from tests.support.each_case import each_case
from tests.support.fakes import HERE, ROBIN
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase

Data = dict[str, Any]

GAMES = load_games_once()
NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
"""A Monday."""


def sealed(cadence: Cadence) -> SharedSeed:
    return SharedSeed(edition_on(cadence, day_of(NOON)), bytes(range(32)), NOON)


SEALED = sealed(Cadence.WEEKLY)
SHARED = replace(SEALED, published_at=NOON)


async def play(shared: SharedSeed = SEALED) -> StoredTable:
    service = TableService(MemoryDatabase(), GAMES)
    table = await open_challenge(service, shared, ROBIN, HERE, 1)
    await finish_challenge(service, table.id, ROBIN)
    return await service.load_stored(table.id)


@each_case("cadence", list(Cadence))
async def test_a_challenge_holds_once_its_seed_is_published(cadence: Cadence) -> None:
    shared = replace(sealed(cadence), published_at=NOON)
    stored = await play(shared)
    made = make_record(stored, GAMES[shared.edition.game], shared)
    assert checker.find_flaws(json.loads(str(made))) == []
    verdict = verify_record(read_record(str(made).encode()), GAMES)
    assert verdict.edition == shared.edition
    assert [seat.contribution for seat in made.seats] == [f"{cadence}:2027-03-01"]


async def test_there_is_no_record_before() -> None:
    stored = await play()
    for shared in (None, SEALED, replace(SHARED, edition=SHARED.edition.previous)):
        assert is_seed_secret(stored, shared)
        with pytest.raises(ValueError, match="stays secret"):
            make_record(stored, GAMES["magic_bag"], shared)
    for text in map(repr, (SEALED, SHARED, stored)):
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
        change_seat(contribution="weekly:2027-02-29"),
        change_seat(contribution="weekly:2027-03-02"),
        change_seat(contribution="weekly:today"),
        change_seat(contribution="daily:2027-03-01"),
        change_seat(contribution="daily:"),
        add_seat,
        change_game,
        add_option,
    ],
)
async def test_a_table_that_only_claims_to_be_one_is_refused(change: Callable[[Data], None]) -> None:
    data: Data = json.loads(str(make_record(await play(), GAMES["magic_bag"], SHARED)))
    change(data)
    with pytest.raises(Refusal) as refused:
        verify_record(read_record(json.dumps(data).encode()), GAMES)
    assert refused.value.reason is RecordReason.CHALLENGE
    assert "challenge" in checker.find_flaws(data)


async def test_nothing_is_taken_back_in_a_challenge() -> None:
    data: Data = json.loads(str(make_record(await play(), GAMES["magic_bag"], SHARED)))
    take_back(data)
    with pytest.raises(Refusal) as refused:
        verify_record(read_record(json.dumps(data).encode()), GAMES)
    assert refused.value.reason in (RecordReason.DIGEST, RecordReason.REFUSED)
    assert any(flaw.startswith("entry of step") for flaw in checker.find_flaws(data))


@each_case(
    "contribution",
    [
        *("daily:2027-3-1", "daily:2027-13-01", "Daily:2027-03-01", "daily:2027-03-01\n", "yearly:2027-03-01"),
        *("weekly:2027-03-02", "lesson", "123"),
    ],
)
def test_other_contributions_mark_no_challenge(contribution: str) -> None:
    assert find_edition(contribution) is None


@each_case("edition", [Edition(Cadence.DAILY, 20_879), Edition(Cadence.WEEKLY, 20_878)])
def test_the_contribution_of_an_edition_names_it(edition: Edition) -> None:
    assert find_edition(str(edition)) == edition
    assert edition.next.number == edition.number + 1 == edition.previous.number + 2
