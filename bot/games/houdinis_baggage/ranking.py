"""Who wins: points, and then the dearest assignments."""

from collections.abc import Sequence

from bot.games.houdinis_baggage.assignments import MOST_POINTS
from bot.games.houdinis_baggage.pieces import Player


def merits_of(player: Player) -> tuple[int, ...]:
    """Return the points, and then how many assignments of each worth are completed, the dearest first. Rule HB-E2."""
    points = [each.points for each in player.completed]
    return (player.score, *(points.count(worth) for worth in range(MOST_POINTS, 0, -1)))


def places_of(players: Sequence[Player]) -> tuple[int, ...]:
    """Return everybody's place; who is equal in everything shares one. Rules HB-E1 and HB-E2."""
    merits = list(map(merits_of, players))
    return tuple(1 + sum(other > own for other in merits) for own in merits)
