"""`check`: checks the installation; needs no token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

import typer

from bot.commands.console import describe_unavailable, open_store

if TYPE_CHECKING:
    from bot.rules.puzzle import Puzzle, PuzzleBook, PuzzleGame
    from bot.settings import Settings
    from bot.tables.registry import AnyPackage, GameRegistry

    MissingFinder: TypeAlias = Callable[[GameRegistry, Sequence[str]], Iterable[str]]
    """Finds what is missing in a checkout, by the games and the commands."""


def check() -> None:
    """Load games, commands and art, look at settings and database, and exit with status 1 if there are problems."""
    report_problems(lambda _games, _commands: ())


def report_problems(find_missing: MissingFinder) -> None:
    """Print what was found, also what is missing in a checkout, and exit with status 1 if there are problems."""
    doubts, missing = list[str](), list[str]()
    faults = [
        *(_settings_faults(doubts) or _database_faults()),
        *_content_faults(find_missing, missing),
        *_art_faults(),
    ]
    for sentence in missing:
        typer.echo(f"Missing: {sentence}")
    for doubt in doubts:
        typer.echo(f"Warning: {doubt}", err=True)
    for fault in faults:
        typer.echo(f"Problem: {fault}", err=True)
    if faults:
        raise typer.Exit(1)
    found = "No problems found"
    if missing:
        found += ", but 1 thing is missing" if len(missing) == 1 else f", but {len(missing)} things are missing"
    typer.echo(f"{found}. Mind the warnings above." if doubts else f"{found}.")


def _settings_faults(doubts: list[str]) -> list[str]:
    """Return the problems of the settings, and append mere doubts to a list."""
    from pydantic import ValidationError

    from bot.env_file import UnusableEnvFile
    from bot.settings import Settings, describe_problems, find_doubts, find_overridden

    try:
        settings = Settings()
        doubts += find_doubts(settings)
        overridden = find_overridden()
    except ValidationError as error:
        return list(describe_problems(error))
    except UnusableEnvFile as unusable:
        return list(unusable.sentences)
    for sentence in overridden:
        typer.echo(sentence)
    typer.echo(f"Live check: {_read_live_check(settings)}")
    if settings.discord_token is None:
        typer.echo("DISCORD_TOKEN is not set: enough for `demo`, but `run` needs it.")
    return []


def _read_live_check(settings: Settings) -> str:
    """Return when the last live check ran, with which version, and how it ended."""
    try:
        return settings.live_check_report.read_text(encoding="utf-8").partition("\n")[0]
    except (OSError, ValueError):
        return "none yet; `live-check` tries the bot on Discord (docs/live-check.md)."


def _database_faults() -> list[str]:
    """Return the problems of the database, without changing it."""
    from bot.platform.database.errors import StoreUnavailable
    from bot.platform.database.sqlite import DatabaseMissing
    from bot.settings import Settings

    try:
        asyncio.run(_check_database(Settings()))
    except DatabaseMissing as fault:
        typer.echo(f"Database: {fault}; the bot makes it when it starts.")
    except StoreUnavailable as fault:
        return [describe_unavailable(fault)]
    return []


async def _check_database(settings: Settings) -> None:
    from bot.app.databases import check_schema

    async with open_store(settings) as db:
        await db.read(check_schema)


def _content_faults(find_missing: MissingFinder, missing: list[str]) -> list[str]:
    """Load games and commands, append what is missing to a list, and return the problems.

    Any exception counts as a problem.
    """
    from bot.platform.content import BrokenContent
    from bot.tables.registry import BrokenGame, load_games

    try:
        games = load_games()
    except BrokenContent as broken:
        return list(broken.faults)
    except BrokenGame as broken_game:
        return [f"{broken_game}."]
    except Exception as fault:  # noqa: BLE001 - a game's code may raise anything
        return [f"the games can't be loaded: {fault!r}"]
    for package in games.values():
        info = package.game.info
        seats = f"{info.least_seats} to {info.most_seats} seats" if info.most_seats > 1 else "1 seat"
        typer.echo(f"Game: {info.key} ({info.title}, {seats})")
    try:
        commands = asyncio.run(_list_commands())
    except Exception as fault:  # noqa: BLE001 - a cog's code may raise anything
        return [f"the commands can't be loaded: {fault!r}"]
    for name in commands:
        typer.echo(f"Command: {name}")
    missing += find_missing(games, commands)
    return [*_find_broken_tables(games), *_find_broken_puzzles(games)]


def _find_broken_tables(games: GameRegistry) -> Iterator[str]:
    for package in games.values():
        if package.mind.stored and (broken := package.mind.stored.inspect()):
            remedy = f"until `train {package.game.info.key}` has written it again and the bot has been restarted"
            yield f"{broken} Computer players only play Normal {remedy}."


def _find_broken_puzzles(games: GameRegistry) -> Iterator[str]:
    """Yield a sentence for each fault in the stored puzzles, replaying every game up to its last puzzle."""
    from bot.platform.content import BrokenContent, PuzzleFiles
    from bot.rules.playout import PlayoutEvaluator

    for key, package in games.items():
        # Puzzles by playouts come with every new game, before `puzzles` has written its book.
        may_lack_book = isinstance(package.mind.evaluate, PlayoutEvaluator)
        if package.study.puzzles is not None and (not may_lack_book or PuzzleFiles().file_of(key).exists()):
            try:
                faults = list(check_book(package, PuzzleFiles().load(key)))
            except BrokenContent as broken:
                faults = list(broken.faults)
            yield from (f"{fault} `puzzles {key}` writes them again." for fault in faults)


def _art_faults() -> list[str]:
    from bot.pictures.art import BrokenArt, read_art
    from bot.platform.content import DATA

    try:
        art = read_art(DATA)
    except BrokenArt as broken:
        return [str(broken)]
    typer.echo(f"Art: {len(art)} pieces")
    return _drawing_faults()


def _drawing_faults() -> list[str]:
    """Draw a symbol with art and a number, because the drawing libraries may not work on this machine."""
    try:
        from bot.pictures.symbols import COMMON_SYMBOLS, SymbolPainter
        from bot.platform.content import DATA

        symbol = next(each for each in COMMON_SYMBOLS if each.name == "seat_1")
        SymbolPainter(DATA).draw(symbol)
    except Exception as fault:  # noqa: BLE001 - libraries may raise anything
        return [f"pictures can't be drawn: {fault!r}"]
    typer.echo("Pictures: drawn as they should be")
    return []


async def _list_commands() -> list[str]:
    from bot.app.bootstrap import build_client
    from bot.platform.database.database import open_database
    from bot.settings import Settings
    from bot.tables.registry import load_games

    # The database is not used here, so it never connects.
    db = open_database(Settings.model_fields["database_url"].default.get_secret_value())
    return await build_client(db, load_games()).list_commands()


def check_book(package: AnyPackage, book: PuzzleBook) -> Iterator[str]:
    """Yield a sentence for each puzzle with a fault in its game, its moves, or its margin by the stored values."""
    source, info = package.study.puzzles, package.game.info
    if source is None:
        yield f"{info.title} has no puzzles."
    elif book.rules != info.version:
        yield f"The puzzles of {info.title} are for version {book.rules} of its rules, not {info.version}."
    else:
        steps: dict[int, list[Puzzle]] = {}
        for puzzle in book.puzzles:
            steps.setdefault(puzzle.game, []).append(puzzle)
            if puzzle.lead < source.margins.get(puzzle.unit, inf):
                yield f"{info.title}: the best move of puzzle {puzzle.key} is not better by the stated margin."
        for game in book.games:
            yield from _check_game(package, book, game, steps.get(game.number, []))


def _check_game(package: AnyPackage, book: PuzzleBook, game: PuzzleGame, puzzles: Sequence[Puzzle]) -> Iterator[str]:
    """Replay a game, and yield a sentence for each puzzle that can't be shown."""
    by_step, title = {puzzle.step: puzzle for puzzle in puzzles}, package.game.info.title
    try:
        for step, state in enumerate(replay_game(package, book, game)):
            if step in by_step and not _is_offered_legally(package, state, by_step.pop(step)):
                yield f"{title}: the puzzle of game {game.number} at step {step} offers an illegal move, or one twice."
    except Exception as fault:  # noqa: BLE001 - other rules may raise anything for moves they do not allow
        yield f"{title}: game {game.number} of the puzzles can't be replayed: {fault!r}."
    else:
        yield from (f"{title}: puzzle {puzzle.key} is at no step of its game." for puzzle in by_step.values())


