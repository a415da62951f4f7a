"""Tournaments and tie-breaks of Change: rules CH-13 and CH-14."""

from dataclasses import replace

import pytest

from bot.games.change.pieces import ChangeOptions, Stage
from bot.tables.model import SeriesLink, SeriesLinkKind, Status
from bot.tables.series import next_table_of, tally_of
from bot.tables.table import Table
from tests.games.change.positions import at
from tests.support.each_case import each_case
from tests.support.fakes import make_table
from tests.support.games import load_games_once

CHANGE = load_games_once()["change"]


def make_finished_table(*left: int, options: ChangeOptions | None = None, link: SeriesLink | None = None) -> Table:
    """Return a table that is finished, with what everybody has left."""
    options = options or ChangeOptions()
    state = at(*(f"{count}@0" for count in left), stage=Stage.OVER, asked=(), options=options)
    table = make_table(package=CHANGE, options=options.model_dump_json(), salt="0" * 64)
    header = replace(table.header, status=Status.FINISHED, link=link)
    return replace(table, header=header, seats=table.seats[: len(left)], state=state)


@each_case("sets", [False, True])
def test_ch_13_a_tie_offers_the_tied_seats_a_game_of_50_credits(sets: bool) -> None:
    """CH-13: with the same options."""
    sequel = next_table_of(make_finished_table(0, 30, 0, options=ChangeOptions(credits=200, sets=sets)))
    assert sequel is not None
    assert (sequel.seats, sequel.options) == ((0, 2), ChangeOptions(credits=50, sets=sets))
    assert sequel.link.kind is SeriesLinkKind.TIE_BREAK


def test_ch_13_a_tied_tie_break_is_a_shared_win() -> None:
    """CH-13."""
    tied = make_finished_table(0, 0, options=ChangeOptions(credits=50), link=SeriesLink(9, SeriesLinkKind.TIE_BREAK, 2))
    assert next_table_of(tied) is None
    assert tied.outcome is not None
    assert tied.outcome.winners == (0, 1)


def test_ch_13_there_is_no_tie_break_inside_a_tournament() -> None:
    """CH-13: whichever game of it is tied."""
    options = ChangeOptions(games=2)
    first = next_table_of(make_finished_table(0, 0, options=options))
    assert first is not None
    assert first.link.kind is SeriesLinkKind.TOURNAMENT
    assert (
        next_table_of(
            make_finished_table(0, 0, options=options, link=SeriesLink(9, SeriesLinkKind.TOURNAMENT, 2, (5, 5)))
        )
        is None
    )


def test_ch_13_a_win_needs_no_tie_break() -> None:
    """CH-13."""
    assert next_table_of(make_finished_table(0, 30)) is None


def test_ch_14_credits_left_are_added_up_and_the_lowest_total_wins() -> None:
    """CH-14: equal tallies share, and so on down."""
    table = make_finished_table(
        60, 0, 20, options=ChangeOptions(games=2), link=SeriesLink(9, SeriesLinkKind.TOURNAMENT, 2, (0, 60, 70))
    )
    tally = tally_of(table)
    assert tally is not None
    assert tally.sums == (60, 60, 90)
    assert tally.places == (1, 1, 3)
    assert tally.is_over


@each_case("games", [2, 9])
def test_ch_14_a_tournament_has_the_chosen_number_of_games(games: int) -> None:
    """CH-14: each a table of its own, linked to the first."""
    options = ChangeOptions(games=games)
    link, played = None, 0
    while (sequel := next_table_of(make_finished_table(0, 10, options=options, link=link))) is not None:
        played += 1
        link = sequel.link
        assert (link.first_id, link.part, link.carried) == (1, played + 1, (0, 10 * played))
        assert sequel.options == options
    assert played == games - 1


@each_case("games", [0, 10])
def test_ch_14_a_tournament_has_one_to_nine_games(games: int) -> None:
    """CH-14."""
    with pytest.raises(ValueError, match="games"):
        ChangeOptions(games=games)


def test_ch_14_a_single_game_has_no_tally() -> None:
    """CH-14."""
    assert tally_of(make_finished_table(0, 30)) is None
