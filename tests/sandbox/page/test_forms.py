"""Forms and menus: what can be filled in and chosen, and what the bot gets."""

from typing import Any

import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import Visit, expect_text, find_message, wait_until
from tests.support.chromium import PHONE_VIEWPORT
from tests.support.raw_bot import UPDATE, Json, RawBot, answer_message, button, row
from tests.support.waiting import DEADLINE_SECONDS, wait_until as reached

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MODAL = 9
FORM: Json = {
    "type": MODAL,
    "data": {
        "custom_id": "form",
        "title": "A name for the table",
        "components": [
            row({"type": 4, "custom_id": "name", "style": 1, "label": "Name", "min_length": 3, "max_length": 8}),
            {
                "type": 18,
                "label": "Why",
                "component": {"type": 4, "custom_id": "why", "style": 2, "required": False, "value": "because"},
            },
            {"type": 18, "label": "Who", "component": {"type": 5, "custom_id": "who", "max_values": 2}},
        ],
    },
}


def submitted_values(asked: Json) -> dict[str, Any]:
    """Return what was filled in, by the ids of the fields."""
    parts = asked["data"]["components"]
    fields = [part["component"] if "component" in part else part["components"][0] for part in parts]
    return {field["custom_id"]: field.get("value", field.get("values")) for field in fields}


async def test_a_form_is_checked_filled_in_and_sent(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    answers = iter((None, answer_message("named")))
    bot.answers |= {"ask": lambda _: FORM, "form": lambda _: next(answers)}
    page = await visit(viewport=PHONE_VIEWPORT)
    posted = await bot.post("table-one", "a table", components=[row(button("ask", "Name it"))])
    asker = find_message(page, posted).get_by_role("button", name="Name it")
    await asker.click()
    form, name = page.get_by_role("dialog", name="A name for the table"), page.get_by_role("textbox", name="Name")
    assert await name.evaluate("node => node === document.activeElement")
    send = form.get_by_role("button", name="Submit")
    for text, why in (("", "This one is needed."), ("ab", "At least 3"), ("x" * 9, "At most 8 characters")):
        await name.fill(text)
        await send.click()
        await expect_text(form, why)
    await name.fill("Nest")
    await name.press("Enter")
    await expect_text(form, "Choose 1 to 2.")
    assert len(bot.received) == 1
    await form.get_by_label("Wren").check()
    await send.click()
    # The first submission gets no answer: the values are kept.
    await reached(lambda: len(bot.received) == 2)
    sandbox.world.clock.advance(DEADLINE_SECONDS)
    await expect_text(form, "Something went wrong. Try again.")
    assert await name.input_value() == "Nest"
    await send.click()
    await expect_text(page.locator("[data-message-id]"), "named")
    await form.wait_for(state="hidden")
    assert submitted_values(bot.received[-1]) == {
        "name": "Nest",
        "why": "because",
        "who": [str(sandbox.person("Wren").id)],
    }
    await asker.click()
    await form.wait_for()
    await page.keyboard.press("Escape")
    await form.wait_for(state="hidden")
    await wait_until(page, "document.activeElement.dataset.customId === 'ask'")


async def test_menus_of_people_roles_and_channels_list_the_existing_ones(
    visit: Visit, bot: RawBot, sandbox: Sandbox
) -> None:
    def chosen(asked: Json) -> Json:
        return {"type": UPDATE, "data": {"content": f"{asked['data']['custom_id']} {asked['data']['values'][0]}"}}

    kinds = {"user": 5, "role": 6, "mentionable": 7, "channel": 8}
    bot.answers |= dict.fromkeys(kinds, chosen)
    sandbox.person("Robin").start_thread(sandbox.channel("lounge"), "by the fire")
    jay, lounge = sandbox.person("Jay"), sandbox.channel("lounge")
    first: Json = {"default_values": [{"id": str(jay.id), "type": "user"}]}
    more: dict[str, Json] = {"user": first, "channel": {"channel_types": [0]}}
    menus = [row({"type": kind, "custom_id": name, **more.get(name, {})}) for name, kind in kinds.items()]
    page = await visit()
    posted = await bot.post("table-one", "pick", components=menus)
    assert await find_message(page, posted).locator("[data-custom-id=user]").inner_text() == "Jay"
    offered = page.locator("#select-menu [role=option]")
    everybody = ["Robin", "Wren", "Jay", "Linnet", "Finch", "Parlour"]
    roles = ["@everyone", "@Players"]
    expected = {
        "user": (everybody, "Linnet", sandbox.person("Linnet").id),
        "role": (roles, "@Players", 1100000000000000041),
        "mentionable": ([*everybody, *roles], "Wren", sandbox.person("Wren").id),
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
