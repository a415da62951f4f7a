"""Actions in a lobby: which player may take them, their effects, and options that no longer fit their game."""

import hashlib
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Protocol

import pytest

from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables import closing, lobby, lobby as lobby_actions, turns
from bot.tables.characters import name_seats
from bot.tables.lobby import digest_of_options
from bot.tables.model import Occupant, Status, StoredTable
from bot.tables.opening import play_again
from bot.tables.refusals import HostReason, Stale, TableFacts
from bot.tables.registry import RANDOM_LEVEL
from bot.tables.seats import SeatControlEntry, resign_seat
from bot.tables.service import TableService
from bot.tables.table import Table, salt_of
from tests.support.broken_games import with_broken_tables
from tests.support.each_case import each_case
from tests.support.fakes import (
    JAY,
    LINNET,
    NOON,
    ROBIN,
    START_CLICK,
    STRANGER,
    WREN,
    FakeClock,
    as_solo,
    make_service,
    make_table,
    open_lobby,
    start_game,
)
from tests.support.memory_database import MemoryDatabase
from tests.tables.refusals import refused_for


class LobbyActionCall(Protocol):
    def __call__(self, table: Table, person: Person, /) -> Table | None: ...


def granted_action(controlled: SeatControlEntry) -> None:
    """Accept a control entry without applying it."""


ACTIONS: dict[str, LobbyActionCall] = {
    "join": lambda table, person: lobby.join(table, person, 1),
    "leave": lobby.leave,
    "add": lambda table, person: lobby.add_computer(table, person, table.header.revision, "strong"),
    "kick": lambda table, person: lobby.kick(table, person, JAY.id),
    "option": lambda table, person: lobby.choose_option(table, person, "target", "250", digest_of_options(table)),
    "remove player": lambda table, person: lobby.remove_player(table, person, table.header.revision, 2),
    "start": lambda table, person: lobby.start(table, person, START_CLICK),
    "cancel": lambda table, person: closing.cancel(table, person, is_moderator=False),
    "play": lambda table, person: turns.require_turn(table, person, table.header.step),
    "resign": lambda table, person: granted_action(resign_seat(table, person)),
}

ALLOWED = None
STARTED = HostReason.ALREADY_STARTED
OVER = HostReason.TABLE_OVER
NOT_OPENER = HostReason.NOT_OPENER
NOT_CLOSER = HostReason.NOT_OPENER_NOR_MODERATOR

IN_LOBBY = ("join", "leave", "add", "kick", "option", "remove player", "start")

# For each status and action: what the opener, another player and a stranger get.
MATRIX: dict[Status, dict[str, tuple[HostReason | None, HostReason | None, HostReason | None]]] = {
    Status.LOBBY: {
        "join": (HostReason.ALREADY_SEATED, HostReason.ALREADY_SEATED, ALLOWED),
        "leave": (ALLOWED, ALLOWED, HostReason.NOT_SEATED),
        **dict.fromkeys(("add", "kick", "option", "remove player"), (ALLOWED, NOT_OPENER, NOT_OPENER)),
        "start": (ALLOWED, HostReason.NOT_STARTER, HostReason.NOT_SEATED),
        "cancel": (ALLOWED, NOT_CLOSER, NOT_CLOSER),
        **dict.fromkeys(("play", "resign"), (HostReason.NOT_STARTED,) * 3),
    },
    Status.PLAYING: {
        **dict.fromkeys(IN_LOBBY, (STARTED,) * 3),
        "cancel": (ALLOWED, NOT_CLOSER, NOT_CLOSER),
        "play": (ALLOWED, HostReason.NOT_YOUR_TURN, HostReason.NOT_SEATED),
        "resign": (ALLOWED, ALLOWED, HostReason.NOT_SEATED),
    },
    Status.HELD: {
        **dict.fromkeys(IN_LOBBY, (STARTED,) * 3),
        "cancel": (ALLOWED, NOT_CLOSER, NOT_CLOSER),
        **dict.fromkeys(("play", "resign"), (HostReason.TABLE_HELD,) * 3),
    },
    Status.FINISHED: dict.fromkeys(ACTIONS, (OVER,) * 3),
    Status.CANCELLED: dict.fromkeys(ACTIONS, (OVER,) * 3),
    Status.EXPIRED: dict.fromkeys(ACTIONS, (OVER,) * 3),
    Status.ASIDE: dict.fromkeys(ACTIONS, (HostReason.PUT_ASIDE,) * 3),
    Status.HELD_ASIDE: dict.fromkeys(ACTIONS, (HostReason.PUT_ASIDE,) * 3),
    Status.ABANDONED: dict.fromkeys(ACTIONS, (OVER,) * 3),
}

