"""Animations play unless the system or the reader wants none."""

from io import BytesIO
from typing import TYPE_CHECKING

import aiohttp
import pytest
from PIL import Image

from bot.sandbox import Sandbox
from tests.sandbox.message_bodies import form, messages
from tests.sandbox.page.page_helpers import Visit, find_message

if TYPE_CHECKING:
    from playwright.async_api import Locator

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def post_animation(sandbox: Sandbox) -> str:
    """Post an animation, and return the message's id."""
    frames = [Image.new("RGB", (40, 30), colour) for colour in ("red", "blue")]
    file = BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=50)
    payload = {"embeds": [{"title": "Rolling", "image": {"url": "attachment://roll.gif"}}]}
    path = sandbox.api_url + messages(sandbox.channel("table-one"))
    headers = {"Authorization": f"Bot {sandbox.token}"}
    body = form(payload, ("roll.gif", file.getvalue()))
    async with aiohttp.ClientSession(headers=headers) as http, http.post(path, data=body) as answer:
        return str((await answer.json())["id"])


async def is_moving(picture: "Locator") -> bool:
    return "animated=false" not in str(await picture.get_attribute("src"))


async def test_pictures_move_unless_the_system_or_the_reader_wants_none(visit: Visit, sandbox: Sandbox) -> None:
    page = await visit(is_own=True)
    await page.emulate_media(reduced_motion="no-preference")
    picture = find_message(page, await post_animation(sandbox)).locator(".embed-picture img")
    assert await is_moving(picture)
    await page.get_by_role("button", name="Stop moving pictures").click()
    assert not await is_moving(picture)
    await page.reload()
    await page.get_by_role("button", name="Let pictures move").wait_for()
    assert not await is_moving(picture)
    await page.get_by_role("button", name="Let pictures move").click()
    assert await is_moving(picture)
    await page.emulate_media(reduced_motion="reduce")
    await page.get_by_role("button", name="Let pictures move").wait_for()
    assert not await is_moving(picture)
