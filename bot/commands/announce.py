"""`announce`: has the running bot post an announcement in every channel with an open table."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from bot.commands.console import fail, load_settings, run_on_store

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours"}


def announce(
    text: Annotated[str, typer.Argument(help="What to say, such as: I'm being updated and will be back soon.")],
    wait: Annotated[str | None, typer.Option("--in", help="In what time it happens, such as 90s, 10m or 2h.")] = None,
) -> None:
    """Have the running bot warn every channel with an open table; the message goes five minutes after the time."""
    from bot.features.host_news import MAX_TEXT, announce as leave_announcement

    if not text.strip() or len(text) > MAX_TEXT:
        fail(f"The text must have 1 to {MAX_TEXT} characters.")
    span = None if wait is None else _parse_span(wait)
    settings = load_settings()
    run_on_store(settings, lambda db: leave_announcement(db, text.strip(), datetime.now(UTC), span))
    typer.echo("The running bot will tell every channel with an open table within seconds.")


def _parse_span(text: str) -> timedelta:
    match = re.fullmatch(r"(\d{1,4})([smh])", text.strip())
    if match is None:
        fail("The time must look like 90s, 10m or 2h.")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})
