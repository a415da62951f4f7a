"""A finished table tells the winner first, then what was remarkable; the last position is in the replay."""

import re
from array import array
from dataclasses import replace

from discord import ButtonStyle

from bot.features.sharing import ShareId
from bot.games.change.pieces import Stage
from bot.games.magic_bag.pieces import MagicBagEnd
from bot.games.magpie.pieces import Combination, Rolled
from bot.platform.discord.ids import parse_id
from bot.platform.places import Location
from bot.rules.grades import Grades, make_scale
from bot.rules.hero import BestTurn
from bot.rules.picture import Label
from bot.rules.rewards import Feat, FeatKind
from bot.rules.screen import EMPTY_DRAFT
from bot.tables.characters import name_level
from bot.tables.handlers.ids import PlayAgainId
from bot.tables.lobby import make_occupant
from bot.tables.model import Status
from bot.tables.shown.buttons import more_button
from bot.tables.shown.embeds import SMALL_PRINT
from bot.tables.shown.message import render_position, render_shared_result
from bot.tables.shown.parts import FactPart, Place, TableParts, TextPart
from bot.tables.shown.pride import Pride, ProudFact, find_facts
from bot.tables.shown.result import final_result_of, shared_line
from bot.tables.shown.story_line import EMPTY_LINE
from bot.tables.table import Table, derive_status
from tests.support.apps import shared_app
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, make_table
from tests.support.finished_games import finished_magpie
from tests.support.games import load_games_once
from tests.support.rendering import render_game

MAGPIE = load_games_once()["magpie"]
LED = [(0, 0, 0), (20, 0, 0), (20, 5, 0), (20, 5, 9), (60, 5, 9), (60, 9, 9), (60, 9, 30), (104, 9, 30)]


def sign_beside_picture(table: Table) -> str:
    """Return the sign that the two lines next to the picture begin with."""
    first, _second = str(render_game(table, EMPTY_DRAFT).picture_embed_json["description"]).splitlines()
    return first[0]


def test_the_picture_is_the_result_and_a_replay_shows_the_last_position() -> None:
    table = finished_magpie(LED)
    shown, replayed = render_game(table, EMPTY_DRAFT).make_picture, render_position(table).make_picture
    assert shown is not None
    assert replayed is not None
    assert ("Robin" in shown().description, "Robin" in replayed().description) == (True, False)


def test_the_end_has_three_buttons_of_which_the_first_is_coloured() -> None:
    over = finished_magpie(LED)
    ((again, share, more),) = render_game(over, EMPTY_DRAFT, parts=shared_app().table_messages.parts).rows
    assert [type(parse_id(button.custom_id)) for button in (again, share)] == [PlayAgainId, ShareId]
    assert more == more_button(over)
    styles = [button.style is ButtonStyle.secondary for button in (again, share, more)]
    assert styles == [False, True, True]


def test_in_a_direct_message_there_is_nobody_to_share_it_with() -> None:
    over = finished_magpie(LED)
    alone = replace(over, header=replace(over.header, location=Location(None, 7)))
    offered, offered_alone = (
        {type(parse_id(button.custom_id)) for row in render_game(table, EMPTY_DRAFT).rows for button in row}
        for table in (over, alone)
    )
    assert offered - offered_alone == {ShareId}


def test_a_solo_score_has_a_grade_if_it_was_played_as_the_computer_did() -> None:
    table = make_table(make_occupant(ROBIN, 1), status=Status.PLAYING, package=load_games_once()["magic_bag"])
    header = replace(table.header, status=Status.FINISHED, to_move=None)
    over = replace(table, state=table.state._replace(end=MagicBagEnd.FINISHED), header=header)
    grades = Grades(games=2, version=over.header.version, better_than={"strong": make_scale([-20, -10])})
    over = replace(over, package=replace(over.package, results=replace(over.package.results, grades=grades)))
    content = render_game(over, EMPTY_DRAFT)
    (graded,) = (line for line in str(content.text_embed.description).splitlines() if line.startswith("📊"))
    grade = graded.removeprefix("📊 ")
    assert "99%" in grade
    assert name_level("strong") in grade
    assert grade in str(content.picture_embed_json["description"]).splitlines()[1]
    of_other_rules = replace(over, header=replace(over.header, version=99))
    better = grades.model_copy(update={"better_than": {"strong": make_scale([10, 20])}})
    beaten = replace(over, package=replace(over.package, results=replace(over.package.results, grades=better)))
    without_grades = replace(over, package=replace(over.package, results=replace(over.package.results, grades=None)))
    with_hints = replace(over, header=replace(over.header, hinted=frozenset({0})))
    for ungraded, has_goal in ((of_other_rules, False), (without_grades, False), (with_hints, False), (beaten, True)):
        told = str(render_game(ungraded, EMPTY_DRAFT).picture_embed_json["description"])
        assert "📊" not in told
        assert ("🎯" in told) is has_goal
    assert final_result_of(beaten).goal == 100


