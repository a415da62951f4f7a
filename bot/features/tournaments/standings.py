"""Standings: by points, by the games between equals, by Sonneborn-Berger or Buchholz; else places are shared."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from bot.features.tournaments.model import Format, Grounds, Pairing, Player, Stage, Tournament, UserId, Verdict

WIN: Final = 2
DRAW: Final = 1
"""Points in halves, so that they are whole numbers."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player has reached."""

    player: Player
    place: int | None
    """Shared by those who are equal in everything; None for who has withdrawn or, in a knock-out, is still in it."""
    has_medal: bool
    """Whether one of the first places is worth a medal: only if they have played on, and the first if they have won."""
    points: int
    """In halves."""
    games: int
    """How many pairings are decided, without byes."""
    tie_break: int
    """Sonneborn-Berger or Buchholz, in the smallest whole numbers."""


def points_of(pairing: Pairing, user_id: UserId) -> int:
    """Return what a player got for a pairing, in halves."""
    if pairing.verdict is Verdict.DRAW:
        return DRAW
    return WIN if pairing.winner_id == user_id else 0


def total_points(tournament: Tournament) -> Mapping[UserId, int]:
    """Return the points of all players so far."""
    # While the data of one of them is being deleted, pairings have their id for a moment longer than players.
    points = defaultdict(int, dict.fromkeys((each.user_id for each in tournament.players), 0))
    for pairing in tournament.pairings:
        for user_id in pairing.people:
            points[user_id] += points_of(pairing, user_id)
    return points


def rank(tournament: Tournament) -> list[Standing]:
    """Return the standings, the best first; equals in the order of the draw."""
    points, games = total_points(tournament), _count_games(tournament)
    tie_breaks = {each.user_id: _tie_break(tournament, each.user_id, points) for each in tournament.players}
    played_on = _who_played_on(tournament)
    winners = _winners_so_far(tournament, points)
    if tournament.stage is Stage.FINISHED and not winners & played_on:
        # Without a champion there are no medals.
        played_on = frozenset()
    found: list[Standing] = []
    for group in _groups(tournament, points, tie_breaks, played_on):
        place = len(found) + 1
        worthy = played_on if place > 1 else played_on & winners
        found += [
            Standing(
                each,
                place if _has_place(tournament, each) else None,
                each.user_id in worthy,
                points[each.user_id],
                games[each.user_id],
                tie_breaks[each.user_id],
            )
            for each in group
        ]
    return found


def champions(tournament: Tournament) -> list[Player]:
    """Return who won a finished tournament: several share it if nothing separates them. Nobody may have."""
    return [each.player for each in rank(tournament) if each.place == 1 and each.has_medal]


def _count_games(tournament: Tournament) -> Mapping[UserId, int]:
    games: defaultdict[UserId, int] = defaultdict(int)
    for pairing in tournament.pairings:
        if pairing.verdict is not None and pairing.grounds is not Grounds.BYE:
            for user_id in pairing.people:
                games[user_id] += 1
    return games


def _who_played_on(tournament: Tournament) -> AbstractSet[UserId]:
    """Return the players who are still in and have played, or won without a game; the last one left always counts."""
    # Nobody is told of those who are kept apart, so they count as having played.
    played = {
        user_id
        for each in tournament.pairings
        for user_id in each.people
        if each.grounds in (Grounds.PLAYED, Grounds.APART)
        or (each.grounds is Grounds.WALKOVER and each.winner_id == user_id)
    }
    left = {each.user_id for each in tournament.active}
    return left if len(left) == 1 else left & played


def _winners_so_far(tournament: Tournament, points: Mapping[UserId, int]) -> AbstractSet[UserId]:
    """Return the players who may be first: the winner of a knock-out's last round, or all players with points."""
    if tournament.format is Format.KNOCKOUT:
        return {each.winner_id for each in tournament.pairings if each.round == tournament.rounds and each.winner_id}
    return {user_id for user_id, halves in points.items() if halves}


def _has_place(tournament: Tournament, player: Player) -> bool:
    if player.has_withdrawn:
        return False
    if tournament.format is not Format.KNOCKOUT or tournament.stage is Stage.FINISHED:
        return True
    # How many go on is known once a round is over.
    mine = [each.round for each in tournament.pairings if player.user_id in each.people]
    return max(mine, default=tournament.round) < tournament.round


def _groups(
    tournament: Tournament,
    points: Mapping[UserId, int],
    tie_breaks: Mapping[UserId, int],
    played_on: Collection[UserId],
) -> Iterator[Sequence[Player]]:
    """Yield the players who are equal in everything, the best first; who has not played on comes last."""
    is_over = tournament.stage is Stage.FINISHED
    classes = {
        each.user_id: 0 if each.has_withdrawn else 1 if is_over and each.user_id not in played_on else 2
        for each in tournament.players
    }
    for group in _split(tournament.players, classes):
        if tournament.format is Format.KNOCKOUT:
            yield from _split(group, {each.user_id: _rounds_survived(tournament, each.user_id) for each in group})
            continue
        for equals in _split(group, points):
            for still_equal in _split(equals, _direct_points(tournament, {each.user_id for each in equals})):
                yield from _split(still_equal, tie_breaks)


def _split(players: Sequence[Player], values: Mapping[UserId, int]) -> Iterator[Sequence[Player]]:
    """Yield the players by value, the highest first."""
    for value in sorted({values[each.user_id] for each in players}, reverse=True):
        yield [each for each in players if values[each.user_id] == value]


def _direct_points(tournament: Tournament, group: Collection[UserId]) -> Mapping[UserId, int]:
    """Return the points from games between the players of a group; 0 for all unless each met each other."""
    between = [
        each for each in tournament.pairings if each.verdict and len(each.people) > 1 and set(each.people) <= set(group)
    ]
    if len({frozenset(each.people) for each in between}) < len(group) * (len(group) - 1) // 2:
        return dict.fromkeys(group, 0)
    return {each: sum(points_of(pairing, each) for pairing in between if each in pairing.people) for each in group}


def _tie_break(tournament: Tournament, user_id: UserId, points: Mapping[UserId, int]) -> int:
    """Return Sonneborn-Berger in a round robin, else Buchholz, in which a bye counts as an opponent without points."""
    total = 0
    for pairing in tournament.pairings:
        opponent = pairing.opponent_of(user_id) if user_id in pairing.people else None
        if opponent is not None and pairing.verdict is not None:
            weight = points_of(pairing, user_id) if tournament.format is Format.ROUND_ROBIN else 1
            total += weight * points[opponent]
    return total


def _rounds_survived(tournament: Tournament, user_id: UserId) -> int:
    return sum(each.winner_id == user_id for each in tournament.pairings)
