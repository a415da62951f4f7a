"""A result, the same for every game: a podium or the score of a solo game, and the alternative text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from bot.rules.components import FRAME_WIDTH, name_labels, token_marks
from bot.rules.game import Seat
from bot.rules.grades import Grade
from bot.rules.package import ScoreKind
from bot.rules.picture import MIN_TEXT_SIZE, Align, Box, ColourRole, Label, Mark, Rect, Sprite
from bot.rules.race import Race
from bot.rules.seat_rows import Badge
from bot.tables.shown.words import level_name
from bot.words import format_number, gettext as _, ngettext

PODIUM_HEIGHT: Final = 326
SOLO_HEIGHT: Final = 196
_NAME_HEIGHT: Final = 40
_STEP_SHARES: Final = (1.0, 0.81, 0.66)
"""The heights of the first three places."""
_LOW_STEP: Final = 84
_ABOVE_STEP: Final = 164
"""The height of what stands on a step: name, token and crown."""
_WIDEST_STEP, _GAP, _SMALL_GAP, _MANY_SEATS = 250, 12, 6, 5
_SCORE_SIZES, _SOLO_SIZES = (38, 34, 30, 26), (84, 72, 60, 48, 36)
_CHARACTER_WIDTH: Final = 0.58
"""The usual width of a bold character, as a share of its size."""

_NO_SCORES_YET: Final = 2


@dataclass(frozen=True, slots=True)
class FinalResult:
    """The result of a table."""

    title: str
    """The title of the game."""
    places: tuple[int, ...]
    scores: tuple[int, ...] | None
    """None if no one has scored, because resignations ended the game."""
    score_kind: ScoreKind
    race: Race = ()
    resigned: frozenset[Seat] = frozenset()
    names: tuple[str, ...] = ()
    """The names of the seats, or none."""
    ended_by_resignation: bool = False
    """Whether the scores say nothing about who has won."""
    grade: Grade | None = None
    """How good the score of a solo game is; None if that is not known."""

    @property
    def ranking(self) -> tuple[Seat, ...]:
        """The seats, the best first."""
        return tuple(sorted(range(len(self.places)), key=lambda seat: (self.places[seat], seat)))

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats in first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


def podium_marks(
    result: FinalResult, room: Rect, least_size: int = MIN_TEXT_SIZE, most_steps: int | None = None
) -> Iterator[Mark]:
    """Yield a step for each of the best seats at the bottom of an area, the best in the middle.

    Args:
        result: The result.
        room: The area.
        least_size: No text is smaller.
        most_steps: How many steps there are at most; None means one for each seat.
    """
    order = _from_the_middle(result.ranking[:most_steps])
    gap = _GAP if len(result.places) < _MANY_SEATS else _SMALL_GAP
    width = min(_WIDEST_STEP, (room.width - gap * (len(order) - 1)) // len(order))
    left = room.x + (room.width - len(order) * (width + gap) + gap) // 2
    for at, seat in enumerate(order):
        place = result.places[seat]
        share = _STEP_SHARES[place - 1] if place <= len(_STEP_SHARES) else 0.0
        height = max(_LOW_STEP, round(share * (room.height - _ABOVE_STEP)))
        step = Rect(left + at * (width + gap), room.bottom - height, width, height)
        yield from _step_marks(result, seat, step, least_size)


def _from_the_middle(ranked: Sequence[Seat]) -> list[Seat]:
    """Return seats with the first in the middle, the second on its left, the third on its right, and so on."""
    return [*ranked[1::2][::-1], *ranked[::2]]


def _step_marks(result: FinalResult, seat: Seat, step: Rect, least_size: int) -> Iterator[Mark]:
    """Yield the step of a seat with its token on top."""
    has_won = result.places[seat] == 1
    edge = ColourRole.GOLD if has_won else ColourRole.SURFACE_LINE
    yield Box(step, ColourRole.SURFACE_SHADE, edge, 14, FRAME_WIDTH if has_won else 3)
    name = Rect(step.x - 2, step.y - _NAME_HEIGHT - 4, step.width + 4, _NAME_HEIGHT)
    yield from name_labels(result.names, seat, name, align=Align.CENTRE)
    token = Rect(step.x + step.width // 2 - 36, name.y - 74, 72, 72)
    yield from token_marks(seat, token)
    if has_won:
        yield Sprite(Badge.CROWN.value, Rect(step.x + step.width // 2 - 27, token.y - 46, 54, 40))
    note = _("resigned") if seat in result.resigned else f"{result.places[seat]}."
    ink = ColourRole.SURFACE_TEXT if has_won else ColourRole.SURFACE_TEXT_FAINT
    if result.scores is None:
        yield Label(note, step.inset(8), ink, 34 if len(note) < 3 else least_size, bold=True)
        return
    score = Rect(step.x + 4, step.y + 6, step.width - 8, (step.height - 12) * 3 // 5)
    text = format_number(result.scores[seat])
    sizes = [size for size in _SCORE_SIZES if size >= least_size]
    yield Label(text, score, ColourRole.SURFACE_TEXT, fitting_size(text, score.width, sizes), bold=True)
    yield Label(note, Rect(score.x, score.bottom, score.width, step.bottom - 6 - score.bottom), ink, least_size)


def solo_marks(result: FinalResult, room: Rect, least_size: int = MIN_TEXT_SIZE) -> Iterator[Mark]:
    """Yield the score of the only seat at the top of an area, and how good it is, in 196 pixels of height or more.

    The name, which has more room elsewhere, is not part of it.
    """
    score = result.score_kind.format_score(result.scores[0]) if result.scores else ""
    at = Rect(room.x + 110, room.y + 10, room.width - 220, 104)
    size = fitting_size(score, at.width, _SOLO_SIZES)
    beside = min(at.width, round(len(score) * size * _CHARACTER_WIDTH)) // 2
    yield from token_marks(0, Rect(room.x + room.width // 2 - beside - 96, room.y + 28, 68, 68))
    if score:
        yield Label(score, at, ColourRole.SURFACE_TEXT, size, bold=True)
    if result.grade is None:
        return
    bar = Rect(room.x, room.y + 122, room.width, 26)
    yield Box(bar, ColourRole.SURFACE, ColourRole.SURFACE_LINE, 8, 3)
    if reached := (bar.width - 6) * result.grade.percent // 100:
        yield Box(Rect(bar.x + 3, bar.y + 3, reached, 20), ColourRole.GOLD, radius=min(5, reached // 2))
    at = Rect(room.x, bar.bottom + 4, bar.width, 38)
    for line in wrap(describe_grade(result.grade), 2 * bar.width // least_size):
        yield Label(line, at, ColourRole.SURFACE_TEXT_FAINT, least_size)
        at = at.shift(down=at.height)


def fitting_size(text: str, width: int, sizes: Sequence[int]) -> int:
    """Return the largest of some sizes at which a text fits, or the smallest."""
    return next((size for size in sizes if len(text) * size * _CHARACTER_WIDTH <= width), sizes[-1])


def describe_grade(grade: Grade) -> str:
    """Say how good a score is."""
    line = _("Better than {percent}% of the {level} computer's games")
    if not grade.percent:
        line = _("99% of the {level} computer's games did at least as well")
    return line.format(percent=grade.percent, level=level_name(grade.level))


def describe_result(result: FinalResult, names: Sequence[str] = ()) -> str:
    """Return the alternative text, which names players by number if no names are given."""
    order = result.ranking
    if len(order) == 1:
        score = result.score_kind.format_score(result.scores[0]) if result.scores else ""
        text = _("The result of {game}: {score}.").format(game=result.title, score=score)
        return text if result.grade is None else f"{text} {describe_grade(result.grade)}."
    names = names or [_("player {number}").format(number=seat + 1) for seat in range(len(order))]
    places = "; ".join(_describe_seat(result, seat, names[seat]) for seat in order)
    text = _("The result of {game}: {places}.").format(game=result.title, places=places)
    turns = len(result.race) - 1
    if turns < _NO_SCORES_YET:
        return text
    chart = ngettext("A chart shows the scores after the turn.", "A chart shows the scores after {turns} turns.", turns)
    return f"{text} {chart.format(turns=format_number(turns))}"


def _describe_seat(result: FinalResult, seat: Seat, name: str) -> str:
    if seat in result.winners:
        line = _("{name} wins") if len(result.winners) == 1 else _("{name} shares the win")
    elif seat in result.resigned:
        line = _("{name} has resigned and takes place {place}")
    else:
        line = _("{name} takes place {place}")
    text = line.format(name=name, place=result.places[seat])
    if result.scores is None:
        return text
    line = _("{result} ({score})") if result.ended_by_resignation else _("{result} with {score}")
    return line.format(result=text, score=result.score_kind.format_score(result.scores[seat]))
