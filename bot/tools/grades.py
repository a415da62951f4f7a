"""`python -m bot.tools.grades`: plays a solo game with its computer players, and writes the scores' percentiles.

Every batch of a hundred games has the chance that `simulate --seed` has with the batch's number, so the file is
the same each time, whatever the number of processes.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Annotated

import typer

from bot.commands.console import fail, find_game, load_whole_games, require_tables
from bot.platform.content import DATA
from bot.rules.grades import Grades, Scale, make_scale
from bot.tables.registry import levels_of
from bot.tools.simulate import ComputerGames

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

BATCH = 100
"""Games in a batch."""

_COMMENT = """\
# How good a score is, compared with the games of each level, weakest first:
# the lowest score that is better than 1 % of the games, than 2 %, and so on.
# Written by `python -m bot.tools.grades {key} --games {games}`.
"""


def play_batch(key: str, level: str, number: int) -> list[int]:
    """Return the scores of a batch of games with the default options."""
    package = load_whole_games()[key]
    games = ComputerGames(package, [level], package.game.info.options(), number)
    return [score for _ in range(BATCH) if (outcome := games.play()) for score in outcome.scores]


def make_grades(key: str, scores: dict[str, list[int]]) -> str:
    """Return the file for the scores of each level."""
    games = min(map(len, scores.values()))
    version = load_whole_games()[key].game.info.version
    scales = {level: make_scale(played) for level, played in scores.items()}
    return format_toml(key, Grades(games=games, version=version, better_than=scales))


def format_toml(key: str, grades: Grades) -> str:
    """Return the content of the file."""
    head = _COMMENT.format(key=key, games=grades.games)
    scales = "".join(f"{level} = [\n{''.join(_lines(scale))}]\n" for level, scale in grades.better_than.items())
    return f"{head}games = {grades.games}\nversion = {grades.version}\n\n[better_than]\n{scales}"


def _lines(scale: Scale) -> Iterator[str]:
    for first in range(0, len(scale), 11):
        yield f"    {', '.join(map(str, scale[first : first + 11]))},\n"


@app.command()
def write_grades(
    game: Annotated[str, typer.Argument(help="The key of the game, such as magic_bag.")],
    *,
    games: Annotated[int, typer.Option(min=BATCH, help="For each level; rounded down to hundreds.")] = 100_000,
    processes: Annotated[int | None, typer.Option(min=1, help="By default one for each processor.")] = None,
) -> None:
    """Play a solo game and write how good a score is."""
    package = find_game(load_whole_games(), game)
    if not package.game.info.is_solo:
        fail(f"{package.game.info.title} is not a solo game, so it can't have grades.")
    require_tables(package)
    batches = range(1, games // BATCH + 1)
    with ProcessPoolExecutor(processes) as pool:
        scores = {
            level: [score for batch in pool.map(partial(play_batch, game, level), batches) for score in batch]
            for level in levels_of(package)
        }
    (DATA / game / "grades.toml").write_text(make_grades(game, scores), encoding="utf-8")


if __name__ == "__main__":
    app(prog_name="python -m bot.tools.grades")
