"""`record` prints and checks portable records, and takes nothing in a file for granted."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.features.fairness.records import MAX_RECORD_BYTES
from bot.features.fairness.verification import make_record
from bot.tables.model import StoredTable
from bot.tables.seats import resign_seat
from tests.commands.run_command import ROOT, run_command, run_process
from tests.fairdice.worked_example import make_example_record
from tests.support.each_case import each_case
from tests.support.fakes import GAMES, JAY, ROBIN, WREN, make_service, mover_of, roll, start_game
from tests.support.memory_database import MemoryDatabase


@pytest.fixture
async def example() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(str(await make_example_record()))
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "record.json"


async def play_resigned_table() -> StoredTable:
    """A table of two that one of them gave up."""
    service = make_service(MemoryDatabase())
    table = await roll(service, await start_game(service, ROBIN, WREN))
    await service.apply_seat_action(table.id, ROBIN, resign_seat, 1)
    return await service.load_stored(table.id)


async def play_on_after_resignation() -> tuple[StoredTable, str]:
    """A table of three whose first mover resigned after a roll, another one later, and the first one's name."""
    service = make_service(MemoryDatabase())
    table = await start_game(service, ROBIN, WREN, JAY)
    quitter = mover_of(table)
    table = await roll(service, table)
    table = await service.apply_seat_action(table.id, quitter, resign_seat, 1)
    while table.header.to_move != table.seat_of(quitter.id):
        table = await roll(service, table)
    table = await service.play_computer(table.id, table.header.step, "roll 1")
    await service.apply_seat_action(table.id, mover_of(table), resign_seat, 2)
    return await service.load_stored(table.id), quitter.name


def write_record(file: Path, record: StoredTable) -> None:
    data = json.loads(str(make_record(record, GAMES["magpie"])))
    file.write_text(json.dumps(data))


def verify(file: Path, data: object) -> tuple[int, str, str]:
    file.write_text(json.dumps(data))
    ended = run_command("record", "verify", str(file))
    return ended.code, ended.out, ended.err


class TestVerify:
    def test_says_what_holds(self, file: Path, example: dict[str, Any]) -> None:
        code, out, err = verify(file, example)
        assert (code, err) == (0, "")
        assert out == "The record holds: the seed is the one promised, and 19 numbers and 2 positions follow from it.\n"

    async def test_steps_that_cannot_be_checked_are_counted(self, file: Path) -> None:
        record = make_record(await play_resigned_table(), GAMES["magpie"])
        code, out, _ = verify(file, json.loads(str(record)))
        assert code == 0
        assert out.splitlines()[1].startswith("1 of the steps are about seats")

    async def test_a_changed_ranking_after_a_resignation_is_found(self, file: Path) -> None:
        data = json.loads(str(make_record(await play_resigned_table(), GAMES["magpie"])))
        data["outcome"]["places"].reverse()
        code, _, err = verify(file, data)
        assert (code, err) == (1, "The ranking doesn't match the moves.\n")

    @each_case(
        "changes, sentence",
        [
            ({"seed": "00" * 32}, "isn't the one that was promised"),
            ({"salt": "00" * 32}, "doesn't match what the seats contributed"),
            ({"salt": None}, "moves but no salt"),
            ({"seed": None}, "has no seed"),
            ({"version": 9}, "version 9, but this Parlour reads version 1"),
            ({"game": "chess"}, "have the game chess, so it can't follow the moves. It has: "),
            ({"rules": 3}, "version 3 of the rules, but this Parlour plays version 1"),
            ({"options": {"speed": 1}}, "can't be set up with the options"),
            ({"setup": [[6, 5]]}, "Step 0: below 6 the seed gives 2, not 5."),
            ({"setup": []}, "Step 0: the rules ask for other random numbers"),
            ({"moves": 1}, "damaged at moves"),
            ({"ending": "finished"}, "can't have ended like that: finished"),
            ({"outcome": {"places": [], "scores": [], "reason": ""}}, "ranking doesn't match"),
        ],
    )
    def test_the_first_failed_check_is_named(
        self, file: Path, example: dict[str, Any], changes: dict[str, Any], sentence: str
    ) -> None:
        code, out, err = verify(file, {**example, **changes})
        assert (code, out) == (1, "")
        assert sentence in err
        assert err.count("\n") == 1
        assert "{" not in err

    def test_seats_that_the_game_does_not_have_are_named(self, file: Path, example: dict[str, Any]) -> None:
        """A record whose salt fits, made for more seats than there are."""
        from bot.tables.table import salt_of

        seats = [example["seats"][0]] * 9
        salt = salt_of(seat["contribution"] for seat in seats)
        code, _, err = verify(file, {**example, "seats": seats, "salt": salt, "setup": None, "moves": []})
        assert (code, err) == (1, "The record has a number of seats that Magpie is never played with: 9.\n")


