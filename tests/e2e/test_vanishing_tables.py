"""Clicks on a table whose message is deleted or replaced before they are answered: all are acknowledged, and count."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator

import pytest

from bot.sandbox.model.interactions import Interaction, InteractionState
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from tests.support.parlour import Parlour, id_of, shows

CALLBACK, MESSAGES = "/callback", "/messages/"


@pytest.fixture(params=[False, True], ids=["deferrals are taken", "deferrals are refused"], autouse=True)
def deferrals(parlour: Parlour, request: pytest.FixtureRequest) -> None:
    """Discord may or may not let a click on a deleted message be acknowledged by a deferred update."""
    parlour.sandbox.troubles.refuses_deferrals = request.param


@pytest.fixture(autouse=True)
def no_faults(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


async def clicked_after_it_moved(parlour: Parlour, message: Message, who: Person, custom_id: str) -> Interaction:
    """Click on a table that stands elsewhere already, in a message that is deleted before the click is answered."""
    troubles = parlour.sandbox.troubles
    deleting = troubles.hold("DELETE", MESSAGES)
    await parlour.jay.slash(parlour.here, "table show")
    await deleting.reached.wait()
    answering = troubles.hold("POST", CALLBACK)
    click = asyncio.ensure_future(who.click(message, custom_id))
    await answering.reached.wait()
    deleting.let_go()
    await parlour.sandbox.until(lambda: message.deleted)
    answering.let_go()
    return await click


async def clicked_while_it_moves(parlour: Parlour, message: Message, who: Person, custom_id: str) -> Interaction:
    """Click on a message that shows its table and is deleted before the click is answered.

    On a slow machine the publisher may have shown there what came of the click before.
    """
    answering = parlour.sandbox.troubles.hold("POST", CALLBACK)
    click = asyncio.ensure_future(who.click(message, custom_id))
    await answering.reached.wait()
    parlour.sandbox.world.remove(message)
    answering.let_go()
    return await click


Clicked = Callable[[Parlour, Message, Person, str], Awaitable[Interaction]]
CLICKS: list[Clicked] = [clicked_after_it_moved, clicked_while_it_moves]


async def answered(parlour: Parlour, answer: Interaction) -> None:
    """Demand that a click was acknowledged, and that nothing is left that was only announced."""
    assert answer.state is InteractionState.ANSWERED
    await parlour.client.doorway.empty(30)
    assert not any(message.loading for message in answer.replies)
    assert "went wrong" not in answer.text


@pytest.mark.parametrize("clicked", CLICKS)
async def test_a_move_is_acknowledged_and_shown(parlour: Parlour, clicked: Clicked) -> None:
    message = await parlour.started(parlour.robin, parlour.wren)
    await parlour.caught_up()
    answer = await clicked(parlour, message, await parlour.mover(), id_of(message, "Roll all five"))
    await answered(parlour, answer)
    assert answer.replies == ()
    await parlour.sandbox.until(lambda: any(shows(each, 1) for each in (message, *parlour.here.public)))


@pytest.mark.parametrize("clicked", CLICKS)
@pytest.mark.parametrize("label", ["Read the table", "How to play"])
async def test_whoever_looks_is_told(parlour: Parlour, clicked: Clicked, label: str) -> None:
    message = await parlour.started(parlour.robin, parlour.wren)
    await parlour.caught_up()
    answer = await clicked(parlour, message, parlour.linnet, id_of(message, label))
    await answered(parlour, answer)
    assert answer.text


@pytest.mark.parametrize("clicked", CLICKS)
async def test_what_is_picked_is_acknowledged_and_shown(parlour: Parlour, clicked: Clicked) -> None:
    message = await parlour.started(parlour.robin, parlour.wren)
    await parlour.caught_up()
    answer = await clicked(parlour, message, await parlour.mover(), id_of(message, 1))
    await answered(parlour, answer)
    assert answer.replies == ()
    await parlour.sandbox.until(
        lambda: any(each.buttons[1].label.startswith("✓") for each in (message, *parlour.here.public))
    )


@pytest.mark.parametrize("clicked", CLICKS)
async def test_whoever_joins_is_acknowledged_and_seated(parlour: Parlour, clicked: Clicked) -> None:
    message = await parlour.opened(parlour.robin)
    await parlour.caught_up()
    answer = await clicked(parlour, message, parlour.wren, id_of(message, "Join"))
    await answered(parlour, answer)
    assert answer.replies == ()
    await parlour.sandbox.until(lambda: any("Wren" in each.text for each in (message, *parlour.here.public)))