def best_turn(*faces: int, change: int) -> BestTurn:
    """Return a turn of Magpie as if its first seat had rolled all dice."""
    rolled = Rolled(0, (1, 2, 3, 4, 5), (1, 2, 3, 4, 5), faces, Combination.FULL_HOUSE, change)
    return BestTurn(change, (rolled,), make_table(status=Status.PLAYING, package=MAGPIE).state)


def test_people_are_told_their_proudest_deed_and_no_deeds_of_computer_players() -> None:
    turns = (best_turn(2, 2, 2, 3, 3, change=44), best_turn(1, 1, 1, 2, 2, change=21), None)
    over = replace(finished_magpie(LED), best_turns=turns)
    rare, usual = (
        Feat(FeatKind.LUCK, 0, 0.97, Combination.FULL_HOUSE),
        Feat(FeatKind.LUCK, 0, 0.9, Combination.FULL_HOUSE),
    )
    escape = Feat(FeatKind.ESCAPE, 0, 0.6)
    for feats, sign in (((rare, escape), "🍀"), ((usual, escape), "⚡"), ((), "⚡")):
        assert sign_beside_picture(replace(over, feats=feats)) == sign
    others = replace(over, best_turns=(None, over.best_turns[1], None), feats=(replace(rare, seat=1),))
    assert sign_beside_picture(others) == "🍀", "the others' deeds, if the winner has none"
    outdone = replace(others, best_turns=(turns[1], turns[0], None))
    told = str(render_game(outdone, EMPTY_DRAFT).picture_embed_json["description"]).splitlines()[0]
    assert ("+21" in told, "+44" in told) == (True, False), "the winner's own best comes before them"
    computer = replace(over.seats[1], user_id=None, level="easy")
    beaten = replace(others, seats=(over.seats[0], computer, over.seats[2]))
    assert sign_beside_picture(beaten) != "🍀"


@each_case(
    "behind, is_comeback, is_dare",
    [(20, False, False), (30, True, False), (60, True, True)],
)
def test_others_are_dared_to_come_back_from_far_behind_only(behind: int, *, is_comeback: bool, is_dare: bool) -> None:
    over = finished_magpie([(0, 0, 0), (0, behind, 0), (100, behind, 0)])
    told = {bool(fact.dare) for fact in find_facts(over) if fact.pride is Pride.COMEBACK}
    assert told == ({is_dare} if is_comeback else set())


@each_case("received, is_comeback", [(60, False), (120, False), (121, True)])
def test_in_change_a_winner_who_received_less_than_they_began_with_has_not_come_back(
    received: int, *, is_comeback: bool
) -> None:
    table = make_table(status=Status.PLAYING, package=load_games_once()["change"])
    race = array("i", [120, 120, 120, 120 + received, 120, 120, 0, 120, 120]).tobytes()
    public = table.state.public._replace(credits=(0, 120, 120), stage=Stage.OVER, asked=())
    over = derive_status(replace(table, state=replace(table.state, public=public), race=race), table.header.step)
    assert any(fact.pride is Pride.COMEBACK for fact in find_facts(over)) is is_comeback


