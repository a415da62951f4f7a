"""`database`: looking after what is kept."""

import asyncio

import typer

from bot.commands.console import load_settings, no_database, open_store
from bot.settings import Settings
from bot.tables.ports import StoreUnavailable

app = typer.Typer(no_args_is_help=True)


@app.callback()
def database() -> None:
    """Look after the database."""


@app.command()
def upgrade() -> None:
    """Bring the database to the form this version needs; `run` does so by itself."""
    settings = load_settings()
    try:
        asyncio.run(_upgrade(settings))
    except StoreUnavailable as fault:
        no_database(fault)
    typer.echo("The database is up to date.")


async def _upgrade(settings: Settings) -> None:
    store = open_store(settings)
    try:
        await store.upgrade()
    finally:
        await store.close()