CASES = [
    (status, action, role, expected)
    for status, rows in MATRIX.items()
    for action, row in rows.items()
    for role, expected in enumerate(row)
]


def table_of(status: Status) -> Table:
    """A table of three people, where the opener is to move if anyone is."""
    table = make_table(status=status)
    if status is not Status.PLAYING:
        return table
    return replace(table, header=replace(table.header, to_move=0))


def test_every_action_is_tried_at_every_status() -> None:
    assert set(MATRIX) == set(Status)
    assert all(set(rows) == set(ACTIONS) for rows in MATRIX.values())


@each_case("status, action, role, expected", CASES)
def test_each_action_is_limited_to_its_people(
    status: Status, action: str, role: int, expected: HostReason | None
) -> None:
    table, person = table_of(status), (ROBIN, WREN, STRANGER)[role]
    if expected is ALLOWED:
        ACTIONS[action](table, person)
        return
    with pytest.raises(Refusal) as refused:
        ACTIONS[action](table, person)
    assert refused.value.reason is expected
    assert refused.value.facts == TableFacts(table)


@each_case("status", list(Status))
def test_a_moderator_may_cancel_any_open_table(status: Status) -> None:
    if status in (Status.LOBBY, Status.PLAYING, Status.HELD):
        after = closing.cancel(table_of(status), STRANGER, is_moderator=True)
        assert (after.header.status, after.header.to_move) == (Status.CANCELLED, None)
        return
    with refused_for(HostReason.PUT_ASIDE if status in (Status.ASIDE, Status.HELD_ASIDE) else OVER):
        closing.cancel(table_of(status), ROBIN, is_moderator=True)


class TestSeats:
    @each_case("name, cut", [("x" * 100, "x" * 32), ("x" + "🇫🇮" * 20, "x" + "🇫🇮" * 15)])
    def test_a_long_name_is_cut_to_what_discord_allows_and_no_emoji_in_two(self, name: str, cut: str) -> None:
        assert lobby.make_occupant(Person(1, name), 1).name == cut

    @each_case("action", ["join", "add"])
    def test_a_full_table_cannot_be_joined(self, action: str) -> None:
        table = make_table(*(lobby.make_occupant(Person(at, str(at)), at) for at in range(1, 7)))
        with refused_for(HostReason.TABLE_FULL):
            ACTIONS[action](table, STRANGER if action == "join" else Person(1, "1"))

    def test_people_are_seated_in_the_order_they_join_and_leaving_moves_the_seats_behind_up(self) -> None:
        table = lobby.join(lobby.join(make_table(lobby.make_occupant(ROBIN, 1)), WREN, 22), JAY, 3)
        assert table.seats[:2] == (
            Occupant("Robin", user_id=ROBIN.id, contribution="1"),
            Occupant("Wren", user_id=WREN.id, contribution="22"),
        )
        after = lobby.leave(table, WREN)
        assert [who.name for who in after.seats] == ["Robin", "Jay"]
        assert after.header.opener_id == ROBIN.id

    def test_an_opener_who_leaves_passes_the_table_on_to_the_next_person(self) -> None:
        computer = Occupant(level="normal")
        table = make_table(lobby.make_occupant(ROBIN, 1), computer, lobby.make_occupant(JAY, 2))
        after = lobby.leave(table, ROBIN)
        assert after.header.opener_id == JAY.id
        assert after.header.status is Status.LOBBY

    @each_case("computers", [0, 2])
    def test_the_last_person_out_closes_the_table(self, computers: int) -> None:
        table = make_table(lobby.make_occupant(ROBIN, 1))
        for _ in range(computers):
            table = lobby.with_computer(table)
        assert lobby.leave(table, ROBIN).header.status is Status.CANCELLED


def add_strong(table: Table, person: Person, revision: int) -> Table:
    return lobby.add_computer(table, person, revision, "strong")


