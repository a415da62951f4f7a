"""`database`: looking after what is kept."""

import asyncio

import typer

from bot.commands.console import fail, load_settings

app = typer.Typer(no_args_is_help=True)


@app.callback()
def database() -> None:
    """Look after the database."""


@app.command()
def upgrade() -> None:
    """Bring the database to the form this version needs; `run` does so by itself."""
    settings = load_settings()
    from bot.tables.ports import StoreUnavailable

    try:
        asyncio.run(_upgrade(settings.database_url))
    except StoreUnavailable as fault:
        fail(f"The database can't be used: {fault}")
    typer.echo("The database is up to date.")


async def _upgrade(database_url: str) -> None:
    from bot.store.store import SqlStore

    store = SqlStore(database_url)
    try:
        await store.upgrade()
    finally:
        await store.close()
