"""Puzzles as messages: what is asked, what is answered, and that nothing hidden shows."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from unittest.mock import patch

import pytest

from bot.features.puzzles.messages import (
    ShownPuzzle,
    compare_answer,
    rank_offered,
    render_board,
    render_daily_answer,
    render_lost_answer,
    render_question,
    render_shared_answer,
)
from bot.features.puzzles.model import (
    ChosenPuzzle,
    DailyAnswer,
    DailyBoard,
    DailyStanding,
    Solver,
    Streak,
    replay_puzzle,
)
from bot.platform.content import PuzzleFiles
from bot.rules.chance import FairChance
from bot.rules.evaluation import Evaluation, Unit
from bot.tables.thinker import Question, explain_moves
from bot.words import seat_emoji
from tests.games.change.hidden import redeal_hidden
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.ui.adapter import without_picture_maker

GAMES = {key: load_games_once()[key] for key in PuzzleFiles().games()}
DAY = 20_788
NO_STANDING = DailyStanding(None, None, "0a1b2c3d")
SAMPLE = 12

MAX_LABEL, MAX_DESCRIPTION = 80, 4096
"""Discord's limits."""


def shown_puzzle(key: str, place: int = 0, day: int | None = DAY) -> ShownPuzzle:
    book = PuzzleFiles().load(key)
    return show(ChosenPuzzle(key, book, book.puzzles[place], day))


def show(chosen: ChosenPuzzle) -> ShownPuzzle:
    *_, table = replay_puzzle(GAMES[chosen.game], chosen.book, chosen.puzzle)
    shown, puzzle = ShownPuzzle(chosen, table), chosen.puzzle
    question = Question(chosen.game, table.package.game.view(table.state, table.header.to_move), ())
    best = rank_offered(table, puzzle, shown.texts)
    return replace(shown, told=explain_moves(question, best, Evaluation(puzzle.values, puzzle.unit), GAMES).result)


def answer_to(shown: ShownPuzzle, choice: int) -> DailyAnswer:
    chosen, is_right = shown.chosen, choice == shown.chosen.puzzle.best
    at = datetime(2026, 12, 1, tzinfo=UTC)
    return DailyAnswer(11, DAY, chosen.game, chosen.puzzle.key, choice, is_right, 3, "Robin", at)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.slow
def test_every_message_fits_into_discords_limits(key: str) -> None:
    book = PuzzleFiles().load(key)
    for puzzle in islice(book.puzzles, SAMPLE):
        shown = show(ChosenPuzzle(key, book, puzzle, DAY))
        question = render_question(shown, in_server=True)
        answered = render_daily_answer(
            shown, answer_to(shown, puzzle.ranking[-1]), DailyStanding(Streak(), None, "0a1b2c3d"), in_server=True
        )
        for content in (question, answered):
            assert len(content.rows) <= 5
            assert all(0 < len(button.label) <= MAX_LABEL for row in content.rows for button in row)
            assert len(str(content.text_embed_json["description"])) <= MAX_DESCRIPTION
        choices = [button for row in question.rows for button in row if button.custom_id.startswith("P:")]
        assert len({button.label for button in choices}) == len(puzzle.offered)


def test_a_question_gives_neither_values_nor_the_answer_away() -> None:
    shown = shown_puzzle("magpie")
    puzzle = shown.chosen.puzzle
    content = render_question(shown, in_server=True)
    for embed in (content.text_embed_json, content.picture_embed_json):
        assert "%" not in str(embed["description"])
        assert f"<t:{(DAY + 1) * 86_400}:R>" in str(embed["description"])
    styles = {button.style for row in content.rows for button in row if button.custom_id.startswith("P:")}
    assert len(styles) == 1
    order = [button.custom_id for row in content.rows for button in row if button.custom_id.startswith("P:")]
    assert order == [f"P:magpie:{puzzle.key}:{DAY}:{place}" for place in range(len(puzzle.offered))]


