"""Buttons and commands for idle tables."""

from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.features.idle_tables.handlers import IdleTableCommands
from bot.features.idle_tables.messages import PutAsideId, RefusalWithOffer, StillPlayingId
from bot.features.new_tables.handlers import NewTables
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.ids import parse_id
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.trace import get_or_start_trace
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.aside import abandon, put_aside
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import (
    CancelTableId,
    ControlId,
    HandControlId,
    HandId,
    LobbyButton,
    LobbyId,
    OpenTableId,
    PlayAgainId,
    ResumeId,
    open_table_id,
)
from bot.tables.model import PublishedRevision, Status
from bot.tables.refusals import HostReason, TableFacts
from bot.tables.seats import resign_seat
from bot.tables.service import HostSettings
from bot.tables.shown.words import format_day
from bot.tables.table import Table
from bot.words import gettext
from tests.support.fake_table_messages import ShowAction
from tests.support.fakes import (
    HERE,
    JAY,
    LINNET,
    NEW_CLICKS,
    NOON,
    ROBIN,
    STRANGER,
    WREN,
    make_service,
    open_lobby,
    roll,
    start_game,
)
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter, command, refusal_reason
from tests.ui.fake_interactions import AnswerMethod, make_click
from tests.ui.table_clicks import offered_ids

DAY = 86_400
MODERATOR = discord.Permissions(manage_messages=True)


async def make_idle_table(adapter: Adapter) -> Table:
    """Return a game of Robin and Wren that has been idle for a day."""
    table = await roll(adapter.service, await start_game(adapter.service, ROBIN, WREN))
    adapter.clock.tick(DAY)
    return await adapter.service.table(table.id)


async def make_aside_table(adapter: Adapter) -> Table:
    """Return a game of Robin and Wren that was put aside."""
    table = await make_idle_table(adapter)
    await put_aside(adapter.service, table.id, HERE.channel_id)
    return await adapter.service.table(table.id)


async def offer_after_refusal(adapter: Adapter, asking: Any, computers: int = 1, **options: object) -> PutAsideId:
    """Ask for a table where a silent one is, and return the offer that comes with the refusal."""
    with pytest.raises(Refusal) as refused:
        await adapter.app.service(NewTables).open(asking, "magpie", options, computers)
    await adapter.error_replies.send(asking, refused.value)
    (button,) = asking.buttons()
    offer = parse_id(button)
    assert isinstance(offer, PutAsideId)
    return offer


