"""Choices that need more than one menu."""

from bot.rules.screen import EMPTY_DRAFT, MAX_MENU_LINES, Control, Draft, Play, Toggle, page_of, wrap_rows
from tests.support.each_case import each_case

TOKENS = range(10, 13)


def make_controls(count: int) -> list[Control]:
    return [Control(f"c{number}", str(number), Play(str(number))) for number in range(count)]


def page(count: int, draft: Draft) -> tuple[Control, ...]:
    return page_of(make_controls(count), draft, TOKENS, key="turn", next_label="more", first_label="first")


@each_case("count, widths", [(0, []), (1, [1]), (5, [5]), (6, [5, 1]), (25, [5] * 5)])
def test_rows_are_as_wide_as_there_is_room(count: int, widths: list[int]) -> None:
    rows = wrap_rows(make_controls(count))
    assert [len(row) for row in rows] == widths
    assert [control for row in rows for control in row] == make_controls(count)


def test_a_list_that_fits_into_a_menu_has_one_page() -> None:
    assert page(MAX_MENU_LINES, frozenset({10})) == tuple(make_controls(MAX_MENU_LINES))


@each_case("count, pages", [(26, 2), (48, 2), (49, 3), (96, 4)])
def test_the_last_line_leads_through_all_pages_and_back(count: int, pages: int) -> None:
    draft, seen, labels = frozenset({3}), list[Control](), []
    for _ in range(pages):
        *lines, turn = page(count, draft)
        assert len(lines) < MAX_MENU_LINES
        assert isinstance(turn.effect, Toggle)
        seen += lines
        labels.append(turn.label)
        draft = turn.effect.apply(draft)
    assert seen == make_controls(count)
    assert labels == ["more"] * (pages - 1) + ["first"]
    assert draft == frozenset({3}), "other picks stay, and the first page needs no token"


def test_a_page_that_no_longer_exists_is_the_first() -> None:
    assert page(30, frozenset({11}))[:24] == page(30, EMPTY_DRAFT)[:24]


def test_more_pages_than_tokens_are_not_shown() -> None:
    *lines, turn = page(200, frozenset({12}))
    assert [control.key for control in lines] == [f"c{number}" for number in range(72, 96)]
    assert turn.label == "first"
