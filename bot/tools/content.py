"""`train` and `puzzles`: calculate files of a game's content folder."""

from typing import Annotated

import typer

from bot.commands.console import fail, find_game, load_whole_games, require_tables
from bot.tools.modules_of_games import find_module


def train(game: Annotated[str, typer.Argument(help="The key of the game, such as fortune.")]) -> None:
    """Calculate what the computer players of a game look up, and write it into its content folder.

    The same rules give the same file. It takes minutes.
    """
    from rich.console import Console
    from rich.progress import Progress

    from bot.platform.content import DATA, NpzTables

    package = find_game(load_whole_games(), game)
    training = find_module("training", game)
    if package.mind.stored is None or training is None:
        fail(f"The computer players of {package.game.info.title} look nothing up.")
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Calculating", total=1.0)
        arrays = training.train(package.game, lambda share: progress.update(task, completed=share))
    file = DATA / game / f"{package.mind.stored.field}.npz"
    NpzTables(file).save(arrays)
    typer.echo(f"Wrote {file.name}: {file.stat().st_size} bytes.")


def puzzles(
    game: Annotated[str, typer.Argument(help="The key of the game, such as magpie.")],
    *,
    count: Annotated[int, typer.Option(min=1, help="The number of puzzles; the daily ones need 365.")] = 365,
    seed: Annotated[int, typer.Option(help="The same seed gives the same puzzles.")] = 1,
) -> None:
    """Find puzzles in games between computer players, and write them into the game's content folder.

    The same rules, values and seed give the same file. It takes minutes.
    """
    from rich.console import Console
    from rich.progress import Progress

    from bot.platform.content import DATA, PuzzleFiles
    from bot.rules.puzzle import Difficulty, PuzzleBook
    from bot.tools.puzzle_search import PuzzleSearch, PuzzlesNotFound, count_by_difficulty

    package = find_game(load_whole_games(), game)
    if package.study.puzzles is None:
        fail(f"{package.game.info.title} has no puzzles.")
    require_tables(package)
    book: PuzzleBook | None = None
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Searching", total=count)
        try:
            for found in PuzzleSearch(package, package.study.puzzles, seed).find(count):
                progress.advance(task)
                book = found if isinstance(found, PuzzleBook) else None
        except PuzzlesNotFound as missing:
            fail(f"{missing}.")
    if book is None:
        fail("No puzzles were found.")
    files = PuzzleFiles(DATA)
    files.save(game, book)
    counts = count_by_difficulty(book.puzzles)
    levels = ", ".join(f"{counts.get(each, 0)} {each.name.lower()}" for each in Difficulty)
    size = files.file_of(game).stat().st_size
    typer.echo(f"Wrote {files.file_of(game).name}: {len(book.puzzles)} puzzles ({levels}), {size} bytes.")
