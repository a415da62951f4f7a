"""Messages as Discord's users know them: who wrote what, replies, embeds with all their parts, buttons."""

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import aiohttp
import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import Visit, expect_text, find_message
from tests.support.chromium import PHONE_VIEWPORT
from tests.support.raw_bot import Json, RawBot, answer_message, button, row

if TYPE_CHECKING:
    from playwright.async_api import Locator

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PIXELS = 6
DRAWN = f'<svg xmlns="http://www.w3.org/2000/svg" width="{PIXELS}" height="{PIXELS}"/>'.encode()
GROUPING_SECONDS = 7 * 60
"""Seconds after which the next message of an author starts a new group."""


def at_noon(sandbox: Sandbox) -> None:
    """Set the clock forward to a time when a few minutes more lead to no other day."""
    now = datetime.fromtimestamp(sandbox.world.clock.wall_time(), tz=UTC).astimezone()
    noon = now.replace(hour=12, minute=0)
    sandbox.world.clock.advance((noon - now + timedelta(days=noon < now)).total_seconds())


async def style(locator: "Locator", name: str) -> str:
    return str(await locator.evaluate(f"node => getComputedStyle(node).{name}"))


async def has_head(written: "Locator") -> bool:
    """Whether a message says who wrote it."""
    seen = (written.locator(each) for each in (".body .name", ":scope > .avatar"))
    name, face = [await each.is_visible() for each in seen]
    assert name is face
    return name


async def test_messages_of_one_author_are_grouped(visit: Visit, sandbox: Sandbox) -> None:
    channel, jay, wren = sandbox.channel("table-one"), sandbox.person("Jay"), sandbox.person("Wren")
    at_noon(sandbox)
    said = [jay.say(channel, "one").id, jay.say(channel, "two").id, wren.say(channel, "three").id]
    sandbox.world.clock.advance(GROUPING_SECONDS - 60)
    said.append(wren.say(channel, "four").id)
    sandbox.world.clock.advance(GROUPING_SECONDS)
    said.append(wren.say(channel, "five").id)
    page = await visit("Wren")
    await find_message(page, str(said[-1])).wait_for()
    assert [await has_head(find_message(page, str(each))) for each in said] == [True, False, True, False, True]

    sandbox.world.remove_message(channel.messages[0])
    await find_message(page, str(said[0])).wait_for(state="detached")
    assert await has_head(find_message(page, str(said[1]))), "what was second is first now"


