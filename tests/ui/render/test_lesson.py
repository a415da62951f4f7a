"""What the table of a lesson shows, and how little work it takes."""

from collections import Counter
from dataclasses import replace
from typing import Any

from bot.features.help.lessons import start_lesson
from bot.platform.places import Person
from bot.rules.screen import EMPTY_DRAFT, Draft
from bot.tables.table import apply_move
from tests.support.fakes import make_table
from tests.support.games import load_games_once
from tests.support.rendering import render_game


def test_the_way_to_the_next_move_is_looked_for_once() -> None:
    drafts = Counter[Draft]()
    magpie = load_games_once()["magpie"]

    def build_screen(view: Any, news: Any, names: Any, draft: Draft) -> Any:
        drafts[draft] += 1
        return magpie.words.build_screen(view, news, names, draft)

    assert magpie.study.lesson is not None
    table = start_lesson(
        make_table().header,
        replace(magpie, words=replace(magpie.words, build_screen=build_screen)),
        magpie.study.lesson,
        Person(1, "Ada"),
    )
    for step in magpie.study.lesson.steps[:2]:
        table = apply_move(table, table.header.to_move or 0, magpie.game.parse_move(step.move))
    render_game(table, EMPTY_DRAFT)
    looked_at = [count for draft, count in drafts.items() if draft]
    assert len(looked_at) > 5, "two dice are to be kept"
    assert set(looked_at) == {1}
