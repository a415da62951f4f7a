"""A tournament of five people on a phone."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from bot.tables.table import Table
from tests.e2e.browser.playing import let_first_rolls_win, play_magpie, switch_person, write
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour
from tests.support.tournaments import do_jobs, hold_jobs, pass_hours, tables_of

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PEOPLE = ("Robin", "Wren", "Jay", "Linnet", "Finch")


@pytest.fixture(autouse=True)
def _short_games_and_held_jobs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    let_first_rolls_win(monkeypatch)
    with hold_jobs():
        yield


async def require_no_overflow(message: "Locator") -> None:
    """Require that nothing of a message is wider than the phone."""
    box = await message.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= PHONE_VIEWPORT["width"]
    assert await message.evaluate("each => each.scrollWidth <= each.clientWidth")


async def play_in_thread(page: "Page", parlour: Parlour, message: "Locator", table: Table) -> None:
    """Let two people go from the tournament's message to their thread, play there, and come back."""
    thread = parlour.sandbox.world.threads[table.header.location.channel_id]
    await message.locator("a, button", has_text=thread.name).first.click()
    await switch_person(page, table.seats[0].name)
    await page.get_by_role("button", name="Start").click()
    await page.get_by_text("to roll").first.wait_for()
    await play_magpie(page, parlour, table)
    await page.click("#menu")
    await page.click(f"[data-channel='{parlour.here.id}']")
    await do_jobs(parlour)


async def test_a_tournament_of_five_on_a_phone(windows: BrowserWindows, parlour: Parlour) -> None:
    async with windows.use() as used:
        page = await used.open(parlour.sandbox.url, PHONE_VIEWPORT)
        await write(page, "/settings options game:magpie option:target value:50")
        await page.get_by_text("Target: 50").first.wait_for()
        await write(page, "/tournament new game:magpie name:Spring Cup format:Knock-out")
        message = page.locator("[data-message-id]", has=page.locator(".embed-title", has_text="Spring Cup")).first
        for name in PEOPLE:
            await switch_person(page, name)
            await message.get_by_role("button", name="Join").click()
            await message.locator(".embed", has_text=name).wait_for()
        await require_no_overflow(message)
        await switch_person(page, "Robin")
        await message.get_by_role("button", name="Start").click()
        await message.get_by_text("Round 1 of 3").wait_for()
        await do_jobs(parlour)
        (opening,) = await tables_of(parlour)
        await require_no_overflow(message)
        await play_in_thread(page, parlour, message, opening)

        await message.get_by_text("Round 2 of 3").wait_for()
        first, second = await tables_of(parlour)
        await play_in_thread(page, parlour, message, first)
        assert [each.id for each in await tables_of(parlour)] == [second.id]
        await pass_hours(parlour, 72.1)
        await switch_person(page, "Robin")
        await page.get_by_role("button", name="Organize").last.click()
        await page.get_by_role("button", name=f"{second.seats[0].name} wins").click()
        await message.get_by_text("without a game").wait_for()
        await do_jobs(parlour)

        await message.get_by_text("Round 3 of 3").wait_for()
        (final,) = await tables_of(parlour)
        await play_in_thread(page, parlour, message, final)
        await page.get_by_text("Spring Cup!").or_(page.get_by_text("first place in Spring Cup")).last.wait_for()
        await require_no_overflow(message)
