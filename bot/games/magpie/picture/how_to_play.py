"""The pictures of Magpie's guide."""

from bot.games.magpie.picture.composition import chart_marks
from bot.games.magpie.pieces import Combination
from bot.rules.picture import Picture
from bot.rules.scenes import Plate, SceneRow, caption, dice_row, make_dice, plates_row, stack_rows
from bot.rules.seat_rows import Badge, ScoreRow, score_track_height, score_track_marks
from bot.words import gettext as _

_CHART_HEIGHT = 88


def draw_goal(target: int) -> Picture:
    """Return a race with a leader at the target."""
    rows = [ScoreRow(0, target + 6, badge=Badge.FLAG), ScoreRow(1, target * 7 // 10), ScoreRow(2, target * 4 // 10)]
    heading = _("first to {target}").format(target=target)
    track = SceneRow(score_track_height(3), lambda at: score_track_marks(rows, target, heading, at))
    return stack_rows(_("A race of three players to the target."), dice_row(make_dice((3, 3, 5, 5, 1))), track)


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
        caption(_("2 dice rolled x 4 = 8 points")),
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
        _("Three dice rolled into a full house: 3 x 4 x 2 points."),
        dice_row(make_dice((2, 2, 6, 6, 6), new=(3, 4, 5))),
        _chart(Combination.FULL_HOUSE, "3 x 4 x 2"),
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
        ScoreRow(0, target + 6, badge=Badge.FLAG),
        ScoreRow(1, target * 9 // 10, is_to_move=True),
        ScoreRow(2, target * 8 // 10),
    ]
    heading = _("first to {target}").format(target=target)
    return stack_rows(
        _("A player has reached the target; the others have a last turn."),
        plates_row([Plate(str(target + 6), _("target reached")), Plate("1", _("last turn for each of the others"))]),
        SceneRow(score_track_height(3), lambda at: score_track_marks(rows, target, heading, at)),
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
