"""A copy of the checkout, for tests that add files to it."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
COPIED = (
    *("bot", "cogs", "data", "tests", "docs", "requirements", ".ci"),
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "PRIVACY.md", "SECURITY.md", "TERMS.md", "LICENSE"),
    *("pyproject.toml", "Makefile", "Dockerfile", ".dockerignore", ".env.example"),
)
"""Everything but what is made in a checkout, and a token."""


def copy_checkout(folder: Path) -> Path:
    """Copy the code, the tests and the docs into a folder, and return it; what is compiled already stays compiled."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name)
        else:
            shutil.copy(ROOT / name, folder)
    return folder


def run_in_checkout(folder: Path, command: str, seconds: float = 120) -> subprocess.CompletedProcess[str]:
    """Run a command of the page or the README in a copy; programs are those installed beside this Python."""
    first, *words = shlex.split(command)
    program = [sys.executable] if first == "python" else [str(Path(sys.executable).with_name(first))]
    return subprocess.run([*program, *words], cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)


def check_ended_well(command: str, ended: subprocess.CompletedProcess[str]) -> None:
    """Check that a command succeeded; tests must have run, and none may have been skipped."""
    assert ended.returncode == 0, command + "\n" + ended.stdout[-3000:] + ended.stderr[-3000:]
    if "pytest" in command:
        assert re.search(r"\b[1-9]\d* passed\b", ended.stdout)
        assert "skipped" not in ended.stdout
    if command == "lint-imports":
        assert "0 broken" in ended.stdout
