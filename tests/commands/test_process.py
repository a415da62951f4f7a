"""The process ends in order at a signal at any moment, and whatever its standard streams are."""

import asyncio
import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
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


@each_case("moment", list(MOMENTS)[1:])
def test_a_signal_during_the_start_ends_it_in_order(start: Start, moment: str) -> None:
    ended = start("run", signal.SIGTERM, MOMENTS[moment], AS_FIRST if can_be_first() else [])
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@each_case("command, number", [*(("run", number) for number in STOP_SIGNALS), ("demo", signal.SIGTERM)])
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


def test_closed_streams_are_replaced(start: Start) -> None:
    ended = start("run", signal.SIGTERM, "no module", prepare=lambda: os.closerange(0, 3))
    assert ended.returncode == 1, "it ends because nothing answers, and is not aborted"


def test_a_terminal_without_a_letter_is_shown_its_number() -> None:
    code = "from bot.platform.streams_and_signals import prepare_streams; prepare_streams(); print('Łukasz')"
    environment = {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "latin-1"}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ended.stdout == "\\u0141ukasz\n"


async def test_a_log_that_nobody_reads_holds_nothing_up(tmp_path: Path) -> None:
    sandbox = Sandbox()
    await sandbox.start()
    read_end, write_end = os.pipe()
    os.write(write_end, b"\n" * fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, 4096))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run"),
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "DISCORD_TOKEN": sandbox.token,
            "DISCORD_API_URL": sandbox.api_url,
            "LOG_LEVEL": "DEBUG",
        },
        cwd=tmp_path,
        stderr=write_end,
    )
    try:
        await wait_until(lambda: sandbox.bot_online or process.returncode is not None, TIMEOUT_SECONDS)
        assert sandbox.bot_online
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), TIMEOUT_SECONDS) == 0
    finally:
        if process.returncode is None:
            process.kill()
        os.close(write_end)
        os.close(read_end)
        await sandbox.stop()
