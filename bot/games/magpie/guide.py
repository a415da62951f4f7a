"""How to play Magpie: the pages of its guide, and their pictures."""

from collections.abc import Iterator
from functools import partial

from bot.games.magpie.picture import chart_marks
from bot.games.magpie.pieces import Combination, MagpieOptions
from bot.reading_order import spoken_rows
from bot.rules.guide import (
    Guide,
    GuidePage,
    Plate,
    SceneRow,
    caption,
    dice_row,
    make_dice,
    plates_row,
    seats_row,
    stack_rows,
)
from bot.rules.picture import Picture
from bot.rules.seat_rows import RowFormat, SeatRow, SeatSign
from bot.words import N_, gettext as _

_CHART_HEIGHT = 104


def _build_pages(options: MagpieOptions) -> tuple[GuidePage, ...]:
    return (*_usual_pages(options), *_option_pages(options), _end_page(options))


def _usual_pages(options: MagpieOptions) -> Iterator[GuidePage]:
    """Yield goal, turn and scoring. Rules MP-4 to MP-8."""
    yield GuidePage(
        _("The goal"),
        _(
            "Everyone shares the same five dice. On your turn, re-roll some of them to collect matching faces. "
            "Once someone reaches **{target}**, everyone else gets one last turn; then the most points win."
        ).format(target=options.target),
        partial(draw_goal, options.target),
    )
    yield GuidePage(
        _("Your turn"),
        _(
            "The dice stay on the table from turn to turn. Tap the dice to keep and roll the others, once: one to "
            "five dice. You score the combination that all five make now.\n"
            "The more dice you roll, the more it pays, and the more you risk."
        ),
        draw_turn,
    )
    yield GuidePage(
        _("Scoring"),
        _(
            "Each combination has a value: two pair **1**, three of a kind **2**, full house **4**, four of a kind "
            "**7**, five of a kind **11**. You score it once for every die you rolled.\n"
            "A full house with two rolled dice: 2 × 4 = 8 points."
        ),
        draw_scoring,
    )
    yield GuidePage(
        _("No points"),
        _(
            "At least one die that you rolled must be part of the combination. If you leave four ones on the table and "
            "roll only the fifth die, the ones score nothing, unless that die shows a one, too."
        ),
        draw_nothing,
    )
    yield GuidePage(
        _("Fresh dice"),
        _(
            "After five of a kind, all five dice are re-rolled at once, for no points, so that the next "
            "player starts fresh."
        ),
        draw_fresh_dice,
    )


def _option_pages(options: MagpieOptions) -> Iterator[GuidePage]:
    """Yield the variations that the table uses. Rules MP-V1 to MP-V3."""
    if options.double_big_rolls:
        yield GuidePage(
            _("Double big rolls"),
            _("At this table, combinations pay double if you roll three, four or five dice."),
            draw_double,
            "double_big_rolls",
        )
    if options.reroll_fours:
        yield GuidePage(
            _("Re-roll fours"),
            _("At this table, a four of a kind that scores brings fresh dice, too."),
            draw_reroll_fours,
            "reroll_fours",
        )
    if options.five_dice_bonus:
        yield GuidePage(
            _("Five-dice bonus"),
            _("At this table, rolling all five dice always brings at least 7 points. The 7 is never doubled."),
            draw_five_dice,
            "five_dice_bonus",
        )


def _end_page(options: MagpieOptions) -> GuidePage:
    """Return start and end. Rules MP-2, MP-3, MP-9 and MP-10."""
    text = _(
        "To begin, everyone rolls five dice, and the highest total starts. The opening dice don't score.\n"
        "Once a player reaches **{target}**, everyone else gets one last turn. The highest score wins; equal scores "
        "share the win."
    )
    return GuidePage(_("Start and end"), text.format(target=options.target), partial(draw_end, options.target))


GUIDE = Guide(
    summary=N_("Five dice that everyone shares: re-roll some of them to collect matching faces."),
    build_pages=_build_pages,
)