def test_the_shared_line_of_a_win_by_the_lowest_score_names_the_beaten() -> None:
    table = make_table(status=Status.PLAYING, package=load_games_once()["change"])
    public = table.state.public._replace(credits=(0, 70, 45), stage=Stage.OVER, asked=())
    over = derive_status(replace(table, state=replace(table.state, public=public)), table.header.step)
    line = shared_line(over)
    winner, second, third = (line.index(over.seats[seat].name) for seat in (0, 2, 1))
    assert winner < second < third
    assert not re.search(r"\d", line)


def test_who_lost_to_a_computer_player_is_told_the_margin_and_their_best_turn() -> None:
    over = replace(finished_magpie(LED), best_turns=(None, best_turn(1, 1, 1, 2, 2, change=21), None))
    computers = tuple(replace(who, user_id=None, level="easy") for who in (over.seats[0], over.seats[2]))
    content = render_game(replace(over, seats=(computers[0], over.seats[1], computers[1])), EMPTY_DRAFT)
    lost, best, _rivals = str(content.picture_embed_json["description"]).splitlines()
    assert str(LED[-1][0] - LED[-1][2]) in lost
    assert "+21" in best
    assert "+21" in str(content.text_embed.description), "who sees no picture reads of it, too"


def test_what_features_know_is_ranked_with_the_rest() -> None:
    parts, told = TableParts(), dict[str, str]()
    for seat, pride in ((1, Pride.OWN_BEST), (0, Pride.STREAK), (0, Pride.COMEBACK), (0, Pride.ROUND_NUMBER)):
        fact = ProudFact(pride, seat, f"{seat} {pride.name}", f"dare {pride.name}")
        parts.add(facts=[FactPart(lambda _table, fact=fact: [fact])])  # type: ignore[misc]
        told[pride.name] = fact.text
    rare = replace(finished_magpie(LED), feats=(Feat(FeatKind.LUCK, 0, 0.97, Combination.FULL_HOUSE),))
    content = render_game(rare, EMPTY_DRAFT, parts=parts)
    assert str(content.picture_embed_json["description"]).splitlines()[0] == told["COMEBACK"]
    make_card = render_shared_result(rare, parts).make_picture
    assert make_card is not None
    assert "dare COMEBACK" in [mark.text for mark in make_card().marks if isinstance(mark, Label)]


@each_case(
    "tip, hinted, second",
    [
        ("Turn 9", set(), f"{SMALL_PRINT}Turn 9"),
        ("Turn 9", {0}, f"{SMALL_PRINT}💡"),
        ("", set(), EMPTY_LINE),
    ],
)
def test_the_second_line_has_hints_or_a_tip_and_ratings_follow(tip: str, hinted: set[int], second: str) -> None:
    over, parts = finished_magpie(LED), TableParts()
    parts.add(
        [
            TextPart(Place.RESULT_TIP, lambda _table: [tip]),
            TextPart(Place.RESULT_RATING, lambda _table: ["📊"]),
        ]
    )
    over = replace(over, header=replace(over.header, hinted=frozenset(hinted)))
    content = render_game(over, EMPTY_DRAFT, parts=parts)
    _first, line, ratings = str(content.picture_embed_json["description"]).splitlines()
    assert line.startswith(second)
    assert ratings == f"{SMALL_PRINT}📊"
    assert "💡" not in content.text_embed_json["title"]


class TestHints:
    def hinted(self, *seats: int) -> Table:
        table = finished_magpie(LED)
        return replace(table, header=replace(table.header, hinted=frozenset(seats)))

    def test_many_are_counted(self) -> None:
        lines = str(render_game(self.hinted(0, 1, 2), EMPTY_DRAFT).text_embed.description).splitlines()
        assert ["3" in line for line in lines if line.startswith("💡")] == [True]

    def test_nobody_else_knows_while_the_game_goes_on(self) -> None:
        table = make_table(status=Status.PLAYING, package=MAGPIE)
        hinted = replace(table, header=replace(table.header, hinted=frozenset({0, 1, 2})))
        assert render_game(hinted, EMPTY_DRAFT).text_embed_json == render_game(table, EMPTY_DRAFT).text_embed_json

    def test_what_is_shared_says_so(self) -> None:
        assert SMALL_PRINT in shared_line(self.hinted(1))
        assert SMALL_PRINT not in shared_line(finished_magpie(LED))
