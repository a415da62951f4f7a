"""Tournaments and tie-breaks of Change: rules CH-13 and CH-14."""

from dataclasses import replace

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


TIE_BREAK = SeriesLink(9, SeriesLinkKind.TIE_BREAK, 2)
SECOND_GAME = SeriesLink(9, SeriesLinkKind.TOURNAMENT, 2, (5, 5))


@each_case(
    "left, options, link, seats, kind",
    [
        ((0, 30, 0), ChangeOptions(credits=200), None, (0, 2), SeriesLinkKind.TIE_BREAK),
        ((0, 30, 0), ChangeOptions(credits=200, sets=False), None, (0, 2), SeriesLinkKind.TIE_BREAK),
        ((0, 30), ChangeOptions(), None, None, None),
        ((0, 0), ChangeOptions(credits=50), TIE_BREAK, None, None),
        ((0, 0), ChangeOptions(games=2), None, (0, 1), SeriesLinkKind.TOURNAMENT),
        ((0, 0), ChangeOptions(games=2), SECOND_GAME, None, None),
    ],
)
def test_ch_13_a_tie_offers_the_tied_seats_a_game_of_50_credits(
    left: tuple[int, ...],
    options: ChangeOptions,
    link: SeriesLink | None,
    seats: tuple[int, ...] | None,
    kind: SeriesLinkKind | None,
) -> None:
    """CH-13: with the same options; a win, a tied tie-break and a game of a tournament need none."""
    sequel = next_table_of(make_finished_table(*left, options=options, link=link))
    assert (sequel and sequel.seats, sequel and sequel.link.kind) == (seats, kind)
    if sequel and kind is SeriesLinkKind.TIE_BREAK:
        assert sequel.options == options.model_copy(update={"credits": 50})


def test_ch_13_a_tied_tie_break_is_a_shared_win() -> None:
    """CH-13."""
    tied = make_finished_table(0, 0, options=ChangeOptions(credits=50), link=TIE_BREAK)
    assert tied.outcome is not None
    assert tied.outcome.winners == (0, 1)


def test_ch_14_credits_left_are_added_up_and_the_lowest_total_wins() -> None:
    """CH-14: equal tallies share, and so on down; a single game has none."""
    link = SeriesLink(9, SeriesLinkKind.TOURNAMENT, 2, (0, 60, 70))
    tally = tally_of(make_finished_table(60, 0, 20, options=ChangeOptions(games=2), link=link))
    assert tally is not None
    assert (tally.sums, tally.places, tally.is_over) == ((60, 60, 90), (1, 1, 3), True)
    assert tally_of(make_finished_table(0, 30)) is None


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
