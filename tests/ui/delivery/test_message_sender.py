"""Reminders mention one player, and retries end."""

import logging
from dataclasses import replace
from datetime import timedelta
from functools import partial

import discord
import pytest

from bot.features.idle_tables.messages import announce_closing
from bot.features.idle_tables.storage import CLOSING, Announcement
from bot.features.invitations.messages import InvitationButton, InvitationId, invite_guest, is_invitation
from bot.features.invitations.model import Invitation
from bot.features.reminders.messages import PingPanelId, ask_others, is_reminder, remind_player
from bot.features.reminders.model import Reminder, ReminderStage
from bot.platform.catalogues import Catalogues
from bot.platform.discord.content import Button, Json
from bot.platform.discord.errors import DeliveryFailed, RefusesDirectMessages
from bot.platform.discord.http import delete_request
from bot.platform.discord.languages import Languages
from bot.platform.discord.rate_limits import Urgency
from bot.platform.notices.sending import MessageSender, button_ids
from bot.platform.places import Person
from bot.tables.control_entries import Substitute
from bot.tables.model import ClockState, Occupant, Status, TurnClock
from bot.tables.shown.links import table_link
from bot.tables.table import apply_control_entry, stop
from tests.support.fakes import HERE, NOON, make_table
from tests.ui.fake_interactions import (
    ARCHIVED,
    BAD_REQUEST,
    MISSING_ACCESS,
    SERVER_ERROR,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    FakeMessageClient,
    make_http_error,
)

BOT, OTHER_USER = 10, 99
TOO_MANY = make_http_error(discord.HTTPException, 429, 0)
OTHERS = InvitationId(1, 13, InvitationButton.JOIN)
LOST = Reminder(1, HERE.channel_id, 0, 3, NOON, noted_at=NOON + timedelta(minutes=2))


def message(id_: int, author_id: int, content: str, *buttons: Button) -> Json:
    """Describe a message as Discord does."""
    rows = [{"components": [button.to_dict() for button in buttons]}]
    return {"id": str(id_), "author": {"id": str(author_id)}, "content": content, "components": rows}


@pytest.fixture
def message_client() -> FakeMessageClient:
    return FakeMessageClient()


@pytest.fixture
def sender(message_client: FakeMessageClient) -> MessageSender:
    message_client.bot_id = BOT
    return MessageSender(message_client, Languages(Catalogues()))  # type: ignore[arg-type]


def single_request(message_client: FakeMessageClient) -> Json:
    (request,) = message_client.requests
    assert (request.method, request.channel_id) == ("POST", HERE.channel_id)
    assert message_client.urgencies == [Urgency.REMINDER]
    assert request.json is not None
    return request.json


async def find_reminder(sender: MessageSender, reminder: Reminder) -> int | None:
    return await sender.find(reminder, partial(is_reminder, reminder))


class TestSendReminder:
    async def test_a_reminder_mentions_one_player_with_a_link(
        self, sender: MessageSender, message_client: FakeMessageClient
    ) -> None:
        table = make_table(status=Status.PLAYING, message_id=70)
        mover = table.mover
        assert mover is not None
        assert await sender.post(LOST, remind_player(table, ReminderStage.TURN)) == replace(LOST, message_id=4711)
        sent = single_request(message_client)
        assert sent["content"].startswith(f"<@{mover.user_id}>")
        assert sent["content"].endswith(table_link(table))
        assert sent["allowed_mentions"] == {"parse": [], "users": [str(mover.user_id)]}

    async def test_without_other_people_only_the_choice_of_pings_is_offered(
        self, sender: MessageSender, message_client: FakeMessageClient
    ) -> None:
        computer = Occupant(level="normal", contribution="computer:normal")
        robin = Occupant("Robin", user_id=11, contribution="500")
        table = make_table(robin, computer, status=Status.PLAYING)
        table = replace(table, header=replace(table.header, to_move=0))
        await sender.post(LOST, remind_player(table, ReminderStage.TURN))
        assert button_ids(single_request(message_client)) == {str(PingPanelId(table.id))}

    def test_only_a_person_to_move_can_be_reminded(self) -> None:
        computer = Occupant(level="normal", contribution="computer:normal")
        robin = Occupant("Robin", user_id=11, contribution="500")
        table = make_table(robin, computer, status=Status.PLAYING)
        for to_move in (None, 1):
            unreminded = replace(table, header=replace(table.header, to_move=to_move))
            with pytest.raises(ValueError, match="no player to remind"):
                remind_player(unreminded, ReminderStage.TURN)

    async def test_substituted_players_cannot_ask_for_a_substitute(
        self, sender: MessageSender, message_client: FakeMessageClient
    ) -> None:
        table = make_table(status=Status.PLAYING)
        mover = table.header.to_move or 0
        for seat in range(3):
            if seat != mover:
                table = apply_control_entry(table, seat, Substitute(seat))
        await sender.post(LOST, remind_player(table, ReminderStage.TURN))
        assert button_ids(single_request(message_client)) == {str(PingPanelId(table.id))}


