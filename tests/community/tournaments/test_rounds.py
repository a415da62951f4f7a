"""Tournaments from the draw to the champion, without tables."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.features.tournaments import actions
from bot.features.tournaments.model import (
    DEADLINE_KIND,
    REMINDER_KIND,
    Announced,
    CancelledBy,
    Format,
    Grounds,
    PairedTable,
    Pairing,
    Player,
    Stage,
    Tournament,
    TournamentReason,
    Verdict,
    deadline_of,
    jobs_after,
)
from bot.features.tournaments.pairing import champions, rank
from bot.features.tournaments.rounds import settle_round, take_results
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables.model import Status
from tests.support.each_case import each_case

NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
HOST = Person(1, "Host")


def make_tournament(players: int, kind: Format | None = None) -> Tournament:
    people = tuple(Player(number, f"Player {number}", number) for number in range(1, players + 1))
    return Tournament(1, "Cup", "magpie", "{}", Location(1, 2), HOST, NOON, 72, kind, players=people)


def started(players: int, kind: Format | None = None, apart: frozenset[frozenset[int]] = frozenset()) -> Tournament:
    return actions.start(make_tournament(players, kind), "seed", apart)


def ended_tables(tournament: Tournament, places: tuple[int, int] | None = None) -> dict[int, PairedTable]:
    """Return the finished tables of the round; without places, chance decides."""
    chance = random.Random(tournament.round)
    return {
        each.part: PairedTable(
            each.part, each.part, Status.FINISHED, 5, None, places or chance.choice([(1, 2), (2, 1)])
        )
        for each in tournament.in_play
    }


def with_results(tournament: Tournament, places: tuple[int, int] | None = None) -> Tournament:
    """Finish all tables of the round; without places, chance decides."""
    return settle_round(tournament, ended_tables(tournament, places), ())


@each_case("kind", [None, *Format])
@each_case("players", range(2, 18))
def test_every_tournament_ends(players: int, kind: Format | None) -> None:
    if kind is Format.ROUND_ROBIN and players > 8:
        return
    tournament = started(players, kind)
    for number in range(1, tournament.rounds + 1):
        assert (tournament.stage, tournament.round) == (Stage.RUNNING, number)
        assert settle_round(tournament, {}, ()) == tournament, "nothing happens without results"
        tournament = with_results(tournament)
    assert tournament.stage is Stage.FINISHED
    assert {each.click_id for each in tournament.players} == {0}
    assert champions(tournament)
    if tournament.format is Format.KNOCKOUT:
        (champion,) = champions(tournament)
        losses = {each.opponent_of(each.winner_id or 0) for each in tournament.pairings if each.second_id}
        assert losses == {each.user_id for each in tournament.players} - {champion.user_id}
    assert sorted(each.player.user_id for each in rank(tournament)) == list(range(1, players + 1))


def test_the_number_of_players_decides_the_format() -> None:
    assert started(8).format is Format.ROUND_ROBIN
    assert (started(9).format, started(9).rounds) == (Format.SWISS, 4)
    assert started(5, Format.KNOCKOUT).format is Format.KNOCKOUT
    apart = frozenset({frozenset({1, 2})})
    assert started(8, apart=apart).format is Format.ROUND_ROBIN, "another one would tell that someone apart someone"


@each_case("kind", [Format.SWISS, Format.KNOCKOUT])
@each_case("blocked", range(2, 7))
def test_those_who_block_each_other_are_not_paired(kind: Format, blocked: int) -> None:
    apart = frozenset({frozenset({1, blocked})})
    tournament = started(6, kind, apart)
    assert {1, blocked} not in [set(each.people) for each in tournament.pairings]


@each_case("kind", Format)
@each_case("players", [2, 3, 4, 7])
def test_no_game_of_those_who_block_each_other_is_played_and_the_tournament_ends(kind: Format, players: int) -> None:
    apart = frozenset(frozenset({one, other}) for one in range(1, players + 1) for other in range(1, one))
    ended = settle_round(started(players, kind, apart), {}, apart)
    assert ended.stage is Stage.FINISHED
    games = [each for each in ended.pairings if each.second_id is not None]
    assert {each.grounds for each in games} == {Grounds.APART}
    if kind is Format.KNOCKOUT:
        assert [each.number for each in champions(ended)] == [1]
    else:
        assert {each.verdict for each in games} == {Verdict.DRAW}


def test_those_who_begin_to_block_each_other_play_on_at_their_table_only() -> None:
    tournament = started(4)
    (one, two) = tournament.in_play
    apart = frozenset(frozenset(each.people) for each in (one, two))
    tables = {one.part: PairedTable(one.part, one.part, Status.PLAYING, 5, None, ())}
    after = settle_round(tournament, tables, apart)
    assert after.pairings == (one, replace(two, verdict=Verdict.DRAW, grounds=Grounds.APART))


def test_a_drawn_game_of_a_knock_out_is_played_again_with_the_seats_swapped() -> None:
    tournament = started(2, Format.KNOCKOUT)
    (first,) = tournament.pairings
    again = with_results(tournament, (1, 1))
    (second,) = again.in_play
    assert second.people == first.people[::-1]
    assert second.part != first.part
    ended = with_results(again, (1, 2))
    assert [each.user_id for each in champions(ended)] == [second.people[0]]


def test_who_withdraws_loses_now_and_is_not_paired_again() -> None:
    tournament = started(6, Format.SWISS)
    left = tournament.pairings[0]
    tournament = actions.withdraw(tournament, left.first_id)
    assert tournament.pairings[0] == replace(left, verdict=Verdict.SECOND, grounds=Grounds.WALKOVER)
    tournament = with_results(tournament)
    assert tournament.round == 2
    assert left.first_id not in [who for each in tournament.pairings if each.round == 2 for who in each.people]


@each_case("kind", Format)
@each_case("is_last_game_over", [False, True])
def test_a_leader_who_withdraws_at_the_end_ranks_last_without_a_title(kind: Format, is_last_game_over: bool) -> None:
    tournament = started(7, kind)
    while tournament.round < tournament.rounds:
        tournament = with_results(tournament)
    tables = ended_tables(tournament)
    if is_last_game_over:
        tournament = take_results(tournament, tables)
        tables = {}
    leader = rank(tournament)[0]
    ended = settle_round(actions.withdraw(tournament, leader.player.user_id), tables, ())
    assert ended.stage is Stage.FINISHED
    last = rank(ended)[-1]
    assert (last.player.user_id, last.place, last.has_medal) == (leader.player.user_id, None, False)
    assert last.points == leader.points > 0, "their games still count"
    assert leader.player.user_id not in [player.user_id for player in champions(ended)]
    assert bool(champions(ended)) is not (kind is Format.KNOCKOUT and is_last_game_over)


def test_in_a_round_robin_the_others_win_against_who_has_withdrawn_and_of_two_such_both_lose() -> None:
    tournament = started(4)
    (one, third), (other, fourth) = (each.people for each in tournament.pairings)
    tournament = actions.withdraw(actions.withdraw(tournament, one), other)
    while tournament.stage is Stage.RUNNING:
        tournament = with_results(tournament, (1, 1))
    winners = {frozenset(each.people): each.winner_id for each in tournament.pairings}
    assert winners[frozenset({one, third})] == winners[frozenset({other, third})] == third
    assert winners[frozenset({one, other})] is None
    assert {each.user_id for each in champions(tournament)} == {third, fourth}


def test_without_opponents_a_tournament_ends() -> None:
    swiss = started(3, Format.SWISS)
    for each in (1, 2):
        swiss = actions.withdraw(swiss, each)
    assert settle_round(swiss, {}, ()).stage is Stage.FINISHED
    knockout = started(4, Format.KNOCKOUT)
    for each in range(1, 5):
        knockout = actions.withdraw(knockout, each)
    ended = settle_round(knockout, {}, ())
    assert ended.stage is Stage.FINISHED
    assert len(champions(ended)) <= 1


def test_a_cancelled_tournament_forgets_the_clicks_of_its_players() -> None:
    cancelled = actions.cancel(started(4), CancelledBy.ORGANIZER)
    assert actions.cancel(cancelled, CancelledBy.OPENER) == cancelled
    assert cancelled.stage is Stage.CANCELLED
    assert {each.click_id for each in cancelled.players} == {0}


def test_a_decision_stays() -> None:
    tournament = started(4)
    place = (1, tournament.in_play[0].board)
    decided = actions.decide(tournament, place, Verdict.NEITHER)
    assert decided.pairings[0].verdict is Verdict.NEITHER
    assert actions.decide(decided, place, Verdict.FIRST) == decided, "a late click"


def test_more_time_is_added_to_the_deadline_or_begins_now_and_players_are_reminded_again() -> None:
    due, now, hour = NOON + timedelta(hours=9), NOON + timedelta(hours=1), timedelta(hours=1)
    tournament = replace(started(2), due_at=due)
    tournament = replace(tournament, pairings=(replace(tournament.pairings[0], is_reminded=True),))
    extended = actions.extend(tournament, (1, deadline_of(tournament)), hour, now)
    assert extended.due_at == due + hour
    assert not extended.pairings[0].is_reminded
    assert actions.extend(extended, (1, deadline_of(tournament)), hour, now) == extended, "a second click"
    jobs = {job.kind: job.due_at for job in jobs_after(tournament, extended, now)}
    assert jobs[DEADLINE_KIND] == due + hour
    assert jobs[REMINDER_KIND] == now + (due + hour - now) / 2
    late = replace(tournament, is_late=True, due_at=None)
    granted = actions.extend(late, (1, 0), hour, now)
    assert (granted.is_late, granted.due_at) == (False, now + hour)


LATE = Person(98, "Late")


@each_case("players", range(3, 9))
def test_latecomers_of_a_swiss_come_last_without_points_or_a_bye(players: int) -> None:
    late = actions.join(started(players, Format.SWISS), LATE, 9)
    assert late.players[-1] == Player(LATE.id, LATE.name, 9, number=players + 1)
    assert actions.join(late, LATE, 10) == late
    second = with_results(late)
    assert (second.round, second.rounds) == (2, late.rounds)
    (standing,) = [each for each in rank(second) if each.player.user_id == LATE.id]
    assert (standing.points, standing.tie_break) == (0, 0)
    (theirs,) = [each for each in second.pairings if LATE.id in each.people]
    assert (theirs.round, theirs.grounds) == (2, None)


def test_who_may_not_join_after_the_start() -> None:
    swiss = started(4, Format.SWISS)
    full = actions.join(started(63, Format.SWISS), LATE, 9)
    left = actions.withdraw(actions.join(swiss, LATE, 9), LATE.id)
    refused = [
        (with_results(swiss), LATE, TournamentReason.HAS_STARTED),
        (started(2, Format.SWISS), LATE, TournamentReason.HAS_STARTED),
        (started(4, Format.ROUND_ROBIN), LATE, TournamentReason.HAS_STARTED),
        (started(4, Format.KNOCKOUT), LATE, TournamentReason.HAS_STARTED),
        (left, LATE, TournamentReason.HAS_WITHDRAWN),
        (full, Person(99, "Later"), TournamentReason.FULL),
    ]
    for tournament, person, reason in refused:
        with pytest.raises(Refusal) as refusal:
            actions.join(tournament, person, 9)
        assert refusal.value.reason is reason


def test_a_player_taken_out_before_the_start_joins_again_only_if_an_organizer_allows_it() -> None:
    joined = actions.join(make_tournament(4, Format.SWISS), LATE, 9)
    out = actions.take_out(joined, LATE, 10)
    assert actions.take_out(out, LATE, 11) == out
    assert LATE.id not in {player.user_id for player in out.players}
    left = actions.take_out(actions.leave(joined, LATE.id), LATE, 10)
    for tournament in (out, left, actions.start(out, "s", ())):
        with pytest.raises(Refusal, match=TournamentReason.TAKEN_OUT):
            actions.join(tournament, LATE, 10)
    assert actions.join(actions.readmit(out, LATE.id), LATE, 9) == joined
    invited = actions.replace_player(out, 1, LATE, 9)
    assert actions.join(actions.leave(invited, LATE.id), LATE, 9).player(LATE.id)
    with pytest.raises(Refusal, match=TournamentReason.NOT_TAKEN_OUT):
        actions.readmit(joined, LATE.id)


def checking_in(players: int, *here: int) -> Tournament:
    tournament = actions.open_check_in(replace(make_tournament(players), check_in_minutes=30))
    for user_id in here:
        tournament = actions.check_in(tournament, user_id)
    return tournament


def test_only_players_who_checked_in_are_drawn() -> None:
    opened = actions.join(checking_in(4, 2, 4), LATE, 9)
    by_organizer = actions.start(opened, "s", ())
    assert actions.start_on_time(opened, "s", ()) == by_organizer
    assert {player.user_id for player in by_organizer.players} == {2, 4, LATE.id}
    before = replace(make_tournament(4), check_in_minutes=30)
    assert len(actions.start(before, "s", ()).players) == 4
    assert actions.open_check_in(by_organizer) == by_organizer
    assert actions.start_on_time(by_organizer, "another", ()) == by_organizer


def test_a_moved_start_closes_a_check_in_that_would_not_be_open_yet() -> None:
    half_an_hour = NOON + timedelta(minutes=30)
    opened = replace(checking_in(4, 2), starts_at=NOON + timedelta(minutes=20), announced=Announced.CHECK_IN)
    assert actions.reschedule(opened, half_an_hour, NOON) == replace(opened, starts_at=half_an_hour)
    for starts_at in (half_an_hour + timedelta(minutes=1), None):
        later = actions.reschedule(opened, starts_at, NOON)
        assert (later.starts_at, later.is_checking_in, later.announced) == (starts_at, False, Announced.CHECK_IN)
        assert len(later.drawn) == 4
        assert len(actions.open_check_in(later).drawn) == 0
    unplanned = actions.reschedule(opened, None, NOON)
    for tournament, too_soon in ((opened, NOON), (unplanned, half_an_hour)):
        with pytest.raises(Refusal, match=TournamentReason.CHECK_IN_TOO_LONG):
            actions.reschedule(tournament, too_soon, NOON)
    with pytest.raises(Refusal, match=TournamentReason.HAS_STARTED):
        actions.reschedule(started(4), None, NOON)


def test_a_tournament_whose_players_do_not_come_is_cancelled_at_its_time() -> None:
    for lonely in (checking_in(4, 2), make_tournament(1)):
        assert actions.start_on_time(lonely, "s", ()).stage is Stage.CANCELLED
        with pytest.raises(Refusal, match="tournament_too_few"):
            actions.start(lonely, "s", ())


def test_joining_ends_with_the_start_and_at_the_limit() -> None:
    tournament = make_tournament(8, Format.ROUND_ROBIN)
    assert actions.join(tournament, Person(3, "Player 3"), 9) == tournament
    with pytest.raises(Refusal, match="tournament_full"):
        actions.join(tournament, LATE, 9)
    with pytest.raises(Refusal, match="tournament_has_started"):
        actions.leave(started(3), 1)
    with pytest.raises(Refusal, match="tournament_too_few"):
        started(1)
    with pytest.raises(Refusal, match="tournament_over"):
        actions.start(actions.abandon(make_tournament(4)), "s", ())


def table_of(kind: Format, *results: tuple[int, int, Verdict]) -> list[tuple[int, int | None]]:
    """Return the players with their places after some games."""
    tournament = make_tournament(4, kind)
    players = tuple(replace(each, number=each.user_id) for each in tournament.players)
    games = tuple(
        Pairing(number, 1, one, other, verdict, Grounds.PLAYED)
        for number, (one, other, verdict) in enumerate(results, 1)
    )
    return [(each.player.user_id, each.place) for each in rank(replace(tournament, players=players, pairings=games))]


def test_ties_are_broken_by_the_games_between_the_tied_then_by_whom_they_beat_and_then_shared() -> None:
    first, second, draw = Verdict.FIRST, Verdict.SECOND, Verdict.DRAW
    # 2 and 1 have two points each, and 2 won their game.
    direct = ((1, 2, second), (1, 3, first), (1, 4, first), (2, 3, second), (2, 4, first), (3, 4, draw))
    assert table_of(Format.ROUND_ROBIN, *direct) == [(2, 1), (1, 2), (3, 3), (4, 4)]
    # 1, 2 and 3 beat each other in a circle, and all beat 4.
    circle = ((1, 2, first), (2, 3, first), (3, 1, first), (1, 4, first), (2, 4, first), (3, 4, first))
    assert table_of(Format.ROUND_ROBIN, *circle) == [(1, 1), (2, 1), (3, 1), (4, 4)]
    # Not all of 1, 2 and 3 have met; the opponents of 2 and 3 have more points than that of 1.
    strength = ((1, 4, first), (2, 3, first), (3, 4, first))
    assert table_of(Format.SWISS, *strength) == [(2, 1), (3, 1), (1, 3), (4, 4)]
