"""Clicks on a table whose message is deleted or replaced before they are answered: all are acknowledged, and count."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator

import pytest

from bot.sandbox.model.interactions import Interaction, InteractionState
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from tests.support.parlour import ROLL, Parlour, button_id, shows_step

CALLBACK, MESSAGES = "/callback", "/messages/"


@pytest.fixture(params=[False, True], ids=["deferrals are taken", "deferrals are refused"], autouse=True)
def deferrals(parlour: Parlour, request: pytest.FixtureRequest) -> None:
    """Discord may or may not let a click on a deleted message be acknowledged by a deferred update."""
    parlour.sandbox.fault_injector.refuses_deferrals = request.param


@pytest.fixture(autouse=True)
def no_faults(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


async def click_after_move(parlour: Parlour, message: Message, who: Person, custom_id: str) -> Interaction:
    """Click on a table that stands elsewhere already, in a message that is deleted before the click is answered."""
    troubles = parlour.sandbox.fault_injector
    deleting = troubles.hold("DELETE", MESSAGES)
    await parlour.jay.slash(parlour.here, "table show")
    await deleting.reached.wait()
    answering = troubles.hold("POST", CALLBACK)
    click = asyncio.ensure_future(who.click(message, custom_id))
    await answering.reached.wait()
    deleting.release()
    await parlour.sandbox.until(lambda: message.deleted)
    answering.release()
    return await click


async def click_during_move(parlour: Parlour, message: Message, who: Person, custom_id: str) -> Interaction:
    """Click on a message that shows its table and is deleted before the click is answered.

    On a slow machine the publisher may already have shown the click before.
    """
    answering = parlour.sandbox.fault_injector.hold("POST", CALLBACK)
    click = asyncio.ensure_future(who.click(message, custom_id))
    await answering.reached.wait()
    parlour.sandbox.world.remove_message(message)
    answering.release()
    return await click


ClickScenario = Callable[[Parlour, Message, Person, str], Awaitable[Interaction]]
CLICKS: list[ClickScenario] = [click_after_move, click_during_move]


async def assert_acknowledged(parlour: Parlour, answer: Interaction) -> None:
    """Demand that a click was acknowledged, and that nothing is left that was only announced."""
    assert answer.state is InteractionState.RESPONDED
    await parlour.client.in_flight.drain(30)
    assert not any(message.loading for message in answer.replies)
    assert "went wrong" not in answer.text


@pytest.mark.parametrize("clicked", CLICKS)
async def test_a_move_is_acknowledged_and_shown(parlour: Parlour, clicked: ClickScenario) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    answer = await clicked(parlour, message, await parlour.mover(), button_id(message, ROLL))
    await assert_acknowledged(parlour, answer)
    assert answer.replies == ()
    await parlour.sandbox.until(lambda: any(shows_step(each, 1) for each in (message, *parlour.here.public_messages)))
