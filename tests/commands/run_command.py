"""Commands run in this process, in a forked one, or in a new one."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from typer.testing import CliRunner

from bot.commands.app import app
from tests.support.forked_process import Command, fork_command

ROOT = Path(__file__).parents[2]
TIMEOUT_SECONDS = 120


@dataclass(frozen=True)
class CommandResult:
    """How a command ended."""

    code: int
    out: str
    err: str


def run_command(*arguments: str) -> CommandResult:
    """Run a command in this process."""
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return CommandResult(result.exit_code, result.stdout, result.stderr)


def run_forked(*arguments: str, **variables: str) -> CommandResult:
    """Run a command from the present folder, in a process that need not import the code."""
    with TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        command = Command(arguments, {**_clean_environment(), **variables}, err, out, Path.cwd())
        code = fork_command(command).join(TIMEOUT_SECONDS)
        assert code is not None
        return CommandResult(code, out.read_text(), err.read_text())


def run_process(*arguments: str, **variables: str) -> CommandResult:
    """Run `python -m bot` from the present folder."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        env={**_clean_environment(), "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return CommandResult(done.returncode, done.stdout, done.stderr)


def _clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