@pytest.mark.parametrize("key", GAMES)
def test_a_question_says_whose_seat_it_is_without_inventing_people(key: str) -> None:
    shown = shown_puzzle(key)
    content, mover = render_question(shown, in_server=True), shown.table.header.to_move or 0
    heading = str(content.picture_embed_json["description"]).splitlines()[0]
    assert (seat_emoji(mover) in heading) is (len(shown.table.seats) > 1)
    assert [re.findall(r"\d+", who.name) for who in shown.table.seats] == [
        [str(seat + 1)] for seat in range(len(shown.table.seats))
    ]


def test_hidden_cards_of_others_change_nothing_but_ones_own_are_shown() -> None:
    book, differed, shown_hands = PuzzleFiles().load("change"), 0, 0
    for at, puzzle in enumerate(islice(book.puzzles, SAMPLE)):
        shown = show(ChosenPuzzle("change", book, puzzle, DAY))
        table = shown.table
        other = replace(table, state=redeal_hidden(table.state, table.header.to_move, FairChance(b"deal", str(at), 0)))
        differed += other.state != table.state
        content, redealt = (render_question(replace(shown, table=each), in_server=True) for each in (table, other))
        assert without_picture_maker(content) == without_picture_maker(redealt)
        assert content.make_picture is not None
        assert redealt.make_picture is not None
        assert content.make_picture() == redealt.make_picture()
        shown_hands += bool(content.picture_embed_json["fields"])
    assert differed > SAMPLE / 2
    assert shown_hands == SAMPLE


@pytest.mark.parametrize("is_right", [True, False])
def test_an_answer_ranks_the_offered_moves_and_says_why(*, is_right: bool) -> None:
    shown = shown_puzzle("magpie")
    puzzle, texts = shown.chosen.puzzle, shown.texts
    choice = puzzle.ranking[0 if is_right else 2]
    content = render_daily_answer(
        shown,
        answer_to(shown, choice),
        DailyStanding(Streak(3, 5), DailyBoard(DAY, 1, 1, Streak(2, 9)), "0a1b2c3d"),
        in_server=True,
    )
    told = str(content.picture_embed_json["description"])
    assert told.startswith("✅" if is_right else "❌")
    lines = [line for line in told.splitlines() if "`" in line]
    assert [text in line for text, line in zip((texts[at] for at in puzzle.ranking), lines, strict=True)] == [True] * 6
    assert f"**{texts[choice]}**" in lines[puzzle.ranking.index(choice)]
    streaks = [re.findall(r"\d+", line) for line in told.splitlines() if line[:1] in "🔥🏠"]
    assert [each for each in streaks if each] == [["3", "5"], ["2", "9"]]
    assert f"<t:{(DAY + 1) * 86_400}:R>" in told
    assert shown.told is not None
    assert [f"💡 {shown.told.reason}" in told, *(line[1:] in told for line in shown.told.odds)] == [True] * (
        1 + len(shown.told.odds)
    )
    untold = render_daily_answer(
        replace(shown, told=None), answer_to(shown, choice), DailyStanding(None, None, "0a1b2c3d"), in_server=True
    )
    assert "💡" not in str(untold.picture_embed_json["description"])


VALUE = re.compile(r"`(?:[^`\d<>]*?)([<>]?[\d.]+)%`|`(−[\d.]+) [^`]*`|`([^`\d]+)`")
LEAD = re.compile(r"\*\w\* [^\d*]*(\d[\d.]*)[^*]*\*\w\*")


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.slow
def test_what_the_best_move_leads_by_is_the_difference_of_the_numbers_shown(key: str) -> None:
    book = PuzzleFiles().load(key)
    for puzzle in book.puzzles[::50]:
        shown = replace(shown_puzzle(key), chosen=ChosenPuzzle(key, book, puzzle, DAY), told=None)
        with patch.object(ShownPuzzle, "texts", tuple("abcdefgh"[: len(puzzle.offered)])):
            for choice in puzzle.ranking:
                told = str(
                    render_daily_answer(shown, answer_to(shown, choice), NO_STANDING, in_server=True).text_embed_json
                )
                best, *others = [numbers_of(each) for each in VALUE.findall(told)]
                other = others[max(0, puzzle.ranking.index(choice) - 1)]
                lead = LEAD.search(told)
                assert round(best - other, 1) == (float(lead[1]) if lead else 0), told