def remove_second(table: Table, person: Person, revision: int) -> Table:
    return lobby.remove_player(table, person, revision, 1)


class TestComputers:
    def test_the_name_of_a_computer_player_follows_from_its_level_and_order_at_the_table(self) -> None:
        seats = [Occupant(level=level) for level in ("strong", "easy", "strong", "level of some game", "normal")]
        assert name_seats((Occupant("Robin", 1), *seats)) == ("Robin", "Vesper", "Pip", "Onyx", "Rusty", "Bramble")
        assert name_seats(seats[1:])[1] == "Vesper"

    @each_case("level", ["easy", "normal", "strong"])
    def test_five_computer_players_of_a_level_have_different_names(self, level: str) -> None:
        assert len(set(name_seats([Occupant(level=level)] * 5))) == 5

    def test_no_computer_player_has_the_name_of_a_person(self) -> None:
        assert name_seats((Occupant(level="strong"), Occupant("Vesper", 1))) == ("Onyx", "Vesper")

    @each_case("levels, usual", [("easy normal strong", "normal"), ("weak mean", "mean"), ("", RANDOM_LEVEL)])
    def test_computer_players_play_at_the_usual_level(self, levels: str, usual: str) -> None:
        players = dict.fromkeys(levels.split(), MAGPIE.mind.strategies["normal"])
        table = make_table(
            lobby.make_occupant(ROBIN, 1), package=replace(MAGPIE, mind=replace(MAGPIE.mind, strategies=players))
        )
        added = lobby.with_computer(table).seats[-1]
        assert (added.level, added.is_computer) == (usual, True)

    def test_each_computer_player_has_the_level_it_was_chosen_with(self) -> None:
        table = make_table(lobby.make_occupant(ROBIN, 1))
        for level in ("strong", "easy", "strong"):
            table = lobby.add_computer(table, ROBIN, 1, level)
        assert [who.level for who in lobby.start(table, ROBIN, START_CLICK).seats] == [None, "strong", "easy", "strong"]

    def test_people_only_frees_the_seats_of_all_computer_players(self) -> None:
        table = lobby.with_computer(lobby.with_computer(make_table(lobby.make_occupant(ROBIN, 1))))
        table = lobby.remove_computers(lobby.join(table, WREN, 2), ROBIN, 1)
        assert [who.name for who in table.seats] == ["Robin", "Wren"]
        with pytest.raises(Stale):
            lobby.remove_computers(table, ROBIN, 1)

    def test_only_levels_that_can_play_are_seated(self) -> None:
        with refused_for(HostReason.NO_SUCH_CHOICE):
            lobby.add_computer(make_table(), ROBIN, 1, "mean")
        broken = make_table(package=with_broken_tables(MAGPIE))
        with pytest.raises(Stale):
            lobby.add_computer(broken, ROBIN, 1, "strong")
        assert lobby.add_computer(broken, ROBIN, 1, "normal").seats[-1].level == "normal"

    def test_a_level_that_can_no_longer_play_is_replaced_at_the_start(self) -> None:
        table = lobby.add_computer(make_table(lobby.make_occupant(ROBIN, 1)), ROBIN, 1, "strong")
        broken = replace(table, package=with_broken_tables(table.package))
        assert lobby.start(broken, ROBIN, START_CLICK).seats[-1].level == "normal"
        assert lobby.start(table, ROBIN, START_CLICK).seats[-1].level == "strong"

    @each_case("action", [add_strong, lobby.remove_computers, remove_second])
    @each_case("revision", [1, 3])
    def test_a_click_on_an_older_revision_of_the_lobby_is_stale(
        self, action: Callable[[Table, Person, int], Table], revision: int
    ) -> None:
        table = lobby.with_computer(make_table(revision=2))
        with pytest.raises(Stale):
            action(table, ROBIN, revision)


class TestRemovingPlayers:
    @each_case("seat, left", [(1, ["Robin", "Jay", "Rusty"]), (3, ["Robin", "Wren", "Jay"])])
    def test_the_opener_removes_a_person_or_a_computer_player(self, seat: int, left: list[str]) -> None:
        table = lobby.with_computer(make_table())
        assert list(name_seats(lobby.remove_player(table, ROBIN, 1, seat).seats)) == left

    @each_case("seat, person, reason", [(0, ROBIN, HostReason.ONLY_LEAVE), (3, LINNET, HostReason.THEY_HAVE_NO_SEAT)])
    def test_an_own_or_free_seat_is_refused(self, seat: int, person: Person, reason: HostReason) -> None:
        with refused_for(reason):
            lobby.remove_player(make_table(), ROBIN, 1, seat)
        with refused_for(reason):
            lobby.kick(make_table(), ROBIN, person.id)


