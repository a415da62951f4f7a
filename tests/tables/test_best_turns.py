"""A table keeps the best turn of each seat, unless a computer player played it for a person."""

from dataclasses import replace
from itertools import pairwise

from bot.games.magpie.pieces import Roll
from bot.rules.race import unpack_race
from bot.tables.shown.pride import describe_best_turn
from bot.tables.table import Table, apply_move
from bot.tools.gallery_pictures import play_table
from bot.words import format_number
from tests.support.each_case import each_case
from tests.support.games import load_games_once

GAMES = load_games_once()


def most_improved(table: Table, seat: int) -> int:
    """Return the best change of a seat's score in a turn of its own, by the race."""
    sign = -1 if table.package.results.score_kind.lower_is_better else 1
    race = unpack_race(table.race, len(table.seats))
    return max(sign * (after[seat] - before[seat]) for before, after in pairwise(race))


@each_case("key", GAMES)
def test_the_best_turn_of_each_seat_improved_its_score_most(key: str) -> None:
    *_, over = play_table(GAMES[key], GAMES[key].game.info.most_seats)
    sign = -1 if over.package.results.score_kind.lower_is_better else 1
    changes = [0 if best is None else sign * best.change for best in over.best_turns]
    race = [most_improved(over, seat) for seat in range(len(over.seats))]
    assert all(0 <= change <= most for change, most in zip(changes, race, strict=True))
    # In Change credits are also released in the turns of others.
    assert key == "change" or max(changes) == max(race)
    for seat, best in enumerate(over.best_turns):
        assert best is None or (best.events and format_number(abs(best.change)) in describe_best_turn(over, seat))


def test_the_turn_of_a_substitute_is_nobodys_best() -> None:
    move, bettered = Roll((1, 2, 3, 4, 5)), 0
    for table in play_table(GAMES["magpie"], 2):
        seat = table.header.to_move
        if seat is None or apply_move(table, seat, move).best_turns == table.best_turns:
            continue
        bettered += 1
        absent = replace(table, seat_status=replace(table.seat_status, substituted=frozenset({seat})))
        assert apply_move(absent, seat, move).best_turns == (table.best_turns or (None, None))
    assert bettered
