"""Finished games as they are stored and replayed, by whatever chooses the moves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

from bot.features.replays.model import Replay
from bot.platform.places import Person
from bot.rules.chance import Chance
from bot.rules.game import Options, Seat
from bot.tables.control_entries import ControlEntry
from bot.tables.lobby import make_occupant
from bot.tables.model import Entry, Status, StoredTable
from bot.tables.registry import AnyPackage, find_strategy
from bot.tables.replay import replay_entries
from bot.tables.table import apply_control_entry, apply_move, position_digest
from tests.support.fakes import NEW_CLICKS, NOON, make_table

_NAMES = ("Robin", "Wren", "Jay", "Linnet", "Tit", "Dove")

_NO_CONTROL_ENTRIES: Mapping[int, tuple[Seat, ControlEntry]] = {}

Chooser: TypeAlias = Callable[[Seat, Any, Sequence[Any]], Any]
"""Returns one of the moves, given the seat to move and its view."""


def play_stored(
    package: AnyPackage,
    seats: int,
    choose: Chooser,
    *,
    options: Options,
    seed: int,
    control_entries: Mapping[int, tuple[Seat, ControlEntry]] = _NO_CONTROL_ENTRIES,
) -> StoredTable:
    """Play a game of people to its end; the same seed gives the same dice.

    Args:
        package: The game.
        seats: How many play.
        choose: Chooses the moves.
        options: The options of the game.
        seed: The seed of the table's seed.
        control_entries: The steps that are control entries, with the seats that make them.
    """
    people = [make_occupant(Person(number, name), number) for number, name in enumerate(_NAMES[:seats], 1)]
    table = make_table(
        *people,
        status=Status.PLAYING,
        package=package,
        options=options.model_dump_json(),
        seed=Random(seed).randbytes(32),
    )
    game, entries = package.game, list[Entry]()
    while (seat := table.header.to_move) is not None:
        if (control := control_entries.get(table.header.step + 1)) is not None:
            seat, text = control[0], str(control[1])
            table = apply_control_entry(table, *control)
        else:
            move = choose(seat, game.view(table.state, seat), game.legal_moves(table.state))
            table, text = apply_move(table, seat, move), str(move)
        entries.append(Entry(table.header.step, seat, text, position_digest(table), next(NEW_CLICKS), NOON))
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
