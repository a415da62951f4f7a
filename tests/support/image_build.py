"""Follows the Dockerfile without Docker, in a folder for each stage.

The Python of an `Image` is that of the tests. A `System` is made from Debian's packages, and commands run inside it.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import distribution
from pathlib import Path
from typing import TypeVar

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
SUITES = {"3.11": "bookworm", "3.13": "trixie"}
"""The releases of Debian by the versions of their Python, which stands for that of the base image."""

_BASE_PACKAGES = "ca-certificates,python3,python3-venv,python-is-python3"
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
    base: str
    environment: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    installs: bool = False
    """Whether packages are installed as stated; otherwise those of the tests' own environment are linked."""

    def place(self, path: str) -> Path:
        """Return where a path of the image is on this machine."""
        return self.root / self.folder.strip("/") / path if path[0] != "/" else self.root / path.strip("/")

    def begin(self) -> None:
        """Make what the base image holds."""
        self.environment["PATH"] = f"{Path(sys.executable).parent}:{self.place('/usr/bin')}:/usr/bin:/bin"

    def path(self, path: str) -> str:
        """Return what processes of the image call one of its absolute paths; others stay as they are."""
        return str(self.place(path)) if path.startswith("/") else path

    def words(self, command: list[str]) -> list[str]:
        """Return a command with this machine's paths, for a process in `place(".")` with this environment."""
        return [self.path(word) for word in command]

    def follow(self, step: Step, stages: Mapping[str, "Image"]) -> None:
        """Do what a step says.

        Raises:
            ValueError: It is of a kind that this can't follow, so that the test passes no step over.
        """
        match step.word:
            case "COPY":
                self._copy(*step.rest.split(), stages=stages)
            case "RUN":
                self.run(step.command)
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
            parts = [self.path(part) for part in value.split(":")]
            self.environment[name] = ":".join(parts).replace(f"${name}", self.environment.get(name, ""))

    def _copy(self, *words: str, stages: Mapping[str, "Image"]) -> None:
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

    def run(self, command: list[str]) -> None:
        """Run a command of the recipe, or do what it stands for.

        Raises:
            ValueError: It is one that this can't follow.
        """
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


_ENTER = """
root=$0 user=$1 volume=$2 tools=$3 folder=$4
shift 4
[ -z "$volume" ] || mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev/shm"
if [ -n "$volume" ]; then
    mount -t tmpfs tmpfs "$root/tmp"
    mount --bind "$volume" "$root/app/var"
    mount --bind "$tools" "$root/app/bot/tools"
    mount -o remount,bind,ro "$root"
fi
exec chroot --userspec="$user:$user" "$root" env --chdir="$folder" "$@"
"""


@dataclass
class System(Image):
    """A stage on packages of Debian: its commands run inside, as root. Only root can make one."""

    def begin(self) -> None:
        """Install Debian with the Python of the base image."""
        version = re.fullmatch(r"python:([0-9.]+)-slim", self.base)
        if version is None:
            raise ValueError(f"no packages of Debian stand for {self.base}")
        options = ["--quiet", "--variant=minbase", f"--include={_BASE_PACKAGES}"]
        subprocess.run(["mmdebstrap", *options, SUITES[version[1]], self.root], check=True)
        # The computer's name servers and certificates lead to the packages.
        for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"):
            if (Path("/") / name).exists():
                shutil.copyfile(Path("/") / name, self.root / name)
        self.environment["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    def path(self, path: str) -> str:
        """Return a path as it is: processes see the image as their root."""
        return path

    def run(self, command: list[str]) -> None:
        """Run a command of the recipe, which finds packages as the computer does."""
        pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        words = self._enter("0", "", "", command)
        subprocess.run(words, env={**self.environment, **pip}, check=True)

    def run_isolated(self, user: str, volume: Path, command: list[str]) -> "subprocess.CompletedProcess[str]":
        """Run a command as hosts do: as a user, on a read-only root. The commands of developers are there."""
        self.place("bot/tools").mkdir(exist_ok=True)
        words = self._enter(user, str(volume), str(ROOT / "bot" / "tools"), command)
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False)

    def _enter(self, user: str, volume: str, tools: str, command: list[str]) -> list[str]:
        options = [str(self.root), user, volume, tools, self.folder]
        return ["unshare", "--mount", "sh", "-euc", _ENTER, *options, *command]


_AnyImage = TypeVar("_AnyImage", bound=Image)


def build_image(folder: Path, begin: Callable[[Path, str], _AnyImage]) -> _AnyImage:
    """Follow the recipe in a folder, and return what its last stage makes.

    Args:
        begin: Makes a stage from the place of its root and the name of its base image.
    """
    made: dict[str, _AnyImage] = {}
    for number, stage in enumerate(read_stages()):
        base, _, name = stage[0].rest.partition(" AS ")
        image = made[name or str(number)] = begin(folder / (name or str(number)), base)
        image.root.mkdir(parents=True)
        image.begin()
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
