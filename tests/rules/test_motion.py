"""When the pieces of a picture move, and that none leaves its area."""

from dataclasses import replace

import pytest

from bot.rules.motion import Motion, MovingPiece, Step, tumble
from bot.rules.picture import ColourRole, Picture, Rect, Sprite

AREA = Rect(40, 20, 183, 200)
LOOKS = tumble(AREA, 0, range(6), lambda face, at, turn: [Sprite(f"face-{face}", at, ColourRole.PAPER, turn)])


def make_motion(pieces: int, *, is_moment: bool, staging: int = 0, looks: int = len(LOOKS)) -> Motion:
    empty = Picture((1000, 600), (), (), "nothing")
    return Motion(empty, (MovingPiece(AREA, LOOKS[:looks], ()),) * pieces, (empty,) * staging, is_moment)


def looks_of(piece: int, steps: list[Step]) -> list[int | None]:
    return [step.look for step in steps if step.piece == piece]


@pytest.mark.parametrize("pieces", range(1, 9))
def test_a_roll_takes_half_a_second_and_a_moment_about_one(pieces: int) -> None:
    assert 0.4 <= make_motion(pieces, is_moment=False).seconds <= 0.65
    assert 0.9 <= make_motion(pieces, is_moment=True, staging=2).seconds <= 1.4


@pytest.mark.parametrize("is_moment", [False, True])
@pytest.mark.parametrize("pieces", range(1, 9))
def test_pieces_keep_moving_until_they_rest_one_after_another(pieces: int, *, is_moment: bool) -> None:
    steps = list(make_motion(pieces, is_moment=is_moment).steps())
    assert [step.piece for step in steps if step.look is None] == list(range(pieces))
    for piece in range(pieces):
        *moving, rest = looks_of(piece, steps)
        assert rest is None
        assert moving == [(piece + at) % len(LOOKS) for at in range(1, len(moving) + 1)]


def test_the_last_piece_of_a_moment_moves_alone_for_almost_half_a_second() -> None:
    steps = make_motion(8, is_moment=True).steps()
    others = max(at for at, step in enumerate(steps) if step.piece != 7)
    alone = [step.milliseconds for step in steps[others + 1 :] if step.look is not None]
    assert 400 <= sum(alone) < 500


def test_a_card_turns_over_once() -> None:
    steps = list(make_motion(1, is_moment=False, looks=4).steps())
    assert looks_of(0, steps) == [1, 2, 3, None]


@pytest.mark.parametrize("cards", range(2, 12))
def test_cards_turn_over_one_after_another(cards: int) -> None:
    motion = replace(make_motion(cards, is_moment=False, looks=4), in_turn=True)
    assert [motion.first_look(place) for place in range(cards)] == [0] * cards
    assert [(step.piece, step.look) for step in motion.steps()] == [
        (place, look) for place in range(cards) for look in (1, 2, 3, None)
    ]
    assert 0.4 <= motion.seconds <= 1
    assert replace(motion, is_moment=True).seconds <= 1.4


def test_a_tumbling_die_stays_in_its_area_and_its_neighbour_shows_other_faces() -> None:
    marks = [mark for look in LOOKS for mark in look]
    assert all(AREA.contains(mark.bounds) for mark in marks if isinstance(mark, Sprite))
    beside = tumble(AREA, 1, range(6), lambda face, at, turn: [Sprite(f"face-{face}", at, ColourRole.PAPER, turn)])
    assert all(one != other for one, other in zip(LOOKS, beside, strict=True))
