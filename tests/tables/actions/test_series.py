"""Tables that follow one another: tournaments with a tally, tie-breaks, and playing again with the same people."""

from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest

from bot.features.invitations.model import InvitationReason, require_invitable
from bot.features.invitations.service import store_invitation
from bot.features.reminders.messages import PingPanelId, remind_player
from bot.features.reminders.model import ReminderStage
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.ids import parse_id
from bot.platform.places import Location, Person
from bot.rules.chance import ScriptedChance
from bot.rules.refusals import Refusal
from bot.tables import closing, lobby as lobby_actions, series
from bot.tables.control_entries import Remove, Resign
from bot.tables.lobby import SEATS_KEPT_FOR
from bot.tables.model import SeriesLink, SeriesLinkKind, Status
from bot.tables.opening import continue_series, open_pairing, play_again
from bot.tables.refusals import HostReason, Stale
from bot.tables.registry import RANDOM_LEVEL, find_strategy, levels_of, usual_level
from bot.tables.removal import take_out
from bot.tables.seats import resign_seat, substitute_absent
from bot.tables.series import next_table_of, tally_of
from bot.tables.service import TableService
from bot.tables.table import Table, apply_control_entry
from tests.support.each_case import each_case
from tests.support.fakes import (
    GAMES,
    HERE,
    JAY,
    NEW_CLICKS,
    NOON,
    ROBIN,
    STRANGER,
    WREN,
    FakeClock,
    make_service,
    make_table,
    open_lobby,
    start_game,
)
from tests.support.magpie_series import (
    SERIES_REGISTRY,
    as_second_game,
    make_finished_table,
    options_for,
    play_new_game,
    play_series_game,
)
from tests.support.memory_database import MemoryDatabase
from tests.tables.refusals import refused_for


@pytest.fixture
def serial(db: MemoryDatabase) -> TableService:
    return make_service(db, SERIES_REGISTRY)


def reason_of(refused: pytest.ExceptionInfo[Refusal]) -> object:
    return refused.value.reason


def second_game(*scores: int, before: tuple[int, ...], games: int = 0) -> Table:
    """A finished table that is the second game of its tournament, of 3 games unless another number is given."""
    link = SeriesLink(7, SeriesLinkKind.TOURNAMENT, 2, before)
    return make_finished_table(*scores, games=games or 3, link=link)


def as_playing(table: Table) -> Table:
    return replace(table, header=replace(table.header, status=Status.PLAYING))


class TestNextPart:
    @each_case(
        "table",
        [
            make_table(status=Status.FINISHED),
            make_finished_table(30, 20),
            as_playing(make_finished_table(30, 30)),
            second_game(5, 40, before=(30, 20), games=2),
            # A tied tie-break is a shared win, a tournament has no tie-break, and a pairing is one game.
            make_finished_table(30, 30, link=SeriesLink(7, SeriesLinkKind.TIE_BREAK, 2)),
            second_game(30, 30, before=(1, 1), games=2),
            make_finished_table(30, 30, link=SeriesLink(7, SeriesLinkKind.PAIRING, 101_001)),
        ],
    )
    def test_nothing_follows_other_tables(self, table: Table) -> None:
        assert next_table_of(table) is None

    def test_a_tournament_is_followed_by_its_next_game_and_scores_add_up(self) -> None:
        for table, link in (
            (make_finished_table(30, 20, games=3), SeriesLink(1, SeriesLinkKind.TOURNAMENT, 2, (30, 20))),
            (make_finished_table(30, 30, games=3), SeriesLink(1, SeriesLinkKind.TOURNAMENT, 2, (30, 30))),
            (second_game(5, 40, before=(30, 20)), SeriesLink(7, SeriesLinkKind.TOURNAMENT, 3, (35, 60))),
        ):
            sequel = next_table_of(table)
            assert sequel is not None
            assert (sequel.link, sequel.seats, sequel.options) == (link, (0, 1), options_for(3))

    def test_a_tie_is_followed_by_a_tie_break_of_the_tied_seats(self) -> None:
        sequel = next_table_of(make_finished_table(30, 20, 30))
        assert sequel is not None
        assert sequel.link == SeriesLink(1, SeriesLinkKind.TIE_BREAK, 2)
        assert sequel.seats == (0, 2)
        assert sequel.options == options_for(1).model_copy(update={"target": 60})

    def test_nothing_follows_after_a_resignation(self) -> None:
        for table in (make_finished_table(30, 30), make_finished_table(30, 20, games=3)):
            resigned = apply_control_entry(table, 1, Resign())
            assert next_table_of(replace(resigned, header=replace(resigned.header, status=Status.FINISHED))) is None


