"""`/table share`: the highlights of a finished game as an animation, drawn once, stored, and posted for everyone."""

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from itertools import count, pairwise
from typing import Any
from unittest.mock import AsyncMock

import pytest
from PIL import Image, ImageSequence

from bot.features.replays import storage as animation_storage
from bot.features.replays.storage import AnimationKey
from bot.pictures.animation import AnimationTooLarge, Animator, Frame
from bot.rules.picture import Theme
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.permissions import Permissions
from bot.tables.shown.message import picture_maker_of
from bot.tables.table import Table
from bot.workers import WorkerLost
from tests.e2e.test_privacy import delete_everything
from tests.e2e.test_results import play_to_end
from tests.support.parlour import Parlour
from tests.support.waiting import Gate

pytestmark = pytest.mark.slow


def _key_of(table: Table) -> AnimationKey:
    return AnimationKey(table.id, "en", Theme.STANDARD.value)


async def test_a_player_posts_the_animation_of_the_newest_game_once(parlour: Parlour) -> None:
    table = await play_to_end(parlour, parlour.robin, parlour.wren)
    stranger = await parlour.linnet.slash(parlour.here, "table share")
    assert "Only the players of this game" in stranger.text

    parlour.here.bot_permissions &= ~Permissions.SEND_MESSAGES
    assert "Send Messages" in (await parlour.robin.slash(parlour.here, "table share")).text
    parlour.here.bot_permissions |= Permissions.SEND_MESSAGES
    assert len(parlour.jay.visible_messages(parlour.here)) == 1

    answer = await parlour.wren.slash(parlour.here, "table share")
    await parlour.sandbox.until(lambda: len(parlour.jay.visible_messages(parlour.here)) == 2)
    _, posted = parlour.jay.visible_messages(parlour.here)
    (animation,) = posted.attachments
    assert animation.content_type == "image/gif"
    assert "Magpie: the highlights" in posted.text
    for words in ("Magpie, the result: ", "Robin", "Wren", "Turn "):
        assert words in (animation.description or "")
    with Image.open(BytesIO(animation.content)) as image:
        assert sum(frame.info["duration"] for frame in ImageSequence.Iterator(image)) <= 20_000
    await parlour.sandbox.until(lambda: str(posted.id) in answer.text)
    assert answer.ephemeral
    assert await parlour.db.read(animation_storage.find, _key_of(table)) == animation.content

    again = await parlour.robin.slash(parlour.here, "table share")
    assert again.ephemeral
    assert "shared already" in again.text
    assert str(posted.id) in again.text
    assert len(parlour.jay.visible_messages(parlour.here)) == 2


async def test_other_tasks_run_between_the_frames(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    await play_to_end(parlour, parlour.robin, parlour.wren)
    turns, begun_at = count(), list[int]()

    async def count_turns() -> None:
        while True:
            next(turns)
            await asyncio.sleep(0)

    def note(*arguments: Any) -> Any:
        begun_at.append(next(turns))
        return picture_maker_of(*arguments)

    monkeypatch.setattr("bot.platform.time_slices.SLICE_SECONDS", 0)
    monkeypatch.setattr("bot.features.replays.animations.picture_maker_of", note)
    monkeypatch.setattr(Animator, "animate", AsyncMock(return_value=b"GIF89a drawn"))
    other = asyncio.create_task(count_turns())
    answer = await parlour.robin.slash(parlour.here, "table share")
    other.cancel()
    assert "Drawing the replay" in answer.text
    assert len(begun_at) > 1
    assert all(after - before > 1 for before, after in pairwise(begun_at)), "the other task had its turns"


async def test_a_stored_animation_is_not_drawn_again_for_the_button(parlour: Parlour) -> None:
    table = await play_to_end(parlour, parlour.robin, parlour.wren)
    await parlour.db.maintain(animation_storage.put, _key_of(table), b"GIF89a stored", table.seats)
    (result,) = parlour.jay.visible_messages(parlour.here)
    await parlour.press(parlour.robin, result, "Share as animation")
    await parlour.sandbox.until(lambda: len(parlour.jay.visible_messages(parlour.here)) == 2)
    assert parlour.jay.visible_messages(parlour.here)[1].attachments[0].content == b"GIF89a stored"


async def test_the_progress_is_told_while_it_is_drawn(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = asyncio.Event()

    async def animate(
        _: Animator, frames: Sequence[Frame], _theme: Theme, note_progress: Callable[[int], None]
    ) -> bytes:
        note_progress(len(frames) - 1)
        await may_end.wait()
        return b"GIF89a drawn"

    monkeypatch.setattr(Animator, "animate", animate)
    monkeypatch.setattr("bot.features.replays.animations.PROGRESS_SECONDS", 0.01)
    await play_to_end(parlour, parlour.robin, parlour.wren)
    answer = await parlour.robin.slash(parlour.here, "table share")
    assert re.fullmatch(r"Drawing the replay … Pictures: \d+ of \d+", answer.text)
    await parlour.sandbox.until(lambda: _drawn_and_all(answer.text)[0] > 0)
    drawn, all_of_them = _drawn_and_all(answer.text)
    assert drawn == all_of_them - 1
    may_end.set()
    await parlour.sandbox.until(lambda: "The replay is here" in answer.text)
    assert "*Share*" in answer.text


@pytest.mark.usefixtures("frequent_checks")
async def test_an_animation_of_whom_is_deleted_meanwhile_is_neither_stored_nor_posted(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = Gate()

    async def animate(*_: object) -> bytes:
        await drawing.wait()
        return b"GIF89a with all names"

    monkeypatch.setattr(Animator, "animate", animate)
    table = await play_to_end(parlour, parlour.robin, parlour.wren)
    answer = await parlour.robin.slash(parlour.here, "table share")
    await drawing.reached.wait()
    await delete_everything(parlour.wren, parlour)
    before = len(parlour.jay.visible_messages(parlour.here))
    drawing.open()
    await parlour.sandbox.until(lambda: "Please try again" in answer.text)
    assert await parlour.db.read(animation_storage.find, _key_of(table)) is None
    assert len(parlour.jay.visible_messages(parlour.here)) == before
    again = await parlour.robin.slash(parlour.here, "table share")
    await parlour.sandbox.until(lambda: "The replay is here" in again.text)
    assert await parlour.db.read(animation_storage.find, _key_of(table)) is not None


def _drawn_and_all(text: str) -> tuple[int, int]:
    drawn, all_of_them = map(int, re.findall(r"\d+", text))
    return drawn, all_of_them


async def test_a_replay_that_can_not_be_drawn_can_be_tried_again(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_to_end(parlour, parlour.robin, parlour.wren)
    for fault in (AnimationTooLarge(), WorkerLost("a worker died")):
        animate = AsyncMock(side_effect=fault)
        with monkeypatch.context() as patch:
            patch.setattr(Animator, "animate", animate)
            answer = await parlour.robin.slash(parlour.here, "table share")
            await parlour.sandbox.until(partial(_asks_to_try_again, answer))
        animate.assert_awaited_once()
    monkeypatch.setattr(Animator, "animate", AsyncMock(return_value=b"GIF89a drawn"))
    again = await parlour.robin.slash(parlour.here, "table share")
    await parlour.sandbox.until(lambda: "The replay is here" in again.text)


def _asks_to_try_again(answer: Interaction) -> bool:
    return "Please try again in a minute" in answer.text
