"""`run`: the bot itself."""

import asyncio
import logging
import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.console import (
    database_folder,
    fail,
    fail_database_unavailable,
    health_port_of,
    load_settings,
    load_whole_games,
    open_metered_store,
    picture_folder,
    set_up_logging,
)
from bot.commands.health import HealthPort

if TYPE_CHECKING:
    from bot.observability.health import HealthServer
    from bot.observability.metrics import Metrics
    from bot.settings import Settings
    from bot.tables.actions.idle import IdleLimits
    from bot.tables.registry import GameRegistry
    from bot.ui.client.runner import ConnectionSettings

log = logging.getLogger(__name__)


def run(
    leashed: Annotated[
        bool,
        typer.Option("--leashed", help="End when the standard input closes, as it does with the program behind it."),
    ] = False,
    health_port: HealthPort = None,
) -> None:
    """Run the bot; needs DISCORD_TOKEN."""
    settings = load_settings()
    if settings.discord_token is None:
        fail(
            "DISCORD_TOKEN is missing: put your bot's token into .env (copy .env.example), "
            "or type `make demo`, which needs none."
        )
    from bot.observability.metrics import Metrics
    from bot.tables.ports import StoreUnavailable

    metrics = Metrics()
    set_up_logging(settings, metrics)
    games = load_whole_games()
    from bot.ui.client.runner import CannotConnect, ConnectionSettings

    connection = ConnectionSettings(
        settings.discord_token.get_secret_value(), settings.discord_api_url, settings.dev_guild_id
    )
    port = health_port_of(settings, health_port)
    try:
        leash = sys.stdin.fileno() if leashed else None
        asyncio.run(_serve(settings, games, connection, metrics, port=port, leash=leash))
    except StoreUnavailable as fault:
        fail_database_unavailable(fault)
    except CannotConnect as fault:
        fail(str(fault))


async def _serve(
    settings: "Settings",
    games: "GameRegistry",
    connection: "ConnectionSettings",
    metrics: "Metrics",
    *,
    port: int | None,
    leash: int | None,
) -> None:
    from bot.content import DATA
    from bot.observability.disk import DiskSpace
    from bot.observability.health import HealthServer
    from bot.pictures.service import PictureService
    from bot.ui.client.runner import serve

    store = open_metered_store(settings, metrics)
    folder = database_folder(settings)
    disk = DiskSpace(folder) if folder is not None else None
    watching = asyncio.create_task(disk.monitor(), name="disk") if disk is not None else None
    health = HealthServer(metrics, store, disk)
    picture_service = PictureService(DATA, picture_folder(settings))
    try:
        if port is not None:
            await _start_health_server(health, settings.health_address, port)
        await store.upgrade()
        await serve(
            store,
            games,
            connection,
            pause=settings.computer_pause,
            reminds=settings.reminders,
            cache_bytes=settings.table_cache_mib * 1024 * 1024,
            most_open=settings.open_tables,
            silence_limits=_limits_of(settings),
            stop_fd=leash,
            metrics=metrics,
            painter=picture_service,
        )
    finally:
        if watching is not None:
            watching.cancel()
        picture_service.close()
        await health.stop()
        await store.close()


def _limits_of(settings: "Settings") -> "IdleLimits":
    from bot.tables.actions.idle import IdleLimits

    hours, days = settings.set_aside_after_hours, settings.abandoned_after_days
    return IdleLimits(
        put_aside_after=None if hours is None else timedelta(hours=hours),
        abandon_after=None if days is None else timedelta(days=days),
    )


async def _start_health_server(health: "HealthServer", address: str, port: int) -> None:
    try:
        await health.start(address, port)
    except OSError as fault:
        reason = fault.strerror or fault
        fail(f"The health endpoint can't use port {port} of {address}: {reason}. Set HEALTH_PORT to another.")
    log.info("the health endpoint listens on port %d of %s", port, address)
