"""What is worth noticing in each game, how much, and whom it concerns."""

import re
from collections.abc import Sequence
from typing import Any

from bot.games.change import pieces as change
from bot.games.fortune import pieces as fortune
from bot.games.fortune.pieces import Card, CardKind, Ending, Face, Turn
from bot.games.houdinis_baggage import pieces as baggage
from bot.games.houdinis_baggage.cards import Assignment, Bonus, BonusKind
from bot.games.houdinis_baggage.pieces import BaggageEnd
from bot.games.magic_bag.pieces import MagicBagEnd, RowTaken
from bot.games.magpie.pieces import Combination, Rolled, TargetReached
from bot.rules.game import Event
from bot.rules.picture import Mark, Sprite
from bot.rules.story import Highlight
from tests.games.change.positions import GAME as CHANGE_GAME, at as change_at
from tests.games.fortune.positions import at as fortune_at, worth
from tests.games.houdinis_baggage.positions import at as baggage_at, player as baggage_player
from tests.games.magic_bag.positions import at as bag_at, pieces, play_move
from tests.games.magpie.positions import at as magpie_at
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.picture_checks import faces_of_dice

GAMES = load_games_once()
VIEWS: dict[str, Any] = {
    "magpie": magpie_at("11162 98/104 0 1"),
    "fortune": fortune_at("gold", scores="7900/8200", mover=0, crosser=1),
    "houdinis_baggage": baggage_at(baggage_player("1"), baggage_player("3", "14")),
    "change": CHANGE_GAME.view(change_at("120@5", "60@0"), None),
}
"""A position of each game, as everyone sees it."""


def highlight_of(key: str, events: Sequence[Event]) -> Highlight | None:
    narration = GAMES[key].words.narration
    assert narration is not None
    return narration.highlight(VIEWS[key], events)


def numbers_in(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text.replace(",", ""))))


def roll(points: int, combination: Combination | None = Combination.FULL_HOUSE) -> Rolled:
    return Rolled(0, (1,), (1, 1, 1, 1, 1), (2, 2, 3, 3, 3), combination, points)


def turn_ended(points: int, ending: Ending = Ending.STOPPED, *, dice: str = "", toll: int = 0) -> fortune.TurnEnded:
    faces = tuple(Face("KMPSGD".index(letter)) for letter in dice)
    return fortune.TurnEnded(0, Turn(Card(CardKind.SORCERESS), faces), ending, points, toll)


def completed(*points: int) -> baggage.TurnPlayed:
    cards = (Assignment(number, worth, (), Bonus(BonusKind.MOVE)) for number, worth in enumerate(points))
    return baggage.TurnPlayed(0, tuple(cards), ())


DIED = Ending.DISQUALIFIED


@each_case(
    "key, event, expected",
    [
        ("magpie", roll(13), None),
        ("magpie", roll(14), ((14,), 2, True)),
        ("magpie", roll(20), ((20,), 3, True)),
        ("magpie", roll(3, Combination.FIVE_OF_A_KIND), ((3,), 3, True)),
        ("magpie", TargetReached(0), ((104,), 3, True)),
        ("fortune", turn_ended(900), None),
        ("fortune", turn_ended(1000), ((1000,), 2, True)),
        ("fortune", turn_ended(2000), ((2000,), 3, True)),
        ("fortune", turn_ended(0, DIED, dice="KKKMPSMP"), ((0,), 2, False)),
        ("fortune", turn_ended(0, DIED, dice="KKKMMMPS"), ((worth("sorceress", "KKKMMMPS"),), 2, False)),
        ("fortune", turn_ended(0, DIED, dice="KKKGGGGG"), ((worth("sorceress", "KKKGGGGG"),), 3, False)),
        ("fortune", turn_ended(-500, DIED, dice="KKKMPSMP"), ((500,), 2, False)),
        ("fortune", turn_ended(400, DIED, dice="KKKMMMMP"), None),
        ("fortune", turn_ended(0, Ending.ISLAND), None),
        ("fortune", turn_ended(0, Ending.ISLAND, toll=600), ((600,), 3, True)),
        ("fortune", fortune.Sailed(0, 5), ((5,), 2, True)),
        ("fortune", fortune.LineCrossed(0), ((8200,), 3, True)),
        ("houdinis_baggage", baggage.CardKept(0, 1, (2,)), ((1,), 2, False)),
        ("houdinis_baggage", baggage.CardKept(0, 1, (2, 3)), ((2,), 2, False)),
        ("houdinis_baggage", completed(4), None),
        ("houdinis_baggage", completed(4, 1), ((5,), 2, True)),
        ("houdinis_baggage", completed(4, 4), ((8,), 3, True)),
        ("houdinis_baggage", baggage.LastRound(0, BaggageEnd.TARGET_REACHED), ((6,), 3, True)),
        ("change", change.TrackRolled(0, (3, 3), 0), ((3, 3), 2, False)),
        ("change", change.TrackRolled(0, (3, 4), 7), None),
        ("change", change.MarkerPlaced(0, 5, fills_set=True), ((2,), 3, True)),
        ("change", change.MarkerPlaced(0, 5, fills_set=False), None),
        ("change", change.Landed(1, 5, (-25, 25)), None),
        ("change", change.Landed(0, 5, (-17, 17)), None),
        ("change", change.Landed(0, 5, (-18, 18)), ((18,), 2, True)),
        ("change", change.Released(0, 30, 27, ()), ((30,), 3, True)),
    ],
)
def test_a_move_is_as_heavy_as_what_it_brings(key: str, event: Event, expected: object) -> None:
    highlight = highlight_of(key, [event])
    assert (highlight and (numbers_in(highlight.number), *highlight[2:4])) == expected


