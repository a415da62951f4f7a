"""Which people see an answer of the bot, and how it changes."""

import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import Visit, expect_text, find_message
from tests.support.raw_bot import RawBot, answer_ephemeral, button, row
from tests.support.waiting import DEADLINE_SECONDS, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_private_answer_is_seen_by_its_reader_only_and_can_be_dismissed(visit: Visit, bot: RawBot) -> None:
    bot.answers["help"] = lambda _: answer_ephemeral("for you alone")
    robin, wren = await visit("Robin"), await visit("Wren")
    await robin.click("[data-command=help]")
    private = robin.locator("[data-message-id]", has_text="for you alone")
    await expect_text(private, "Only you can see this")
    assert await private.locator(".origin").text_content() == "RRobin used /help"
    await bot.post("table-one", "for everybody")
    await expect_text(wren.locator("[data-message-id]"), "for everybody")
    assert await wren.get_by_text("for you alone").count() == 0

    await robin.keyboard.press("Alt+Digit2")
    await private.wait_for(state="detached")
    await robin.keyboard.press("Alt+Digit1")
    await private.get_by_text("Dismiss message").click()
    await private.wait_for(state="detached")


async def test_a_failed_click_is_shown_to_the_clicker_until_the_message_changes(
    visit: Visit, sandbox: Sandbox, bot: RawBot
) -> None:
    robin, wren = await visit("Robin"), await visit("Wren")
    posted = await bot.post("table-one", "a table", components=[row(button("roll", "Roll"))])
    await find_message(robin, posted).get_by_role("button", name="Roll").click()
    await find_message(robin, posted).locator("[aria-busy=true]").wait_for()
    # The page is busy before the click has arrived, and the time for its answer begins when it has.
    await wait_until(lambda: bool(bot.received))
    sandbox.world.clock.advance(DEADLINE_SECONDS)
    await expect_text(find_message(robin, posted), "This interaction failed")
    await find_message(wren, posted).wait_for()
    assert await wren.get_by_text("This interaction failed").count() == 0
    await bot.edit("table-one", posted, content="an edited table")
    await expect_text(find_message(robin, posted), "an edited table")
    assert await robin.get_by_text("This interaction failed").count() == 0


async def test_a_deferred_answer_shows_that_the_bot_is_thinking(visit: Visit, bot: RawBot) -> None:
    bot.answers["help"] = lambda _: {"type": 5}
    page = await visit()
    await page.click("[data-command=help]")
    await expect_text(page.locator("[data-message-id]"), "Parlour is thinking…")
    asked = bot.received[-1]
    original = f"/webhooks/{asked['application_id']}/{asked['token']}/messages/@original"
    await bot.call("PATCH", original, {"content": "thought out"})
    await expect_text(page.locator("[data-message-id]"), "thought out")
    assert await page.get_by_text("is thinking").count() == 0
