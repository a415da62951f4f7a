"""`simulate`: games at random, as fast as the rules go."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from bot.commands.console import fail, load_whole_games
from bot.rules.chance import FastChance
from bot.rules.game import AnyGame
from bot.rules.playout import play_at_random


@dataclass(frozen=True, slots=True)
class Report:
    """What a simulation found."""

    game: str
    games: int
    moves: int
    moves_per_second: float
    moves_per_game: float
    wins: list[int]
    """Games won by each seat; shared wins count for everybody who shares."""


def simulate(
    game: Annotated[str, typer.Argument(help="The key of the game, such as magpie.")],
    seats: Annotated[int | None, typer.Option(help="How many play; the game's least unless given.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games to play.")] = 1000,
    seed: Annotated[int, typer.Option(help="Where chance starts: the same seed, the same games.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")] = False,
) -> None:
    """Play games at random and report how they went."""
    packages = load_whole_games()
    if game not in packages:
        fail(f"There is no game called {game}. The games are: {', '.join(packages)}.")
    rules = packages[game].game
    taken = rules.info.least_seats if seats is None else seats
    if not rules.info.least_seats <= taken <= rules.info.most_seats:
        fail(f"{rules.info.title} takes {rules.info.least_seats} to {rules.info.most_seats} seats, not {taken}.")
    report = _with_progress(games, lambda advance: run_games(rules, taken, games, seed, advance))
    typer.echo(json.dumps(asdict(report)) if as_json else _in_words(report))


def run_games(rules: AnyGame, seats: int, games: int, seed: int, advance: Callable[[], None]) -> Report:
    """Play the games one after another on one core."""
    chance = FastChance(random.Random(seed))  # noqa: S311 - a simulation is to be repeatable, not secret
    options = rules.info.options()
    moves, wins = 0, Counter[int]()
    started = time.perf_counter()
    for _ in range(games):
        state, steps = play_at_random(rules, options, seats, chance)
        moves += steps
        outcome = rules.outcome(state)
        wins.update(outcome.winners if outcome else ())
        advance()
    seconds = time.perf_counter() - started
    return Report(
        game=rules.info.key,
        games=games,
        moves=moves,
        moves_per_second=round(moves / seconds, 1),
        moves_per_game=round(moves / games, 2),
        wins=[wins[seat] for seat in range(seats)],
    )


_BEATS = 100
"""How often at most the bar moves: drawing it is not to slow the games down."""


def _with_progress(games: int, work: Callable[[Callable[[], None]], Report]) -> Report:
    """Show on the standard error stream how far the work has come, if anybody is looking."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    every = max(1, games // _BEATS)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("Playing", total=games)
        played = 0

        def advance() -> None:
            nonlocal played
            played += 1
            if played % every == 0:
                progress.update(bar, completed=played)

        return work(advance)


def _in_words(report: Report) -> str:
    wins = ", ".join(f"seat {seat} {won}" for seat, won in enumerate(report.wins, 1))
    return (
        f"{report.games} games of {report.game}: {report.moves} moves, {report.moves_per_game} a game, "
        f"{report.moves_per_second:.0f} a second\nWins: {wins}"
    )
