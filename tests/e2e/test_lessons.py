"""Every lesson, played by the controls that it highlights and then on freely, through the sandbox."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import ButtonStyle, Message
from bot.sandbox.people.person import Person
from bot.tables import storage as table_storage, sweep
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.table import Table
from tests.support.each_case import each_case
from tests.support.fakes import STRANGER
from tests.support.games import load_games_once
from tests.support.parlour import ROLL, Parlour, find_button, run_parlour

LESSONS = {key: package.study.lesson for key, package in load_games_once().items() if package.study.lesson}


async def open_lesson(parlour: Parlour, game: str, where: Channel | None = None) -> Message:
    answer = await parlour.robin.slash(where or parlour.here, "learn", game=game)
    assert not answer.ephemeral, answer.text
    return answer.replies[0]


async def lesson_of(parlour: Parlour, message: Message) -> Table:
    table = await parlour.client.app.service(Host).service.open_table_in(message.channel.id, parlour.robin.id)
    assert table is not None
    return table


def highlighted(message: Message) -> list[str]:
    """Return the ids of the controls of the game that stand out."""
    return [
        button.custom_id or ""
        for button in message.buttons
        if button.style is ButtonStyle.SUCCESS and (button.custom_id or "").startswith("t:")
    ]


def look(message: Message) -> tuple[str, list[str]]:
    return message.text, highlighted(message)


async def follow(parlour: Parlour, person: Person, message: Message, clicks: int = 40) -> None:
    """Do what the lesson says until it has ended, or so many times."""
    while clicks and "The end of the lesson" not in message.text:
        before = look(message)
        answer = await press_next(person, message)
        assert not answer.replies, answer.text
        await parlour.sandbox.until(partial(has_gone_on, message, before))
        clicks -= 1


def has_gone_on(message: Message, before: tuple[str, list[str]]) -> bool:
    return look(message) != before and "🎓 **" in message.text


async def press_next(person: Person, message: Message) -> Interaction:
    """Press the control that stands out, or choose the line of a menu that the text names."""
    if controls := highlighted(message):
        (only,) = controls
        return await person.click(message, only)
    ((menu, value),) = [
        (select.custom_id, option["value"])
        for select in message.selects
        for option in select.options
        if f"**{option['label']}**" in message.text
    ]
    return await person.select(message, menu, [value])


@pytest.mark.parametrize("game", LESSONS)
async def test_a_lesson_leads_into_a_game_that_goes_on(parlour: Parlour, game: str) -> None:
    message = await open_lesson(parlour, game)
    await follow(parlour, parlour.robin, message)
    ended = await lesson_of(parlour, message)
    record = await parlour.db.read(table_storage.load, ended.id)
    assert record is not None
    assert [entry.text for entry in record.entries] == [step.move for step in LESSONS[game].steps[:-1]]
    assert "Skip the lesson" not in [button.label for button in message.buttons]

    free = next(button.custom_id for button in message.buttons if re.search("Roll|Open", button.label))
    answer = await parlour.robin.click(message, free or "")
    assert not answer.replies, answer.text
    await parlour.sandbox.until(lambda: "🎓" not in message.text)
    assert (await parlour.client.app.service(Host).service.table(ended.id)).header.step > ended.header.step


async def test_another_move_is_refused_with_a_hint_until_the_lesson_is_skipped(parlour: Parlour) -> None:
    message = await open_lesson(parlour, "magpie")
    refused = await parlour.press(parlour.robin, message, "@roll2")
    awaited = find_button(message, ROLL)
    assert awaited.label.split(" · ")[0] in refused.text
    typed = await parlour.robin.slash(parlour.here, "magpie roll", dice="1")
    assert typed.text == refused.text
    assert (await lesson_of(parlour, message)).header.step == 0

    await parlour.press(parlour.robin, message, "Skip the lesson")
    assert "🎓" not in message.text
    await parlour.press(parlour.robin, message, ROLL)
    record = await parlour.db.read(table_storage.load, (await lesson_of(parlour, message)).id)
    assert record is not None
    assert record.entries[0].text == "!skip"


async def test_a_lesson_goes_on_after_a_restart(sandbox: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as before:
        message = await open_lesson(before, "magpie")
        await follow(before, before.robin, message, clicks=1)
        await before.wait_until_settled()
    assert "2 of 6" in message.text
    async with run_parlour(sandbox, file) as after:
        await follow(after, after.robin, message)
        assert (await lesson_of(after, message)).header.step == 12


async def test_a_lesson_does_not_count_and_its_dice_are_said_to_be_scripted(parlour: Parlour) -> None:
    message = await open_lesson(parlour, "magpie")
    verified = await parlour.robin.slash(parlour.here, "table verify")
    assert "Scripted." in verified.text
    asked = await parlour.robin.slash(parlour.here, "table resign")
    await parlour.press(parlour.robin, asked.replies[0], "Resign")
    await parlour.wait_until_settled()
    shown = await parlour.robin.slash(parlour.here, "history")
    assert "Robin" not in shown.text
    await parlour.press(parlour.robin, message, "Play again")
    again = await parlour.table()
    assert (again.header.status, again.is_lesson) == (Status.LOBBY, False)


async def test_lessons_are_listed_and_leave_the_channel_free(parlour: Parlour) -> None:
    await parlour.open_table(parlour.wren)
    listed = (await parlour.robin.slash(parlour.here, "learn")).replies[0]
    await parlour.press(parlour.robin, listed, "Fortune")
    await parlour.wait_until_settled()
    taught = [each for each in parlour.wren.visible_messages(parlour.here) if "🎓" in each.text]
    assert len(taught) == 1
    helped = (await parlour.jay.slash(parlour.here, "help")).replies[0]
    await parlour.press(parlour.jay, helped, "Learn")
    assert "learn it by playing" in helped.text


async def find_lesson(parlour: Parlour) -> Table | None:
    """Return Robin's open lesson in the channel."""
    table = await parlour.client.app.service(Host).service.open_table_in(parlour.here.id, parlour.robin.id)
    return table if table is not None and table.is_lesson else None


