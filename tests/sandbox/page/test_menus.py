"""Menus: what can be chosen, and what the bot gets."""

import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import Visit, expect_text, find_message, wait_until
from tests.support.raw_bot import UPDATE, Json, RawBot, row

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_menus_of_roles_and_channels_list_the_existing_ones(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    def chosen(asked: Json) -> Json:
        return {"type": UPDATE, "data": {"content": f"{asked['data']['custom_id']} {asked['data']['values'][0]}"}}

    kinds = {"role": 6, "channel": 8}
    bot.answers |= dict.fromkeys(kinds, chosen)
    sandbox.person("Robin").start_thread(sandbox.channel("lounge"), "by the fire")
    players, lounge = 1100000000000000041, sandbox.channel("lounge")
    first: Json = {"default_values": [{"id": str(players), "type": "role"}]}
    more: dict[str, Json] = {"role": first, "channel": {"channel_types": [0]}}
    menus = [row({"type": kind, "custom_id": name, **more.get(name, {})}) for name, kind in kinds.items()]
    page = await visit()
    posted = await bot.post("table-one", "pick", components=menus)
    assert await find_message(page, posted).locator("[data-custom-id=role]").inner_text() == "@Players"
    offered = page.locator("#select-menu [role=option]")
    expected = {
        "role": (["@everyone", "@Players"], "@Players", players),
        "channel": (["#table-one", "#table-two", "#lounge"], "#lounge", lounge.id),
    }
    for name, (labels, label, value) in expected.items():
        await find_message(page, posted).locator(f"[data-custom-id={name}]").click()
        assert await offered.all_inner_texts() == labels
        await offered.filter(has_text=label).click()
        await expect_text(find_message(page, posted).locator(".content"), f"{name} {value}")


async def test_a_menu_is_operated_with_the_keyboard(visit: Visit, bot: RawBot) -> None:
    bot.answers["keep"] = lambda asked: {"type": UPDATE, "data": {"content": asked["data"]["values"][0]}}
    options = [{"label": f"Die {value}", "value": value} for value in "123"]
    page = await visit()
    posted = await bot.post("table-one", "-", components=[row({"type": 3, "custom_id": "keep", "options": options})])
    await find_message(page, posted).locator("[data-custom-id=keep]").press("Enter")
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"):
        await page.keyboard.press(key)
    await page.keyboard.press("Enter")
    await expect_text(find_message(page, posted).locator(".content"), "3")
    await wait_until(page, "document.activeElement.dataset.customId === 'keep'")
