"""How somebody is called to their table: they alone, and not for ever."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.tables.controls import Substitute
from bot.tables.model import Occupant, Reminder, Status
from bot.tables.runtime.publisher import Asleep, NotShown, OutOfReach
from bot.tables.table import controlled
from bot.ui.custom_ids import SeatAction, SeatId
from bot.ui.delivery.messenger import deleting
from bot.ui.delivery.rate_limits import Urgency
from bot.ui.delivery.reminder_messages import DiscordBell
from bot.ui.render.message import Json
from tests.support.fakes import HERE, NOON, a_table
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

US, SOMEBODY = 10, 99
TOO_MANY = http_error(discord.HTTPException, 429, 0)
LOST = Reminder(1, HERE, 0, 3, NOON, noted_at=NOON + timedelta(minutes=2))


def message(id_: int, author_id: int, content: str, *mentioned: int) -> Json:
    """Describe a message as Discord does."""
    mentions = [{"id": str(each)} for each in mentioned]
    return {"id": str(id_), "author": {"id": str(author_id)}, "content": content, "mentions": mentions}


@pytest.fixture
def messenger() -> FakeMessenger:
    return FakeMessenger()


@pytest.fixture
def bell(messenger: FakeMessenger) -> DiscordBell:
    client: Any = SimpleNamespace(user=SimpleNamespace(id=US))
    return DiscordBell(client, messenger)  # type: ignore[arg-type]


def sent_by(messenger: FakeMessenger) -> Json:
    (request,) = messenger.done
    assert (request.method, request.channel_id) == ("POST", HERE.channel_id)
    assert messenger.urgencies == [Urgency.REMINDER]
    assert request.told is not None
    return request.told


class TestRinging:
    async def test_mentions_just_them_with_the_game_and_a_link(
        self, bell: DiscordBell, messenger: FakeMessenger
    ) -> None:
        table = a_table(status=Status.PLAYING, message_id=70)
        mover = table.mover
        assert mover is not None
        assert await bell.ring(table) == 4711
        sent = sent_by(messenger)
        assert sent["content"] == f"<@{mover.user_id}>, it is your turn at Magpie: https://discord.com/channels/3/70/70"
        assert sent["allowed_mentions"] == {"parse": [], "users": [str(mover.user_id)]}

    async def test_offers_others_a_computer_player(self, bell: DiscordBell, messenger: FakeMessenger) -> None:
        table = a_table(status=Status.PLAYING)
        await bell.ring(table)
        (row,) = sent_by(messenger)["components"]
        (button,) = row["components"]
        assert button["label"] == "Let a computer player stand in"
        assert button["custom_id"] == str(SeatId(table.id, 0, SeatAction.SUBSTITUTE))

    async def test_offers_nothing_where_nobody_could_ask_for_it(
        self, bell: DiscordBell, messenger: FakeMessenger
    ) -> None:
        computer = Occupant("Computer", level="sensible", contribution="computer:sensible")
        robin = Occupant("Robin", user_id=11, contribution="500")
        table = a_table(robin, computer, status=Status.PLAYING)
        await bell.ring(replace(table, header=replace(table.header, to_move=0)))
        assert "components" not in sent_by(messenger)

    async def test_who_is_absent_themselves_could_not_ask_for_it(
        self, bell: DiscordBell, messenger: FakeMessenger
    ) -> None:
        table = a_table(status=Status.PLAYING)
        mover = table.header.to_move or 0
        for seat in range(3):
            if seat != mover:
                table = controlled(table, seat, Substitute(seat))
        await bell.ring(table)
        assert "components" not in sent_by(messenger)

    @pytest.mark.parametrize(
        ("fault", "meaning"),
        [
            (MISSING_PERMISSIONS, OutOfReach),
            (UNKNOWN_CHANNEL, OutOfReach),
            (ARCHIVED, Asleep),
            (SERVER_ERROR, NotShown),
            (TimeoutError(), NotShown),
        ],
    )
    async def test_what_a_failure_means(
        self, bell: DiscordBell, messenger: FakeMessenger, fault: Exception, meaning: type[Exception]
    ) -> None:
        messenger.fault = fault
        with pytest.raises(meaning):
            await bell.ring(a_table(status=Status.PLAYING))


class TestFinding:
    async def test_our_own_call_and_no_other_message(self, bell: DiscordBell, messenger: FakeMessenger) -> None:
        messenger.past = [
            message(6, US, "<@11>, it is your turn at Magpie: ... once more", 11),
            message(5, US, "<@11>, it is your turn at Magpie: ...", 11),
            message(4, US, "Nothing in particular"),
            message(3, US, "<@11>, Wren wants you at a table", 11),
            message(2, SOMEBODY, "<@11>, it is your turn at Magpie: ...", 11),
        ]
        assert await bell.find(LOST) == 5
        (asked,) = messenger.done
        assert (asked.method, asked.channel_id, asked.query["limit"]) == ("GET", HERE.channel_id, "100")
        since = discord.utils.snowflake_time(int(asked.query["after"]))
        assert since == NOON - timedelta(minutes=3), "clocks differ"

    async def test_nothing_is_found_where_nothing_is(self, bell: DiscordBell, messenger: FakeMessenger) -> None:
        assert await bell.find(LOST) is None

    @pytest.mark.parametrize("fault", [MISSING_ACCESS, UNKNOWN_CHANNEL, ARCHIVED])
    async def test_what_is_out_of_reach_is_given_up(
        self, bell: DiscordBell, messenger: FakeMessenger, fault: Exception
    ) -> None:
        messenger.fault = fault
        assert await bell.find(LOST) is None

    async def test_what_fails_for_now_says_so(self, bell: DiscordBell, messenger: FakeMessenger) -> None:
        messenger.fault = SERVER_ERROR
        with pytest.raises(NotShown):
            await bell.find(LOST)


class TestRemoving:
    SENT = replace(LOST, message_id=70)

    async def test_deletes_the_message(self, bell: DiscordBell, messenger: FakeMessenger) -> None:
        await bell.remove(self.SENT)
        assert messenger.done == [deleting(HERE.channel_id, 70)]

    @pytest.mark.parametrize("fault", [UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, MISSING_ACCESS, ARCHIVED, BAD_REQUEST])
    async def test_what_is_gone_or_out_of_reach_is_left(
        self, bell: DiscordBell, messenger: FakeMessenger, fault: Exception
    ) -> None:
        messenger.fault = fault
        await bell.remove(self.SENT)

    @pytest.mark.parametrize("fault", [SERVER_ERROR, TOO_MANY, TimeoutError()])
    async def test_what_fails_for_now_says_so(
        self, bell: DiscordBell, messenger: FakeMessenger, fault: Exception
    ) -> None:
        messenger.fault = fault
        with pytest.raises(NotShown):
            await bell.remove(self.SENT)