LABEL = '"format":"parlour-record","version":1'
HOSTILE = {
    '"a":0': (f"{{{LABEL},", "}"),
    '"format":"parlour-record"': ("{", ',"version":1}'),
    "{}": (f'{{{LABEL},"moves":[', "]}"),
    "[]": (f'{{{LABEL},"options":{{"a":[', "]}}"),
    "[1,0]": (f'{{{LABEL},"setup":[', "]}"),
    "1e9": (f'{{{LABEL},"rules":[', "]}"),
    "[" * 64: ("", ""),
    "9" * 5000: (f'{{{LABEL},"rules":[', "]}"),
}
"""What fills a file, with what stands before and after it."""

PRINT_PEAK_MEMORY = """
import os, pathlib, re, sys
from bot.commands.app import app
for file in sys.argv[1:]:
    if (child := os.fork()) == 0:
        try:
            app(["record", "verify", file])
        finally:
            status = pathlib.Path("/proc/self/status").read_text()
            print(re.search(r"VmHWM:\\s+(\\d+)", status).group(1), flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Runs a command with one file after the other, and prints the most memory it had, in KiB, and its status."""


class TestFiles:
    @pytest.mark.parametrize("command", ["show", "verify"])
    def test_an_unreadable_file_is_named(self, command: str, tmp_path: Path) -> None:
        for path, reason in ((tmp_path / "none.json", "No such file or directory"), (tmp_path, "it is not a file")):
            ended = run_command("record", command, str(path))
            assert (ended.code, ended.out) == (1, "")
            assert ended.err == f"{path} can't be read: {reason}.\n"

    @pytest.mark.parametrize("command", ["show", "verify"])
    def test_a_path_that_is_no_file_is_not_opened(self, command: str, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        for path in ("/dev/zero", str(pipe)):
            ended = run_command("record", command, path)
            assert (ended.code, ended.out) == (1, "")
            assert "it is not a file" in ended.err

    def test_a_file_that_is_too_large_is_not_read(self, file: Path) -> None:
        file.write_bytes(b" " * (MAX_RECORD_BYTES + 1))
        ended = run_command("record", "verify", str(file))
        assert (ended.code, ended.err) == (1, "The file is larger than 1 MiB, so it isn't a table record.\n")

    @each_case("command", ["show", "verify"])
    @each_case("text", [b"", b"\x00\xff", b"[" * 10**6, b'{"format":"parlour-record"}'])
    def test_no_input_causes_a_traceback(self, command: str, text: bytes, file: Path) -> None:
        file.write_bytes(text)
        ended = run_command("record", command, str(file))
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.endswith(".\n")

    @pytest.mark.slow
    def test_hostile_input_takes_little_memory(self, tmp_path: Path) -> None:
        """Each file is filled to the limit with one thing."""
        files = [tmp_path / f"{number}.json" for number in range(len(HOSTILE))]
        for file, (item, (head, tail)) in zip(files, HOSTILE.items(), strict=True):
            items = [item] * ((MAX_RECORD_BYTES - len(head + tail)) // (len(item) + 1))
            file.write_text(head + ",".join(items) + tail)
        ended = subprocess.run(
            [sys.executable, "-c", PRINT_PEAK_MEMORY, *files],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert "Traceback" not in ended.stderr
        printed = list(map(int, ended.stdout.split()))
        assert printed[1::2] == [1] * len(HOSTILE)
        assert max(printed[::2]) < 100 * 1024, dict(zip(HOSTILE, printed[::2], strict=True))


class TestShow:
    def test_prints_the_game_move_by_move(self, file: Path, example: dict[str, Any]) -> None:
        file.write_text(json.dumps(example))
        ended = run_command("record", "show", str(file))
        assert (ended.code, ended.err) == (0, "")
        lines = ended.out.splitlines()
        assert lines[0] == "magpie, rules 1, cancelled"
        assert "seat 1: Rusty (computer, normal), contributed computer:normal" in lines
        assert any(line.startswith("seat 0: Robin, contributed ") for line in lines)
        assert lines[-3:] == [
            "0. set-up: 3 5 4 2 3 3 4 6 6 1 3 5 5 3 2 of 6",
            "1. Rusty: roll 1 3 5 → 3 4 4 of 6",
            "2. Robin: roll 2 → 5 of 6",
        ]

    def test_a_record_that_does_not_hold_is_printed_as_written(self, file: Path, example: dict[str, Any]) -> None:
        shuffle = [[3, 2], [2, 0], [6, 5], [6, 0]]
        changes = {
            "seed": "00" * 32,
            "game": "chess",
            "setup": shuffle,
            "moves": [
                {"step": 7, "seat": 9, "text": "e4", "digest": "", "numbers": []},
                {"step": 8, "seat": 0, "text": "e5", "digest": "", "numbers": None},
            ],
            "outcome": {"places": [2, 1, 3], "scores": [3, 50, 0], "reason": "mate"},
        }
        file.write_text(json.dumps({**example, **changes}))
        lines = run_command("record", "show", str(file)).out.splitlines()
        assert lines[-5:] == [
            "0. set-up: 3 of 3, 1 of 2, 6 1 of 6",
            "7. seat 9: e4",
            "8. Robin: e5 → not known",
            "place 1: Rusty, 50",
            "place 2: Robin, 3",
        ]

    @pytest.mark.parametrize(
        ("changes", "line"),
        [
            ({"options": {}}, "options: none"),
            ({"salt": None}, "salt none"),
            ({"setup": None}, "0. set-up: not known"),
            ({"setup": []}, "0. set-up: no numbers"),
        ],
    )
    def test_missing_parts_are_named(
        self, file: Path, example: dict[str, Any], changes: dict[str, Any], line: str
    ) -> None:
        file.write_text(json.dumps({**example, **changes}))
        assert line in run_command("record", "show", str(file)).out.splitlines()

    async def test_each_step_names_the_holder_of_its_seat(self, file: Path) -> None:
        record, quitter = await play_on_after_resignation()
        write_record(file, record)
        lines = run_command("record", "show", str(file)).out.splitlines()
        made = [line.split(": ")[0].split(". ")[1] for line in lines if ": roll" in line]
        assert (made[0], made[-1]) == (quitter, f"{quitter} (computer)")
        assert any(line.endswith(f"{quitter}: !resign") for line in lines)

    def test_names_cannot_control_the_terminal(self, file: Path, example: dict[str, Any]) -> None:
        seats = [{**seat, "name": "\x1b[2J\r\n\u202eRobin"} for seat in example["seats"]]
        game = "\x1b]0;x\x07"
        file.write_text(json.dumps({**example, "seats": seats, "game": game}))
        for command in ("show", "verify"):
            ended = run_command("record", command, str(file))
            output = ended.out + ended.err
            assert all(sign.isprintable() for sign in output.replace("\n", ""))
        assert "�[2J���Robin" in run_command("record", "show", str(file)).out

    def test_names_of_any_script_are_printed_on_any_terminal(self, file: Path, example: dict[str, Any]) -> None:
        seats = [{**seat, "name": "鵲 🪶"} for seat in example["seats"]]
        file.write_text(json.dumps({**example, "seats": seats}))
        ended = run_process("record", "show", str(file), PYTHONIOENCODING="ascii")
        assert (ended.code, ended.err) == (0, "")
        assert "seat 0: " in ended.out


def test_a_record_is_compared_with_what_was_noted_before(file: Path, example: dict[str, Any]) -> None:
    file.write_text(json.dumps(example))
    for noted, code in ((example["commitment"], 0), ("630DCD29", 0), ("630dcd2", 1), ("630dcd28", 1), ("", 1)):
        checked = run_command("record", "verify", str(file), "--commitment", noted)
        assert checked.code == code, noted
        assert ("not as the commitment that you noted" in checked.out + checked.err) == (code == 1)
