"""A finished table tells the winner first, then what was remarkable; the last position is in the replay."""

import re
from array import array
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from discord import ButtonStyle

from bot.features.boards.messages import best_score_lines, own_best_lines
from bot.features.boards.model import Bests
from bot.features.sharing import ShareId
from bot.games.magic_bag.pieces import MagicBagEnd, Rolled, RowTaken, Suit
from bot.platform.discord.ids import parse_id
from bot.platform.places import Location
from bot.rules.banner import BANNER_HEIGHT
from bot.rules.grades import Grades, make_scale
from bot.rules.picture import NAME_END, NAME_START, Label, Sprite, isolate_name
from bot.rules.rewards import Feat, FeatKind
from bot.rules.screen import EMPTY_DRAFT
from bot.tables.control_entries import Resign
from bot.tables.handlers.ids import PlayAgainId
from bot.tables.lobby import make_occupant
from bot.tables.model import Status
from bot.tables.shown.buttons import more_button
from bot.tables.shown.embeds import SMALL_PRINT
from bot.tables.shown.message import render_position
from bot.tables.shown.parts import Place, TableParts, TextPart
from bot.tables.shown.result import fact_lines, result_words_of, shared_line
from bot.tables.shown.story_line import EMPTY_LINE
from bot.tables.table import MoveNews, Table, apply_control_entry
from tests.games.magic_bag.positions import pieces
from tests.support.apps import shared_app
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, as_solo, make_table
from tests.support.games import load_games_once
from tests.support.rendering import render_game

MAGPIE = load_games_once()["magpie"]
LED = [(0, 0, 0), (20, 0, 0), (20, 5, 0), (20, 5, 9), (60, 5, 9), (60, 9, 9), (60, 9, 30), (104, 9, 30)]


def finished(turns: Sequence[tuple[int, ...]]) -> Table:
    """Return a finished table of Magpie with the scores after each turn."""
    table = make_table(status=Status.PLAYING, package=MAGPIE)
    race = b"".join(array("i", row).tobytes() for row in turns)
    state = replace(table.state, scores=turns[-1], trigger=0, mover=None)
    header = replace(table.header, status=Status.FINISHED, to_move=None)
    return replace(table, state=state, race=race, header=header)


def signs_beside_picture(table: Table) -> list[str]:
    """Return the sign of each line next to the picture, which are always two."""
    first, second = str(render_game(table, EMPTY_DRAFT).picture_embed_json["description"]).splitlines()
    return [line.removeprefix(SMALL_PRINT)[0] for line in (first, second) if line != EMPTY_LINE]


@each_case(
    "turns, signs",
    [(LED, ["⚡", "🚀"]), ([LED[0], LED[-1]], ["🏆"]), ([LED[0], (101, 101, 0)], ["🏆"])],
)
def test_next_to_the_picture_there_are_only_facts(turns: Sequence[tuple[int, ...]], signs: list[str]) -> None:
    assert signs_beside_picture(finished(turns)) == signs


def test_a_picture_names_the_winner_as_typed() -> None:
    over = finished(LED)
    starry = replace(over, seats=(replace(over.seats[0], name="**Robin**"), *over.seats[1:]))
    assert isolate_name("**Robin**") in result_words_of(starry, "").winner


def test_the_picture_is_the_result_and_a_replay_shows_the_last_position() -> None:
    table = finished(LED)
    shown, replayed = render_game(table, EMPTY_DRAFT).make_picture, render_position(table).make_picture
    assert shown is not None
    assert replayed is not None
    assert ("Robin" in shown().description, "Robin" in replayed().description) == (True, False)


@each_case("place", ["The Birdcage", ""])
def test_the_picture_tells_who_won_what_was_remarkable_where_and_when(place: str) -> None:
    over = finished(LED)
    over = replace(over, header=replace(over.header, updated_at=datetime(2026, 1, 2, tzinfo=UTC)))
    make_picture = render_game(over, EMPTY_DRAFT, place=place).make_picture
    assert make_picture is not None
    picture = make_picture()
    typed = [mark.text for mark in picture.marks if isinstance(mark, Label) and mark.is_name]
    told = [text.replace(NAME_START, "").replace(NAME_END, "") for text in typed]
    words = result_words_of(over, place)
    winner, where, *facts = (
        text.replace(NAME_START, "").replace(NAME_END, "") for text in (words.winner, words.footer, *words.facts)
    )
    assert [each for each in told if " " in each] == [winner, where, *facts]
    assert (where.startswith(place), where.endswith("2026"), len(facts)) == (True, True, 2)
    assert picture.description.endswith(" ".join(f"{each.removesuffix('.')}." for each in (*facts, where)))