def draw_goal(target: int) -> Picture:
    """Return a race with a leader at the target."""
    rows = [SeatRow(0, target + 6, sign=SeatSign.FLAG), SeatRow(1, target * 7 // 10), SeatRow(2, target * 4 // 10)]
    return stack_rows(
        _("A race of three players to the target."),
        dice_row(make_dice((3, 3, 5, 5, 1))),
        caption(_("first to {target}").format(target=target)),
        seats_row(rows, spoken_rows(RowFormat(target))),
    )


def draw_turn() -> Picture:
    """Return dice before and after a roll."""
    return stack_rows(
        _("Three of five dice are kept and two rolled; all five make a full house."),
        caption(_("keep the threes ...")),
        dice_row(make_dice((3, 3, 3, 1, 6), framed=(1, 2, 3))),
        caption(_("... and roll the rest: a full house")),
        dice_row(make_dice((3, 3, 3, 5, 5), new=(4, 5))),
    )


def draw_scoring() -> Picture:
    """Return the chart and an example."""
    return stack_rows(
        _("The points for each die rolled, with a full house of two rolled dice."),
        caption(_("points for each die rolled")),
        _chart(None, ""),
        dice_row(make_dice((3, 3, 3, 5, 5), new=(4, 5))),
        caption(_("2 dice rolled × 4 = 8 points")),
    )


def draw_nothing() -> Picture:
    """Return a roll that is no part of the combination."""
    return stack_rows(
        _("Four ones and a rolled six, which is no part of the four of a kind."),
        dice_row(make_dice((1, 1, 1, 1, 6), new=(5,), faint=(5,))),
        caption(_("only the 6 was rolled: 0 points")),
    )


def draw_fresh_dice() -> Picture:
    """Return five of a kind, and five new dice."""
    return _fresh_dice((4, 4, 4, 4, 4), _("five of a kind: score it ..."))


def draw_reroll_fours() -> Picture:
    """Return four of a kind, and five new dice."""
    return _fresh_dice((4, 4, 4, 4, 2), _("four of a kind: score it ..."))


def draw_double() -> Picture:
    """Return a doubled combination."""
    return stack_rows(
        _("Three dice rolled into a full house: 3 × 4 × 2 points."),
        dice_row(make_dice((2, 2, 6, 6, 6), new=(3, 4, 5))),
        _chart(Combination.FULL_HOUSE, "3×4×2"),
    )


def draw_five_dice() -> Picture:
    """Return five rolled dice that make nothing."""
    return stack_rows(
        _("Five rolled dice without a combination score 7."),
        dice_row(make_dice((1, 2, 4, 5, 6), new=(1, 2, 3, 4, 5))),
        caption(_("no combination, but 7 points")),
    )


def draw_end(target: int) -> Picture:
    """Return the last turns."""
    rows = [
        SeatRow(0, target + 6, sign=SeatSign.FLAG),
        SeatRow(1, target * 9 // 10, is_to_move=True),
        SeatRow(2, target * 8 // 10),
    ]
    return stack_rows(
        _("A player has reached the target; the others have a last turn."),
        plates_row([Plate(str(target + 6), _("target reached")), Plate("1", _("last turn for each of the others"))]),
        seats_row(rows, spoken_rows(RowFormat(target))),
    )


def _chart(reached: Combination | None, worth: str) -> SceneRow:
    return SceneRow(_CHART_HEIGHT, lambda at: chart_marks(reached, worth, at))


def _fresh_dice(faces: tuple[int, ...], text: str) -> Picture:
    return stack_rows(
        _("Dice that score, and then five fresh dice."),
        dice_row(make_dice(faces)),
        caption(text),
        dice_row(make_dice((2, 6, 1, 3, 5), new=(1, 2, 3, 4, 5))),
        caption(_("... and re-roll all five, for no points")),
    )
