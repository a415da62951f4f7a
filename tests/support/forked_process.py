"""Commands of the bot in processes forked from one that has imported the code: a start takes a quarter of the time.

Imports nothing but the standard library, because every such process imports this module first.
"""

import asyncio
import os
import runpy
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import TypeAlias

Duration: TypeAlias = float | timedelta
"""A number of seconds, or the same with its unit."""

ROOT = Path(__file__).parents[2]
IMPORTED = (
    "tests.support.forked_process",
    "bot.commands.app",
    "bot.app.bootstrap",
    "bot.platform.discord.run",
    "tests.support.prepared_process",
)
"""What is imported before processes are forked."""

POLL_SECONDS = 0.005


class ForkedProcess:
    """A process that is used like one of `asyncio.subprocess`."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """The id of the process."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit status, or minus the signal that ended the process; None while it runs."""
        return self._process.exitcode

    def terminate(self) -> None:
        """Ask the process to end."""
        self._process.terminate()

    def kill(self) -> None:
        """End the process without warning."""
        self._process.kill()

    async def wait(self) -> int:
        """Wait until the process has ended."""
        while (code := self.returncode) is None:  # noqa: ASYNC110 - the process sets no event
            await asyncio.sleep(POLL_SECONDS)
        return code

    def join(self, seconds: float) -> int | None:
        """Block until the process has ended."""
        self._process.join(seconds)
        return self.returncode


@dataclass(frozen=True)
class Command:
    """What a process does: `python -m bot` with arguments."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    """All its variables."""
    stderr: Path
    """The file to which its standard error is appended."""
    stdout: Path | None = None
    folder: Path = ROOT
    constants: Mapping[str, Duration] = field(default_factory=dict)
    """Other values for constants of modules, by their full names."""


def fork_command(command: Command) -> ForkedProcess:
    """Start a command."""
    context = get_context("forkserver")
    context.set_forkserver_preload(list(IMPORTED))
    process = context.Process(target=_run, args=(command,))
    process.start()
    return ForkedProcess(process)


def _run(command: Command) -> None:
    os.chdir(command.folder)
    os.environ.clear()
    os.environ.update(command.environment)
    for number, file in ((1, command.stdout), (2, command.stderr)):
        if file is not None:
            with file.open("ab") as stream:
                os.dup2(stream.fileno(), number)
    for name, value in command.constants.items():
        module, _, constant = name.rpartition(".")
        assert hasattr(import_module(module), constant)
        setattr(import_module(module), constant, value)
    sys.argv = ["bot", *command.arguments]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
