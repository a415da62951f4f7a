"""Whatever fails, the person who acted gets one plain sentence."""

import asyncio
import logging
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands

import bot.platform.discord.answers
from bot.platform.database.errors import OutcomeUnknown, StoreUnavailable
from bot.platform.discord.answers import (
    DEFER_AFTER_SECONDS,
    defer_if_slow,
    has_settled_response,
    is_overtaken,
    schedule_deferral,
    send_ephemeral,
)
from bot.platform.observability.trace import InteractionOutcome, get_or_start_trace, start_trace
from bot.rules.refusals import CommonReason, Refusal
from bot.tables.handlers.error_replies import OUTCOME_UNKNOWN, OUTDATED, STORE_UNAVAILABLE, UNEXPECTED, ErrorReplies
from bot.tables.model import Status, TableId
from bot.tables.refusals import DuplicateInteraction, HostReason, PlaceTakenFacts, TableFacts
from bot.tables.table import Table
from bot.words import gettext
from tests.support.apps import shared_app
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, WREN, make_table
from tests.support.virtual_time import run_in_virtual_time
from tests.support.waiting import Gate, wait_until
from tests.ui.fake_interactions import (
    ALREADY_ANSWERED,
    BAD_REQUEST,
    SERVER_ERROR,
    TOO_LATE,
    UNKNOWN_MESSAGE,
    Answer,
    AnswerMethod,
    FakeInteraction,
    make_click,
    make_command,
    make_http_error,
)


async def restore(table_id: TableId) -> Table:
    """Post a table of which somebody has deleted the message again."""
    return make_table(id=table_id, message_id=RESTORED_ID)


RESTORED_ID = 4711
ERROR_REPLIES = ErrorReplies(shared_app(), restore)


async def reply_to_error(fault: BaseException, interaction: FakeInteraction | None = None) -> FakeInteraction:
    interaction = interaction or make_command(ROBIN)
    start_trace()
    await ERROR_REPLIES.send(interaction, fault)  # type: ignore[arg-type]
    return interaction


async def test_a_refusal_links_to_a_table_that_is_there() -> None:
    there = make_table(status=Status.PLAYING, message_id=9)
    refusal = Refusal(HostReason.CHANNEL_TAKEN, PlaceTakenFacts(there, asker_id=WREN.id))
    assert f"/{RESTORED_ID}" in (await reply_to_error(refusal)).text


@each_case(
    "reason, status",
    [
        (HostReason.NOT_TIED, Status.FINISHED),
        (HostReason.NOT_FINISHED, Status.CANCELLED),
        (HostReason.NOT_OPENER, Status.LOBBY),
    ],
)
async def test_a_table_that_is_over_or_not_linked_to_is_not_posted_again(reason: HostReason, status: Status) -> None:
    refusal = Refusal(reason, TableFacts(make_table(status=status, message_id=9)))
    assert f"/{RESTORED_ID}" not in (await reply_to_error(refusal)).text


def wrap_error(fault: Exception) -> Exception:
    """A fault as discord.py hands it on from a command."""
    command: Any = type("Command", (), {"name": "new"})()
    return app_commands.CommandInvokeError(command, fault)


@run_in_virtual_time
async def test_a_deferral_is_counted_from_the_first_call() -> None:
    command: Any = make_command(ROBIN)
    schedule_deferral(command)
    await asyncio.sleep(DEFER_AFTER_SECONDS / 2)
    schedule_deferral(command)
    assert not await has_settled_response(command)
    await asyncio.sleep(2 * DEFER_AFTER_SECONDS)
    assert command.answers == [], "the caller has cancelled it"
    schedule_deferral(other := make_command(ROBIN))  # type: ignore[arg-type]
    await asyncio.sleep(DEFER_AFTER_SECONDS / 2)
    schedule_deferral(other)  # type: ignore[arg-type]
    await asyncio.sleep(0.6 * DEFER_AFTER_SECONDS)
    assert [answer.how for answer in other.answers] == [AnswerMethod.DEFER]


class TestEphemeralAnswers:
    async def test_the_first_answer_is_private(self) -> None:
        command = make_command(ROBIN)
        await send_ephemeral(command, "psst")  # type: ignore[arg-type]
        sent = frozenset({"content", "ephemeral"})
        assert command.answers == [Answer(AnswerMethod.SEND, content="psst", ephemeral=True, sent=sent)]

    async def test_followups_are_private_too(self) -> None:
        command = make_command(ROBIN)
        embed = discord.Embed(title="x")
        await send_ephemeral(command, "one")  # type: ignore[arg-type]
        await send_ephemeral(command, embed=embed)  # type: ignore[arg-type]
        assert command.answers[1].how is AnswerMethod.FOLLOW_UP
        assert command.answers[1].ephemeral
        assert command.answers[1].embed is embed