class TestTally:
    @each_case(
        "table, part, sums, places, is_over",
        [
            (second_game(5, 40, 20, before=(30, 20, 15)), 2, (35, 60, 35), (2, 1, 2), False),
            (second_game(5, 40, before=(30, 20), games=2), 2, (35, 60), (2, 1), True),
            (as_playing(second_game(5, 40, before=(30, 20), games=2)), 2, (30, 20), (1, 2), False),
        ],
    )
    def test_the_tally_adds_up_what_is_over(
        self, table: Table, part: int, sums: tuple[int, ...], places: tuple[int, ...], is_over: bool
    ) -> None:
        tally = tally_of(table)
        assert tally is not None
        assert (tally.part, tally.sums, tally.places, tally.is_over) == (part, sums, places, is_over)
        assert tally_of(make_finished_table(30, 20)) is None

    def test_a_player_who_resigned_comes_last_in_the_tally(self) -> None:
        resigned = apply_control_entry(second_game(50, 40, 20, before=(9, 0, 0)), 0, Resign())
        for status, places in ((Status.PLAYING, (1, 2, 2)), (Status.FINISHED, (3, 1, 2))):
            tally = tally_of(replace(resigned, header=replace(resigned.header, status=status)))
            assert tally is not None
            assert (tally.places, tally.is_over) == (places, status is Status.FINISHED)


