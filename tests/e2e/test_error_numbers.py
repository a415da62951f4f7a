"""A player who hits an internal error is shown a number, under which the log has the traceback."""

import io
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.platform.observability.logs import JsonFormatter, Redactor
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.permissions import Permissions
from bot.tables.host import Host
from tests.support.parlour import ROLL, Parlour
from tests.support.waiting import wait_until

NUMBER = re.compile(r"`([0-9a-f]{8})`")


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the log says meanwhile, as JSON lines."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonFormatter(Redactor([])))
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


def number_in(answer: Interaction) -> str:
    assert answer.ephemeral
    found = NUMBER.search(answer.text)
    assert found, answer.text
    return found[1]


def lines_of(log: io.StringIO, number: str) -> list[dict[str, Any]]:
    logged = [json.loads(line) for line in log.getvalue().splitlines()]
    return [line for line in logged if line.get("trace") == number]


async def test_a_failed_click_is_found_by_its_error_number(
    parlour: Parlour, log: io.StringIO, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    table, mover = await parlour.table(), await parlour.mover()

    def fail(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(parlour.client.app.service(Host).service, "play", fail)
    answers = [await parlour.press(mover, message, ROLL) for _ in range(2)]
    numbers = [number_in(answer) for answer in answers]
    assert numbers[0] != numbers[1]
    for number in numbers:
        (line,) = lines_of(log, number)
        assert (line["level"], line["table"], line["game"]) == ("ERROR", table.id, "magpie")
        assert "RuntimeError: broken on purpose" in line["exception"]
        assert "controls.py" in line["exception"], "the traceback tells where"
    assert "broken on purpose" not in answers[0].text
    caplog.clear()


async def test_work_started_by_a_command_carries_its_number(parlour: Parlour, log: io.StringIO) -> None:
    await parlour.start_game(parlour.robin, parlour.wren)
    parlour.here.bot_permissions &= ~Permissions.VIEW_CHANNEL
    await (await parlour.mover()).slash(parlour.here, "magpie roll", dice="all")
    await wait_until(lambda: "can't be shown where it stands" in log.getvalue())
    (line,) = [json.loads(line) for line in log.getvalue().splitlines() if "can't be shown" in line]
    assert (line["logger"], line["table"], line["game"]) == ("bot.tables.publisher", 1, "magpie")
    assert len(line["trace"]) == 8
