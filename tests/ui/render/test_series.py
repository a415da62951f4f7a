"""What tables show of their series, and the button that continues it."""

import re

import pytest

from bot.platform.discord.content import MessageContent
from bot.tables.handlers.ids import LobbyButton, LobbyId, NextTableId
from bot.tables.model import SeriesLink, SeriesLinkKind
from bot.tables.registry import GameRegistry
from bot.tables.shown.buttons import more_button
from bot.tables.shown.lobby import render_lobby
from bot.tables.shown.result import shared_line
from bot.tables.table import Table
from tests.support.fakes import ROBIN, WREN, make_table
from tests.support.magpie_series import (
    MAGPIE_SERIES,
    SERIES_REGISTRY,
    as_second_game,
    make_finished_table,
    play_new_game,
)
from tests.support.memory_database import MemoryDatabase
from tests.support.rendering import render_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, make_click


@pytest.fixture
def games() -> GameRegistry:
    return SERIES_REGISTRY


def fields(content: MessageContent) -> list[str]:
    return [str(field.value) for field in content.text_embed.fields]


def end_table(table: Table) -> MessageContent:
    return render_game(table, frozenset())


def test_whoever_wins_the_tournament_is_the_headline_and_the_game_comes_below() -> None:
    """CH-14: Robin has won the last game, but Wren the tournament."""
    table = make_finished_table(40, 5, games=2, link=SeriesLink(7, SeriesLinkKind.TOURNAMENT, 2, (20, 60)))
    content = end_table(table)
    assert "Wren" in str(content.text_embed.title)
    for description in (content.text_embed.description, content.picture_embed_json["description"]):
        assert re.match(r"🏁 .*2.*\*\*Robin\*\*.*40", str(description).splitlines()[0])
    assert content.picture_embed_json["fields"] == []
    assert content.make_picture is not None
    shown = content.make_picture().description
    assert re.search("Wren.*65.*Robin.*60", shown)
    assert re.match(r"\*\*Wren\*\*.*65", shared_line(table))


def test_a_shared_tournament_names_every_winner() -> None:
    content = end_table(
        make_finished_table(30, 20, 10, games=2, link=SeriesLink(7, SeriesLinkKind.TOURNAMENT, 2, (10, 20, 0)))
    )
    (winners,) = (line for field in fields(content) for line in field.splitlines() if line.startswith("🏆"))
    assert [name in winners for name in ("Robin", "Wren", "Jay")] == [True, True, False]


def test_the_lobby_of_a_linked_table_has_fixed_seats() -> None:
    table = as_second_game(make_table(package=MAGPIE_SERIES, options='{"double_big_rolls": true}'))
    content = render_lobby(table)
    start = str(LobbyId(1, table.header.revision, LobbyButton.START))
    assert [press.custom_id for row in content.rows for press in row] == [start, more_button(table).custom_id]
    assert content.menus == ()
    assert [field for field in fields(content) if field.startswith("🥇")]
    assert "Robin" in str(content.text_embed.footer.text)


async def test_a_click_opens_the_next_game(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await play_new_game(adapter.service, ROBIN, WREN, games=2)
    click = await adapter.click(make_click(WREN, NextTableId(table.id)))
    assert [answer.how for answer in click.answers] == [AnswerMethod.SEND]
    link = db.header(2).link
    assert link is not None
    assert (link.first_id, link.part) == (table.id, 2)