class TestPutAsideButton:
    async def test_one_click_opens_the_requested_table(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await make_idle_table(adapter)
        offer = await offer_after_refusal(adapter, command(JAY), target=250, reroll_fours=True)
        await adapter.click(make_click(JAY, offer, in_whisper=True))
        assert db.header(table.id).status is Status.ASIDE
        opened = await adapter.service.open_table_in(HERE.channel_id)
        assert opened is not None
        assert get_or_start_trace().table == opened.id
        assert (opened.header.opener_id, len(opened.seats)) == (JAY.id, 2)
        assert opened.options == MagpieOptions(target=250, reroll_fours=True)

    async def test_the_slower_of_two_is_referred_to_the_new_table(self, adapter: Adapter, db: MemoryDatabase) -> None:
        await make_idle_table(adapter)
        offers = [(person, await offer_after_refusal(adapter, command(person), 0)) for person in (JAY, LINNET)]
        clicks = [await adapter.click(make_click(person, offer, in_whisper=True)) for person, offer in offers]
        assert clicks[1].refusal is HostReason.CHANNEL_TAKEN
        assert len(db.records) == 2

    async def test_the_message_of_a_removed_game_is_edited_when_it_is_put_aside(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await start_game(make_service(db, clock=adapter.clock), ROBIN, WREN)
        db.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
        await db.maintain(table_storage.mark_published, [PublishedRevision(table.id, 1, 7777)])
        adapter.clock.tick(DAY)
        offer = await offer_after_refusal(adapter, command(JAY))
        await adapter.click(make_click(JAY, offer, in_whisper=True))
        (request,) = adapter.message_client.requests
        assert (request.method, request.message_id) == ("PATCH", 7777)

    async def test_without_permissions_nothing_is_put_aside(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await make_idle_table(adapter)
        offer = await offer_after_refusal(adapter, command(JAY))
        click = await adapter.click(make_click(JAY, offer, app_permissions=discord.Permissions.none()))
        assert click.refusal is ClickReason.MISSING_PERMISSIONS
        assert db.header(table.id).status is Status.PLAYING

    async def test_playing_again_is_offered_too(self, adapter: Adapter, db: MemoryDatabase) -> None:
        finished = await start_game(adapter.service, JAY, LINNET)
        await adapter.service.apply_seat_action(finished.id, LINNET, resign_seat, next(NEW_CLICKS))
        table = await make_idle_table(adapter)
        click = await adapter.click(make_click(JAY, PlayAgainId(finished.id)))
        (button,) = click.buttons()
        assert parse_id(button) == PutAsideId(table.id, PlayAgainId(finished.id))
        click = await adapter.click(make_click(JAY, button, in_whisper=True))
        opened = await adapter.service.open_table_in(HERE.channel_id)
        assert opened is not None
        assert opened.header.kept == {LINNET.id}

    @pytest.mark.parametrize(
        "pressed",
        ["q:magpie:0:100,false,false,false", "z:1:q:magpie:0:1,2", "z:1:q:chess:0:", "z:1:q:magpie:0:[,],{,}"],
    )
    async def test_a_forged_offer_opens_nothing(self, adapter: Adapter, db: MemoryDatabase, pressed: str) -> None:
        await make_idle_table(adapter)
        click = await adapter.click(make_click(JAY, pressed, in_whisper=True))
        assert click.text
        assert len(db.records) == 1

    async def test_a_refused_opening_puts_nothing_aside(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await make_idle_table(adapter)
        offer = await offer_after_refusal(adapter, command(JAY))
        adapter.service.settings = HostSettings(max_open_tables=1)
        await open_lobby(adapter.service, JAY, location=replace(HERE, channel_id=8))
        click = await adapter.click(make_click(JAY, offer, in_whisper=True))
        assert click.refusal is HostReason.TOO_MANY_TABLES
        with pytest.raises(Refusal) as refused:
            await adapter.app.service(NewTables).open(command(JAY), "magpie", {}, 0)
        assert not isinstance(refused.value, RefusalWithOffer)
        assert db.header(table.id).status is Status.PLAYING

    async def test_a_refusal_after_putting_aside_is_shown(
        self, adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = await make_idle_table(adapter)
        offer = await offer_after_refusal(adapter, command(JAY), **MagpieOptions().model_dump())
        refusals = [Refusal(HostReason.CHANNEL_IDLE, TableFacts(table)), Refusal(ClickReason.TOO_QUICK)]
        monkeypatch.setattr("bot.features.new_tables.handlers.open_game", AsyncMock(side_effect=refusals))
        click = await adapter.click(make_click(JAY, offer, in_whisper=True))
        assert click.refusal is ClickReason.TOO_QUICK
        assert db.header(table.id).status is Status.ASIDE

    def test_every_possible_request_fits_into_an_id(self) -> None:
        for package in load_games_once().values():
            info = package.game.info
            wanted = open_table_id(info.key, info.options(), 5)
            offer = PutAsideId(10**18 - 1, wanted)
            assert len(str(offer)) <= 90, "with room for larger numbers"
            assert parse_id(str(offer)) == offer


class TestAGameThatIsAside:
    async def test_the_message_of_a_table_put_aside_offers_to_resume_it(self, adapter: Adapter) -> None:
        table = await make_aside_table(adapter)
        assert offered_ids(adapter, table) == [ResumeId(table.id)]

    async def test_every_old_button_explains_that_the_table_was_put_aside(self, adapter: Adapter) -> None:
        table = await make_aside_table(adapter)
        step = table.header.step
        for pressed in (
            ControlId(table.id, step, "roll", frozenset()),
            LobbyId(table.id, 1, LobbyButton.JOIN),
            CancelTableId(table.id),
            f"p:{table.id}:{step}:resign",
            f"p:{table.id}:{step}:undo",
        ):
            for person in (ROBIN, STRANGER):
                click = await adapter.click(make_click(person, pressed))
                assert click.refusal is HostReason.PUT_ASIDE, str(pressed)


class TestResuming:
    async def test_resuming_posts_the_newest_own_table_at_the_end_of_the_channel(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        first = await make_aside_table(adapter)
        other = await start_game(adapter.service, JAY, LINNET)
        adapter.clock.tick(DAY)
        await put_aside(adapter.service, other.id, HERE.channel_id)
        asking = command(WREN)
        await adapter.app.service(IdleTableCommands).resume_here(asking, None)
        assert db.header(first.id).status is Status.PLAYING
        assert [answer.how for answer in asking.answers] == [AnswerMethod.SEND]

    async def test_the_table_to_resume_can_be_chosen(self, adapter: Adapter, db: MemoryDatabase) -> None:
        first, second = await make_aside_table(adapter), await make_aside_table(adapter)
        for chosen, permissions, reason in (
            (second.id + 1, discord.Permissions.all(), HostReason.NOTHING_ASIDE),
            (second.id, discord.Permissions.none(), ClickReason.MISSING_PERMISSIONS),
        ):
            asking = command(ROBIN, app_permissions=permissions)
            assert (
                await refusal_reason(adapter.app.service(IdleTableCommands).resume_here(asking, str(chosen))) is reason
            )
        await adapter.app.service(IdleTableCommands).resume_here(command(ROBIN), str(first.id))
        assert [db.header(each.id).status for each in (first, second)] == [Status.PLAYING, Status.ASIDE]

    async def test_resumable_tables_are_suggested(self, adapter: Adapter) -> None:
        table = await make_aside_table(adapter)
        (choice,) = await adapter.app.service(IdleTableCommands).suggestions(command(ROBIN), gettext("Magpie")[:3])
        assert (choice.name, choice.value) == (
            f"{format_day(NOON)} · {gettext('Magpie')} · Robin and Wren",
            str(table.id),
        )
        for person, typed in ((JAY, ""), (ROBIN, "chess")):
            assert await adapter.app.service(IdleTableCommands).suggestions(command(person), typed) == []
        for moderator in (JAY, ROBIN):
            asking = command(moderator, permissions=MODERATOR)
            assert len(await adapter.app.service(IdleTableCommands).suggestions(asking, "")) == 1

    async def test_a_table_of_a_removed_game_cannot_be_resumed(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await make_aside_table(adapter)
        db.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
        assert await adapter.app.service(IdleTableCommands).suggestions(command(ROBIN), "") == []

    async def test_a_table_put_aside_does_not_hide_others_of_the_channel(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        await make_aside_table(adapter)
        orphan = await start_game(adapter.service, JAY, LINNET)
        await adapter.wait_until_shown()
        db.tamper(orphan.id, lambda record: replace(record, header=replace(record.header, game="chess")))
        adapter.service.cache.evict(orphan.id)
        assert (
            await refusal_reason(adapter.app.service(TableCommands).table_here(command(WREN))) is HostReason.GAME_GONE
        )

    async def test_a_solo_game_is_found_beside_a_table_put_aside(self, adapter: Adapter) -> None:
        await make_aside_table(adapter)
        own = await start_game(adapter.service, ROBIN, location=replace(HERE, solo_id=ROBIN.id))
        assert (await adapter.app.service(TableCommands).table_here(command(ROBIN))).id == own.id

    async def test_an_idle_table_in_the_way_can_be_put_aside_in_turn(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await make_aside_table(adapter)
        there = await start_game(adapter.service, JAY, LINNET)
        adapter.clock.tick(DAY)
        click = await adapter.click(make_click(ROBIN, ResumeId(table.id)))
        (button,) = click.buttons()
        assert parse_id(button) == PutAsideId(there.id, ResumeId(table.id))
        await adapter.click(make_click(ROBIN, button, in_whisper=True))
        assert db.header(there.id).status is Status.ASIDE
        assert db.header(table.id).status is Status.PLAYING

    async def test_the_button_of_the_message_resumes_the_table(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await make_aside_table(adapter)
        await adapter.click(make_click(STRANGER, ResumeId(table.id)))
        assert db.header(table.id).status is Status.ASIDE
        mute = await adapter.click(make_click(ROBIN, ResumeId(table.id), app_permissions=discord.Permissions.none()))
        assert mute.refusal is ClickReason.MISSING_PERMISSIONS
        assert db.header(table.id).status is Status.ASIDE
        for _ in range(2):
            click = await adapter.click(make_click(ROBIN, ResumeId(table.id)))
            assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
        assert db.header(table.id).status is Status.PLAYING
        assert [shown.action for shown in adapter.fake_table_messages.shown] == [ShowAction.POST]


class TestStillPlaying:
    async def test_still_playing_ends_the_silence_and_says_so(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await make_idle_table(adapter)
        click = await adapter.click(make_click(STRANGER, StillPlayingId(table.id)))
        assert click.refusal is HostReason.NOT_SEATED
        click = await adapter.click(make_click(ROBIN, StillPlayingId(table.id)))
        assert "Robin" in (click.answers[-1].content or "")
        assert db.header(table.id).updated_at == adapter.clock()

    async def test_still_playing_is_too_late_at_a_closed_table(self, adapter: Adapter) -> None:
        table = await make_idle_table(adapter)
        await abandon(adapter.service, table.id, adapter.clock())
        click = await adapter.click(make_click(ROBIN, StillPlayingId(table.id)))
        assert click.refusal is HostReason.TABLE_OVER


async def test_a_hand_of_a_table_put_aside_says_so(adapter: Adapter) -> None:
    table = await make_aside_table(adapter)
    click = await adapter.click(make_click(ROBIN, HandControlId(HandId(table.id)), in_whisper=True))
    assert click.refusal is HostReason.PUT_ASIDE
    assert OpenTableId("magpie", 0, "", ()) == parse_id("q:magpie:0::")
