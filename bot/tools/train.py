"""`train`: calculates what the computer players of a game look up."""

from typing import Annotated

import typer

from bot.commands.console import fail, find_game, load_whole_games


def train(game: Annotated[str, typer.Argument(help="The key of the game, such as fortune.")]) -> None:
    """Calculate what the computer players of a game look up, and write it into its content folder.

    The same rules give the same file. It takes minutes.
    """
    from rich.console import Console
    from rich.progress import Progress

    from bot.platform.content import DATA, NpzTables

    package = find_game(load_whole_games(), game)
    if package.trainer is None:
        fail(f"The computer players of {package.game.info.title} look nothing up.")
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Calculating", total=1.0)
        arrays = package.trainer.train(lambda share: progress.update(task, completed=share))
    file = DATA / game / f"{package.trainer.field}.npz"
    NpzTables(file).save(arrays)
    typer.echo(f"Wrote {file.name}: {file.stat().st_size} bytes.")
