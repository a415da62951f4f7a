"""Servers, channels and threads at the side of the page."""

import pytest

from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Thread
from bot.sandbox.model.permissions import ALL_PERMISSIONS, Overwrite, OverwriteKind, Permissions
from tests.sandbox.page.page_helpers import COMMANDS, Visit, expect_text
from tests.support.chromium import PHONE_VIEWPORT
from tests.support.raw_bot import RawBot

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def state(thread: Thread) -> tuple[bool, bool]:
    return thread.is_archived, thread.is_locked


async def test_a_thread_is_created_written_in_archived_and_reopened(visit: Visit, sandbox: Sandbox) -> None:
    page, other = await visit("Robin"), await visit("Wren")
    await page.get_by_role("button", name="New thread in table-one").click()
    await page.get_by_role("button", name="Submit").click()
    await expect_text(page.locator("#thread-form"), "This one is needed.")
    await page.get_by_role("textbox", name="Name").fill("a quiet game")
    await page.keyboard.press("Enter")
    await expect_text(page.locator("#place"), "a quiet game")
    (thread,) = sandbox.world.threads.values()
    assert (thread.name, thread.parent.name, thread.owner.name) == ("a quiet game", "table-one", "Robin")
    entry = other.locator(f"[data-channel='{thread.id}']")
    await expect_text(entry, "a quiet game")

    await page.click("#trouble-toggle")
    await page.get_by_role("button", name="Archive the thread", exact=True).click()
    await expect_text(page.locator("#place"), "archived")
    assert state(thread) == (True, False)
    await entry.click()
    await expect_text(other.locator("#place"), "archived")
    await other.fill("#composer", "still here")
    await other.press("#composer", "Enter")
    await expect_text(page.locator("[data-message-id]"), "still here")
    await page.get_by_role("button", name="Archive the thread", exact=True).wait_for()
    assert state(thread) == (False, False)
    await page.get_by_role("button", name="Lock the thread", exact=True).click()
    await expect_text(page.locator("#place"), "locked")
    assert state(thread) == (False, True)


async def test_every_server_has_its_own_channels_and_commands(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    world = sandbox.world
    house = world.add_server(world.snowflakes.next_id(), "Garden House")
    terrace = world.add_channel(house, "terrace")
    path = f"/applications/{world.bot.id}/guilds/{house.id}/commands"
    await bot.call("PUT", path, [{"name": "water", "description": "Water the plants"}])
    page = await visit()
    assert await page.locator(".server-name").all_inner_texts() == ["Parlour Sandbox", "Garden House"]
    await page.fill("#composer", "/")
    assert await page.locator("#picker [data-command]").count() == len(COMMANDS) + 1
    await page.fill("#composer", "")
    await page.click(f"[data-channel='{terrace.id}']")
    await expect_text(page.locator("#place"), "terrace")
    await page.fill("#composer", "/wat")
    await expect_text(page.locator("#picker [data-command]"), "/water")
    assert await page.title() == "#terrace · Garden House"


async def test_a_channel_that_is_hidden_or_deleted_is_left(visit: Visit, sandbox: Sandbox) -> None:
    channel = sandbox.channel("lounge")
    page = await visit("Wren", PHONE_VIEWPORT)
    await page.click("#menu")
    await page.click(f"[data-channel='{channel.id}']")
    await expect_text(page.locator("#place"), "lounge")
    view = int(Permissions.VIEW_CHANNEL)
    channel.set_overwrite(Overwrite(sandbox.person("Wren").id, OverwriteKind.MEMBER, 0, view))
    await expect_text(page.locator("#place"), "table-one")
    assert await page.locator(f"[data-channel='{channel.id}']").count() == 0
    channel.set_overwrite(Overwrite(sandbox.person("Wren").id, OverwriteKind.MEMBER, ALL_PERMISSIONS, 0))
    await page.locator(f"[data-channel='{channel.id}']").wait_for(state="attached")
    await page.click("#menu")
    await page.click(f"[data-channel='{channel.id}']")
    await expect_text(page.locator("#place"), "lounge")
    sandbox.world.remove_channel(channel)
    await expect_text(page.locator("#place"), "table-one")
    await page.locator(f"[data-channel='{channel.id}']").wait_for(state="detached")


async def test_languages_are_chosen_and_outlast_a_restart_of_the_sandbox(visit: Visit, sandbox: Sandbox) -> None:
    page, world = await visit(is_own=True), sandbox.world
    robin, server = sandbox.person("Robin").user, world.server
    await page.get_by_label("Language of Robin").select_option(label="Deutsch")
    await page.get_by_label("Language of Parlour Sandbox").select_option(label="עברית")
    await sandbox.until(lambda: (world.locales[robin.id], server.locale) == ("de", "he"))
    for owner in (robin, server):
        world.set_locale(owner, "en-US")
    await page.reload()
    await sandbox.until(lambda: (world.locales[robin.id], server.locale) == ("de", "he"))
    await page.locator(f"[data-owner='{robin.id}']:has(option[value=de]:checked)").wait_for()
