"""The check of a table's text against its facts finds missing and unused words."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from bot.games.magpie import PACKAGE
from bot.games.magpie.pieces import GameEvent, State
from bot.rules.package import ReadingBuilder
from bot.rules.screen import Draft, News, Screen, ScreenBuilder
from bot.tools.contract.fact_coverage import check_reading_coverage, check_screen_coverage, find_untold, make_fact
from tests.games.magpie import test_fact_coverage as in_words, test_reading_coverage as read_out
from tests.support.each_case import each_case


def reading_with(change: Callable[[str], str]) -> ReadingBuilder[State]:
    def read(view: State, names: Sequence[str]) -> str:
        assert PACKAGE.words.build_reading is not None
        return change(PACKAGE.words.build_reading(view, names))

    return read


def screen_with(change: Callable[[Screen], Screen]) -> ScreenBuilder[State, GameEvent]:
    def show(view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft) -> Screen:
        return change(PACKAGE.words.build_screen(view, news, names, draft))

    return show


@each_case("words, instead", [(" has ", " had "), ("one last turn", "a turn"), ("game is over", "end")])
def test_a_fact_missing_from_the_reading_is_found(words: str, instead: str) -> None:
    silent = replace(
        PACKAGE, words=replace(PACKAGE.words, build_reading=reading_with(lambda text: text.replace(words, instead)))
    )
    with pytest.raises(AssertionError, match="Fact"):
        check_reading_coverage(silent, read_out.facts, read_out.PROMISES)


def test_a_fact_split_over_two_lines_is_not_found_as_read_out() -> None:
    torn = replace(
        PACKAGE, words=replace(PACKAGE.words, build_reading=reading_with(lambda text: text.replace(" has ", "\nhas ")))
    )
    with pytest.raises(AssertionError, match="Fact"):
        check_reading_coverage(torn, read_out.facts, read_out.PROMISES)


def test_a_fact_missing_from_the_screen_is_found() -> None:
    mute = replace(
        PACKAGE,
        words=replace(
            PACKAGE.words, build_screen=screen_with(lambda screen: replace(screen, fields=screen.fields[1:]))
        ),
    )
    with pytest.raises(AssertionError, match="Fact"):
        check_screen_coverage(mute, in_words.facts, in_words.PROMISES)


@each_case("promises", [read_out.PROMISES | {"weather"}, read_out.PROMISES - {"mover"}])
def test_promised_facts_that_never_occur_and_facts_without_promise_are_found(promises: frozenset[str]) -> None:
    with pytest.raises(AssertionError, match=r"weather|mover"):
        check_reading_coverage(PACKAGE, read_out.facts, promises)


@each_case("text, is_found", [("Robin 12", True), ("Robin 123", False), ("Robin\n12", False), ("1 Robin 112", False)])
def test_facts_must_share_a_line_and_numbers_must_be_whole(text: str, is_found: bool) -> None:
    assert (find_untold(Screen("Magpie", text), [make_fact("scores", "Robin", 12)]) == []) is is_found
