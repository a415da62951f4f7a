"""Only buttons that can be used now are shown."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import discord
import pytest

from bot.platform.discord.content import MessageContent
from bot.platform.discord.ids import parse_id
from bot.rules.chance import FastChance
from bot.rules.playout import random_move
from bot.rules.refusals import Refusal
from bot.rules.screen import MAX_ROW_WIDTH
from bot.tables import lobby as lobby_actions
from bot.tables.control_entries import SeatStatus
from bot.tables.handlers.ids import (
    PEOPLE_ONLY,
    ControlId,
    GuideId,
    LobbyButton,
    LobbyId,
    OptionPanelId,
    ReadOnlyId,
    SeatButton,
    SeatId,
)
from bot.tables.model import SeriesLink, SeriesLinkKind, Status
from bot.tables.registry import AnyPackage, levels_of
from bot.tables.shown.buttons import guide_button, more_button, playing_buttons
from bot.tables.shown.more import render_more
from bot.tables.shown.parts import NO_PARTS, ButtonPart, Place, TableParts
from bot.tables.shown.screen import screen_of
from bot.tables.table import Table, TakeBackState, apply_move
from bot.tables.turns import find_forced_end
from tests.support.fakes import PEOPLE, STRANGER, make_table
from tests.support.games import load_games_once
from tests.ui.fake_pictures import make_table_messages

GAMES = load_games_once()

ACTIONS: dict[LobbyButton, Callable[[Table], object]] = {
    LobbyButton.JOIN: lambda table: lobby_actions.join(table, STRANGER, 1),
    LobbyButton.LEAVE: lambda table: lobby_actions.leave(table, PEOPLE[0]),
    LobbyButton.START: lambda table: lobby_actions.start(table, PEOPLE[0], 1),
    LobbyButton.REMOVE_PLAYER: lambda table: lobby_actions.remove_player(table, PEOPLE[0], table.header.revision, 1),
}
"""The action of each lobby button, taken by a player to whom it is offered."""


def content_of(table: Table) -> MessageContent:
    return make_table_messages().build_content(table)


def ids_of(content: MessageContent) -> list[object]:
    return [parse_id(press.custom_id) for row in content.rows for press in row]


def lobbies(package: AnyPackage) -> list[Table]:
    """Return lobbies of a game with every number of seats taken, by people alone and by a computer player too."""
    people = [lobby_actions.make_occupant(person, at) for at, person in enumerate(PEOPLE)]
    most = package.game.info.most_seats
    by_people = [make_table(*people[:taken], package=package) for taken in range(1, min(most, len(people)) + 1)]
    mixed = [lobby_actions.with_computer(table) for table in by_people if len(table.seats) < most]
    full = by_people[0]
    while len(full.seats) < most:
        full = lobby_actions.with_computer(full)
    return [*by_people, *mixed, full]


def is_possible(take: Callable[[Table], object], table: Table) -> bool:
    try:
        take(table)
    except Refusal:
        return False
    return True


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_lobby_offers_exactly_the_possible_actions(game: str) -> None:
    for table in lobbies(GAMES[game]):
        more = render_more(table, NO_PARTS, PEOPLE[0].id)
        offered = {each.button for each in (*ids_of(content_of(table)), *ids_of(more)) if isinstance(each, LobbyId)}
        possible = {action for action, take in ACTIONS.items() if is_possible(take, table)}
        assert offered == possible, table.seats
        assert sum(map(len, content_of(table).rows)) <= 4  # with *Learn*, for newcomers
        assert len(content_of(table).menus) <= 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_menu_of_opponents_offers_exactly_the_possible_choices(game: str) -> None:
    for table in lobbies(GAMES[game]):
        offered = {line.value for menu in content_of(table).menus for line in menu.options}
        has_room = len(table.seats) < table.package.game.info.most_seats
        possible = set(levels_of(table.package)) if has_room else set()
        if any(who.is_computer for who in table.seats):
            possible.add(PEOPLE_ONLY)
        assert offered == (set() if table.package.game.info.is_solo else possible), table.seats


def test_only_those_who_may_use_them_are_shown_the_further_buttons_of_a_lobby() -> None:
    table, guide = make_table(), ReadOnlyId(1, 1, GuideId("magpie"))
    options, remove, leave = (
        OptionPanelId(1),
        LobbyId(1, 1, LobbyButton.REMOVE_PLAYER),
        LobbyId(1, 1, LobbyButton.LEAVE),
    )
    for person, is_moderator, expected in (
        (PEOPLE[0], False, [options, remove, leave, guide]),
        (PEOPLE[1], False, [leave, guide]),
        (PEOPLE[1], True, [remove, leave, guide]),
        (STRANGER, False, [guide]),
    ):
        assert ids_of(render_more(table, NO_PARTS, person.id, is_moderator=is_moderator)) == expected


def test_the_lobby_of_a_linked_table_offers_only_its_start() -> None:
    table = make_table()
    linked = replace(table, header=replace(table.header, link=SeriesLink(7, SeriesLinkKind.TIE_BREAK, 2)))
    offered = [each.button for each in ids_of(content_of(linked)) if isinstance(each, LobbyId)]
    assert offered == [action for action, take in ACTIONS.items() if is_possible(take, linked)] == [LobbyButton.START]


def with_computer_to_move(table: Table) -> Table:
    """Return the table as it is when a computer player makes the next move."""
    return replace(table, header=replace(table.header, awaits_computer=True))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_while_a_computer_player_thinks_the_same_moves_are_shown_but_can_not_be_pressed(game: str) -> None:
    package = GAMES[game]
    people = tuple(
        lobby_actions.make_occupant(person, at) for at, person in enumerate(PEOPLE[: package.game.info.most_seats])
    )
    table = make_table(*people, status=Status.PLAYING, package=package)
    own, computers = content_of(table), content_of(with_computer_to_move(table))
    assert ids_of(computers) == ids_of(own)
    assert all(menu.is_disabled for menu in computers.menus)
    moves = [button for row in computers.rows for button in row if isinstance(parse_id(button.custom_id), ControlId)]
    assert all(button.is_disabled and button.style is discord.ButtonStyle.secondary for button in moves)
    others = [button for row in computers.rows for button in row if button not in moves]
    assert not any(button.is_disabled for button in others)


def test_while_a_computer_player_thinks_seats_and_moves_can_be_taken_back() -> None:
    table = make_table(status=Status.PLAYING)
    standing = SeatStatus(substituted=frozenset({1}))
    table = replace(
        with_computer_to_move(table), take_back_state=TakeBackState(0, table.state, (), b""), seat_status=standing
    )
    seats = [SeatId(1, 0, SeatButton.TAKE_BACK), SeatId(1, 0, SeatButton.COME_BACK)]
    assert [offered for offered in ids_of(content_of(table)) if isinstance(offered, SeatId)] == seats


def test_however_much_can_be_done_about_seats_the_last_row_fits_and_more_is_in_it() -> None:
    package, parts = GAMES["change"], TableParts()
    people = tuple(lobby_actions.make_occupant(person, at) for at, person in enumerate(PEOPLE))
    table = make_table(*people, status=Status.PLAYING, package=package)
    parts.add(buttons=[ButtonPart(Place.BESIDE_MORE, lambda shown: [guide_button(shown)])])
    standing = SeatStatus(substituted=frozenset({1}), closers=frozenset({0}))
    undone = TakeBackState(0, table.state, (), b"")
    crowded = replace(table, take_back_state=undone, seat_status=standing)
    last = playing_buttons(crowded, screen_of(crowded), parts)
    assert len(last) == MAX_ROW_WIDTH
    assert more_button(crowded) in last


def test_nothing_but_the_title_tells_that_a_computer_player_thinks() -> None:
    table = make_table(status=Status.PLAYING)
    own, computers = content_of(table), content_of(with_computer_to_move(table))
    assert own.text_embed.title != computers.text_embed.title
    assert own.text_embed.description == computers.text_embed.description
    assert own.picture_embed_json["description"].count("\n") == computers.picture_embed_json["description"].count("\n")


MOST_BUTTONS = {"magpie": 9, "fortune": 12, "magic_bag": 10, "houdinis_baggage": 12, "change": 12}
"""On a turn, with everything in the last row."""


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_table_has_few_buttons_and_colours_exactly_one(game: str) -> None:
    package = GAMES[game]
    people = tuple(
        lobby_actions.make_occupant(person, at) for at, person in enumerate(PEOPLE[: package.game.info.most_seats])
    )
    table, random = make_table(*people, status=Status.PLAYING, package=package), Random(game)
    for _step in range(30):
        if table.header.status is not Status.PLAYING:
            break
        buttons = [button for row in content_of(table).rows for button in row]
        assert len(buttons) <= MOST_BUTTONS[game]
        coloured = [button for button in buttons if button.style is not discord.ButtonStyle.secondary]
        assert len(coloured) == (find_forced_end(table) is None), table.state
        assert not any(button.is_disabled for button in coloured)
        move = random_move(package.game.legal_moves(table.state), FastChance(random))
        table = apply_move(table, table.header.to_move or 0, move)
