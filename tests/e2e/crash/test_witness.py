"""What the kill test's witness takes for lost."""

import pytest

from bot.sandbox.model.messages import Message
from bot.tables.table import Table
from tests.e2e.crash.witness import Witness, lost
from tests.games.fortune.positions import CARDS, DECK, dice
from tests.support.parlour import Parlour
from tests.support.scripted import Script


class Spied:
    """A table of Fortune at which Robin has rolled, and a witness of what they press there."""

    def __init__(self, parlour: Parlour, message: Message) -> None:
        self.witness = Witness(parlour.sandbox)
        self._parlour = parlour
        self._message = message

    def id_of(self, key: str) -> str:
        """Return the id of a button that stands there."""
        ids = (button.custom_id or "" for button in self._message.buttons)
        return next(each for each in ids if each.split(":")[3:4] == [key])

    async def press(self, custom_id: str) -> None:
        """Press a button, which may have stood there a moment ago."""
        heard = await self.witness.note(
            self._parlour.robin.click(self._message, custom_id, forged=True), custom_id, offered=True
        )
        assert heard.is_granted

    async def lost_at(self, table: Table) -> list[str]:
        """Return the keys of what would be lost if the table stood so."""
        pressed = (heard.pressed for heard in lost(self.witness.heard, {table.id: table}))
        return [str(each).split(":")[3] for each in pressed]


@pytest.fixture
async def spied(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> Spied:
    """A table at which Robin may roll again."""
    script = Script(monkeypatch)
    script.give(0, [0, DECK.index(CARDS["gold"])])
    script.give(1, map(int, dice("GGMMPPSD")))
    message = (await parlour.robin.slash(parlour.here, "fortune new")).replies[0]
    await parlour.press(parlour.wren, message, "Join")
    await parlour.press(parlour.robin, message, "Start")
    await parlour.sandbox.until(lambda: "Robin to play" in message.text)
    await parlour.press(parlour.robin, message, "Roll all eight")
    return Spied(parlour, message)


async def test_a_move_that_was_granted_and_is_gone_is_lost(spied: Spied, parlour: Parlour) -> None:
    before = await parlour.table()
    await spied.press(spied.id_of("die1"))
    await spied.press(spied.id_of("die2"))
    await spied.press(spied.id_of("picked"))
    assert await spied.lost_at(before) == ["picked"]
    assert await spied.lost_at(await parlour.table()) == []


async def test_a_button_that_the_newest_pick_has_done_away_with_is_not_lost(spied: Spied, parlour: Parlour) -> None:
    """The message may show the pick a moment after it was granted."""
    await spied.press(spied.id_of("die1"))
    await spied.press(spied.id_of("die2"))
    these = spied.id_of("picked")
    await spied.press(spied.id_of("die2"))
    await spied.press(these)
    table = await parlour.table()
    assert table.header.step == 1
    assert await spied.lost_at(table) == []
