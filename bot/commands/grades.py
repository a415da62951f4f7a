"""`python -m bot.commands.grades`: plays a solo game with its computer players, and writes the scores' percentiles.

Every block of a hundred games has the chance that `simulate --seed` has with the block's number, so the file is
the same each time, whatever the number of processes.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from bot.commands.console import load_whole_games
from bot.commands.simulate import play_scores
from bot.content import DATA
from bot.rules.grades import Grades, Scale, make_scale
from bot.tables.levels import levels_of

BLOCK = 100
"""Games in a block."""

_COMMENT = """\
# How good a score is, compared with the games of each level, weakest first:
# the lowest score that is better than 1 % of the games, than 2 %, and so on.
# Written by `python -m bot.commands.grades {key} --games {games}`.
"""


def play_block(key: str, level: str, number: int) -> list[int]:
    """Return the scores of a block of games with the default options."""
    return play_scores(load_whole_games()[key], level, BLOCK, number)


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


def main() -> None:
    """Read the command line, play and write the file."""
    parser = ArgumentParser(prog="python -m bot.commands.grades", description="Write how good a solo score is.")
    parser.add_argument("game", help="the key of the game, such as magic_bag")
    parser.add_argument("--games", type=int, default=100_000, help="for each level; rounded down to hundreds")
    parser.add_argument("--processes", type=int, default=None, help="by default one for each processor")
    chosen = parser.parse_args()
    blocks = range(1, chosen.games // BLOCK + 1)
    with ProcessPoolExecutor(chosen.processes) as pool:
        scores = {
            level: [score for block in pool.map(partial(play_block, chosen.game, level), blocks) for score in block]
            for level in levels_of(load_whole_games()[chosen.game])
        }
    (DATA / chosen.game / "grades.toml").write_text(make_grades(chosen.game, scores), encoding="utf-8")


if __name__ == "__main__":
    main()
