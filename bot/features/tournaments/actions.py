"""Actions of people on a tournament: pure functions that return the changed tournament, or refuse."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from bot.features.tournaments.model import (
    LEAST_PLAYERS,
    CancelledBy,
    Grounds,
    Player,
    Stage,
    Tournament,
    TournamentReason,
    UserId,
    Verdict,
    deadline_of,
)
from bot.features.tournaments.rounds import Apart, begin_first_round, end, forfeit, with_pairing
from bot.platform.places import Person
from bot.rules.refusals import Refusal


def join(tournament: Tournament, person: Person, click_id: int) -> Tournament:
    """Add a player, after the start at the end of the draw; a second click changes nothing."""
    is_late = tournament.takes_latecomers
    if not is_late:
        _require_joining(tournament)
    known = tournament.player(person.id)
    if known is not None:
        if known.has_withdrawn:
            raise Refusal(TournamentReason.HAS_WITHDRAWN)
        return tournament
    if person.id in _ids(tournament.taken_out):
        raise Refusal(TournamentReason.TAKEN_OUT)
    count = len(tournament.players)
    if count >= tournament.most_players:
        raise Refusal(TournamentReason.FULL)
    number = count + 1 if is_late else 0
    player = Player(person.id, person.name, click_id, number, has_checked_in=tournament.is_checking_in)
    return replace(tournament, players=(*tournament.players, player))


def choose_options(tournament: Tournament, options: str) -> Tournament:
    """Choose the options of the games before the start."""
    _require_joining(tournament)
    return replace(tournament, options=options)


def leave(tournament: Tournament, user_id: UserId) -> Tournament:
    """Remove a player before the start; other people are ignored."""
    _require_joining(tournament)
    return replace(tournament, players=tuple(player for player in tournament.players if player.user_id != user_id))


def start(tournament: Tournament, seed: str, apart: Apart) -> Tournament:
    """Draw the players' numbers and pair the first round; a second click changes nothing."""
    if tournament.stage is Stage.RUNNING:
        return tournament
    _require_joining(tournament)
    if len(tournament.drawn) < LEAST_PLAYERS:
        raise Refusal(TournamentReason.TOO_FEW)
    return _begin(tournament, seed, apart)


def start_on_time(tournament: Tournament, seed: str, apart: Apart) -> Tournament:
    """Start a tournament whose time has come, or cancel it if too few players are there; ignore any other."""
    if tournament.stage is not Stage.JOINING:
        return tournament
    return abandon(tournament) if len(tournament.drawn) < LEAST_PLAYERS else _begin(tournament, seed, apart)


def open_check_in(tournament: Tournament) -> Tournament:
    """Open the check-in of a tournament that has one and has not started; ignore any other."""
    has_one = tournament.stage is Stage.JOINING and tournament.check_in_minutes > 0
    return replace(tournament, is_checking_in=True) if has_one else tournament


def check_in(tournament: Tournament, user_id: UserId) -> Tournament:
    """Note that a player is there; a second click changes nothing."""
    if not tournament.is_checking_in:
        raise Refusal(TournamentReason.NOT_CHECKING_IN)
    if tournament.player(user_id) is None:
        raise Refusal(TournamentReason.NOT_IN_IT)
    players = tuple(
        replace(player, has_checked_in=True) if player.user_id == user_id else player for player in tournament.players
    )
    return replace(tournament, players=players)


def reschedule(tournament: Tournament, starts_at: datetime | None, now: datetime) -> Tournament:
    """Move the start, or leave it to the organizers; a check-in that is open goes on only if it would be open then.

    If it opens again, the players are not called again: otherwise a member could mention them all without end.
    """
    _require_joining(tournament)
    time = timedelta(minutes=tournament.check_in_minutes)
    if tournament.is_checking_in and (starts_at is None or starts_at > now + time):
        players = tuple(replace(player, has_checked_in=False) for player in tournament.players)
        tournament = replace(tournament, is_checking_in=False, players=players)
    if starts_at is not None and starts_at <= now + tournament.check_in_ahead:
        raise Refusal(TournamentReason.CHECK_IN_TOO_LONG)
    return replace(tournament, starts_at=starts_at)


def cancel(tournament: Tournament, by: CancelledBy) -> Tournament:
    """End a tournament without a champion; a second click changes nothing."""
    if tournament.stage is Stage.FINISHED:
        raise Refusal(TournamentReason.OVER)
    return replace(abandon(tournament), cancelled_by=by) if tournament.stage.is_open else tournament


def abandon(tournament: Tournament) -> Tournament:
    """End a tournament without a champion, unless it is over."""
    return end(tournament, Stage.CANCELLED) if tournament.stage.is_open else tournament


