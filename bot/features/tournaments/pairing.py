"""Pairing (round robin, Swiss and knock-out) and standings.

The tournament's seed shuffles the players; nothing else is random. Players are numbers from 1, in the order of the
draw.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bot.features.tournaments.matching import Number, match_all
from bot.features.tournaments.model import Format, Grounds, Pairing, Player, Stage, Tournament, UserId, Verdict

_BYE: Final = 0
"""The opponent of the player who has a bye."""


class Match(NamedTuple):
    """Two players by seat, or one who has a bye."""

    first: Number
    second: Number | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """The earlier rounds, as far as they matter to a Swiss round."""

    points: Mapping[Number, int]
    """The points so far of the players who play on."""
    matches: Sequence[Match] = ()
    apart: Collection[frozenset[Number]] = field(default=frozenset())
    """The pairs who should not meet if possible."""


def shuffle(people: Iterable[int], seed: str) -> list[int]:
    """Return people in an order that depends only on them and the seed."""
    return sorted(people, key=lambda user_id: hashlib.sha256(f"{seed}:{user_id}".encode()).digest())


def count_rounds(players: int) -> int:
    """Return the number of rounds that leave one player undefeated."""
    return max(1, (players - 1).bit_length())


def round_robin(players: int) -> list[list[Match]]:
    """Return all rounds by the circle method: everybody meets everybody once, sitting first about half the time."""
    count = players + players % 2
    fixed, circle = count, list(range(1, count))
    rounds = []
    for turn in range(count - 1):
        pairs = [(fixed, circle[0]) if turn % 2 else (circle[0], fixed)]
        for place in range(1, count // 2):
            near, far = circle[place], circle[-place]
            pairs.append((near, far) if place % 2 else (far, near))
        # With an odd number of players, the opponent of the highest number has no game.
        rounds.append([Match(*pair) for pair in pairs if max(pair) <= players])
        circle = [circle[-1], *circle[:-1]]
    return rounds


def knockout_slots(players: int) -> list[Number | None]:
    """Return the first round's slots, two per match; byes go to the lowest numbers, who meet last."""
    slots = [1]
    while len(slots) < players:
        total = 2 * len(slots) + 1
        slots = [found for slot in slots for found in (slot, total - slot)]
    return [slot if slot <= players else None for slot in slots]


def swiss_round(past: Past) -> list[Match]:
    """Pair the players by score, without rematches if possible, and with at most one bye each.

    Players to be kept apart don't meet, even at the price of a rematch.
    """
    ranked = sorted(past.points, key=lambda number: (-past.points[number], number))
    met = {frozenset((match.first, match.second)) for match in past.matches if match.second is not None}
    apart = set(past.apart)
    for forbidden in (met | apart, apart, met, set[frozenset[Number]]()):
        pairs = match_all(_list_wishes(ranked, past.matches, forbidden))
        if pairs is not None:
            byes = [Match(other) for one, other in pairs if one == _BYE]
            return [*(seat(one, other, past.matches) for one, other in pairs if one != _BYE), *byes]
    return []


def seat(one: Number, other: Number, matches: Iterable[Match]) -> Match:
    """Seat two players. First is who sat first less often, else who sat second last time, else the lower number."""
    played = [match for match in matches if match.second is not None]
    balance = Counter({one: 0, other: 0})
    latest = {one: 0, other: 0}
    for match in played:
        for number, weight in ((match.first, 1), (match.second or 0, -1)):
            balance[number] += weight
            latest[number] = weight
    first = min((one, other), key=lambda number: (balance[number], latest[number], -number))
    return Match(first, other if first == one else one)


def _list_wishes(
    ranked: Sequence[Number], matches: Iterable[Match], forbidden: Collection[frozenset[Number]]
) -> dict[Number, list[Number]]:
    """Return the possible opponents of each player, the nearest by rank first, and the possible players for a bye."""
    wishes = {
        number: [other for other in ranked if other != number and frozenset((number, other)) not in forbidden]
        for number in ranked
    }
    if len(ranked) % 2 == 0:
        return wishes
    had_one = {match.first for match in matches if match.second is None}
    # With more rounds than players, everyone may have had a bye.
    candidates = [number for number in ranked if number not in had_one] or ranked
    for number in candidates:
        wishes[number].append(_BYE)
    # The lowest-ranked player without an earlier bye has it.
    return {_BYE: [*reversed(candidates)], **wishes}


WIN: Final = 2
DRAW: Final = 1
"""Points are counted in halves, as whole numbers."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place and figures."""

    player: Player
    place: int | None
    """Shared by equal players; None after a withdrawal, or while the player is still in a knock-out."""
    has_medal: bool
    """Whether the place earns a medal at the end: the player has played on and, for the first place, won."""
    points: int
    """In half points."""
    games: int
    """The number of decided pairings, without byes."""
    tie_break: int
    """Buchholz in half points or, in a round robin, Sonneborn-Berger in quarter points."""

    @property
    def is_champion(self) -> bool:
        """Whether the player has won, or shares the first place."""
        return self.place == 1 and self.has_medal


def points_of(pairing: Pairing, user_id: UserId) -> int:
    """Return a player's points for a pairing, in half points."""
    if pairing.verdict is Verdict.DRAW:
        return DRAW
    return WIN if pairing.winner_id == user_id else 0


def total_points(tournament: Tournament) -> Mapping[UserId, int]:
    """Return all players' points so far."""
    # While a player's data is being deleted, pairings still have the old id for a moment after the players lost it.
    points = defaultdict(int, dict.fromkeys((player.user_id for player in tournament.players), 0))
    for pairing in tournament.pairings:
        for user_id in pairing.people:
            points[user_id] += points_of(pairing, user_id)
    return points


