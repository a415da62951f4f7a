"""Playing again with the same people; who sits in a lobby, and how well computers play."""

import asyncio
from dataclasses import replace

import pytest

from bot.features.invitations.model import InvitationReason
from bot.features.invitations.service import store_invitation
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.places import Person
from bot.rules.chance import ScriptedChance
from bot.rules.refusals import Refusal
from bot.tables.model import Status
from bot.tables.opening import play_again
from bot.tables.refusals import HostReason
from bot.tables.registry import RANDOM_LEVEL, find_strategy, next_level, usual_level
from bot.tables.seats import resign_seat
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fakes import (
    GAMES,
    HERE,
    JAY,
    NEW_CLICKS,
    ROBIN,
    STRANGER,
    WREN,
    make_service,
    open_lobby,
    start_game,
)
from tests.support.memory_database import MemoryDatabase
from tests.tables.refusals import refused_for


async def play_to_end(service: TableService) -> Table:
    options = MagpieOptions(target=250, reroll_fours=True)
    table = await open_lobby(service, ROBIN, WREN, options=options)
    table = await service.add_computer(table.id, ROBIN, table.header.revision)
    table = await service.change_level(table.id, ROBIN, table.header.revision)
    table = await service.start(table.id, ROBIN, 1)
    for person in (ROBIN, WREN):
        table = await service.apply_seat_action(table.id, person, resign_seat, next(NEW_CLICKS))
    assert table.header.status is Status.FINISHED
    return table


class TestPlayAgain:
    async def test_the_next_table_has_the_same_seats_levels_and_options(self, service: TableService) -> None:
        old = await play_to_end(service)
        new = await play_again(service, old.id, WREN, 77)
        assert (new.header.status, new.header.opener_id, new.state) == (Status.LOBBY, WREN.id, None)
        assert (new.header.options, new.header.location) == (old.header.options, old.header.location)
        assert [(who.name, who.user_id, who.level) for who in new.seats] == [
            ("Robin", ROBIN.id, None),
            ("Wren", WREN.id, None),
            ("Computer", None, "strong"),
        ]
        assert [who.contribution for who in new.seats] == ["77", "77", old.seats[2].contribution]
        assert not new.seat_status.resigned
        assert new.header.computer_level == "strong"
        assert (await service.leave(new.id, ROBIN)).seats[0].user_id == WREN.id
        assert (await service.add_computer(new.id, WREN, 2)).seats[-1].level == "strong"

    @pytest.mark.parametrize("stays", [[ROBIN], [ROBIN, WREN, JAY]])
    async def test_the_next_table_can_have_one_more_or_one_fewer_player(
        self, service: TableService, stays: list[Person]
    ) -> None:
        old = await play_to_end(service)
        new = await play_again(service, old.id, ROBIN, 77)
        new = await service.remove_computer(new.id, ROBIN, new.header.revision)
        if JAY in stays:
            new = await service.join(new.id, JAY, 78)
        else:
            new = await service.kick(new.id, ROBIN, WREN.id, 78)
        new = await service.start(new.id, ROBIN, 79)
        assert new.header.status is Status.PLAYING
        assert [who.user_id for who in new.seats if not who.is_computer] == [person.id for person in stays]
        assert new.header.options == old.header.options

    async def test_two_simultaneous_clicks_open_one_table(self, service: TableService, db: MemoryDatabase) -> None:
        old = await play_to_end(service)
        results = await asyncio.gather(
            *(play_again(service, old.id, person, person.id) for person in (ROBIN, WREN)), return_exceptions=True
        )
        (refusal,) = (result for result in results if isinstance(result, Refusal))
        assert refusal.reason is HostReason.CHANNEL_TAKEN
        assert len(db.records) == 2

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
        assert (usual_level(package), next_level(package, RANDOM_LEVEL)) == (RANDOM_LEVEL, RANDOM_LEVEL)
        strategy = find_strategy(GAMES["magpie"], RANDOM_LEVEL)
        assert strategy is not None
        with ScriptedChance([2]) as chance:
            assert strategy(None, ("a", "b", "c"), chance) == "c"
        assert find_strategy(GAMES["magpie"], "brilliant") is None
