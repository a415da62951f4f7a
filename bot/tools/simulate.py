"""`simulate`: plays games with random moves or computer players."""

import json
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.commands.console import fail, find_game, load_whole_games, require_tables
from bot.tools.modules_of_games import find_module

if TYPE_CHECKING:
    from bot.rules.evaluation import Evaluation
    from bot.rules.game import Options, Outcome
    from bot.tables.registry import AnyPackage, AnyStrategy


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """How a computer player did."""

    level: str
    win_rate: float
    """The share of games won; a win shared by two counts half."""
    interval: tuple[float, float]
    """The 95 % confidence interval of the win rate."""
    score_mean: float
    decision_ms_p50: float
    """CPU time of choosing between several moves, in milliseconds."""
    decision_ms_p99: float
    losses: dict[str, float] | None = None
    """What a decision gave away on average, by unit; None unless that was asked for."""


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
    counts: dict[str, float]
    """The average tally of a game; empty for random moves."""
    seats: list[PlayerReport] = field(default_factory=list)
    """The computer players in the order of `--levels`, which is theirs at the seats in the first game."""


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
    levels: Annotated[
        str | None,
        typer.Option(help="Levels to compare, such as strong,normal, one for each seat; they move on after each game."),
    ] = None,
    losses: Annotated[bool, typer.Option("--losses", help="Also tell what decisions gave away; takes longer.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")] = False,
) -> None:
    """Play games with random moves or computer players, and print statistics."""
    from bot.tables.registry import needs_tables

    packages = load_whole_games()
    package = find_game(packages, game)
    rules = package.game
    compared = [each.strip() for each in levels.split(",")] if levels else []
    for each in (*compared, *([level] if level else [])):
        _require_level(package, each)
    if level and compared:
        fail("Choose either --level or --levels.")
    if losses and not (level or compared):
        fail("Random moves are not judged: --losses needs --level or --levels.")
    taken = (len(compared) or rules.info.least_seats) if seats is None else seats
    if compared and len(compared) != taken:
        fail(f"--levels needs a level for each of the {taken} seats, not {len(compared)}.")
    if not rules.info.least_seats <= taken <= rules.info.most_seats:
        fail(f"{rules.info.title} takes {rules.info.least_seats} to {rules.info.most_seats} seats, not {taken}.")
    options = read_options(package, option or [])
    counter = _count_games(games)
    players = compared or ([level] * taken if level else [])
    if losses or any(needs_tables(package, each) for each in players):
        require_tables(package)
    report = run_games(package, taken, counter, options=options, seed=seed, levels=players, weighs_losses=losses)
    typer.echo(_to_json(report) if as_json else _format_report(report))


def _require_level(package: "AnyPackage", level: str) -> None:
    from bot.tables.registry import RANDOM_LEVEL, find_strategy, levels_of

    if find_strategy(package, level) is None:
        known = ", ".join(dict.fromkeys([RANDOM_LEVEL, *levels_of(package)]))
        fail(f"{package.game.info.title} has no level called {level}. The levels are: {known}.")


def read_options(package: "AnyPackage", texts: Sequence[str]) -> "Options":
    """Return options from texts such as `target=50`, or fail with the problem."""
    from pydantic import ValidationError

    from bot.rules.content import first_error

    info = package.game.info
    options: Options = info.options()
    for text in texts:
        name, _, value = text.partition("=")
        if name not in info.options.model_fields:
            names = ", ".join(info.options.model_fields) or "none"
            fail(f"{info.title} has no option called {name}. Its options are: {names}.")
        try:
            options = _set_typed(options, name, value)
        except ValidationError as invalid:
            _where, why = first_error(invalid)
            fail(f"{info.title} can't be played with {text}: {why}.")
    return options


def _set_typed(options: "Options", name: str, value: str) -> "Options":
    """Return the options with one of them changed to a value as it is typed: strings without quotes."""
    from bot.rules.options import set_option

    try:
        return set_option(options, name, value)
    except ValueError:
        return set_option(options, name, json.dumps(value))


def run_games(
    package: "AnyPackage",
    seats: int,
    counter: Iterable[int],
    *,
    options: "Options | None" = None,
    seed: int,
    levels: Sequence[str] = (),
    weighs_losses: bool = False,
) -> Report:
    """Play a game for each item of a counter, which may show the progress; at random if there are no levels."""
    options = options or package.game.info.options()
    played = (
        ComputerGames(package, levels, options, seed, weighs_losses=weighs_losses)
        if levels
        else _RandomGames(package, seats, options, seed)
    )
    games, wins = 0, Counter[int]()
    started = time.perf_counter()
    for _ in counter:
        outcome = played.play()
        games += 1
        wins.update(outcome.winners if outcome else ())
    seconds = time.perf_counter() - started
    return Report(
        game=package.game.info.key,
        games=games,
        moves=played.moves,
        moves_per_second=round(played.moves / seconds, 1),
        moves_per_game=round(played.moves / games, 2),
        wins=[wins[seat] for seat in range(seats)],
        counts={name: round(count / games, 4) for name, count in sorted(played.tally.items())},
        seats=played.reports(),
    )


class _RandomGames:
    """Games of random moves."""

    def __init__(self, package: "AnyPackage", seats: int, options: "Options", seed: int) -> None:
        from bot.rules.chance import FastChance

        self._rules, self._seats, self._options = package.game, seats, options
        self._chance = FastChance(random.Random(seed))  # noqa: S311 - a simulation must be repeatable, not secret
        self.moves = 0
        self.tally = Counter[str]()

    def play(self) -> "Outcome | None":
        """Play another game and return its outcome."""
        from bot.rules.playout import play_random_game

        state, steps = play_random_game(self._rules, self._options, self._seats, self._chance)
        self.moves += steps
        return self._rules.outcome(state)

    def reports(self) -> list[PlayerReport]:
        """Return nothing: nobody has decided anything."""
        return []


