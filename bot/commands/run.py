"""`run`: runs the bot."""

import asyncio
import logging
import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.console import (
    REFUSED_STATUS,
    fail,
    fail_database_unavailable,
    load_settings,
    load_whole_games,
    make_connection,
    require_token,
    set_up_logging,
)
from bot.commands.health import HealthPort

if TYPE_CHECKING:
    from bot.app.bootstrap import Bot
    from bot.platform.database.database import Database
    from bot.platform.discord.run import ConnectionSettings
    from bot.platform.jobs.shard_leases import ShardLease
    from bot.platform.observability.health import HealthServer
    from bot.platform.observability.metrics import Metrics
    from bot.settings import Settings
    from bot.tables.registry import GameRegistry

log = logging.getLogger(__name__)


def run(
    leashed: Annotated[
        bool,
        typer.Option("--leashed", help="Stop when standard input closes, as it does when the parent process ends."),
    ] = False,
    health_port: HealthPort = None,
) -> None:
    """Run the bot; needs DISCORD_TOKEN."""
    from bot.settings import find_doubts

    settings = load_settings(warns=False)
    # The parent process that holds the leash has chosen the settings.
    doubts = () if leashed else find_doubts(settings)
    require_token(settings, *doubts)
    from bot.platform.database.errors import StoreUnavailable
    from bot.platform.observability.metrics import Metrics

    metrics = Metrics()
    set_up_logging(settings, metrics)
    for sentence in doubts:
        log.warning("%s", sentence)
    games = load_whole_games()
    for key, package in games.items():
        if package.mind.stored and (broken := package.mind.stored.inspect()):
            log.warning("computer players of %s only play Normal: %s", key, broken)
            games.note_broken(key, broken)
    from bot.platform.discord.run import CannotConnect, LeashBroken
    from bot.platform.observability.event_loop import make_event_loop

    port = settings.health_port or health_port
    try:
        stop_fd = sys.stdin.fileno() if leashed else None
        with asyncio.Runner(loop_factory=make_event_loop) as runner:
            runner.run(_serve(settings, games, make_connection(settings), metrics, port=port, stop_fd=stop_fd))
    except StoreUnavailable as fault:
        fail_database_unavailable(fault)
    except CannotConnect as fault:
        fail(str(fault), status=REFUSED_STATUS if fault.is_lasting else 1)
    except LeashBroken:
        fail("With --leashed, standard input must be a pipe: the bot stops when it closes.")


async def _serve(
    settings: "Settings",
    games: "GameRegistry",
    connection: "ConnectionSettings",
    metrics: "Metrics",
    *,
    port: int | None,
    stop_fd: int | None,
) -> None:
    from bot.app.bootstrap import build_bot, build_store
    from bot.platform.discord.run import stop_on_signal
    from bot.platform.observability.event_loop import measure_lag

    with stop_on_signal(stop_fd) as ended:
        db = build_store(settings, metrics)
        bot = build_bot(settings, games, db, metrics)
        monitoring = [asyncio.create_task(measure_lag(metrics.observe_loop_lag), name="event loop")]
        monitoring.append(asyncio.create_task(_end_when_outgrown(bot.db, ended), name="schema"))
        if bot.disk is not None:
            monitoring.append(asyncio.create_task(bot.disk.monitor(), name="disk"))
        try:
            if port is not None:
                await _start_health_server(bot.health, settings.health_address, port)
            is_upgraded = await _upgrade(bot, ended)
            if is_upgraded:
                await _serve_upgraded(settings, bot, connection, ended)
        finally:
            for task in monitoring:
                task.cancel()
            await bot.close()
        if not is_upgraded:
            # A thread may run the transaction for minutes and delay the exit. The database rolls the transaction back.
            os._exit(0)
    if bot.db.outgrown.is_set():
        fail(
            "A newer version of Parlour has upgraded the database, and this one can't use it any longer. "
            "Start the newer version instead."
        )


async def _upgrade(bot: "Bot", ended: asyncio.Event) -> bool:
    """Upgrade the database; return False if the end of the process interrupted the upgrade."""
    from bot.app.databases import migrate

    upgrading = asyncio.create_task(migrate(bot.db), name="upgrade")
    ending = asyncio.create_task(ended.wait(), name="ending")
    await asyncio.wait({upgrading, ending}, return_when=asyncio.FIRST_COMPLETED)
    ending.cancel()
    if not upgrading.done():
        log.info("the upgrade of the database was interrupted; the next start runs it again")
        upgrading.cancel()
        return False
    upgrading.result()
    return True


async def _serve_upgraded(
    settings: "Settings", bot: "Bot", connection: "ConnectionSettings", ended: asyncio.Event
) -> None:
    from bot.app.bootstrap import make_shard_lease
    from bot.platform.discord.run import serve

    await bot.backups.schedule(bot.db, datetime.now(UTC))
    lease = make_shard_lease(settings, bot.db)
    if lease is None:
        await serve(bot.client, connection, ended)
    else:
        bot.client.metrics.sources.lease_age = lease.seconds_since_renewal
        await _serve_leased(lease, bot, connection, ended)


async def _end_when_outgrown(db: "Database", ended: asyncio.Event) -> None:
    await db.outgrown.wait()
    ended.set()


async def _serve_leased(
    lease: "ShardLease", bot: "Bot", connection: "ConnectionSettings", ended: asyncio.Event
) -> None:
    """Serve shards once no other process does, until the process is stopped or loses its lease."""
    from bot.platform.discord.run import serve
    from bot.platform.jobs.shard_leases import LeaseLoss

    shards = await lease.acquire(ended)
    if shards is None:
        return
    bot.db.shards = shards
    bot.client.use_shards(shards)
    keeping = asyncio.create_task(lease.keep(shards, bot.client.connected), name="lease")
    keeping.add_done_callback(lambda _: ended.set())

    async def hand_over() -> None:
        keeping.cancel()
        bot.client.share_requests()
        await lease.hand_over(shards)

    await serve(bot.client, connection, ended, hand_over)
    if keeping.done() and not keeping.cancelled():
        if keeping.result() is LeaseLoss.TAKEN:
            fail(f"Another process serves shards {shards} now. Start this one again: it waits until some are free.")
        fail(
            f"The lease of shards {shards} could not be renewed for minutes, because the database can't be reached. "
            "Start this one again when it can be."
        )


async def _start_health_server(health: "HealthServer", address: str, port: int) -> None:
    try:
        await health.start(address, port)
    except OSError as fault:
        reason = fault.strerror or fault
        fail(f"The health endpoint can't use port {port} of {address}: {reason}. Set HEALTH_PORT to another.")
    log.info("the health endpoint listens on port %d of %s", port, address)