def withdraw(tournament: Tournament, user_id: UserId) -> Tournament:
    """Withdraw a player: their present opponent wins, and they are not paired again."""
    if tournament.stage is Stage.JOINING:
        return leave(tournament, user_id)
    if tournament.stage is not Stage.RUNNING:
        raise Refusal(TournamentReason.OVER)
    players = tuple(
        replace(player, has_withdrawn=True) if player.user_id == user_id else player for player in tournament.players
    )
    return forfeit(replace(tournament, players=players))


def take_out(tournament: Tournament, person: Person, click_id: int) -> Tournament:
    """Withdraw a player on behalf of an organizer; before the start, keep any person from joining."""
    taken_out = tournament.taken_out
    if tournament.stage is Stage.JOINING and person.id not in _ids(taken_out):
        taken_out = (*taken_out, tournament.player(person.id) or Player(person.id, person.name, click_id))
    return replace(withdraw(tournament, person.id), taken_out=taken_out)


def readmit(tournament: Tournament, user_id: UserId) -> Tournament:
    """Let a person join again who was taken out before the start."""
    if user_id not in _ids(tournament.taken_out):
        raise Refusal(TournamentReason.NOT_TAKEN_OUT)
    return _with_readmitted(tournament, user_id)


def replace_player(tournament: Tournament, player_id: UserId, person: Person, click_id: int) -> Tournament:
    """Give a player's place in the draw, with its results and pairings, to another person."""
    if not tournament.stage.is_open:
        raise Refusal(TournamentReason.OVER)
    player = tournament.player(player_id)
    if player is None or player.has_withdrawn:
        raise Refusal(TournamentReason.THEY_ARE_NOT_IN_IT)
    if tournament.player(person.id) is not None:
        raise Refusal(TournamentReason.PLAYS_ALREADY)
    has_checked_in = player.has_checked_in or tournament.is_checking_in
    new = replace(player, user_id=person.id, name=person.name, click_id=click_id, has_checked_in=has_checked_in)
    pairings = tuple(
        replace(
            pairing,
            first_id=person.id if pairing.first_id == player_id else pairing.first_id,
            second_id=person.id if pairing.second_id == player_id else pairing.second_id,
        )
        for pairing in tournament.pairings
    )
    players = tuple(new if each == player else each for each in tournament.players)
    return replace(_with_readmitted(tournament, person.id), players=players, pairings=pairings)


def decide(tournament: Tournament, place: tuple[int, int], verdict: Verdict) -> Tournament:
    """Decide a pairing of the present round, on behalf of an organizer; an earlier decision or result stays.

    Args:
        tournament: The tournament.
        place: The pairing's round and board.
        verdict: Who wins without a game.
    """
    if tournament.stage is not Stage.RUNNING:
        raise Refusal(TournamentReason.NOT_RUNNING)
    pairing = next((pairing for pairing in tournament.in_play if (pairing.round, pairing.board) == place), None)
    if pairing is None:
        return tournament
    return with_pairing(tournament, replace(pairing, verdict=verdict, grounds=Grounds.WALKOVER))


def extend(tournament: Tournament, shown: tuple[int, int], time: timedelta, now: datetime) -> Tournament:
    """Give a round more time, on behalf of an organizer; a second click changes nothing.

    Args:
        tournament: The tournament.
        shown: The round and its deadline, as `deadline_of` has it, that the organizer saw.
        time: The time, which begins now if the round's own is up.
        now: The present time.
    """
    if tournament.stage is not Stage.RUNNING:
        raise Refusal(TournamentReason.NOT_RUNNING)
    if shown != (tournament.round, deadline_of(tournament)):
        return tournament
    begin = now if tournament.is_late or tournament.due_at is None else max(now, tournament.due_at)
    tournament = replace(tournament, is_late=False, due_at=begin + time)
    for pairing in tournament.in_play:
        tournament = with_pairing(tournament, replace(pairing, is_reminded=False))
    return tournament


def _begin(tournament: Tournament, seed: str, apart: Apart) -> Tournament:
    """Begin the first round, without the players who missed the check-in."""
    return begin_first_round(replace(tournament, players=tournament.drawn, is_checking_in=False), seed, apart)


def _with_readmitted(tournament: Tournament, user_id: UserId) -> Tournament:
    return replace(tournament, taken_out=tuple(each for each in tournament.taken_out if each.user_id != user_id))


def _ids(players: Iterable[Player]) -> set[UserId]:
    return {player.user_id for player in players}


def _require_joining(tournament: Tournament) -> None:
    if tournament.stage is Stage.RUNNING:
        raise Refusal(TournamentReason.HAS_STARTED)
    if tournament.stage is not Stage.JOINING:
        raise Refusal(TournamentReason.OVER)
