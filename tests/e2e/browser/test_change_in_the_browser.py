"""A game of Change clicked through the page, with a hand that only its owner sees."""

import asyncio
from random import Random
from typing import TYPE_CHECKING

import pytest

from bot.games.change.pieces import Stage
from bot.tables.model import Status
from bot.tables.table import Table
from tests.e2e.browser.test_in_the_browser import DESK, PHONE, be, embed, visited
from tests.e2e.change.game import opened
from tests.games.change.positions import WITH_SETS, at
from tests.support.parlour import Parlour
from tests.support.positions import Scene

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MOST = 200


async def press(page: "Page", table: Table) -> None:
    """Make the move of whoever is to move: on the table, or in their hand."""
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


async def moved_on(parlour: Parlour, table: Table) -> None:
    """Wait until the table has come one step further."""
    service = parlour.client.host.service
    while (await service.table(table.id)).header.step == table.header.step:  # noqa: ASYNC110 - the host tells nobody else
        await asyncio.sleep(0.01)


async def test_two_people_click_through_a_game(
    browser: "Browser", parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(parlour, parlour.robin, parlour.wren)
    service, table = parlour.client.host.service, await parlour.table()
    random = Random(3)
    dice = "".join(str(random.randint(1, 6)) for _ in range(500))
    near = at("15@0 greed envy denial", "15@0 fear blame control", hands=["any fear", "add-1 greed"], options=WITH_SETS)
    await Scene(service, table.id, monkeypatch).set(near, dice)
    parlour.client.host.publisher.wake(table.id, again=True)
    async with visited(browser, parlour, DESK) as page:
        for _ in range(MOST):
            await parlour.settled()
            table = await service.table(table.id)
            if table.mover is None:
                break
            await be(page, table.mover.name)
            await press(page, table)
            await moved_on(parlour, table)
        assert table.header.status is Status.FINISHED
        await page.locator(".embed-title", has_text="win").wait_for()
        await embed(page, "Credits left").wait_for()


async def test_on_a_phone_a_card_is_played_from_the_hand(
    browser: "Browser", parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(parlour, parlour.robin, parlour.wren)
    service, table = parlour.client.host.service, await parlour.table()
    state = at("120@5", "120@0", hands=["greed add-1", "fear"], stage=Stage.FREE)
    await Scene(service, table.id, monkeypatch).set(state)
    parlour.client.host.publisher.wake(table.id, again=True)
    await parlour.settled()
    async with visited(browser, parlour, PHONE) as page:
        await page.get_by_role("button", name="My hand").click()
        await embed(page, "Hand of Robin · 2 of 5 cards").wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        await be(page, "Wren")
        assert await embed(page, "Hand of Robin").count() == 0
        await be(page, "Robin")
        await page.get_by_role("button", name="Greed with a marker").click()
        await embed(page, "Robin plays Greed").wait_for()
        await embed(page, "Hand of Robin · 1 of 5 cards").wait_for()
