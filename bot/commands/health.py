"""`health`: whether the bot that runs on this machine can serve, as its health endpoint says."""

import http.client
import json
from typing import Annotated, Final

import typer

from bot.commands.console import fail, health_port_of, load_settings

TIMEOUT_SECONDS: Final = 5.0
_WILDCARD_ADDRESSES: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - nothing listens here
_HTTP_OK: Final = 200

HealthPort = Annotated[
    int | None,
    typer.Option(min=1, max=65535, help="The port of the health endpoint where HEALTH_PORT names none."),
]


def health(
    health_port: HealthPort = None,
    live: Annotated[
        bool, typer.Option("--live", help="Only ask whether the process answers, not whether it can serve.")
    ] = False,
) -> None:
    """Ask the bot's health endpoint; ends with status 1 unless the bot is ready."""
    settings = load_settings()
    number = health_port_of(settings, health_port)
    if number is None:
        fail("There is no health endpoint: set HEALTH_PORT to the port it is to have, and start the bot anew.")
    address = _WILDCARD_ADDRESSES.get(settings.health_address, settings.health_address)
    try:
        status, parts = _query_endpoint(address, number, "live" if live else "ready")
    except (OSError, http.client.HTTPException, ValueError) as fault:
        fail(f"The bot does not answer on port {number} of {address}: {fault}.")
    said = ", ".join(f"{part}: {state}" for part, state in parts.items()) or "live"
    typer.echo(said, err=status != _HTTP_OK)
    if status != _HTTP_OK:
        raise typer.Exit(1)


def _query_endpoint(address: str, port: int, question: str) -> tuple[int, dict[str, str]]:
    """Return the status of the answer, and the state of each part it names."""
    connection = http.client.HTTPConnection(address, port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request("GET", f"/{question}")
        answer = connection.getresponse()
        parts = json.loads(answer.read())
        if not isinstance(parts, dict) or question not in parts:
            raise ValueError("something else listens there")
        return answer.status, {part: state for part, state in parts.items() if part != question}
    finally:
        connection.close()
