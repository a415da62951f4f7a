"""A whole game of Mr. Houdini's Baggage in the page, on a phone, against the computer."""

import re
from typing import TYPE_CHECKING

import pytest

from bot.games.houdinis_baggage.moves import Place
from bot.games.houdinis_baggage.pieces import Phase
from bot.tables.model import Status
from bot.tables.table import Table
from tests.e2e.browser.test_whole_games import open_page
from tests.e2e.test_houdinis_baggage import key_of
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ROBINS_TURN_OR_END = re.compile(r"Robin (searches|places|chooses|drew a twin)|wins|share the win")
OPENED = 2


def choose_move(table: Table) -> str:
    """Open two cards, place what fits, with a bonus if one helps, and take the first choice otherwise."""
    moves = table.package.game.legal_moves(table.state)
    if table.state.phase is Phase.SEARCH:
        return "open" if len(table.state.open) < OPENED else "stop"
    places = sorted((move for move in moves if isinstance(move, Place)), key=lambda place: -len(place.uses))
    return str(places[0]) if places else str(moves[-1])


async def press(page: "Page", table: Table, key: str) -> None:
    """Press a button, or choose from the menu that has the line; the page then shows another step."""
    step = f"{table.id}:{table.header.step}:"
    button = page.locator(f"[data-custom-id^='t:{step}{key}:']")
    if not await button.count():
        await page.locator(f"[data-custom-id^='m:{step}']").first.click()
        button = page.locator(f"[role=option][data-value='{key}']")
    await button.click()
    await page.locator(f"[data-custom-id*=':{step}']").first.wait_for(state="detached")


async def test_a_whole_game_against_the_computer_on_a_phone(windows: BrowserWindows, parlour: Parlour) -> None:
    answer = await parlour.robin.slash(parlour.here, "baggage new", target=10, computers=1)
    message = answer.replies[0]
    async with open_page(windows, parlour, PHONE_VIEWPORT) as page:
        await page.get_by_role("button", name="Start with 2").click()
        while True:
            await parlour.sandbox.until(lambda: ROBINS_TURN_OR_END.search(message.text))
            table = await parlour.client.host.service.table(1)
            if table.header.status is not Status.PLAYING:
                break
            if table.mover is None or table.mover.is_computer:
                continue
            await page.locator(f"[data-custom-id^='t:{table.id}:{table.header.step}:']").first.wait_for()
            await press(page, table, key_of(table, choose_move(table)))
        await page.get_by_role("button", name="Play again").wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert table.outcome is not None
    assert max(table.outcome.scores) >= 10
