"""Whatever goes wrong, the person who acted gets one plain sentence."""

import asyncio
import logging
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands

import bot.ui.interactions.responses
from bot.observability.trace import Outcome, begun, present
from bot.rules.refusals import KernelReason, Refusal
from bot.tables.ports import OutcomeUnknown, StoreUnavailable
from bot.tables.refusals import Repeated
from bot.ui.interactions.responses import Apologies, overtaken, promptly, whisper
from bot.ui.render.error_messages import OUTCOME_UNKNOWN, OUTDATED, STORE_UNAVAILABLE, UNEXPECTED, Sentences
from tests.support.fakes import GAMES, ROBIN, Gate, until
from tests.ui.fake_interactions import (
    ALREADY_ANSWERED,
    BAD_REQUEST,
    SERVER_ERROR,
    TOO_LATE,
    UNKNOWN_MESSAGE,
    Answer,
    FakeInteraction,
    How,
    click_of,
    command_of,
    http_error,
)

APOLOGIES = Apologies(Sentences(GAMES))


async def answered(fault: BaseException, interaction: FakeInteraction | None = None) -> FakeInteraction:
    interaction = interaction or command_of(ROBIN)
    begun()
    await APOLOGIES.answer(interaction, fault)  # type: ignore[arg-type]
    return interaction


def wrapped(fault: Exception) -> Exception:
    """A fault as discord.py hands it on from a command."""
    command: Any = type("Command", (), {"name": "new"})()
    return app_commands.CommandInvokeError(command, fault)


class TestWhisper:
    async def test_the_first_answer_is_for_one_reader(self) -> None:
        command = command_of(ROBIN)
        await whisper(command, "psst")  # type: ignore[arg-type]
        sent = frozenset({"content", "ephemeral"})
        assert command.answers == [Answer(How.SEND, content="psst", ephemeral=True, sent=sent)]

    async def test_what_follows_is_for_one_reader_too(self) -> None:
        command = command_of(ROBIN)
        embed = discord.Embed(title="x")
        await whisper(command, "one")  # type: ignore[arg-type]
        await whisper(command, embed=embed)  # type: ignore[arg-type]
        assert command.answers[1].how is How.FOLLOW_UP
        assert command.answers[1].ephemeral
        assert command.answers[1].embed is embed


class TestApologies:
    async def test_a_refusal_is_told(self) -> None:
        command = await answered(Refusal(KernelReason.NOT_TO_MOVE))
        assert command.text == "It is not your turn."

    async def test_a_refusal_inside_a_command_is_told(self) -> None:
        assert (await answered(wrapped(Refusal(KernelReason.NOT_TO_MOVE)))).text == "It is not your turn."

    async def test_a_refusal_is_no_error(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.INFO)
        await answered(Refusal(KernelReason.NOT_TO_MOVE))
        assert caplog.records == []

    @pytest.mark.parametrize("fault", [TOO_LATE, ALREADY_ANSWERED, wrapped(TOO_LATE)])
    async def test_what_discord_no_longer_wants_answered_stays_silent(
        self, fault: Exception, caplog: pytest.LogCaptureFixture
    ) -> None:
        assert (await answered(fault)).answers == []
        assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []

    @pytest.mark.parametrize(
        "fault",
        [
            ValueError("secret detail"),
            KeyError("secret detail"),
            wrapped(ValueError("secret detail")),
            AssertionError("secret detail"),
            BAD_REQUEST,
            SERVER_ERROR,
        ],
        ids=repr,
    )
    async def test_the_unexpected_is_logged_and_told_without_its_insides(
        self, fault: Exception, caplog: pytest.LogCaptureFixture
    ) -> None:
        command = await answered(fault)
        assert command.text == UNEXPECTED.format(trace=present().id)
        (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
        assert record.exc_info is not None
        assert str(command.id) in record.getMessage()
        caplog.clear()

    async def test_a_failing_database_is_told_and_left_to_the_store_to_log(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        command = await answered(StoreUnavailable("disk I/O error at /srv/secret"))
        assert command.text == STORE_UNAVAILABLE
        assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []

    async def test_nobody_is_told_that_nothing_was_done_who_may_have_done_it(self) -> None:
        assert (await answered(OutcomeUnknown("the disk does not answer"))).text == OUTCOME_UNKNOWN

    async def test_a_command_that_discord_remembers_otherwise_is_told_so(self) -> None:
        assert (await answered(app_commands.CommandNotFound("old", []))).text == OUTDATED

    async def test_after_a_first_answer_it_follows_up(self) -> None:
        command = command_of(ROBIN)
        await command.response.defer()
        await answered(Refusal(KernelReason.NOT_TO_MOVE), command)
        assert [answer.how for answer in command.answers] == [How.DEFER, How.FOLLOW_UP]

    @pytest.mark.parametrize(
        ("unanswered", "told"),
        [
            (TOO_LATE, []),
            (ALREADY_ANSWERED, []),
            (SERVER_ERROR, [logging.WARNING]),
            (aiohttp.ClientConnectionError("reset"), [logging.WARNING]),
        ],
    )
    async def test_an_apology_that_does_not_arrive_is_no_fault_of_its_own(
        self, unanswered: Exception, told: list[int], caplog: pytest.LogCaptureFixture
    ) -> None:
        command = command_of(ROBIN)
        command.fault = unanswered
        await answered(Refusal(KernelReason.NOT_TO_MOVE), command)
        assert command.answers == []
        assert [record.levelno for record in caplog.records if record.levelno > logging.DEBUG] == told


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (TOO_LATE, True),
        (ALREADY_ANSWERED, True),
        (http_error(discord.NotFound, 404, 10015), True),
        (http_error(discord.HTTPException, 401, 50027), True),
        (UNKNOWN_MESSAGE, False),
        (BAD_REQUEST, False),
        (SERVER_ERROR, False),
        (ValueError(10062), False),
        (Refusal(KernelReason.UNREADABLE), False),
    ],
    ids=repr,
)
def test_which_faults_mean_that_the_interaction_is_over(fault: Exception, expected: bool) -> None:
    assert overtaken(fault) is expected


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (Refusal(KernelReason.NOT_TO_MOVE), Outcome.REFUSED),
        (wrapped(Refusal(KernelReason.NOT_TO_MOVE)), Outcome.REFUSED),
        (app_commands.CommandNotFound("old", []), Outcome.REFUSED),
        (StoreUnavailable("full"), Outcome.UNAVAILABLE),
        (TOO_LATE, Outcome.OVERTAKEN),
        (Repeated(1), Outcome.OVERTAKEN),
        (ValueError("ours"), Outcome.FAILED),
        (BAD_REQUEST, Outcome.FAILED),
    ],
    ids=repr,
)
async def test_how_an_interaction_ended_is_noted(
    fault: Exception, outcome: Outcome, caplog: pytest.LogCaptureFixture
) -> None:
    await answered(fault)
    assert present().outcome is outcome
    caplog.clear()


