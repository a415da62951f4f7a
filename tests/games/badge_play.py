"""Plays moves from a position through the table service, with scripted chance."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pytest

from bot.platform.places import Person
from bot.rules.chance import Chance
from bot.rules.game import Seat
from bot.rules.rewards import SeatBadge
from bot.tables import table as tables
from bot.tables.model import Header
from bot.tables.opening import open_game
from bot.tables.registry import AnyPackage, GameRegistry
from bot.tables.table import Table
from tests.support.fakes import HERE, PEOPLE, make_service
from tests.support.memory_database import MemoryDatabase

Step = tuple[str, Sequence[int]]
"""A move, and the first numbers that chance gives it; the others are fair."""


class Scene(NamedTuple):
    """A position and the moves from there, each made by whose turn it is."""

    position: Any
    steps: Sequence[Step]
    game: Any = None
    """The rules that the position is of, if not those that are installed."""


@dataclass(frozen=True)
class PreparedGame:
    """A game that begins with a position that is set up."""

    game: Any
    position: Any

    def start(self, *_: object) -> Any:
        """Begin there."""
        return self.position

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


class _ScriptedFirst:
    """Gives some numbers, and then those of another chance."""

    def __init__(self, numbers: Iterable[int], then: Chance) -> None:
        self._numbers = list(numbers)
        self._then = then

    def randbelow(self, n: int, /) -> int:
        """Return the next number."""
        number = self._numbers.pop(0) if self._numbers else self._then.randbelow(n)
        assert 0 <= number < n
        return number


async def play_scene(package: AnyPackage, scene: Scene, patch: pytest.MonkeyPatch) -> list[Table]:
    """Play a scene, and return the table at its start and after each move; the last one is as the store has it."""
    fair = tables.chance_of

    def chance_of(header: Header, step: int) -> Chance:
        script = scene.steps[step - 1][1] if 1 <= step <= len(scene.steps) else ()
        return _ScriptedFirst(script, fair(header, step))

    info = package.game.info
    prepared = replace(package, game=PreparedGame(scene.game or package.game, scene.position))
    db, games = MemoryDatabase(), GameRegistry([prepared])
    with patch.context() as patching:
        patching.setattr(tables, "chance_of", chance_of)
        service, people = make_service(db, games), PEOPLE[: info.least_seats]
        table = await open_game(service, info.key, info.options(), people[0], HERE, click_id=500)
        for click, person in enumerate(people[1:], 501):
            await service.join(table.id, person, click)
        shown = [await service.start(table.id, people[0], 599)]
        for click, (move, _numbers) in enumerate(scene.steps, 600):
            mover = shown[-1].mover
            assert mover is not None
            assert mover.user_id is not None
            person, step = Person(mover.user_id, mover.name), shown[-1].header.step
            shown.append(await service.play(table.id, person, step, move, click))
        stored = await make_service(db, games).table(table.id)
    assert stored.badges == shown[-1].badges
    return [*shown[:-1], stored]


def seats_with(table: Table, key: str) -> list[Seat]:
    """Return the seats that have earned a badge so far."""
    return [seat for seat in range(len(table.seats)) if SeatBadge(seat, key) in table.badges]
