"""How tables get into channels, and what Discord's refusals mean."""

import asyncio
from dataclasses import replace

import aiohttp
import discord
import pytest

import bot.ui.board
from bot.pictures.studio import Drawn
from bot.rules.screen import Toggle
from bot.tables.model import Place, Status
from bot.tables.publisher import Asleep, MessageGone, NotShown, OutOfReach, Vanished
from bot.tables.table import moved
from bot.ui.board import DiscordBoard
from bot.ui.drafts import Drafts
from tests.support.fakes import a_table
from tests.ui.adapter import visible
from tests.ui.interactions import (
    ARCHIVED,
    BAD_REQUEST,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    SERVER_ERROR,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    FakeClient,
    http_error,
)
from tests.ui.painter import FakePainter, an_easel


@pytest.fixture
def client() -> FakeClient:
    return FakeClient()


@pytest.fixture
def board(client: FakeClient) -> DiscordBoard:
    made = DiscordBoard(Drafts(), an_easel())
    made.connect(client)  # type: ignore[arg-type]
    return made


@pytest.mark.parametrize("place", [Place(3, 70), Place(None, 71)])
async def test_a_table_is_posted_where_it_stands(board: DiscordBoard, client: FakeClient, place: Place) -> None:
    assert await board.post(a_table(place=place)) == 4711
    ((deed, guild_id, channel_id, sent),) = client.done
    assert (deed, guild_id, channel_id) == ("send", place.guild_id, place.channel_id)
    assert isinstance(sent, dict)
    assert sent["view"].is_finished()


async def test_an_edit_takes_away_the_buttons_of_a_table_that_is_over(board: DiscordBoard, client: FakeClient) -> None:
    await board.edit(a_table(status=Status.CANCELLED, message_id=9))
    ((deed, _, _, message_id, sent),) = client.done
    assert (deed, message_id) == ("edit", 9)
    assert isinstance(sent, dict)
    assert sent["view"] is None


async def test_a_post_of_a_table_that_is_over_sends_no_buttons(board: DiscordBoard, client: FakeClient) -> None:
    await board.post(a_table(status=Status.CANCELLED))
    sent = client.done[0][-1]
    assert isinstance(sent, dict)
    assert "view" not in sent


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
    (SERVER_ERROR, NotShown),
    (BAD_REQUEST, NotShown),
    (http_error(discord.HTTPException, 429, 0), NotShown),
    (aiohttp.ClientConnectionError("reset"), NotShown),
    (aiohttp.ServerDisconnectedError(), NotShown),
    (ConnectionResetError(104, "reset"), NotShown),
    (TimeoutError(), NotShown),
]


async def test_a_call_notifies_one_person_and_nobody_else(board: DiscordBoard, client: FakeClient) -> None:
    await board.call(a_table(place=Place(3, 70)), 12, "<@12> <@13> @everyone")
    ((deed, guild_id, channel_id, sent),) = client.done
    assert (deed, guild_id, channel_id) == ("send", 3, 70)
    assert isinstance(sent, dict)
    # As the client sends it, which by itself mentions nobody.
    mentioned = discord.AllowedMentions.none().merge(sent["allowed_mentions"]).to_dict()
    assert {"parse": [], "users": [12]}.items() <= mentioned.items()
    assert "roles" not in mentioned


@pytest.mark.parametrize(("fault", "verdict"), VERDICTS, ids=repr)
async def test_what_a_failed_call_means(
    board: DiscordBoard, client: FakeClient, fault: Exception, verdict: type[Exception]
) -> None:
    client.fault = fault
    with pytest.raises(verdict):
        await board.call(a_table(), 12, "<@12>")


@pytest.mark.parametrize(("fault", "verdict"), VERDICTS, ids=repr)
@pytest.mark.parametrize("deed", ["post", "edit"])
async def test_what_a_failure_means(
    board: DiscordBoard, client: FakeClient, deed: str, fault: Exception, verdict: type[Exception]
) -> None:
    client.fault = fault
    with pytest.raises(verdict) as raised:
        await getattr(board, deed)(a_table(message_id=9))
    assert raised.value.__cause__ is fault


@pytest.mark.parametrize("fault", [ValueError("a fault of ours"), discord.DiscordException("of another kind")])
async def test_other_faults_are_not_taken_for_discords(
    board: DiscordBoard, client: FakeClient, fault: Exception
) -> None:
    client.fault = fault
    with pytest.raises(type(fault)):
        await board.edit(a_table(message_id=9))


@pytest.mark.parametrize("deed", ["post", "edit"])
async def test_before_there_is_a_client_nothing_is_shown_for_now(deed: str) -> None:
    with pytest.raises(NotShown):
        await getattr(DiscordBoard(Drafts(), an_easel()), deed)(a_table(message_id=9))


async def test_a_replaced_message_is_deleted(board: DiscordBoard, client: FakeClient) -> None:
    await board.remove(a_table(message_id=10), 9)
    assert client.done == [("delete", 3, 70, 9)]


@pytest.mark.parametrize("fault", [fault for fault, _ in VERDICTS], ids=repr)
async def test_a_message_that_can_not_be_deleted_just_stays(
    board: DiscordBoard, client: FakeClient, fault: Exception
) -> None:
    client.fault = fault
    await board.remove(a_table(message_id=10), 9)
    assert client.done == []


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
        assert len(board._ready) == bot.ui.board._MOST_READY
        newest = [table.id for table in tables[-bot.ui.board._MOST_READY :]]
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
