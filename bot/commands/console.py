"""How commands speak to whoever runs them."""

import logging
from typing import NoReturn

import typer
from pydantic import ValidationError

from bot.settings import LogLevel, Settings, problems


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
