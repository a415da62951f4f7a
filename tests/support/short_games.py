"""Options that keep the games of long runs short; a new game uses its defaults."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.games import load_games_once

SHORT_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "change": {"credits": 50},
    "fortune": {"target": 1000},
    "houdinis_baggage": {"target": 10},
    "magpie": {"target": 100},
}


@dataclass(frozen=True, slots=True)
class GameSetup:
    """How a game is opened, and by how many people it is played."""

    command: str
    people: int
    options: Mapping[str, object]


def short_games() -> Iterator[GameSetup]:
    """Yield every game there is, alternately for two and for three people if it seats them."""
    for number, (key, package) in enumerate(sorted(load_games_once().items())):
        info = package.game.info
        people = max(info.least_seats, min(2 + number % 2, info.most_seats))
        yield GameSetup(f"{info.command} new", people, SHORT_OPTIONS.get(key, {}))
