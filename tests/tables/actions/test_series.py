"""Tables that follow one another: tournaments with a tally, and tie-breaks."""

from dataclasses import replace

import pytest

from bot.features.invitations.model import require_invitable
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.places import Location
from bot.rules.refusals import Refusal
from bot.tables import closing, lobby as lobby_actions, series
from bot.tables.control_entries import Resign
from bot.tables.model import SeriesLink, SeriesLinkKind, Status
from bot.tables.opening import continue_series, open_pairing
from bot.tables.refusals import HostReason, Stale
from bot.tables.series import next_table_of, tally_of
from bot.tables.service import TableService
from bot.tables.table import Table, apply_control_entry
from tests.support.each_case import each_case
from tests.support.fakes import JAY, ROBIN, STRANGER, WREN, make_service, make_table, start_game
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


class TestNextPart:
    def test_nothing_follows_a_finished_game_without_a_series(self) -> None:
        assert next_table_of(make_table(status=Status.FINISHED)) is None
        assert next_table_of(make_finished_table(30, 20)) is None
        assert tally_of(make_finished_table(30, 20)) is None

    def test_nothing_follows_before_the_end(self) -> None:
        playing = make_finished_table(30, 30)
        playing = replace(playing, header=replace(playing.header, status=Status.PLAYING))
        assert next_table_of(playing) is None

    def test_a_tournament_is_followed_by_its_next_game(self) -> None:
        sequel = next_table_of(make_finished_table(30, 20, games=3))
        assert sequel is not None
        assert sequel.link == SeriesLink(1, SeriesLinkKind.TOURNAMENT, 2, (30, 20))
        assert (sequel.seats, sequel.options) == ((0, 1), options_for(3))

    def test_scores_add_up_from_game_to_game(self) -> None:
        second = make_finished_table(5, 40, games=3, link=SeriesLink(7, SeriesLinkKind.TOURNAMENT, 2, (30, 20)))
        sequel = next_table_of(second)
        assert sequel is not None
        assert sequel.link == SeriesLink(7, SeriesLinkKind.TOURNAMENT, 3, (35, 60))

    def test_nothing_follows_the_last_game(self) -> None:
        assert (
            next_table_of(
                make_finished_table(5, 40, games=2, link=SeriesLink(7, SeriesLinkKind.TOURNAMENT, 2, (30, 20)))
            )
            is None
        )

    def test_a_tie_is_followed_by_a_tie_break_of_the_tied_seats(self) -> None:
        sequel = next_table_of(make_finished_table(30, 20, 30))
        assert sequel is not None
        assert sequel.link == SeriesLink(1, SeriesLinkKind.TIE_BREAK, 2)
        assert sequel.seats == (0, 2)
        assert sequel.options == options_for(1).model_copy(update={"target": 60})

    def test_a_tied_tie_break_is_a_shared_win(self) -> None:
        assert next_table_of(make_finished_table(30, 30, link=SeriesLink(7, SeriesLinkKind.TIE_BREAK, 2))) is None

    def test_a_tournament_has_no_tie_breaks(self) -> None:
        sequel = next_table_of(make_finished_table(30, 30, games=2))
        assert sequel is not None
        assert sequel.link.kind is SeriesLinkKind.TOURNAMENT
        assert (
            next_table_of(
                make_finished_table(30, 30, games=2, link=SeriesLink(7, SeriesLinkKind.TOURNAMENT, 2, (1, 1)))
            )
            is None
        )

    def test_nothing_follows_after_a_resignation(self) -> None:
        for table in (make_finished_table(30, 30), make_finished_table(30, 20, games=3)):
            resigned = apply_control_entry(table, 1, Resign())
            assert next_table_of(replace(resigned, header=replace(resigned.header, status=Status.FINISHED))) is None