class TestErrorReplies:
    async def test_a_refusal_is_explained_and_no_error(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.INFO)
        refusal = Refusal(CommonReason.NOT_TO_MOVE)
        for fault in (refusal, wrap_error(refusal)):
            assert (await reply_to_error(fault)).text == ERROR_REPLIES.explain(refusal)
        assert caplog.records == []

    @pytest.mark.parametrize("fault", [TOO_LATE, ALREADY_ANSWERED, wrap_error(TOO_LATE)])
    async def test_an_expired_interaction_is_ignored(self, fault: Exception, caplog: pytest.LogCaptureFixture) -> None:
        assert (await reply_to_error(fault)).answers == []
        assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []

    @pytest.mark.parametrize(
        "fault",
        [
            ValueError("secret detail"),
            KeyError("secret detail"),
            wrap_error(ValueError("secret detail")),
            AssertionError("secret detail"),
            BAD_REQUEST,
            SERVER_ERROR,
        ],
        ids=repr,
    )
    async def test_an_unexpected_error_is_logged_and_answered_without_details(
        self, fault: Exception, caplog: pytest.LogCaptureFixture
    ) -> None:
        command = await reply_to_error(fault)
        assert command.text == gettext(UNEXPECTED).format(trace=get_or_start_trace().id)
        (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
        assert record.exc_info is not None
        assert str(command.id) in record.getMessage()
        caplog.clear()

    @pytest.mark.parametrize(
        ("fault", "sentence"),
        [
            (StoreUnavailable("disk I/O error at /srv/secret"), STORE_UNAVAILABLE),
            (OutcomeUnknown("the disk does not answer"), OUTCOME_UNKNOWN),
            (app_commands.CommandNotFound("old", []), OUTDATED),
        ],
        ids=repr,
    )
    async def test_a_fault_with_a_sentence_of_its_own_is_explained_and_not_logged(
        self, fault: Exception, sentence: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("DEBUG", "bot.tables.handlers.error_replies")
        assert (await reply_to_error(fault)).text == gettext(sentence)
        assert {record.levelno for record in caplog.records} <= {logging.DEBUG}
        assert bool(caplog.records) is isinstance(fault, StoreUnavailable)

    async def test_after_a_first_answer_a_followup_is_sent(self) -> None:
        command = make_command(ROBIN)
        await command.acknowledge()
        await reply_to_error(Refusal(CommonReason.NOT_TO_MOVE), command)
        assert [answer.how for answer in command.answers] == [AnswerMethod.DEFER, AnswerMethod.FOLLOW_UP]

    @pytest.mark.parametrize(
        ("unanswered", "levels"),
        [
            (TOO_LATE, []),
            (ALREADY_ANSWERED, []),
            (SERVER_ERROR, [logging.WARNING]),
            (aiohttp.ClientConnectionError("reset"), [logging.WARNING]),
        ],
    )
    async def test_an_apology_that_fails_is_no_error(
        self, unanswered: Exception, levels: list[int], caplog: pytest.LogCaptureFixture
    ) -> None:
        command = make_command(ROBIN)
        command.fault = unanswered
        await reply_to_error(Refusal(CommonReason.NOT_TO_MOVE), command)
        assert command.answers == []
        assert [record.levelno for record in caplog.records if record.levelno > logging.DEBUG] == levels


@each_case(
    "fault, expected",
    [
        (TOO_LATE, True),
        (ALREADY_ANSWERED, True),
        (make_http_error(discord.NotFound, 404, 10015), True),
        (make_http_error(discord.HTTPException, 401, 50027), True),
        (UNKNOWN_MESSAGE, False),
        (BAD_REQUEST, False),
        (SERVER_ERROR, False),
        (ValueError(10062), False),
        (Refusal(CommonReason.UNREADABLE), False),
    ],
)
def test_expired_interactions_are_recognised(fault: Exception, expected: bool) -> None:
    assert is_overtaken(fault) is expected


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (Refusal(CommonReason.NOT_TO_MOVE), InteractionOutcome.REFUSED),
        (wrap_error(Refusal(CommonReason.NOT_TO_MOVE)), InteractionOutcome.REFUSED),
        (app_commands.CommandNotFound("old", []), InteractionOutcome.REFUSED),
        (StoreUnavailable("full"), InteractionOutcome.UNAVAILABLE),
        (TOO_LATE, InteractionOutcome.OVERTAKEN),
        (DuplicateInteraction(1), InteractionOutcome.OVERTAKEN),
        (ValueError("ours"), InteractionOutcome.FAILED),
        (BAD_REQUEST, InteractionOutcome.FAILED),
    ],
    ids=repr,
)
async def test_the_outcome_of_an_interaction_is_noted(
    fault: Exception, outcome: InteractionOutcome, caplog: pytest.LogCaptureFixture
) -> None:
    await reply_to_error(fault)
    assert get_or_start_trace().outcome is outcome
    caplog.clear()


