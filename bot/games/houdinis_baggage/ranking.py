"""The ranking: points, then the most valuable assignments."""

from collections.abc import Sequence

from bot.games.houdinis_baggage.assignments import MAX_POINTS
from bot.games.houdinis_baggage.pieces import Player, State
from bot.rules.outcome import places_by_score


def ranking_key_of(player: Player) -> tuple[int, ...]:
    """Return the points, then the number of completed assignments of each value, highest first. Rule HB-E2."""
    points = [each.points for each in player.completed]
    return (player.score, *(points.count(value) for value in range(MAX_POINTS, 0, -1)))


def scores_of(state: State) -> tuple[int, ...]:
    """Return the points of each seat. Rule HB-E1."""
    return tuple([player.score for player in state.players])


def places_of(players: Sequence[Player]) -> tuple[int, ...]:
    """Return the place of each seat; full ties share one. Rules HB-E1 and HB-E2."""
    return places_by_score(list(map(ranking_key_of, players)))
