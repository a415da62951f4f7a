"""Drafts end with their step, and outlive a restart in the buttons' ids."""

from dataclasses import replace

from bot.rules.screen import EMPTY_DRAFT, Toggle
from bot.tables.model import Status
from bot.tables.shown.screen import Drafts
from bot.tables.table import Table
from tests.support.fakes import make_table


def playing(number: int = 1, step: int = 0, seat: int = 0) -> Table:
    table = make_table(status=Status.PLAYING)
    return replace(table, header=replace(table.header, id=number, step=step, to_move=seat))


def test_a_token_is_toggled() -> None:
    drafts, table = Drafts(), playing()
    assert drafts.of(table) == EMPTY_DRAFT
    assert drafts.toggle(table, Toggle(3), EMPTY_DRAFT) == {3}
    assert drafts.toggle(table, Toggle(1), EMPTY_DRAFT) == {1, 3}
    assert drafts.toggle(table, Toggle(3), EMPTY_DRAFT) == {1}
    assert drafts.of(table) == {1}


def test_a_remembered_draft_takes_precedence_over_a_button() -> None:
    drafts, table = Drafts(), playing()
    drafts.toggle(table, Toggle(1), EMPTY_DRAFT)
    # A quick second click comes from a button that does not know of the first.
    assert drafts.toggle(table, Toggle(2), EMPTY_DRAFT) == {1, 2}
    assert drafts.of(table, frozenset({5})) == {1, 2}


def test_an_emptied_draft_is_remembered_too() -> None:
    drafts, table = Drafts(), playing()
    drafts.toggle(table, Toggle(1), EMPTY_DRAFT)
    drafts.toggle(table, Toggle(1), EMPTY_DRAFT)
    assert drafts.of(table, frozenset({1})) == EMPTY_DRAFT


def test_after_a_restart_the_draft_comes_from_the_button() -> None:
    drafts, table = Drafts(), playing()
    assert drafts.of(table, frozenset({2, 4})) == {2, 4}
    assert drafts.toggle(table, Toggle(4), frozenset({2, 4})) == {2}


def test_each_table_step_and_seat_has_a_draft_of_its_own() -> None:
    drafts = Drafts()
    drafts.toggle(playing(), Toggle(1), EMPTY_DRAFT)
    for other in (playing(number=2), playing(step=1), playing(seat=1)):
        assert drafts.of(other) == EMPTY_DRAFT


def test_the_number_of_drafts_is_bounded_by_last_use() -> None:
    drafts = Drafts(2)
    drafts.toggle(playing(1), Toggle(1), EMPTY_DRAFT)
    drafts.toggle(playing(2), Toggle(2), EMPTY_DRAFT)
    drafts.toggle(playing(1), Toggle(3), EMPTY_DRAFT)
    drafts.toggle(playing(3), Toggle(4), EMPTY_DRAFT)
    assert [drafts.of(playing(number)) for number in (1, 2, 3)] == [{1, 3}, EMPTY_DRAFT, {4}]


def test_a_table_without_a_seat_to_move_has_no_draft() -> None:
    table = make_table(status=Status.FINISHED)
    assert Drafts().of(table) == EMPTY_DRAFT
