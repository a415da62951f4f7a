"""The faults panel: what its controls break, and how the page shows the bot's recovery."""

from typing import TYPE_CHECKING

import pytest

from bot.sandbox import EndMode, Sandbox
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.rest.failures import Failure, PendingFailures
from tests.sandbox.fake_process import FakeProcess
from tests.sandbox.page.page_helpers import Visit, expect_text, find_message
from tests.support.chromium import PHONE_VIEWPORT
from tests.support.raw_bot import RawBot, button, connect_raw_bot, row

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def fail_requests(sandbox: Sandbox) -> PendingFailures | None:
    return sandbox.fault_injector.failing


async def open_panel(page: "Page") -> None:
    await page.click("#trouble-toggle")
    await page.locator("#trouble h2").wait_for()


async def test_a_restart_is_shown_step_by_step(visit: Visit, sandbox: Sandbox) -> None:
    keeper = FakeProcess(sandbox)
    page = await visit("Wren", PHONE_VIEWPORT)
    await open_panel(page)
    await expect_text(page.locator("#trouble"), "It was started elsewhere")
    sandbox.attach_bot_process(keeper)
    await page.get_by_role("button", name="Kill and restart").click()
    state, banner = page.locator("#trouble .bot-state"), page.locator("#banner")
    await expect_text(state, "ending")
    await expect_text(banner, "Parlour is being ended…")
    assert await page.get_by_role("button", name="Restart", exact=True).is_disabled()
    keeper.go_on.set()
    await expect_text(state, "starting")
    await expect_text(banner, "Parlour is starting again…")
    async with connect_raw_bot(sandbox):
        await expect_text(state, "online")
        await banner.wait_for(state="hidden")
        await page.get_by_role("button", name="Restart", exact=True).click()
        await expect_text(state, "starting")
    assert keeper.did == [EndMode.KILL, "start", EndMode.POLITE, "start"]


async def test_the_panel_injects_faults_on_the_way_to_discord(visit: Visit, sandbox: Sandbox) -> None:
    page, other = await visit("Robin"), await visit("Wren")
    await open_panel(page)
    await open_panel(other)
    await page.get_by_label("2 s").click()
    await other.locator("[data-ms='2000']:checked").wait_for(state="attached")
    assert sandbox.fault_injector.delay_ms == 2000
    await other.get_by_label("none").click()
    await page.locator("[data-ms='0']:checked").wait_for(state="attached")
    assert sandbox.fault_injector.delay_ms == 0

    await page.fill("#trouble-count", "2")
    await page.get_by_role("button", name="502").click()
    await expect_text(other.locator("#trouble"), "2 more will fail with 502")
    assert fail_requests(sandbox) == PendingFailures(Failure.BAD_GATEWAY, 2)
    await other.get_by_role("button", name="Stop failing").click()
    await page.get_by_role("button", name="Stop failing").wait_for(state="detached")
    assert fail_requests(sandbox) is None
    await page.fill("#trouble-count", "99")
    await page.get_by_role("button", name="429").click()
    await expect_text(page.locator("#trouble .failure"), "count must be a whole number from 0 to 20.")
    assert fail_requests(sandbox) is None


async def test_permissions_and_tables_are_removed_in_the_open_channel(
    visit: Visit, bot: RawBot, sandbox: Sandbox
) -> None:
    page = await visit()
    await open_panel(page)
    channel = sandbox.channel("table-one")
    delete = page.get_by_role("button", name="Delete the table")
    await delete.click()
    await expect_text(page.locator("#trouble .failure"), "There is no message with buttons here.")
    posted = await bot.post("table-one", "a table", components=[row(button("roll", "Roll"))])
    await find_message(page, posted).wait_for()
    send = page.get_by_label("Send Messages", exact=True)
    await send.click()
    await sandbox.until(lambda: not channel.allows_bot(Permissions.SEND_MESSAGES))
    await page.click(f"[data-channel='{sandbox.channel('lounge').id}']")
    await expect_text(page.locator("#trouble h3"), "In #lounge")
    await send.and_(page.locator(":checked")).wait_for()
    await page.click(f"[data-channel='{channel.id}']")
    await expect_text(page.locator("#trouble h3"), "In #table-one")
    await send.and_(page.locator(":not(:checked)")).wait_for()
    await send.click()
    await sandbox.until(lambda: channel.allows_bot(Permissions.SEND_MESSAGES))
    await delete.click()
    await find_message(page, posted).wait_for(state="detached")


async def test_the_panel_fits_a_phone_and_a_thumb(visit: Visit, sandbox: Sandbox) -> None:
    sandbox.attach_bot_process(FakeProcess(sandbox))
    sandbox.fault_injector.fail_next(Failure.SERVER_ERROR, 1)
    page = await visit(viewport=PHONE_VIEWPORT)
    await open_panel(page)
    await page.get_by_role("button", name="Stop failing").wait_for()
    assert await page.locator("#trouble").evaluate("panel => panel.scrollWidth <= panel.clientWidth")
    targets = page.locator("#trouble :is(button, label:has(input), input[type=number])")
    heights = await targets.evaluate_all("nodes => nodes.map((node) => node.getBoundingClientRect().height)")
    assert len(heights) >= 20
    assert min(heights) >= 40