class TestPlayingSeries:
    async def test_a_whole_tournament_is_played(self, serial: TableService, db: MemoryDatabase) -> None:
        first = await play_new_game(serial, ROBIN, WREN, games=3)
        assert first.outcome is not None
        second = await continue_series(serial, first.id, WREN, 77)
        assert (second.header.status, second.header.opener_id) == (Status.LOBBY, WREN.id)
        assert second.header.link == SeriesLink(first.id, SeriesLinkKind.TOURNAMENT, 2, first.outcome.scores)
        assert [(who.name, who.contribution) for who in second.seats] == [("Robin", "77"), ("Wren", "77")]
        second = await play_series_game(serial, second, WREN)
        third = await play_series_game(serial, await continue_series(serial, second.id, ROBIN, 78), ROBIN)
        tally, outcomes = tally_of(third), [table.outcome for table in (first, second, third)]
        scores = [outcome.scores for outcome in outcomes if outcome is not None]
        assert tally is not None
        assert tally.sums == tuple(map(sum, zip(*scores, strict=True)))
        assert tally.is_over
        assert len(db.results) == 6
        with refused_for(HostReason.NOTHING_FOLLOWS):
            await continue_series(serial, third.id, ROBIN, 79)

    async def test_a_part_is_played_once_unless_it_was_cancelled(
        self, serial: TableService, db: MemoryDatabase
    ) -> None:
        first = await play_new_game(serial, ROBIN, WREN, games=2)
        second = await continue_series(serial, first.id, WREN, 77)
        assert tally_of(await make_service(db, SERIES_REGISTRY).table(second.id)) == tally_of(second)
        with pytest.raises(Stale):
            await continue_series(serial, first.id, WREN, 77)
        await serial.cancel(second.id, WREN, is_moderator=False)
        again = await continue_series(serial, first.id, ROBIN, 78)
        assert (again.id, again.header.link, again.header.status) == (3, second.header.link, Status.LOBBY)
        await play_series_game(serial, again, ROBIN)
        with refused_for(HostReason.GOES_ON_THERE):
            await continue_series(serial, first.id, ROBIN, 79)

    async def test_a_channel_with_another_table_is_taken(self, serial: TableService) -> None:
        first = await play_new_game(serial, ROBIN, WREN, games=2)
        await start_game(serial, JAY, STRANGER)
        with refused_for(HostReason.CHANNEL_TAKEN):
            await continue_series(serial, first.id, ROBIN, 78)

    @each_case(
        "table, person, reason",
        [
            (make_finished_table(30, 30, 20), JAY, HostReason.NOT_TIED),
            (make_finished_table(30, 30, 20), STRANGER, HostReason.NOT_A_PLAYER),
            (make_finished_table(30, 20), ROBIN, HostReason.NOTHING_FOLLOWS),
            (make_table(status=Status.PLAYING), ROBIN, HostReason.NOT_FINISHED),
        ],
    )
    def test_others_cannot_continue_a_series(self, table: Table, person: Person, reason: HostReason) -> None:
        with refused_for(reason):
            series.continue_series(table, person, 1)

    def test_a_computer_player_keeps_the_seat_of_a_removed_person(self) -> None:
        finished = make_finished_table(30, 20, games=2)
        removed = apply_control_entry(as_playing(finished), 1, Remove())
        removed = replace(removed, header=finished.header)
        _, seats = series.continue_series(removed, ROBIN, 77)
        assert [(who.user_id, who.level) for who in seats] == [
            (ROBIN.id, None),
            (None, usual_level(finished.package)),
        ]
        with refused_for(HostReason.REMOVED):
            series.continue_series(removed, WREN, 77)


class TestSeatsAreFixed:
    def test_seats_and_options_of_a_linked_table_are_fixed(self) -> None:
        table = as_second_game(make_table())
        for action in (
            lambda: lobby_actions.join(table, STRANGER, 1),
            lambda: lobby_actions.leave(table, WREN),
            lambda: lobby_actions.add_computer(table, ROBIN, 1, "normal"),
            lambda: lobby_actions.remove_computers(table, ROBIN, 1),
            lambda: lobby_actions.kick(table, ROBIN, WREN.id),
            lambda: require_invitable(table, ROBIN, STRANGER.id),
            lambda: lobby_actions.choose_option(table, ROBIN, "target", "60", ""),
        ):
            with refused_for(HostReason.SEATS_FIXED):
                action()

    def test_a_linked_table_starts_and_is_cancelled_like_any_other(self) -> None:
        table = as_second_game(make_table())
        assert lobby_actions.start(table, ROBIN, 1).header.status is Status.PLAYING
        assert closing.cancel(table, ROBIN, is_moderator=False).header.status is Status.CANCELLED


