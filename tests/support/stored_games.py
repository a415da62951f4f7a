"""Finished games as they are stored and replayed, by whatever chooses the moves."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

from bot.rules.chance import Chance
from bot.rules.game import Options, Seat
from bot.tables.actions.lobby import make_occupant
from bot.tables.levels import find_strategy
from bot.tables.model import Entry, Person, Status, StoredTable
from bot.tables.registry import AnyPackage
from bot.tables.replay import replay_entries
from bot.tables.table import apply_move, position_digest
from bot.ui.render.replays import Replay
from tests.support.fakes import NEW_CLICKS, NOON, make_table

_NAMES = ("Robin", "Wren", "Jay", "Linnet", "Tit", "Dove")

Chooser: TypeAlias = Callable[[Seat, Any, Sequence[Any]], Any]
"""Returns one of the moves, given the seat to move and its view."""


def play_stored(package: AnyPackage, seats: int, choose: Chooser, *, options: Options, seed: int) -> StoredTable:
    """Play a game of people to its end; the same seed gives the same dice."""
    people = [make_occupant(Person(number, name), number) for number, name in enumerate(_NAMES[:seats], 1)]
    table = make_table(
        *people,
        status=Status.PLAYING,
        package=package,
        options=options.model_dump_json(),
        seed=Random(seed).randbytes(32),
    )
    game, entries = package.game, list[Entry]()
    while (seat := game.seat_to_move(table.state)) is not None:
        move = choose(seat, game.view(table.state, seat), game.legal_moves(table.state))
        table = apply_move(table, seat, move)
        entry = Entry(table.header.step, seat, str(move), position_digest(table), next(NEW_CLICKS), NOON)
        entries.append(entry)
    return StoredTable(table.header, table.seats, tuple(entries))


def choose_by_level(package: AnyPackage, levels: Sequence[str], chance: Chance) -> Chooser:
    """Return what chooses as computer players do, whose levels take turns over the seats."""
    strategies = [find_strategy(package, level) for level in levels]

    def choose(seat: Seat, view: Any, moves: Sequence[Any]) -> Any:
        strategy = strategies[seat % len(strategies)]
        assert strategy is not None
        return strategy(view, moves, chance)

    return choose


def replay_of(stored: StoredTable, package: AnyPackage) -> Replay:
    """Replay a stored game."""
    *earlier, end = list(replay_entries(stored, package))
    return Replay(stored.entries, (*earlier, replace(end, header=stored.header)))
