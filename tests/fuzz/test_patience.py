"""How long an answer may take is told apart from how slow the machine is."""

import time
from pathlib import Path
from threading import Event

import pytest

import tests.fuzz.patience
from bot.ui.dispatcher import Click
from tests.fuzz.crowd import gathered
from tests.fuzz.fuzz_actions import PEOPLE, SHARED
from tests.fuzz.patience import Patience


def test_a_bot_that_keeps_its_loop_waiting_uses_the_patience_up(tmp_path: Path) -> None:
    with Patience(tmp_path / "written", sleep=lambda _: None) as patience:
        patience.begin()
        _wait_until_out(patience)
        assert (tmp_path / "written").stat().st_size > 0


def test_a_machine_that_stands_still_uses_nothing_up(tmp_path: Path) -> None:
    goes_on = Event()
    with Patience(tmp_path / "written", sleep=lambda _: _wait_for(goes_on)) as patience:
        patience.begin()
        time.sleep(0.05)
        assert not patience.spent
        goes_on.set()
        _wait_until_out(patience)


def _wait_for(event: Event) -> None:
    event.wait()


def _wait_until_out(patience: Patience) -> None:
    end = time.monotonic() + 60
    while not patience.is_out:
        assert time.monotonic() < end, f"{patience.spent} rounds in a minute"
        time.sleep(0.001)


async def test_a_click_that_blocks_the_loop_is_answered_too_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tests.fuzz.patience, "ROUND_SECONDS", 0)
    async with gathered(tmp_path / "parlour.sqlite3", 0) as crowd:
        press = crowd.mischief.press(PEOPLE[0], SHARED[0], "g:magpie")
        slow = crowd.client.clicks.on_interaction

        async def blocking(click: Click) -> None:
            _wait_until_out(crowd.wire.patience)
            await slow(click)

        monkeypatch.setattr(crowd.client.clicks, "on_interaction", blocking)
        with pytest.raises(AssertionError, match="answered after more than three seconds"):
            await crowd.act(press)
