"""`simulate`: plays games with random moves or computer players."""

import json
import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.commands.console import fail, find_game, load_whole_games

if TYPE_CHECKING:
    from bot.rules.chance import Chance
    from bot.rules.game import Options
    from bot.tables.registry import AnyPackage, AnyStrategy


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a simulation."""

    game: str
    games: int
    moves: int
    moves_per_second: float
    moves_per_game: float
    wins: list[int]
    """Games won by each seat; a shared win counts for each winner."""
    level: str | None
    """The level of the computer players; None for random moves."""
    counts: dict[str, float]
    """The average tally of a game; empty for random moves."""


def simulate(
    game: Annotated[str, typer.Argument(help="The key of the game, such as magpie.")],
    *,
    seats: Annotated[int | None, typer.Option(help="The number of seats; by default the least.")] = None,
    games: Annotated[int, typer.Option(min=1, help="The number of games.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 1,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game, such as target=50.")
    ] = None,
    level: Annotated[str | None, typer.Option(help="The level of the computer players; none for random moves.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")] = False,
) -> None:
    """Play games with random moves or computer players, and print statistics."""
    from bot.tables.levels import levels_of

    packages = load_whole_games()
    package = find_game(packages, game)
    rules = package.game
    if level is not None and level not in (levels := levels_of(package)):
        fail(f"{rules.info.title} has no level called {level}. The levels are: {', '.join(levels)}.")
    taken = rules.info.least_seats if seats is None else seats
    if not rules.info.least_seats <= taken <= rules.info.most_seats:
        fail(f"{rules.info.title} takes {rules.info.least_seats} to {rules.info.most_seats} seats, not {taken}.")
    options = read_options(package, option or [])
    report = run_games(package, taken, _count_games(games), options=options, seed=seed, level=level)
    typer.echo(json.dumps(asdict(report)) if as_json else _format_report(report))


def read_options(package: "AnyPackage", texts: Sequence[str]) -> "Options":
    """Return options from texts such as `target=50`, or fail with the problem."""
    from bot.rules.options import set_option

    info = package.game.info
    options: Options = info.options()
    for text in texts:
        name, _, value = text.partition("=")
        if name not in info.options.model_fields:
            names = ", ".join(info.options.model_fields) or "none"
            fail(f"{info.title} has no option called {name}. Its options are: {names}.")
        for written in (value, json.dumps(value)):  # the second for strings, which are typed without quotes
            try:
                options = set_option(options, name, written)
                break
            except ValueError:
                continue
        else:
            fail(f"{info.title} can't be played with {text}.")
    return options


def run_games(
    package: "AnyPackage",
    seats: int,
    counter: Iterable[int],
    *,
    options: "Options | None" = None,
    seed: int,
    level: str | None,
) -> Report:
    """Play a game for each item of a counter, which may show the progress."""
    from bot.rules.chance import FastChance
    from bot.rules.playout import play_random_game
    from bot.tables.levels import levels_of

    rules = package.game
    chance = FastChance(random.Random(seed))  # noqa: S311 - a simulation must be repeatable, not secret
    options = options or rules.info.options()
    thoughts = FastChance(random.Random(f"players {seed}"))  # noqa: S311 - as above
    games, moves, wins, counts = 0, 0, Counter[int](), Counter[str]()
    started = time.perf_counter()
    for _ in counter:
        if level is None:
            state, steps = play_random_game(rules, options, seats, chance)
        else:
            state, steps, counted = _play_with_strategy(
                package, levels_of(package)[level], options, seats, chance=chance, thoughts=thoughts
            )
            counts += counted
        games += 1
        moves += steps
        outcome = rules.outcome(state)
        wins.update(outcome.winners if outcome else ())
    seconds = time.perf_counter() - started
    return Report(
        game=rules.info.key,
        games=games,
        moves=moves,
        moves_per_second=round(moves / seconds, 1),
        moves_per_game=round(moves / games, 2),
        wins=[wins[seat] for seat in range(seats)],
        level=level,
        counts={name: round(counts[name] / games, 4) for name in sorted(counts)},
    )


def play_scores(package: "AnyPackage", level: str, games: int, seed: int) -> list[int]:
    """Return the scores of a solo game, played by a computer player with the default options."""
    from bot.rules.chance import FastChance
    from bot.tables.levels import levels_of

    player, options = levels_of(package)[level], package.game.info.options()
    chance = FastChance(random.Random(seed))  # noqa: S311 - as above
    thoughts = FastChance(random.Random(f"players {seed}"))  # noqa: S311 - as above
    scores: list[int] = []
    for _ in range(games):
        state, _steps, _counted = _play_with_strategy(package, player, options, 1, chance=chance, thoughts=thoughts)
        outcome = package.game.outcome(state)
        scores += outcome.scores if outcome else ()
    return scores


def _play_with_strategy(
    package: "AnyPackage",
    player: "AnyStrategy",
    options: "Options",
    seats: int,
    *,
    chance: "Chance",
    thoughts: "Chance",
) -> tuple[Any, int, Counter[str]]:
    """Play one game with computer players; return its last state, the number of moves, and the tally."""
    rules, counts, steps = package.game, Counter[str](), 0
    state = rules.start(options, seats, chance)
    while (seat := rules.seat_to_move(state)) is not None:
        move = player(rules.view(state, seat), rules.legal_moves(state), thoughts)
        state, events = rules.play(state, seat, move, chance)
        counts.update(package.tally(state, events))
        steps += 1
    return state, steps, counts


def _count_games(games: int) -> Iterable[int]:
    """Count games, with a progress bar if stderr is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(range(games), "Playing", console=console, transient=True, disable=not console.is_terminal)


def _format_report(report: Report) -> str:
    wins = ", ".join(f"seat {seat} {won}" for seat, won in enumerate(report.wins, 1))
    counts = "".join(f"\n{name}: {count:.3f} a game" for name, count in report.counts.items())
    return (
        f"{report.games} games of {report.game}: {report.moves} moves, {report.moves_per_game} a game, "
        f"{report.moves_per_second:.0f} a second\nWins: {wins}{counts}"
    )
