"""Whole games played by people who see only the page."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from babel.messages.pofile import read_po

from bot.platform.catalogues import LOCALES
from bot.sandbox.model.world import Change, MessageChange
from bot.tables import storage as table_storage
from bot.tables.host import Host
from tests.e2e.browser.playing import find_embed, play_anything, play_magpie, press, start_with, write
from tests.support.chromium import DESKTOP_VIEWPORT, PHONE_VIEWPORT, BrowserWindows
from tests.support.fakes import STRANGER
from tests.support.games import load_games_once
from tests.support.languages import find_foreign, lines_of
from tests.support.parlour import Parlour, is_played
from tests.support.short_games import GameSetup, short_games

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@asynccontextmanager
async def open_page(windows: BrowserWindows, parlour: Parlour, viewport: Mapping[str, int]) -> "AsyncIterator[Page]":
    """Open the page in a window of a size; a fault on the page fails the test."""
    async with windows.use() as used:
        yield await used.open(parlour.sandbox.url, viewport)


async def test_three_people_click_through_a_whole_game(windows: BrowserWindows, parlour: Parlour) -> None:
    async with open_page(windows, parlour, DESKTOP_VIEWPORT) as page:
        # With these options, games are shortest.
        await write(page, "/magpie new target:50 double_big_rolls:true five_dice_bonus:true")
        finished = await play_magpie(page, parlour, await start_with(page, parlour, "Wren", "Jay"))
        await page.get_by_role("button", name="Play again").wait_for()
        assert finished.outcome is not None
        for seat in finished.outcome.winners:
            assert finished.seats[seat].name in await page.locator(".embed-title").inner_text()


async def test_a_phone_leads_from_an_empty_channel_to_a_roll_in_three_taps(
    windows: BrowserWindows, parlour: Parlour
) -> None:
    async with open_page(windows, parlour, PHONE_VIEWPORT) as page:
        await page.locator("[data-command='magpie new']").click()
        await page.get_by_role("button", name="Start with Rusty").click()
        await find_embed(page, "Robin, roll the dice").wait_for()
        await page.locator(".embed-picture").get_by_role("img", name="First to 100: player 1 has 0").wait_for()
        # If the computer player began, the table shows its roll before Robin's first.
        await press(page, await parlour.table(), "roll")
        await find_embed(page, re.compile(r"You: (.*\+\d|no points)")).wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        record = await parlour.db.read(table_storage.load, 1)
        assert record is not None
        assert any(entry.click_id is not None for entry in record.entries)


async def test_on_a_phone_the_dice_are_checked_without_looking_sideways(
    windows: BrowserWindows, parlour: Parlour
) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    table = await parlour.table()
    await parlour.client.app.service(Host).service.cancel(table.id, STRANGER, is_moderator=True)
    await parlour.sandbox.until(lambda: "cancelled" in message.text)
    async with open_page(windows, parlour, PHONE_VIEWPORT) as page:
        await page.get_by_role("button", name="Check fairness").click()
        await find_embed(page, "This game was fair").wait_for()
        assert await page.get_by_text(f"magpie-{table.id}.json", exact=True).is_visible()
        fits = "words => words.every(each => each.scrollWidth <= each.closest('.embed').clientWidth)"
        assert await page.locator(".embed *").evaluate_all(fits)


def translated_games() -> Iterator[GameSetup]:
    """Yield the games whose titles are translated: a new game speaks English until its translators have come."""
    with (LOCALES / "de.po").open("rb") as file:
        texts = {message.id for message in read_po(file)}
    packages = sorted(load_games_once().items())
    return (
        game for game, (_, package) in zip(short_games(), packages, strict=True) if package.game.info.title in texts
    )


@pytest.mark.time_limit(180)
@pytest.mark.parametrize("locale", ["de", "he"])
@pytest.mark.parametrize("game", tuple(translated_games()), ids=lambda game: game.command.split()[0])
async def test_a_whole_game_is_played_in_another_language_on_a_phone(
    windows: BrowserWindows, parlour: Parlour, game: GameSetup, locale: str
) -> None:
    world = parlour.sandbox.world
    for owner in (world.server, parlour.robin.user):
        world.set_locale(owner, locale)
    said = set[str]()

    def note(change: Change) -> None:
        if isinstance(change, MessageChange):
            said.update(lines_of(change.message))

    world.subscribe(note)
    message = (await parlour.robin.slash(parlour.here, game.command, **game.options)).replies[0]
    async with open_page(windows, parlour, PHONE_VIEWPORT) as page:
        # What is behind *More …* is an answer that only one person sees.
        await page.locator("[data-custom-id^='u:'][data-custom-id*=':M:']").click()
        await page.locator("[data-custom-id^='o:']").first.wait_for()
        await page.locator("[data-custom-id^='l:'][data-custom-id$=':start']").click()
        await parlour.sandbox.until(lambda: is_played(message))
        finished = await play_anything(page, parlour, await parlour.table())
        await page.locator("[data-custom-id^='a:']").wait_for()
        assert finished.outcome is not None
        assert find_foreign(said, locale) == []
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
