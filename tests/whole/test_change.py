"""Change through the sandbox: corners, spaces and cards by buttons and menus, hands, commands, and whole games."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from bot.games.change.pieces import ChangeOptions, Stage, State
from bot.sandbox.interactions import Interaction
from bot.sandbox.messages import Message
from bot.sandbox.people import Person
from bot.tables.model import LinkKind, Person as Known, Status
from bot.tables.table import Table
from tests.games.change.positions import ALL_TWELVE, CONTENT, at, hand, left, markers, stands
from tests.support.parlour import Parlour
from tests.support.positions import Scene


async def opened(parlour: Parlour, *players: Person, **options: object) -> Message:
    """Open a table of Change, seat everybody and start."""
    answer = await players[0].slash(parlour.here, "change new", **options)
    assert not answer.ephemeral, answer.text
    message = answer.replies[0]
    for player in players[1:]:
        await parlour.press(player, message, "Join")
    await parlour.press(players[0], message, "Start" if len(players) > 1 else "Play the computer")
    await parlour.sandbox.until(lambda: "Change · " in message.text and "waiting" not in message.text)
    return message


class Game:
    """A table of Robin and Wren that is put into positions."""

    def __init__(self, parlour: Parlour, message: Message, table: Table, patch: pytest.MonkeyPatch) -> None:
        self.parlour = parlour
        self.message = message
        self.table_id = table.id
        self.scene = Scene(parlour.client.host.service, table.id, patch)

    async def at(self, state: State, dice: str = "") -> None:
        """Put the table into a position."""
        await self.scene.set(state, dice)

    async def state(self) -> State:
        """Return the position as the host has it."""
        state: State = (await self.parlour.client.host.service.table(self.table_id)).state
        return state

    async def press(self, who: Person, label: str) -> Interaction:
        """Press a button of the table as it is now."""
        self.parlour.client.host.publisher.wake(self.table_id, again=True)
        await self.parlour.settled()
        answer = await self.parlour.press(who, self.message, label)
        assert not answer.replies, answer.text
        return answer

    async def choose(self, who: Person, key: str) -> None:
        """Choose a line of the table's menu as it is now."""
        self.parlour.client.host.publisher.wake(self.table_id, again=True)
        await self.parlour.settled()
        custom_id = self.message.selects[0].custom_id
        answer = await who.select(self.message, custom_id, [key])
        assert not answer.replies, answer.text

    async def hand_of(self, who: Person) -> Message:
        """Let somebody look at their hand."""
        self.parlour.client.host.publisher.wake(self.table_id, again=True)
        await self.parlour.settled()
        answer = await self.parlour.press(who, self.message, "My hand")
        assert answer.ephemeral
        return answer.replies[0]


