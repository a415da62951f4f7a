"""A click takes the hops that the architecture page lists, in that order."""

import asyncio
import re
import sys
from pathlib import Path
from types import FrameType

import pytest
from babel import Locale

from bot.features.moderation.model import Ban
from bot.features.moderation.service import Bans
from bot.features.settings.all_settings import TABLES
from bot.features.settings.choices import Most, TablesChoice
from bot.features.settings.posts import LOG
from bot.features.settings.rights import FIXED, MEMBER_TABLES, MODERATORS, OPENERS, SERVER_TABLES
from bot.languages import ENGLISH, EnglishTexts, Language, current_language
from bot.platform.discord.answers import note_languages
from bot.platform.discord.languages import Languages
from bot.rules.screen import Draft, Screen
from bot.tables import storage as table_storage
from bot.tables.closing import propose_close
from bot.tables.handlers.ids import LobbyButton, SeatButton, SeatId
from bot.tables.model import HostChoice
from bot.tables.shown import screen as shown_screen
from bot.tables.shown.screen import clear_screens
from bot.tables.table import Table
from tests.support.chosen_settings import chosen
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, JAY, ROBIN, WREN, mover_of
from tests.support.languages import add_languages
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, FakeInteraction, make_click
from tests.ui.table_clicks import make_control_click, make_lobby_click, open_shown_lobby, start_shown_game

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
CLASSES = {"CallbackClient": "LibraryCallbackClient"}
"""The classes that stand in for those named on the page."""


def listed_hops() -> list[str]:
    section = PAGE.read_text().split("## A click")[1].split("## ")[0]
    hops = re.findall(r"^\d+\. `([\w.]+)`", section, re.MULTILINE)
    return [".".join([CLASSES.get(part, part) for part in hop.split(".")]) for hop in hops]


async def test_a_click_takes_each_of_the_listed_hops_once(adapter: Adapter) -> None:
    hops = listed_hops()
    table = await start_shown_game(adapter)
    click = make_control_click(table, mover_of(table), "roll")
    watched = (*(hop.split(".")[-1] for hop in hops), "parse_move")
    begun = list[FrameType]()

    def note(frame: FrameType, event: str, _: object) -> None:
        # A coroutine is called anew each time it goes on.
        if event == "call" and frame.f_code.co_qualname.endswith(watched) and frame not in begun:
            begun.append(frame)

    sys.setprofile(note)
    try:
        await adapter.click(click)
    finally:
        sys.setprofile(None)
    taken = [frame.f_code.co_qualname for frame in begun]
    again = hops.index("Publisher.responding") + 1
    assert [name for name in taken if name in hops] == [*hops[:again], "TableService.table", *hops[again:]]
    assert sum(name.endswith(".parse_move") for name in taken) == 1


async def test_a_table_is_built_once_for_a_move_and_in_the_language_of_its_place(
    adapter: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person who clicks reads another language, in which nothing of the table is shown."""
    german, built = Language("de", Locale("de"), EnglishTexts()), list[str]()
    make_screen = shown_screen._make_screen  # noqa: SLF001 - what the cache calls

    def build(table: Table, draft: Draft) -> Screen:
        built.append(current_language().code)
        return make_screen(table, draft)

    async def of_server(_languages: Languages, _guild_id: int | None) -> Language:
        return german

    monkeypatch.setattr(shown_screen, "_make_screen", build)
    monkeypatch.setattr(Languages, "of_server", of_server)
    table = await start_shown_game(adapter)
    clear_screens()
    built.clear()
    for _ in range(2):
        click = make_control_click(table, mover_of(table), "roll")
        note_languages(click, ENGLISH, german)  # type: ignore[arg-type]
        await adapter.click(click)
        table = await adapter.host.service.table(table.id)
    # The first click finds no screen in the cache.
    assert built == ["de", "de", "de"]


async def test_an_ordinary_move_is_one_query_and_one_request_whatever_a_server_has_chosen(
    adapter: Adapter, shown: FakeTableMessages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter.app.languages.catalogues = add_languages(monkeypatch, tmp_path, {"Roll": {"de": "Würfeln"}})
    db = adapter.db
    db.chosen[HERE.scope_id] = chosen(
        {
            LOG: frozenset({99}),
            MODERATORS: frozenset({501}),
            OPENERS: frozenset({502}),
            FIXED: frozenset(HostChoice),
            MEMBER_TABLES: Most.ONE,
            SERVER_TABLES: Most.TEN,
            TABLES: TablesChoice.THREAD,
        }
    )
    ban = Ban(HERE.scope_id, JAY.id, WREN.id, "", tells_reason=False, banned_at=adapter.clock(), ends_at=None)
    await adapter.app.service(Bans).ban(ban)
    table = await start_shown_game(adapter, ROBIN, WREN)
    # What is read once is in memory after two moves.
    for _ in range(2):
        table = await roll_by_click(adapter, table)
    db.calls.clear()
    permits = shown.permits
    await roll_by_click(adapter, table)
    assert db.calls == [table_storage.save]
    assert (adapter.message_client.requests, shown.permits) == ([], permits)


async def roll_by_click(adapter: Adapter, table: Table) -> Table:
    """Roll once, by a click that is answered once, and let everything run that follows."""
    click = make_control_click(table, mover_of(table), "roll")
    note_languages(click, *await adapter.app.languages.of_interaction(click))  # type: ignore[arg-type]
    assert await adapter.app.find_refusal(click) is None  # type: ignore[arg-type]
    await adapter.click(click)
    assert len(click.answers) == 1
    for _ in range(100):
        await asyncio.sleep(0)
    return await adapter.service.table(table.id)


async def test_the_response_of_a_click_leaves_the_publisher_nothing_to_show(
    adapter: Adapter, shown: FakeTableMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where the loop is busy between the save and the response: the publisher would wait for a permit."""
    table = await open_shown_lobby(adapter, ROBIN)
    monkeypatch.setattr("bot.tables.publisher.GATHER_SECONDS", 0)

    async def press(click: FakeInteraction) -> Table:
        permits = shown.permits
        await adapter.click(click)
        await adapter.host.publisher.close()
        assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]
        assert shown.permits == permits
        return await adapter.service.table(table.id)

    for person in (WREN, JAY):
        table = await press(make_lobby_click(table, person, LobbyButton.JOIN))
    table = await press(make_lobby_click(table, ROBIN, LobbyButton.START))
    for _ in range(3):
        table = await press(make_control_click(table, mover_of(table), "roll"))
    table = await adapter.service.apply_seat_action(table.id, ROBIN, propose_close, 900)
    await adapter.host.publisher.close()
    agreement = SeatId(table.id, table.header.step, SeatButton.CLOSE)
    table = await press(make_click(WREN, agreement, message_id=table.header.message_id))
    assert len(table.closers) == 2