async def test_a_reply_quotes_its_message_and_links_to_it(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    asked = sandbox.person("Jay").say(sandbox.channel("table-one"), "**who** is next?")
    for number in range(60):
        sandbox.person("Wren").say(sandbox.channel("table-one"), f"line {number}")
    before = await bot.post("table-one", "a table")
    reply = await bot.post("table-one", "Robin is", message_reference={"message_id": str(asked.id)})
    page = await visit(viewport=PHONE_VIEWPORT)
    origin = find_message(page, reply).locator(".origin")
    assert await origin.locator("strong").inner_text() == "Jay"
    quoted = origin.get_by_role("button", name="who is next?")
    assert await quoted.inner_text() == "who is next?"
    assert await has_head(find_message(page, before))
    assert await has_head(find_message(page, reply)), "a reply never joins what stands above"
    await quoted.click()
    await page.locator(f".flash[data-message-id='{asked.id}']").wait_for()
    sandbox.world.remove_message(asked)
    await page.reload()
    await expect_text(origin, "Original message was deleted")


async def test_an_embed_shows_all_its_parts(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    embed: Json = {
        "title": "Robin to roll",
        "description": "a **long** evening",
        "color": 0x4A83D4,
        "author": {"name": "Magpie"},
        "fields": [{"name": "Scores", "value": "Robin *12*"}],
        "footer": {"text": "table 7"},
        "image": {"url": "attachment://table.svg"},
        "thumbnail": {"url": "attachment://die.svg"},
        "timestamp": "2001-02-03T12:00:00Z",
    }
    posted = await post_message(sandbox, {"embeds": [embed]}, "table.svg", "die.svg", "notes.txt")
    plain = await bot.post("table-one", embeds=[{"title": "plain"}])
    page = await visit()
    shape = find_message(page, posted).locator(".embed")
    for text in ("Magpie", "a long evening", "Scores", "Robin 12"):
        await expect_text(shape, text)
    assert await shape.get_by_role("heading", name="Robin to roll").is_visible()
    footer = await shape.locator(".footer").inner_text()
    assert footer.startswith("table 7 • ")
    assert "01" in footer, "the year, however dates are written here"
    assert await style(shape, "borderLeftColor") == "rgb(74, 131, 212)"
    assert await style(find_message(page, plain).locator(".embed"), "borderLeftColor") != "rgb(74, 131, 212)"
    for part in (".embed-picture img", ".thumbnail img"):
        await shape.locator(part).evaluate("image => image.decode()")
        assert await shape.locator(part).evaluate("image => image.naturalWidth") == PIXELS
    assert await find_message(page, posted).locator("img[src^='/cdn/']").count() == 2, "nothing a second time below"
    await expect_text(find_message(page, posted).locator("a[href^='/cdn/']"), "notes.txt")
    await expect_text(find_message(page, posted).locator(".file"), "2.0 KB")


async def post_message(sandbox: Sandbox, body: Json, *files: str) -> str:
    """Write a message with files, as the bot, and return its id."""
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", json.dumps(body))
    for number, name in enumerate(files):
        content, kind = (DRAWN, "image/svg+xml") if name.endswith(".svg") else (bytes(2048), "text/plain")
        form.add_field(f"files[{number}]", content, filename=name, content_type=kind)
    address = f"{sandbox.api_url}/channels/{sandbox.channel('table-one').id}/messages"
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {sandbox.token}"}) as http:
        answer = await http.post(address, data=form)
        return str((await answer.json())["id"])


async def test_buttons_show_their_style_and_emoji(visit: Visit, bot: RawBot) -> None:
    bot.answers |= {
        name: lambda asked: answer_message(f"pressed {asked['data']['custom_id']}") for name in ("plain", "off")
    }
    names = {1: "main", 2: "plain", 3: "good", 4: "bad"}
    styles = [button(name, name, style=number) for number, name in names.items()]
    more = [
        {"type": 2, "style": 2, "custom_id": "die", "emoji": {"name": "🎲"}},
        button("both", "Roll", emoji={"name": "🎲"}),
        button("off", "Off", disabled=True),
        {"type": 2, "style": 5, "label": "Away", "url": "https://example.org/x"},
    ]
    posted = await bot.post("table-one", "a table", components=[row(*styles), row(*more)])
    page = await visit(is_own=True)
    table = find_message(page, posted)
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        grounds = {await style(table.get_by_role("button", name=each), "backgroundColor") for each in names.values()}
        assert len(grounds) == len(names), f"two styles look alike where all is {scheme}"
    assert await table.get_by_role("button", name="🎲", exact=True).inner_text() == "🎲"
    assert (await table.get_by_role("button", name="Roll").inner_text()).split() == ["🎲", "Roll"]
    away = table.get_by_role("link", name="Away")
    assert await away.get_attribute("href") == "https://example.org/x"
    assert "noopener" in (await away.get_attribute("rel") or "")
    await table.get_by_role("button", name="Off").click(force=True)
    await table.get_by_role("button", name="plain").click()
    await expect_text(page.locator("[data-message-id]"), "pressed plain")
    assert [heard["data"]["custom_id"] for heard in bot.received] == ["plain"]


async def test_the_bots_own_emoji_are_pictures_in_texts_buttons_and_menus(
    visit: Visit, sandbox: Sandbox, bot: RawBot
) -> None:
    emoji = sandbox.world.emojis.add("die_6", "image/svg+xml", DRAWN)
    given = {"id": str(emoji.id), "name": emoji.name}
    options = [{"label": "Six", "value": "6", "emoji": given}]
    menu = {"type": 3, "custom_id": "menu", "options": options}
    written = f"<:{emoji.name}:{emoji.id}>"
    components = [row(button("six", "6", emoji=given)), row(menu)]
    embed = {"description": f"rolled {written}", "fields": [{"name": "Dice", "value": written}]}
    posted = await bot.post("table-one", f"Again {written}", embeds=[embed], components=components)
    await bot.post("table-one", "a reply", message_reference={"message_id": posted})
    page = await visit()
    await expect_text(page.locator(".quoted"), "Again  rolled")
    table = find_message(page, posted)
    await table.locator("[data-select]").click()
    for place in (
        page.locator(".quoted").first,
        table.locator(".content"),
        table.locator(".embed-description"),
        table.locator(".field"),
        table.get_by_role("button", name="6", exact=False).first,
        page.get_by_role("option", name="Six"),
    ):
        picture = place.get_by_role("img", name=":die_6:").first
        assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == PIXELS
    await bot.post("table-one", f"{written} once more")
    await page.locator("#announcer", has_text="Parlour: die 6 once more").wait_for(state="attached")
