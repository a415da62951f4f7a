"""Magpie as a picture: the dice, the chart with what was reached, and the race to the target."""

from collections.abc import Sequence

from bot.games.magpie.pieces import DICE, Combination, Rolled, State
from bot.rules.furniture import ROW, Score, die, just_changed, score_track, tag
from bot.rules.game import Event
from bot.rules.picture import WIDTH, Box, Ink, Label, Mark, Picture, Rect
from bot.words import N_, gettext as _

_DICE = Rect(70, 34, 860, 144)
_CHART = Rect(30, 268, 940, 96)
_TRACK_TOP = 388

_SHORT = {
    Combination.TWO_PAIR: N_("two pair"),
    Combination.THREE_OF_A_KIND: N_("3 of a kind"),
    Combination.FULL_HOUSE: N_("full house"),
    Combination.FOUR_OF_A_KIND: N_("4 of a kind"),
    Combination.FIVE_OF_A_KIND: N_("5 of a kind"),
}


def picture(view: State, news: Sequence[Event]) -> Picture:
    """Make the picture that everybody sees."""
    track = Rect(30, _TRACK_TOP, WIDTH - 60, ROW * len(view.scores))
    newest = next((event for event in reversed(news) if isinstance(event, Rolled)), None)
    return Picture(
        size=(WIDTH, track.bottom + 24),
        backdrop=(),
        marks=(*_dice(view, newest), *_chart(newest), *_track(view, newest, track)),
        description=_("The dice show {faces}.").format(faces=" ".join(map(str, view.faces))),
    )


def _places() -> tuple[Rect, ...]:
    return tuple(Rect(at.x + (at.width - 144) // 2, at.y, 144, 144) for at in _DICE.columns(DICE))


def _dice(view: State, newest: Rolled | None) -> list[Mark]:
    marks: list[Mark] = []
    for place, (at, face) in enumerate(zip(_places(), view.faces, strict=True), 1):
        marks.append(die(face, at))
        if newest and place in newest.dice:
            marks += just_changed(at)
        marks += tag(str(place), Rect(at.x + 42, at.bottom + 16, 60, 40), Ink.FELT_SHADE, Ink.CHALK_FAINT)
    return marks


def _chart(newest: Rolled | None) -> list[Mark]:
    marks: list[Mark] = []
    for at, combination in zip(_CHART.columns(len(_SHORT), 10), _SHORT, strict=True):
        reached = newest is not None and newest.combination is combination
        marks.append(Box(at, Ink.GOLD if reached else Ink.PAPER_SHADE, radius=12))
        upper, lower = at.inset(4).rows(2)
        marks.append(Label(str(int(combination)), upper, Ink.TEXT, 40, bold=True))
        marks.append(Label(_(_SHORT[combination]), lower, Ink.TEXT, 28))
        if reached:
            marks += just_changed(at)
    return marks


def _track(view: State, newest: Rolled | None, at: Rect) -> tuple[Mark, ...]:
    best = max(view.scores)
    rows = (
        Score(
            seat,
            score,
            newest.points if newest and newest.seat == seat else 0,
            is_to_move=seat == view.mover,
            is_first=view.mover is None and score == best,
        )
        for seat, score in enumerate(view.scores)
    )
    return score_track(rows, view.options.target, at)
