"""The image's recipe, as far as it can be checked without building it."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from bot.settings import child_environment
from tests.commands.run_command import ROOT, run_command
from tests.support.parlour import button_id

PORT = "8080"
TIMEOUT_SECONDS = 30

# Python's audit hook reports each operation; a write outside the named places fails as on a read-only root.
READ_ONLY = """
import errno, os, sys
places = tuple(os.environ["PARLOUR_TEST_WRITABLE"].split(":")) + ("/dev/",)
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
def hook(event, told):
    if event == "open":
        path, mode, flags = told
        wanted = isinstance(path, (str, bytes)) and flags & WRITES
    else:
        path, wanted = told and told[0], event in ("sqlite3.connect", "os.mkdir", "os.rename", "os.remove", "os.rmdir")
    if wanted and not os.path.abspath(os.fsdecode(path).removeprefix("file:").split("?")[0]).startswith(places):
        raise OSError(errno.EROFS, "the test's root is read-only", path)
sys.addaudithook(hook)
"""


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


def stages() -> list[list[Step]]:
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE).replace("\\\n", "")
    found: list[list[Step]] = []
    for line in filter(str.strip, text.splitlines()):
        word, rest = line.split(maxsplit=1)
        if word == "FROM":
            found.append([])
        found[-1].append(Step(word, rest))
    return found


def single_step(stage: list[Step], word: str) -> Step:
    (step,) = [step for step in stage if step.word == word]
    return step


def test_packages_are_built_in_a_stage_of_their_own_on_the_same_base() -> None:
    first, second = stages()
    assert first[0].rest == f"{second[0].rest} AS packages"
    copied = [step.rest for step in second if step.word == "COPY"]
    assert copied[0] == "--from=packages /opt/venv /opt/venv"


def test_copied_files_are_in_the_repository() -> None:
    git = shutil.which("git")
    listed = git and subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if not listed:
        pytest.skip("this is no git checkout")
    for step in (step for stage in stages() for step in stage if step.word == "COPY"):
        source = step.rest.split()[0]
        if not source.startswith("--"):
            assert any(f"{path}/".startswith(f"{source}/") for path in listed.splitlines()), source


def test_it_runs_as_a_user_without_rights_who_owns_the_tables() -> None:
    _, stage = stages()
    user = single_step(stage, "USER").rest
    runs = [step.command for step in stage if step.word == "RUN"]
    assert int(user) >= 10_000
    assert ["--uid", user] == runs[0][1:3]
    assert runs[1] == ["install", "--directory", "--owner", user, "--group", user, "/app/var"]
    assert single_step(stage, "VOLUME").rest == "/app/var"
    assert [step.word for step in stage].index("USER") > max(
        at for at, step in enumerate(stage) if step.word in {"RUN", "COPY"}
    )


def test_it_stops_gracefully_and_without_a_shell_in_between() -> None:
    _, stage = stages()
    assert single_step(stage, "STOPSIGNAL").rest == "SIGTERM"
    assert single_step(stage, "CMD").command == ["python", "-m", "bot", "run", "--health-port", PORT]
    for step in (step for each in stages() for step in each if step.word == "RUN"):
        assert step.rest.startswith("[")


def test_its_health_check_uses_the_port_it_listens_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    _, stage = stages()
    command = single_step(stage, "HEALTHCHECK").command
    assert command[:5] == ["python", "-m", "bot", "health", "--live"]
    assert command[-2:] == single_step(stage, "CMD").command[-2:]
    ended = run_command(*command[3:])
    assert ended.code == 1
    assert f"does not answer on port {PORT}" in ended.err


def test_the_packages_can_be_installed_as_stated(is_long: bool, tmp_path: Path) -> None:
    if not is_long:
        pytest.skip("installs all packages again, which takes a minute: only with --long")
    first, second = stages()
    shutil.copy(ROOT / "requirements" / "run.txt", tmp_path)
    for step in (step for step in first if step.word == "RUN"):
        words = [word.replace("/opt/", f"{tmp_path}/") for word in step.command]
        subprocess.run([sys.executable if words[0] == "python" else words[0], *words[1:]], check=True)
    app = copy_app(tmp_path)
    python = str(tmp_path / "venv" / "bin" / "python")
    *_, compiling = [step.command for step in second if step.word == "RUN"]
    subprocess.run([python, *compiling[1:]], cwd=app, check=True)
    checked = subprocess.run([python, "-m", "bot", "check"], cwd=app, capture_output=True, text=True, check=False)
    assert checked.stdout.endswith("No problems found.\n"), checked.stderr


def copy_app(folder: Path) -> Path:
    """Make the folder of the image: what the recipe copies, and an empty place for the tables."""
    app = folder / "app"
    _, stage = stages()
    for step in (step for step in stage if step.word == "COPY"):
        source, target = step.rest.split()[-2:]
        if not target.startswith("/"):
            shutil.copytree(ROOT / source, app / target, ignore=shutil.ignore_patterns("*.pyc.*"))
    (app / "var").mkdir()
    return app


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and "var" not in path.parts}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    made = Sandbox()
    await made.start()
    yield made
    await made.stop()


@pytest.fixture
def read_only(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Gives the environment of a process that can write in the places named, and nowhere else."""
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(READ_ONLY)

    def environment(*places: Path, **variables: str) -> dict[str, str]:
        return child_environment(
            PYTHONPATH=str(tmp_path / "hook"),
            PYTHONDONTWRITEBYTECODE="1",
            PARLOUR_TEST_WRITABLE=":".join(f"{place}{os.sep}" for place in places),
            **variables,
        )

    return environment


