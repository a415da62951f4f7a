"""The bracket of a knock-out: who has a place in each of its games, as far as that is known."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from bot.features.tournaments.model import Pairing, Player, Stage, Tournament

MOST_ROUNDS: Final = 3
"""The most rounds of a bracket in a picture: a quarter-final, a semi-final and the final."""

_Pairings: TypeAlias = Mapping[tuple[int, int], Pairing]
"""The pairings by round and board."""


class Side(NamedTuple):
    """A place in a game."""

    player: Player | None = None
    is_free: bool = False
    """Whether the place stays free, so that the opponent goes on without a game."""


class Meeting(NamedTuple):
    """A game of a bracket, whether it is paired already or not."""

    round: int
    board: int
    pairing: Pairing | None
    sides: tuple[Side, Side]
    """Above, who comes from the upper of the two games before."""


def last_rounds(tournament: Tournament, most: int = MOST_ROUNDS) -> Sequence[Meeting]:
    """Return the games of the last rounds of a knock-out, each between the two before it; none before those rounds."""
    first = max(1, tournament.rounds - most + 1)
    if tournament.round < first:
        return ()
    pairings = {(pairing.round, pairing.board): pairing for pairing in tournament.pairings}
    found: dict[int, Meeting] = {}
    for number in range(first, tournament.rounds + 1):
        step = 2 ** (number - first)
        for board in range(1, 2 ** (tournament.rounds - number) + 1):
            found[(2 * board - 1) * step] = _meeting(tournament, pairings, number, board)
    return [found[place] for place in sorted(found)]


def _meeting(tournament: Tournament, pairings: _Pairings, number: int, board: int) -> Meeting:
    pairing = pairings.get((number, board))
    if pairing is None:
        upper, lower = (_winner_of(tournament, pairings, number - 1, each) for each in (2 * board - 1, 2 * board))
        return Meeting(number, board, None, (upper, lower))
    first = Side(tournament.player(pairing.first_id))
    second = Side(is_free=True) if pairing.second_id is None else Side(tournament.player(pairing.second_id))
    above = pairings.get((number - 1, 2 * board - 1))
    is_turned = number > 1 and (above is None or above.winner_id != pairing.first_id)
    return Meeting(number, board, pairing, (second, first) if is_turned else (first, second))


def _winner_of(tournament: Tournament, pairings: _Pairings, number: int, board: int) -> Side:
    """Return the player who goes on from a game: the winner, no one, or a player who is not known yet."""
    pairing = pairings.get((number, board))
    if pairing is None or pairing.verdict is None:
        is_to_come = tournament.stage is Stage.RUNNING and (pairing is not None or number > tournament.round)
        return Side(is_free=not is_to_come)
    player = None if pairing.winner_id is None else tournament.player(pairing.winner_id)
    return Side(is_free=True) if player is None or player.has_withdrawn else Side(player)
