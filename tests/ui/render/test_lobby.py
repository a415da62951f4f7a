"""Lobbies: their text, picture and buttons, and what can be done about one that is in the way."""

import re
from dataclasses import replace

import pytest

from bot.games.magpie import PACKAGE as MAGPIE
from bot.platform.discord.ids import parse_id
from bot.platform.places import Location, Person
from bot.rules.picture import Label, Sprite
from bot.rules.refusals import Refusal
from bot.tables import lobby
from bot.tables.control_entries import Resign
from bot.tables.handlers.ids import PEOPLE_ONLY, LobbyButton, LobbyId
from bot.tables.lobby import make_occupant
from bot.tables.model import Occupant, SeriesLink, SeriesLinkKind, Status
from bot.tables.refusals import HostReason, PlaceTakenFacts
from bot.tables.shown.lobby import lobby_picture, render_lobby
from bot.tables.shown.words import describe_level, level_name
from bot.tables.table import Table, apply_control_entry
from bot.tools.contract.picture_checks import find_illegible_labels
from bot.tools.showcases import SHOWCASE_NAMEPLATES
from bot.words import gettext
from tests.support.apps import shared_app
from tests.support.broken_games import with_broken_tables
from tests.support.each_case import each_case
from tests.support.fakes import (
    GAMES,
    HERE,
    LINNET,
    ROBIN,
    STRANGER,
    WREN,
    as_solo,
    make_service,
    make_table,
    open_lobby,
)
from tests.support.games import load_games_once
from tests.support.magpie_series import as_second_game
from tests.support.memory_database import MemoryDatabase
from tests.support.picture_checks import find_flaws, find_narrow_names


class TestLobbyText:
    def test_no_name_reverses_the_footer_of_the_lobby(self) -> None:
        footers = {
            name: footer_of(as_second_game(make_table(lobby.make_occupant(Person(1, name), 1))))
            for name in ("\u202eשלום 5", "\u202e\u2800")
        }
        first, second = (footer.splitlines()[0] for footer in footers.values())
        assert "\u2068שלום 5\u2069" in first
        assert gettext("Someone") in second
        assert "\u202e" not in first + second

    def test_an_option_that_no_longer_fits_has_its_default_in_the_lobby(self) -> None:
        old, meant = '{"target": 7, "moon": true, "five_dice_bonus": true}', '{"five_dice_bonus": true}'
        shown, expected = (render_lobby(make_table(options=options)).text_embed.fields for options in (old, meant))
        assert shown[1].value == expected[1].value

    def test_only_computer_players_have_a_level(self) -> None:
        table = lobby.with_computer(make_table(make_occupant(ROBIN, 1), make_occupant(WREN, 2)), "strong")
        lines = str(render_lobby(table).text_embed.fields[0].value).splitlines()
        assert [level_name("strong") in line for line in lines] == [False, False, True]

    def test_only_changed_options_are_listed(self) -> None:
        usual, changed = (
            render_lobby(make_table(options=each)).text_embed.fields for each in ("{}", '{"target": 250}')
        )
        assert (len(usual), len(changed)) == (1, 2)
        assert str(changed[1].value).count(":") == 1
        assert "250" in str(changed[1].value)

    @each_case(
        "options, minutes",
        [
            ('{"target": 500}', "75"),
            ('{"target": 500, "double_big_rolls": true}', "40"),
            ('{"target": 50, "moon": true}', "8"),
        ],
    )
    def test_the_duration_follows_the_options(self, options: str, minutes: str) -> None:
        title = str(render_lobby(make_table(options=options)).text_embed.fields[0].name)
        assert re.findall(r"\d+", title)[-1] == minutes


class TestLobbyButtons:
    def test_lobby_buttons_carry_the_revision(self) -> None:
        for row in render_lobby(make_table(revision=7, id=5)).rows:
            for press in row:
                found = parse_id(press.custom_id)
                assert not isinstance(found, LobbyId) or (found.table_id, found.revision) == (5, 7)