class TestPairings:
    """Tables of a tournament that pairs people are games of their own."""

    PAIRING = SeriesLink(7, SeriesLinkKind.PAIRING, 101_001)

    async def open(self, service: TableService, channel_id: int = 50) -> Table:
        seats = tuple(lobby_actions.make_occupant(who, 900 + who.id) for who in (ROBIN, WREN))
        options = options_for(games=3).model_dump_json()
        return await open_pairing(service, "magpie", options, seats, Location(3, channel_id), self.PAIRING)

    async def test_it_is_one_game_of_a_series_whatever_the_server_prefers(self, serial: TableService) -> None:
        table = await self.open(serial)
        assert [who.user_id for who in table.seats] == [ROBIN.id, WREN.id]
        assert tally_of(table) is None
        assert table.options == MagpieOptions()
        assert not table.header.allows_hints

    async def test_its_seats_are_fixed_and_it_neither_expires_nor_is_opened_twice(self, serial: TableService) -> None:
        table = await self.open(serial)
        with refused_for(HostReason.OF_TOURNAMENT):
            lobby_actions.join(table, JAY, 1)
        with refused_for(HostReason.OF_TOURNAMENT):
            lobby_actions.leave(table, ROBIN)
        with pytest.raises(Stale):
            closing.expire(table, table.header.updated_at)
        with pytest.raises(Stale):
            await self.open(serial, channel_id=51)

    async def test_no_player_closes_it_alone_to_get_another_with_other_dice(self, serial: TableService) -> None:
        lobby = await self.open(serial)
        for table in (lobby, await serial.start(lobby.id, ROBIN, 1)):
            with refused_for(HostReason.OF_TOURNAMENT):
                closing.cancel(table, ROBIN, is_moderator=False)
            assert closing.cancel(table, STRANGER, is_moderator=True).header.status is Status.CANCELLED

    async def test_no_player_has_a_computer_player_stand_in_for_the_opponent(self, serial: TableService) -> None:
        lobby = await self.open(serial)
        table = await serial.start(lobby.id, ROBIN, 1)
        waiting = next(who for who in (ROBIN, WREN) if table.seat_of(who.id) != table.header.to_move)
        with refused_for(HostReason.OF_TOURNAMENT):
            substitute_absent(table, waiting, NOON + timedelta(days=1))
        assert [parse_id(button.custom_id) for button in remind_player(table, ReminderStage.TURN).buttons] == [
            PingPanelId(table.id)
        ]


async def play_to_end(service: TableService) -> Table:
    options = MagpieOptions(target=250, reroll_fours=True)
    table = await open_lobby(service, ROBIN, WREN, options=options)
    table = await service.add_computer(table.id, ROBIN, table.header.revision, "strong")
    table = await service.start(table.id, ROBIN, 1)
    for person in (ROBIN, WREN):
        table = await service.apply_seat_action(table.id, person, resign_seat, next(NEW_CLICKS))
    assert table.header.status is Status.FINISHED
    return table


