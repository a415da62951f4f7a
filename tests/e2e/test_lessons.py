"""Every lesson, played privately by the only control that can be pressed, through the sandbox."""

import pytest

from bot.features.help.lessons import easiest_level
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message
from bot.tables import sweep
from bot.tables.host import Host
from bot.tables.model import Status
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.lessons import press_next
from tests.support.parlour import Parlour

LESSONS = {key: package.study.lesson for key, package in load_games_once().items() if package.study.lesson}


async def open_lesson(parlour: Parlour, game: str, where: Channel | None = None) -> Message:
    answer = await parlour.robin.slash(where or parlour.here, "learn", game=game)
    assert answer.ephemeral
    return answer.replies[0]


@pytest.mark.parametrize("game", LESSONS)
async def test_a_lesson_is_private_to_its_end_and_leads_to_a_game_with_the_easiest_computer(
    parlour: Parlour, game: str
) -> None:
    message, clicks = await open_lesson(parlour, game), 0
    while await press_next(parlour.robin, message):
        clicks += 1
    assert clicks >= sum(bool(step.move and step.text) for step in LESSONS[game].steps)
    assert parlour.here.public_messages == []

    real = next(button.custom_id for button in message.buttons if (button.custom_id or "").startswith("q:"))
    await parlour.robin.click(message, real or "")
    (opened,) = await parlour.db.read(sweep.find_open_in_scope, parlour.here.server_id or 0, 9)
    table = await parlour.client.app.service(Host).service.table(opened)
    assert table.header.status is Status.PLAYING
    levels = [who.level for who in table.seats[1:]]
    assert levels == [easiest_level(table.package)] * (LESSONS[game].seats - 1)


@each_case("command", ["magpie new", "magic-bag new"])
async def test_opening_a_game_closes_a_lesson(parlour: Parlour, command: str) -> None:
    message = await open_lesson(parlour, "magpie")
    await parlour.robin.slash(parlour.here, command)
    await parlour.sandbox.until(lambda: message.deleted)


async def test_a_new_lesson_replaces_the_last_and_can_be_closed(parlour: Parlour) -> None:
    direct = parlour.robin.direct_channel
    first = await open_lesson(parlour, "magpie", direct)
    second = await open_lesson(parlour, "fortune", direct)
    await parlour.sandbox.until(lambda: first.deleted)
    await parlour.robin.click(second, "LX:fortune")
    await parlour.sandbox.until(lambda: second.deleted)


async def test_the_list_leads_to_a_lesson_in_the_same_message(parlour: Parlour) -> None:
    await parlour.open_table(parlour.wren)
    listed = (await parlour.robin.slash(parlour.here, "learn")).replies[0]
    answer = await parlour.press(parlour.robin, listed, "Fortune")
    assert not answer.replies
    assert await press_next(parlour.robin, listed) is not None
