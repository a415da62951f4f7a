"""The image's recipe, as far as it can be checked without building it."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from asyncio.subprocess import Process, create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PIL import Image as PngImage

from bot.sandbox import Sandbox
from tests.support.each_case import each_case
from tests.support.image_build import ROOT, Image, Step, System, build_image, is_sent, read_stages
from tests.support.network_ports import reserve_port
from tests.support.parlour import button_id
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow

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


def single_step(stage: list[Step], word: str) -> Step:
    (step,) = [step for step in stage if step.word == word]
    return step


def test_it_runs_as_a_user_without_rights_who_owns_the_tables() -> None:
    _, stage = read_stages()
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
    _, stage = read_stages()
    assert single_step(stage, "STOPSIGNAL").rest == "SIGTERM"
    assert single_step(stage, "ENTRYPOINT").command == ["tini", "--"]
    assert single_step(stage, "CMD").command == ["python", "-m", "bot", "run", "--health-port", PORT]
    for step in (step for each in read_stages() for step in each if step.word == "RUN"):
        assert step.rest.startswith("[")


@each_case("path", ["bot/__main__.py", "cogs/magpie.py", "data/README.md", "requirements/run.txt"])
def test_the_builder_is_sent_the_code_and_its_content(path: str) -> None:
    assert is_sent(Path(path))


@each_case(
    "path",
    [
        ".env",
        "bot/.env",
        ".git/config",
        "var/parlour.sqlite3",
        "tests/conftest.py",
        "bot/__pycache__/app.pyc",
        "bot/tools/simulate.py",
    ],
)
def test_the_builder_is_sent_neither_secrets_nor_what_the_image_does_not_need(path: str) -> None:
    assert not is_sent(Path(path))


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and "var" not in path.parts}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    made = Sandbox()
    await made.start()
    yield made
    await made.stop()


@pytest.fixture(scope="module")
def image(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Image:
    """What the recipe makes; with --long its packages are installed as stated, which takes a minute."""
    installs = request.config.getoption("--long")
    return build_image(tmp_path_factory.mktemp("image"), lambda root, base: Image(root, base, installs=installs))


def test_every_module_can_be_imported(image: Image) -> None:
    files = [file.relative_to(ROOT) for folder in ("bot", "cogs") for file in (ROOT / folder).rglob("*.py")]
    modules = [
        ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        for file in files
        # Alembic loads these by path, when a database is opened.
        if "migrations" not in file.parts and file.name != "__main__.py" and is_sent(file)
    ]
    code = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    words, folder = ["python", "-c", code, *modules], image.place(".")
    ended = subprocess.run(words, cwd=folder, env=image.environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_it_offers_no_command_of_developers(image: Image) -> None:
    assert not image.place("bot/tools").exists()
    words, folder = ["python", "-m", "bot", "--help"], image.place(".")
    ended = subprocess.run(words, cwd=folder, env=image.environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    offered = set(ended.stdout.split())
    assert {"run", "check"} <= offered
    assert not {"simulate", "train", "puzzles", "gallery", "new-game"} & offered


@pytest.mark.long
@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("mmdebstrap") is None,
    reason="needs root and mmdebstrap (on Debian and Ubuntu: apt install mmdebstrap)",
)
def test_its_system_has_every_library_of_the_pictures(tmp_path: Path) -> None:
    system = build_image(tmp_path / "image", System)
    user = single_step(read_stages()[-1], "USER").rest
    volume = tmp_path / "volume"
    volume.mkdir()
    os.chown(volume, int(user), int(user))
    assert "Read-only file system" in system.run_isolated(user, volume, ["touch", "/app/bot/new"]).stderr
    for command in (["check"], ["gallery", "var/gallery"]):
        ended = system.run_isolated(user, volume, ["python", "-m", "bot", *command])
        assert ended.returncode == 0, ended.stderr
    here, there = tmp_path / "gallery", volume / "gallery"
    subprocess.run([sys.executable, "-m", "bot", "gallery", here], cwd=ROOT, check=True)
    names = {file.name for file in here.iterdir()}
    assert {file.name for file in there.iterdir()} == names
    # The same pixels may be compressed to other bytes.
    assert [name for name in names if pixels(here / name) != pixels(there / name)] == []


def pixels(file: Path) -> bytes:
    with PngImage.open(file) as image:
        return image.convert("RGB").tobytes()


@asynccontextmanager
async def running(image: Image, port: int, environment: dict[str, str], log: Path) -> AsyncIterator[Process]:
    """Run the image's command, with another port than everyone's, and stop it as Docker does."""
    with log.open("wb") as stderr:
        command = [*single_step(read_stages()[-1], "ENTRYPOINT").command, *command_with_port(image, "CMD", port)]
        process = await create_subprocess_exec(*command, cwd=image.place("."), env=environment, stderr=stderr)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.Signals[single_step(read_stages()[-1], "STOPSIGNAL").rest])
        await asyncio.wait_for(process.wait(), TIMEOUT_SECONDS)


def command_with_port(image: Image, word: str, port: int) -> list[str]:
    words = image.words(single_step(read_stages()[-1], word).command)
    return [str(port) if each == PORT else each for each in words]


async def test_on_a_read_only_root_it_writes_only_its_tables(image: Image, sandbox: Sandbox, tmp_path: Path) -> None:
    var, scratch = image.place(single_step(read_stages()[-1], "VOLUME").rest), tmp_path / "scratch"
    scratch.mkdir()
    app, log = image.place("."), tmp_path / "log"
    before = contents(app)
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(READ_ONLY)
    environment = {
        **image.environment,
        "PYTHONPATH": str(tmp_path / "hook"),
        "PARLOUR_TEST_WRITABLE": ":".join(f"{place}{os.sep}" for place in (var, scratch)),
        "TMPDIR": str(scratch),
        "DISCORD_TOKEN": sandbox.token,
        "DISCORD_API_URL": sandbox.api_url,
    }
    with reserve_port() as port:
        async with running(image, port, environment, log) as process:
            await wait_until(lambda: sandbox.bot_online or process.returncode is not None, TIMEOUT_SECONDS)
            assert sandbox.bot_online, log.read_text()
            here, wren = sandbox.channel("table-one"), sandbox.person("Wren")
            await sandbox.person("Robin").slash(here, "magpie new")
            # A slow bot answers with a link to the table, and the first picture after a start may take longer.
            await sandbox.until(lambda: any(message.buttons for message in wren.visible_messages(here)))
            (message,) = (message for message in wren.visible_messages(here) if message.buttons)
            await wren.click(message, button_id(message, "Join"))
            check = command_with_port(image, "HEALTHCHECK", port)
            checked = await create_subprocess_exec(*check, cwd=app, env=environment)
            assert await asyncio.wait_for(checked.wait(), TIMEOUT_SECONDS) == 0
    assert process.returncode == 0, log.read_text()
    assert "Traceback" not in log.read_text()
    assert contents(app) == before
    # Whether the art is at hand by then is a question of time.
    assert {path.name for path in var.iterdir()} - {"pictures"} == {"parlour.sqlite3"}
    assert list(scratch.iterdir()) == []
