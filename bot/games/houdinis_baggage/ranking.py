"""Who wins: points, and then the dearest assignments."""

from collections.abc import Sequence

from bot.games.houdinis_baggage.assignments import MAX_POINTS
from bot.games.houdinis_baggage.pieces import Player


def ranking_key_of(player: Player) -> tuple[int, ...]:
    """Return the points, and then how many assignments of each worth are completed, the dearest first. Rule HB-E2."""
    points = [each.points for each in player.completed]
    return (player.score, *(points.count(worth) for worth in range(MAX_POINTS, 0, -1)))


def places_of(players: Sequence[Player]) -> tuple[int, ...]:
    """Return everybody's place; who is equal in everything shares one. Rules HB-E1 and HB-E2."""
    merits = list(map(ranking_key_of, players))
    return tuple(1 + sum(other > own for other in merits) for own in merits)
