"""How commands speak to whoever runs them."""

import logging
from typing import TYPE_CHECKING, NoReturn

import typer
from pydantic import ValidationError

from bot.content import BrokenContent
from bot.settings import LogLevel, Settings, problems
from bot.tables.ports import StoreUnavailable
from bot.tables.registry import Registry, load_games

if TYPE_CHECKING:
    from bot.store.store import SqlStore


UNREADABLE_ENV = "The file .env can't be read: save it as plain text in UTF-8."


def fail(*sentences: str) -> NoReturn:
    """Say what is wrong and end with status 1."""
    for sentence in sentences:
        typer.echo(sentence, err=True)
    raise typer.Exit(1)


def load_settings() -> Settings:
    """Read the settings, or say what is wrong with them and end."""
    try:
        return Settings()
    except ValidationError as error:
        fail(*problems(error))
    except UnicodeDecodeError:
        fail(UNREADABLE_ENV)


def open_store(settings: Settings) -> "SqlStore":
    """Make the store that the settings name, or say that it can't be used and end; nothing is reached yet."""
    from bot.store.store import SqlStore

    try:
        return SqlStore(settings.database_url.get_secret_value())
    except ValueError as fault:
        wrong_address(fault)


def wrong_address(fault: ValueError) -> NoReturn:
    """Say that the address of the database is none, and end."""
    fail(f"DATABASE_URL can't be used: {fault}.")


def no_database(fault: StoreUnavailable) -> NoReturn:
    """Say that the database is out of order and end."""
    fail(
        f"The database named by DATABASE_URL can't be used: {fault}. "
        "See that its file and folder may be written to, or that its server runs and lets the bot in."
    )


def load_whole_games() -> Registry:
    """Load the games, or say what is wrong with their content and end."""
    try:
        return load_games()
    except BrokenContent as broken:
        fail(*broken.faults)


def set_up_logging(level: LogLevel) -> None:
    """Log to the standard error stream; libraries only from warnings on unless everything is wanted."""
    logging.basicConfig(
        level=level.value,
        format="{asctime} {levelname:7} {name}: {message}",
        style="{",
        datefmt="%Y-%m-%d %H:%M:%S",
    )
    if level is not LogLevel.DEBUG:
        for library in ("discord", "aiosqlite", "alembic"):
            logging.getLogger(library).setLevel(logging.WARNING)
