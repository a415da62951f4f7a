"""Finds things in pictures of The Magic Bag."""

from collections.abc import Mapping, Sequence

from bot.games.magic_bag.picture.composition import build_picture
from bot.games.magic_bag.pieces import GameEvent, State
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from tests.games.magic_bag.positions import play_move
from tests.support.picture_checks import covered_area, find_flaws

FAR: Mapping[int, str] = {9: "sun-4 moon-4 crown-4 arms-4"}
ROWS: Mapping[int, str] = {2: "sun-5", 3: "crown-2 arms-null", **FAR}
SUITS = ("sun", "moon", "crown", "arms")


def draw(state: State, events: Sequence[GameEvent] = ()) -> Picture:
    made = build_picture(state, events)
    assert list(find_flaws(made)) == []
    return made


def draw_after(state: State, move: str, *script: int | str) -> Picture:
    """Draw the picture after a move."""
    return draw(*play_move(state, move, *script))


def sprites(made: Picture, *names: str) -> list[Sprite]:
    return [mark for mark in made.marks if isinstance(mark, Sprite) and mark.name.removeprefix("magic_bag/") in names]


def labels(made: Picture) -> list[Label]:
    return [mark for mark in made.iter_marks() if isinstance(mark, Label)]


def texts(made: Picture) -> list[str]:
    return [label.text for label in labels(made)]


def boxes(made: Picture, *, fill: ColourRole | None = None, edge: ColourRole | None = None) -> list[Rect]:
    found = [mark for mark in made.marks if isinstance(mark, Box)]
    return [box.at for box in found if box.fill is fill and box.border is edge]


def texts_within(made: Picture, at: Rect) -> list[str]:
    """Return what is written in a part of the picture, from left to right."""
    return [
        label.text for label in sorted(labels(made), key=lambda each: each.at.x) if at.contains(covered_area(label))
    ]


def pieces_within(made: Picture, at: Rect) -> list[str]:
    """Return the pieces that lie in a part of the picture, from left to right."""
    signs = sorted((sign for sign in sprites(made, *SUITS) if at.contains(sign.at)), key=lambda sign: sign.at.x)
    return [_texts_beside(made, sign) for sign in signs]


def _texts_beside(made: Picture, sign: Sprite) -> str:
    line = [label for label in labels(made) if label.at.x >= sign.at.right - 4 and _share_a_line(label, sign)]
    return f"{sign.name.removeprefix('magic_bag/')}-{min(line, key=lambda label: label.at.x).text}"


def _share_a_line(one: Mark, other: Mark) -> bool:
    return abs(one.at.y + one.at.height // 2 - other.at.y - other.at.height // 2) <= 3


def brackets(made: Picture) -> list[Rect]:
    """Return what is in brackets."""
    corners = sprites(made, "bracket")
    upper, lower = [each for each in corners if each.rotation == 0], [each for each in corners if each.rotation == 180]
    return [
        Rect(first.at.x, first.at.y, last.at.right - first.at.x, last.at.bottom - first.at.y)
        for first, last in zip(upper, lower, strict=True)
    ]


def dice(made: Picture) -> list[str]:
    return [each for die in sprites(made, "die") for each in pieces_within(made, die.at)]


def row(number: int) -> Rect:
    """Return the area of a row with what it brings; the rows are from top to bottom, the longest last."""
    right = 248 if number <= 2 else 344 if number <= 4 else 440 if number <= 6 else 536
    return Rect(0, 14 + 78 * (number - 1), right, 76)


def framed_rows(made: Picture) -> list[int]:
    frames = boxes(made, edge=ColourRole.MARK)
    return [number for number in range(1, 10) if any(row(number).contains(frame) for frame in frames)]
