"""Only buttons that can be used now are shown."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.rules.package import GamePackage
from bot.rules.refusals import Refusal
from bot.tables.actions import lobby as wishes
from bot.tables.controls import Standing
from bot.tables.model import Link, LinkKind, Status
from bot.tables.registry import load_games
from bot.tables.table import Earlier, Table
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import GuideId, HandId, LobbyAction, LobbyId, LookId, ReadId, SeatAction, SeatId
from bot.ui.delivery.table_messages import DiscordBoard
from bot.ui.drafts import Drafts
from bot.ui.render.message import Frame
from tests.support.fakes import PEOPLE, STRANGER, a_table
from tests.ui.painter import an_easel

GAMES = load_games()

WISHES: dict[LobbyAction, Callable[[Table], object]] = {
    LobbyAction.JOIN: lambda table: wishes.joined(table, STRANGER, 1),
    LobbyAction.LEAVE: lambda table: wishes.left(table, PEOPLE[0]),
    LobbyAction.START: lambda table: wishes.started(table, PEOPLE[0], 1),
    LobbyAction.ADD_COMPUTER: lambda table: wishes.computer_added(table, PEOPLE[0], table.header.revision),
    LobbyAction.REMOVE_COMPUTER: lambda table: wishes.computer_removed(table, PEOPLE[0], table.header.revision),
}
"""What the buttons of a lobby mean for whom they are there."""


def frame_of(table: Table) -> Frame:
    return DiscordBoard(Drafts(), an_easel()).frame(table)


def ids_of(frame: Frame) -> list[object]:
    return [parse_id(press.custom_id) for row in frame.rows for press in row]


def lobbies(package: GamePackage) -> list[Table]:
    """Return lobbies of a game with every number of seats taken, by people alone and by a computer player too."""
    people = [wishes.occupant(person, at) for at, person in enumerate(PEOPLE)]
    most = package.game.info.most_seats
    by_people = [a_table(*people[:taken], package=package) for taken in range(1, min(most, len(people)) + 1)]
    mixed = [wishes.with_computer(table) for table in by_people if len(table.seats) < most]
    full = by_people[0]
    while len(full.seats) < most:
        full = wishes.with_computer(full)
    return [*by_people, *mixed, full]


def is_possible(wish: Callable[[Table], object], table: Table) -> bool:
    try:
        wish(table)
    except Refusal:
        return False
    return True


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_lobby_offers_exactly_what_can_be_done(game: str) -> None:
    for table in lobbies(GAMES[game]):
        offered = {each.action for each in ids_of(frame_of(table)) if isinstance(each, LobbyId)}
        assert offered == {action for action, wish in WISHES.items() if is_possible(wish, table)}, table.seats


def test_the_lobby_of_a_table_that_follows_another_offers_its_start_alone() -> None:
    table = a_table()
    linked = replace(table, header=replace(table.header, link=Link(7, LinkKind.TIE_BREAK, 2)))
    offered = [each.action for each in ids_of(frame_of(linked)) if isinstance(each, LobbyId)]
    assert offered == [action for action, wish in WISHES.items() if is_possible(wish, linked)] == [LobbyAction.START]


def thinking(table: Table) -> Table:
    """Return the table as it is when a computer player makes the next move."""
    return replace(table, header=replace(table.header, awaits_computer=True))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_while_a_computer_player_thinks_nobody_is_offered_a_move(game: str) -> None:
    package = GAMES[game]
    people = tuple(wishes.occupant(person, at) for at, person in enumerate(PEOPLE[: package.game.info.most_seats]))
    table = thinking(a_table(*people, status=Status.PLAYING, package=package))
    frame = frame_of(table)
    hands = [LookId(1, 1, HandId(1))] if package.hand else []
    assert ids_of(frame) == [*hands, LookId(1, 1, ReadId(1)), LookId(1, 1, GuideId(game))]
    assert frame.picks == ()


def test_while_a_computer_player_thinks_seats_and_moves_can_be_taken_back() -> None:
    table = a_table(status=Status.PLAYING)
    standing = Standing(substituted=frozenset({1}))
    table = replace(thinking(table), earlier=Earlier(0, table.state, ()), standing=standing)
    seats = [SeatId(1, 0, SeatAction.TAKE_BACK), SeatId(1, 0, SeatAction.COME_BACK)]
    assert ids_of(frame_of(table))[:2] == seats
    assert len(ids_of(frame_of(table))) == 4


def test_while_a_computer_player_thinks_the_same_is_told_of_the_table() -> None:
    table = a_table(status=Status.PLAYING)
    assert frame_of(thinking(table)).embed == frame_of(table).embed
