"""Lobbies say what computer players are like."""

from dataclasses import replace

import pytest

from bot.platform.discord.ids import parse_id
from bot.tables import lobby
from bot.tables.handlers.ids import LobbyButton
from bot.tables.refusals import Stale
from bot.tables.shown.lobby import render_lobby
from bot.tables.shown.words import describe_level, level_name
from bot.tables.table import Table
from tests.support.broken_games import with_broken_tables
from tests.support.fakes import GAMES, ROBIN, as_solo, make_table


def footer_of(table: Table) -> str:
    return str(render_lobby(table).text_embed.footer.text)


def test_a_lobby_says_that_only_normal_plays_if_what_others_have_learned_is_broken() -> None:
    """Also of a computer player that was seated before the file broke."""
    table = lobby.with_computer(lobby.change_level(make_table(lobby.make_occupant(ROBIN, 1)), ROBIN, 1))
    assert table.seats[-1].level == "strong"
    broken = replace(table, package=with_broken_tables(table.package))
    assert level_name("normal") in footer_of(broken)
    assert level_name("normal") not in footer_of(table)
    shown = render_lobby(broken)
    assert level_name("strong") not in str(shown)
    offered = [getattr(parse_id(button.custom_id), "button", None) for row in shown.rows for button in row]
    assert LobbyButton.LEVEL not in offered
    assert LobbyButton.ADD_COMPUTER in offered


def test_what_was_chosen_is_kept_while_only_normal_plays() -> None:
    """It plays again once the file is whole; a game that starts before says that Normal played it."""
    table = lobby.change_level(make_table(lobby.make_occupant(ROBIN, 1)), ROBIN, 1)
    broken = replace(table, package=with_broken_tables(table.package))
    assert lobby.level_of(lobby.with_computer(broken)) == "strong"
    with pytest.raises(Stale):
        lobby.change_level(broken, ROBIN, broken.header.revision)
    assert lobby.start(broken, ROBIN, 1).seats[-1].level == "normal"
    assert lobby.start(table, ROBIN, 1).seats[-1].level == "strong"


def test_a_lobby_for_one_says_that_hints_are_rougher_if_what_players_have_learned_is_broken() -> None:
    table = as_solo(make_table())
    broken = footer_of(replace(table, package=with_broken_tables(table.package)))
    assert len(broken.splitlines()) == len(footer_of(table).splitlines()) + 1


def test_every_level_of_the_games_has_a_name_and_a_sentence() -> None:
    for package in GAMES.values():
        for level in package.mind.strategies:
            assert describe_level(level).startswith(level_name(level))