class TestDirectMessages:
    async def test_a_direct_message_has_the_same_text_and_no_buttons(
        self, sender: MessageSender, message_client: FakeMessageClient
    ) -> None:
        table = make_table(status=Status.PLAYING, message_id=70)
        assert table.mover is not None
        channel_id = 900 + (table.mover.user_id or 0)
        told = await sender.post_direct(LOST, remind_player(table, ReminderStage.TURN))
        assert told == replace(LOST, channel_id=channel_id, message_id=4711)
        (request,) = message_client.requests
        assert request.channel_id == channel_id
        sent = request.json or {}
        assert sent["content"] == remind_player(table, ReminderStage.TURN).text
        assert "components" not in sent
        await sender.delete(channel_id, 4711)
        assert message_client.requests[1:] == [delete_request(channel_id, 4711)]

    async def test_only_a_refusal_means_that_they_accept_none(
        self, sender: MessageSender, message_client: FakeMessageClient
    ) -> None:
        for fault, meaning in (
            (make_http_error(discord.Forbidden, 403, 50007), RefusesDirectMessages),
            (SERVER_ERROR, DeliveryFailed),
            (TimeoutError(), DeliveryFailed),
        ):
            message_client.fault = fault
            with pytest.raises(meaning):
                await sender.post_direct(LOST, remind_player(make_table(status=Status.PLAYING), ReminderStage.TURN))


class TestTurnClock:
    CLOCK = ClockState(TurnClock.TEN_MINUTES, NOON + timedelta(minutes=10))

    async def test_the_question_to_the_others_mentions_only_some_and_is_found_by_its_buttons(
        self, sender: MessageSender, message_client: FakeMessageClient
    ) -> None:
        table = make_table(status=Status.PLAYING, clock=replace(self.CLOCK, is_up=True))
        await sender.post(LOST, ask_others(table, [12, 13]))
        sent = single_request(message_client)
        assert sent["content"].startswith("<@12> <@13> **")
        assert sent["allowed_mentions"] == {"parse": [], "users": ["12", "13"]}
        message_client.history = [
            {**message(6, BOT, sent["content"]), "components": []},
            {**message(5, BOT, sent["content"]), "components": sent["components"]},
        ]
        assert await find_reminder(sender, replace(LOST, stage=ReminderStage.TIME_UP)) == 5
        assert await find_reminder(sender, replace(LOST, table_id=2, stage=ReminderStage.TIME_UP)) is None