class TestStart:
    @each_case("people, seats", [(1, 2), (2, 2), (3, 3), (6, 6)])
    def test_computers_fill_only_the_seats_that_the_game_needs(self, people: int, seats: int) -> None:
        table = make_table(*(lobby.make_occupant(Person(at, f"P{at}"), at) for at in range(1, people + 1)))
        after = lobby.start(table, Person(1, "P1"), START_CLICK)
        assert len(after.seats) == seats
        assert [who.is_computer for who in after.seats] == [False] * people + [True] * (seats - people)

    @each_case("away_since", [None, NOON])
    def test_in_a_solo_game_only_the_owner_can_start(self, away_since: datetime | None) -> None:
        with refused_for(HostReason.NOT_YOUR_GAME):
            lobby.start(as_solo(make_table()), STRANGER, START_CLICK, away_since)

    def test_a_started_game_has_its_first_position_and_mover_and_the_chosen_options(self) -> None:
        after = lobby.start(make_table(options='{"target": 250, "reroll_fours": true}'), ROBIN, START_CLICK)
        assert (after.header.status, after.header.step) == (Status.PLAYING, 0)
        assert after.header.to_move == after.state.roll_off[-1].leaders[0]
        assert (after.state.options.target, after.state.options.reroll_fours) == (250, True)


class TestContributions:
    def test_each_seat_contributes_the_click_that_joins_and_the_starter_the_click_that_starts(self) -> None:
        table = lobby.with_computer(make_table())
        after = lobby.start(table, ROBIN, 777)
        assert [who.contribution for who in table.seats] == ["500", "501", "502", "computer:normal"]
        assert [who.contribution for who in after.seats] == ["777", "501", "502", "computer:normal"]
        assert after.header.salt == hashlib.sha256(b"777\n501\n502\ncomputer:normal\n").hexdigest()

    def test_a_player_who_starts_for_an_absent_opener_contributes_in_their_own_seat(self) -> None:
        after = lobby.start(lobby.leave(make_table(), ROBIN), WREN, 777)
        assert [who.contribution for who in after.seats] == ["777", "502"]

    def test_a_solo_table_is_mixed_with_the_click_that_starts_it(self) -> None:
        table = make_table(lobby.make_occupant(ROBIN, 500))
        one, other = (lobby.start(table, ROBIN, click) for click in (777, 778))
        assert one.header.salt != other.header.salt

    @each_case(
        "contributions",
        [
            ("2", "23", "computer:normal"),
            ("1", "24", "computer:normal"),
            ("1", "23", "computer:other"),
            ("23", "1", "computer:normal"),
            ("1", "23"),
            ("1", "23", "computer:normal", "computer:normal"),
            # Parts of one seat's contribution can't be shifted to the next seat's.
            ("12", "3", "computer:normal"),
        ],
    )
    def test_every_contribution_and_its_seat_count(self, contributions: tuple[str, ...]) -> None:
        assert salt_of(contributions) != salt_of(("1", "23", "computer:normal"))


class TestTurn:
    def playing(self) -> Table:
        table = table_of(Status.PLAYING)
        return replace(table, header=replace(table.header, step=4))

    @each_case("step", [0, 3, 5])
    def test_a_click_at_another_step_is_stale_for_players_and_refused_to_strangers(self, step: int) -> None:
        for person in (ROBIN, WREN):
            with pytest.raises(Stale) as stale:
                turns.require_turn(self.playing(), person, step)
            assert stale.value.table_id == 1
        with refused_for(HostReason.NOT_SEATED):
            turns.require_turn(self.playing(), LINNET, step)

    @each_case("status", [Status.FINISHED, Status.CANCELLED, Status.HELD])
    def test_a_players_late_click_on_a_finished_table_is_stale(self, status: Status) -> None:
        table = table_of(status)
        with pytest.raises(Stale):
            turns.require_turn(replace(table, header=replace(table.header, step=4)), WREN, 3)