class TestPromptly:
    @pytest.fixture(autouse=True)
    def short_patience(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bot.ui.interactions.responses, "_PATIENCE_SECONDS", 0.01)

    async def test_quick_work_is_left_to_answer_itself(self) -> None:
        command = command_of(ROBIN)
        await promptly(command, whisper(command, "done"))  # type: ignore[arg-type]
        assert [answer.how for answer in command.answers] == [How.SEND]

    async def test_slow_work_is_announced_to_whoever_acted_and_goes_on(self) -> None:
        command, gate = command_of(ROBIN), Gate()

        async def work() -> None:
            await gate.wait()
            await whisper(command, "done")  # type: ignore[arg-type]

        waiting = asyncio.create_task(promptly(command, work()))  # type: ignore[arg-type]
        await until(lambda: command.answers)
        gate.open()
        await waiting
        assert [answer.how for answer in command.answers] == [How.DEFER, How.FOLLOW_UP]
        assert command.answers[0].ephemeral

    async def test_an_announcement_under_way_is_waited_for(self) -> None:
        gate = Gate()
        command = command_of(ROBIN, gate=gate)

        async def work() -> None:
            await gate.reached.wait()
            asyncio.get_running_loop().call_soon(gate.open)
            await whisper(command, "done")  # type: ignore[arg-type]

        await promptly(command, work())  # type: ignore[arg-type]
        assert [answer.how for answer in command.answers] == [How.DEFER, How.FOLLOW_UP]

    async def test_an_answer_under_way_is_not_overtaken_by_an_announcement(self) -> None:
        gate = Gate()
        command = command_of(ROBIN, gate=gate)
        waiting = asyncio.create_task(promptly(command, whisper(command, "done")))  # type: ignore[arg-type]
        await gate.reached.wait()
        await asyncio.sleep(0.05)
        gate.open()
        await waiting
        assert [answer.how for answer in command.answers] == [How.SEND]

    @pytest.mark.parametrize("slow", [False, True])
    async def test_what_the_work_raises_is_raised(self, slow: bool) -> None:
        async def work() -> None:
            await asyncio.sleep(0.03 if slow else 0)
            raise Refusal(KernelReason.NOT_TO_MOVE)

        with pytest.raises(Refusal):
            await promptly(command_of(ROBIN), work())  # type: ignore[arg-type]

    async def test_an_announcement_that_fails_does_not_stop_the_work(self) -> None:
        command, done = command_of(ROBIN), []
        command.fault = TOO_LATE

        async def work() -> None:
            await asyncio.sleep(0.03)
            done.append("work")

        await promptly(command, work())  # type: ignore[arg-type]
        assert done == ["work"]

    async def announced(self, silent: FakeInteraction, ending: Exception | None = None) -> None:
        """Do slow work that gives no answer, and end it like this."""
        gate = Gate()

        async def work() -> None:
            await gate.wait()
            if ending is not None:
                raise ending

        waiting = asyncio.create_task(promptly(silent, work()))  # type: ignore[arg-type]
        await until(lambda: silent.answers)
        gate.open()
        try:
            await waiting
        except (Refusal, Repeated, discord.HTTPException) as fault:
            await answered(fault, silent)

    @pytest.mark.parametrize("ending", [None, Repeated(1), ALREADY_ANSWERED], ids=repr)
    async def test_an_announcement_that_nothing_follows_is_taken_back(self, ending: Exception | None) -> None:
        """Another process has done what was commanded, and tells so; this one would seem to think for ever."""
        command = command_of(ROBIN)
        await self.announced(command, ending)
        assert [answer.how for answer in command.answers] == [How.DEFER]
        assert command.deleted == [command.answer_id]

    async def test_an_announcement_that_a_refusal_follows_stays(self) -> None:
        command = command_of(ROBIN)
        await self.announced(command, Refusal(KernelReason.NOT_TO_MOVE))
        assert [answer.how for answer in command.answers] == [How.DEFER, How.FOLLOW_UP]
        assert command.deleted == []

    async def test_a_click_that_was_acknowledged_needs_no_more(self) -> None:
        click = click_of(ROBIN, "c:1")
        await self.announced(click)
        assert click.deleted == []

    async def test_an_announcement_that_can_not_be_taken_back_stays_in_silence(self) -> None:
        command = command_of(ROBIN, undeletable=SERVER_ERROR)
        await self.announced(command)
        assert command.deleted == []
