"""Functions shared by commands. Most imports are local, so that each command starts quickly."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

import typer

if TYPE_CHECKING:
    from bot.platform.database.database import Database
    from bot.platform.database.errors import StoreUnavailable
    from bot.platform.discord.run import ConnectionSettings
    from bot.platform.observability.metrics import Metrics
    from bot.settings import Settings
    from bot.tables.registry import AnyPackage, GameRegistry

T = TypeVar("T")

REFUSED_STATUS: Final = 78
"""The exit status if Discord refuses the bot until its host changes something; restarting would not help."""


def fail(*sentences: str, status: int = 1) -> NoReturn:
    """Print sentences to stderr and exit with a status."""
    for sentence in sentences:
        typer.echo(sentence, err=True)
    raise typer.Exit(status)


def describe_count(count: int, noun: str) -> str:
    """Return a number and a noun, which gets an s unless the number is 1."""
    return f"{count} {noun}{'s' * (count != 1)}"


def load_settings(*, warns: bool = True, token: str | None = None) -> "Settings":
    """Load the settings, with another token if one is given, and warn of doubtful ones, or fail with their problems."""
    from pydantic import SecretStr, ValidationError

    from bot.env_file import UnusableEnvFile
    from bot.settings import Settings, describe_problems, find_doubts

    try:
        settings = Settings() if token is None else Settings(discord_token=SecretStr(token))
    except ValidationError as error:
        fail(*describe_problems(error))
    except UnusableEnvFile as unusable:
        fail(*unusable.sentences)
    if warns:
        for sentence in find_doubts(settings):
            typer.echo(f"Warning: {sentence}", err=True)
    return settings


TOKEN_STEPS: Final = (
    "1. Create an application at https://discord.com/developers/applications.",
    "2. On its Bot page press Reset Token, and copy the token.",
)
"""Where to get a token."""

_WITHOUT_TOKEN: Final = (
    "DISCORD_TOKEN is missing: Parlour needs the token of a bot of yours.",
    *TOKEN_STEPS,
    "3. Type `make setup` (or `python -m bot setup`): it asks for the token, tests it and writes it into .env.",
    "Or try Parlour without Discord and without a token: `make demo`.",
)


def require_token(settings: "Settings", *doubts: str) -> None:
    """Fail without a token, with an explanation and with doubts about the settings."""
    if settings.discord_token is None:
        fail(*doubts, *_WITHOUT_TOKEN)


def make_connection(settings: "Settings") -> "ConnectionSettings":
    """Return the settings with which a client reaches Discord."""
    from bot.platform.discord.run import ConnectionSettings

    token, proxy = settings.discord_token, settings.discord_proxy
    return ConnectionSettings(
        "" if token is None else token.get_secret_value(),
        settings.discord_api_url,
        None if proxy is None else proxy.get_secret_value(),
    )


@asynccontextmanager
async def open_store(settings: "Settings") -> AsyncIterator["Database"]:
    """Yield the configured database, and close it, because its threads would keep the process running."""
    from bot.platform.database.database import open_database

    # The command itself reports an outage.
    logging.getLogger(OUTAGE_LOGGER).setLevel(logging.CRITICAL)
    db = open_database(settings.database_url.get_secret_value())
    try:
        yield db
    finally:
        await db.close()


def run_on_store(settings: "Settings", work: Callable[["Database"], Awaitable[T]], *, is_new: bool = False) -> T:
    """Run a function with the configured database, or fail if the database can't be used.

    Args:
        settings: The settings.
        work: The function.
        is_new: Whether the function may create the database. Otherwise, a wrong path or schema is refused.
    """
    from bot.app.databases import check_schema
    from bot.platform.database.errors import StoreUnavailable

    async def run() -> T:
        async with open_store(settings) as db:
            if not is_new:
                await db.read(check_schema)
            return await work(db)

    try:
        return asyncio.run(run())
    except StoreUnavailable as fault:
        fail_database_unavailable(fault)


def fail_database_unavailable(fault: "StoreUnavailable") -> NoReturn:
    """Fail because the database is unavailable."""
    fail(describe_unavailable(fault))


def describe_unavailable(fault: "StoreUnavailable") -> str:
    """Explain why the database is unavailable, and how to fix that."""
    advice = fault.advice or "Check that its file and folder are writable, or that its server runs and accepts the bot."
    return f"The database named by DATABASE_URL can't be used: {fault}. {advice}"


def load_whole_games() -> "GameRegistry":
    """Load the games, or fail with their problems."""
    from bot.platform.content import BrokenContent
    from bot.tables.registry import BrokenGame, load_games

    try:
        return load_games()
    except BrokenContent as broken:
        fail(*broken.faults)
    except BrokenGame as broken_game:
        fail(f"{broken_game}.")


def find_game(games: "GameRegistry", key: str) -> "AnyPackage":
    """Return the game with a key, or fail with a list of the games."""
    if key not in games:
        fail(f"There is no game called {key}. The games are: {', '.join(games)}.")
    return games[key]


def require_tables(package: "AnyPackage") -> None:
    """Fail if a game's stored arrays can't be used, because its computer players would play differently."""
    if package.mind.stored and (broken := package.mind.stored.inspect()):
        fail(f"{broken} `train {package.game.info.key}` writes it again.")


NOISY_LOGGERS = {
    "discord": logging.WARNING,
    "aiosqlite": logging.WARNING,
    "alembic": logging.WARNING,
    # It warns of each connection that an outage breaks; the database counts these failures itself.
    "psycopg": logging.ERROR,
}
"""Libraries, and the level from which they log."""
MESSAGE_LOGGERS = ("discord.http", "discord.gateway", "discord.webhook")
"""Loggers that log messages with private content at DEBUG."""


OUTAGE_LOGGER = "bot.platform.database.errors"


def set_up_logging(settings: "Settings", metrics: "Metrics") -> None:
    """Log to stderr, and count errors; unless the level is DEBUG, libraries log only warnings and errors."""
    from bot.platform.observability.logs import ErrorHandler, JsonFormatter, OutputHandler, Redactor, TextFormatter
    from bot.settings import LogFormat

    redact = Redactor(settings.secrets)
    handler = OutputHandler()
    handler.setFormatter(JsonFormatter(redact) if settings.log_format is LogFormat.JSON else TextFormatter(redact))
    logging.basicConfig(level=settings.log_level.value, handlers=[handler, ErrorHandler(metrics.count_error)])
    is_debugging = logging.getLogger().isEnabledFor(logging.DEBUG)
    for library, level in (dict.fromkeys(MESSAGE_LOGGERS, logging.INFO) if is_debugging else NOISY_LOGGERS).items():
        logging.getLogger(library).setLevel(level)
