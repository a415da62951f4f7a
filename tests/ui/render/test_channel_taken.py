"""A refusal to open a second table says what can be done about the first."""

from dataclasses import replace

import pytest

from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables.control_entries import Resign
from bot.tables.lobby import make_occupant, with_computer
from bot.tables.model import SeriesLink, SeriesLinkKind, Status
from bot.tables.refusals import HostReason, PlaceTakenFacts
from bot.tables.shown.lobby import render_lobby
from bot.tables.table import Table, apply_control_entry
from tests.support.apps import shared_app
from tests.support.each_case import each_case
from tests.support.fakes import HERE, ROBIN, STRANGER, WREN, make_service, make_table, open_lobby
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


@each_case(
    "table, asker, parts, absent",
    [
        (make_table(*TWO), STRANGER, ["waiting for players", "Press *Join*"], ["cancel"]),
        (make_table(*TWO), WREN, ["already have a seat", "Robin can start it"], ["Join"]),
        (make_table(*SIX), STRANGER, ["about to start", "full table of"], ["Join"]),
        (make_table(*TWO, link=LINK), STRANGER, ["full table of"], ["Join"]),
        (
            make_table(*TWO, status=PLAYING),
            STRANGER,
            ["a game of Magpie in this channel", "Watch it", "another channel"],
            ["Join"],
        ),
        (make_table(*TWO, status=PLAYING), WREN, ["You are playing Magpie", "`/table resign`"], ["Join", "Watch"]),
        (make_table(*TWO, status=PLAYING), ROBIN, ["You are playing Magpie", "`/table cancel`"], ["resign", "Watch"]),
        (replace(make_table(*TWO, status=PLAYING), acted=BOTH), ROBIN, ["`/table resign`"], ["cancel"]),
        (make_table(*TWO, status=HELD), STRANGER, ["can't continue", "Robin or a moderator can close"], ["Join"]),
        (make_table(*ONE, location=DIRECT), ROBIN, ["waiting here", "Start it"], ["Join", "channel or"]),
        (
            make_table(*TWO, location=DIRECT, status=PLAYING),
            ROBIN,
            ["playing Magpie here", "`/table cancel`"],
            ["Join", "moderator", "resign"],
        ),
        (
            replace(make_table(*TWO, location=DIRECT, status=PLAYING), acted=BOTH),
            ROBIN,
            ["playing Magpie here", "`/table resign`"],
            ["Join", "moderator", "cancel"],
        ),
        (make_table(*ONE, location=SOLO), ROBIN, ["waiting here", "Start it"], ["Join"]),
        (make_table(*TWO, location=SOLO, status=PLAYING), ROBIN, ["already playing", "direct message"], ["Join"]),
        (
            make_table(*TWO, location=DIRECT_SOLO, status=PLAYING),
            ROBIN,
            ["already playing"],
            ["Join", "direct message"],
        ),
    ],
)
def test_only_possible_actions_are_suggested(table: Table, asker: Person, parts: list[str], absent: list[str]) -> None:
    text = refusal_text(table, asker)
    assert [part for part in parts if part not in text] == []
    assert [part for part in absent if part in text] == []
    assert "https://discord.com/channels/" in text


def test_resigned_players_are_not_listed_as_playing() -> None:
    table = make_table(*TWO, make_occupant(STRANGER, 3), status=PLAYING)
    assert "a game of Magpie in this channel" in refusal_text(apply_control_entry(table, 1, Resign()), WREN)


async def test_the_refusal_depends_on_the_person(db: MemoryDatabase) -> None:
    service = make_service(db)
    table = await open_lobby(service, ROBIN, WREN)
    await service.start(table.id, ROBIN, 50)
    for asker, part in ((WREN, "You are playing"), (STRANGER, "a game of Magpie in this channel")):
        with pytest.raises(Refusal) as refused:
            await open_lobby(service, asker)
        assert part in shared_app().error_replies.explain(refused.value)


def labels(table: Table) -> list[str]:
    return [press.label for row in render_lobby(table).rows for press in row]


def test_a_lobby_in_a_direct_message_offers_only_possible_actions() -> None:
    table = make_table(*ONE, location=DIRECT)
    assert labels(table) == [
        "Play the computer",
        "Not now",
        "How to play",
        "Options",
        "Add computer",
        "Computer: Normal ↻",
    ]
    embed = render_lobby(table).text_embed
    assert embed.title == "Magpie · ready to start"
    assert "host" not in str(embed.fields[0].value)
    assert "Join" not in str(embed.footer.text)
    full = make_table(*ONE, location=DIRECT)
    while len(full.seats) < full.package.game.info.most_seats:
        full = with_computer(full)
    assert "direct message" in str(render_lobby(full).text_embed.footer.text)
    assert "Join" in labels(make_table(*ONE))
