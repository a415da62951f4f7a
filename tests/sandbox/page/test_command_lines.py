"""Whole command lines, typed or pasted at once."""

import json
from typing import TYPE_CHECKING

import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import COMMANDS, Visit, expect_text, option, wait_until
from tests.support.raw_bot import CHOICES, Json, RawBot, answer_message
from tests.support.waiting import wait_until as reached

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LEADERBOARD: Json = {
    "name": "leaderboard",
    "description": "Who wins most",
    "options": [option(3, "game", required=True, autocomplete=True)],
}
PICTURES = [{"name": "High contrast", "value": "contrast"}, {"name": "Off", "value": "off"}]
SETTINGS: Json = {
    "name": "settings",
    "description": "How tables look",
    "options": [option(3, "pictures", choices=PICTURES), option(5, "reminders"), option(3, "note")],
}
INVITE: Json = {
    "name": "invite",
    "description": "Ask a member",
    "options": [option(6, "person", required=True)],
}


COMMAND = 2
NOTHING: Json = {"type": CHOICES, "data": {"choices": []}}


def answer(asked: Json) -> Json:
    return NOTHING if asked["type"] == 4 else answer_message("done")


async def register_commands(bot: RawBot) -> None:
    """Give the bot commands of every kind, and an answer to each."""
    await bot.register(*COMMANDS, LEADERBOARD, SETTINGS, INVITE)
    bot.answers |= dict.fromkeys(("magpie", "leaderboard", "settings", "invite"), answer)


def sent_options(bot: RawBot) -> dict[str, object]:
    """Return the options of the newest command, by their names."""
    options = bot.received[-1]["data"].get("options", [])
    inner = options[0].get("options", []) if options and options[0]["type"] == 1 else options
    return {each["name"]: each["value"] for each in inner}


WREN = "Wren"
_STEP = 4
"""Typing is slow, so only one in this many lines is typed key by key."""

LINES: list[tuple[str, dict[str, object]]] = [
    ("/leaderboard game:Magpie", {"game": "Magpie"}),
    ("/leaderboard Magpie", {"game": "Magpie"}),
    ("/leaderboard game: Mr. Houdini's Baggage", {"game": "Mr. Houdini's Baggage"}),
    ('/leaderboard game:"a game: of mine"', {"game": "a game: of mine"}),
    ("/magpie new target:8", {"target": 8}),
    ("/magpie new", {}),
    ("/magpie roll dice:1 3 times:2 loud:true", {"dice": "1 3", "times": 2, "loud": True}),
    ("/magpie roll times:2 dice: 1 3", {"dice": "1 3", "times": 2}),
    ("/magpie roll 1 3 loud: False times:2", {"dice": "1 3", "times": 2, "loud": False}),
    ("/settings pictures:high contrast reminders:True", {"pictures": "contrast", "reminders": True}),
    ('/settings note:"see: there" pictures:off', {"note": "see: there", "pictures": "off"}),
    ("/invite person:@wren", {"person": WREN}),
    ("/invite Wren", {"person": WREN}),
]


async def test_whole_command_lines_are_parsed(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    await register_commands(bot)
    page = await visit()
    for number, (line, options) in enumerate(LINES):
        await enter_line(page, line, is_typed=number % _STEP == 0)
        await page.keyboard.press("Enter")
        await wait_until(page, "document.querySelector('#composer').value === ''")
        await reached(lambda: bool(bot.received) and bot.received[-1]["type"] == COMMAND)
        expected = {name: str(sandbox.person(WREN).id) if value == WREN else value for name, value in options.items()}
        assert sent_options(bot) == expected, line
        bot.received.clear()


async def enter_line(page: "Page", line: str, *, is_typed: bool = True) -> None:
    """Type a line key by key, or paste it at once."""
    await page.locator("#composer").focus()
    await (page.keyboard.type(line) if is_typed else page.locator("#composer").fill(line))


WRONG_LINES = [
    ("/leaderboard gam:Magpie", "/leaderboard has no option gam, but game."),
    ("/magpie roll 1 3 times:2 tiems:2", "no option tiems, but dice, times or loud. Put words with a colon in"),
    ("/magpie new target:5 target:6", "target stands there twice."),
    ("/magpie new target:many", "Enter a whole number."),
    ("/magpie roll times:2", "This one is needed."),
    ("/settings pictures:purple", "“purple” is not offered. Choose High contrast or Off."),
    ("/invite person:Nobody", "“Nobody” is not offered. Choose"),
    ('/settings note:"see', "A quotation mark is not closed."),
    ("/help me", "/help takes no options."),
    ("/magpie", "/magpie needs more: choose /magpie new or /magpie roll."),
    ("/magpie fly target:5", "/magpie needs more: choose /magpie new or /magpie roll."),
    ("/nothing game:Magpie", "There is no command /nothing. Type / to see them all."),
]


async def test_wrong_command_lines_are_explained_and_not_sent(visit: Visit, bot: RawBot) -> None:
    await register_commands(bot)
    page = await visit()
    for number, (line, why) in enumerate(WRONG_LINES):
        await enter_line(page, line, is_typed=number % _STEP == 0)
        if await page.locator("#picker").is_visible():
            # The list of commands would take the key.
            await page.keyboard.press("Escape")
        await page.keyboard.press("Enter")
        await expect_text(page.locator(".sender"), why)
        assert [heard for heard in bot.received if heard["type"] == COMMAND] == []
        await page.keyboard.press("Escape")
        await page.locator("#composer").fill("")
        await wait_until(page, f"!document.querySelector('.sender').innerText.includes({json.dumps(why)})")


async def test_completing_an_option_continues_the_typed_line(visit: Visit, bot: RawBot) -> None:
    await register_commands(bot)
    page = await visit()
    await enter_line(page, "/settings reminders:true note:")
    note = page.locator("[data-option=note] input")
    assert await note.evaluate("node => node === document.activeElement")
    await page.keyboard.type("later pictures:off")
    await page.keyboard.press("Enter")
    await expect_text(page.locator("[data-message-id]"), "done")
    assert sent_options(bot) == {"reminders": True, "note": "later", "pictures": "off"}