async def choose(service: TableService, table: Table, option: str, value: str, person: Person = ROBIN) -> Table:
    return await service.choose_option(table.id, person, option, value, digest_of_options(table))


class TestChoosing:
    async def test_the_opener_changes_one_option_after_another(
        self, service: TableService, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        """Each restarts the timer of the lobby."""
        service = make_service(db, clock=clock)
        table = await open_lobby(service, ROBIN, WREN)
        for option, value in (("target", "250"), ("reroll_fours", "true")):
            clock.tick(lobby_actions.OPENER_AWAY_AFTER.total_seconds())
            table = await choose(service, table, option, value)
            assert table.header.awaited_since == clock()
        assert table.options == MagpieOptions(target=250, reroll_fours=True)
        assert (table.header.status, len(table.seats)) == (Status.LOBBY, 2)
        again = await make_service(db).table(table.id)
        assert (again.options, again.header.revision) == (table.options, table.header.revision)

    async def test_a_choice_from_changed_options_is_stale_but_not_one_from_before_a_join(
        self, service: TableService
    ) -> None:
        shown = await open_lobby(service, ROBIN)
        with pytest.raises(Stale):
            await choose(service, shown, "target", "100")
        assert (await service.table(shown.id)).header.revision == shown.header.revision, "it was 100 already"
        await service.join(shown.id, WREN, 7)
        table = await choose(service, shown, "target", "250")
        assert (table.options, len(table.seats)) == (MagpieOptions(target=250), 2)
        with pytest.raises(Stale):
            await choose(service, shown, "target", "300")
        assert (await service.table(shown.id)).options == MagpieOptions(target=250)

    @each_case("option, value", [("target", "49"), ("target", "x"), ("moon", "1"), ("five_dice_bonus", "7")])
    def test_unknown_options_are_refused(self, option: str, value: str) -> None:
        with refused_for(HostReason.NO_SUCH_CHOICE):
            lobby_actions.choose_option(make_table(), ROBIN, option, value, digest_of_options(make_table()))


OLD = '{"target": 7, "moon": true, "reroll_fours": true}'
"""Options of a model that is not Magpie's any more, but for one."""

FITTING = MagpieOptions(reroll_fours=True)


def with_old_options(record: StoredTable) -> StoredTable:
    return replace(record, header=replace(record.header, options=OLD))


class TestModelsThatChanged:
    async def test_playing_again_keeps_options_that_still_fit(self, db: MemoryDatabase, service: TableService) -> None:
        table = await start_game(service, ROBIN, WREN)
        await service.apply_seat_action(table.id, WREN, resign_seat, 2)
        db.tamper(table.id, with_old_options)
        new = await play_again(make_service(db), table.id, ROBIN, 77)
        assert new.options == FITTING
        assert new.header.options == FITTING.model_dump_json()

    async def test_a_finished_table_with_old_options_still_loads(
        self, db: MemoryDatabase, service: TableService, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        finished, cancelled = (
            await start_game(service, ROBIN, WREN),
            await start_game(service, JAY, location=Location(3, 71)),
        )
        await service.apply_seat_action(finished.id, WREN, resign_seat, 2)
        await service.cancel(cancelled.id, JAY, is_moderator=False)
        late = make_service(db)
        for table in (finished, cancelled):
            db.tamper(table.id, with_old_options)
            before = db.header(table.id)
            assert (await late.table(table.id)).header == before == db.header(table.id)
            (record,) = (each for each in caplog.records if f"table {table.id} " in each.getMessage())
            assert record.levelno == logging.INFO
            assert "can't be replayed" in record.getMessage()

    async def test_a_lobby_keeps_options_that_still_fit_and_others_can_be_chosen(
        self, db: MemoryDatabase, service: TableService
    ) -> None:
        table = await open_lobby(service, ROBIN, WREN)
        db.tamper(table.id, with_old_options)
        late = make_service(db)
        table = await choose(late, await late.table(table.id), "target", "250")
        assert table.options == MagpieOptions(target=250, reroll_fours=True)
        db.tamper(table.id, with_old_options)
        await make_service(db).start(table.id, ROBIN, 1)
        revived = await make_service(db).table(table.id)
        assert (revived.header.status, revived.state.options) == (Status.PLAYING, FITTING)
        assert revived.header.options == FITTING.model_dump_json()
