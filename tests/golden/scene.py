"""Scenes: a bot in a sandbox whose clock stands still, people who use it, and the messages that they see.

Only what people do goes in, and only messages come out, so that nothing here depends on how the bot is built.
"""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import pytest

from bot.pictures.service import PictureFile, PictureService
from bot.platform.jobs import downtimes
from bot.rules.picture import Picture, Theme
from bot.sandbox import Channel, Interaction, Message, Person
from tests.golden.message_text import MessageWriter
from tests.support.fakes import FakeClock
from tests.support.games import load_games_once
from tests.support.parlour import Parlour, button_id, run_parlour, run_sandbox
from tests.support.processes import QUICK_START
from tests.support.waiting import DEADLINE_SECONDS

NOON: Final = datetime(2027, 3, 1, 12, tzinfo=UTC)
_CALM_TURNS: Final = 4
"""For how many turns of the event loop nothing must be under way: what is sent reaches the other end in one."""
_START_SECONDS: Final = 0.01
"""How long a bot waits for servers, which the sandbox tells it of at once."""


class Scene:
    """A running bot, its people, and the messages noted so far."""

    def __init__(self, parlour: Parlour, clock: FakeClock, pictures: "PictureKeeper") -> None:
        self.parlour = parlour
        self.robin, self.wren, self.jay, self.linnet = parlour.robin, parlour.wren, parlour.jay, parlour.linnet
        self.here, self.elsewhere = parlour.here, parlour.elsewhere
        self.clock = clock
        self.notes: list[str] = []
        self._names: dict[str, str] = {}
        """Where a text was noted first."""
        self._writer = MessageWriter(parlour.sandbox.world, pictures.describe)
        self._lasting = asyncio.all_tasks()
        """What runs as long as the bot."""

    async def slash(self, who: Person, command: str, /, where: Channel | None = None, **options: Any) -> Interaction:
        """Let someone use a command, and wait until all is done."""
        return await self._finish(await who.slash(where or self.here, command, **options))

    async def press(self, who: Person, message: Message, button: str) -> Interaction:
        """Let someone press a button, by a part of its label."""
        return await self._finish(await who.click(message, button_id(message, button)))

    async def open_more(self, who: Person, message: Message) -> Message:
        """Let someone press *More …*, and return the private message, which some of its buttons change."""
        (more,) = (await self.press(who, message, "More …")).replies
        return more

    async def click(self, who: Person, message: Message, custom_id: str) -> Interaction:
        """Let someone press a button, by its id."""
        return await self._finish(await who.click(message, custom_id))

    async def choose(self, who: Person, message: Message, menu: str, *values: object) -> Interaction:
        """Let someone choose in the menu whose id begins so."""
        found = next(each.custom_id for each in message.selects if each.custom_id.startswith(menu))
        return await self._finish(await who.select(message, found, values))

    async def _finish(self, interaction: Interaction) -> Interaction:
        await interaction.wait_for_text()
        await self.be_quiet()
        return interaction

    async def be_quiet(self) -> None:
        """Wait until nothing is under way."""
        calm = 0
        async with asyncio.timeout(DEADLINE_SECONDS):
            while calm < _CALM_TURNS:
                is_busy = any(map(_is_work, asyncio.all_tasks() - self._lasting))
                calm = 0 if is_busy else calm + 1
                await self.parlour.show_now()
                await asyncio.sleep(0.0005 if is_busy else 0)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for what the bot does by itself."""
        await self.parlour.sandbox.until(condition)
        await self.be_quiet()

    async def pass_time(self, **span: float) -> None:
        """Let time go by while the bot runs."""
        later = self.clock.now + timedelta(**span)
        # Otherwise it would be downtime.
        await self.parlour.db.maintain(downtimes.note_alive, self.parlour.db.shards, later, timedelta.max)
        self.clock.now = later

    def note(self, name: str, *shown: Message | Interaction) -> None:
        """Note the messages, or those that answer an interaction."""
        messages = [
            message for each in shown for message in (each.replies if isinstance(each, Interaction) else (each,))
        ]
        texts = [self._describe(name, message) for message in messages] or ["no message"]
        self.notes.append(f"=== {name}\n" + "\n".join(f"{text}\n" for text in texts))

    def _describe(self, name: str, message: Message) -> str:
        text = self._writer.text_of(message)
        if text in self._names:
            return f"as at {self._names[text]!r}"
        self._names[text] = name
        return text

    def mover(self, table: Message) -> Person:
        """Return the person whose turn it is, by the title of a table; that of a solo game names nobody."""
        title = table.embeds[0]["title"]
        return next((who for who in (self.wren, self.jay, self.linnet) if who.name in title), self.robin)

    def newest(self) -> Message:
        """Return the newest message that Jay sees in the channel."""
        return self.jay.visible_messages(self.here)[-1]


Play: TypeAlias = Callable[[Scene], Awaitable[None]]


def play_scenes(*plays: Play, check_seconds: float = 60.0, locale: str = "en-US") -> str:
    """Return what is noted in scenes, each with a bot of its own, which looks that often at what is due."""
    return "\n".join(note for play in plays for note in asyncio.run(_play_scene(play, check_seconds, locale)))


async def _play_scene(play: Play, check_seconds: float, locale: str) -> Sequence[str]:
    with TemporaryDirectory() as folder:
        async with set_scene(Path(folder) / "parlour.sqlite3", check_seconds, locale=locale) as scene:
            await play(scene)
            return scene.notes


@asynccontextmanager
async def set_scene(
    file: Path,
    check_seconds: float = 60.0,
    *,
    channels: Sequence[str] = (),
    dice_are_steady: bool = True,
    locale: str = "en-US",
) -> AsyncIterator[Scene]:
    """Run a bot on an SQLite file, in a server with further channels."""
    _prepare_games()
    clock, pictures = FakeClock(NOON), PictureKeeper()
    with _fix_times_and_seeds(check_seconds):
        async with run_sandbox() as sandbox:
            for name in channels:
                sandbox.world.add_channel(sandbox.world.server, name)
            for person in sandbox.world.people:
                sandbox.world.set_locale(person, locale)
            for server in sandbox.world.servers.values():
                sandbox.world.set_locale(server, locale)
            async with run_parlour(
                sandbox, file, clock=clock, pictures=pictures, dice_are_steady=dice_are_steady
            ) as parlour:
                scene = Scene(parlour, clock, pictures)
                await scene.be_quiet()
                yield scene


@cache
def _prepare_games() -> None:
    """Compute what screens look up, which a bot does some time after its start."""
    for package in load_games_once().values():
        if package.mind.prepare is not None:
            package.mind.prepare()


@contextmanager
def _fix_times_and_seeds(check_seconds: float) -> Iterator[None]:
    """Let the seeds of tournaments and challenges be the same in every run, but not the sandbox's tokens."""
    drawn = random.Random(7)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_urlsafe", lambda size=32: random.SystemRandom().randbytes(size).hex())
        patch.setattr(secrets, "token_bytes", lambda size=32: drawn.randbytes(size))
        patch.setattr("bot.tables.host.SWEEP_SECONDS", check_seconds)
        for name in ("ROUND_SECONDS", "LOOK_SECONDS", "MINUTE_SECONDS"):
            patch.setattr(f"bot.platform.jobs.looks.{name}", check_seconds)
        patch.setattr("bot.platform.jobs.jobs.SECOND_LOOK_SECONDS", 0.0)
        for name in QUICK_START:
            patch.setattr(name, _START_SECONDS)
        yield


