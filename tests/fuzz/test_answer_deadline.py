"""The deadline of an answer is measured apart from the speed of the machine."""

import time
from pathlib import Path
from threading import Event

import pytest

import tests.fuzz.answer_deadline
from bot.platform.discord.answers import Interaction
from tests.fuzz.answer_deadline import AnswerDeadline
from tests.fuzz.harness import run_harness
from tests.fuzz.people_and_places import PEOPLE, SERVER_PLACES


def test_a_blocked_event_loop_uses_up_the_deadline(tmp_path: Path) -> None:
    with AnswerDeadline(tmp_path / "written", sleep=lambda _: None) as patience:
        patience.restart()
        _wait_until_over(patience)
        assert (tmp_path / "written").stat().st_size > 0


def test_a_suspended_machine_does_not_use_up_the_deadline(tmp_path: Path) -> None:
    asleep, goes_on = Event(), Event()

    def stand_still(_: float) -> None:
        asleep.set()
        goes_on.wait()

    with AnswerDeadline(tmp_path / "written", sleep=stand_still) as patience:
        patience.restart()
        asleep.wait()
        assert not patience.rounds
        goes_on.set()
        _wait_until_over(patience)


def _wait_until_over(patience: AnswerDeadline) -> None:
    end = time.monotonic() + 60
    while not patience.is_over:
        assert time.monotonic() < end, f"{patience.rounds} rounds in a minute"
        time.sleep(0.001)


async def test_a_click_that_blocks_the_loop_is_answered_too_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tests.fuzz.answer_deadline, "ROUND_SECONDS", 0)
    async with run_harness(tmp_path / "parlour.sqlite3", 0) as crowd:
        press = crowd.actions.press(PEOPLE[0], SERVER_PLACES[0], "g:magpie")
        slow = crowd.client.app.dispatcher.on_interaction

        async def blocking(click: Interaction) -> None:
            _wait_until_over(crowd.transport.deadline)
            await slow(click)

        monkeypatch.setattr(crowd.client.app.dispatcher, "on_interaction", blocking)
        with pytest.raises(AssertionError, match="answered after more than three seconds"):
            await crowd.act(press)
