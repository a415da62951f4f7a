"""`database upgrade` makes the file, or says why it can't."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.commands.running import run, run_process

SQLITE = "sqlite+aiosqlite:///"


def tables_of(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_makes_the_file_and_is_harmless_when_run_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "parlour.sqlite3"
    monkeypatch.setenv("DATABASE_URL", f"{SQLITE}{file}")
    for _ in range(2):
        ended = run("database", "upgrade")
        assert (ended.code, ended.err) == (0, "")
        assert ended.out == "The database is up to date.\n"
    assert {"tables", "seats", "moves", "notes"} <= tables_of(file)


def test_makes_the_usual_file_in_the_present_folder(tmp_path: Path) -> None:
    ended = run_process("database", "upgrade")
    assert (ended.code, ended.out, ended.err) == (0, "The database is up to date.\n", "")
    assert "moves" in tables_of(tmp_path / "var" / "parlour.sqlite3")


def in_a_file(folder: Path) -> str:
    (folder / "file").write_text("no folder", encoding="utf-8")
    return f"{SQLITE}{folder / 'file' / 'parlour.sqlite3'}"


def no_database(folder: Path) -> str:
    file = folder / "parlour.sqlite3"
    file.write_bytes(b"these are only words " * 100)
    return f"{SQLITE}{file}"


def a_folder(folder: Path) -> str:
    return f"{SQLITE}{folder}"


@pytest.mark.parametrize("place", [in_a_file, no_database, a_folder])
def test_a_path_that_can_not_be_used_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: object
) -> None:
    assert callable(place)
    monkeypatch.setenv("DATABASE_URL", place(tmp_path))
    ended = run("database", "upgrade")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("The database named by DATABASE_URL can't be used: ")
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("url", [f"{SQLITE}file:x?mode=memory&uri=true", f"{SQLITE}x?mode=memory"])
def test_an_address_that_only_the_store_refuses_ends_in_a_sentence_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, url: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    ended = run("database", "upgrade")
    assert (ended.code, ended.out) == (1, "")
    assert "file" in ended.err
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_setting_ends_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://robin:very-secret-part@db/x")
    ended = run("database", "upgrade")
    assert ended.code == 1
    assert ended.err.startswith("DATABASE_URL must begin with")
    assert "very-secret-part" not in ended.err
