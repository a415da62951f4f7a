"""How somebody is called to their table: they alone, and not for ever."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.tables.controls import Substitute
from bot.tables.model import Occupant, Reminder, Status
from bot.tables.publisher import Asleep, NotShown, OutOfReach
from bot.tables.table import controlled
from bot.ui.bell import DiscordBell
from bot.ui.ids import SeatAction, SeatId
from tests.support.fakes import HERE, NOON, a_table
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

US, SOMEBODY = SimpleNamespace(id=10), SimpleNamespace(id=99)
TOO_MANY = http_error(discord.HTTPException, 429, 0)
LOST = Reminder(1, HERE, 0, 3, NOON, noted_at=NOON + timedelta(minutes=2))


class Caller(FakeClient):
    """A client whose channel has a past."""

    user = US

    def __init__(self) -> None:
        super().__init__()
        self.past: list[Any] = []

    def get_partial_messageable(self, channel_id: int, *, guild_id: int | None) -> Any:
        async def history(*, limit: int, after: datetime) -> AsyncIterator[Any]:
            self.note("history", guild_id, channel_id, after)
            for message in self.past[:limit]:
                yield message

        channel = super().get_partial_messageable(channel_id, guild_id=guild_id)
        channel.history = history
        return channel


def message(id_: int, author: Any, content: str, *mentioned: int) -> Any:
    return SimpleNamespace(id=id_, author=author, content=content, raw_mentions=list(mentioned))


@pytest.fixture
def client() -> Caller:
    return Caller()


@pytest.fixture
def bell(client: Caller) -> DiscordBell:
    return DiscordBell(client)  # type: ignore[arg-type]


def sent_by(client: Caller) -> dict[str, Any]:
    ((deed, guild_id, channel_id, sent),) = client.done
    assert (deed, guild_id, channel_id) == ("send", HERE.guild_id, HERE.channel_id)
    assert isinstance(sent, dict)
    return sent


class TestRinging:
    async def test_mentions_just_them_with_the_game_and_a_link(self, bell: DiscordBell, client: Caller) -> None:
        table = a_table(status=Status.PLAYING, message_id=70)
        mover = table.mover
        assert mover is not None
        assert await bell.ring(table) == 4711
        sent = sent_by(client)
        assert sent["content"] == f"<@{mover.user_id}>, it is your turn at Magpie: https://discord.com/channels/3/70/70"
        assert sent["allowed_mentions"].to_dict() == {"parse": [], "users": [mover.user_id]}

    async def test_offers_others_a_computer_player(self, bell: DiscordBell, client: Caller) -> None:
        table = a_table(status=Status.PLAYING)
        await bell.ring(table)
        view = sent_by(client)["view"]
        (button,) = view.children
        assert button.label == "Let a computer player stand in"
        assert button.custom_id == str(SeatId(table.id, 0, SeatAction.SUBSTITUTE))
        assert view.is_finished()

    async def test_offers_nothing_where_nobody_could_ask_for_it(self, bell: DiscordBell, client: Caller) -> None:
        computer = Occupant("Computer", level="sensible", contribution="computer:sensible")
        robin = Occupant("Robin", user_id=11, contribution="500")
        table = a_table(robin, computer, status=Status.PLAYING)
        await bell.ring(replace(table, header=replace(table.header, to_move=0)))
        assert sent_by(client)["view"] is discord.utils.MISSING

    async def test_who_is_absent_themselves_could_not_ask_for_it(self, bell: DiscordBell, client: Caller) -> None:
        table = a_table(status=Status.PLAYING)
        mover = table.header.to_move or 0
        for seat in range(3):
            if seat != mover:
                table = controlled(table, seat, Substitute(seat))
        await bell.ring(table)
        assert sent_by(client)["view"] is discord.utils.MISSING

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
        self, bell: DiscordBell, client: Caller, fault: Exception, meaning: type[Exception]
    ) -> None:
        client.fault = fault
        with pytest.raises(meaning):
            await bell.ring(a_table(status=Status.PLAYING))


class TestFinding:
    async def test_our_own_call_and_no_other_message(self, bell: DiscordBell, client: Caller) -> None:
        client.past = [
            message(1, SOMEBODY, "<@11>, it is your turn at Magpie: ...", 11),
            message(2, US, "<@11>, Wren wants you at a table", 11),
            message(3, US, "Nothing in particular"),
            message(4, US, "<@11>, it is your turn at Magpie: ...", 11),
        ]
        assert await bell.find(LOST) == 4
        (asked,) = client.done
        assert asked[:3] == ("history", HERE.guild_id, HERE.channel_id)
        assert asked[3] == NOON - timedelta(minutes=3), "clocks differ"

    async def test_nothing_is_found_where_nothing_is(self, bell: DiscordBell, client: Caller) -> None:
        assert await bell.find(LOST) is None

    @pytest.mark.parametrize("fault", [MISSING_ACCESS, UNKNOWN_CHANNEL, ARCHIVED])
    async def test_what_is_out_of_reach_is_given_up(self, bell: DiscordBell, client: Caller, fault: Exception) -> None:
        client.fault = fault
        assert await bell.find(LOST) is None

    async def test_what_fails_for_now_says_so(self, bell: DiscordBell, client: Caller) -> None:
        client.fault = SERVER_ERROR
        with pytest.raises(NotShown):
            await bell.find(LOST)


class TestRemoving:
    SENT = replace(LOST, message_id=70)

    async def test_deletes_the_message(self, bell: DiscordBell, client: Caller) -> None:
        await bell.remove(self.SENT)
        assert client.done == [("delete", HERE.guild_id, HERE.channel_id, 70)]

    @pytest.mark.parametrize("fault", [UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, MISSING_ACCESS, ARCHIVED, BAD_REQUEST])
    async def test_what_is_gone_or_out_of_reach_is_left(
        self, bell: DiscordBell, client: Caller, fault: Exception
    ) -> None:
        client.fault = fault
        await bell.remove(self.SENT)

    @pytest.mark.parametrize("fault", [SERVER_ERROR, TOO_MANY, TimeoutError()])
    async def test_what_fails_for_now_says_so(self, bell: DiscordBell, client: Caller, fault: Exception) -> None:
        client.fault = fault
        with pytest.raises(NotShown):
            await bell.remove(self.SENT)