def replay_game(package: AnyPackage, book: PuzzleBook, game: PuzzleGame) -> Iterator[Any]:
    """Yield the state after the set-up, and after each move of a game.

    Raises:
        Refusal: A move is illegal.
        ValueError: A move comes after the end, or the options are unknown.
    """
    from bot.rules.puzzle import chance_in_game

    rules = package.game
    key, options = rules.info.key, rules.info.options.model_validate(book.options)
    state = rules.start(options, game.seats, chance_in_game(key, book.seed, game.number, 0))
    yield state
    for step, move in enumerate(game.texts, 1):
        seat = rules.seat_to_move(state)
        if seat is None:
            raise ValueError(f"the game is over before {move!r}")
        chance = chance_in_game(key, book.seed, game.number, step)
        state, _ = rules.play(state, seat, rules.parse_move(move), chance)
        yield state


def _is_offered_legally(package: AnyPackage, state: Any, puzzle: Puzzle) -> bool:
    rules = package.game
    seat = rules.seat_to_move(state)
    if seat is None:
        return False
    moves = [rules.parse_move(move) for move in puzzle.offered]
    keys = {package.mind.key_of(rules.view(state, seat), move) for move in moves}
    return len(keys) == len(moves) and all(rules.check(state, seat, move) is None for move in moves)
