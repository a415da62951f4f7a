"""`health`: asks the health endpoint of the bot on this machine."""

import http.client
import json
from typing import Annotated, Final

import typer

from bot.commands.console import fail, load_settings

TIMEOUT_SECONDS: Final = 5.0
_WILDCARD_ADDRESSES: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - nothing listens here
_HTTP_OK: Final = 200

HealthPort = Annotated[
    int | None,
    typer.Option(min=1, max=65535, help="The port of the health endpoint if HEALTH_PORT is not set."),
]


def health(
    health_port: HealthPort = None,
    live: Annotated[
        bool, typer.Option("--live", help="Only ask whether the process responds, not whether it is ready.")
    ] = False,
) -> None:
    """Ask the bot's health endpoint; exits with status 1 unless the bot is ready."""
    settings = load_settings()
    number = settings.health_port or health_port
    if number is None:
        fail("There is no health endpoint: set HEALTH_PORT and restart the bot.")
    address = _WILDCARD_ADDRESSES.get(settings.health_address, settings.health_address)
    try:
        status, parts = _query_endpoint(address, number, "live" if live else "ready")
    except (OSError, http.client.HTTPException, ValueError) as fault:
        fail(f"The bot does not answer on port {number} of {address}: {fault}.")
    text = ", ".join(f"{part}: {state}" for part, state in parts.items()) or "live"
    typer.echo(text, err=status != _HTTP_OK)
    if status != _HTTP_OK:
        raise typer.Exit(1)


def _query_endpoint(address: str, port: int, path: str) -> tuple[int, dict[str, str]]:
    """Return the HTTP status and the state of each part."""
    connection = http.client.HTTPConnection(address, port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request("GET", f"/{path}")
        response = connection.getresponse()
        parts = json.loads(response.read())
        if not isinstance(parts, dict) or path not in parts:
            raise ValueError("the response is not from a bot")
        return response.status, {part: state for part, state in parts.items() if part != path}
    finally:
        connection.close()
