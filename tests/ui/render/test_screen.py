"""Screens are built again only if something has changed."""

from dataclasses import replace

import pytest

from bot.rules.screen import EMPTY_DRAFT, Field, Menu
from bot.tables.control_entries import Resign
from bot.tables.model import SeriesLink, SeriesLinkKind, Status
from bot.tables.registry import AnyPackage
from bot.tables.shown.screen import MAX_SCREEN_BYTES, estimate_screen_bytes, screen_of
from bot.tables.table import Table, apply_control_entry
from tests.support.each_case import each_case
from tests.support.fakes import ALL_FIVE, make_table
from tests.support.games import load_games_once
from tests.support.responses import apply_text
from tests.tables.runtime.test_cache_size import make_tables

PLAYING = make_table(status=Status.PLAYING)


def test_a_shown_screen_is_not_built_again() -> None:
    shown = screen_of(PLAYING)
    noted = replace(PLAYING, header=replace(PLAYING.header, message_id=17, published=PLAYING.header.revision))
    assert screen_of(noted) is shown


@each_case(
    "other",
    [
        apply_text(PLAYING, PLAYING.header.to_move or 0, ALL_FIVE),
        apply_control_entry(PLAYING, 1, Resign()),
        replace(PLAYING, header=replace(PLAYING.header, link=SeriesLink(9, SeriesLinkKind.TIE_BREAK, 2))),
        replace(PLAYING, header=replace(PLAYING.header, revision=PLAYING.header.revision + 1)),
        replace(PLAYING, seats=(*PLAYING.seats[:2], replace(PLAYING.seats[2], name="Somebody else"))),
    ],
)
def test_a_changed_screen_is_built_again(other: Table) -> None:
    before, after = screen_of(PLAYING), screen_of(other)
    assert after is not before
    assert screen_of(PLAYING) == before


def test_the_screen_of_a_finished_table_is_not_cached() -> None:
    shown = screen_of(PLAYING)
    over = replace(PLAYING, header=replace(PLAYING.header, status=Status.FINISHED, to_move=None))
    assert screen_of(over) == screen_of(over)
    assert screen_of(over) is not screen_of(over)
    assert screen_of(PLAYING) is not shown, "it is dropped when the table is over"


@pytest.mark.parametrize("package", load_games_once().values(), ids=load_games_once())
def test_five_thousand_screens_of_any_game_fit(package: AnyPackage) -> None:
    seats = package.game.info.most_seats
    tables = make_tables(package, seats)
    playing = [table for table in tables if table.header.status is Status.PLAYING]
    taken = sum(estimate_screen_bytes(table, screen_of(table)) for table in playing)
    average = taken // len(playing)
    assert average <= MAX_SCREEN_BYTES, (
        f"a screen takes {average:,} bytes of memory with its table, and may take MAX_SCREEN_BYTES = "
        f"{MAX_SCREEN_BYTES:,}; shorten its texts or offer fewer controls, see docs/adding-a-game.md"
    )


def test_every_text_and_control_of_a_screen_takes_memory() -> None:
    screen = replace(screen_of(PLAYING), fields=(Field("Title", "text"),), menus=())
    (first, *_), *_ = screen.controls
    sizes = [
        estimate_screen_bytes(PLAYING, each)
        for each in (
            screen,
            replace(screen, text=screen.text + "x"),
            replace(screen, fields=(Field("Title", "text" + "x"),)),
            replace(screen, rule=screen.rule + "x"),
            replace(screen, controls=(*screen.controls, (first,))),
            replace(screen, menus=(Menu("menu", "Choose", (first,)),)),
        )
    ]
    least, *others = sizes
    assert len(set(others[:3])) == len(set(others[3:])) == 1
    assert least < others[0] < others[3]


def test_every_draft_has_its_own_screen() -> None:
    picked = screen_of(PLAYING, frozenset({1}))
    assert picked != screen_of(PLAYING, EMPTY_DRAFT)
    assert picked == screen_of(PLAYING, frozenset({1}))


def test_tables_of_other_databases_do_not_share_screens() -> None:
    """A number and a revision are given by each database again; the positions are not the same ones."""
    one, other = (apply_text(PLAYING, PLAYING.header.to_move or 0, ALL_FIVE) for _ in range(2))
    assert screen_of(one) is not screen_of(other)