class TestDeferIfSlow:
    @pytest.fixture(autouse=True)
    def short_patience(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bot.platform.discord.answers, "DEFER_AFTER_SECONDS", 0.01)

    async def test_fast_work_answers_by_itself(self) -> None:
        command = make_command(ROBIN)
        await defer_if_slow(command, send_ephemeral(command, "done"))  # type: ignore[arg-type]
        assert [answer.how for answer in command.answers] == [AnswerMethod.SEND]

    async def test_slow_work_is_deferred_privately_and_goes_on(self) -> None:
        command, gate = make_command(ROBIN), Gate()

        async def work() -> None:
            await gate.wait()
            await send_ephemeral(command, "done")  # type: ignore[arg-type]

        waiting = asyncio.create_task(defer_if_slow(command, work()))  # type: ignore[arg-type]
        await wait_until(lambda: command.answers)
        gate.open()
        await waiting
        assert [answer.how for answer in command.answers] == [AnswerMethod.DEFER, AnswerMethod.FOLLOW_UP]
        assert command.answers[0].ephemeral

    async def test_a_deferral_under_way_is_waited_for(self) -> None:
        gate = Gate()
        command = make_command(ROBIN, gate=gate)

        async def work() -> None:
            await gate.reached.wait()
            asyncio.get_running_loop().call_soon(gate.open)
            await send_ephemeral(command, "done")  # type: ignore[arg-type]

        await defer_if_slow(command, work())  # type: ignore[arg-type]
        assert [answer.how for answer in command.answers] == [AnswerMethod.DEFER, AnswerMethod.FOLLOW_UP]

    async def test_an_answer_under_way_is_not_overtaken_by_a_deferral(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bot.platform.discord.answers, "DEFER_AFTER_SECONDS", 0)
        gate = Gate()
        command = make_command(ROBIN, gate=gate)
        waiting = asyncio.create_task(defer_if_slow(command, send_ephemeral(command, "done")))  # type: ignore[arg-type]
        await gate.reached.wait()
        for _ in range(5):
            await asyncio.sleep(0)  # the announcement is due
        gate.open()
        await waiting
        assert [answer.how for answer in command.answers] == [AnswerMethod.SEND]

    @each_case("slow", [False, True])
    async def test_exceptions_of_the_work_are_raised(self, slow: bool) -> None:
        command = make_command(ROBIN)

        async def work() -> None:
            await wait_until(lambda: command.answers or not slow)
            raise Refusal(CommonReason.NOT_TO_MOVE)

        with pytest.raises(Refusal):
            await defer_if_slow(command, work())  # type: ignore[arg-type]

    async def test_a_failed_deferral_does_not_stop_the_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bot.platform.discord.answers, "DEFER_AFTER_SECONDS", 0)
        command, done = make_command(ROBIN), []
        command.fault = TOO_LATE

        async def work() -> None:
            for _ in range(5):
                await asyncio.sleep(0)  # the announcement is due
            done.append("work")

        await defer_if_slow(command, work())  # type: ignore[arg-type]
        assert done == ["work"]

    async def test_a_deferral_under_way_at_the_end_of_the_work_is_waited_for_and_deleted(self) -> None:
        gate = Gate()
        command = make_command(ROBIN, gate=gate)

        async def work() -> None:
            await gate.reached.wait()
            asyncio.get_running_loop().call_soon(gate.open)

        await defer_if_slow(command, work())  # type: ignore[arg-type]
        assert command.deleted == [command.answer_id]

    async def announced(self, silent: FakeInteraction, ending: Exception | None = None) -> None:
        """Do slow work that gives no answer, and end it like this."""
        gate = Gate()

        async def work() -> None:
            await gate.wait()
            if ending is not None:
                raise ending

        waiting = asyncio.create_task(defer_if_slow(silent, work()))  # type: ignore[arg-type]
        await wait_until(lambda: silent.answers)
        gate.open()
        try:
            await waiting
        except (Refusal, DuplicateInteraction, discord.HTTPException) as fault:
            await reply_to_error(fault, silent)

    @each_case("ending", [None, DuplicateInteraction(1), ALREADY_ANSWERED])
    async def test_a_deferral_without_an_answer_is_deleted(self, ending: Exception | None) -> None:
        """Another process has run the command and answers; here the deferred answer would never end."""
        command = make_command(ROBIN)
        await self.announced(command, ending)
        assert [answer.how for answer in command.answers] == [AnswerMethod.DEFER]
        assert command.deleted == [command.answer_id]

    async def test_a_deferral_followed_by_a_refusal_is_kept(self) -> None:
        command = make_command(ROBIN)
        await self.announced(command, Refusal(CommonReason.NOT_TO_MOVE))
        assert [answer.how for answer in command.answers] == [AnswerMethod.DEFER, AnswerMethod.FOLLOW_UP]
        assert command.deleted == []

    async def test_an_acknowledged_click_is_not_deferred(self) -> None:
        click = make_click(ROBIN, "c:1")
        await self.announced(click)
        assert click.deleted == []

    async def test_a_deferral_that_cannot_be_deleted_is_ignored(self) -> None:
        command = make_command(ROBIN, undeletable=SERVER_ERROR)
        await self.announced(command)
        assert command.deleted == []