def _count_games(games: int) -> Iterable[int]:
    """Count games, with a progress bar if stderr is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(range(games), "Playing", console=console, transient=True, disable=not console.is_terminal)


def _to_json(report: Report) -> str:
    """Return JSON without what was not asked for."""
    return json.dumps(asdict(report, dict_factory=lambda parts: {k: part for k, part in parts if part is not None}))


def _format_report(report: Report) -> str:
    wins = ", ".join(f"seat {seat} {won}" for seat, won in enumerate(report.wins, 1))
    counts = "".join(f"\n{name}: {count:.3f} a game" for name, count in report.counts.items())
    players = "".join(map(_format_player, report.seats))
    return (
        f"{report.games} games of {report.game}: {report.moves} moves, {report.moves_per_game} a game, "
        f"{report.moves_per_second:.0f} a second\nWins: {wins}{players}{counts}"
    )


def _format_player(player: PlayerReport) -> str:
    least, most = player.interval
    losses = "".join(f", gave away {loss:.4f} {unit} a decision" for unit, loss in (player.losses or {}).items())
    return (
        f"\n{player.level}: won {player.win_rate:.1%} ({least:.1%} to {most:.1%}), {player.score_mean} points "
        f"on average, {player.decision_ms_p50} ms a decision, at most {player.decision_ms_p99} for 99 of 100{losses}"
    )


@dataclass(slots=True)
class _Player:
    level: str
    strategy: "AnyStrategy"
    wins: float = 0.0
    scores: int = 0
    decisions: list[float] = field(default_factory=list)
    """Seconds of CPU time."""
    losses: dict[str, list[float]] = field(default_factory=dict)

    def note_loss(self, evaluation: "Evaluation", chosen: int) -> None:
        """Note what a move gave away, by the best evaluation that the game has."""
        values = evaluation.values
        self.losses.setdefault(evaluation.unit.name.lower(), []).append(max(values) - values[chosen])

    def report(self, games: int) -> PlayerReport:
        ordered = sorted(self.decisions) or [0.0]
        return PlayerReport(
            level=self.level,
            win_rate=round(self.wins / games, 4),
            interval=wilson_interval(self.wins, games),
            score_mean=round(self.scores / games, 2),
            decision_ms_p50=round(1000 * statistics.median(ordered), 3),
            decision_ms_p99=round(1000 * ordered[len(ordered) * 99 // 100], 3),
            losses={unit: round(statistics.fmean(losses), 4) for unit, losses in sorted(self.losses.items())} or None,
        )


def _count_nothing(_state: Any, _events: Sequence[Any]) -> Iterable[str]:
    return ()


class ComputerGames:
    """Games between computer players, who move on by one seat after each game.

    Each batch of games has a seed of its own; the same one gives the same games.
    """

    def __init__(
        self,
        package: "AnyPackage",
        levels: Sequence[str],
        options: "Options",
        seed: int,
        *,
        weighs_losses: bool = False,
    ) -> None:
        from bot.rules.chance import FastChance
        from bot.tables.registry import RandomStrategy, find_strategy

        self._package, self._options = package, options
        self._chance = FastChance(random.Random(seed))  # noqa: S311 - a simulation must be repeatable, not secret
        self._thoughts = FastChance(random.Random(f"players {seed}"))  # noqa: S311 - as above
        self._players = [_Player(level, find_strategy(package, level) or RandomStrategy()) for level in levels]
        self._evaluate = package.mind.evaluate if weighs_losses else None
        tallies = find_module("tallies", package.game.info.key)
        self._count = tallies.tally if tallies else _count_nothing
        self._games = 0
        self.moves = 0
        self.tally = Counter[str]()

    def play(self) -> "Outcome | None":
        """Play another game and return its outcome, by seat."""
        rules, seats = self._package.game, len(self._players)
        seated = [self._players[(seat + self._games) % seats] for seat in range(seats)]
        state = rules.start(self._options, seats, self._chance)
        while (seat := rules.seat_to_move(state)) is not None:
            move = self._choose(seated[seat], rules.view(state, seat), rules.legal_moves(state))
            state, events = rules.play(state, seat, move, self._chance)
            self.tally.update(self._count(state, events))
            self.moves += 1
        self._games += 1
        outcome = rules.outcome(state)
        if outcome is not None:
            for seat, player in enumerate(seated):
                player.scores += outcome.scores[seat]
                player.wins += (seat in outcome.winners) / len(outcome.winners)
        return outcome

    def reports(self) -> list[PlayerReport]:
        """Return how each player did, in the order of the levels."""
        return [player.report(self._games) for player in self._players]

    def _choose(self, player: _Player, view: Any, moves: Sequence[Any]) -> Any:
        began = time.thread_time()
        move = player.strategy(view, moves, self._thoughts)
        if len(moves) > 1:
            player.decisions.append(time.thread_time() - began)
            if self._evaluate is not None:
                player.note_loss(self._evaluate(view, moves), moves.index(move))
        return move


_NORMAL_QUANTILE = 1.959964
"""Standard deviations on both sides of the mean that hold 95 % of a normal distribution."""


def wilson_interval(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a win rate."""
    rate, z = wins / games, _NORMAL_QUANTILE
    centre = rate + z * z / (2 * games)
    spread = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return round((centre - spread) / whole, 4), round((centre + spread) / whole, 4)
