"""Log lines: what they contain, and what they never contain."""

import asyncio
import fcntl
import json
import logging
import os
import re
import select
from collections.abc import Iterator
from contextvars import Context
from typing import ClassVar

import pytest

from bot.platform.observability.logs import ErrorHandler, JsonFormatter, OutputHandler, Redactor, TextFormatter
from bot.platform.observability.trace import continue_trace, get_or_start_trace, set_table, start_trace
from tests.support.each_case import each_case

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz-0123456789AB"
INTERACTION = "aW50ZXJhY3Rpb246MTIz"
FORMATTERS = [TextFormatter, JsonFormatter]


def record(message: str, *args: object, fault: BaseException | None = None) -> logging.LogRecord:
    exc_info = (type(fault), fault, fault.__traceback__) if fault else None
    return logging.LogRecord("bot.test", logging.WARNING, "", 0, message, args, exc_info)


def raise_and_catch(text: str) -> BaseException:
    with pytest.raises(ValueError, match=re.escape(text)) as caught:
        raise ValueError(text)
    return caught.value


@each_case("kind", FORMATTERS)
@each_case(
    "text, secret",
    [
        (f"POST https://discord.com/api/v10/interactions/123/{INTERACTION}/callback has failed", INTERACTION),
        (f"PATCH /webhooks/99/{INTERACTION}/messages/@original has returned 404", INTERACTION),
        (f"/webhooks/99/{INTERACTION}?wait=true", INTERACTION),
        (f"WebSocket Event: {{'id': '1', 'token': '{INTERACTION}', 'type': 3}}", INTERACTION),
        (f'{{"token": "{INTERACTION}"}}', INTERACTION),
        ("Header(seed=b'\\x00\\x01secretbytes', salt='x')", "secretbytes"),
        ("Header(salt='5a17c0ffee', created_at=0)", "5a17c0ffee"),
        (f"logging in with {TOKEN}", TOKEN),
        (f"another bot's {TOKEN.replace('M', 'N')} too", TOKEN.replace("M", "N")),
        ("postgresql://robin:hush%40home@db/parlour is out of reach", "hush"),
        ("the password hush@home was refused", "hush@home"),
        ("DETAIL:  Failing row contains (1, magpie, \\xdeadbeef).", "deadbeef"),
        ("DETAIL:  Key (tournament_id, user_id)=(1, 110011) already exists.", "110011"),
        ("PUT https://discord.com/api/v10/channels/1/thread-members/110011 responded with 429", "110011"),
        ("GET https://discord.com/api/v10/guilds/1/members/110011 responded with 429", "110011"),
    ],
)
def test_no_secret_is_written(kind: type[logging.Formatter], text: str, secret: str) -> None:
    formatter = kind(Redactor([TOKEN, "hush%40home", "hush@home", ""]))  # type: ignore[arg-type]
    for written in (
        formatter.format(record(text)),
        formatter.format(record("%s", text)),
        formatter.format(record("failed", fault=raise_and_catch(text))),
    ):
        assert secret not in written
        assert "***" in written


def test_without_an_interaction_a_line_ends_with_its_message() -> None:
    assert Context().run(TextFormatter(Redactor([])).format, record("late")).endswith(" WARNING bot.test: late")


def test_a_secret_that_starts_with_another_is_redacted_whole() -> None:
    assert Redactor(["hush@home", "hush@home@work"])("hush@home@work, hush@home") == "***, ***"


def test_harmless_text_is_not_redacted() -> None:
    text = "table 3: roll 1 3 5 at https://discord.com/channels/1/2/3, token bucket of 5, seeds: none"
    assert Redactor(["", "a"])(text) == text


@each_case("kind", FORMATTERS)
def test_a_line_carries_trace_table_and_game(kind: type[logging.Formatter]) -> None:
    trace = start_trace()
    set_table(7, "magpie")
    written = kind(Redactor([])).format(record("late"))  # type: ignore[arg-type]
    assert len(trace.id) == 8
    if kind is JsonFormatter:
        logged = json.loads(written)
        assert (logged["trace"], logged["table"], logged["game"]) == (trace.id, 7, "magpie")
        assert (logged["level"], logged["logger"], logged["message"]) == ("WARNING", "bot.test", "late")
        assert logged["time"].endswith("+00:00")
    else:
        assert written.endswith(f"WARNING bot.test: late [trace={trace.id} table=7 game=magpie]")


@each_case("kind", FORMATTERS)
def test_a_line_before_a_table_is_known_names_none(kind: type[logging.Formatter]) -> None:
    trace = start_trace()
    written = kind(Redactor([])).format(record("late"))  # type: ignore[arg-type]
    assert trace.id in written
    assert "table" not in written
    assert "game" not in written


