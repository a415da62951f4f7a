"""People who play on the page: one window, in which they take turns."""

import asyncio
import re
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Final

from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.table import Table
from tests.support.parlour import Parlour

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page


async def write(page: "Page", text: str) -> None:
    """Write a message, or a command, as soon as the page knows the commands."""
    await page.locator("#composer").fill(text)
    await page.get_by_text("The bot has no commands here yet.").wait_for(state="hidden")
    await page.locator("#composer").press("Enter")


async def switch_person(page: "Page", name: str) -> None:
    """Switch to another person and wait until the page shows what they see."""
    await page.locator("[data-person]", has_text=name).click()
    await page.get_by_placeholder(re.compile(f"as {name}")).wait_for()
    await page.locator("#feed[aria-busy=false]").wait_for()


def find_embed(page: "Page", text: str | re.Pattern[str]) -> "Locator":
    """Find the embed that holds a text."""
    return page.locator(".embed", has_text=text)


async def start_with(page: "Page", parlour: Parlour, *names: str) -> Table:
    """Let others join the lobby that Robin has opened, and let Robin start; return the table."""
    await page.get_by_role("button", name="Join", exact=True).wait_for()
    message = page.locator(f"[data-message-id='{parlour.here.messages[-1].id}']")
    for name in names:
        await switch_person(page, name)
        await message.get_by_role("button", name="Join", exact=True).click()
        await message.locator(".embed", has_text=name).wait_for()
    await switch_person(page, "Robin")
    await message.get_by_role("button", name=f"Start with {1 + len(names)}").click()
    await message.get_by_text("roll the dice").first.wait_for()
    return await parlour.table()


async def press(page: "Page", table: Table, control: str) -> None:
    """Press the button of a move at a table, and wait until it is made."""
    button = page.locator(f"[data-custom-id^='t:{table.id}:{table.header.step}:{control}:']")
    await button.click()
    await button.wait_for(state="detached")


async def play_magpie(page: "Page", parlour: Parlour, table: Table) -> Table:
    """Let the people at a table of Magpie play it to its end, and return it.

    What a person's last roll brought stands at the beginning of the story until they roll again.
    """
    gains = dict[str, int]()
    service = parlour.client.app.service(Host).service
    while (table := await service.table(table.id)).header.status is Status.PLAYING:
        assert table.mover is not None
        name, seat = table.mover.name, table.header.to_move or 0
        await switch_person(page, name)
        if gains.get(name):
            await find_embed(page, re.compile(rf"{name}: [^:]*\+{gains[name]}\b")).wait_for()
        await press(page, table, "roll")
        gains[name] = (await service.table(table.id)).state.scores[seat] - table.state.scores[seat]
    return table


_MOVES: Final = ":is([data-custom-id^='t:'], [data-custom-id^='m:']):enabled"
_HAND: Final = "[data-custom-id^='u:'][data-custom-id*=':y:']:enabled"
_MOVES_OF_HAND: Final = "[data-custom-id^='w:']:enabled"
_PATIENCE: Final = 3000
"""How many milliseconds a control may take that is on the page."""

_GOOD_MOVES: Final = 0.9
"""How often the first control is pressed, which often makes a good move; a game of nothing else might never end."""


async def play_anything(page: "Page", parlour: Parlour, table: Table) -> Table:
    """Let Robin press what the page offers until the game against the computer is over, and return the table."""
    chance, service = Random(7), parlour.client.app.service(Host).service
    while (table := await service.table(table.id)).header.status is Status.PLAYING:
        await parlour.wait_until_settled()
        if table.header.awaits_computer or not await _press_anything(page, chance):
            with suppress(TimeoutError):
                await asyncio.wait_for(parlour.sandbox.world.next_change(), 0.1)
        # A menu sends the choice a little later than it closes.
        await page.evaluate("new Promise((done) => setTimeout(done))")
        await page.locator("#feed [aria-busy=true]").first.wait_for(state="detached")
    return table


async def _press_anything(page: "Page", chance: Random) -> bool:
    """Press a button of a move, or choose a line of a menu; return False if the page has neither.

    What the table no longer offers is left alone: the page may lag behind.
    """
    from playwright.async_api import TimeoutError as TooLate

    for offered in (_MOVES, _MOVES_OF_HAND, _HAND):
        if controls := await page.locator(offered).all():
            control = controls[0] if chance.random() < _GOOD_MOVES else chance.choice(controls)
            with suppress(TooLate):
                is_menu = await control.get_attribute("data-select", timeout=_PATIENCE) is not None
                await control.click(timeout=_PATIENCE)
                if is_menu:
                    lines = page.locator("#select-menu:popover-open [role=option]")
                    await lines.first.wait_for(timeout=_PATIENCE)
                    await chance.choice(await lines.all()).click(timeout=_PATIENCE)
                    await lines.first.wait_for(state="hidden", timeout=_PATIENCE)
            return True
    return False
