"""A tournament of five people on a phone."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from bot.community.tournaments.model import Stage
from bot.tables.model import Status
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour
from tests.support.tournaments import do_jobs, finish_table, hold_jobs, pass_hours, tables_of, tournament_of

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PEOPLE = ("Robin", "Wren", "Jay", "Linnet", "Finch")


@pytest.fixture(autouse=True)
def _held_jobs() -> Iterator[None]:
    with hold_jobs():
        yield


async def send(page: "Page", command: str) -> None:
    await page.locator("#composer").fill(command)
    await page.locator("#composer").press("Enter")


async def act_as(page: "Page", name: str) -> None:
    await page.locator("[data-person]", has_text=name).click()
    await page.locator("[data-person][aria-pressed=true]", has_text=name).wait_for()


async def require_no_overflow(message: "Locator") -> None:
    """Require that nothing of a message is wider than the phone."""
    box = await message.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= PHONE_VIEWPORT["width"]
    assert await message.evaluate("each => each.scrollWidth <= each.clientWidth")


async def play_on_page(page: "Page", service: TableService, table: Table) -> None:
    """Let the two people at a table of Magpie play it to its end with its buttons."""
    while (table := await service.table(table.id)).header.status is Status.PLAYING:
        assert table.mover is not None
        await act_as(page, table.mover.name)
        roll = page.locator(f"[data-custom-id^='t:{table.id}:{table.header.step}:roll']")
        await roll.click()
        await roll.wait_for(state="detached")


async def test_a_tournament_of_five_on_a_phone(windows: BrowserWindows, parlour: Parlour) -> None:
    service = parlour.client.host.service
    # With these options, games are shortest.
    for option, value in (("target", "50"), ("double_big_rolls", "yes"), ("five_dice_bonus", "yes")):
        await parlour.robin.slash(parlour.here, "settings options", game="magpie", option=option, value=value)
    async with windows.use() as used:
        page = await used.open(parlour.sandbox.url, PHONE_VIEWPORT)
        await send(page, "/tournament new game:magpie name:Spring Cup")
        message = page.locator("[data-message-id]", has=page.locator(".embed-title", has_text="Spring Cup")).first
        for name in PEOPLE:
            await act_as(page, name)
            await message.get_by_role("button", name="Join").click()
            await message.locator(".embed", has_text=name).wait_for()
        await require_no_overflow(message)
        await act_as(page, "Robin")
        await message.get_by_role("button", name="Start").click()
        await message.get_by_text("Round 1 of 5").wait_for()
        await do_jobs(parlour)
        first, second = await tables_of(parlour)
        await require_no_overflow(message)

        thread = parlour.sandbox.world.threads[first.header.location.channel_id]
        await message.locator("a, button", has_text=thread.name).first.click()
        await act_as(page, first.seats[0].name)
        await page.get_by_role("button", name="Start").click()
        await page.get_by_text("to roll").first.wait_for()
        await play_on_page(page, service, first)
        await page.click("#menu")
        await page.click(f"[data-channel='{parlour.here.id}']")
        await do_jobs(parlour)
        assert [each.id for each in await tables_of(parlour)] == [second.id]

        await pass_hours(parlour, 72.1)
        await act_as(page, "Robin")
        await page.get_by_role("button", name="Organize").last.click()
        await page.get_by_role("button", name=f"{second.seats[0].name} wins").click()
        await message.get_by_text("without a game").wait_for()
        await do_jobs(parlour)
        await message.get_by_text("Round 2 of 5").wait_for()
        while (await tournament_of(parlour)).stage is Stage.RUNNING:
            for table in await tables_of(parlour):
                await finish_table(service, table)
            await do_jobs(parlour)
        await page.get_by_text("Spring Cup!").or_(page.get_by_text("first place in Spring Cup")).last.wait_for()
        await require_no_overflow(message)
