"""Fortune through the sandbox: each special case by buttons with scripted dice, and moves by command."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables import storage as table_storage
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
        return await self.parlour.client.host.service.table(self.table_id)

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

    async def play_first_roll(self, first: str, then: str) -> None:
        """Play a turn that is one roll."""
        await self.press("Roll all eight", first)
        await self.press("Stop", then=then)

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


async def test_fo_3_a_bust_brings_nothing(begin: StartGame) -> None:
    """FO-3."""
    play = await begin("gold")
    await play.press("Roll all eight", "GGKKMMMD")
    await play.pick_dice(1, 2, 5, 6, 7, 8)
    assert "Roll only 3 monkeys, 2 gold coins, diamond" in " ".join(play.labels())
    await play.pick_dice(5, 6, 7)
    assert any(", roll 3 (42% bust)" in label for label in play.labels()), play.labels()
    await play.press(", roll 3 (", "KMM", then="storm")
    assert await play.scores() == (0, 0)
    assert "and bust: **500** lost" in play.message.text
    assert "Banner of player 1: Bust!" in (play.message.attachments[0].description or "")


async def test_fo_9_the_island_costs_every_opponent(begin: StartGame, parlour: Parlour) -> None:
    """FO-9, FO-11 and FO-C2: negative totals."""
    play = await begin("captain", parlour.wren, parlour.jay)
    await play.press("Roll all eight", "KKKKMPGD")
    await play.press("Roll all 4", "KMPG")
    await play.press("Roll all 3", "MPG", then="gold")
    assert await play.scores() == (0, -1000, -1000)
    assert "everyone else lost **1,000**" in play.message.text
    assert "left the Island: everyone else lost" in play.message.text


async def test_fo_e2_the_last_round_goes_on_when_the_island_pushed_the_leader_back(begin: StartGame) -> None:
    """FO-E1 and FO-E2."""
    play = await begin("gold", target=1000)
    await play.play_first_roll("GGGGMMPS", then="storm")
    assert (await play.scores(), (await play.table()).state.crosser) == ((1000, 0), None)
    await play.play_first_roll("MMPPSSKK", then="captain")
    await play.play_first_roll("GMMPPSSK", then="skulls-2")
    assert "🏁 Last round: beat **1,200**!" in play.message.text
    await play.press("Roll all eight", "KKMPGDSS")
    await play.press("Roll all 6", "MPGDSS", then="diamond")
    assert await play.scores() == (800, 0)
    assert "play went on" in play.message.text
    await play.play_first_roll("DDMMPPSS", then="captain")
    assert "🏁 Last round: beat **1,200**!" in play.message.text
    await play.press("Roll all eight", "GGGMMPPS")
    await play.press("Stop")
    assert await play.scores() == (1200, 800)
    assert (await play.table()).header.status is Status.FINISHED
    await play.parlour.wait_until_settled()
    assert "Robin wins" in play.message.text
    assert play.labels() == [
        "Play again",
        "Share",
        "Replay",
        "Review",
        "Read the table",
        "What happened",
        "Check fairness",
    ]


@pytest.mark.parametrize("nine_wins", [True, False])
async def test_fo_8_nine_of_a_kind(begin: StartGame, nine_wins: bool) -> None:
    """FO-8."""
    play = await begin("diamond", nine_wins=nine_wins)
    await play.press("Roll all eight", "DDDDDDMM")
    assert [label for label in play.labels() if label.startswith("✓")] == [f"✓ 💎 {place}" for place in range(1, 7)]
    await play.press(", roll 2 (", "DD")
    status = (await play.table()).header.status
    await play.parlour.wait_until_settled()
    if nine_wins:
        assert status is Status.FINISHED
        assert "Nine of a kind, **+5,400**: **Robin** wins on the spot" in play.message.text
        outcome = (await play.table()).outcome
        assert outcome is not None
        assert outcome.scores == (5400, 0)
    else:
        assert status is Status.PLAYING
        assert "Stop: +5,400" in play.labels()


async def test_fo_c3_the_sorceress_saves_from_the_third_skull(begin: StartGame) -> None:
    """FO-C3: on the first roll, and the player is asked."""
    play = await begin("sorceress")
    await play.press("Roll all eight", "KKKMMMGG")
    assert not any(label.startswith(("Roll", "Keep")) for label in play.labels())
    assert "Stop: no points" in play.labels()
    await play.press("Roll only the skull", "G")
    assert (await play.table()).state.turn.faces == dice("GKKMMMGG")
    await play.press("Stop: +500", then="gold")
    assert await play.scores() == (500, 0)


async def test_fo_c3_a_skull_is_rolled_with_others(begin: StartGame) -> None:
    """FO-C3."""
    play = await begin("sorceress")
    await play.press("Roll all eight", "KMMMGGPS")
    await play.pick_dice(2, 3, 4, 5, 6)
    await play.press("roll 2 + skull", "MGG")
    assert (await play.table()).state.turn.faces == dice("MMMMGGGG")
    assert not any("🔮" in label for label in play.labels())


async def test_fo_c1_the_chest_survives_a_disqualification(begin: StartGame) -> None:
    """FO-C1: dice are put into the chest, and one is taken out again."""
    play = await begin("treasure-chest")
    await play.press("Roll all eight", "GGGDMPSK")
    await play.pick_dice(1, 2, 3, 4, 5)
    await play.press(": +500, roll 2", "MM")
    assert [label for label in play.labels() if label.startswith("🧰")] == []
    await play.pick_dice(1, 2, 3, 4)
    assert any(": +500, roll 3 (7% bust)" in label for label in play.labels())
    await play.press(", roll 3 (", "KKM", then="gold")
    assert await play.scores() == (500, 0)
    assert "the chest saved **+500**" in play.message.text
    record = await play.parlour.db.read(table_storage.load, play.table_id)
    assert record is not None
    assert [entry.text for entry in record.entries[1:]] == ["roll 6 7 chest 1 2 3 4 5", "roll 5 6 7 chest 1 2 3 4"]


async def test_fo_c4_a_battle_is_lost_by_skulls(begin: StartGame) -> None:
    """FO-C4: four skulls on the first roll, and no Island."""
    play = await begin("sea-battle-4-1000")
    await play.press("Roll all eight", "KKKKSSSS", then="gold")
    assert await play.scores() == (-1000, 0)
    assert "**−1,000** for the lost battle" in play.message.text


async def test_fo_c8_a_storm_leaves_two_rolls(begin: StartGame) -> None:
    """FO-C8."""
    play = await begin("storm")
    await play.press("Roll all eight", "GGDDMPKS")
    step = (await play.table()).header.step
    play.script.set_step(step + 2, [(await play.table()).state.unseen.index(CARDS["gold"])])
    await play.press(", roll 3 (", "GMP")
    await play.parlour.sandbox.until(lambda: "Wren to play" in play.message.text)
    assert await play.scores() == (1100, 0), "the turn ended by itself"
    record = await play.parlour.db.read(table_storage.load, play.table_id)
    assert record is not None
    assert [(entry.text, entry.click_id is None) for entry in record.entries][-1] == ("stop", True)


async def test_fo_c9_swords_break_a_truce(begin: StartGame) -> None:
    """FO-C9 and FO-11."""
    play = await begin("truce")
    await play.press("Roll all eight", "SSGGGGMM")
    await play.press("Stop: −2,000", then="gold")
    assert await play.scores() == (-2000, 0)


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


async def test_a_refused_move_is_explained(begin: StartGame, parlour: Parlour) -> None:
    """FO-2."""
    await begin("gold")
    answer = await parlour.robin.slash(parlour.here, "fortune stop")
    assert answer.ephemeral
    assert "Roll all eight dice first" in answer.text


async def test_dice_and_skulls_are_suggested(begin: StartGame, parlour: Parlour) -> None:
    play = await begin("sorceress")
    await play.press("Roll all eight", "KGGMMPPK")
    choices = await parlour.robin.autocomplete(parlour.here, "fortune roll", {"dice": "2 3"}, focused="dice")
    assert choices[0].value == "2 3 4 5 6 7"
    assert all({"2", "3"} <= set(str(choice.value).split()) for choice in choices)
    found = await parlour.robin.autocomplete(parlour.here, "fortune sorceress", {"die": ""}, focused="die")
    assert [choice.value for choice in found] == [1, 8]


async def test_a_whole_game_is_played_by_buttons(parlour: Parlour) -> None:
    message = (await parlour.robin.slash(parlour.here, "fortune new", target=1000)).replies[0]
    await parlour.press(parlour.wren, message, "Join")
    await parlour.press(parlour.jay, message, "Join")
    await parlour.press(parlour.robin, message, "Start")
    table = await parlour.table()
    for _ in range(600):
        now = await parlour.client.host.service.table(table.id)
        if now.header.status is not Status.PLAYING:
            break
        await parlour.wait_until_settled()
        labels = [button.label for button in message.buttons]
        wanted = ("Roll all eight", "Stop") if not now.state.turn.island else ("Roll",)
        label = next(label for start in wanted for label in labels if label.startswith(start))
        answer = await parlour.press(await parlour.mover(), message, label)
        assert not answer.replies, answer.text
    finished = await parlour.client.host.service.table(table.id)
    assert finished.header.status is Status.FINISHED
    assert finished.outcome is not None
    assert max(finished.outcome.scores) > 1000
    await parlour.wait_until_settled()
    for seat in finished.outcome.winners:
        assert finished.seats[seat].name in message.embeds[0]["title"]


async def test_one_person_plays_against_the_computer(parlour: Parlour) -> None:
    message = (await parlour.robin.slash(parlour.here, "fortune new", target=1000)).replies[0]
    await parlour.press(parlour.robin, message, "Play the computer")
    table = await parlour.table()
    while not _is_over(message):
        await parlour.sandbox.until(lambda: "Robin to play" in message.text or _is_over(message))
        if "Robin to play" in message.text:
            start = "Roll all eight" if any("all eight" in button.label for button in message.buttons) else "Stop"
            await parlour.press(parlour.robin, message, start)
    finished = await parlour.client.host.service.table(table.id)
    assert finished.header.status is Status.FINISHED
    assert [who.is_computer for who in finished.seats] == [False, True]


async def test_the_rules_are_explained_and_credited(parlour: Parlour) -> None:
    answer = await parlour.robin.slash(parlour.here, "rules", game="fortune")
    assert "three skulls take them away" in answer.text
    helped = (await parlour.robin.slash(parlour.here, "help")).replies[0]
    await parlour.press(parlour.robin, helped, "About")
    assert "Haim Shafir" in helped.text


def _is_over(message: Message) -> bool:
    return any(button.label == "Play again" for button in message.buttons)


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
