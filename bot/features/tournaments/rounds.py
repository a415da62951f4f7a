"""Rounds of a tournament: the draw, the results of tables, and the next round or the end; pure functions.

`Director.run_advance_job` calls `settle_round` whenever a table of the tournament ends.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Final, TypeAlias

from bot.features.tournaments.model import (
    MOST_IN_ROUND_ROBIN,
    Format,
    Grounds,
    PairedTables,
    Pairing,
    Stage,
    Tournament,
    UserId,
    Verdict,
    numbers_of,
)
from bot.features.tournaments.pairing import (
    Match,
    Past,
    count_rounds,
    knockout_slots,
    round_robin,
    seat,
    shuffle,
    swiss_round,
    total_points,
)
from bot.tables.model import Status

Apart: TypeAlias = Collection[frozenset[UserId]]
"""The pairs of people to be kept apart if possible."""

_MOST_DRAWS: Final = 50
"""The most draws of a knock-out that are tried, to keep people apart in the first round."""


def begin_first_round(tournament: Tournament, seed: str, apart: Apart) -> Tournament:
    """Draw the players' numbers, settle the format and pair the first round."""
    count = len(tournament.players)
    kind = tournament.format or (Format.ROUND_ROBIN if count <= MOST_IN_ROUND_ROBIN else Format.SWISS)
    rounds = len(round_robin(count)) if kind is Format.ROUND_ROBIN else count_rounds(count)
    tournament = replace(tournament, stage=Stage.RUNNING, format=kind, rounds=rounds)
    draws = [seed, *(f"{seed}:{number}" for number in range(1, _MOST_DRAWS if kind is Format.KNOCKOUT else 1))]
    begun = (_begin_round(_draw(tournament, draw), apart) for draw in draws)
    first = next(begun)
    for drawn in (first, *begun):
        if not any(frozenset(pairing.people) in apart for pairing in drawn.pairings):
            return drawn
    return first


def settle_round(tournament: Tournament, tables: PairedTables, apart: Apart) -> Tournament:
    """Store the results of finished tables; once all are decided, begin the next round or end the tournament."""
    tournament = _keep_apart(take_results(tournament, tables), tables, apart)
    while tournament.stage is Stage.RUNNING and not tournament.in_play:
        tournament = _keep_apart(_begin_round(tournament, apart), tables, apart)
    return tournament


def take_results(tournament: Tournament, tables: PairedTables) -> Tournament:
    """Store the results of finished tables."""
    for pairing in tournament.in_play if tournament.stage is Stage.RUNNING else ():
        table = tables.get(pairing.part)
        if table is not None and table.status is Status.FINISHED and len(table.places) > 1:
            tournament = with_pairing(tournament, _with_result(pairing, table.places, tournament.format))
    return tournament


def forfeit(tournament: Tournament) -> Tournament:
    """Decide the pairings in play that a player has withdrawn from."""
    gone = {player.user_id for player in tournament.players if player.has_withdrawn}
    for pairing in tournament.in_play:
        present = [user_id for user_id in pairing.people if user_id not in gone]
        if len(present) < len(pairing.people):
            verdict = Verdict.NEITHER
            if present:
                verdict = Verdict.FIRST if present[0] == pairing.first_id else Verdict.SECOND
            tournament = with_pairing(tournament, replace(pairing, verdict=verdict, grounds=Grounds.WALKOVER))
    return tournament


def end(tournament: Tournament, stage: Stage) -> Tournament:
    """End a tournament, and delete the ids of its players' clicks, which only new tables would need."""
    players = tuple(replace(player, click_id=0) for player in tournament.players)
    return replace(tournament, stage=stage, is_late=False, is_checking_in=False, players=players, taken_out=())


def with_pairing(tournament: Tournament, pairing: Pairing) -> Tournament:
    """Return a tournament with a changed pairing."""
    place = (pairing.round, pairing.board)
    pairings = tuple(pairing if (other.round, other.board) == place else other for other in tournament.pairings)
    return replace(tournament, pairings=pairings)


def _draw(tournament: Tournament, seed: str) -> Tournament:
    order = shuffle((player.user_id for player in tournament.players), seed)
    players = sorted(tournament.players, key=lambda player: order.index(player.user_id))
    numbered = tuple(replace(player, number=number) for number, player in enumerate(players, 1))
    return replace(tournament, seed=seed, players=numbered)