def test_the_end_has_three_buttons_of_which_the_first_is_coloured() -> None:
    ((again, share, more),) = render_game(finished(LED), EMPTY_DRAFT, parts=shared_app().table_messages.parts).rows
    assert [type(parse_id(button.custom_id)) for button in (again, share)] == [PlayAgainId, ShareId]
    assert more == more_button(finished(LED))
    styles = [button.style is ButtonStyle.secondary for button in (again, share, more)]
    assert styles == [False, True, True]


def test_in_a_direct_message_there_is_nobody_to_share_it_with() -> None:
    over = finished(LED)
    alone = replace(over, header=replace(over.header, location=Location(None, 7)))
    offered, offered_alone = (
        {type(parse_id(button.custom_id)) for row in render_game(table, EMPTY_DRAFT).rows for button in row}
        for table in (over, alone)
    )
    assert offered - offered_alone == {ShareId}


def test_a_solo_score_has_a_grade_if_it_was_played_as_the_computer_did() -> None:
    """Next to the picture, which shows it, the text does not repeat it."""
    table = make_table(make_occupant(ROBIN, 1), status=Status.PLAYING, package=load_games_once()["magic_bag"])
    header = replace(table.header, status=Status.FINISHED, to_move=None)
    over = replace(table, state=table.state._replace(end=MagicBagEnd.FINISHED), header=header)
    grades = Grades(games=2, version=over.header.version, better_than={"strong": make_scale([-20, -10])})
    over = replace(over, package=replace(over.package, results=replace(over.package.results, grades=grades)))
    content = render_game(over, EMPTY_DRAFT)
    assert content.make_picture is not None
    (graded,) = (line for line in str(content.text_embed.description).splitlines() if line.startswith("📊"))
    grade = graded.removeprefix("📊 ")
    assert "99%" in grade
    assert grade in content.make_picture().description
    assert grade not in str(content.picture_embed_json["description"])
    of_other_rules = replace(over, header=replace(over.header, version=99))
    better = grades.model_copy(update={"better_than": {"strong": make_scale([10, 20])}})
    beaten = replace(over, package=replace(over.package, results=replace(over.package.results, grades=better)))
    without_grades = replace(over, package=replace(over.package, results=replace(over.package.results, grades=None)))
    with_hints = replace(over, header=replace(over.header, hinted=frozenset({0})))
    for ungraded in (of_other_rules, without_grades, with_hints, beaten):
        assert "📊" not in str(render_game(ungraded, EMPTY_DRAFT).text_embed.description)


SOLO = replace(as_solo(finished(LED)), state=replace(finished(LED).state, scores=(104,)), race=b"")


def compared_with(bests: Bests) -> TableParts:
    """Return parts that know the best scores."""
    parts = TableParts()
    parts.add(
        [
            TextPart(Place.RESULT_FACT, lambda table: own_best_lines(table, bests)),
            TextPart(Place.RESULT_DETAIL, lambda table: best_score_lines(table, bests)),
        ]
    )
    return parts


@each_case(
    "bests, beside, scores",
    [
        (Bests(None, None), [], [["104"]]),
        (Bests(50, 104), ["104"], [["104"]]),
        (Bests(50, 300), ["104", "50"], [["104", "50"], ["104", "300"]]),
        (Bests(104, 300), ["104"], [["104"], ["104", "300"]]),
        (Bests(200, 300), [], [["200", "300"]]),
    ],
)
def test_alone_a_score_is_compared_with_the_best_and_only_a_new_best_is_told_next_to_the_picture(
    bests: Bests, beside: list[str], scores: list[list[str]]
) -> None:
    content = render_game(SOLO, EMPTY_DRAFT, parts=compared_with(bests))
    first, *_rest = str(content.picture_embed_json["description"]).splitlines()
    assert (re.findall(r"\d+", first) if first.startswith("🏅") else []) == beside
    lines = [line for line in str(content.text_embed.description).splitlines() if line.startswith("🏅")]
    assert [re.findall(r"\d+", line) for line in lines] == scores


def test_the_lowest_score_is_the_best_where_lower_is_better() -> None:
    kind = replace(SOLO.package.results.score_kind, lower_is_better=True)
    lowest = replace(SOLO.package, results=replace(SOLO.package.results, score_kind=kind))
    easier = render_game(replace(SOLO, package=lowest), EMPTY_DRAFT, parts=compared_with(Bests(90, 80)))
    (line,) = (line for line in str(easier.text_embed.description).splitlines() if line.startswith("🏅"))
    assert re.findall(r"\d+", line) == ["90", "80"]


@each_case("bests", [Bests(None, None), Bests(50, 104), Bests(200, 300)])
def test_alone_a_score_with_hints_is_no_best_score(bests: Bests) -> None:
    hinted = replace(SOLO, header=replace(SOLO.header, hinted=frozenset({0})))
    told = str(render_game(hinted, EMPTY_DRAFT, parts=compared_with(bests)).text_embed.description)
    assert "🏅" not in told
    assert "💡" in told


