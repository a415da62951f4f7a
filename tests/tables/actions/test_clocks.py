"""Turn clocks: when they start, go on and stop, and who decides when time is up."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.platform.clock import Downtime
from bot.platform.places import Location, Person
from bot.tables.clocks import (
    add_downtime,
    call_time,
    choose_clock,
    let_computer_play,
    next_clock,
    period_of,
    wait_longer,
)
from bot.tables.control_entries import Resign, Substitute
from bot.tables.model import ClockState, Status, TurnClock
from bot.tables.refusals import HostReason, Stale
from bot.tables.seats import come_back, substitute_absent
from bot.tables.table import Table, apply_control_entry, apply_move
from tests.support.fakes import ALL_FIVE, NOON, PEOPLE, ROBIN, STRANGER, WREN, as_solo, make_table, mover_of
from tests.tables.refusals import refused_for

DAY = timedelta(days=1)
ONE_DAY = ClockState(TurnClock.ONE_DAY)


def make_timed_table(*, is_up: bool = False) -> Table:
    """A table of three whose player to move has until noon tomorrow."""
    clock = ClockState(TurnClock.ONE_DAY, NOON + DAY, is_up)
    return make_table(status=Status.PLAYING, clock=clock)


def others_of(table: Table) -> list[Person]:
    return [person for person in PEOPLE[:3] if person != mover_of(table)]


def after_roll(table: Table) -> Table:
    move = table.package.game.parse_move(ALL_FIVE)
    return apply_move(table, table.header.to_move or 0, move)


class TestClock:
    def test_it_starts_with_the_game(self) -> None:
        lobby = make_table(clock=ONE_DAY)
        started = make_table(status=Status.PLAYING, clock=ONE_DAY)
        assert next_clock(lobby, lobby, NOON, has_acted=True) == ONE_DAY
        assert next_clock(lobby, started, NOON, has_acted=True) == replace(ONE_DAY, ends_at=NOON + DAY)

    def test_it_starts_anew_with_each_turn_even_in_the_second_when_time_ends(self) -> None:
        table = make_timed_table()
        now = NOON + DAY
        assert next_clock(table, after_roll(table), now, has_acted=True) == replace(ONE_DAY, ends_at=now + DAY)

    def test_what_others_do_leaves_it_alone(self) -> None:
        table = make_timed_table(is_up=True)
        assert next_clock(table, table, NOON + DAY, has_acted=False) == table.header.clock

    def test_a_player_who_acts_after_the_end_has_all_the_time_again(self) -> None:
        table, now = make_timed_table(is_up=True), NOON + 2 * DAY
        assert next_clock(table, table, now, has_acted=True) == replace(ONE_DAY, ends_at=now + DAY)

    def test_it_stands_still_while_nobody_waits_for_a_person(self) -> None:
        table = make_timed_table()
        mover = table.header.to_move or 0
        stopped = [
            replace(table, header=replace(table.header, status=status, to_move=None))
            for status in (Status.ASIDE, Status.HELD, Status.FINISHED, Status.CANCELLED)
        ]
        stopped.append(apply_control_entry(table, mover, Substitute(mover)))
        alone = table
        for seat in range(3):
            alone = alone if seat == mover else apply_control_entry(alone, seat, Resign())
        stopped.append(replace(alone, header=replace(alone.header, status=Status.PLAYING, to_move=mover)))
        for after in stopped:
            assert next_clock(table, after, NOON, has_acted=True) == ONE_DAY
            assert next_clock(after, table, NOON, has_acted=True).ends_at == NOON + DAY

    def test_a_table_without_a_clock_keeps_none(self) -> None:
        table = make_table(status=Status.PLAYING)
        assert next_clock(table, after_roll(table), NOON, has_acted=True) == ClockState()


class TestChoice:
    def test_the_host_chooses_before_the_start(self) -> None:
        table = choose_clock(make_table(), ROBIN, TurnClock.ONE_DAY)
        assert table.header.clock == ONE_DAY
        with pytest.raises(Stale):
            choose_clock(table, ROBIN, TurnClock.ONE_DAY)
        for other, person, reason in (
            (table, WREN, HostReason.NOT_OPENER),
            (make_timed_table(), ROBIN, HostReason.ALREADY_STARTED),
            (as_solo(make_table()), ROBIN, HostReason.NO_SUCH_CHOICE),
            (make_table(location=Location(None, 7)), ROBIN, HostReason.NO_SUCH_CHOICE),
        ):
            with refused_for(reason):
                choose_clock(other, person, TurnClock.NONE)


class TestTimeUp:
    def test_only_the_time_of_this_turn_is_called_and_only_once(self) -> None:
        table = make_timed_table()
        called = call_time(table, NOON + DAY)
        assert called.header.clock.is_up
        for other, due_at in (
            (table, NOON + DAY - timedelta(microseconds=1)),
            (called, NOON + DAY),
            (make_table(status=Status.PLAYING, clock=ONE_DAY), NOON + DAY),
        ):
            with pytest.raises(Stale):
                call_time(other, due_at)

    def test_downtime_is_added_once_to_a_time_that_was_running(self) -> None:
        table, hour = make_timed_table(), timedelta(hours=1)
        later = add_downtime(table, Downtime(NOON + hour, NOON + 6 * hour))
        assert later.header.clock.ends_at == NOON + DAY + 5 * hour
        begun_meanwhile = add_downtime(table, Downtime(NOON - hour, NOON + 2 * hour))
        assert begun_meanwhile.header.clock.ends_at == NOON + DAY + 2 * hour
        for other, since in (
            (table, NOON - 5 * hour),
            (table, NOON + DAY),
            (make_timed_table(is_up=True), NOON + hour),
        ):
            with pytest.raises(Stale):
                add_downtime(other, Downtime(since, since + 5 * hour))

    def test_any_other_player_gives_more_time_once(self) -> None:
        table = make_timed_table(is_up=True)
        period, now = period_of(table), NOON + 2 * DAY
        after = wait_longer(table, others_of(table)[0], period, now)
        assert after.header.clock == replace(ONE_DAY, ends_at=now + DAY)
        for other in (after, after_roll(after), call_time(after, now + DAY)):
            with pytest.raises(Stale):
                wait_longer(other, others_of(table)[1], period, now)

    def test_any_other_player_lets_a_computer_play(self) -> None:
        table = make_timed_table(is_up=True)
        absent, decider = table.header.to_move or 0, others_of(table)[1]
        expected = table.seat_of(decider.id), Substitute(absent)
        assert let_computer_play(table, decider, period=period_of(table)) == expected
        assert substitute_absent(table, decider, NOON - DAY) == expected

    @pytest.mark.parametrize("decide", [wait_longer, let_computer_play])
    def test_nobody_else_decides(self, decide: Callable[..., object]) -> None:
        table = make_timed_table(is_up=True)
        mover = table.header.to_move or 0
        others = others_of(table)
        resigned_seat = table.seat_of(others[0].id) or 0
        resigned = apply_control_entry(table, resigned_seat, Resign())
        substituted = apply_control_entry(table, mover, Substitute(resigned_seat))
        extra = {"now": NOON} if decide is wait_longer else {}
        for other, person, reason in (
            (table, mover_of(table), HostReason.OWN_TURN),
            (table, STRANGER, HostReason.NOT_SEATED),
            (resigned, others[0], HostReason.RESIGNED),
            (substituted, others[0], HostReason.SUBSTITUTED),
        ):
            with refused_for(reason):
                decide(other, person, period=period_of(table), **extra)

    def test_nobody_is_substituted_while_time_is_left_however_silent(self) -> None:
        table = make_timed_table()
        with refused_for(HostReason.CLOCK_RUNS):
            substitute_absent(table, others_of(table)[0], NOON + DAY)

    def test_a_substituted_player_who_comes_back_has_all_the_time(self) -> None:
        table = make_timed_table(is_up=True)
        mover = table.header.to_move or 0
        away = apply_control_entry(table, mover, Substitute(mover))
        away = replace(away, header=replace(away.header, clock=ONE_DAY))
        seat, entry = come_back(away, mover_of(table))
        back = apply_control_entry(away, seat, entry)
        assert next_clock(away, back, NOON, has_acted=True) == replace(ONE_DAY, ends_at=NOON + DAY)
