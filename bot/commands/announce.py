"""`announce`: has the running bot tell the channels of open tables something."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.console import fail, fail_database_unavailable, load_settings, open_store

if TYPE_CHECKING:
    from bot.settings import Settings

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours"}


def announce(
    text: Annotated[str, typer.Argument(help="What to say, such as: I'm being updated and will be back soon.")],
    wait: Annotated[str | None, typer.Option("--in", help="In what time it happens, such as 90s, 10m or 2h.")] = None,
) -> None:
    """Have the running bot warn every channel with an open table; the message goes five minutes after the time."""
    from bot.community.host_news import MAX_TEXT
    from bot.tables.ports import StoreUnavailable

    if not text.strip() or len(text) > MAX_TEXT:
        fail(f"The text must have 1 to {MAX_TEXT} characters.")
    span = None if wait is None else _parse_span(wait)
    settings = load_settings()
    try:
        asyncio.run(_announce(settings, text.strip(), span))
    except StoreUnavailable as fault:
        fail_database_unavailable(fault)
    typer.echo("The running bot will tell every channel with an open table within seconds.")


def _parse_span(text: str) -> timedelta:
    match = re.fullmatch(r"(\d{1,4})([smh])", text.strip())
    if match is None:
        fail("The time must look like 90s, 10m or 2h.")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


async def _announce(settings: "Settings", text: str, wait: timedelta | None) -> None:
    from bot.community.host_news import announce as leave_announcement

    store = open_store(settings)
    try:
        await leave_announcement(store, text, datetime.now(UTC), wait)
    finally:
        await store.close()