def test_alone_a_resignation_is_compared_with_nothing() -> None:
    package = load_games_once()["magic_bag"]
    playing = make_table(make_occupant(ROBIN, 1), status=Status.PLAYING, package=package)
    resigned = apply_control_entry(playing, 0, Resign())
    assert "🏅" not in str(render_game(resigned, EMPTY_DRAFT, parts=compared_with(Bests(1, 2))).text_embed.description)


def test_people_are_told_their_rarest_deed_first_and_no_deeds_of_computer_players() -> None:
    rare, usual = Feat(FeatKind.LUCK, 1, 0.97, "full house"), Feat(FeatKind.LUCK, 1, 0.9, "full house")
    bust = Feat(FeatKind.BUST, 2, 900, "900 lost")
    assert signs_beside_picture(replace(finished(LED), feats=(rare, bust))) == ["🍀", "⚡"]
    assert signs_beside_picture(replace(finished(LED), feats=(usual, bust))) == ["⚡", "🚀"]
    risky = replace(finished([(0, 0, 0)] * 8), feats=(Feat(FeatKind.ESCAPE, 1, 0.6), bust))
    assert signs_beside_picture(risky) == ["😅"]
    over = replace(finished(LED), feats=(rare, bust))
    computers = tuple(replace(who, user_id=None, level="easy") for who in over.seats[:2])
    beaten = replace(over, seats=(*computers, over.seats[2]))
    assert signs_beside_picture(beaten) == ["⚡"]
    assert "+21" in str(render_game(beaten, EMPTY_DRAFT).picture_embed_json["description"])
    assert signs_beside_picture(replace(beaten, race=finished([(0, 0, 0), *LED[1:2] * 7]).race)) == ["🏆"]


def test_the_second_line_has_the_ratings_or_that_hints_were_used() -> None:
    over, parts = finished(LED), TableParts()
    parts.add([TextPart(Place.RESULT_RATING, lambda _table: ["📊 Robin 1,000"])])
    first, second = str(render_game(over, EMPTY_DRAFT, parts=parts).picture_embed_json["description"]).splitlines()
    assert (first[0], second[0]) == ("⚡", "📊")
    content = render_game(replace(over, header=replace(over.header, hinted=frozenset({0}))), EMPTY_DRAFT)
    assert "💡" not in content.text_embed_json["title"]
    assert "💡" in str(content.picture_embed_json["description"]).splitlines()[1]


def test_a_cleared_board_is_on_the_picture_of_the_result() -> None:
    table = make_table(make_occupant(ROBIN, 1), status=Status.PLAYING, package=load_games_once()["magic_bag"])
    header = replace(table.header, status=Status.FINISHED, to_move=None)
    for end, is_told in ((MagicBagEnd.LAST_ROW, True), (MagicBagEnd.FINISHED, False)):
        turn = (
            MoveNews(0, (Rolled((Suit.SUN,), (1, 1, 1, 1)),)),
            MoveNews(0, (RowTaken(1, pieces("sun-ace"), (), ()),)),
        )
        over = replace(table, state=table.state._replace(end=end), header=header, news=turn)
        make_picture = render_game(over, EMPTY_DRAFT).make_picture
        assert make_picture is not None
        picture = make_picture()
        banner = [mark for mark in picture.marks if mark.at.y >= picture.size[1] - BANNER_HEIGHT]
        # The tile of the row that was taken last, though a roll came before it.
        assert any(isinstance(mark, Sprite) and mark.name == "die" for mark in banner) == is_told


class TestHints:
    def hinted(self, *seats: int) -> Table:
        table = finished(LED)
        return replace(table, header=replace(table.header, hinted=frozenset(seats)))

    def test_many_are_counted(self) -> None:
        lines = str(render_game(self.hinted(0, 1, 2), EMPTY_DRAFT).text_embed.description).splitlines()
        assert ["3" in line for line in lines if line.startswith("💡")] == [True]

    def test_nobody_else_knows_while_the_game_goes_on(self) -> None:
        table = make_table(status=Status.PLAYING, package=MAGPIE)
        hinted = replace(table, header=replace(table.header, hinted=frozenset({0, 1, 2})))
        assert render_game(hinted, EMPTY_DRAFT).text_embed_json == render_game(table, EMPTY_DRAFT).text_embed_json

    def test_what_is_shared_says_so(self) -> None:
        assert "💡" in shared_line(self.hinted(1))
        assert "💡" not in shared_line(finished(LED))
        named = fact_lines(self.hinted(0, 1), ("Robin", "Wren", "Jay"))[-1]
        assert [name in named for name in ("Robin", "Wren", "Jay")] == [True, True, False]
