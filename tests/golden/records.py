"""Recorded games: every move, with a digest of the position after it, so that rules that have changed are noticed.

The moves in a file are made again; a file that is missing gets games of computer players. If the rules change on
purpose, the version of the game counts up as well, since games that people have played would not replay either.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from bot.rules.chance import FairChance
from bot.rules.game import Options
from bot.tables.registry import AnyPackage
from bot.tables.table import digest_of
from bot.tools.contract.contract import make_mixed_options
from bot.tools.showcase_search import choose_move
from tests.support.games import load_games_once
from tests.support.short_games import SHORT_OPTIONS

_FOLDER: Final = Path(__file__).parent


def records_of_game(key: str) -> str:
    """Return a recorded game for each number of seats."""
    package, kept = load_games_once()[key], _kept_moves(key)
    info = package.game.info
    records = (_record(package, seats, kept.get(seats, ())) for seats in range(info.least_seats, info.most_seats + 1))
    return "\n".join("".join(f"{line}\n" for line in record) for record in records)


def _kept_moves(key: str) -> dict[int, list[str]]:
    """Return the moves in the file by the number of seats."""
    file = _FOLDER / f"records_{key}.txt"
    games = file.read_text(encoding="utf-8").split("=== ")[1:] if file.exists() else ()
    lines = [game.splitlines() for game in games]
    return {int(first.split()[0]): [line.split(" | ")[1] for line in rest if " | " in line] for first, *rest in lines}


def _record(package: AnyPackage, seats: int, kept: Sequence[str]) -> Iterator[str]:
    rules, options = package.game, _options_for(package, seats)

    def chance(step: int) -> FairChance:
        return FairChance(bytes([seats]) * 32, "golden", step)

    state = rules.start(options, seats, chance(0))
    yield f"=== {seats} seats, {options.model_dump_json()}, {digest_of(rules.encode_position(state))}"
    step = 0
    while (seat := rules.seat_to_move(state)) is not None:
        move = rules.parse_move(kept[step]) if kept else choose_move(package, state, seat, chance(0))
        step += 1
        state, _events = rules.play(state, seat, move, chance(step))
        yield f"{seat} | {move} | {digest_of(rules.encode_position(state))}"
    yield str(rules.outcome(state))


def _options_for(package: AnyPackage, seats: int) -> Options:
    """Return options that differ by the number of seats, and make a game short."""
    info = package.game.info
    mixed: dict[str, Any] = make_mixed_options(info.options, seats).model_dump()
    options: Options = info.options.model_validate(mixed | dict(SHORT_OPTIONS.get(info.key, {})))
    return options
