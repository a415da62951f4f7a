"""One part of the bench in a process of its own: `python -m tests.bench.measure PART`.

It prints an empty line once everything is set up, and for every line that it then reads the figures of one round, as
JSON. Without PART it lists all parts. Newer versions start it of older ones, so this and the names of rows stay.
"""

import asyncio
import json
import sys
from dataclasses import asdict

import typer

from tests.bench.click_costs import compare_clicks, compare_clicks_with_pictures
from tests.bench.click_flood import compare_flood
from tests.bench.game_reviews import measure_reviews
from tests.bench.languages import compare_languages, measure_catalogues
from tests.bench.many_results import measure_many_results
from tests.bench.many_servers import measure_many_servers, measure_servers
from tests.bench.move_rate import measure_moves
from tests.bench.picture_costs import measure_art, measure_pictures, measure_rolls
from tests.bench.process_load import compare_processes, measure_rolls_at_tables
from tests.bench.random_play import measure_random_play
from tests.bench.rows import Part

PARTS: dict[str, Part] = {
    "clicks": compare_clicks,
    "clicks-with-pictures": compare_clicks_with_pictures,
    "languages": compare_languages,
    "flood": compare_flood,
    "moves": measure_moves,
    "servers": measure_servers,
    "random-play": measure_random_play,
    "pictures": measure_pictures,
    "rolls": measure_rolls,
    "rolls-at-tables": measure_rolls_at_tables,
    "art": measure_art,
    "reviews": measure_reviews,
    "catalogues": measure_catalogues,
}
SLOW_PARTS: dict[str, Part] = {
    "many-servers": measure_many_servers,
    "many-results": measure_many_results,
    "processes": compare_processes,
}
"""These run only if they are named."""


async def main(part: Part) -> None:
    """Measure a round for every line of the input."""
    async with part() as measure:
        typer.echo()
        while await asyncio.to_thread(sys.stdin.readline):
            typer.echo(json.dumps(asdict(await measure())))


if __name__ == "__main__":
    every_part = PARTS | SLOW_PARTS
    if sys.argv[1:]:
        asyncio.run(main(every_part[sys.argv[1]]))
    else:
        typer.echo("\n".join(every_part))
