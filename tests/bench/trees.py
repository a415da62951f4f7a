"""The trees that are compared: this one and that of the last release, each measured by its own bench."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias

import typer

from bot.settings import child_environment

LOCK = Path("requirements/dev.txt")

Measured: TypeAlias = dict[str, Any]
"""The figures of a round: `rows` and `details`, as `tests.bench.measure` prints them."""


class BenchFailed(Exception):
    """A process could not measure; its own words stand above."""


@dataclass(frozen=True, slots=True)
class RunningPart:
    """A process that measures a part whenever it is asked."""

    name: str
    questions: IO[str]
    answers: IO[str]

    def wait_until_ready(self) -> None:
        """Wait until everything is set up."""
        self._read()

    def measure(self) -> Measured:
        """Measure a round."""
        self.questions.write("\n")
        self.questions.flush()
        measured: Measured = json.loads(self._read())
        return measured

    def _read(self) -> str:
        if not (line := self.answers.readline()):
            raise BenchFailed(f"{self.name} could not be measured (see above).")
        return line


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a version, which are measured by their own bench."""

    name: str
    folder: Path
    python: str = sys.executable

    def list_parts(self) -> list[str]:
        """Return what the tree can measure.

        Raises:
            BenchFailed: It has no such bench.
        """
        listed = subprocess.run(
            self._command(), cwd=self.folder, env=child_environment(), stdout=subprocess.PIPE, text=True, check=False
        )
        if listed.returncode:
            raise BenchFailed(f"{self.name} has no bench to compare with.")
        return listed.stdout.split()

    @contextmanager
    def run(self, part: str) -> Iterator[RunningPart]:
        """Run a process that measures a part until the block ends."""
        with subprocess.Popen(
            [*self._command(), part],
            cwd=self.folder,
            # Both trees start from compiled modules.
            env=child_environment(PYTHONDONTWRITEBYTECODE=""),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            yield RunningPart(f"{part} of {self.name}", process.stdin, process.stdout)
        if process.returncode:
            raise BenchFailed(f"{part} of {self.name} ended with an error (see above).")

    def _command(self) -> list[str]:
        return [self.python, "-m", "tests.bench.measure"]


def compare(trees: Sequence[Tree], parts: Sequence[str], rounds: int) -> dict[str, dict[str, list[Measured]]]:
    """Measure parts one by one, and return all rounds by tree and part; failed parts are left out, with a message."""
    known = {tree.name: tree.list_parts() for tree in trees}
    taken: dict[str, dict[str, list[Measured]]] = {tree.name: {} for tree in trees}
    for part in parts:
        typer.echo(f"measuring {part}", err=True)
        try:
            measured = _compare_part(part, [tree for tree in trees if part in known[tree.name]], rounds)
        except BenchFailed as failed:
            typer.echo(failed, err=True)
        else:
            for name, found in measured.items():
                taken[name][part] = found
    return taken


def _compare_part(part: str, trees: Sequence[Tree], rounds: int) -> dict[str, list[Measured]]:
    """Measure trees in turn, so that other load affects all."""
    taken: dict[str, list[Measured]] = {tree.name: [] for tree in trees}
    with ExitStack() as stack:
        running = {tree.name: stack.enter_context(tree.run(part)) for tree in trees}
        for process in running.values():
            process.wait_until_ready()
        for number in range(rounds):
            # Whichever was last goes first, so that a machine that slows down slows both.
            for name in list(running)[:: -1 if number % 2 else 1]:
                taken[name].append(running[name].measure())
    return taken


def find_release(root: Path) -> str:
    """Return the newest release before this commit; an empty text if there is none, or no history."""
    command = ["git", "tag", "--merged", "HEAD", "--no-contains", "HEAD", "--sort=-version:refname", "--list", "v*"]
    try:
        ended = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return ended.stdout.partition("\n")[0]


@contextmanager
def check_out(root: Path, ref: str) -> Iterator[Tree]:
    """Copy the tree of a commit into a temporary folder, which goes when the block ends.

    Raises:
        BenchFailed: There is no such commit.
    """
    with tempfile.TemporaryDirectory(prefix="parlour-release-") as name:
        folder = Path(name)
        archived = subprocess.run(["git", "archive", ref], cwd=root, stdout=subprocess.PIPE, check=False)
        if archived.returncode:
            raise BenchFailed(f"{ref} can't be checked out (see above).")
        subprocess.run(["tar", "--extract"], cwd=folder, input=archived.stdout, check=True)
        yield Tree(ref, folder, _find_python(root, folder))


def _find_python(root: Path, folder: Path) -> str:
    """Return this Python where both trees lock the same packages, otherwise that of an environment of the other one."""
    if (folder / LOCK).read_bytes() == (root / LOCK).read_bytes():
        return sys.executable
    typer.echo("The locks differ, so the release gets an environment of its own.", err=True)
    base = f"{sys.base_prefix}/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    subprocess.run(["sh", "requirements/venv.sh", "dev", ".venv", base], cwd=folder, check=True)
    return str(folder / ".venv/bin/python")
