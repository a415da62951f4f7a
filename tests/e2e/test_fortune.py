"""Fortune through the sandbox: a turn and a whole game by buttons, and moves by command."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables import storage as table_storage
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.table import Table
from tests.games.fortune.positions import CARDS, DECK, dice
from tests.support.parlour import Parlour
from tests.support.scripted_chance import ChanceScript


@dataclass(frozen=True, slots=True)
class FortuneTable:
    """A table of Fortune whose dice and cards are scripted."""

    parlour: Parlour
    script: ChanceScript
    message: Message
    table_id: int

    async def table(self) -> Table:
        """Return the table as the host has it."""
        return await self.parlour.client.app.service(Host).service.table(self.table_id)

    async def mover(self) -> Person:
        """Return whose turn it is."""
        now = await self.table()
        assert now.mover is not None
        return self.parlour.sandbox.person(now.mover.name)

    async def press(self, label: str, rolled: str = "", then: str | None = None) -> None:
        """Press a button as the player to move; script the dice, and the next card if the turn ends."""
        await self.script_roll(rolled, then)
        answer = await self.parlour.press(await self.mover(), self.message, label)
        assert not answer.replies, answer.text

    async def script_roll(self, rolled: str = "", then: str | None = None) -> None:
        """Write down what the next move rolls, and the card of the turn after it."""
        now = await self.table()
        card = [] if then is None else [now.state.unseen.index(CARDS[then])]
        self.script.set_step(now.header.step + 1, [*map(int, dice(rolled)), *card])

    async def pick_dice(self, *places: int) -> None:
        """Pick dice by their places."""
        table = await self.table()
        for place in places:
            wanted = f"t:{table.id}:{table.header.step}:die{place}:"
            button = next(each for each in self.message.buttons if (each.custom_id or "").startswith(wanted))
            assert button.custom_id is not None
            await (await self.mover()).click(self.message, button.custom_id)

    async def scores(self) -> tuple[int, ...]:
        """Return the totals."""
        scores: tuple[int, ...] = (await self.table()).state.scores
        return scores

    def labels(self) -> list[str]:
        """Return what the buttons say."""
        return [button.label for button in self.message.buttons]


StartGame = Callable[..., Awaitable[FortuneTable]]


@pytest.fixture
def begin(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> StartGame:
    """Opens a table for Robin and others, and starts with a card; Robin begins."""

    async def started(card: str, *others: Person, **options: object) -> FortuneTable:
        script = ChanceScript(monkeypatch)
        script.set_step(0, [0, DECK.index(CARDS[card])])
        message = (await parlour.robin.slash(parlour.here, "fortune new", **options)).replies[0]
        for other in others or (parlour.wren,):
            await parlour.press(other, message, "Join")
        await parlour.press(parlour.robin, message, "Start")
        await parlour.sandbox.until(lambda: "Robin to play" in message.text)
        return FortuneTable(parlour, script, message, (await parlour.table()).id)

    return started


async def test_fo_2_dice_are_kept_and_the_others_rolled(begin: StartGame) -> None:
    """FO-2: after a roll no earlier pick stays ticked; where the choice is close, nothing is."""
    play = await begin("captain")
    await play.press("Roll all eight", "GGMMPPSD")
    await play.pick_dice(1, 2, 8)
    await play.press("Keep 2 gold coins, diamond, roll 5", "GKMPP")
    assert [label for label in play.labels() if label.startswith("✓")] == []
    await play.pick_dice(1, 2, 3, 8)
    await play.press(", roll 3 (", "GGS")
    assert (await play.table()).state.turn.faces == dice("GGGKGGSD")
    await play.press("Stop: +2,200", then="gold")
    assert await play.scores() == (2200, 0)
    assert "Wren to play" in play.message.text


async def test_moves_are_made_by_command(begin: StartGame, parlour: Parlour) -> None:
    play = await begin("treasure-chest")
    robin, here = parlour.robin, parlour.here
    await play.script_roll("GGGDMPSK")
    answer = await robin.slash(here, "fortune roll", dice="all")
    assert answer.ephemeral
    await play.script_roll("MM")
    await robin.slash(here, "fortune roll", dice="6,7")
    await play.script_roll("KM")
    await robin.slash(here, "fortune roll", dice="5 6", chest="1 2")
    await play.script_roll("SS")
    await robin.slash(here, "fortune roll", dice="67", chest="none")
    await play.script_roll(then="sorceress")
    await robin.slash(here, "fortune stop")
    await play.script_roll("KGGGMMPP")
    await parlour.wren.slash(here, "fortune roll", dice="all")
    await play.script_roll("GGG")
    await parlour.wren.slash(here, "fortune sorceress", die=1, dice="7 8")
    record = await parlour.db.read(table_storage.load, play.table_id)
    assert record is not None
    assert [entry.text for entry in record.entries] == [
        "roll 1 2 3 4 5 6 7 8",
        "roll 6 7 chest 1 2 3 4 5",
        "roll 5 6 chest 1 2",
        "roll 6 7",
        "stop",
        "roll 1 2 3 4 5 6 7 8",
        "sorceress 1 with 7 8",
    ]


async def test_a_whole_game_is_played_by_buttons(parlour: Parlour) -> None:
    message = (await parlour.robin.slash(parlour.here, "fortune new", target=1000)).replies[0]
    await parlour.press(parlour.wren, message, "Join")
    await parlour.press(parlour.jay, message, "Join")
    await parlour.press(parlour.robin, message, "Start")
    table = await parlour.table()
    for _ in range(600):
        now = await parlour.client.app.service(Host).service.table(table.id)
        if now.header.status is not Status.PLAYING:
            break
        await parlour.wait_until_settled()
        labels = [button.label for button in message.buttons]
        wanted = ("Roll all eight", "Stop") if not now.state.turn.island else ("Roll",)
        label = next(label for start in wanted for label in labels if label.startswith(start))
        answer = await parlour.press(await parlour.mover(), message, label)
        assert not answer.replies, answer.text
    finished = await parlour.client.app.service(Host).service.table(table.id)
    assert finished.header.status is Status.FINISHED
    assert finished.outcome is not None
    assert max(finished.outcome.scores) > 1000
    await parlour.wait_until_settled()
    for seat in finished.outcome.winners:
        assert finished.seats[seat].name in message.embeds[0]["title"]


async def test_a_computer_players_turn_is_one_update(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its moves is an entry, and only the position after the last is shown, with all rolls in the news."""
    script = ChanceScript(monkeypatch)
    script.set_step(0, [0, DECK.index(CARDS["gold"])])
    (message,) = (await parlour.robin.slash(parlour.here, "fortune new", computers=1)).replies
    await parlour.press(parlour.robin, message, "Start")
    await parlour.sandbox.until(lambda: "Robin to play" in message.text)
    play = FortuneTable(parlour, script, message, (await parlour.table()).id)
    await play.press("Roll all eight", "GGMMPPSD")
    await play.script_roll(then="captain")
    script.set_step(3, map(int, dice("KGGMMPPS")))
    await parlour.wait_until_shown()
    sent = len(parlour.sandbox.requests)
    await parlour.press(parlour.robin, message, "Stop")
    await parlour.sandbox.until(lambda: "**Computer**" in message.text and "Robin to play" in message.text)
    record = await parlour.db.read(table_storage.load, play.table_id)
    assert record is not None
    assert len(record.entries) >= 4, "the computer player has made two moves or more"
    assert sum(request.method == "PATCH" for request in parlour.sandbox.requests[sent:]) <= 1
    assert re.search(r"\*\*Computer\*\* drew [^,]+, rolled (no |💀)", message.text), "the steps come in order"