class TestFinding:
    async def test_only_the_bots_own_reminder_is_found_whatever_its_language(
        self, sender: MessageSender, message_client: FakeMessageClient
    ) -> None:
        table = make_table(status=Status.PLAYING)
        buttons, other = (
            remind_player(each, ReminderStage.TURN).buttons for each in (table, make_table(id=2, status=Status.PLAYING))
        )
        message_client.history = [
            message(6, BOT, "Твой ход", *buttons),
            message(5, BOT, "It's your turn", *buttons),
            message(4, BOT, "Nothing in particular"),
            message(3, BOT, "It's your turn", *other),
            message(2, OTHER_USER, "It's your turn", *buttons),
        ]
        assert await find_reminder(sender, LOST) == 5
        (asked,) = message_client.requests
        assert (asked.method, asked.channel_id, asked.query["limit"]) == ("GET", HERE.channel_id, "100")
        since = discord.utils.snowflake_time(int(asked.query["after"]))
        assert since == NOON - timedelta(minutes=3), "clocks differ"

    async def test_an_invitation_is_found_by_its_button(
        self, sender: MessageSender, message_client: FakeMessageClient
    ) -> None:
        table, guest = make_table(), Person(12, "Wren")
        invited = Invitation(table.id, HERE.channel_id, 11, guest.id, 5, 4, noted_at=NOON)
        await sender.post(invited, invite_guest(table, Person(11, "Robin"), guest))
        sent = message_client.requests.pop().json or {}
        other = [{"components": [{"custom_id": str(OTHERS)}]}]
        message_client.history = [
            {**message(5, OTHER_USER, "forged"), "components": sent["components"]},
            {**message(4, BOT, "another guest's"), "components": other},
            {**message(3, BOT, sent["content"]), "components": sent["components"]},
        ]
        assert await sender.find(invited, partial(is_invitation, invited)) == 3

    async def test_the_announcement_of_an_idle_table_is_found_by_its_button(
        self, sender: MessageSender, message_client: FakeMessageClient
    ) -> None:
        other, line = (announce_closing(make_table(id=number), NOON) for number in (2, 1))
        message_client.history = [message(4, BOT, line.text, *other.buttons), message(3, BOT, line.text, *line.buttons)]
        announced = Announcement(1, HERE.channel_id, NOON, noted_at=NOON)
        assert await sender.find(announced, partial(CLOSING.recognises, announced)) == 3

    async def test_without_a_message_none_is_found(
        self, sender: MessageSender, message_client: FakeMessageClient
    ) -> None:
        assert await find_reminder(sender, LOST) is None
        message_client.bot_id = None
        assert await find_reminder(sender, LOST) is None
        assert len(message_client.requests) == 1, "only what was noted is searched for"

    @pytest.mark.parametrize("fault", [MISSING_ACCESS, UNKNOWN_CHANNEL, ARCHIVED])
    async def test_an_unreachable_channel_is_given_up(
        self, sender: MessageSender, message_client: FakeMessageClient, fault: Exception
    ) -> None:
        message_client.fault = fault
        assert await find_reminder(sender, LOST) is None

    async def test_a_temporary_failure_of_finding_is_raised(
        self, sender: MessageSender, message_client: FakeMessageClient
    ) -> None:
        message_client.fault = SERVER_ERROR
        with pytest.raises(DeliveryFailed):
            await find_reminder(sender, LOST)


class TestRemoving:
    async def test_removing_deletes_the_message(self, sender: MessageSender, message_client: FakeMessageClient) -> None:
        await sender.delete(HERE.channel_id, 70)
        assert message_client.requests == [delete_request(HERE.channel_id, 70)]

    @pytest.mark.parametrize("fault", [UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, MISSING_ACCESS, ARCHIVED, BAD_REQUEST])
    async def test_a_missing_or_unreachable_message_is_only_logged(
        self,
        sender: MessageSender,
        message_client: FakeMessageClient,
        fault: Exception,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level(logging.INFO)
        message_client.fault = fault
        await sender.delete(HERE.channel_id, 70)
        assert caplog.messages == [f"a message could not be found or deleted: {fault}"]

    @pytest.mark.parametrize("fault", [SERVER_ERROR, TOO_MANY, TimeoutError()])
    async def test_a_temporary_failure_of_removing_is_raised(
        self, sender: MessageSender, message_client: FakeMessageClient, fault: Exception
    ) -> None:
        message_client.fault = fault
        with pytest.raises(DeliveryFailed):
            await sender.delete(HERE.channel_id, 70)


def test_an_announcement_names_the_command_that_brings_back_a_table_put_aside() -> None:
    table = make_table(status=Status.PLAYING, message_id=9)
    announced = [announce_closing(each, NOON).text for each in (table, stop(table, Status.ASIDE))]
    assert ["`/table resume`" in text for text in announced] == [False, True]
