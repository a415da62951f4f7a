"""The losses that the crash tests' observer reports."""

import pytest

from bot.sandbox.model.messages import Message
from bot.tables.table import Table
from tests.e2e.crash.observer import Observer, find_lost
from tests.games.fortune.positions import CARDS, DECK, dice
from tests.support.parlour import Parlour
from tests.support.scripted_chance import ChanceScript

pytestmark = pytest.mark.slow


class ObservedTable:
    """A table of Fortune where Robin has rolled, and an observer of their clicks."""

    def __init__(self, parlour: Parlour, message: Message) -> None:
        self.witness = Observer(parlour.sandbox)
        self._parlour = parlour
        self._message = message

    def button_id(self, key: str) -> str:
        """Return the id of a button on the message."""
        ids = (button.custom_id or "" for button in self._message.buttons)
        return next(each for each in ids if each.split(":")[3:4] == [key])

    async def press(self, custom_id: str) -> None:
        """Press a button, which may just have been replaced."""
        heard = await self.witness.record_response(
            self._parlour.robin.click(self._message, custom_id, forged=True), custom_id, offered=True
        )
        assert heard.was_granted

    async def lost_keys(self, table: Table) -> list[str]:
        """Return the keys of the losses if this were the table."""
        pressed = (heard.component_id for heard in find_lost(self.witness.answers, {table.id: table}))
        return [str(each).split(":")[3] for each in pressed]


@pytest.fixture
async def spied(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> ObservedTable:
    """A table at which Robin may roll again."""
    script = ChanceScript(monkeypatch)
    script.set_step(0, [0, DECK.index(CARDS["gold"])])
    script.set_step(1, map(int, dice("GGMMPPSD")))
    message = (await parlour.robin.slash(parlour.here, "fortune new")).replies[0]
    await parlour.press(parlour.wren, message, "Join")
    await parlour.press(parlour.robin, message, "Start")
    await parlour.sandbox.until(lambda: "Robin, roll" in message.text)
    await parlour.press(parlour.robin, message, "Roll all 8")
    return ObservedTable(parlour, message)


async def test_an_accepted_move_that_is_missing_counts_as_lost(spied: ObservedTable, parlour: Parlour) -> None:
    before = await parlour.table()
    await spied.press(spied.button_id("die1"))
    await spied.press(spied.button_id("die2"))
    await spied.press(spied.button_id("roll"))
    assert await spied.lost_keys(before) == ["roll"]
    assert await spied.lost_keys(await parlour.table()) == []


async def test_a_button_replaced_by_the_newest_pick_does_not_count_as_lost(
    spied: ObservedTable, parlour: Parlour
) -> None:
    """The message may show the pick a moment after it was granted."""
    await spied.press(spied.button_id("die1"))
    gone = spied.button_id("roll").replace(":roll:", ":gone:")
    await spied.press(spied.button_id("die2"))
    await spied.press(gone)
    table = await parlour.table()
    assert table.header.step == 1
    assert await spied.lost_keys(table) == []
