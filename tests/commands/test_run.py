"""`run` says what is missing before it does anything."""

from pathlib import Path
from typing import NoReturn

import pytest

import bot.app.bootstrap
from bot.commands.console import REFUSED_STATUS
from bot.games.fortune.minds.race import load_race
from bot.platform.content import NpzTables
from bot.platform.discord.run import CannotConnect
from bot.rules.content import BrokenTables
from tests.commands.run_command import run_command, run_forked

TOKEN = "MTIzNDU2Nzg5.GhIjKl.very-secret-part"
NOBODY = "http://127.0.0.1:9"
"""An address where nothing listens."""


@pytest.mark.parametrize("token", [None, "", "   "])
def test_without_a_token_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, token: str | None) -> None:
    if token is not None:
        monkeypatch.setenv("DISCORD_TOKEN", token)
    ended = run_command("run")
    assert (ended.code, ended.out) == (1, "")
    assert "DISCORD_TOKEN" in ended.err
    assert len(ended.err.splitlines()) == (1 if token == "   " else 5)
    assert token == "   " or all(each in ended.err for each in ("discord.com/dev", "make setup", "make demo"))
    assert list(tmp_path.iterdir()) == []


def test_a_start_without_discord_ends_in_a_sentence_after_doubts_unless_the_parent_process_has_chosen_them(
    tmp_path: Path,
) -> None:
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nBACKUP_EVERY_HOUR=24\n")
    sentence = "BACKUP_EVERY_HOUR in .env is no setting; is BACKUP_EVERY_HOURS meant?"
    ended = run_forked("run", DISCORD_API_URL=NOBODY)
    assert (ended.code, ended.out) == (1, "")
    assert sentence in ended.err
    assert "can't be reached" in ended.err.splitlines()[-1]
    assert not [words for words in ("Traceback", TOKEN) if words in ended.err]
    assert sentence not in run_forked("run", "--leashed", DISCORD_API_URL=NOBODY).err


def test_content_that_can_not_be_used_ends_in_a_sentence_for_each_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, broken_content: tuple[str, ...]
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    ended = run_command("run")
    assert (ended.code, ended.out) == (1, "")
    assert tuple(ended.err.splitlines()) == broken_content
    assert list(tmp_path.iterdir()) == [], "nothing was begun"


def test_a_fault_while_building_is_not_blamed_on_the_database_url(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("a faulty part")

    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(bot.app.bootstrap, "build_bot", fail)
    with pytest.raises(ValueError, match="a faulty part"):
        run_command("run")


def test_it_logs_which_file_of_computer_players_is_broken(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise BrokenTables("data/fortune/race.npz can't be read.")

    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(NpzTables, "load", fail)
    monkeypatch.setattr(bot.app.bootstrap, "build_bot", fail)
    load_race.cache_clear()
    with pytest.raises(BrokenTables):
        run_command("run")
    messages = [record.getMessage() for record in caplog.records]
    assert "computer players of fortune only play Normal: data/fortune/race.npz can't be read." in messages


@pytest.mark.parametrize(("is_lasting", "code"), [(True, REFUSED_STATUS), (False, 1)])
def test_a_lasting_refusal_has_a_status_of_its_own(
    monkeypatch: pytest.MonkeyPatch, *, is_lasting: bool, code: int
) -> None:
    async def refuse(*_: object, **__: object) -> NoReturn:
        raise CannotConnect("Discord says no.", is_lasting=is_lasting)

    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr("bot.commands.run._serve", refuse)
    ended = run_command("run")
    assert (ended.code, ended.err.splitlines()[-1]) == (code, "Discord says no.")
