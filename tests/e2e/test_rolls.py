"""Rolls through the sandbox: a roll moves in its picture, and the words of a moment follow without another file."""

import asyncio
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.features.settings.all_settings import MOTION
from bot.features.settings.choices import MotionChoice
from bot.features.settings.service import SettingsCache
from bot.pictures import rolls as rolls_module
from bot.pictures.rolls import RollPainter, RollService
from bot.platform.content import DATA
from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from tests.support.parlour import ROLL, Parlour, prepare_picture_service, run_parlour


class WorkerThread:
    """Draws in a thread instead of a process."""

    is_running = True

    def __init__(self) -> None:
        self._painter = RollPainter(DATA)

    async def call(self, function: Any, **_: Any) -> Any:
        return await asyncio.to_thread(function, self._painter)

    async def close(self) -> None:
        """Do nothing."""


@pytest.fixture
async def parlour(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Parlour]:
    monkeypatch.setattr(rolls_module, "LATEST_SECONDS", 60.0)
    worker: Any = WorkerThread()
    rolls = RollService(await prepare_picture_service(), worker)
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3", rolls=rolls) as running:
        yield running


def shown(message: Message) -> tuple[int, str, str]:
    """Return the id of a message's file, and the title and the story beside it."""
    (file,) = message.attachments
    embed = message.embeds[0]
    assert embed["image"]["url"] == file.url
    with Image.open(BytesIO(file.content)) as image:
        assert (image.format, "loop" in image.info) == ("GIF", False)
        assert getattr(image, "n_frames", 1) > 10
    return file.id, embed["title"], embed["description"]


async def test_every_roll_moves_and_the_words_of_a_moment_follow_it(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    for _ in range(60):
        mover = await parlour.mover()
        await parlour.press(mover, message, ROLL)
        file, title, story = shown(message)
        await parlour.wait_until_shown()
        kept, later_title, later_story = shown(message)
        if later_story != story:
            break
    else:
        raise AssertionError("no roll was a moment")
    assert mover.name in title
    assert kept == file, "the same file, so that nothing is loaded again"
    assert later_title != title
    table = await parlour.table()
    assert table.header.published == table.header.revision


async def test_rolls_at_a_private_table_move_with_their_words_unless_its_player_wants_still_ones(
    parlour: Parlour,
) -> None:
    robin = parlour.robin
    message = (await robin.slash(parlour.here, "daily")).replies[0]
    await robin.click(message, button_in(message, "play"))
    stories = set[str]()
    for _ in range(9):
        await robin.click(message, button_in(message, "roll"))
        stories.add(shown(message)[2])
    assert len(stories) == 9
    await parlour.client.app.service(SettingsCache).change(robin.id, MOTION, lambda _: MotionChoice.OFF)
    await robin.click(message, button_in(message, "roll"))
    (file,) = message.attachments
    assert file.content_type == "image/png"


def button_in(message: Message, name: str) -> str:
    """Return the id of the first button whose id has a part with a name."""
    return next(each.custom_id for each in message.buttons if each.custom_id and name in each.custom_id.split(":"))