def rank(tournament: Tournament) -> list[Standing]:
    """Return the standings, best first; equal players are in the order of the draw."""
    points, games = total_points(tournament), _count_games(tournament)
    tie_breaks = _sum_tie_breaks(tournament, points)
    played_on = _who_played_on(tournament)
    winners = _winners_so_far(tournament, points)
    if tournament.stage is not Stage.FINISHED or not winners & played_on:
        # Nothing is decided before the end, and without a champion there are no medals.
        played_on = frozenset()
    found: list[Standing] = []
    for group in _groups(tournament, points, tie_breaks, played_on):
        place = len(found) + 1
        worthy = played_on if place > 1 else played_on & winners
        found += [
            Standing(
                player,
                place if _has_place(tournament, player) else None,
                player.user_id in worthy,
                points[player.user_id],
                games[player.user_id],
                tie_breaks[player.user_id],
            )
            for player in group
        ]
    return found


def champions(tournament: Tournament) -> list[Player]:
    """Return the winners of a finished tournament: several if nothing separates them, or none."""
    return [standing.player for standing in rank(tournament) if standing.is_champion]


def _count_games(tournament: Tournament) -> Mapping[UserId, int]:
    games: defaultdict[UserId, int] = defaultdict(int)
    for pairing in tournament.pairings:
        if pairing.verdict is not None and pairing.grounds is not Grounds.BYE:
            for user_id in pairing.people:
                games[user_id] += 1
    return games


def _who_played_on(tournament: Tournament) -> AbstractSet[UserId]:
    """Return the players still in who have played, or won without a game; the last one left always counts."""
    # Nobody is told who is kept apart, so such players count as having played.
    played = {
        user_id
        for pairing in tournament.pairings
        for user_id in pairing.people
        if pairing.grounds in (Grounds.PLAYED, Grounds.APART)
        or (pairing.grounds is Grounds.WALKOVER and pairing.winner_id == user_id)
    }
    left = {player.user_id for player in tournament.active}
    return left if len(left) == 1 else left & played


def _winners_so_far(tournament: Tournament, points: Mapping[UserId, int]) -> AbstractSet[UserId]:
    """Return the players who may be first: the winner of a knock-out's last round, or all players with points."""
    if tournament.format is Format.KNOCKOUT:
        return {
            pairing.winner_id
            for pairing in tournament.pairings
            if pairing.round == tournament.rounds and pairing.winner_id
        }
    return {user_id for user_id, halves in points.items() if halves}


def _has_place(tournament: Tournament, player: Player) -> bool:
    if player.has_withdrawn:
        return False
    if tournament.format is not Format.KNOCKOUT or tournament.stage is Stage.FINISHED:
        return True
    # The number of players who go on is known only once a round is over.
    mine = [pairing.round for pairing in tournament.pairings if player.user_id in pairing.people]
    return max(mine, default=tournament.round) < tournament.round


def _groups(
    tournament: Tournament,
    points: Mapping[UserId, int],
    tie_breaks: Mapping[UserId, int],
    played_on: Collection[UserId],
) -> Iterator[Sequence[Player]]:
    """Yield groups of players who are equal in everything, best first; players who have not played on come last."""
    is_over = tournament.stage is Stage.FINISHED
    classes = {
        player.user_id: 0 if player.has_withdrawn else 1 if is_over and player.user_id not in played_on else 2
        for player in tournament.players
    }
    for group in _split(tournament.players, classes):
        if tournament.format is Format.KNOCKOUT:
            wins = Counter(pairing.winner_id for pairing in tournament.pairings)
            yield from _split(group, {player.user_id: wins[player.user_id] for player in group})
            continue
        for equals in _split(group, points):
            for still_equal in _split(equals, _direct_points(tournament, {player.user_id for player in equals})):
                yield from _split(still_equal, tie_breaks)


def _split(players: Sequence[Player], values: Mapping[UserId, int]) -> Iterator[Sequence[Player]]:
    """Yield the players grouped by value, highest first."""
    for value in sorted({values[player.user_id] for player in players}, reverse=True):
        yield [player for player in players if values[player.user_id] == value]


def _direct_points(tournament: Tournament, group: Collection[UserId]) -> Mapping[UserId, int]:
    """Return the points from games within a group; 0 for all unless every two of its players met."""
    between = [
        pairing
        for pairing in tournament.pairings
        if pairing.verdict and len(pairing.people) > 1 and set(pairing.people) <= set(group)
    ]
    if len({frozenset(pairing.people) for pairing in between}) < len(group) * (len(group) - 1) // 2:
        return dict.fromkeys(group, 0)
    return {
        user_id: sum(points_of(pairing, user_id) for pairing in between if user_id in pairing.people)
        for user_id in group
    }


def _sum_tie_breaks(tournament: Tournament, points: Mapping[UserId, int]) -> Mapping[UserId, int]:
    """Return Sonneborn-Berger in a round robin, else Buchholz, where a bye counts as an opponent without points."""
    sums: defaultdict[UserId, int] = defaultdict(int)
    for pairing in tournament.pairings:
        if pairing.second_id is not None and pairing.verdict is not None:
            for user_id, opponent in ((pairing.first_id, pairing.second_id), (pairing.second_id, pairing.first_id)):
                weight = points_of(pairing, user_id) if tournament.format is Format.ROUND_ROBIN else 1
                sums[user_id] += weight * points[opponent]
    return sums
