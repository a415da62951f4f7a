"""`database`: looking after what is kept."""

import asyncio
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.console import fail, fail_database_unavailable, fail_invalid_database_url, load_settings, open_store

if TYPE_CHECKING:
    from bot.settings import Settings

app = typer.Typer(no_args_is_help=True)


@app.callback()
def database() -> None:
    """Look after the database."""


@app.command()
def upgrade() -> None:
    """Bring the database to the form this version needs; `run` does so by itself."""
    from bot.tables.ports import StoreUnavailable

    settings = load_settings()
    try:
        asyncio.run(_upgrade(settings))
    except StoreUnavailable as fault:
        fail_database_unavailable(fault)
    typer.echo("The database is up to date.")


async def _upgrade(settings: "Settings") -> None:
    store = open_store(settings)
    try:
        await store.upgrade()
    finally:
        await store.close()


@app.command("import")
def import_file(
    file: Annotated[Path, typer.Argument(help="An SQLite file of Parlour's, such as a backup; it stays as it is.")],
) -> None:
    """Copy the tables of an SQLite file into the database, which must have none yet."""
    settings = load_settings()
    from bot.store.import_file import CannotImport
    from bot.tables.ports import StoreUnavailable

    try:
        count = asyncio.run(_import(settings, file))
    except CannotImport as fault:
        fail(f"Nothing was imported: {fault}.")
    except StoreUnavailable as fault:
        fail_database_unavailable(fault)
    typer.echo(f"Imported. Tables: {count}.")


async def _import(settings: "Settings", file: Path) -> int:
    store = open_store(settings)
    try:
        await store.upgrade()
        return await store.import_sqlite_file(file)
    finally:
        await store.close()


@app.command()
def backup(file: Annotated[Path, typer.Argument(help="The file to make; it must not exist yet.")]) -> None:
    """Copy the database into a new file; the bot may run meanwhile."""
    settings = load_settings()
    from bot.store.backup import NeedsPgDump, back_up
    from bot.tables.ports import StoreUnavailable

    try:
        back_up(settings.database_url.get_secret_value(), file)
    except NeedsPgDump as needed:
        fail(
            f"PostgreSQL makes its own backups, and the bot may run meanwhile: {shlex.join(needed.command)} "
            "(it asks for the password, or reads it from ~/.pgpass)."
        )
    except FileExistsError:
        fail(f"{file} exists already, and a backup is never written over anything: name another file.")
    except FileNotFoundError:
        fail(f"{file} can't be made, because its folder does not exist: make that first, or name another file.")
    except OSError as fault:
        fail(f"{file} can't be made: {fault.strerror}.")
    except StoreUnavailable as fault:
        fail(f"No backup was made: {fault}.")
    except ValueError as fault:
        fail_invalid_database_url(fault)
    typer.echo(f"The backup is in {file.absolute()}.")
