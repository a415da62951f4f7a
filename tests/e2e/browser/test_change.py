"""A game of Change clicked through the page, with a hand that only its owner sees."""

from random import Random
from typing import TYPE_CHECKING

import pytest

from bot.games.change.pieces import Stage
from bot.tables.model import Status
from bot.tables.table import Table
from tests.e2e.browser.playing import find_embed, switch_person
from tests.e2e.browser.test_whole_games import open_page
from tests.e2e.change.change_table import open_started_game
from tests.games.change.positions import WITH_SETS, at
from tests.support.chromium import DESKTOP_VIEWPORT, PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour
from tests.support.table_positions import TablePositioner
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MAX_PRESSES = 200


async def press_any_move(page: "Page", table: Table) -> None:
    """Make a move for the seat to move, on the table or in its hand."""
    at_table, in_hand = (f"[data-custom-id^='{prefix}t:{table.id}:{table.header.step}:" for prefix in ("", "w:"))
    match table.state.public.stage:
        case Stage.ROLL:
            await page.locator(f"{at_table}roll']").click()
        case Stage.CORNER:
            await page.locator(f"{at_table}myself'], {at_table}let_']").first.click()
        case Stage.FREE if table.state.public.may_challenge:
            await page.locator(f"{at_table}challenge']").click()
        case Stage.FREE:
            await page.locator(f"{at_table}done']").click()
        case Stage.SWAP | Stage.KEEP:
            await page.get_by_role("button", name="My hand").click()
            await page.locator(f"{in_hand}swap'], {in_hand}keep']").first.click()
        case _:
            await page.locator(f"[data-custom-id^='m:{table.id}:{table.header.step}:to']").click()
            await page.get_by_role("option").last.click()


async def wait_for_next_step(parlour: Parlour, table: Table) -> None:
    """Wait until the table has come one step further."""
    cache = parlour.client.host.service.cache
    await wait_until(lambda: (now := cache.get(table.id)) is not None and now.header.step > table.header.step)


async def test_two_people_click_through_a_game(
    windows: BrowserWindows, parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_started_game(parlour, parlour.robin, parlour.wren)
    service, table = parlour.client.host.service, await parlour.table()
    random = Random(3)
    dice = "".join(str(random.randint(1, 6)) for _ in range(500))
    near = at("3@0 greed envy denial", "3@0 fear blame control", hands=["any fear", "add-1 greed"], options=WITH_SETS)
    await TablePositioner(parlour.client.host, table.id, monkeypatch).set_position(near, dice)
    parlour.client.host.publisher.wake(table.id, again=True)
    async with open_page(windows, parlour, DESKTOP_VIEWPORT) as page:
        for _ in range(MAX_PRESSES):
            await parlour.wait_until_settled()
            table = await service.table(table.id)
            if table.mover is None:
                break
            await switch_person(page, table.mover.name)
            await press_any_move(page, table)
            await wait_for_next_step(parlour, table)
        assert table.header.status is Status.FINISHED
        await page.locator(".embed-title", has_text="win").wait_for()
        await page.get_by_role("button", name="Play again").wait_for()


async def test_on_a_phone_a_card_is_played_from_the_hand(
    windows: BrowserWindows, parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_started_game(parlour, parlour.robin, parlour.wren)
    table = await parlour.table()
    state = at("120@5", "120@0", hands=["greed add-1", "fear"], stage=Stage.FREE)
    await TablePositioner(parlour.client.host, table.id, monkeypatch).set_position(state)
    parlour.client.host.publisher.wake(table.id, again=True)
    await parlour.wait_until_settled()
    async with open_page(windows, parlour, PHONE_VIEWPORT) as page:
        await page.get_by_role("button", name="My hand").click()
        await find_embed(page, "Your hand · 2 of 5 cards").wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        await switch_person(page, "Wren")
        assert await find_embed(page, "Your hand").count() == 0
        await switch_person(page, "Robin")
        await page.get_by_role("button", name="Greed: place a marker").click()
        await find_embed(page, "Robin played Greed").wait_for()
        await find_embed(page, "Your hand · 1 of 5 cards").wait_for()
