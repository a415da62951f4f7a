"""The figures of a hint."""

import re
from dataclasses import replace

from bot.features.hints.messages import explain_hints, render_hint, render_hint_question
from bot.features.settings.all_settings import HINTS as HINTS_SETTING
from bot.features.settings.kinds import Chosen
from bot.features.settings.messages import ShownSettings, describe_setting
from bot.platform.places import Location
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.study import Explanation, Hint, Hints, RankedMove
from bot.tables.handlers.options import render_panel
from bot.tables.lobby import make_occupant
from bot.tables.model import Occupant, Status
from bot.tables.table import Table
from bot.words import format_signed_points
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, as_solo, make_table

DIRECT = Location(None, 7)
AMONG_PEOPLE = make_table(status=Status.PLAYING)
AGAINST_COMPUTERS = make_table(make_occupant(ROBIN, 1), Occupant(level="normal", contribution="c"))
WITH_A_COMPUTER = make_table(*AMONG_PEOPLE.seats, Occupant(level="normal", contribution="c"))


def playing(table: Table) -> Table:
    return replace(table, header=replace(table.header, status=Status.PLAYING, to_move=0))


HINTS = Hints(lambda *_: Explanation((), ""), format_signed_points)


@each_case(
    "unit, is_exact, values, told",
    [
        (Unit.WINS, False, (0.404, 0.302), ["40%", "30% −10%"]),
        (Unit.WINS, False, (0.404, 0.396), ["40%", "40%"]),
        (Unit.WINS, True, (0.404, 0.4), ["40.4%", "40% −0.4%"]),
        (Unit.WINS, True, (0.5, 0.5), ["50%", "50%"]),
        (Unit.WINS, False, (0.575, 0.565), ["57%", "56% −1%"]),
        (Unit.WINS, False, (0.999, 0.96), [">99%", "96% −4%"]),
        (Unit.WINS, False, (1.02, 0.96), ["100%", "96% −4%"]),
        (Unit.POINTS, False, (553.6, 549.4), ["+554", "+549 −5"]),
        (Unit.FINAL_POINTS, False, (10.2, 9.4), ["+10", "+9 −1"]),
        (Unit.POINTS, False, (5.22, -0.33), ["+5.2", "−0.3 −5.5"]),
    ],
)
def test_what_is_about_right_is_whole_and_what_a_move_gives_away_has_its_unit(
    unit: Unit, is_exact: bool, values: tuple[float, float], told: list[str]
) -> None:
    moves = tuple(RankedMove(name, name, value) for name, value in zip("ab", values, strict=True))
    hint = Hint(moves, Evaluation(values, unit, is_exact), Explanation((), "It is best."))
    lines = str(render_hint(make_table(), HINTS, hint, is_rough=False).text_embed_json["description"]).splitlines()
    best, other = lines[2], lines[3].partition("** ")[2]
    assert [" ".join(re.findall(r"[<>+−]?\d+(?:\.\d+)?%?", line)) for line in (best, other)] == told


@each_case(
    "table, names_ratings",
    [
        (AMONG_PEOPLE, True),
        (playing(AGAINST_COMPUTERS), False),
        (playing(WITH_A_COMPUTER), False),
        (as_solo(AMONG_PEOPLE), False),
        (make_table(status=Status.PLAYING, location=DIRECT), False),
    ],
)
def test_ratings_are_named_only_where_the_game_could_have_counted(table: Table, *, names_ratings: bool) -> None:
    assert (told_of_cost(table) == told_of_cost(AMONG_PEOPLE)) is names_ratings


def told_of_cost(table: Table) -> list[str]:
    """Return what the question and the hint say."""
    hint = Hint((RankedMove("a", "a", 0.5),), Evaluation((0.5,), Unit.WINS), Explanation((), "It is best."))
    contents = (render_hint_question(table), render_hint(table, HINTS, hint, is_rough=False))
    return [str(content.text_embed_json["description"]) for content in contents]


@each_case(
    "table, names_ratings",
    [
        (make_table(), True),
        (AGAINST_COMPUTERS, True),
        (as_solo(make_table()), False),
        (make_table(make_occupant(ROBIN, 1), location=DIRECT), False),
    ],
)
def test_the_options_of_a_lobby_name_ratings_only_if_it_may_still_count(table: Table, *, names_ratings: bool) -> None:
    pages = [str(render_panel(table, page, explain_hints(table)).text_embed_json["description"]) for page in (1, 2)]
    assert any(explain_hints(table) in each for each in pages)
    assert (explain_hints(table) == explain_hints(make_table())) is names_ratings


def test_the_setting_names_ratings_only_in_servers() -> None:
    texts = {describe_setting(HINTS_SETTING, ShownSettings(Chosen(), {}, in_server=each)) for each in (True, False)}
    assert len(texts) == 2
