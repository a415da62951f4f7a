"""Pictures that take longer than people should wait: their messages come in words, and get them later."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.pictures.service import PictureFile, PictureService
from bot.pictures.symbols import ROLLING_DIE
from bot.platform.discord.emoji import OWN_EMOJI
from bot.sandbox import Sandbox
from tests.e2e.test_results import make_place, store_finished_table
from tests.support.each_case import each_case
from tests.support.emoji import add_emoji, make_emoji_sync
from tests.support.parlour import ROLL, Parlour, button_id, run_parlour
from tests.support.waiting import wait_until


class SlowDrawing:
    """Pictures that are drawn once each of them may."""

    def __init__(self) -> None:
        self.asked: list[asyncio.Event] = []

    async def wait(self) -> None:
        self.asked.append(may_be_drawn := asyncio.Event())
        await may_be_drawn.wait()


@contextmanager
def drawing_slowly() -> Iterator[SlowDrawing]:
    """Let no picture be drawn in time in the body."""
    drawing, draw = SlowDrawing(), PictureService.draw

    async def draw_slowly(service: PictureService, *given: Any) -> PictureFile:
        await drawing.wait()
        return await draw(service, *given)

    # Ends before the bot's own time limit is put back.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PictureService, "draw", draw_slowly)
        patch.setattr(PictureService, "draw_if_quick", lambda *_: None)
        patch.setattr("bot.platform.discord.picture_attachments.CLICK_PICTURE_SECONDS", 0.0)
        yield drawing
    for each in drawing.asked:
        each.set()


@pytest.fixture
def slow(parlour: Parlour) -> Iterator[SlowDrawing]:  # noqa: ARG001 - it comes first
    with drawing_slowly() as drawing:
        yield drawing


COMMANDS: dict[str, dict[str, object]] = {"play": {}, "help": {}, "learn": {}, "rules": {"game": "magpie"}}


def is_any_late() -> bool:
    """Return whether any message still waits for its picture."""
    return any(task.get_name().startswith("late picture") for task in asyncio.all_tasks())


@each_case("command", COMMANDS)
async def test_an_answer_in_words_gets_its_picture_when_it_is_drawn(
    parlour: Parlour, slow: SlowDrawing, command: str
) -> None:
    (message,) = (await parlour.robin.slash(parlour.here, command, **COMMANDS[command])).replies
    assert message.ephemeral_to == parlour.robin.id
    assert not message.attachments
    buttons = [button.custom_id for button in message.buttons]
    slow.asked[-1].set()
    await parlour.sandbox.until(lambda: len(message.attachments) == 1)
    assert message.embeds[0]["image"]["url"] == message.attachments[0].url
    assert [button.custom_id for button in message.buttons] == buttons


@pytest.mark.parametrize(("label", "pictures"), [("Learn", 1), ("Commands and settings", 0)])
async def test_a_page_that_was_left_changes_nothing_any_more(
    parlour: Parlour, slow: SlowDrawing, label: str, pictures: int
) -> None:
    (message,) = (await parlour.robin.slash(parlour.here, "help")).replies
    await parlour.press(parlour.robin, message, label)
    text = message.text
    before = len(parlour.sandbox.requests)
    await wait_until(lambda: len(slow.asked) == 1 + pictures)
    for each in slow.asked:
        each.set()
    await parlour.sandbox.until(lambda: len(message.attachments) == pictures)
    await wait_until(lambda: not is_any_late())
    assert (len(message.attachments), message.embeds[0]["title"]) == (pictures, text.partition("\n")[0])
    changes = [each for each in parlour.sandbox.requests[before:] if each.method == "PATCH"]
    assert len(changes) == pictures


@pytest.mark.usefixtures("frequent_checks")
async def test_a_late_picture_of_somebody_who_was_deleted_is_not_added(parlour: Parlour, slow: SlowDrawing) -> None:
    await store_finished_table(parlour, make_place(parlour, parlour.elsewhere.id), parlour.robin, parlour.wren)
    shown = await parlour.robin.slash(parlour.here, "leaderboard", game="magpie")
    await parlour.press(parlour.robin, shown.replies[0], "Post here")
    await parlour.sandbox.until(lambda: len(parlour.here.public_messages) == 1)
    (posted,) = parlour.here.public_messages
    (asked,) = (await parlour.wren.slash(parlour.here, "privacy")).replies
    await parlour.press(parlour.wren, asked, "Delete my data")
    await parlour.press(parlour.wren, asked, "Delete everything")
    await wait_until(lambda: not is_any_late())
    for each in slow.asked:
        each.set()
    await parlour.wait_until_settled()
    assert not posted.attachments


async def test_emoji_that_are_there_are_used_before_the_pictures_are_ready(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_emoji(sandbox)
    preparing = asyncio.Event()

    async def prepare(_service: object, *_given: object) -> None:
        await preparing.wait()

    monkeypatch.setattr("bot.platform.discord.picture_attachments.PictureAttacher.prepare", prepare)
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3", emoji_sync=make_emoji_sync()):
        try:
            await wait_until(lambda: "emoji" in OWN_EMOJI.in_label("⚅ 6"))
        finally:
            OWN_EMOJI.forget()
            preparing.set()


@pytest.mark.parametrize("has_emoji", [True, False])
async def test_a_die_rolls_in_the_story_until_the_picture_of_a_click_is_drawn(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch, *, has_emoji: bool
) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_settled()
    monkeypatch.setattr(OWN_EMOJI, "replaces", lambda symbol: has_emoji and symbol == ROLLING_DIE)
    file, story = message.attachments[0].id, message.embeds[0]["description"]
    with drawing_slowly() as slow:
        await (await parlour.mover()).click(message, button_id(message, ROLL))
        await wait_until(lambda: slow.asked)
        shown = message.embeds[0]["description"]
        assert shown.startswith(ROLLING_DIE) if has_emoji else shown == story
        assert message.attachments[0].id == file, "the picture of before stays meanwhile"
    await parlour.sandbox.until(lambda: [each.id for each in message.attachments] not in ([], [file]))
    assert ROLLING_DIE not in message.embeds[0]["description"]
