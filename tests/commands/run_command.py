"""Commands run in this process, or in a separate one."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from bot.commands.app import app

ROOT = Path(__file__).parents[2]


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


def run_process(*arguments: str, **variables: str) -> CommandResult:
    """Run `python -m bot` from the present folder."""
    clean = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    done = subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        env={**clean, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return CommandResult(done.returncode, done.stdout, done.stderr)
