"""A game of Change clicked through the page, with a hand that only its owner sees."""

from typing import TYPE_CHECKING

import pytest

from bot.games.change.pieces import Stage
from bot.tables.host import Host
from tests.e2e.browser.playing import find_embed, switch_person
from tests.e2e.browser.test_whole_games import open_page
from tests.e2e.change.change_table import open_started_game
from tests.games.change.positions import at
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour
from tests.support.table_positions import TablePositioner

if TYPE_CHECKING:
    pass

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_on_a_phone_a_card_is_played_from_the_hand(
    windows: BrowserWindows, parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_started_game(parlour, parlour.robin, parlour.wren)
    table = await parlour.table()
    state = at("120@5", "120@0", hands=["greed add-1", "fear"], stage=Stage.FREE)
    await TablePositioner(parlour.client.app.service(Host), table.id, monkeypatch).set_position(state)
    parlour.client.app.service(Host).publisher.wake(table.id, again=True)
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
