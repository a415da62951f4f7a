"""`stats`: shows how much the bot is used."""

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.commands.console import load_settings, run_on_store

if TYPE_CHECKING:
    from bot.platform.database.database import Database


def stats(
    weeks: Annotated[int, typer.Option("--weeks", min=1, max=520, help="How many weeks are listed.")] = 8,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Count servers, tables, people and moves, in all and by week."""
    counted = run_on_store(load_settings(), lambda db: _count(db, weeks))
    typer.echo(json.dumps(counted) if as_json else _as_text(counted))


async def _count(db: "Database", weeks: int) -> dict[str, Any]:
    from bot.tables import usage as usage_storage
    from bot.tables.usage import count_weeks

    today = datetime.now(UTC).date()
    total = await db.read(usage_storage.count_all)
    listed = await count_weeks(db, today - timedelta(days=today.weekday() + 7 * (weeks - 1)))
    return {
        "servers": total.servers,
        "tables": total.tables,
        "open_tables": total.open_tables,
        "people": total.people,
        "weeks": [
            {
                "from": monday.isoformat(),
                "servers": len(week.servers),
                "tables": week.tables,
                "people": len(week.people),
                "moves": week.moves,
            }
            for monday, week in listed.items()
        ],
    }


def _as_text(counted: dict[str, Any]) -> str:
    names = ("servers", "tables", "people", "moves")
    totals = "Servers: {servers}. Tables: {tables}, open: {open_tables}. People: {people}."
    lines = [
        totals.format(**counted),
        "Week from  " + "".join(f"{name:>9}" for name in names),
        *(each["from"] + " " + "".join(f"{each[name]:>9}" for name in names) for each in counted["weeks"]),
    ]
    return "\n".join(lines)
