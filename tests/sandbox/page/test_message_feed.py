"""Reading: edits in place, scrolling, links, direct messages."""

from typing import TYPE_CHECKING, Any

import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import (
    COMMANDS,
    Visit,
    expect_text,
    find_message,
    scroll_distance_to_end,
    wait_until,
)
from tests.support.chromium import DESKTOP_VIEWPORT, PHONE_VIEWPORT
from tests.support.raw_bot import UPDATE, Json, RawBot, answer_message, button, row

if TYPE_CHECKING:
    from playwright.async_api import Locator

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_focus_elements_and_opened_spoilers_survive_an_edit(visit: Visit, bot: RawBot) -> None:
    def controls(*labels: str, **more: Any) -> list[Json]:
        return [row(*(button(f"{label}-id", label, **more) for label in labels))]

    page = await visit()
    posted = await bot.post("table-one", "first", components=controls("One", "Two"))
    second = find_message(page, posted).locator("[data-custom-id]").nth(1)
    await second.focus()
    await second.evaluate("node => { window.kept = node }")
    embeds = [{"title": "now an embed"}]
    await bot.edit("table-one", posted, content="", embeds=embeds, components=controls("Three", "Four"))
    await expect_text(find_message(page, posted), "now an embed")
    assert await page.evaluate("window.kept === document.activeElement && window.kept.isConnected")
    assert await second.get_attribute("data-custom-id") == "Four-id"

    await bot.edit("table-one", posted, components=controls("Three", "Four", disabled=True))
    await wait_until(page, "document.activeElement === document.body")
    await bot.edit("table-one", posted, components=controls("Three", "Four"))
    await wait_until(page, "document.activeElement === window.kept")

    posted = await bot.post("table-one", "||secret|| one")
    spoiler = find_message(page, posted).locator(".spoiler")
    await spoiler.focus()
    await page.keyboard.press("Enter")
    assert await spoiler.get_attribute("data-shown") is not None
    await bot.edit("table-one", posted, content="||secret|| two")
    await expect_text(find_message(page, posted), "two")
    assert await spoiler.get_attribute("data-shown") is not None


async def test_a_select_with_bounds_is_sent_when_it_is_done(visit: Visit, bot: RawBot) -> None:
    bot.answers["keep"] = lambda asked: {"type": UPDATE, "data": {"content": " ".join(asked["data"]["values"])}}
    options = [{"label": f"Die {value}", "value": value} for value in "1234"]
    select = {"type": 3, "custom_id": "keep", "min_values": 2, "max_values": 3, "options": options}
    page = await visit()
    posted = await bot.post("table-one", "-", components=[row(select)])
    done = page.locator("#select-menu [data-done]")
    await find_message(page, posted).locator("[data-custom-id=keep]").click()
    await page.keyboard.press("Space")
    assert await done.is_disabled()
    # Leaving with too few chosen sends nothing, so nothing is refused before the next thing is said.
    await page.click("#place")
    await done.wait_for(state="hidden")
    await page.fill("#composer", "wait")
    await page.press("#composer", "Enter")
    await expect_text(page.locator("[data-message-id]"), "wait")
    assert await find_message(page, posted).locator(".failure").text_content() == ""
    await find_message(page, posted).locator("[data-custom-id=keep]").click()
    await page.keyboard.press("Space")
    for value in "432":
        await page.click(f"#select-menu [data-value='{value}']")
    assert await page.locator("#select-menu [aria-selected=true]").count() == 3
    await done.click()
    await expect_text(find_message(page, posted).locator(".content"), "1 3 4")
    assert [heard["data"]["values"] for heard in bot.received] == [["1", "3", "4"]]


async def test_the_feed_stays_at_its_end_unless_the_reader_has_scrolled(
    visit: Visit, bot: RawBot, sandbox: Sandbox
) -> None:
    lounge = sandbox.channel("lounge")
    for number in range(60):
        sandbox.person("Jay").say(lounge, f"line {number}")
    page = await visit()
    await page.click(f"[data-channel='{lounge.id}']")
    await expect_text(page.locator("[data-message-id]"), "line 59")
    sandbox.person("Jay").say(lounge, "at the end")
    await expect_text(page.locator("[data-message-id]"), "at the end")
    await wait_until(page, "document.getElementById('newer').hidden")
    assert await scroll_distance_to_end(page) <= 1

    # A picture has come before the browser told of the last scrolling.
    await page.locator("#feed").evaluate(
        """feed => {
            feed.querySelector("li:last-child").style.paddingBottom = "300px";
            feed.dispatchEvent(new Event("scroll"));
        }"""
    )
    await wait_until(
        page, "(feed => feed.scrollHeight - feed.scrollTop - feed.clientHeight <= 1)(document.querySelector('#feed'))"
    )

    await page.evaluate("document.getElementById('feed').scrollTop = 100")
    await wait_until(page, "document.getElementById('feed').scrollTop === 100")
    # The scroll event comes with the next frame.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    await bot.post("lounge", "unseen below")
    await expect_text(page.locator("[data-message-id]"), "unseen below")
    assert await page.evaluate("document.getElementById('feed').scrollTop") == 100
    await page.get_by_role("button", name="New messages").click()
    await page.locator("#newer").wait_for(state="hidden")
    assert await scroll_distance_to_end(page) <= 1