class TestPlayAgain:
    async def test_the_next_table_has_the_same_computers_and_options_and_keeps_seats_for_the_other_people(
        self, service: TableService
    ) -> None:
        old = await play_to_end(service)
        new = await play_again(service, old.id, WREN, 77)
        assert (new.header.status, new.header.opener_id, new.state) == (Status.LOBBY, WREN.id, None)
        assert (new.header.options, new.header.location) == (old.header.options, old.header.location)
        assert [(who.name, who.user_id, who.level) for who in new.seats] == [
            ("Wren", WREN.id, None),
            ("", None, "strong"),
        ]
        assert [who.contribution for who in new.seats] == ["77", old.seats[2].contribution]
        assert not new.seat_status.resigned
        assert new.header.kept == {ROBIN.id}
        new = await service.join(new.id, ROBIN, 78)
        assert (new.seats[2].contribution, new.header.kept) == ("78", frozenset())

    async def test_no_seat_is_kept_for_a_removed_person_who_opens_no_table_either(self, service: TableService) -> None:
        old = await start_game(service, ROBIN, WREN, JAY)
        await take_out(service, old.id, WREN.id)
        for person in (ROBIN, JAY):
            await service.apply_seat_action(old.id, person, resign_seat, next(NEW_CLICKS))
        with refused_for(HostReason.REMOVED):
            await play_again(service, old.id, WREN, 76)
        assert (await play_again(service, old.id, ROBIN, 77)).header.kept == {JAY.id}

    async def test_a_seat_is_kept_until_the_start_or_for_a_few_minutes(
        self, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        service = make_service(db, clock=clock)
        old = await play_to_end(service)
        new = await play_again(service, old.id, ROBIN, 77)
        most = new.package.game.info.most_seats
        for guest in range(most - len(new.seats) - 1):
            new = await service.join(new.id, Person(500 + guest, "Guest"), 80 + guest)
        with refused_for(HostReason.TABLE_FULL):
            await service.join(new.id, STRANGER, 90)
        with refused_for(HostReason.TABLE_FULL):
            await service.add_computer(new.id, ROBIN, new.header.revision, "easy")
        clock.tick(SEATS_KEPT_FOR.total_seconds())
        assert (await service.join(new.id, STRANGER, 91)).seat_of(STRANGER.id) == most - 1
        with refused_for(HostReason.TABLE_FULL):
            await service.join(new.id, WREN, 92)
        assert not (await service.start(new.id, ROBIN, 93)).header.kept

    async def test_one_person_plays_again_at_once_with_the_seed_that_was_promised_before(
        self, db: MemoryDatabase
    ) -> None:
        service = make_service(db)
        drawn = count()
        service.entropy = lambda size: bytes([next(drawn)]) * size
        old = await open_lobby(service, ROBIN)
        for level in ("strong", "easy"):
            old = await service.add_computer(old.id, ROBIN, old.header.revision, level)
        old = await service.start(old.id, ROBIN, 1)
        assert service.next_seeds.get(old.id) is None
        old = await service.apply_seat_action(old.id, ROBIN, resign_seat, next(NEW_CLICKS))
        promised = service.next_seeds.get(old.id)
        new = await play_again(service, old.id, ROBIN, 77)
        assert (new.header.status, new.header.seed) == (Status.PLAYING, promised)
        assert [(who.level, who.contribution) for who in new.seats] == [
            (None, "77"),
            ("strong", "computer:strong"),
            ("easy", "computer:easy"),
        ]
        await service.cancel(new.id, ROBIN, is_moderator=True)
        assert (await play_again(service, old.id, ROBIN, 78)).header.status is Status.LOBBY, "a seed is used once"

    def test_no_seed_is_promised_if_a_tournament_goes_on(self, serial: TableService) -> None:
        for games in (1, 2):
            table = make_finished_table(30, 20, games=games)
            computer = replace(table.seats[1], user_id=None, level="strong")
            header = replace(table.header, id=games)
            serial.accept_change(replace(table, header=header, seats=(table.seats[0], computer)))
        assert list(serial.next_seeds) == [1]

    async def test_a_seed_that_was_not_used_is_kept(self, service: TableService) -> None:
        old = await start_game(service, ROBIN, computers=1)
        old = await service.apply_seat_action(old.id, ROBIN, resign_seat, next(NEW_CLICKS))
        promised = service.next_seeds.get(old.id)
        await open_lobby(service, WREN)
        with refused_for(HostReason.CHANNEL_TAKEN):
            await play_again(service, old.id, ROBIN, 77)
        assert service.next_seeds.get(old.id) == promised is not None

    async def test_after_a_restart_one_person_gets_a_lobby(self, db: MemoryDatabase, service: TableService) -> None:
        table = await start_game(service, ROBIN, computers=1)
        await service.apply_seat_action(table.id, ROBIN, resign_seat, next(NEW_CLICKS))
        assert (await play_again(make_service(db), table.id, ROBIN, 77)).header.status is Status.LOBBY

    @pytest.mark.parametrize("stays", [[ROBIN], [ROBIN, WREN, JAY]])
    async def test_the_next_table_can_have_one_more_or_one_fewer_player(
        self, service: TableService, stays: list[Person]
    ) -> None:
        old = await play_to_end(service)
        new = await play_again(service, old.id, ROBIN, 77)
        new = await service.remove_computers(new.id, ROBIN, new.header.revision)
        for click_id, person in enumerate(stays[1:], 80):
            new = await service.join(new.id, person, click_id)
        new = await service.start(new.id, ROBIN, 79)
        assert new.header.status is Status.PLAYING
        assert [who.user_id for who in new.seats if not who.is_computer] == [person.id for person in stays]
        assert new.header.options == old.header.options

    async def test_only_people_of_a_finished_table_play_again(self, service: TableService) -> None:
        old = await play_to_end(service)
        with refused_for(HostReason.NOT_A_PLAYER):
            await play_again(service, old.id, STRANGER, 1)
        table = await start_game(service)
        with refused_for(HostReason.NOT_FINISHED):
            await play_again(service, table.id, ROBIN, 1)


class TestRemovingPlayers:
    @pytest.mark.parametrize("is_started", [True, False])
    async def test_whoever_was_removed_gets_no_seat_there_even_after_a_restart(
        self, service: TableService, db: MemoryDatabase, *, is_started: bool
    ) -> None:
        """It is forgotten with the lobby."""
        table = await open_lobby(service, ROBIN, WREN, JAY)
        now = await service.kick(table.id, ROBIN, WREN.id, 71)
        await service.remove_player(table.id, ROBIN, now.header.revision, 1)
        assert db.records[table.id].header.kicked == {WREN.id, JAY.id}
        for person in (WREN, JAY):
            for each in (service, make_service(db)):
                with refused_for(HostReason.KICKED):
                    await each.join(table.id, person, 72)
        await service.join(table.id, STRANGER, 73)
        elsewhere = await open_lobby(service, STRANGER, location=replace(HERE, channel_id=71))
        assert (await service.join(elsewhere.id, WREN, 74)).seat_of(WREN.id) is not None
        if is_started:
            await service.start(table.id, ROBIN, 75)
        else:
            await service.cancel(table.id, ROBIN, is_moderator=False)
        assert db.records[table.id].header.kicked == frozenset()

    async def test_only_the_host_invites_them_back(self, service: TableService, db: MemoryDatabase) -> None:
        table = await open_lobby(service, ROBIN, WREN, JAY)
        await service.kick(table.id, JAY, WREN.id, 71, is_moderator=True)
        with refused_for(HostReason.THEY_WERE_KICKED):
            await store_invitation(service, db, table.id, JAY, WREN.id, 72)
        await store_invitation(service, db, table.id, ROBIN, WREN.id, 73)
        assert (await service.join(table.id, WREN, 74)).seat_of(WREN.id) is not None
        assert (await service.table(table.id)).header.kicked == frozenset()

    async def test_one_who_was_invited_before_is_let_in_again_without_another_message(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await open_lobby(service, ROBIN)
        await store_invitation(service, db, table.id, ROBIN, WREN.id, 71)
        await service.join(table.id, WREN, 72)
        await service.kick(table.id, ROBIN, WREN.id, 73)
        with pytest.raises(Refusal) as refused:
            await store_invitation(service, db, table.id, ROBIN, WREN.id, 74)
        assert refused.value.reason is InvitationReason.ALREADY_INVITED, "they can be sent the link"
        assert (await service.join(table.id, WREN, 75)).seat_of(WREN.id) is not None

    async def test_a_leaver_comes_back_and_a_computer_player_is_nobody(self, service: TableService) -> None:
        table = await open_lobby(service, ROBIN, WREN, computers=1)
        await service.leave(table.id, WREN)
        now = await service.remove_player(table.id, ROBIN, (await service.table(table.id)).header.revision, 1)
        assert now.header.kicked == frozenset()
        assert (await service.join(table.id, WREN, 71)).seat_of(WREN.id) is not None


class TestLevels:
    def test_a_game_without_strategies_has_random_play_which_asks_chance_and_not_the_view(self) -> None:
        package = replace(GAMES["magpie"], mind=replace(GAMES["magpie"].mind, strategies={}))
        assert (usual_level(package), list(levels_of(package))) == (RANDOM_LEVEL, [RANDOM_LEVEL])
        strategy = find_strategy(GAMES["magpie"], RANDOM_LEVEL)
        assert strategy is not None
        with ScriptedChance([2]) as chance:
            assert strategy(None, ("a", "b", "c"), chance) == "c"
        assert find_strategy(GAMES["magpie"], "brilliant") is None
