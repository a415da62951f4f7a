"""The process ends in order at a signal at any moment, and whatever its standard streams are."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bot.platform.streams_and_signals import STOP_SIGNALS
from bot.sandbox import Sandbox
from tests.commands.run_command import ROOT, TIMEOUT_SECONDS
from tests.support.each_case import each_case
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow

# Signals the process itself when a module is about to be imported, and then holds that up: nothing else can end it but
# the signal.
SIGNALLED = """
import os, sys, threading
from importlib.abc import MetaPathFinder
class Signalling(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == os.environ["PARLOUR_TEST_MODULE"]:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), int(os.environ["PARLOUR_TEST_SIGNAL"]))
            if threading.current_thread() is not threading.main_thread():
                threading.Event().wait()
sys.meta_path.insert(0, Signalling())
"""

UNREACHABLE = "http://127.0.0.1:9"
MOMENTS = {
    "before all imports": "bot.commands",
    "among the imports": "pydantic_settings",
    "among the games": "bot.games.change",
    "once the loop runs": "bot.app.bootstrap",
    "during the migration, in a thread": "alembic",
}
"""Moments of a start, and which module is imported first then."""

AS_FIRST = ["unshare", "--pid", "--fork", "--kill-child"]
"""Runs a command as the process 1 of a container: a signal that it does not handle is lost."""


def can_be_first() -> bool:
    return shutil.which(AS_FIRST[0]) is not None and not subprocess.run([*AS_FIRST, "true"], check=False).returncode


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command of the bot, with a signal to itself when it imports a module."""
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(SIGNALLED)

    def run(
        command: str,
        number: signal.Signals,
        module: str,
        prefix: list[str] | None = None,
        prepare: Callable[[], object] = lambda: None,
    ) -> subprocess.CompletedProcess[str]:
        def prepare_process() -> None:
            # Whoever runs the tests may have them ignore signals.
            for each in STOP_SIGNALS:
                signal.signal(each, signal.SIG_DFL)
            prepare()

        return subprocess.run(
            [*(prefix or []), sys.executable, "-m", "bot", *command.split()],
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": f"{ROOT}:{tmp_path / 'hook'}",
                "DISCORD_TOKEN": "a.b.c",
                "DISCORD_API_URL": UNREACHABLE,
                "LOG_LEVEL": "WARNING",
                "PARLOUR_TEST_MODULE": module,
                "PARLOUR_TEST_SIGNAL": str(int(number)),
            },
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            preexec_fn=prepare_process,
            check=False,
        )

    return run


Start = Callable[..., subprocess.CompletedProcess[str]]


@each_case("moment", MOMENTS)
def test_a_signal_during_the_start_ends_it_in_order(start: Start, moment: str) -> None:
    ended = start("run", signal.SIGTERM, MOMENTS[moment], AS_FIRST if can_be_first() else [])
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@each_case("command", ["run", "demo"])
@each_case("number", STOP_SIGNALS)
def test_every_signal_to_stop_ends_a_start_in_order(start: Start, command: str, number: signal.Signals) -> None:
    ended = start(command, number, "bot.commands")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


NO_LEASH = "With --leashed, standard input must be a pipe: the bot stops when it closes.\n"


@each_case("number, moment", [(signal.SIGHUP, "before all imports"), (signal.SIGINT, "once the loop runs")])
def test_what_was_ignored_at_the_start_stays_so(start: Start, number: signal.Signals, moment: str) -> None:
    ended = start("run --leashed", number, MOMENTS[moment], prepare=lambda: signal.signal(number, signal.SIG_IGN))
    assert (ended.returncode, ended.stderr) == (1, NO_LEASH), "it came as far as that"


def test_a_signal_that_the_starter_has_blocked_ends_it(start: Start) -> None:
    def block() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)

    ended = start("run", signal.SIGTERM, MOMENTS["before all imports"], prepare=block)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_interrupted_migration_is_made_at_the_next_start(start: Start) -> None:
    start("run", signal.SIGTERM, MOMENTS["during the migration, in a thread"])
    ended = start("run", signal.SIGTERM, "no module")
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("Discord can't be reached")


@each_case("closed, arguments, says", [([0], "--leashed", NO_LEASH), ([0, 1, 2], "", "")])
def test_closed_streams_are_replaced(start: Start, closed: list[int], arguments: str, says: str) -> None:
    def close() -> None:
        for number in closed:
            os.close(number)

    ended = start(f"run {arguments}", signal.SIGTERM, "no module", prepare=close)
    assert ended.returncode == 1, "it ends because nothing answers, and is not aborted"
    assert ended.stderr == says


def test_a_terminal_without_a_letter_is_shown_its_number() -> None:
    code = "from bot.platform.streams_and_signals import prepare_streams; prepare_streams(); print('Łukasz')"
    environment = {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "latin-1"}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ended.stdout == "\\u0141ukasz\n"


def run_on(sandbox: Sandbox, folder: Path, stderr: int) -> "subprocess.Popen[bytes]":
    """Start a bot that logs a lot."""
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "run"],
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "DISCORD_TOKEN": sandbox.token,
            "DISCORD_API_URL": sandbox.api_url,
            "LOG_LEVEL": "DEBUG",
        },
        cwd=folder,
        stderr=stderr,
    )


def full_pipe() -> tuple[int, int]:
    """The ends of a pipe without room."""
    read_end, write_end = os.pipe()
    os.write(write_end, b"\n" * fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, 4096))
    return read_end, write_end


def nearly_full_terminal() -> tuple[int, int]:
    """The ends of a terminal with room for less than a line."""
    read_end, write_end = os.openpty()
    os.set_blocking(write_end, False)
    with suppress(BlockingIOError):
        while True:
            os.write(write_end, b"x")
    os.set_blocking(write_end, True)
    os.read(read_end, 20)
    return read_end, write_end


def pipe_without_reader() -> tuple[None, int]:
    """Only the end of a pipe that is written to."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    return None, write_end


@each_case("make", [full_pipe, nearly_full_terminal, pipe_without_reader])
async def test_a_log_that_nobody_reads_holds_nothing_up(
    tmp_path: Path, make: Callable[[], tuple[int | None, int]]
) -> None:
    sandbox = Sandbox()
    await sandbox.start()
    read_end, write_end = make()
    process = run_on(sandbox, tmp_path, write_end)
    try:
        await wait_until(lambda: sandbox.bot_online or process.poll() is not None, TIMEOUT_SECONDS)
        assert sandbox.bot_online
        process.send_signal(signal.SIGTERM)
        await wait_until(lambda: process.poll() is not None, TIMEOUT_SECONDS)
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait()
        os.close(write_end)
        if read_end is not None:
            os.close(read_end)
        await sandbox.stop()