@each_case(
    "key, event, art",
    [
        ("magpie", roll(15), "2 2 3 3 3"),
        ("magpie", Rolled(0, (1,), (1,) * 5, (4, 2, 4, 4, 1), Combination.THREE_OF_A_KIND, 15), "4 4 4"),
        (
            "magpie",
            Rolled(0, (1, 2, 3, 4, 5), (1,) * 5, (5, 3, 4, 2, 1), None, 15),
            "1 2 3 4 5",
        ),
        ("fortune", turn_ended(0, DIED, dice="KKKMPSMP"), "skull skull skull"),
        ("fortune", turn_ended(1000, dice="KMMPPPSG"), "parrot parrot parrot"),
        ("fortune", fortune.Sailed(0, 4), "skull skull skull skull"),
        ("fortune", turn_ended(0, Ending.ISLAND, dice="KKKKKMPS", toll=600), "skull skull skull skull skull"),
    ],
)
def test_the_dice_or_cards_that_made_a_highlight_are_shown(key: str, event: Event, art: str) -> None:
    highlight = highlight_of(key, [event])
    assert highlight is not None
    assert [name_art(piece.marks) for piece in highlight.pieces] == art.split()


def name_art(marks: Sequence[Mark]) -> str:
    """Return the pips of an ordinary die, or else the name of the uppermost art."""
    for _die, face in faces_of_dice(marks):
        return str(face)
    return [mark.name for mark in marks if isinstance(mark, Sprite)][-1].split("/")[-1]


@each_case(
    "key, moves, art",
    [
        ("magpie", [roll(13), TargetReached(0)], "2 2 3 3 3"),
        ("fortune", [turn_ended(400, dice="KMMPPPSG"), fortune.LineCrossed(0)], "parrot parrot parrot"),
    ],
)
def test_what_began_the_last_round_is_shown(key: str, moves: Sequence[Event], art: str) -> None:
    highlight = highlight_of(key, moves)
    assert highlight is not None
    assert [name_art(piece.marks) for piece in highlight.pieces] == art.split()


def test_the_heaviest_event_of_a_move_is_its_highlight() -> None:
    assert highlight_of("magpie", [roll(15), TargetReached(0)]) == highlight_of("magpie", [TargetReached(0), roll(15)])


def test_the_magic_bag_weighs_the_change_of_the_treasure() -> None:
    narration = GAMES["magic_bag"].words.narration
    assert narration is not None
    state, events = play_move(
        bag_at({1: "sun-5 arms-5"}, "1111", coins="crown-null moon-3"), "discard crown-null", "1111"
    )
    assert narration.highlight(state, events) is None
    (coin,) = pieces("moon-null")
    complete = bag_at({1: "sun-5 arms-5"}, "1111", coins="moon-null moon-ace moon-2 moon-3 moon-4 moon-5")
    artifact = narration.highlight(complete, [RowTaken(2, pieces("sun-5 arms-5"), (), (coin,))])
    assert artifact is not None
    assert (artifact.number, artifact.weight, len(artifact.pieces)) == ("+60", 3, 2)
    grown = bag_at({1: "sun-5 arms-5"}, "1111", coins="arms-ace arms-2 arms-3 arms-4")
    treasure = narration.highlight(grown, [RowTaken(2, pieces("sun-5 arms-5"), (), pieces("arms-4"))])
    assert treasure is not None
    assert (treasure.number, treasure.weight) == ("+40", 2)
    taken = RowTaken(2, pieces("sun-5 arms-5 moon-2"), (), ())
    cleared = narration.highlight(state._replace(end=MagicBagEnd.LAST_ROW), [taken])
    assert cleared is not None
    assert (cleared.number, cleared.weight, len(cleared.pieces)) == ("10", 3, 3)


@each_case(
    "key, seat, events, expected",
    [
        ("change", 0, [change.Landed(1, 30, (-25, 25))], (25,)),
        ("change", 1, [change.Landed(1, 30, (-25, 25))], (25,)),
        ("change", 2, [change.Landed(1, 30, (-25, 25, 0))], ()),
        (
            "change",
            0,
            [change.Landed(1, 30, (-25, 25)), change.Released(0, 10, 8, ()), change.Landed(1, 30, (-25, 0))],
            (60,),
        ),
        (
            "change",
            0,
            [*(change.Landed(1, space, (-25, 25)) for space in (29, 30, 31)), change.Received(0, 24, (1, 2, 3))],
            (69, 2),
        ),
        ("fortune", 1, [turn_ended(0, Ending.ISLAND, toll=600)], (600,)),
        ("fortune", 0, [turn_ended(500, Ending.ISLAND, toll=600)], ()),
        ("magpie", 0, [roll(15)], ()),
    ],
)
def test_what_others_changed_for_a_seat_and_where(
    key: str, seat: int, events: list[Event], expected: tuple[int, ...]
) -> None:
    narration = GAMES[key].words.narration
    assert narration is not None
    assert numbers_in(narration.change_of(VIEWS[key], seat, events)) == expected
