"""The message box: commands are found, filled in, checked and sent."""

from itertools import count

import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import Visit, expect_text
from tests.support.raw_bot import CHOICES, Json, RawBot, answer_message

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_an_empty_channel_offers_commands_that_one_click_sends(visit: Visit, bot: RawBot) -> None:
    bot.answers["magpie"] = lambda _: answer_message("a table is open")
    page = await visit()
    chips = page.locator("#welcome [data-command]")
    await expect_text(chips, "/magpie new")
    offered = [await chip.get_attribute("data-command") for chip in await chips.all()]
    assert offered == ["magpie new", "help"]
    # A second click of a hasty reader opens no second table.
    await chips.first.dblclick()
    await expect_text(page.locator("[data-message-id]"), "a table is open")
    assert [heard["data"]["options"][0]["name"] for heard in bot.received] == ["new"]
    await page.locator("#welcome").wait_for(state="hidden")


async def test_the_picker_follows_the_keyboard(visit: Visit, bot: RawBot) -> None:
    bot.answers["help"] = lambda _: answer_message("here is help")
    page = await visit()
    composer = page.locator("#composer")
    await composer.press("/")
    chosen = page.locator("#picker [aria-selected=true]")
    assert await page.locator("#picker [data-command]").count() == 4
    assert await chosen.get_attribute("data-command") == "about"
    await composer.press("ArrowDown")
    assert await chosen.get_attribute("data-command") == "help"
    assert await composer.get_attribute("aria-activedescendant") == await chosen.get_attribute("id")
    await composer.press("Escape")
    await page.locator("#picker").wait_for(state="hidden")
    await composer.press_sequentially("he")
    await composer.press("Tab")
    assert await composer.input_value() == "/help "
    await composer.press("Enter")
    await expect_text(page.locator("[data-message-id]"), "here is help")
    assert await composer.input_value() == ""


async def test_a_command_typed_to_its_end_is_sent_by_enter(visit: Visit, bot: RawBot) -> None:
    tables = count(1)
    bot.answers["magpie"] = lambda _: answer_message(f"table {next(tables)}")
    page = await visit()
    composer = page.locator("#composer")
    offered = page.locator("#picker [data-command='magpie new']")
    for number, by in enumerate(("key", "mouse"), 1):
        await composer.press_sequentially("/magpie new")
        await (composer.press("Tab") if by == "key" else offered.click())
        await page.locator("[data-add-option=target]").wait_for()
        assert await composer.input_value() == "/magpie new "
        await composer.press("Control+A")
        await composer.press_sequentially("/magpie new")
        await composer.press("Enter")
        await expect_text(page.locator("[data-message-id]"), f"table {number}")
        assert await page.locator("[data-message-id]").count() == number


async def test_options_are_typed_checked_and_completed(visit: Visit, bot: RawBot) -> None:
    def answer(asked: Json) -> Json:
        if asked["type"] == 4:
            typed = asked["data"]["options"][0]["options"][0]["value"]
            return {"type": CHOICES, "data": {"choices": [{"name": f"all the {typed}s", "value": "1 2"}]}}
        return answer_message("rolled")

    bot.answers["magpie"] = answer
    page = await visit()
    await page.fill("#composer", "/magpie roll ")
    dice, times = page.locator("[data-option=dice] input"), page.locator("[data-option=times] input")
    assert await dice.evaluate("node => node === document.activeElement")
    await dice.press_sequentially("six")
    await expect_text(page.locator("[data-option=dice] [role=option]"), "all the sixs")
    await dice.press("Enter")
    assert await dice.input_value() == "all the sixs"
    await dice.press("Enter")
    await expect_text(page.locator("[data-option=times]"), "This one is needed.")
    assert await times.evaluate("node => node === document.activeElement")
    for wrong, reason in (("many", "Enter a whole number."), ("4", "3 is the most.")):
        await times.fill(wrong)
        await times.press("Enter")
        await expect_text(page.locator("[data-option=times]"), reason)
    await times.fill("2")
    await page.click("[data-add-option=loud]")
    await page.locator("[data-option=loud] select").select_option("False")
    await page.click("#send")
    await expect_text(page.locator("[data-message-id]"), "rolled")
    given = bot.received[-1]["data"]["options"][0]["options"]
    assert [(each["name"], each["value"]) for each in given] == [("dice", "1 2"), ("times", 2), ("loud", False)]


async def test_escape_leaves_a_command(visit: Visit, sandbox: Sandbox) -> None:
    page = await visit()
    composer = page.locator("#composer")
    await composer.fill("/magpie new ")
    await page.click("[data-add-option=target]")
    await page.locator("[data-option=target] input").press("Escape")
    assert await composer.input_value() == ""
    assert await page.locator("[data-option]").count() == 0
    await composer.fill("just talk")
    await composer.press("Enter")
    await expect_text(page.locator("[data-message-id]"), "just talk")
    assert [said.content for said in sandbox.channel("table-one").messages] == ["just talk"]


async def test_typed_mentions_become_mentions_of_people_and_channels(visit: Visit, sandbox: Sandbox) -> None:
    robin, wren = await visit("Robin"), await visit("Wren")
    await robin.fill("#composer", "hi @wren, see #lounge; mail a@jay.example, @nobody")
    await robin.press("#composer", "Enter")
    said = wren.locator(".message.mentioned")
    await expect_text(said, "hi @Wren, see #lounge; mail a@jay.example, @nobody")
    (message,) = sandbox.channel("table-one").messages
    wren_id, lounge = sandbox.person("Wren").id, sandbox.channel("lounge").id
    assert message.content == f"hi <@{wren_id}>, see <#{lounge}>; mail a@jay.example, @nobody"
    await said.get_by_role("button", name="#lounge").click()
    await expect_text(wren.locator("#place"), "lounge")