async def test_tasks_share_a_trace_until_they_start_their_own() -> None:
    trace = start_trace()

    async def shares() -> None:
        set_table(7, "magpie")

    async def goes_on() -> tuple[str, int | None]:
        continue_trace(8, "magic_bag")
        return get_or_start_trace().id, get_or_start_trace().table

    await asyncio.create_task(shares())
    assert await asyncio.create_task(goes_on()) == (trace.id, 8)
    assert (get_or_start_trace().id, get_or_start_trace().table, get_or_start_trace().game) == (trace.id, 7, "magpie")


@each_case("kind", FORMATTERS)
def test_user_input_cannot_start_a_new_line(kind: type[logging.Formatter]) -> None:
    written = kind(Redactor([])).format(record("refused: %s", "x\r\n2026-01-01 ERROR forged"))  # type: ignore[arg-type]
    assert len(written.splitlines()) == 1


def test_a_traceback_is_one_field_of_the_object() -> None:
    written = JsonFormatter(Redactor([])).format(record("failed", fault=raise_and_catch("on purpose")))
    assert len(written.splitlines()) == 1
    traceback = json.loads(written)["exception"]
    assert traceback.startswith("Traceback")
    assert traceback.endswith("ValueError: on purpose")


def test_only_errors_are_passed_to_the_listener() -> None:
    heard: list[str] = []
    listener = ErrorHandler(lambda each: heard.append(each.getMessage()))
    logger = logging.getLogger("tests.apart")
    logger.propagate = False
    logger.addHandler(listener)
    logger.warning("mild")
    logger.error("bad")
    logger.removeHandler(listener)
    assert heard == ["bad"]


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """A pipe with room for two pages."""
    read_end, write_end = os.pipe()
    fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, 2 * select.PIPE_BUF)
    yield read_end, write_end
    os.close(read_end)
    os.close(write_end)


def test_lines_that_nobody_reads_are_left_out_and_counted(pipe: tuple[int, int]) -> None:
    read_end, write_end = pipe
    handler = OutputHandler(write_end)
    handler.setFormatter(JsonFormatter(Redactor([])))
    handler.emit(record("the first"))
    for _ in range(3):
        handler.emit(record("x" * 5000))
    read = os.read(read_end, 10_000).decode()
    assert json.loads(read.splitlines()[0])["message"] == "the first"
    handler.emit(record("the last"))
    cut, missing, last, end = os.read(read_end, 10_000).decode().split("\n")
    assert (cut, end) == ("", ""), "the line that was written in part is ended"
    assert json.loads(missing)["message"].startswith("3 lines are missing here")
    assert json.loads(last)["message"] == "the last"


REAL_POLL = select.poll


class RecordingPoll:
    """Records how long it was to wait, and waits no time."""

    asked: ClassVar[list[float]] = []

    def __init__(self) -> None:
        self._poll = REAL_POLL()

    def register(self, descriptor: int, events: int) -> None:
        self._poll.register(descriptor, events)

    def poll(self, milliseconds: float) -> list[tuple[int, int]]:
        self.asked.append(milliseconds)
        return self._poll.poll(0)


def test_a_reader_that_keeps_falling_behind_is_waited_for_every_ten_seconds(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_end, write_end = pipe
    seconds = 100.0
    monkeypatch.setattr("bot.platform.observability.logs.monotonic", lambda: seconds)
    monkeypatch.setattr(select, "poll", RecordingPoll)
    handler = OutputHandler(write_end)

    def fall_behind() -> float:
        """Emit until a line does not fit, let another be written, and return the longest wait."""
        RecordingPoll.asked.clear()
        handler.emit(record("x" * 10_000))
        os.read(read_end, 10_000)
        handler.emit(record("read again"))
        assert b"read again" in os.read(read_end, 10_000)
        return max(RecordingPoll.asked)

    assert fall_behind() == pytest.approx(200)
    seconds += 9
    assert fall_behind() == 0
    seconds += 9
    assert fall_behind() == 0, "its last line was left out nine seconds ago"
    seconds += 11
    assert fall_behind() == pytest.approx(200)


def test_a_long_line_is_written_as_a_whole(pipe: tuple[int, int]) -> None:
    read_end, write_end = pipe
    fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, 65536)
    OutputHandler(write_end).emit(record("ä" * 10_000))
    assert os.read(read_end, 65536).decode() == "ä" * 10_000 + "\n"


def test_a_log_without_a_reader_raises_and_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    handler = OutputHandler(write_end)
    handler.emit(record("unread"))
    handler.emit(record("unread"))
    os.close(write_end)
    assert capfd.readouterr() == ("", "")
