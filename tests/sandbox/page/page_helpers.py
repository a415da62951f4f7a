"""What tests of the page have in common: windows, commands, and ways to wait."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from tests.support.raw_bot import Json

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

Visit: TypeAlias = "Callable[..., Awaitable[Page]]"


def option(kind: int, name: str, **more: Any) -> Json:
    """Describe an option, a subcommand (1) or a group of them (2)."""
    return {"type": kind, "name": name, "description": f"Which {name}", **more}


COMMANDS: tuple[Json, ...] = (
    {
        "name": "magpie",
        "description": "A game of dice",
        "options": [
            option(1, "new", options=[option(4, "target", min_value=5, max_value=9)]),
            option(
                1,
                "roll",
                options=[
                    option(3, "dice", required=True, autocomplete=True),
                    option(4, "times", required=True, max_value=3),
                    option(5, "loud"),
                ],
            ),
        ],
    },
    {"name": "about", "description": "Who made this"},
    {"name": "help", "description": "What there is"},
)


def find_message(page: "Page", message_id: str) -> "Locator":
    return page.locator(f"[data-message-id='{message_id}']")


async def expect_text(locator: "Locator", text: str) -> None:
    await locator.filter(has_text=text).first.wait_for()


async def scroll_distance_to_end(page: "Page") -> float:
    """Return how far the reader is from the end of the messages."""
    feed = page.locator("#feed")
    return float(await feed.evaluate("feed => feed.scrollHeight - feed.scrollTop - feed.clientHeight"))


async def wait_until(page: "Page", condition: str) -> None:
    """Wait for something that no locator can say."""
    look = f"const look = () => ({condition}) ? done() : requestAnimationFrame(look); look();"
    await asyncio.wait_for(page.evaluate(f"new Promise((done) => {{ {look} }})"), 30)
