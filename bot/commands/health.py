"""`health`: whether the bot that runs on this machine can serve, as its health endpoint says."""

import http.client
import json
from typing import Annotated, Final

import typer

from bot.commands.console import fail, health_port_of, load_settings

PATIENCE_SECONDS: Final = 5.0
_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - nothing listens here
_READY: Final = 200

HealthPort = Annotated[
    int | None,
    typer.Option(min=1, max=65535, help="The port of the health endpoint where HEALTH_PORT names none."),
]


def health(health_port: HealthPort = None) -> None:
    """Ask the bot's health endpoint; ends with status 1 unless the bot is ready."""
    settings = load_settings()
    number = health_port_of(settings, health_port)
    if number is None:
        fail("There is no health endpoint: set HEALTH_PORT to the port it is to have, and start the bot anew.")
    address = _EVERYWHERE.get(settings.health_address, settings.health_address)
    try:
        status, said = _asked(address, number)
    except (OSError, http.client.HTTPException, ValueError) as fault:
        fail(f"The bot does not answer on port {number} of {address}: {fault}.")
    typer.echo(said, err=status != _READY)
    if status != _READY:
        raise typer.Exit(1)


def _asked(address: str, port: int) -> tuple[int, str]:
    connection = http.client.HTTPConnection(address, port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", "/ready")
        answer = connection.getresponse()
        parts = json.loads(answer.read())
        if not isinstance(parts, dict) or "ready" not in parts:
            raise ValueError("something else listens there")
        return answer.status, ", ".join(f"{part}: {state}" for part, state in parts.items() if part != "ready")
    finally:
        connection.close()
