"""The figures of a hint."""

from bot.rules.evaluation import Evaluation, Unit
from bot.rules.hints import Explanation, Hint, Hints, RankedMove
from bot.ui.render.hint import render_hint
from bot.words import format_signed_points
from tests.support.each_case import each_case
from tests.support.fakes import make_table

HINTS = Hints(lambda *_: Explanation((), ""), format_signed_points)


@each_case(
    "unit, is_exact, values, told",
    [
        (Unit.WINS, False, (0.404, 0.302), ["about 40% to win", "about 30% to win (−10%)"]),
        (Unit.WINS, False, (0.404, 0.396), ["about 40% to win", "about 40% to win (hardly less)"]),
        (Unit.WINS, True, (0.404, 0.4), ["40.4% to win", "40% to win (−0.4%)"]),
        (Unit.WINS, True, (0.5, 0.5), ["50% to win", "50% to win (just as good)"]),
        (Unit.WINS, False, (0.575, 0.565), ["about 57% to win", "about 56% to win (−1%)"]),
        (Unit.WINS, False, (0.999, 0.96), [">99% to win", "about 96% to win (−4%)"]),
        (Unit.WINS, False, (1.02, 0.96), ["about 100% to win", "about 96% to win (−4%)"]),
        (Unit.POINTS, False, (553.6, 549.4), ["about +554 points", "about +549 points (−5)"]),
        (Unit.FINAL_POINTS, False, (10.2, 9.4), ["about +10 points", "about +9 points (−1)"]),
        (Unit.POINTS, False, (5.22, -0.33), ["about +5.2 points", "about −0.3 points (−5.5)"]),
    ],
)
def test_what_is_about_right_is_whole_and_what_a_move_gives_away_has_its_unit(
    unit: Unit, is_exact: bool, values: tuple[float, float], told: list[str]
) -> None:
    moves = tuple(RankedMove(name, name, value) for name, value in zip("ab", values, strict=True))
    hint = Hint(moves, Evaluation(values, unit, is_exact), Explanation((), "It is best."))
    lines = str(render_hint(make_table(), HINTS, hint, is_rough=False).text_embed_json["description"]).splitlines()[:2]
    assert [line.split(" · ")[1] for line in lines] == told
