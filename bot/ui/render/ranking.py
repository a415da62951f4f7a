"""The final ranking as a picture, for tables whose ranking differs from the game's because of resignations."""

from collections.abc import Collection, Iterator

from bot.rules.components import FRAME_WIDTH, Badge, token_marks
from bot.rules.game import Seat
from bot.rules.outcome import Outcome
from bot.rules.picture import PICTURE_WIDTH, Align, Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.words import gettext as _

_TITLE, _HEADING = Rect(30, 22, PICTURE_WIDTH - 60, 60), Rect(30, 84, PICTURE_WIDTH - 60, 36)
_TOP, _PITCH, _ROW = 136, 98, 88


def ranking_picture(title: str, outcome: Outcome, resigned: Collection[Seat]) -> Picture:
    """Lay out the places of all seats, best first, with a note for those who resigned."""
    order = sorted(range(len(outcome.places)), key=lambda seat: (outcome.places[seat], seat))
    marks: list[Mark] = [
        Label(title, _TITLE, ColourRole.CHALK, 50, bold=True),
        Label(_("final ranking"), _HEADING, ColourRole.CHALK_FAINT, 30),
    ]
    for index, seat in enumerate(order):
        row = Rect(_TITLE.x, _TOP + _PITCH * index, _TITLE.width, _ROW)
        marks += _row(seat, outcome, row, has_resigned=seat in resigned)
    places = "; ".join(_describe_result(seat, outcome, has_resigned=seat in resigned) for seat in order)
    return Picture(
        size=(PICTURE_WIDTH, _TOP + _PITCH * len(order) + 12),
        backdrop=(),
        marks=tuple(marks),
        description=_("The final ranking of {game}: {places}.").format(game=title, places=places),
    )


def _row(seat: Seat, outcome: Outcome, box: Rect, *, has_resigned: bool) -> Iterator[Mark]:
    """Yield the marks of a seat's row; winners get a crown instead of a number."""
    has_won, middle = seat in outcome.winners, box.y + box.height // 2
    yield Box(
        box,
        ColourRole.FELT_SHADE,
        ColourRole.GOLD if has_won else ColourRole.FELT_LINE,
        18,
        FRAME_WIDTH if has_won else 3,
    )
    place = Rect(box.x + 26, middle - 30, 81, 60)
    if has_won:
        yield Sprite(Badge.CROWN.value, place)
    else:
        yield Label(f"{outcome.places[seat]}.", place, ColourRole.CHALK, 44, bold=True)
    yield from token_marks(seat, Rect(place.right + 30, middle - 36, 72, 72))
    if text := _result_text(outcome, has_won=has_won, has_resigned=has_resigned):
        left = place.right + 134
        text_box = Rect(left, box.y + 10, box.right - left - 20, box.height - 20)
        yield Label(
            text, text_box, ColourRole.CHALK if has_won else ColourRole.CHALK_FAINT, 40, Align.LEFT, bold=has_won
        )


def _result_text(outcome: Outcome, *, has_won: bool, has_resigned: bool) -> str:
    """Return what the place alone does not say about a seat."""
    if has_won:
        return _("wins") if len(outcome.winners) == 1 else _("shares the win")
    return _("resigned") if has_resigned else ""


def _describe_result(seat: Seat, outcome: Outcome, *, has_resigned: bool) -> str:
    """Return a seat's result for the alternative text, which names players by number."""
    if seat in outcome.winners:
        line = _("player {number} wins") if len(outcome.winners) == 1 else _("player {number} shares the win")
    elif has_resigned:
        line = _("player {number} has resigned and takes place {place}")
    else:
        line = _("player {number} takes place {place}")
    return line.format(number=seat + 1, place=outcome.places[seat])
