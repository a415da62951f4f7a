"""How tables get into channels, and what Discord's refusals mean."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

import aiohttp
import discord
import pytest

import bot.ui.delivery.table_messages
from bot.pictures.service import Drawn
from bot.rules.screen import Toggle
from bot.tables.model import Place, Status
from bot.tables.runtime.publisher import (
    Asleep,
    MessageGone,
    NotNow,
    NotShown,
    OutOfReach,
    Silent,
    TooManyEdits,
    Vanished,
)
from bot.tables.table import Table, moved
from bot.ui.delivery.messenger import deleting
from bot.ui.delivery.rate_limits import Urgency
from bot.ui.delivery.table_messages import DiscordBoard, call
from bot.ui.drafts import Drafts
from bot.ui.render.message import Json
from tests.support.fakes import a_table
from tests.ui.adapter import edited, posted, visible
from tests.ui.fake_interactions import (
    ARCHIVED,
    BAD_REQUEST,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    SERVER_ERROR,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    FakeMessenger,
    http_error,
)
from tests.ui.painter import FakePainter, an_easel

Show: TypeAlias = Callable[[DiscordBoard, Table], Awaitable[int]]


@pytest.fixture
def messenger() -> FakeMessenger:
    return FakeMessenger()


@pytest.fixture
def board(messenger: FakeMessenger) -> DiscordBoard:
    made = DiscordBoard(Drafts(), an_easel())
    made.connect(messenger)  # type: ignore[arg-type]
    return made


def told_by(messenger: FakeMessenger) -> Json:
    """Return what the one message says."""
    (request,) = messenger.done
    assert request.told is not None
    return request.told


@pytest.mark.parametrize("place", [Place(3, 70), Place(None, 71)])
async def test_a_table_is_posted_where_it_stands(board: DiscordBoard, messenger: FakeMessenger, place: Place) -> None:
    assert await posted(board, a_table(place=place)) == 4711
    (request,) = messenger.done
    assert (request.method, request.channel_id, request.message_id) == ("POST", place.channel_id, None)
    assert told_by(messenger)["components"]


async def test_an_edit_takes_away_the_buttons_of_a_table_that_is_over(
    board: DiscordBoard, messenger: FakeMessenger
) -> None:
    assert await edited(board, a_table(status=Status.CANCELLED, message_id=9)) == 9
    (request,) = messenger.done
    assert (request.method, request.message_id) == ("PATCH", 9)
    assert told_by(messenger)["components"] == []


async def test_a_post_of_a_table_that_is_over_sends_no_buttons(board: DiscordBoard, messenger: FakeMessenger) -> None:
    await posted(board, a_table(status=Status.CANCELLED))
    assert told_by(messenger)["components"] == []


async def test_what_has_changed_comes_before_what_is_shown_anew(board: DiscordBoard, messenger: FakeMessenger) -> None:
    table = a_table(message_id=9)
    await board.remove(table, 8)
    for is_new in (False, True):
        async with board.editing(table, is_new=is_new) as edit:
            await edit(table)
    await posted(board, table)
    assert sorted(messenger.urgencies) == [Urgency.EDIT, Urgency.POST, Urgency.REFRESH, Urgency.DELETION]
    assert messenger.urgencies == [Urgency.DELETION, Urgency.REFRESH, Urgency.EDIT, Urgency.POST]


async def test_a_message_that_shows_the_table_no_longer_points_to_the_one_that_does(
    board: DiscordBoard, messenger: FakeMessenger
) -> None:
    await board.point_on(a_table(place=Place(3, 70), message_id=10), 9)
    (request,) = messenger.done
    assert (request.method, request.channel_id, request.message_id) == ("PATCH", 70, 9)
    told = told_by(messenger)
    assert told["content"] == "This table has moved: https://discord.com/channels/3/70/10"
    assert (told["embeds"], told["components"], told["attachments"]) == ([], [], [])


VERDICTS: list[tuple[Exception, type[Exception]]] = [
    (UNKNOWN_MESSAGE, MessageGone),
    (UNKNOWN_CHANNEL, Vanished),
    (http_error(discord.NotFound, 404, 10004), OutOfReach),
    (http_error(discord.NotFound, 404, 0), OutOfReach),
    (MISSING_ACCESS, OutOfReach),
    (MISSING_PERMISSIONS, OutOfReach),
    (http_error(discord.Forbidden, 403, 50007), OutOfReach),  # no direct messages from the bot
    (ARCHIVED, Asleep),
    (http_error(discord.HTTPException, 400, 160005), Asleep),
    (SERVER_ERROR, Silent),
    (BAD_REQUEST, NotShown),
    (http_error(discord.HTTPException, 429, 0), NotNow),
    (http_error(discord.HTTPException, 429, 30046), TooManyEdits),
    (aiohttp.ClientConnectionError("reset"), Silent),
    (aiohttp.ServerDisconnectedError(), Silent),
    (ConnectionResetError(104, "reset"), Silent),
    (TimeoutError(), Silent),
]


async def test_a_call_notifies_one_person_and_nobody_else(messenger: FakeMessenger) -> None:
    await call(messenger, 70, 12, "<@12> <@13> @everyone")  # type: ignore[arg-type]
    (request,) = messenger.done
    assert (request.method, request.channel_id) == ("POST", 70)
    assert told_by(messenger)["allowed_mentions"] == {"parse": [], "users": ["12"]}


@pytest.mark.parametrize(("fault", "verdict"), VERDICTS, ids=repr)
async def test_what_a_failed_call_means(messenger: FakeMessenger, fault: Exception, verdict: type[Exception]) -> None:
    messenger.fault = fault
    with pytest.raises(verdict):
        await call(messenger, 70, 12, "<@12>")  # type: ignore[arg-type]


@pytest.mark.parametrize(("fault", "verdict"), VERDICTS, ids=repr)
@pytest.mark.parametrize("show", [posted, edited])
async def test_what_a_failure_means(
    board: DiscordBoard, messenger: FakeMessenger, show: Show, fault: Exception, verdict: type[Exception]
) -> None:
    messenger.fault = fault
    with pytest.raises(verdict) as raised:
        await show(board, a_table(message_id=9))
    assert raised.value.__cause__ is fault


@pytest.mark.parametrize("fault", [ValueError("a fault of ours"), discord.DiscordException("of another kind")])
async def test_other_faults_are_not_taken_for_discords(
    board: DiscordBoard, messenger: FakeMessenger, fault: Exception
) -> None:
    messenger.fault = fault
    with pytest.raises(type(fault)):
        await edited(board, a_table(message_id=9))


@pytest.mark.parametrize("show", [posted, edited])
async def test_before_there_is_a_messenger_nothing_is_shown_for_now(show: Show) -> None:
    with pytest.raises(NotShown):
        await show(DiscordBoard(Drafts(), an_easel()), a_table(message_id=9))


async def test_a_replaced_message_is_deleted(board: DiscordBoard, messenger: FakeMessenger) -> None:
    await board.remove(a_table(message_id=10), 9)
    assert messenger.done == [deleting(70, 9)]


@pytest.mark.parametrize("fault", [fault for fault, _ in VERDICTS], ids=repr)
async def test_a_message_that_can_not_be_deleted_just_stays(
    board: DiscordBoard, messenger: FakeMessenger, fault: Exception
) -> None:
    messenger.fault = fault
    await board.remove(a_table(message_id=10), 9)
    assert messenger.done == []


async def test_the_frame_shows_the_draft_of_the_seat_to_move() -> None:
    drafts, table = Drafts(), a_table(status=Status.PLAYING)
    board = DiscordBoard(drafts, an_easel())
    before = board.frame(table)
    drafts.toggle(table, Toggle(2), frozenset())
    assert board.frame(table).rows[0][1] != before.rows[0][1]


def ready_board(painter: FakePainter) -> DiscordBoard:
    return DiscordBoard(Drafts(), an_easel(painter))


class TestPreparing:
    """A frame that is made while its move is on its way to the disk."""

    def test_a_frame_that_is_ready_is_used_once(self) -> None:
        board, table = ready_board(FakePainter()), a_table(status=Status.PLAYING)
        board.prepare(table)
        made = board._ready[table.id].frame
        shown = replace(table, header=replace(table.header, published=5))
        assert board.frame(shown) is made
        assert board.frame(shown) is not made
        assert visible(board.frame(shown)) == visible(made)

    def test_an_earlier_revision_that_is_shown_meanwhile_leaves_it_ready(self) -> None:
        board, table = ready_board(FakePainter()), a_table(status=Status.PLAYING)
        later = replace(table, header=replace(table.header, revision=table.header.revision + 1))
        board.prepare(later)
        made = board._ready[table.id].frame
        assert board.frame(table) is not made
        assert board.frame(later) is made

    def test_another_move_of_the_same_revision_is_shown_as_it_is(self) -> None:
        """Another process was quicker, and what was got ready never came to the disk."""
        board, table = ready_board(FakePainter()), a_table(status=Status.PLAYING)
        board.prepare(moved(table, table.header.to_move or 0, "roll 1 2 3 4 5"))
        other = moved(table, table.header.to_move or 0, "roll 1")
        assert visible(board.frame(other)) == visible(ready_board(FakePainter()).frame(other))

    def test_a_later_revision_is_shown_as_it_is(self) -> None:
        board, table = ready_board(FakePainter()), a_table(status=Status.PLAYING)
        board.prepare(table)
        later = replace(table, header=replace(table.header, step=3, revision=table.header.revision + 1))
        assert visible(board.frame(later)) == visible(ready_board(FakePainter()).frame(later))

    def test_dice_that_were_picked_meanwhile_are_shown(self) -> None:
        drafts = Drafts()
        board, table = DiscordBoard(drafts, an_easel()), a_table(status=Status.PLAYING)
        board.prepare(table)
        drafts.toggle(table, Toggle(2), frozenset())
        assert visible(board.frame(table)) == visible(DiscordBoard(drafts, an_easel()).frame(table))

    def test_no_more_are_kept_than_there_is_room_for(self) -> None:
        board = ready_board(FakePainter())
        tables = [a_table(status=Status.PLAYING, id=number) for number in range(100)]
        for table in tables:
            board.prepare(table)
        assert len(board._ready) == bot.ui.delivery.table_messages._MOST_READY
        newest = [table.id for table in tables[-bot.ui.delivery.table_messages._MOST_READY :]]
        board.prepare(tables[newest[0]])
        board.prepare(a_table(status=Status.PLAYING, id=500))
        assert list(board._ready) == [*newest[2:], newest[0], 500]

    async def test_its_picture_is_drawn_where_nobody_has_to_be_asked(self) -> None:
        painter, table = FakePainter(), a_table(status=Status.PLAYING)
        board = ready_board(painter)
        board.prepare(table)
        assert painter.tried == []
        await board.easel.in_time(board.frame(table), table.header.place)
        asked = len(painter.tried)
        board.prepare(table)
        assert len(painter.tried) == asked + 1
        board.easel.bar(table.header.place.channel_id)
        board.prepare(table)
        assert len(painter.tried) == asked + 1

    async def test_a_picture_that_takes_its_time_is_begun(self) -> None:
        painter, table = FakePainter(), a_table(status=Status.PLAYING)
        board = ready_board(painter)
        await board.easel.in_time(board.frame(table), table.header.place)
        drawn = len(painter.drew)
        board.prepare(table)
        await asyncio.sleep(0)
        assert len(painter.drew) == drawn + 1
        painter.ready = Drawn(b"picture", "table.png", "")
        board.prepare(table)
        await asyncio.sleep(0)
        assert len(painter.drew) == drawn + 1

    async def test_a_picture_that_fails_ahead_fails_when_it_is_shown(self) -> None:
        painter, table = FakePainter(), a_table(status=Status.PLAYING)
        board = ready_board(painter)
        await board.easel.in_time(board.frame(table), table.header.place)
        painter.fault = RuntimeError("no brush")
        board.prepare(table)
        painter.fault = None
        assert (await board.easel.in_time(board.frame(table), table.header.place)).drawn is not None
