"""A refusal to open a second table says what can be done about the first."""

from dataclasses import replace

import pytest

from bot.platform.discord.ids import parse_id
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables.control_entries import Resign
from bot.tables.handlers.ids import LobbyButton, LobbyId
from bot.tables.lobby import make_occupant
from bot.tables.model import SeriesLink, SeriesLinkKind, Status
from bot.tables.refusals import HostReason, PlaceTakenFacts
from bot.tables.shown.lobby import render_lobby
from bot.tables.table import Table, apply_control_entry
from tests.support.apps import shared_app
from tests.support.each_case import each_case
from tests.support.fakes import HERE, LINNET, ROBIN, STRANGER, WREN, make_service, make_table, open_lobby
from tests.support.memory_database import MemoryDatabase

DIRECT = Location(None, 4711)
SOLO = replace(HERE, solo_id=ROBIN.id)
DIRECT_SOLO = replace(DIRECT, solo_id=ROBIN.id)
LOBBY, PLAYING, HELD = Status.LOBBY, Status.PLAYING, Status.HELD
SIX = tuple(make_occupant(Person(at, f"P{at}"), at) for at in range(11, 17))
ONE = (make_occupant(ROBIN, 1),)
TWO = (make_occupant(ROBIN, 1), make_occupant(WREN, 2))
BOTH = frozenset({0, 1})
LINK = SeriesLink(1, SeriesLinkKind.TIE_BREAK, 2)


def refusal_text(table: Table, asker: Person) -> str:
    place = table.header.location
    reason = HostReason.SOLO_TAKEN if place.solo_id else HostReason.CHANNEL_TAKEN
    return shared_app().error_replies.explain(Refusal(reason, PlaceTakenFacts(table, asker.id)))


CASES = {
    "a lobby with free seats": (make_table(*TWO), STRANGER),
    "a lobby with one's own seat": (make_table(*TWO), WREN),
    "a full lobby": (make_table(*SIX), STRANGER),
    "a lobby with fixed seats": (make_table(*TWO, link=LINK), STRANGER),
    "a game of others": (make_table(*TWO, status=PLAYING), STRANGER),
    "an own game": (make_table(*TWO, status=PLAYING), WREN),
    "a game that its host may close": (make_table(*TWO, status=PLAYING), ROBIN),
    "a game in which all have acted": (replace(make_table(*TWO, status=PLAYING), acted=BOTH), ROBIN),
    "a held game": (make_table(*TWO, status=HELD), STRANGER),
    "a lobby in a direct message": (make_table(*ONE, location=DIRECT), ROBIN),
    "a game in a direct message": (make_table(*TWO, location=DIRECT, status=PLAYING), ROBIN),
    "a game in a direct message in which all have acted": (
        replace(make_table(*TWO, location=DIRECT, status=PLAYING), acted=BOTH),
        ROBIN,
    ),
    "an own lobby": (make_table(*ONE, location=SOLO), ROBIN),
    "an own game alone": (make_table(*TWO, location=SOLO, status=PLAYING), ROBIN),
    "an own game alone in a direct message": (make_table(*TWO, location=DIRECT_SOLO, status=PLAYING), ROBIN),
}
"""Tables in the way of another, and who asks for it."""


@each_case("table, asker", CASES.values())
def test_the_table_in_the_way_is_linked(table: Table, asker: Person) -> None:
    assert "https://discord.com/channels/" in refusal_text(table, asker)


def test_resigned_players_are_not_listed_as_playing() -> None:
    table = make_table(*TWO, make_occupant(STRANGER, 3), status=PLAYING)
    told = {refusal_text(apply_control_entry(table, 1, Resign()), asker) for asker in (WREN, LINNET)}
    assert len(told) == 1
    assert refusal_text(table, WREN) not in told


async def test_the_refusal_depends_on_the_person(db: MemoryDatabase) -> None:
    service = make_service(db)
    table = await open_lobby(service, ROBIN, WREN)
    await service.start(table.id, ROBIN, 50)
    told = set()
    for asker in (WREN, STRANGER):
        with pytest.raises(Refusal) as refused:
            await open_lobby(service, asker)
        told.add(shared_app().error_replies.explain(refused.value))
    assert len(told) == 2


def offers(table: Table) -> set[LobbyButton]:
    ids = [parse_id(press.custom_id) for row in render_lobby(table).rows for press in row]
    return {each.button for each in ids if isinstance(each, LobbyId)}


def test_a_lobby_in_a_direct_message_offers_only_possible_actions() -> None:
    table = make_table(*ONE, location=DIRECT)
    others = {LobbyButton.START, LobbyButton.LEAVE, LobbyButton.ADD_COMPUTER, LobbyButton.LEVEL}
    assert (offers(table), offers(make_table(*ONE))) == (others, {*others, LobbyButton.JOIN})
