"""Follows the Dockerfile without Docker: each stage is a folder, and its Python is that of the tests."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
_GLOBS = {"**/": "(?:.*/)?", "*": "[^/]*", ".": r"\."}


@dataclass(frozen=True)
class Step:
    """An instruction of the recipe."""

    word: str
    rest: str

    @property
    def command(self) -> list[str]:
        """The command as a list, which needs no shell."""
        words: list[str] = json.loads(self.rest[self.rest.index("[") :])
        return words


def read_stages() -> list[list[Step]]:
    """Return the steps of each stage."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE).replace("\\\n", "")
    found: list[list[Step]] = []
    for line in filter(str.strip, text.splitlines()):
        word, rest = line.split(maxsplit=1)
        if word == "FROM":
            found.append([])
        found[-1].append(Step(word, rest))
    return found


def is_sent(path: Path) -> bool:
    """Tell whether .dockerignore lets the builder have a file: the last rule that fits it or a folder of it decides."""
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    fitting = [rule for rule in rules if any(_fits(part, rule.removeprefix("!")) for part in (path, *path.parents))]
    return not fitting or fitting[-1].startswith("!")


def _fits(path: Path, rule: str) -> bool:
    pattern = re.sub(r"\*\*/|\*|\.", lambda found: _GLOBS[found[0]], rule)
    return re.fullmatch(pattern, path.as_posix()) is not None


@dataclass
class Image:
    """What a stage has made so far."""

    root: Path
    environment: dict[str, str]
    folder: str = "/"
    installs: bool = False
    """Whether packages are installed as stated; otherwise those of the tests' own environment are linked."""

    def place(self, path: str) -> Path:
        """Return where a path of the image is on this machine."""
        return self.root / self.folder.strip("/") / path if path[0] != "/" else self.root / path.strip("/")

    def words(self, command: list[str]) -> list[str]:
        """Return a command with this machine's paths, for a process in `place(".")` with this environment."""
        return [str(self.place(word)) if word.startswith("/") else word for word in command]

    def follow(self, step: Step, stages: dict[str, "Image"]) -> None:
        """Do what a step says.

        Raises:
            ValueError: It is of a kind that this can't follow, so that the test passes no step over.
        """
        match step.word:
            case "COPY":
                self._copy(*step.rest.split(), stages=stages)
            case "RUN":
                self._run(step.command)
            case "ENV":
                self._set(shlex.split(step.rest))
            case "WORKDIR":
                self.folder = step.rest
                self.place(".").mkdir(parents=True, exist_ok=True)
            case "FROM" | "USER" | "VOLUME" | "STOPSIGNAL" | "HEALTHCHECK" | "ENTRYPOINT" | "CMD":
                pass
            case _:
                raise ValueError(f"this step of the Dockerfile can't be followed: {step}")

    def _set(self, variables: list[str]) -> None:
        for name, value in (variable.split("=", 1) for variable in variables):
            parts = [str(self.place(part)) if part.startswith("/") else part for part in value.split(":")]
            self.environment[name] = ":".join(parts).replace(f"${name}", self.environment.get(name, ""))

    def _copy(self, *words: str, stages: dict[str, "Image"]) -> None:
        *options, source, target = words
        if options:
            (name,) = options
            made, copy = stages[name.removeprefix("--from=")].place(source), self.place(target)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if made.is_dir():
                shutil.copytree(made, copy, symlinks=True)
            else:
                shutil.copy2(made, copy)
            return
        found = ROOT / source
        for file in found.rglob("*") if found.is_dir() else [found]:
            if file.is_file() and is_sent(file.relative_to(ROOT)):
                copy = self.place(target) / file.relative_to(found)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, copy)
        if not self.place(target).exists():
            raise FileNotFoundError(f"the builder is not sent {source}")

    def _run(self, command: list[str]) -> None:
        match command:
            case ["sh", "-c", install] if install.endswith(" tini"):
                self._make_init(self.place("/usr/bin/tini-static"))
            case ["useradd", *_]:
                # The user that runs the tests stands for it.
                self.environment["HOME"] = str(self.place(command[command.index("--home-dir") + 1]))
            case ["install", "--directory", "--owner", _, "--group", _, path]:
                self.place(path).mkdir(parents=True)
            case [_, "-m", "pip", "install", *_, "--requirement", lock] if not self.installs:
                (packages,) = self.place(command[0]).parents[1].glob("lib/*/site-packages")
                _link_packages(self.place(lock), packages)
            case [_, "-m", "venv", _] if not self.installs:
                self._run_python([*command, "--without-pip"])
            case [_, "-m", "venv" | "pip" | "compileall", *_]:
                self._run_python(command)
            case _:
                raise ValueError(f"this command of the Dockerfile can't be followed: {command}")

    def _make_init(self, file: Path) -> None:
        """Make what stands for the init: it only becomes the command that it is given."""
        file.parent.mkdir(parents=True)
        file.write_text('#!/bin/sh\n[ "$1" = -- ] && shift\nexec "$@"\n')
        file.chmod(0o755)

    def _run_python(self, command: list[str]) -> None:
        words, environment = self.words(command), {**os.environ, **self.environment}
        subprocess.run(words, cwd=self.place("."), env=environment, check=True)


def build_image(folder: Path, *, installs: bool = False) -> Image:
    """Follow the recipe in a folder, and return what its last stage makes."""
    made: dict[str, Image] = {}
    for number, stage in enumerate(read_stages()):
        name = stage[0].rest.rpartition(" AS ")[2] if " AS " in stage[0].rest else str(number)
        path = f"{Path(sys.executable).parent}:{folder / name}/usr/bin:/usr/bin:/bin"
        image = made[name] = Image(folder / name, {"PATH": path}, installs=installs)
        image.root.mkdir(parents=True)
        for step in stage:
            image.follow(step, made)
    return list(made.values())[-1]


def _link_packages(lock: Path, packages: Path) -> None:
    """Link what a lock names from the tests' environment, which has more."""
    for line in lock.read_text().replace("\\\n", "").splitlines():
        requirement = Requirement(line.partition("--hash")[0])
        if requirement.marker is None or requirement.marker.evaluate():
            installed = distribution(requirement.name)
            for name in {file.parts[0] for file in installed.files or ()} - {"..", "__pycache__"}:
                if not (packages / name).is_symlink():
                    (packages / name).symlink_to(Path(str(installed.locate_file(name))))