def _is_work(task: "asyncio.Task[Any]") -> bool:
    """Tell whether a task ends by itself: connections of the sandbox's web server do not."""
    is_connection = getattr(task.get_coro(), "__qualname__", "").startswith("RequestHandler.")
    return not is_connection and task is not asyncio.current_task()


class PictureKeeper(PictureService):
    """Draws nothing: the content of a picture is the number under which its layout is kept."""

    def __init__(self) -> None:
        self._drawn: list[tuple[Picture, Theme]] = []

    def draw_if_quick(self, picture: Picture, theme: Theme = Theme.STANDARD) -> PictureFile:
        """Keep the layout."""
        self._drawn.append((picture, theme))
        return PictureFile(str(len(self._drawn) - 1).encode(), "table.png", picture.description)

    async def draw(self, picture: Picture, theme: Theme = Theme.STANDARD) -> PictureFile:
        """Keep the layout."""
        return self.draw_if_quick(picture, theme)

    async def prepare_covers(self, theme: Theme = Theme.STANDARD) -> None:
        """Need nothing."""

    async def prepare(self, theme: Theme = Theme.STANDARD) -> None:
        """Need nothing."""

    def clear(self) -> None:
        """Forget nothing, as the numbers count."""

    def describe(self, content: bytes) -> str:
        """Return the size, the theme and a digest of the layout of a picture."""
        picture, theme = self._drawn[int(content)]
        layout = sha256(repr(_plain(picture)).encode()).hexdigest()[:16]
        return f"picture {'x'.join(map(str, picture.size))}, {theme.value}, {layout}"


def _plain(part: object) -> object:
    """Return a layout without the names of classes."""
    if isinstance(part, Enum):
        return part.value
    if is_dataclass(part):
        return [_plain(getattr(part, field.name)) for field in fields(part) if field.compare]
    if isinstance(part, Iterable) and not isinstance(part, str):
        return [_plain(each) for each in part]
    return part
