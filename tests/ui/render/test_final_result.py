"""A finished table tells the winner first, then what was remarkable; the last position is in the replay."""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from bot.features.boards.messages import best_score_lines
from bot.features.boards.model import Bests
from bot.games.magic_bag.pieces import MagicBagEnd, Rolled, RowTaken, Suit
from bot.platform.places import Location
from bot.rules.banner import BANNER_HEIGHT
from bot.rules.picture import NAME_END, NAME_START, Label, Sprite, isolate_name
from bot.rules.rewards import Feat, FeatKind
from bot.rules.screen import EMPTY_DRAFT
from bot.tables.control_entries import Resign
from bot.tables.lobby import make_occupant
from bot.tables.model import Status
from bot.tables.shown.message import render_position
from bot.tables.shown.parts import Place, TableParts, TextPart
from bot.tables.shown.result import fact_lines, result_words_of, shared_line
from bot.tables.table import MoveNews, Table, apply_control_entry
from tests.games.magic_bag.positions import pieces
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


@each_case(
    "turns, lines",
    [
        (LED, ["⚡ Best turn: Robin, +44 points", "🚀 Robin led from start to finish."]),
        ([LED[0], LED[-1]], ["🏆 **Robin** wins with 104 points."]),
        ([LED[0], (101, 101, 0)], ["🏆 **Robin and Wren** share the win with 101 points."]),
    ],
)
def test_next_to_the_picture_there_are_only_facts(turns: Sequence[tuple[int, ...]], lines: list[str]) -> None:
    content = render_game(finished(turns), EMPTY_DRAFT)
    assert str(content.picture_embed_json["description"]).splitlines() == lines


def test_a_picture_names_the_winner_as_typed() -> None:
    over = finished(LED)
    starry = replace(over, seats=(replace(over.seats[0], name="**Robin**"), *over.seats[1:]))
    assert result_words_of(starry, "").winner == f"{isolate_name('**Robin**')} wins with 104 points."


def test_the_picture_is_the_result_and_a_replay_shows_the_last_position() -> None:
    table = finished(LED)
    shown, replayed = render_game(table, EMPTY_DRAFT).make_picture, render_position(table).make_picture
    assert shown is not None
    assert replayed is not None
    assert shown().description.startswith("The result of Magpie: Robin wins with 104 points;")
    assert replayed().description.startswith("The game is over: player 1 wins. The dice")


@each_case("place, where", [("The Birdcage", "The Birdcage · January 2, 2026"), ("", "January 2, 2026")])
def test_the_picture_tells_who_won_what_was_remarkable_where_and_when(place: str, where: str) -> None:
    over = finished(LED)
    over = replace(over, header=replace(over.header, updated_at=datetime(2026, 1, 2, tzinfo=UTC)))
    make_picture = render_game(over, EMPTY_DRAFT, place=place).make_picture
    assert make_picture is not None
    picture = make_picture()
    typed = [mark.text for mark in picture.marks if isinstance(mark, Label) and mark.is_name]
    told = [text.replace(NAME_START, "").replace(NAME_END, "") for text in typed]
    facts = ["Best turn: Robin, +44 points", "Robin led from start to finish."]
    assert [each for each in told if " " in each] == ["Robin wins with 104 points.", where, *facts]
    assert picture.description.endswith(
        f"turns. Best turn: Robin, +44 points. Robin led from start to finish. {where}."
    )


def test_in_a_direct_message_there_is_nobody_to_share_it_with() -> None:
    over = finished(LED)
    alone = replace(over, header=replace(over.header, location=Location(None, 7)))
    labels = [
        [button.label for row in render_game(table, EMPTY_DRAFT).rows for button in row] for table in (over, alone)
    ]
    assert [("Share" in each, "Replay" in each) for each in labels] == [(True, True), (False, True)]


def test_a_solo_score_has_a_grade_if_it_was_played_as_the_computer_did() -> None:
    """Next to the picture, which shows it, the text does not repeat it."""
    table = make_table(make_occupant(ROBIN, 1), status=Status.PLAYING, package=load_games_once()["magic_bag"])
    header = replace(table.header, status=Status.FINISHED, to_move=None)
    over = replace(table, state=table.state._replace(end=MagicBagEnd.FINISHED), header=header)
    content = render_game(over, EMPTY_DRAFT)
    grade = "99% of the Easy computer's games did"
    assert content.make_picture is not None
    assert f"📊 {grade}" in str(content.text_embed.description)
    assert grade in content.make_picture().description
    assert grade not in str(content.picture_embed_json["description"])
    assert [[button.label for button in row][:2] for row in content.rows[:2]] == [["Play again"], ["Share", "Replay"]]
    of_other_rules = replace(over, header=replace(over.header, version=99))
    without_grades = replace(over, package=replace(over.package, results=replace(over.package.results, grades=None)))
    with_hints = replace(over, header=replace(over.header, hinted=frozenset({0})))
    for ungraded in (of_other_rules, without_grades, with_hints):
        assert "📊" not in str(render_game(ungraded, EMPTY_DRAFT).text_embed.description)