class TestTally:
    def test_the_tally_adds_up(self) -> None:
        tally = tally_of(
            make_finished_table(5, 40, 20, games=3, link=SeriesLink(7, SeriesLinkKind.TOURNAMENT, 2, (30, 20, 15)))
        )
        assert tally is not None
        assert (tally.part, tally.games, tally.sums) == (2, 3, (35, 60, 35))
        assert (tally.places, tally.is_over) == ((2, 1, 2), False)

    def test_the_last_game_decides(self) -> None:
        tally = tally_of(
            make_finished_table(5, 40, games=2, link=SeriesLink(7, SeriesLinkKind.TOURNAMENT, 2, (30, 20)))
        )
        assert tally is not None
        assert (tally.places, tally.is_over) == ((2, 1), True)

    def test_a_game_under_way_shows_the_tally_of_earlier_games(self) -> None:
        playing = make_finished_table(5, 40, games=2, link=SeriesLink(7, SeriesLinkKind.TOURNAMENT, 2, (30, 20)))
        tally = tally_of(replace(playing, header=replace(playing.header, status=Status.PLAYING)))
        assert tally is not None
        assert (tally.sums, tally.is_over) == ((30, 20), False)

    def test_a_player_who_resigned_comes_last_in_the_tally(self) -> None:
        resigned = apply_control_entry(
            make_finished_table(50, 40, 20, games=3, link=SeriesLink(7, SeriesLinkKind.TOURNAMENT, 2, (9, 0, 0))),
            0,
            Resign(),
        )
        tally = tally_of(replace(resigned, header=replace(resigned.header, status=Status.PLAYING)))
        assert tally is not None
        assert (tally.places, tally.is_over) == ((1, 2, 2), False)
        tally = tally_of(replace(resigned, header=replace(resigned.header, status=Status.FINISHED)))
        assert tally is not None
        assert (tally.places, tally.is_over) == ((3, 1, 2), True)


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

    async def test_the_tally_survives_a_restart(self, serial: TableService, db: MemoryDatabase) -> None:
        first = await play_new_game(serial, ROBIN, WREN, games=2)
        second = await continue_series(serial, first.id, WREN, 77)
        again = await make_service(db, SERIES_REGISTRY).table(second.id)
        assert tally_of(again) == tally_of(second)

    async def test_a_part_is_played_once(self, serial: TableService) -> None:
        first = await play_new_game(serial, ROBIN, WREN, games=2)
        await play_series_game(serial, await continue_series(serial, first.id, WREN, 77), WREN)
        with refused_for(HostReason.GOES_ON_THERE):
            await continue_series(serial, first.id, ROBIN, 78)

    async def test_a_part_that_was_cancelled_can_be_played_after_all(self, serial: TableService) -> None:
        first = await play_new_game(serial, ROBIN, WREN, games=2)
        second = await continue_series(serial, first.id, WREN, 77)
        await serial.cancel(second.id, WREN, is_moderator=False)
        again = await continue_series(serial, first.id, ROBIN, 78)
        assert (again.id, again.header.link) == (3, second.header.link)

    async def test_the_click_that_opened_the_part_is_stale(self, serial: TableService) -> None:
        first = await play_new_game(serial, ROBIN, WREN, games=2)
        second = await continue_series(serial, first.id, WREN, 77)
        with pytest.raises(Stale):
            await continue_series(serial, first.id, WREN, 77)
        assert second.header.status is Status.LOBBY

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
    def test_others_cannot_continue_a_series(self, table: Table, person: object, reason: HostReason) -> None:
        with refused_for(reason):
            series.continue_series(table, person, 1)  # type: ignore[arg-type]


class TestSeatsAreFixed:
    def test_seats_and_options_of_a_linked_table_are_fixed(self) -> None:
        table = as_second_game(make_table())
        for action in (
            lambda: lobby_actions.join(table, STRANGER, 1),
            lambda: lobby_actions.leave(table, WREN),
            lambda: lobby_actions.add_computer(table, ROBIN, 1),
            lambda: lobby_actions.remove_computer(table, ROBIN, 1),
            lambda: lobby_actions.kick(table, ROBIN, WREN.id),
            lambda: require_invitable(table, ROBIN, STRANGER.id),
            lambda: lobby_actions.choose_option(table, ROBIN, "target", "60", ""),
        ):
            with refused_for(HostReason.SEATS_FIXED):
                action()

    def test_a_linked_table_starts_like_any_other(self) -> None:
        assert lobby_actions.start(as_second_game(make_table()), ROBIN, 1).header.status is Status.PLAYING

    def test_a_linked_table_can_be_cancelled(self) -> None:
        assert closing.cancel(as_second_game(make_table()), ROBIN, is_moderator=False).header.status is Status.CANCELLED


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

    async def test_nothing_follows_it_not_even_a_tie_break(self) -> None:
        tied = make_finished_table(30, 30)
        assert next_table_of(tied) is not None or tied.package.results.series is None
        assert next_table_of(replace(tied, header=replace(tied.header, link=self.PAIRING))) is None

    async def test_its_seats_are_fixed(self, serial: TableService) -> None:
        table = await self.open(serial)
        with refused_for(HostReason.SEATS_FIXED):
            lobby_actions.join(table, JAY, 1)
        with refused_for(HostReason.SEATS_FIXED):
            lobby_actions.leave(table, ROBIN)

    async def test_a_second_table_of_a_pairing_is_not_opened(self, serial: TableService) -> None:
        await self.open(serial)
        with pytest.raises(Stale):
            await self.open(serial, channel_id=51)

    async def test_it_does_not_expire(self, serial: TableService) -> None:
        table = await self.open(serial)
        with pytest.raises(Stale):
            closing.expire(table, table.header.updated_at)