async def test_new_messages_are_marked_until_the_reader_answers(visit: Visit, bot: RawBot) -> None:
    page = await visit()
    marked = page.locator(".first-new")
    await bot.post("lounge", "before the visit")
    first = await bot.post("table-two", "missed")
    await bot.post("table-two", "missed, too")
    await page.locator(".channel.unread", has_text="table-two").click()
    await expect_text(marked, "missed")
    assert await marked.get_attribute("data-message-id") == first
    assert await marked.count() == 1
    await bot.post("table-two", "seen at once")
    await expect_text(page.locator("[data-message-id]"), "seen at once")
    assert await marked.get_attribute("data-message-id") == first
    await page.fill("#composer", "thank you")
    await page.press("#composer", "Enter")
    await expect_text(page.locator("[data-message-id]"), "thank you")
    assert await marked.count() == 0


async def test_a_picture_opens_as_large_as_the_window(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    page = await visit(viewport=PHONE_VIEWPORT)
    posted = await bot.post("table-one", embeds=[{"image": {"url": f"{sandbox.url}/static/icon.svg"}}])
    shown = page.locator("#viewer img")
    for key in ("", "Escape"):
        # An SVG without a size of its own takes no room in a message.
        await find_message(page, posted).locator("a.picture").dispatch_event("click")
        box = await shown.bounding_box()
        assert box is not None
        assert box["width"] > 0.9 * PHONE_VIEWPORT["width"]
        await (page.keyboard.press(key) if key else shown.click())
        await shown.wait_for(state="hidden")


async def test_a_jump_link_opens_the_channel_and_flashes_the_message(
    visit: Visit, bot: RawBot, sandbox: Sandbox
) -> None:
    target = await bot.post("table-two", "the table")
    for number in range(60):
        sandbox.person("Jay").say(sandbox.channel("table-two"), f"line {number}")
    place = f"{sandbox.world.server.id}/{sandbox.channel('table-two').id}/{target}"
    await bot.post("table-one", f"[over there](https://discord.com/channels/{place})")
    page = await visit()
    await page.get_by_role("link", name="over there").click()
    await expect_text(page.locator("#place"), "table-two")
    await page.locator(f".flash[data-message-id='{target}']").wait_for()
    box = await find_message(page, target).bounding_box()
    assert box is not None
    assert 0 < box["y"] < DESKTOP_VIEWPORT["height"]
    # The page itself has nothing to scroll: only its feed has moved.
    assert await page.evaluate("document.documentElement.scrollHeight") == DESKTOP_VIEWPORT["height"]


async def test_direct_messages_belong_to_the_chosen_person(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    here_only = {"name": "here-only", "description": "For servers", "contexts": [0]}
    await bot.register(*COMMANDS, here_only)
    bot.answers["help"] = lambda _: answer_message("between us", components=[row(button("more", "More"))])
    bot.answers["more"] = lambda _: {"type": UPDATE, "data": {"content": "more between us"}}
    page = await visit("Wren", PHONE_VIEWPORT)
    entry, place, feed = (page.locator(each) for each in ("#directs [data-channel]", "#place", "#messages"))

    async def enter(channel: "Locator") -> None:
        await page.click("#menu")
        await channel.click()

    await page.fill("#composer", "/here-only ")
    await enter(entry)
    await expect_text(place, "Parlour")
    assert await page.input_value("#composer") == "", "what is not offered there does not come along"
    await expect_text(page.locator("#welcome"), "only you, Wren, can see them")
    await page.fill("#composer", "/here-o")
    await expect_text(page.locator("#picker"), "No command is called that.")
    await page.fill("#composer", "")
    await page.click("#welcome [data-command=help]")
    await page.get_by_role("button", name="More").click()
    await expect_text(feed, "more between us")
    (message,) = sandbox.person("Wren").direct_channel.messages
    assert sandbox.person("Robin").visible_messages(message.channel) == []

    await page.locator("[data-person]", has_text="Robin").click()
    await expect_text(page.locator("#welcome"), "only you, Robin, can see them")
    assert await feed.inner_text() == ""
    await page.locator("[data-person]", has_text="Wren").click()
    await expect_text(feed, "more between us")

    await bot.post("table-one", f"[your move](https://discord.com/channels/@me/{message.channel.id}/{message.id})")
    await enter(page.locator(f"[data-channel='{sandbox.channel('table-one').id}']"))
    await bot.call("POST", f"/channels/{message.channel.id}/messages", {"content": "unread"})
    await page.locator("#directs .unread").wait_for(state="attached")
    await page.locator("#menu.unread").wait_for(state="attached")
    await page.locator("[data-person]", has_text="Robin").click()
    await page.locator("#menu:not(.unread)").wait_for(state="attached")
    await page.locator("[data-person]", has_text="Wren").click()
    await page.locator("#menu.unread").wait_for(state="attached")
    await page.get_by_role("link", name="your move").click()
    await page.locator(f".flash[data-message-id='{message.id}']").wait_for()
    await page.reload()
    await expect_text(place, "Parlour")
    await expect_text(feed, "unread")
