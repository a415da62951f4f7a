"""Lobbies say what computer players are like."""

from dataclasses import replace

from bot.tables.actions import lobby
from bot.tables.table import Table
from bot.ui.render.levels import describe_level, level_name
from bot.ui.render.lobby import render_lobby
from tests.support.broken_games import with_broken_tables
from tests.support.each_case import each_case
from tests.support.fakes import GAMES, ROBIN, make_table


def footer_of(table: Table) -> str:
    return str(render_lobby(table).text_embed.footer.text)


def test_a_lobby_describes_the_level_once_it_matters() -> None:
    table = make_table(lobby.make_occupant(ROBIN, 1))
    assert "computers" not in footer_of(table)
    assert "Normal computers make the most of every turn." in footer_of(lobby.with_computer(table))
    chosen = lobby.change_level(table, ROBIN, table.header.revision)
    assert "Strong computers play to win the whole game." in footer_of(chosen)


def test_a_lobby_says_that_only_normal_plays_if_what_others_have_learned_is_broken() -> None:
    """Also of a computer player that was seated before the file broke."""
    table = lobby.with_computer(lobby.change_level(make_table(lobby.make_occupant(ROBIN, 1)), ROBIN, 1))
    assert table.seats[-1].level == "strong"
    broken = replace(table, package=with_broken_tables(table.package))
    assert "Computers only play Normal: what the other levels need can't be read." in footer_of(broken)
    assert "Strong" not in str(render_lobby(broken))
    assert lobby.with_computer(broken).seats[-1].level == "normal"


@each_case("level, name", [("random", "Random"), ("sensible", "Normal"), ("mean", "mean")])
def test_levels_of_earlier_tables_and_of_other_games_are_not_described(level: str, name: str) -> None:
    assert level_name(level) == name
    table = make_table()
    seats = (*table.seats[:1], replace(lobby.with_computer(table).seats[-1], level=level))
    header = replace(table.header, computer_level=level)
    package = replace(table.package, strategies={**table.package.strategies, "mean": table.package.strategies["easy"]})
    footer = footer_of(replace(table, header=header, seats=seats, package=package))
    assert footer.count("\n") == 1


def test_every_level_of_the_games_has_a_name_and_a_sentence() -> None:
    for package in GAMES.values():
        for level in package.strategies:
            assert describe_level(level).startswith(level_name(level))
