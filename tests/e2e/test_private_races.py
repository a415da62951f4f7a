"""Clicks that race for one person's private messages: the newest survives, and nobody hears of a fault."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from random import Random

import pytest

from bot.games.change.pieces import Stage
from bot.sandbox.model.interactions import Interaction, InteractionState
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from tests.e2e.change.game import opened
from tests.e2e.test_results import played_through
from tests.games.change.positions import at
from tests.support.parlour import Parlour, id_of
from tests.support.positions import Scene

RACES = 70

CALLBACK, WEBHOOK = "/callback", "/webhooks/"


class Order(Enum):
    """Which of two clicks gets ahead where."""

    NEW_FIRST = "the newer message is there and the older one deleted before the click on that is answered"
    OLD_FIRST = "the click on the older message is answered before the newer message is there"
    NOT_YET_DELETED = "the newer message is there, the older one is edited, and only then deleted"
    NOT_YET_KNOWN = "the newer message is there, but the bot does not hear of it before the older one is edited"


@dataclass
class Kind:
    """A kind of private message: how somebody asks for one, and what they do in one that stands there."""

    ask: Callable[[], Awaitable[Interaction]]
    use: Callable[[Message], Awaitable[Interaction]]


async def of_hands(parlour: Parlour) -> Kind:
    message = await opened(parlour, parlour.robin, parlour.wren)
    await parlour.caught_up()
    return Kind(
        lambda: parlour.robin.click(message, id_of(message, "My hand")),
        lambda hand: parlour.robin.click(hand, id_of(hand, "Look again")),
    )


async def of_replays(parlour: Parlour) -> Kind:
    await played_through(parlour, parlour.robin, parlour.wren)
    return Kind(
        lambda: parlour.robin.slash(parlour.here, "table replay"),
        lambda replay: parlour.robin.click(replay, id_of(replay, "Last")),
    )


async def of_options(parlour: Parlour) -> Kind:
    message = await parlour.opened(parlour.robin)

    def choose(panel: Message) -> Awaitable[Interaction]:
        menu = panel.selects[0]
        return parlour.robin.select(panel, menu.custom_id, [menu.options[0]["value"]])

    return Kind(lambda: parlour.robin.click(message, id_of(message, "Options")), choose)


KINDS = {"hand": of_hands, "replay": of_replays, "options": of_options}


@pytest.fixture(params=KINDS)
async def kind(parlour: Parlour, request: pytest.FixtureRequest) -> Kind:
    return await KINDS[request.param](parlour)


@pytest.fixture(params=[False, True], ids=["deferrals are taken", "deferrals are refused"])
def deferrals(parlour: Parlour, request: pytest.FixtureRequest) -> None:
    """Discord may or may not let a click on a deleted message be acknowledged by a deferred update."""
    parlour.sandbox.troubles.refuses_deferrals = request.param


@pytest.fixture(autouse=True)
def no_faults(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing of all this is worth a line in the log."""
    yield
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


def private(parlour: Parlour, who: Person) -> list[Message]:
    return [message for message in who.sees(parlour.here) if message.ephemeral_to == who.id]


async def raced(parlour: Parlour, kind: Kind, older: Message, order: Order) -> tuple[Interaction, Interaction]:
    """Let somebody ask anew and use the older message in this order; return both clicks."""
    troubles = parlour.sandbox.troubles
    match order:
        case Order.NEW_FIRST:
            held = troubles.hold("POST", CALLBACK)
            use = asyncio.ensure_future(kind.use(older))
            await held.reached.wait()
            asked = await kind.ask()
            await parlour.sandbox.until(lambda: older.deleted)
            held.let_go()
            return asked, await use
        case Order.OLD_FIRST | Order.NOT_YET_KNOWN:
            held = troubles.hold("POST", CALLBACK, answer=order is Order.NOT_YET_KNOWN)
            ask = asyncio.ensure_future(kind.ask())
            await held.reached.wait()
            used = await kind.use(older)
            held.let_go()
            return await ask, used
        case Order.NOT_YET_DELETED:
            held = troubles.hold("DELETE", WEBHOOK)
            asked = await kind.ask()
            await held.reached.wait()
            used = await kind.use(older)
            held.let_go()
            return asked, used


@pytest.mark.usefixtures("deferrals")
@pytest.mark.parametrize("order", Order, ids=lambda order: order.name)
async def test_the_newest_message_survives_in_every_order(parlour: Parlour, kind: Kind, order: Order) -> None:
    (older,) = (await kind.ask()).replies
    asked, used = await raced(parlour, kind, older, order)
    await settled(parlour)
    assert (asked.state, used.state) == (InteractionState.ANSWERED, InteractionState.ANSWERED)
    assert private(parlour, parlour.robin) == list(asked.replies)
    assert used.replies == ()
    await kind.use(asked.replies[0])
    assert private(parlour, parlour.robin) == list(asked.replies), "what stands there can be used"


async def settled(parlour: Parlour) -> None:
    """Wait until everybody is answered and what is outdated is deleted."""
    await parlour.client.doorway.empty(30)
    await parlour.client.whispers.close(30)


async def test_whichever_wins_one_message_is_left(parlour: Parlour, kind: Kind) -> None:
    chance = Random(12)
    (older,) = (await kind.ask()).replies
    for _ in range(RACES):
        clicks = [kind.ask(), kind.use(older)]
        chance.shuffle(clicks)
        for click in await asyncio.gather(*clicks):
            assert click.state is InteractionState.ANSWERED
        await settled(parlour)
        (older,) = private(parlour, parlour.robin)


@pytest.mark.parametrize("label", ["Read the table", "How to play", "My hand"])
async def test_of_two_asked_for_at_once_the_newer_is_left(parlour: Parlour, label: str) -> None:
    message = await opened(parlour, parlour.robin, parlour.wren)
    await parlour.caught_up()
    held = parlour.sandbox.troubles.hold("POST", CALLBACK, answer=True)
    first = asyncio.ensure_future(parlour.robin.click(message, id_of(message, label)))
    await held.reached.wait()
    second = await parlour.robin.click(message, id_of(message, label))
    held.let_go()
    await first
    await settled(parlour)
    assert private(parlour, parlour.robin) == list(second.replies)


@pytest.mark.usefixtures("deferrals")
async def test_a_card_played_from_a_hand_that_is_just_replaced_is_played_and_nobody_apologises(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await opened(parlour, parlour.robin, parlour.wren)
    scene = Scene(parlour.client.host.service, (await parlour.table()).id, monkeypatch)
    await scene.set(at("120@3", "120@0", hands=["greed add-1", "fear"], stage=Stage.FREE))
    mover = await parlour.mover()
    (older,) = (await mover.slash(parlour.here, "change hand")).replies
    held = parlour.sandbox.troubles.hold("POST", CALLBACK)
    playing = asyncio.ensure_future(mover.click(older, id_of(older, "Greed")))
    await held.reached.wait()
    newer = await parlour.press(mover, message, "My hand")
    await parlour.sandbox.until(lambda: older.deleted)
    held.let_go()
    played = await playing
    await settled(parlour)
    assert played.state is InteractionState.ANSWERED
    assert played.replies == ()
    assert (await parlour.table()).header.step == 1
    assert private(parlour, mover) == list(newer.replies)
