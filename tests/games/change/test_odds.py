"""The odds that hints tell, counted a second time: of a challenge, and of coming to a space that a set lacks."""

from collections.abc import Iterator
from itertools import chain, product, repeat

import pytest

from bot.games.change.pieces import CHALLENGE_ODDS, CHALLENGE_TARGET, State
from bot.games.change.study import chance_of_landing, chance_of_success, lacking_spaces
from tests.games.change.positions import BOARD, GAME, at, cards, spaces
from tests.support.each_case import each_case


@each_case(
    "markers, lacking",
    [
        ("", ""),
        ("greed gossip", "envy"),
        ("greed gossip desires excuses", "habits envy"),
        ("greed gossip envy", ""),
    ],
)
def test_a_set_lacks_one_space_if_the_others_have_markers(markers: str, lacking: str) -> None:
    """CH-11."""
    assert set(lacking_spaces(BOARD, spaces(markers))) == {BOARD.space_by_key[key] for key in lacking.split()}


def test_no_marker_completes_a_set_once_all_are_placed() -> None:
    """CH-9."""
    twelve = "habits excuses greed gossip vanity anger worry doubt resentment blame denial control"
    assert lacking_spaces(BOARD, spaces(twelve)) == ()
    assert len(lacking_spaces(BOARD, spaces(twelve.removesuffix(" control")))) == 5


@each_case("hand, points", [("", 0), ("add-1 add-2 greed", 3), ("any", 0)])
def test_a_challenge_succeeds_as_often_as_its_dice_and_add_cards_do(hand: str, points: int) -> None:
    """CH-6 and CH-7: every roll of six dice."""
    rolls = list(product(range(1, 7), repeat=6))
    enough = sum(max(roll[:3]) + max(roll[3:5]) + roll[5] + points >= CHALLENGE_TARGET for roll in rolls)
    assert chance_of_success(BOARD, cards(hand)) == pytest.approx(enough / len(rolls))
    assert points or enough / len(rolls) == pytest.approx(CHALLENGE_ODDS)


class Dice:
    """The dice of a track roll, and the lowest numbers for whatever else is drawn."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self._numbers: Iterator[int] = chain((face - 1 for face in faces), repeat(0))

    def randbelow(self, _n: int, /) -> int:
        return next(self._numbers)


def reached(state: State, faces: tuple[int, ...]) -> int:
    """Return where the Ragz of the first seat is after a track roll."""
    (move,) = GAME.legal_moves(state)
    return GAME.play(state, 0, move, Dice(faces))[0].public.ragz_spaces[0]


@each_case("start", [0, 7, 12, 27])
def test_a_track_roll_leads_to_each_challenge_space_as_often_as_the_rules_let_it(start: int) -> None:
    """CH-3, CH-4 and CH-S3: an Emotional rolls once more, which is why two rolls are looked at."""
    state = at(f"120@{start}", "120@0")
    rolls = [(*first, *second) for first, second in product(product(range(1, 7), repeat=2), repeat=2)]
    counts = [0] * len(BOARD.spaces)
    for faces in rolls:
        counts[reached(state, faces)] += 1
    for space in BOARD.challenge_spaces:
        assert chance_of_landing(BOARD, start, [space]) == pytest.approx(counts[space] / len(rolls))
    assert chance_of_landing(BOARD, start, []) == 0
