"""The picture of a result, the same for every game: a podium, all scores, and the race that led there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.rules.components import FRAME_WIDTH, Badge, name_labels, token_marks
from bot.rules.game import Seat
from bot.rules.grades import Grade
from bot.rules.package import ScoreKind
from bot.rules.picture import PICTURE_WIDTH, Align, Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.rules.race import Race
from bot.ui.render.levels import level_name
from bot.ui.render.race_chart import HEADING_HEIGHT, chart_height, chart_marks
from bot.words import format_number, gettext as _, ngettext

_EDGE: Final = 40
_TITLE: Final = Rect(_EDGE, 14, PICTURE_WIDTH - 2 * _EDGE, 58)
_PODIUM_BOTTOM: Final = 398
_NAME_HEIGHT: Final = 40
_STEP_HEIGHTS: Final = (158, 128, 104)
"""The heights of the first three places."""
_LOW_STEP: Final = 84
_WIDEST_STEP, _GAP = 200, 12
_SOLO_BOTTOM: Final = 268
_NO_SCORES_YET: Final = 2
_LARGE_TEXT: Final = 6
"""The longest score in large figures."""


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
    grade: Grade | None = None
    """How good the score of a solo game is; None if that is not known."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats in first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


def result_picture(result: FinalResult) -> Picture:
    """Lay out a result: who won on top, and the race below."""
    is_solo = len(result.places) == 1
    bottom = _SOLO_BOTTOM if is_solo else _PODIUM_BOTTOM
    marks: list[Mark] = [Label(result.title, _TITLE, ColourRole.SURFACE_TEXT, 46, bold=True)]
    marks += _solo_marks(result) if is_solo else _podium_marks(result)
    if len(result.race) > _NO_SCORES_YET:
        height = chart_height(len(result.places))
        area = Rect(_EDGE, bottom + 8, PICTURE_WIDTH - 2 * _EDGE, HEADING_HEIGHT + height)
        marks += chart_marks(result.race, result.winners, area, lower_is_better=result.score_kind.lower_is_better)
        bottom = area.bottom
    return Picture((PICTURE_WIDTH, bottom + 20), (), tuple(marks), _describe(result))


def _podium_marks(result: FinalResult) -> Iterator[Mark]:
    """Yield a step for each seat, the best in the middle."""
    order = _from_the_middle(sorted(range(len(result.places)), key=lambda seat: (result.places[seat], seat)))
    width = min(_WIDEST_STEP, (PICTURE_WIDTH - 2 * _EDGE - _GAP * (len(order) - 1)) // len(order))
    left = (PICTURE_WIDTH - len(order) * (width + _GAP) + _GAP) // 2
    for at, seat in enumerate(order):
        place = result.places[seat]
        height = _STEP_HEIGHTS[place - 1] if place <= len(_STEP_HEIGHTS) else _LOW_STEP
        yield from _step_marks(result, seat, Rect(left + at * (width + _GAP), _PODIUM_BOTTOM - height, width, height))


def _from_the_middle(ranked: Sequence[Seat]) -> list[Seat]:
    """Return seats with the first in the middle, the second on its left, the third on its right, and so on."""
    return [*ranked[1::2][::-1], *ranked[::2]]


def _step_marks(result: FinalResult, seat: Seat, step: Rect) -> Iterator[Mark]:
    """Yield the step of a seat with its token on top."""
    has_won = result.places[seat] == 1
    edge = ColourRole.GOLD if has_won else ColourRole.SURFACE_LINE
    yield Box(step, ColourRole.SURFACE_SHADE, edge, 14, FRAME_WIDTH if has_won else 3)
    name = Rect(step.x - _GAP // 2 + 1, step.y - _NAME_HEIGHT - 4, step.width + _GAP - 2, _NAME_HEIGHT)
    yield from name_labels(result.names, seat, name, align=Align.CENTRE)
    token = Rect(step.x + step.width // 2 - 36, name.y - 74, 72, 72)
    yield from token_marks(seat, token)
    if has_won:
        yield Sprite(Badge.CROWN.value, Rect(step.x + step.width // 2 - 27, token.y - 46, 54, 40))
    note = _("resigned") if seat in result.resigned else f"{result.places[seat]}."
    ink = ColourRole.SURFACE_TEXT if has_won else ColourRole.SURFACE_TEXT_FAINT
    if result.scores is None:
        yield Label(note, step.inset(8), ink, 34 if len(note) < 3 else 26, bold=True)
        return
    score = Rect(step.x + 6, step.y + 6, step.width - 12, (step.height - 12) * 3 // 5)
    text = format_number(result.scores[seat])
    yield Label(text, score, ColourRole.SURFACE_TEXT, 38 if len(text) <= _LARGE_TEXT else 34, bold=True)
    yield Label(note, Rect(score.x, score.bottom, score.width, step.bottom - 6 - score.bottom), ink, 26)


def _solo_marks(result: FinalResult) -> Iterator[Mark]:
    """Yield the score of the only seat, and how good it is."""
    yield from token_marks(0, Rect(_EDGE + 20, 92, 84, 84))
    score = result.score_kind.format_score(result.scores[0]) if result.scores else ""
    if score:
        yield Label(
            score, Rect(_EDGE + 130, 82, PICTURE_WIDTH - 2 * _EDGE - 260, 104), ColourRole.SURFACE_TEXT, 84, bold=True
        )
    if result.grade is None:
        return
    bar = Rect(_EDGE, 194, PICTURE_WIDTH - 2 * _EDGE, 26)
    yield Box(bar, ColourRole.SURFACE, ColourRole.SURFACE_LINE, 8, 3)
    if reached := (bar.width - 6) * result.grade.percent // 100:
        yield Box(Rect(bar.x + 3, bar.y + 3, reached, 20), ColourRole.GOLD, radius=min(5, reached // 2))
    text = Rect(_EDGE, bar.bottom + 4, bar.width, 38)
    yield Label(describe_grade(result.grade), text, ColourRole.SURFACE_TEXT_FAINT, 28)


def describe_grade(grade: Grade) -> str:
    """Say how good a score is."""
    line = _("Better than {percent}% of the {level} computer's games")
    if not grade.percent:
        line = _("99% of the {level} computer's games did at least as well")
    return line.format(percent=grade.percent, level=level_name(grade.level))


def _describe(result: FinalResult) -> str:
    """Return the alternative text, which names players by number."""
    order = sorted(range(len(result.places)), key=lambda seat: (result.places[seat], seat))
    if len(order) == 1:
        score = result.score_kind.format_score(result.scores[0]) if result.scores else ""
        text = _("The result of {game}: {score}.").format(game=result.title, score=score)
        return text if result.grade is None else f"{text} {describe_grade(result.grade)}."
    places = "; ".join(_describe_seat(result, seat) for seat in order)
    text = _("The result of {game}: {places}.").format(game=result.title, places=places)
    turns = len(result.race) - 1
    if turns < _NO_SCORES_YET:
        return text
    chart = ngettext("A chart shows the scores after the turn.", "A chart shows the scores after {turns} turns.", turns)
    return f"{text} {chart.format(turns=format_number(turns))}"


def _describe_seat(result: FinalResult, seat: Seat) -> str:
    if seat in result.winners:
        line = _("player {number} wins") if len(result.winners) == 1 else _("player {number} shares the win")
    elif seat in result.resigned:
        line = _("player {number} has resigned and takes place {place}")
    else:
        line = _("player {number} takes place {place}")
    text = line.format(number=seat + 1, place=result.places[seat])
    if result.scores is None:
        return text
    return _("{result} with {score}").format(result=text, score=result.score_kind.format_score(result.scores[seat]))