async def test_on_a_read_only_root_it_writes_only_its_tables(
    sandbox: Sandbox, tmp_path: Path, read_only: Callable[..., dict[str, str]]
) -> None:
    app, scratch = copy_app(tmp_path), tmp_path / "scratch"
    scratch.mkdir()
    before = contents(app)
    environment = read_only(
        app / "var",
        scratch,
        TMPDIR=str(scratch),
        DISCORD_TOKEN=sandbox.token,
        DISCORD_API_URL=sandbox.api_url,
        DATABASE_URL="",
        HEALTH_PORT="",
    )
    bot = [sys.executable, "-m", "bot", "run"]
    process = await asyncio.create_subprocess_exec(*bot, cwd=app, env=environment, stderr=asyncio.subprocess.PIPE)
    try:
        await sandbox.until(lambda: sandbox.bot_online, timeout=TIMEOUT_SECONDS)
        here, wren = sandbox.channel("table-one"), sandbox.person("Wren")
        await sandbox.person("Robin").slash(here, "magpie new")
        # A slow bot answers with a link to the table, and the first picture after a start may take longer.
        await sandbox.until(lambda: any(message.buttons for message in wren.visible_messages(here)))
        (message,) = (message for message in wren.visible_messages(here) if message.buttons)
        await wren.click(message, button_id(message, "Join"))
    finally:
        process.terminate()
        _, said = await asyncio.wait_for(process.communicate(), TIMEOUT_SECONDS)
    assert process.returncode == 0, said
    assert b"Traceback" not in said
    assert contents(app) == before
    # Whether the art is at hand by then is a question of time.
    assert {path.name for path in (app / "var").iterdir()} - {"pictures"} == {"parlour.sqlite3"}
    assert list(scratch.iterdir()) == []


def test_the_root_of_the_read_only_test_is_read_only(tmp_path: Path, read_only: Callable[..., dict[str, str]]) -> None:
    (tmp_path / "var").mkdir()
    environment = read_only(tmp_path / "var")

    def ends(code: str) -> bool:
        words = [sys.executable, "-c", code]
        return not subprocess.run(words, env=environment, cwd=tmp_path, capture_output=True, check=False).returncode

    assert ends("open('var/x', 'w')")
    assert not ends("open('x', 'w')")
    assert not ends("import sqlite3; sqlite3.connect('x')")
    assert not ends("import os; os.mkdir('x')")