@pytest.fixture
async def game(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> Game:
    message = await opened(parlour, parlour.robin, parlour.wren)
    return Game(parlour, message, await parlour.table(), monkeypatch)


ROLLS = {1: (0, "12"), 2: (0, "13"), 3: (8, "12"), 4: (8, "13"), 5: (16, "12"), 6: (16, "13"), 7: (24, "12")}
ROLLS[8] = (24, "13")

FULL = "add-1 add-2 add-3 add-4 any"

# Which buttons are pressed, what else is rolled, what Robin and Wren have left, and how many cards Robin has drawn.
CORNERS: dict[str, tuple[int, tuple[str, str], list[str], str, tuple[int, int], int]] = {
    "1, the lander": (1, ("", ""), ["I do it: release 10"], "", (110, 120), 0),
    "1, another": (1, ("", ""), ["Wren: I draw 1 card"], "", (120, 110), 1),
    "3, the lander": (3, ("", ""), ["I do it: roll three dice"], "264", (108, 120), 0),
    "3, another": (3, ("", ""), ["Wren: I draw 1 card"], "264", (120, 108), 1),
    "4, the lander": (4, ("", ""), ["I do it: release 15"], "", (105, 120), 0),
    "4, another": (4, ("", ""), ["Wren: I draw 1 card"], "", (120, 105), 1),
    "5, the lander": (5, ("greed fear", "envy habits"), ["I do it: go to a space", "Robin>to_fear"], "", (100, 120), 0),
    "5, another": (5, ("greed fear", "envy habits"), ["Wren: I draw 2 cards", "Wren>to_envy"], "", (120, 110), 2),
    "5, nobody else": (5, ("greed", ""), [], "", (110, 120), 0),
    "5, nobody": (5, ("", ""), [], "", (120, 120), 0),
    "6, the lander": (6, ("", ""), ["I do it: roll three dice"], "111", (117, 120), 0),
    "6, another": (6, ("", ""), ["Wren: I draw 1 card"], "666", (120, 102), 1),
    "7, the lander": (7, ("", ""), ["I do it: release 20"], "", (100, 120), 0),
    "7, another": (7, ("", ""), ["All the others: I draw 2 cards"], "", (120, 100), 2),
    "8, the lander": (8, ("", ""), ["I do it: place a marker", "Robin>to_denial"], "", (120, 120), 0),
    "8, another": (8, ("", ""), ["Wren: I draw 4 cards", "Wren>to_denial"], "", (120, 120), 4),
    "8, nobody else": (8, ("", ALL_TWELVE), ["Robin>to_denial"], "", (120, 120), 0),
    "8, nobody": (8, (ALL_TWELVE, ALL_TWELVE), [], "", (120, 120), 0),
}


async def test_every_corner_is_played(game: Game) -> None:
    """CH-C0 to CH-C8: the lander does it, another does, nobody else can, and nobody can."""
    people = {"Robin": game.parlour.robin, "Wren": game.parlour.wren}
    for case, (corner, placed, presses, dice, expected, drawn) in CORNERS.items():
        square, track = ROLLS[corner]
        await game.at(at(f"120@{square} {placed[0]}", f"120@0 {placed[1]}"), track + dice)
        await game.press(people["Robin"], "Roll")
        for press in presses:
            name, _, key = press.partition(">")
            await (game.choose(people[name], key) if key else game.press(people["Robin"], press))
        state = await game.state()
        assert (case, left(state), len(state.hands[0])) == (case, expected, drawn)
        assert state.public.stage is (Stage.ROLL if case == "8, nobody" else Stage.FREE), case


PEOPLE = ("Robin", "Wren", "Jay")
CARDS = ("add-1 add-2", "envy fear", "any pride")


@dataclass(frozen=True)
class Visit:
    """What Robin, Wren and Jay do at a corner, and what they have left and hold afterwards.

    "All the others" is a button of the table for Robin, "Jay>to_fear" a line of its menu for Jay, and
    "Jay#Keep: Any space" a button in Jay's hand.
    """

    corner: int
    presses: tuple[str, ...]
    left: tuple[int, ...] = (120, 120, 120)
    held: tuple[str, ...] = ("add-4 add-5", "", "")
    markers: tuple[str, ...] = ("", "", "")
    hands: tuple[str, ...] = ("", "", "")
    dice: str = ""


DRAWN_ONE, DRAWN_FOUR = ("add-5", "", ""), ("add-4 add-5 gossip greed", "", "")

AMONG_THREE = {
    "1, one of two": Visit(1, ("Jay: I draw 1 card",), (120, 120, 110), DRAWN_ONE),
    "2, the lander": Visit(
        *(2, ("I do it: replace", "Robin#Replace: Add 2")),
        hands=CARDS,
        held=("add-1 add-5", "envy fear", "any pride"),
    ),
    "2, all the others": Visit(
        *(2, ("All the others: I draw 2", "Wren#Replace: Envy", "Jay#Replace: Any space")),
        hands=CARDS,
        held=("add-1 add-2 gossip greed", "add-5 fear", "add-4 pride"),
    ),
    "2, one who is picked": Visit(
        *(2, ("Jay", "Those picked: I draw 1", "Jay#Replace: Pride")),
        hands=CARDS,
        held=("add-1 add-2 add-4", "envy fear", "add-5 any"),
    ),
    "2, not the lander": Visit(
        *(2, ("All the others: I draw 2", "Wren#Replace: Fear", "Jay#Replace: Pride")),
        hands=("", *CARDS[1:]),
        held=("gossip greed", "add-5 envy", "add-4 any"),
    ),
    "2, nobody else": Visit(*(2, ("Robin#Replace: Add 1",)), hands=(CARDS[0], "", ""), held=("add-2 add-5", "", "")),
    "3, all the others": Visit(3, ("All the others",), (120, 117, 102), dice="111 666"),
    "3, one who is picked": Visit(3, ("Jay", "Those picked"), (120, 120, 108), DRAWN_ONE, dice="264"),
    "4, all the others": Visit(4, ("All the others",), (120, 105, 105)),
    "4, one who is picked": Visit(4, ("Wren", "Those picked"), (120, 105, 120), DRAWN_ONE),
    "5, not the lander": Visit(
        5, ("Jay: I draw 2", "Jay>to_denial"), (120, 120, 95), markers=("", "envy fear", "greed denial")
    ),
    "5, only one other": Visit(5, (), (120, 120, 110), markers=("", "", "greed")),
    "6, all the others": Visit(6, ("All the others",), (120, 114, 105), dice="123 456"),
    "6, one who is picked": Visit(6, ("Wren", "Those picked"), (120, 117, 120), DRAWN_ONE, dice="111"),
    "7, all the others": Visit(7, ("All the others",), (120, 100, 100)),
    "8, not the lander": Visit(8, ("Wren: I draw 4", "Wren>to_denial"), held=DRAWN_FOUR, markers=(ALL_TWELVE, "", "")),
    "8, only one other": Visit(8, ("Jay>to_fear",), held=DRAWN_FOUR, markers=(ALL_TWELVE, ALL_TWELVE, "")),
}


async def test_corners_among_three(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    """CH-C0 to CH-C8: several do it, one who is picked does, and the lander can't."""
    people = {name: parlour.sandbox.person(name) for name in PEOPLE}
    message = await opened(parlour, *people.values())
    game = Game(parlour, message, await parlour.table(), monkeypatch)
    for case, visit in AMONG_THREE.items():
        square, track = ROLLS[visit.corner]
        seats = [f"120@{0 if seat else square} {marks}" for seat, marks in enumerate(visit.markers)]
        await game.at(at(*seats, hands=visit.hands, top="add-5 add-4 gossip greed"), track + visit.dice)
        for press in ("Roll", *visit.presses):
            await pressed(game, people, press)
        state = await game.state()
        held = tuple(" ".join(sorted(hand(state, seat).split())) for seat in range(3))
        assert (case, left(state), held) == (case, visit.left, visit.held)
        assert (case, state.public.turn, state.public.stage) == (case, 0, Stage.FREE)


async def pressed(game: Game, people: Mapping[str, Person], press: str) -> None:
    """Press what a visit says."""
    name, kind, what = re.split("([>#])", press) if re.search("[>#]", press) else ("Robin", "", press)
    if kind == ">":
        await game.choose(people[name], what)
    elif kind == "#":
        await game.parlour.press(people[name], await game.hand_of(people[name]), what)
    else:
        await game.press(people[name], what)


async def test_cards_are_replaced_at_the_second_corner(game: Game) -> None:
    """CH-C2: in the own hand, and nobody is asked where nobody holds a card."""
    robin, wren = game.parlour.robin, game.parlour.wren
    await game.at(at("120@0", "120@0"), "13")
    await game.press(robin, "Roll")
    assert (await game.state()).public.stage is Stage.FREE

    await game.at(at("120@0", "120@0", hands=["greed any", "fear envy"], top="add-1"), "13")
    await game.press(robin, "Roll")
    await game.press(robin, "I do it: replace a message card")
    own = await game.hand_of(robin)
    await game.parlour.press(robin, own, "Replace: Greed")
    assert hand(await game.state()) == "add-1 any"

    await game.at(at("120@0", "120@0", hands=["greed any", "fear envy"], top="add-1 add-2"), "13")
    await game.press(robin, "Roll")
    await game.press(robin, "Wren: I draw 1 card")
    theirs = await game.hand_of(wren)
    await game.parlour.press(wren, theirs, "Replace: Fear")
    state = await game.state()
    assert (hand(state), hand(state, 1)) == ("add-2 greed any", "add-1 envy")


async def test_every_other_space_is_played(game: Game) -> None:
    """CH-S1 to CH-S6 and CH-4."""
    robin = game.parlour.robin
    cases = {
        "Start": (at("120@27", "120@0"), "41", (120, 120), 0, 1, 1),
        "Take a Rest": (at("120@11", "120@0"), "41", (120, 120), 0, 1, 1),
        "doubles": (at("120@11", "120@0"), "44", (120, 120), 0, 1, 1),
        "Emotional": (at("120@9", "120@0"), "41 43", (140, 120), 21, 0, 0),
        "Humility": (at("120@3", "110@0"), "41", (110, 110), 8, 0, 0),
        "Arrogance": (at("120@19", "110@0"), "41 123", (120, 116), 24, 0, 0),
        "Backslide": (at("120@17", "120@0"), "41", (120, 120), 22, 0, 0),
        "Start, with a full hand": (at("120@27", "120@0", hands=[FULL]), "41", (120, 120), 0, 5, 1),
        "Take a Rest, with a full hand": (at("120@11", "120@0", hands=[FULL]), "41", (120, 120), 0, 5, 1),
        "Emotional, then doubles": (at("120@9", "120@0"), "41 33", (120, 120), 0, 1, 1),
        "Humility for another": (at("110@3", "120@0"), "41", (110, 110), 8, 0, 0),
        "Humility for both": (at("120@3", "120@0"), "41", (110, 110), 8, 0, 0),
        "Arrogance for another": (at("120@19", "50@0"), "41 123", (120, 56), 24, 0, 0),
        "Arrogance for both": (at("50@19", "50@0"), "41 123 456", (56, 65), 24, 0, 0),
        "Backslide, with one card": (at("120@17", "120@0", hands=["greed"]), "41", (120, 120), 22, 1, 0),
    }
    for name, (state, dice, expected, there, held, turn) in cases.items():
        await game.at(state, dice)
        await game.press(robin, "Roll")
        after = await game.state()
        found = (left(after), stands(after), len(after.hands[0]), after.public.turn)
        assert (name, found) == (name, (expected, there, held, turn))


async def test_backslide_asks_in_the_hand_which_card_is_kept(game: Game) -> None:
    """CH-S6."""
    robin = game.parlour.robin
    await game.at(at("120@17", "120@0", hands=["greed any add-1"]), "41")
    await game.press(robin, "Roll")
    own = await game.hand_of(robin)
    await game.parlour.press(robin, own, "Keep: Greed")
    assert hand(await game.state()) == "greed"
    assert "1 of 5 cards" in own.text


async def test_every_kind_of_card_is_played_from_the_hand(game: Game) -> None:
    """CH-7, CH-M3 and CH-M4."""
    robin = game.parlour.robin

    async def after(state: State, *labels: str) -> State:
        await game.at(state)
        own = await game.hand_of(robin)
        for label in labels:
            if label.startswith(">"):
                await robin.select(own, own.selects[0].custom_id, [label[1:]])
            else:
                await game.parlour.press(robin, own, label)
        return await game.state()

    def free(*cards: str, seat: str = "125@5", missing: int = 0, travel: bool = True) -> State:
        return at(seat, "120@0", hands=[" ".join(cards)], stage=Stage.FREE, missing=missing, travel=travel)

    for points in range(1, 6):
        assert markers(await after(free(f"add-{points}", missing=points), f"Add {points}")) == "desires"
    for most in range(1, 4):
        state = free(f"replace-{most}", "greed", "envy", "fear", travel=False)
        picked = ("Greed", "Envy", "Fear")[:most]
        choices = (*picked, "Replace these") if most > 1 else ("Replace 1: Greed",)
        gone = hand(await after(state, f"Replace {most}", *choices))
        assert not {each.casefold() for each in picked} & set(gone.split())
    for key in (space.name for space in CONTENT.board.spaces if space.set):
        where = "125@3" if key == "Desires" else "125@5"
        assert markers(await after(free(key.casefold(), seat=where), f"{key} with a marker")) == key.casefold()
    assert markers(await after(free("any"), ">go_denial_any")) == "denial"
    assert markers(await after(free("any"), "✓ Place a marker", ">go_denial_any")) == ""
    own = await after(free("greed", seat="125@5 greed"), "Greed: release 10")
    assert left(own) == (115, 120)


async def test_cards_that_can_not_be_played_are_not_offered(game: Game) -> None:
    """CH-7, CH-M2, CH-M3 and CH-M4: and whoever types them is told why."""
    robin, here = game.parlour.robin, game.parlour.here
    cases = {
        "add 3": (at("125@5", "120@0", hands=["add-3"], stage=Stage.FREE), "only after a challenge that has failed"),
        "replace 2": (at("125@5", "120@0", hands=["replace-2"], stage=Stage.FREE), "never played alone"),
        "greed": (at("125@5", "120@0", hands=["greed"], stage=Stage.FREE, travel=False), "Only one option move"),
        "any fear": (at("125@5", "120@0", hands=["any"]), "roll first"),
        "envy": (at("125@5", "120@0", hands=["any", "envy"], turn=1, stage=Stage.FREE), "turn"),
    }
    for typed, (state, sentence) in cases.items():
        await game.at(state)
        own = await game.hand_of(robin)
        assert [button.label for button in own.buttons] == ["Look again"], typed
        assert own.selects == []
        answer = await robin.slash(here, "change card", play=typed)
        assert answer.ephemeral
        assert sentence in answer.text, typed


async def test_a_space_card_lets_others_release_too(game: Game) -> None:
    """CH-M4, CH-5."""
    robin = game.parlour.robin
    await game.at(at("120@5", "120@0 denial", hands=["denial"], stage=Stage.FREE))
    await game.parlour.press(robin, await game.hand_of(robin), "Denial with a marker")
    state = await game.state()
    assert (left(state), markers(state)) == ((145, 95), "denial")


async def test_a_turn_by_commands(game: Game) -> None:
    robin, here = game.parlour.robin, game.parlour.here
    await game.at(at("120@0", "120@0", hands=["add-2 any greed"]), "41 412 41 3 111 11 1")
    for command, options in (
        ("change roll", {}),
        ("change challenge", {}),
        ("change card", {"play": "Add 2"}),
        ("change option", {"space": "Habits"}),
        ("change done", {}),
    ):
        answer = await robin.slash(here, command, **options)
        assert answer.ephemeral
        assert "Done" in answer.text, (command, answer.text)
    state = await game.state()
    assert (markers(state), left(state), state.public.turn) == ("desires", (130, 120), 1)


async def test_corners_by_command_and_names(game: Game) -> None:
    robin, wren, here = game.parlour.robin, game.parlour.wren, game.parlour.here
    await game.at(at("120@0", "120@0"), "12")
    await robin.slash(here, "change roll")
    suggested = await robin.complete(here, "change choose", {"what": ""}, focused="what")
    assert [(each.name, each.value) for each in suggested] == [("myself", "myself"), ("Wren", "1")]
    assert await wren.complete(here, "change choose", {"what": ""}, focused="what") == []
    await robin.slash(here, "change choose", what="wren")
    assert left(await game.state()) == (120, 110)


async def test_cards_are_suggested_to_whoever_holds_them_alone(game: Game) -> None:
    robin, wren, here = game.parlour.robin, game.parlour.wren, game.parlour.here
    await game.at(at("120@0", "120@0", hands=["greed"], stage=Stage.FREE))
    mine = await robin.complete(here, "change card", {"play": ""}, focused="play")
    assert [each.value for each in mine] == ["greed place", "greed"]
    assert await wren.complete(here, "change card", {"play": ""}, focused="play") == []
    spaces = await robin.complete(here, "change option", {"space": "de"}, focused="space")
    assert [each.value for each in spaces] == ["desires", "denial"]


async def test_a_hand_by_command_is_seen_by_its_owner_alone(game: Game) -> None:
    robin, wren, here = game.parlour.robin, game.parlour.wren, game.parlour.here
    await game.at(at("120@0", "120@0", hands=["greed", "fear"]))
    mine, theirs = [await who.slash(here, "change hand") for who in (robin, wren)]
    assert mine.ephemeral
    assert "**Greed**" in mine.text
    assert "**Fear**" not in mine.text
    assert "**Fear**" in theirs.text
    assert mine.replies[0] not in wren.sees(here)


async def play_on(parlour: Parlour, message: Message, table_id: int, most: int = 200) -> Table:
    """Let everybody choose what comes last in a menu, or first among the buttons, until the game is over."""
    for _ in range(most):
        await parlour.settled()
        table = await parlour.client.host.service.table(table_id)
        if table.header.status is not Status.PLAYING:
            return table
        assert table.mover is not None
        who = parlour.sandbox.person(table.mover.name)
        stage = table.state.public.stage
        if stage in (Stage.SWAP, Stage.KEEP):
            own = (await parlour.press(who, message, "My hand")).replies[0]
            answer = await parlour.press(who, own, ": ")
        elif stage in (Stage.PLACE, Stage.RETURN) or (stage is Stage.FREE and message.selects):
            select = message.selects[0]
            answer = await who.select(message, select.custom_id, [select.options[-1]["value"]])
        else:
            # Whoever presses the first button at a corner may pick somebody, and take it back with the next press.
            made = (button.label for button in message.buttons if stage is not Stage.CORNER or ": " in button.label)
            answer = await parlour.press(who, message, next(made))
        assert not answer.ephemeral, answer.text
    raise AssertionError("the game does not end")


async def test_a_whole_game_is_played_by_buttons_and_logged_without_cards(
    parlour: Parlour, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="bot"):
        message = await opened(parlour, parlour.robin, parlour.wren, parlour.jay, credits=20)
        finished = await play_on(parlour, message, (await parlour.table()).id)
    assert finished.outcome is not None
    winner = finished.seats[finished.outcome.winners[0]].name
    assert winner in message.embeds[0]["title"]
    assert "win" in message.embeds[0]["title"]
    assert not re.search(r"add-\d|replace-\d", caplog.text)


async def test_a_person_plays_a_computer(parlour: Parlour) -> None:
    message = await opened(parlour, parlour.robin, credits=20)
    table = await parlour.table()
    for _ in range(300):
        await parlour.sandbox.until(
            lambda: "Robin" in message.embeds[0]["title"] or "win" in message.embeds[0]["title"]
        )
        if "win" in message.embeds[0]["title"]:
            break
        await parlour.settled()
        now = await parlour.client.host.service.table(table.id)
        if now.header.status is Status.PLAYING and not now.header.awaits_computer:
            moves = [str(move) for move in now.package.game.moves(now.state)]
            await parlour.robin.slash(parlour.here, *command_for(moves[-1])[:1], **command_for(moves[-1])[1])
    finished = await parlour.client.host.service.table(table.id)
    assert finished.header.status is Status.FINISHED
    assert finished.outcome is not None


def command_for(move: str) -> tuple[str, dict[str, str]]:
    """Return the command that makes a move."""
    verb, _, rest = move.partition(" ")
    if verb in ("replace", "keep", "choose"):
        return "change choose", {"what": rest}
    names = {"option": "space", "card": "play"}
    return f"change {verb}", {names[verb]: rest} if verb in names else {}


async def test_a_tournament_goes_on_at_a_table_of_its_own(game: Game) -> None:
    robin, wren = game.parlour.robin, game.parlour.wren
    await game.parlour.client.host.service.cancel(game.table_id, Known(robin.id, robin.name), is_moderator=True)
    message = game.message = await opened(game.parlour, robin, wren, games=2)
    table = await game.parlour.table()
    game.table_id = game.scene.table_id = table.id
    await game.at(at("5@0 desires", "70@0", options=ChangeOptions(games=2)), "41")
    await game.press(robin, "Roll")
    await game.parlour.settled()
    assert "Tournament · game 1 of 2" in message.text
    await game.parlour.press(wren, message, "Next game: 2 of 2")
    await game.parlour.settled()
    second = await game.parlour.table()
    assert second.header.link is not None
    assert (second.header.link.first_id, second.header.link.carried) == (table.id, (0, 70))
    lobby = next(each for each in game.parlour.here.messages if each.id == second.header.message_id)
    assert [button.label for button in lobby.buttons] == ["Start", "How to play"]
    await game.parlour.press(wren, lobby, "Start")
    await game.parlour.sandbox.until(lambda: "to roll" in lobby.text)
    assert "🥈 🟧 Wren · **70**" in lobby.text
    game.message, game.table_id, game.scene.table_id = lobby, second.id, second.id
    await game.at(at("90@0", "5@0 desires", options=ChangeOptions(games=2)), "41")
    await game.press(robin, "Roll")
    await game.parlour.settled()
    assert "Change · Wren wins!" in lobby.text
    assert "final tally after game 2 of 2" in lobby.text
    assert "🏆 Wren wins the tournament." in lobby.text
    assert "🥈 🟦 Robin · **95**" in lobby.text
    assert "Next game" not in [button.label for button in lobby.buttons]


async def test_a_tie_is_broken_at_a_table_of_its_own(game: Game) -> None:
    robin, wren = game.parlour.robin, game.parlour.wren
    await game.at(at("5@0 desires", "5@0 desires"), "41")
    await game.press(robin, "Roll")
    await game.parlour.settled()
    assert "Robin and Wren share the win" in game.message.text
    await game.parlour.press(wren, game.message, "Tie-break")
    await game.parlour.settled()
    table = await game.parlour.table()
    assert table.header.link is not None
    assert table.header.link.kind is LinkKind.TIE_BREAK
    assert '"credits":50' in table.header.options