def numbers_of(value: tuple[str, str, str]) -> float:
    """Return a value as it is shown."""
    percent, points, _ = value
    edges = {"<1": 0.0, ">99": 100.0}
    return edges[percent] if percent in edges else float((percent or points or "0").replace("−", "-"))


@each_case(
    "values, is_exact, figures",
    [
        ((0.484, 0.452), False, ["3", "100"]),
        ((0.484, 0.476), False, []),
        ((0.48, 0.466), False, ["1", "100"]),
        ((0.484, 0.4525), True, ["3.2", "100"]),
    ],
)
def test_a_lead_is_told_in_the_numbers_shown(
    values: tuple[float, float], figures: list[str], *, is_exact: bool
) -> None:
    puzzle = PuzzleFiles().load("magpie").puzzles[0]
    puzzle = puzzle.model_copy(update={"offered": ("a", "b"), "values": values, "unit": Unit.WINS})
    assert re.findall(r"[\d.]*\d", compare_answer(puzzle, ("a", "b"), 1, is_exact=is_exact)) == figures


@pytest.mark.parametrize("key", GAMES)
def test_only_exact_values_are_told_exactly(key: str) -> None:
    package, shown = GAMES[key], shown_puzzle(key)
    table = shown.table
    view, moves = package.game.view(table.state, table.header.to_move), package.game.legal_moves(table.state)
    assert package.mind.evaluate is not None
    assert shown.is_exact is package.mind.evaluate(view, moves).is_exact
    content = render_daily_answer(shown, answer_to(shown, 0), DailyStanding(None, None, "0a1b2c3d"), in_server=True)
    # The position is told below.
    lines = str(content.text_embed_json["description"]).split("\n\n")[0].splitlines()[1:]
    values = [match[1] for line in lines if (match := re.search("`(.*?)`", line))]
    if shown.chosen.puzzle.unit is not Unit.WINS:
        values = [value for value in values if re.search(r"\d", value)]
        assert all(re.match(r"−\d+\.\d ", value) for value in values)
    elif shown.is_exact:
        assert all(re.fullmatch(r"\d+(\.\d)?%", value) for value in values)
    else:
        assert all(re.search(r"(^|\D )\d+%$|^<1%$|^>99%$", value) for value in values)
    assert len(values) > 1


@pytest.mark.parametrize("is_right", [True, False])
def test_the_answer_to_a_puzzle_that_is_gone_is_told_without_its_board(*, is_right: bool) -> None:
    shown = shown_puzzle("magpie")
    answer = replace(answer_to(shown, 0), is_right=is_right, puzzle="00000000")
    content = render_lost_answer(shown.chosen, answer, DailyStanding(Streak(3, 5), None, "0a1b2c3d"), in_server=False)
    told = str(content.text_embed_json["description"])
    assert told.startswith("✅" if is_right else "❌")
    assert [re.findall(r"\d+", line) for line in told.splitlines() if line.startswith("🔥")] == [["3", "5"]]
    assert len([button for row in content.rows for button in row]) == 1
    assert "Magpie" in render_shared_answer("Robin", "Magpie", None, answer, Streak()).splitlines()[0]


def test_the_board_lists_the_solvers_and_counts_the_rest() -> None:
    board = DailyBoard(DAY, 7, 5, Streak(4, 6), (Solver(11, "Rob*in", 4), Solver(12, "Wren", 1)))
    told = str(render_board(board, "Magpie", 12).text_embed_json["description"]).splitlines()
    assert [re.findall(r"\d+", line) for line in told] == [["5", "7"], ["4", "6"], ["4"], ["1"], ["3"]]
    assert "**Rob\\*in**" in told[2]
