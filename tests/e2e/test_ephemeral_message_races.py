"""Clicks that race for one person's private messages: the newest survives, and no error is shown."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from random import Random

import pytest

from bot.games.change.pieces import Stage
from bot.platform.discord.private_messages import EphemeralMessages
from bot.sandbox.model.interactions import Interaction, InteractionState
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.host import Host
from tests.e2e.change.change_table import open_started_game
from tests.games.change.positions import at
from tests.support.each_case import each_case
from tests.support.parlour import Parlour, button_id
from tests.support.table_positions import TablePositioner

RACES, LONG_RACES = 4, 70

CALLBACK, WEBHOOK = "/callback", "/webhooks/"


class RaceOrder(Enum):
    """Which of two clicks gets ahead where."""

    NEW_FIRST = "the newer message is posted and the older one deleted before the click on it is answered"
    OLD_FIRST = "the click on the older message is answered before the newer message is posted"
    NOT_YET_DELETED = "the newer message is posted, the older one is edited, and only then deleted"
    NOT_YET_KNOWN = "the newer message is posted, but the bot learns its id only after the older one is edited"


@dataclass
class MessageKind:
    """A kind of private message: how a player asks for one, and uses one that is already shown."""

    ask: Callable[[], Awaitable[Interaction]]
    use: Callable[[Message], Awaitable[Interaction]]


async def hand_messages(parlour: Parlour) -> MessageKind:
    message = await open_started_game(parlour, parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    return MessageKind(
        lambda: parlour.robin.click(message, button_id(message, "My hand")),
        lambda hand: parlour.robin.click(hand, button_id(hand, "Show my hand again")),
    )


async def option_messages(parlour: Parlour) -> MessageKind:
    message = await parlour.open_table(parlour.robin)

    def choose(panel: Message) -> Awaitable[Interaction]:
        menu = panel.selects[0]
        return parlour.robin.select(panel, menu.custom_id, [menu.options[0]["value"]])

    options = f"o:{(await parlour.table()).id}"
    return MessageKind(lambda: parlour.robin.click(message, options, forged=True), choose)


@pytest.fixture(params=[(hand_messages, False), (hand_messages, True), (option_messages, True)])
async def kind(parlour: Parlour, request: pytest.FixtureRequest) -> MessageKind:
    """Discord may or may not let a click on a deleted message be acknowledged by a deferred update."""
    make_kind, parlour.sandbox.fault_injector.refuses_deferrals = request.param
    kind: MessageKind = await make_kind(parlour)
    return kind


@pytest.fixture(autouse=True)
def no_faults(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing of all this is worth a line in the log."""
    yield
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


def ephemeral_messages(parlour: Parlour, who: Person) -> list[Message]:
    return [message for message in who.visible_messages(parlour.here) if message.ephemeral_to == who.id]


async def race(
    parlour: Parlour, kind: MessageKind, older: Message, order: RaceOrder
) -> tuple[Interaction, Interaction]:
    """Ask again and use the older message, in this order; return both clicks."""
    troubles = parlour.sandbox.fault_injector
    match order:
        case RaceOrder.NEW_FIRST:
            held = troubles.hold("POST", CALLBACK)
            use = asyncio.ensure_future(kind.use(older))
            await held.reached.wait()
            asked = await kind.ask()
            await parlour.sandbox.until(lambda: older.deleted)
            held.release()
            return asked, await use
        case RaceOrder.OLD_FIRST | RaceOrder.NOT_YET_KNOWN:
            held = troubles.hold("POST", CALLBACK, response=order is RaceOrder.NOT_YET_KNOWN)
            ask = asyncio.ensure_future(kind.ask())
            await held.reached.wait()
            used = await kind.use(older)
            held.release()
            return await ask, used
        case RaceOrder.NOT_YET_DELETED:
            held = troubles.hold("DELETE", WEBHOOK)
            asked = await kind.ask()
            await held.reached.wait()
            used = await kind.use(older)
            held.release()
            return asked, used


@each_case("order", RaceOrder)
async def test_the_newest_message_survives_in_every_order(
    parlour: Parlour, kind: MessageKind, order: RaceOrder
) -> None:
    (older,) = (await kind.ask()).replies
    asked, used = await race(parlour, kind, older, order)
    await wait_until_settled(parlour)
    assert (asked.state, used.state) == (InteractionState.RESPONDED, InteractionState.RESPONDED)
    assert ephemeral_messages(parlour, parlour.robin) == list(asked.replies)
    assert used.replies == ()
    await kind.use(asked.replies[0])
    assert ephemeral_messages(parlour, parlour.robin) == list(asked.replies), "what stands there can be used"


async def wait_until_settled(parlour: Parlour) -> None:
    """Wait until everyone is answered and what is outdated is deleted."""
    await parlour.client.in_flight.drain(30)
    await parlour.client.app.service(EphemeralMessages).close(30)


async def test_simultaneous_requests_leave_one_message(parlour: Parlour, kind: MessageKind, is_long: bool) -> None:
    chance = Random(12)
    (older,) = (await kind.ask()).replies
    for _ in range(LONG_RACES if is_long else RACES):
        clicks = [kind.ask(), kind.use(older)]
        chance.shuffle(clicks)
        for click in await asyncio.gather(*clicks):
            assert click.state is InteractionState.RESPONDED
        await wait_until_settled(parlour)
        (older,) = ephemeral_messages(parlour, parlour.robin)


async def test_replacing_a_private_message_never_deletes_the_table(parlour: Parlour) -> None:
    """The first answer to a click on a message that is behind is that message, now up to date."""
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    for _ in range(2):
        answer = await parlour.robin.click(message, "u:1:1:r:1", forged=True)
        await parlour.sandbox.until(partial(is_only_message, parlour, answer))
    assert message in parlour.robin.visible_messages(parlour.here)


def is_only_message(parlour: Parlour, answer: Interaction) -> bool:
    return bool(answer.replies) and ephemeral_messages(parlour, parlour.robin) == list(answer.replies)


async def test_a_card_from_a_hand_being_replaced_is_played_without_an_error(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    parlour.sandbox.fault_injector.refuses_deferrals = True
    message = await open_started_game(parlour, parlour.robin, parlour.wren)
    scene = TablePositioner(parlour.client.app.service(Host), (await parlour.table()).id, monkeypatch)
    await scene.set_position(at("120@3", "120@0", hands=["greed add-1 add-2", "fear"], stage=Stage.FREE))
    mover = await parlour.mover()
    (older,) = (await mover.slash(parlour.here, "change hand")).replies
    held = parlour.sandbox.fault_injector.hold("POST", CALLBACK)
    playing = asyncio.ensure_future(mover.click(older, button_id(older, "Greed")))
    await held.reached.wait()
    newer = await parlour.press(mover, message, "My hand")
    await parlour.sandbox.until(lambda: older.deleted)
    held.release()
    played = await playing
    await wait_until_settled(parlour)
    assert played.state is InteractionState.RESPONDED
    assert played.replies == ()
    assert (await parlour.table()).header.step == 1
    assert ephemeral_messages(parlour, mover) == list(newer.replies)
