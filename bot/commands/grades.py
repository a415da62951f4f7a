"""`python -m bot.commands.grades`: plays a solo game with its best computer player, and writes the scores' percentiles.

Every block of a hundred games has the chance that `simulate --seed` has with the block's number, so the file is
the same each time, whatever the number of processes.
"""

from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from bot.content import DATA
from bot.rules.grades import Grades, grade_scores
from bot.tables.levels import strongest_level

BLOCK = 100
"""Games in a block."""

_COMMENT = """\
# How good a score is: the lowest score that is better than 1 % of the games, than 2 %, and so on.
# Written by `python -m bot.commands.grades {key} --games {games}`.
"""


def play_block(key: str, number: int) -> list[int]:
    """Return the scores of a block of games with the default options."""
    from bot.commands.console import load_whole_games
    from bot.commands.simulate import play_scores

    return play_scores(load_whole_games()[key], BLOCK, number)


def format_toml(key: str, grades: Grades) -> str:
    """Return the content of the file."""
    head = _COMMENT.format(key=key, games=grades.games)
    lines = (grades.better_than[first : first + 11] for first in range(0, len(grades.better_than), 11))
    scores = "".join(f"    {', '.join(map(str, line))},\n" for line in lines)
    facts = f'level = "{grades.level}"\ngames = {grades.games}\nversion = {grades.version}\n'
    return f"{head}{facts}better_than = [\n{scores}]\n"


def make_grades(key: str, scores: list[int]) -> str:
    """Return the file for the scores of a game."""
    from bot.commands.console import load_whole_games

    package = load_whole_games()[key]
    return format_toml(key, grade_scores(scores, strongest_level(package), package.game.info.version))


def main() -> None:
    """Read the command line, play and write the file."""
    parser = ArgumentParser(prog="python -m bot.commands.grades", description="Write how good a solo score is.")
    parser.add_argument("game", help="the key of the game, such as magic_bag")
    parser.add_argument("--games", type=int, default=100_000, help="rounded down to hundreds")
    parser.add_argument("--processes", type=int, default=None, help="by default one for each processor")
    chosen = parser.parse_args()
    blocks = range(1, chosen.games // BLOCK + 1)
    with ProcessPoolExecutor(chosen.processes) as pool:
        scores = [score for block in pool.map(partial(play_block, chosen.game), blocks) for score in block]
    (DATA / chosen.game / "grades.toml").write_text(make_grades(chosen.game, scores), encoding="utf-8")


if __name__ == "__main__":
    main()
