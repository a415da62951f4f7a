"""`database`: maintains the database."""

import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.console import fail, load_settings, run_on_store

if TYPE_CHECKING:
    from bot.platform.database.database import Database

app = typer.Typer(no_args_is_help=True)

RESTORE_SERVER = "make a new database, restore into it with pg_restore, and name it in DATABASE_URL (docs/hosting.md)"


@app.callback()
def database() -> None:
    """Maintain the database."""


@app.command()
def upgrade() -> None:
    """Upgrade the database to this version; `run` does the same at its start."""
    run_on_store(load_settings(), _upgrade, is_new=True)
    typer.echo("The database is up to date.")


@app.command("import")
def import_from(
    source: Annotated[
        str,
        typer.Argument(
            help="An SQLite file of Parlour, such as a backup, or postgresql://user@host/database with its password in "
            "~/.pgpass; it is not changed."
        ),
    ],
) -> None:
    """Copy another database into the new one that DATABASE_URL names; the bot may have started on that once."""
    settings = load_settings()
    from bot.app.databases import import_database
    from bot.platform.database.copy_database import CannotImport

    async def copy(db: "Database") -> int:
        await _upgrade(db)
        return await import_database(db, source)

    try:
        count = run_on_store(settings, copy, is_new=True)
    except CannotImport as fault:
        fail(f"Nothing was imported: {fault}.")
    typer.echo(f"Imported. Tables: {count}.")


@app.command()
def ratings() -> None:
    """Recalculate ratings and leaderboards from the results; no game can end while this runs."""
    count = run_on_store(load_settings(), _rebuild)
    typer.echo(f"Calculated. Finished tables: {count}.")


async def _upgrade(db: "Database") -> None:
    from bot.app.databases import migrate

    await migrate(db)


async def _rebuild(db: "Database") -> int:
    from bot.features.results.rebuild import rebuild

    await _upgrade(db)
    return await db.run_exclusively(rebuild)


@app.command()
def backup(file: Annotated[Path, typer.Argument(help="The new file; it must not exist.")]) -> None:
    """Copy the database to a new file, even while the bot runs."""
    settings = load_settings()
    from bot.platform.database.backup import NeedsPgDump, back_up
    from bot.platform.database.errors import StoreUnavailable

    try:
        back_up(settings.database_url.get_secret_value(), file)
    except NeedsPgDump as needed:
        fail(
            f"PostgreSQL makes its own backups, even while the bot runs: {shlex.join(needed.command)} "
            "(it asks for the password, or reads it from ~/.pgpass)."
        )
    except FileExistsError:
        fail(f"{file} exists, and backups never overwrite files: name another file.")
    except FileNotFoundError:
        fail(f"{file} can't be created, because its folder does not exist: create that first, or name another file.")
    except OSError as fault:
        fail(f"{file} can't be created: {fault.strerror}.")
    except StoreUnavailable as fault:
        fail(f"No backup was made: {fault}. {fault.advice}".rstrip())
    typer.echo(f"The backup is in {file.absolute()}.")


@app.command()
def restore(file: Annotated[Path, typer.Argument(help="The backup; it is not changed.")]) -> None:
    """Put a copy of a backup in the place of the SQLite database, while the bot is stopped."""
    settings = load_settings()
    from bot.platform.database.backup import CannotRestore, NeedsPgRestore, restore as put_in_place

    try:
        kept = put_in_place(settings.database_url.get_secret_value(), file, datetime.now(UTC))
    except NeedsPgRestore:
        fail(f"PostgreSQL restores its own backups: {RESTORE_SERVER}.")
    except CannotRestore as fault:
        fail(f"Nothing was restored: {fault}.")
    typer.echo("Restored.")
    if kept is not None:
        typer.echo(
            f"The old database is kept in {kept}. To go back, stop the bot and type: python -m bot database restore "
            f"{shlex.quote(str(kept))}. Delete the file when you no longer need it."
        )