def _keep_apart(tournament: Tournament, tables: PairedTables, apart: Apart) -> Tournament:
    """Decide the pairings without a table between people who are kept apart.

    Such a pairing is drawn; in a knock-out, the player with the lower number goes on.
    """
    numbers = numbers_of(tournament.players)
    for pairing in tournament.in_play:
        if pairing.part not in tables and frozenset(pairing.people) in apart:
            verdict = Verdict.DRAW
            if tournament.format is Format.KNOCKOUT:
                first_of_draw = min(pairing.people, key=lambda user_id: numbers[user_id])
                verdict = Verdict.FIRST if first_of_draw == pairing.first_id else Verdict.SECOND
            tournament = with_pairing(tournament, replace(pairing, verdict=verdict, grounds=Grounds.APART))
    return tournament


def _with_result(pairing: Pairing, places: tuple[int, ...], kind: Format | None) -> Pairing:
    """Return a pairing with its table's result; after a draw in a knock-out, the game is to be played again."""
    if places[0] == places[1]:
        if kind is Format.KNOCKOUT:
            return replace(pairing, attempt=pairing.attempt + 1)
        return replace(pairing, verdict=Verdict.DRAW, grounds=Grounds.PLAYED)
    winner_id = pairing.people[0 if places[0] < places[1] else 1]
    verdict = Verdict.FIRST if winner_id == pairing.first_id else Verdict.SECOND
    return replace(pairing, verdict=verdict, grounds=Grounds.PLAYED)


def _begin_round(tournament: Tournament, apart: Apart) -> Tournament:
    """Pair the next round, or finish if there is none or nobody is left to play it."""
    matches = _pair(tournament, apart) if tournament.round < tournament.rounds else {}
    if not matches:
        return end(tournament, Stage.FINISHED)
    number = tournament.round + 1
    ids = {player.number: player.user_id for player in tournament.players}
    # Only the draw of a knock-out has byes; later, a player without an opponent wins against withdrawn players.
    is_late_in_knockout = tournament.format is Format.KNOCKOUT and number > 1
    alone = Grounds.WALKOVER if is_late_in_knockout else Grounds.BYE
    pairings = tuple(
        Pairing(number, board, ids[first], None, Verdict.FIRST, alone)
        if second is None
        else Pairing(number, board, ids[first], ids[second])
        for board, (first, second) in matches.items()
    )
    return forfeit(replace(tournament, round=number, is_late=False, pairings=(*tournament.pairings, *pairings)))


def _pair(tournament: Tournament, apart: Apart) -> dict[int, Match]:
    """Return the matches of the next round by board."""
    match tournament.format:
        case Format.ROUND_ROBIN:
            return dict(enumerate(round_robin(len(tournament.players))[tournament.round], 1))
        case Format.KNOCKOUT:
            return _pair_knockout(tournament)
        case _:
            return _pair_swiss(tournament, apart)


def _pair_swiss(tournament: Tournament, apart: Apart) -> dict[int, Match]:
    if len(tournament.active) < 2:
        return {}
    numbers, points = numbers_of(tournament.players), total_points(tournament)
    # People do not come late to win without a game: a missed round counts as an earlier bye, but has no points.
    missed = [Match(player.number) for player in tournament.latecomers]
    past = Past(
        {player.number: points[player.user_id] for player in tournament.active},
        [*_past_matches(tournament), *missed],
        [frozenset(numbers[user_id] for user_id in pair) for pair in apart if pair <= numbers.keys()],
    )
    return dict(enumerate(swiss_round(past), 1))


def _pair_knockout(tournament: Tournament) -> dict[int, Match]:
    """Pair the winners of neighbouring boards; a winner without an opponent goes on, and an empty board stays empty."""
    if tournament.round == 0:
        slots = knockout_slots(len(tournament.players))
    else:
        numbers, boards = numbers_of(tournament.players), 2 ** (tournament.rounds - tournament.round)
        last = {pairing.board: pairing for pairing in tournament.pairings if pairing.round == tournament.round}
        winners = [last[board].winner_id if board in last else None for board in range(1, boards + 1)]
        active = {player.user_id for player in tournament.active}
        slots = [numbers[winner] if winner in active else None for winner in winners]
    found = {}
    for board in range(1, len(slots) // 2 + 1):
        present = [slot for slot in slots[2 * board - 2 : 2 * board] if slot is not None]
        if present:
            is_pair = len(present) > 1
            found[board] = seat(present[0], present[1], _past_matches(tournament)) if is_pair else Match(present[0])
    return found


def _past_matches(tournament: Tournament) -> list[Match]:
    numbers = numbers_of(tournament.players)
    return [
        Match(numbers[pairing.first_id], None if pairing.second_id is None else numbers[pairing.second_id])
        for pairing in tournament.pairings
    ]