def compared_with(bests: Bests) -> TableParts:
    """Return parts that know the best scores."""
    parts = TableParts()
    parts.add([TextPart(Place.RESULT_FACT, lambda table: best_score_lines(table, bests))])
    return parts


@each_case(
    "bests, line",
    [
        (Bests(None, None), "🏅 Robin has the server's best: 104 points"),
        (Bests(50, 104), "🏅 Robin has the server's best: 104 points"),
        (Bests(50, 300), "🏅 Robin's best: 104 points · the server's best: 300 points"),
        (Bests(200, 300), "🏅 Robin's best: 200 points · the server's best: 300 points"),
    ],
)
def test_alone_a_score_is_compared_with_the_best(bests: Bests, line: str) -> None:
    solo = replace(as_solo(finished(LED)), state=replace(finished(LED).state, scores=(104,)), race=b"")
    assert str(render_game(solo, EMPTY_DRAFT, parts=compared_with(bests)).picture_embed_json["description"]) == line
    lowest = replace(
        solo.package,
        results=replace(
            solo.package.results, score_kind=replace(solo.package.results.score_kind, lower_is_better=True)
        ),
    )
    easier = render_game(replace(solo, package=lowest), EMPTY_DRAFT, parts=compared_with(Bests(90, 80)))
    assert "🏅 Robin's best: 90 points · the server's best: 80 points" in str(easier.text_embed.description)


@each_case("bests", [Bests(None, None), Bests(50, 104), Bests(200, 300)])
def test_alone_a_score_with_hints_is_no_best_score(bests: Bests) -> None:
    solo = replace(as_solo(finished(LED)), state=replace(finished(LED).state, scores=(104,)), race=b"")
    hinted = replace(solo, header=replace(solo.header, hinted=frozenset({0})))
    told = str(render_game(hinted, EMPTY_DRAFT, parts=compared_with(bests)).text_embed.description)
    assert "🏅" not in told
    assert "💡 With hints" in told


def test_alone_a_resignation_is_compared_with_nothing() -> None:
    package = load_games_once()["magic_bag"]
    playing = make_table(make_occupant(ROBIN, 1), status=Status.PLAYING, package=package)
    resigned = apply_control_entry(playing, 0, Resign())
    assert "🏅" not in str(render_game(resigned, EMPTY_DRAFT, parts=compared_with(Bests(1, 2))).text_embed.description)


def test_the_best_turn_the_luckiest_roll_and_the_race_are_told_in_three_lines() -> None:
    feats = (Feat(FeatKind.LUCK, 1, 0.97, "full house"), Feat(FeatKind.BUST, 2, 900, "900 lost"))
    content = render_game(replace(finished(LED), feats=feats), EMPTY_DRAFT)
    assert str(content.picture_embed_json["description"]).splitlines() == [
        "⚡ Best turn: Robin, +44 points",
        "🍀 Luckiest roll: Wren, full house (3%)",
        "🚀 Robin led from start to finish.",
    ]
    risky = replace(finished([(0, 0, 0)] * 8), feats=(Feat(FeatKind.ESCAPE, 1, 0.6), feats[1]))
    lines = str(render_game(risky, EMPTY_DRAFT).picture_embed_json["description"]).splitlines()
    assert lines == ["😅 Closest bust: Wren survived a risk of 60%.", "💥 Costliest bust: Jay, 900 lost"]


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
        assert ("Board cleared!" in picture.description) == is_told
        banner = [mark for mark in picture.marks if mark.at.y >= picture.size[1] - BANNER_HEIGHT]
        # The tile of the row that was taken last, though a roll came before it.
        assert any(isinstance(mark, Sprite) and mark.name == "die" for mark in banner) == is_told


class TestHints:
    def hinted(self, *seats: int) -> Table:
        table = finished(LED)
        return replace(table, header=replace(table.header, hinted=frozenset(seats)))

    def test_many_are_counted(self) -> None:
        assert "💡 With hints: 3 players" in str(render_game(self.hinted(0, 1, 2), EMPTY_DRAFT).text_embed.description)

    def test_nobody_else_knows_while_the_game_goes_on(self) -> None:
        table = make_table(status=Status.PLAYING, package=MAGPIE)
        hinted = replace(table, header=replace(table.header, hinted=frozenset({0, 1, 2})))
        assert render_game(hinted, EMPTY_DRAFT).text_embed_json == render_game(table, EMPTY_DRAFT).text_embed_json

    def test_what_is_shared_says_so(self) -> None:
        assert shared_line(self.hinted(1)).endswith(" · 3 players · 💡 with hints")
        assert fact_lines(self.hinted(0, 1), ("Robin", "Wren", "Jay"))[-1] == "With hints: Robin and Wren"
        assert "hints" not in shared_line(finished(LED))
