"""The requests of the bot, as the architecture page lists them."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bot.platform.discord.rate_limits import route_of
from bot.sandbox.rest.routes import RequestRecord

_PAGE: Final = Path(__file__).parents[2] / "docs" / "architecture.md"


def listed_routes() -> list[str]:
    """Return the routes of which the page says what the bot does if they are refused."""
    _, _, part = _PAGE.read_text(encoding="utf-8").partition("### What Discord refuses")
    rows = re.findall(r"^\|([^|]+)\|", part.partition("\n## ")[0], re.MULTILINE)
    return [route for row in rows for route in re.findall(r"`([A-Z]+ /\S+)`", row)]


def find_unlisted(records: Iterable[RequestRecord]) -> list[str]:
    """Return the routes of requests that the page does not list."""
    found = {route_of(each.method, each.path) for each in records}
    return sorted({each.replace("@original", "{id}") for each in found} - set(listed_routes()))