COVERED = {key: package for key, package in load_games_once().items() if package.look.cover is not None}


@pytest.mark.parametrize("key", COVERED)
def test_every_number_of_seats_fits_and_shows_who_sits_where(key: str) -> None:
    package = COVERED[key]
    for taken in range(1, package.game.info.most_seats + 1):
        picture = lobby_picture(package, f"{key}/cover", SHOWCASE_NAMEPLATES[:taken])
        names = [each.name for each in SHOWCASE_NAMEPLATES]
        assert [*find_flaws(picture), *find_illegible_labels(picture, names), *find_narrow_names(picture)] == []
        assert picture.size[1] <= 720
        tokens = [mark.name for mark in picture.marks if isinstance(mark, Sprite)]
        shown = [mark.text for mark in picture.marks if isinstance(mark, Label) and mark.is_name]
        assert tokens == [
            f"token-{seat + 1}" if each.species is None else each.species.value
            for seat, each in enumerate(SHOWCASE_NAMEPLATES[:taken])
        ]
        assert shown == names[:taken]
        assert re.findall(r"\d+", picture.description)[-2:] == [str(taken), str(package.game.info.most_seats)]


def test_beside_the_cover_the_seats_take_one_line() -> None:
    content = render_lobby(make_table())
    alone, beside = (embed["fields"][0]["value"] for embed in (content.text_embed_json, content.picture_embed_json))
    assert beside == alone.replace("\n", " · ")
    assert alone.count("\n") == 2


def test_a_game_without_a_cover_has_a_lobby_in_words() -> None:
    assert render_lobby(make_table(package=replace(MAGPIE, look=replace(MAGPIE.look, cover=None)))).make_picture is None


def footer_of(table: Table) -> str:
    return render_lobby(table).text_embed.footer.text or ""


def test_a_lobby_says_that_only_normal_plays_if_what_others_have_learned_is_broken() -> None:
    """Also of a computer player that was seated before the file broke."""
    table = lobby.with_computer(make_table(lobby.make_occupant(ROBIN, 1)), "strong")
    broken = replace(table, package=with_broken_tables(table.package))
    assert level_name("normal") in footer_of(broken)
    shown = render_lobby(broken)
    assert level_name("strong") not in str(shown)
    (menu,) = shown.menus
    assert [line.value for line in menu.options] == [PEOPLE_ONLY, "normal"]


def test_a_lobby_for_one_says_that_hints_are_rougher_if_what_players_have_learned_is_broken() -> None:
    table = as_solo(make_table())
    broken = footer_of(replace(table, package=with_broken_tables(table.package)))
    assert (footer_of(table), bool(broken)) == ("", True)


def test_every_level_of_the_games_has_a_name_and_a_sentence() -> None:
    for package in GAMES.values():
        for level in package.mind.strategies:
            assert describe_level(level).startswith(level_name(level))


DIRECT = Location(None, 4711)

SOLO = replace(HERE, solo_id=ROBIN.id)

DIRECT_SOLO = replace(DIRECT, solo_id=ROBIN.id)

PLAYING, HELD = Status.PLAYING, Status.HELD

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
    assert (offers(table), offers(make_table(*ONE))) == ({LobbyButton.START}, {LobbyButton.START, LobbyButton.JOIN})


@each_case(
    "seats, told",
    [
        (ONE, ["Rusty"]),
        ((*ONE, Occupant(level="easy")), ["Pip"]),
        (TWO, ["2"]),
        ((*TWO, Occupant(level="easy")), ["3"]),
    ],
)
def test_the_start_says_against_whom_or_how_many(seats: tuple[Occupant, ...], told: list[str]) -> None:
    (start,) = (
        press.label
        for row in render_lobby(make_table(*seats)).rows
        for press in row
        if press.custom_id == str(LobbyId(1, 1, LobbyButton.START))
    )
    assert re.findall(r"Rusty|Pip|\d+", start) == told