async def press_in_list(parlour: Parlour, label: str) -> None:
    """Choose a game in the list of `/play`, which must not speak of a game that is played."""
    listed = await parlour.robin.slash(parlour.here, "play")
    assert listed.text.startswith("Games\nPick a game to open a table in this channel.")
    await parlour.press(parlour.robin, listed.replies[0], label)


async def use(parlour: Parlour, command: str) -> None:
    await parlour.robin.slash(parlour.here, command)


OPENINGS: dict[str, Callable[[Parlour], Awaitable[None]]] = {
    "solo game": lambda parlour: use(parlour, "magic-bag new"),
    "solo game of the list": lambda parlour: press_in_list(parlour, "The Magic Bag"),
    "shared table": lambda parlour: use(parlour, "magpie new"),
    "shared table of the list": lambda parlour: press_in_list(parlour, "Magpie"),
}


@each_case("opening", OPENINGS)
async def test_opening_a_game_ends_a_lesson(parlour: Parlour, opening: str) -> None:
    service = parlour.client.app.service(Host).service
    message = await open_lesson(parlour, "magic_bag")
    lesson = await lesson_of(parlour, message)
    await OPENINGS[opening](parlour)
    await parlour.sandbox.until(lambda: "This table was cancelled." in message.text)
    assert (await service.table(lesson.id)).header.status is Status.CANCELLED
    assert await find_lesson(parlour) is None
    (opened,) = await parlour.db.read(sweep.find_open_in_scope, parlour.here.server_id or 0, 9)
    assert opened > lesson.id
    await service.cancel(opened, STRANGER, is_moderator=True)


async def test_the_lesson_that_is_under_way_is_brought_back(parlour: Parlour) -> None:
    message = await open_lesson(parlour, "magpie")
    await follow(parlour, parlour.robin, message, clicks=1)
    lesson = await lesson_of(parlour, message)
    listed = (await parlour.robin.slash(parlour.here, "learn")).replies[0]
    await parlour.press(parlour.robin, listed, "Magpie")
    await parlour.sandbox.until(lambda: message.deleted)
    again = parlour.here.public_messages[-1]
    assert "2 of 6" in again.text
    assert (await lesson_of(parlour, again)).id == lesson.id


async def test_a_lesson_works_in_a_direct_message(parlour: Parlour) -> None:
    message = await open_lesson(parlour, "houdinis_baggage", parlour.robin.direct_channel)
    await follow(parlour, parlour.robin, message, clicks=3)
    assert "4 of 9" in message.text
