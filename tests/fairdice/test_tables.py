"""Two checkers accept real tables, and detect every change to them."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from bot.features.fairness.records import RecordReason, read_record
from bot.features.fairness.verification import make_record, verify_record
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.model import Status
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.fairdice import checker
from tests.support.each_case import each_case
from tests.support.fakes import ALL_FIVE, GAMES, make_service, roll, start_game
from tests.support.memory_database import MemoryDatabase

Data = dict[str, Any]
ROLLS = (ALL_FIVE, "roll 2", "roll 1 3 5", ALL_FIVE, "roll 4 5")


async def play_to_end(service: TableService, people: int, options: MagpieOptions) -> Table:
    """Play a table to its end."""
    everybody = [Person(at, f"P{at}") for at in range(1, people + 1)]
    table = await start_game(service, *everybody, options=options)
    while table.header.status is Status.PLAYING:
        table = await roll(service, table, ROLLS[table.header.step % len(ROLLS)])
    return table


async def record_data(service: TableService, table: Table) -> Data:
    made = make_record(await service.load_stored(table.id), GAMES["magpie"])
    data: Data = json.loads(str(made))
    assert read_record(str(made).encode()) == made
    return data


@each_case("people", range(2, 7))
@each_case("options", [MagpieOptions(target=50), MagpieOptions(target=70, reroll_fours=True)])
async def test_finished_tables_hold(people: int, options: MagpieOptions) -> None:
    service = TableService(MemoryDatabase(), GAMES)
    table = await play_to_end(service, people, options)
    data = await record_data(service, table)
    assert checker.find_flaws(data) == []
    assert checker.replay_magpie_faces(data)[-1] == "".join(map(str, table.state.faces))
    verdict = verify_record(read_record(json.dumps(data).encode()), GAMES)
    assert verdict.moves == table.header.step == len(data["moves"])
    assert verdict.numbers == sum(len(each["numbers"]) for each in data["moves"]) + len(data["setup"])
    assert data["outcome"]["scores"] == list(table.state.scores)


async def test_faces_shown_during_play_match_the_record() -> None:
    service = TableService(MemoryDatabase(), GAMES)
    table = await start_game(service)
    seen = [table.state.faces]
    for text in ROLLS:
        table = await roll(service, table, text)
        seen.append(table.state.faces)
    await service.cancel(table.id, Person(table.header.opener_id, ""), is_moderator=True)
    data = await record_data(service, table)
    assert checker.replay_magpie_faces(data) == ["".join(map(str, faces)) for faces in seen]
    assert (data["ending"], data["outcome"]) == ("cancelled", None)


def change_value(path: str, value: Any) -> Callable[[Data], None]:
    """Change what stands at a path such as `moves.0.seat`."""

    def change(data: Data) -> None:
        *way, last = [int(each) if each.isdecimal() else each for each in path.split(".")]
        inner: Any = data
        for each in way:
            inner = inner[each]
        assert inner[last] != value
        inner[last] = value

    return change


def change_pair(data: Data) -> None:
    bound, number = data["moves"][1]["numbers"][0]
    data["moves"][1]["numbers"][0] = [bound, (number + 1) % bound]


def drop_pair(data: Data) -> None:
    data["moves"][0]["numbers"].pop()


def drop_move(data: Data) -> None:
    del data["moves"][1]


def drop_last_move(data: Data) -> None:
    data["moves"].pop()


def append_move(data: Data) -> None:
    data["moves"].append({**data["moves"][-1], "step": len(data["moves"]) + 1, "numbers": []})


def change_ending(data: Data) -> None:
    data["ending"], data["outcome"] = "cancelled", None


def swap_seats(data: Data) -> None:
    data["seats"][0], data["seats"][1] = data["seats"][1], data["seats"][0]


def swap_winner(data: Data) -> None:
    data["outcome"]["places"].reverse()
    data["outcome"]["scores"].reverse()


def replace_seed(data: Data) -> None:
    data["seed"] = "00" * 32
    data["commitment"] = checker.sha256_hex(bytes(32))


# A change to the record, the bot's reason, and the word that the checker without rules prints.
CHANGES: list[tuple[Callable[[Data], None], RecordReason, str]] = [
    (change_value("seed", "00" * 32), RecordReason.COMMITMENT, "commitment"),
    (change_value("commitment", "00" * 32), RecordReason.COMMITMENT, "commitment"),
    (change_value("salt", "00" * 32), RecordReason.SALT, "salt"),
    (change_value("seats.0.contribution", "1"), RecordReason.SALT, "salt"),
    (swap_seats, RecordReason.SALT, "salt"),
    (change_value("salt", None), RecordReason.NOT_STARTED, "not started"),
    (replace_seed, RecordReason.NUMBER, "numbers of step 0"),
    (change_pair, RecordReason.NUMBER, "numbers of step 2"),
    (drop_move, RecordReason.STEPS, "steps"),
    (change_value("moves.0.step", 2), RecordReason.STEPS, "steps"),
    (drop_pair, RecordReason.OTHER_NUMBERS, ""),
    (change_value("moves.0.text", "roll 9"), RecordReason.REFUSED, ""),
    (change_value("moves.0.text", "fly"), RecordReason.REFUSED, ""),
    (change_value("moves.0.seat", 7), RecordReason.REFUSED, ""),
    (change_value("moves.2.text", "roll 4"), RecordReason.DIGEST, ""),
    (change_value("moves.0.digest", "0" * 16), RecordReason.DIGEST, ""),
    (change_value("moves.0.text", "!resign"), RecordReason.DIGEST, "entry of step 1"),
    (change_value("game", "chess"), RecordReason.GAME, ""),
    (change_value("rules", 2), RecordReason.RULES, ""),
    (change_value("options.target", 500), RecordReason.DIGEST, ""),
    (change_value("options.target", 7), RecordReason.OPTIONS, ""),
    (swap_winner, RecordReason.OUTCOME, ""),
    (change_value("outcome", None), RecordReason.OUTCOME, "ranking"),
    (change_value("ending", "cancelled"), RecordReason.ENDING, "ranking"),
    (change_value("ending", "held"), RecordReason.ENDING, "ranking"),
    (change_value("ending", "expired"), RecordReason.ENDING, "ranking"),
    (change_ending, RecordReason.ENDING, ""),
    (drop_last_move, RecordReason.ENDING, ""),
    (append_move, RecordReason.REFUSED, ""),
]


@each_case("change, reason, seen", CHANGES)
@pytest.mark.slow
async def test_every_change_is_noticed(change: Any, reason: RecordReason, seen: str) -> None:
    service = make_service(MemoryDatabase())
    data = await record_data(service, await play_to_end(service, 2, MagpieOptions(target=50)))
    change(data)
    with pytest.raises(Refusal) as refused:
        verify_record(read_record(json.dumps(data).encode()), GAMES)
    assert refused.value.reason is reason
    assert (checker.find_flaws(data) == []) is (seen == "")
    assert not seen or seen in checker.find_flaws(data)
