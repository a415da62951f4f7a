"""Menus of a game's screen: choosing a line plays it, through the one dispatcher."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.games.magpie import PACKAGE as MAGPIE
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.screen import Draft, Menu, News, Screen, Tone
from bot.tables.handlers.ids import ControlId, MenuId
from bot.tables.model import Status
from bot.tables.registry import GameRegistry
from bot.tables.table import Table
from tests.support.each_case import each_case
from tests.support.fakes import make_table, mover_of, start_game
from tests.support.memory_database import MemoryDatabase
from tests.support.rendering import render_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, FakeInteraction, make_click, make_menu_choice


def show(view: Any, news: Sequence[News[Any]], names: Sequence[str], draft: Draft) -> Screen:
    """Draw Magpie with a menu for each of its rows."""
    screen = MAGPIE.words.build_screen(view, news, names, draft)
    rows = [tuple(replace(each, description=f"key {each.key}") for each in row) for row in screen.controls]
    menus = tuple(Menu(f"row{at}", f"Row {at}", row) for at, row in enumerate(rows))
    # No more than one line of a menu can be the chosen one.
    plain = tuple(replace(each, tone=Tone.QUIET) for each in menus[0].controls[1:]) if menus else ()
    first = (replace(menus[0], controls=(*menus[0].controls[:1], *plain)),) if menus else ()
    return replace(screen, controls=(), menus=(*first, *menus[1:]))


LISTED = replace(MAGPIE, words=replace(MAGPIE.words, build_screen=show))


@pytest.fixture
def games() -> GameRegistry:
    return GameRegistry([LISTED])


async def shown_game(adapter: Adapter) -> Table:
    table = await start_game(adapter.service)
    await adapter.wait_until_shown()
    return await adapter.service.table(table.id)


def choice(table: Table, person: Person, menu: str, *values: str, draft: Draft = frozenset()) -> FakeInteraction:
    custom_id = MenuId(table.id, table.header.step, menu, draft)
    return make_menu_choice(person, custom_id, *values, message_id=table.header.message_id)


async def test_a_chosen_line_is_played(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await shown_game(adapter)
    click = await adapter.click(choice(table, mover_of(table), "row1", "roll"))
    assert db.texts(table.id) == ["roll 1 2 3 4 5"]
    assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]


async def test_a_chosen_line_may_lead_to_another_screen(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await shown_game(adapter)
    click = await adapter.click(choice(table, mover_of(table), "row0", "keep2"))
    assert [(answer.how, answer.sent) for answer in click.answers] == [(AnswerMethod.EDIT, frozenset({"view"}))]
    await adapter.click(choice(table, mover_of(table), "row1", "only"))
    assert db.texts(table.id) == ["roll 2"]


async def test_a_choice_needs_exactly_one_value(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await shown_game(adapter)
    custom_id = MenuId(table.id, table.header.step, "row1", frozenset())
    for click in (
        choice(table, mover_of(table), "row1"),
        choice(table, mover_of(table), "row1", "roll", "rest"),
        make_click(mover_of(table), custom_id),
    ):
        assert (await adapter.click(click)).refusal is ClickReason.UNKNOWN_BUTTON
    assert db.texts(table.id) == []


async def test_menus_are_above_the_buttons() -> None:
    table = make_table(status=Status.PLAYING, package=LISTED)
    content = render_game(table, frozenset({1}))
    view = content.view()
    assert view is not None
    dice, _moves, buttons = (row["components"] for row in view.to_components())
    (menu,) = dice
    assert menu["custom_id"] == str(MenuId(table.id, table.header.step, "row0", frozenset({1})))
    assert menu["placeholder"] == "Row 0"
    assert [line["value"] for line in menu["options"]] == ["keep1", "keep2", "keep3", "keep4", "keep5"]
    assert [line["description"] for line in menu["options"]][:2] == ["key keep1", "key keep2"]
    assert [line["default"] for line in menu["options"]] == [True, False, False, False, False]
    assert len(buttons) == 3


def with_menus(count: int) -> Table:
    def draw(view: Any, news: Sequence[News[Any]], names: Sequence[str], draft: Draft) -> Screen:
        screen = show(view, news, names, draft)
        return replace(screen, menus=tuple(replace(screen.menus[0], key=f"row{at}") for at in range(count)))

    return make_table(status=Status.PLAYING, package=replace(MAGPIE, words=replace(MAGPIE.words, build_screen=draw)))


@each_case("count, rows", [(0, 1), (4, 5), (5, 5)])
async def test_menus_leave_room_for_the_guide(count: int, rows: int) -> None:
    view = render_game(with_menus(count), frozenset()).view()
    assert view is not None
    assert len(view.to_components()) == rows


def test_a_menu_says_which_control_a_choice_presses() -> None:
    assert MenuId(3, 9, "row0", frozenset({1})).control_id("die2") == ControlId(3, 9, "die2", frozenset({1}))
