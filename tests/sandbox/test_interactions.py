"""Interactions are answered in time, once, in an allowed way, and only by the bot."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.sandbox import ClientRefusal, Interaction, Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.model.messages import MessageFlags
from bot.sandbox.model.world import Change, InteractionChange
from tests.sandbox.wire_bot import GO, PING, Json, WireBot, run_sandbox, run_wire
from tests.support.each_case import each_case
from tests.support.waiting import DEADLINE_SECONDS

PICK: Json = {
    "name": "pick",
    "description": "Pick one",
    "options": [{"type": 3, "name": "what", "description": "What", "required": True, "autocomplete": True}],
}
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES = 4, 5, 6, 7, 8


class InteractionHarness:
    """A bot with two commands, and Robin who uses them."""

    deadline = 0.05

    def __init__(self, wire: WireBot) -> None:
        self.wire = wire
        self.sandbox = wire.sandbox
        self.channel = wire.sandbox.channel("table-one")
        self.robin = wire.sandbox.person("Robin")
        self.changes: list[Change] = []
        self.sandbox.world.subscribe(self.changes.append)

    async def ping(self) -> tuple[asyncio.Task[Interaction], Json]:
        return await self.wire.receive(self.robin.slash(self.channel, "ping"))

    async def post(self, **body: object) -> str:
        _, sent = await self.wire.request("POST", f"/channels/{self.channel.id}/messages", {"content": "x", **body})
        return str(sent["id"])

    async def click(self) -> tuple[asyncio.Task[Interaction], Json]:
        message = await self.post(components=[GO])
        return await self.wire.receive(self.robin.click(message, "go"))


@pytest.fixture
async def play(wire: WireBot) -> InteractionHarness:
    await wire.register(PING, PICK)
    return InteractionHarness(wire)


@pytest.fixture
async def hasty() -> AsyncIterator[InteractionHarness]:
    """The same with a short deadline."""
    async with (
        run_sandbox(Sandbox(deadline=InteractionHarness.deadline)) as sandbox,
        run_wire(sandbox, PING, PICK) as wire,
    ):
        yield InteractionHarness(wire)


async def test_an_interaction_without_an_answer_fails(hasty: InteractionHarness) -> None:
    used, received = await hasty.ping()
    interaction = await used
    assert (interaction.state, interaction.failure) == (InteractionState.FAILED, None)
    assert await hasty.wire.refuse(received, MESSAGE, {"content": "late"}) == (404, 10062)
    assert await hasty.wire.refusal("POST", hasty.wire.webhook(received), {"content": "later"}) == (404, 10015)
    assert hasty.channel.messages == []
    with pytest.raises(ClientRefusal, match="in time"):
        await hasty.robin.autocomplete(hasty.channel, "pick", {"what": ""}, focused="what")


async def test_a_caller_that_stops_waiting_does_not_stop_the_deadline(hasty: InteractionHarness) -> None:
    used, received = await hasty.ping()
    used.cancel()
    await hasty.sandbox.until(lambda: any(isinstance(each, InteractionChange) for each in hasty.changes))
    assert await hasty.wire.refuse(received, MESSAGE, {"content": "late"}) == (404, 10062)


async def test_an_answer_in_time_is_not_undone_by_the_deadline(play: InteractionHarness) -> None:
    used, received = await play.ping()
    used.cancel()
    await play.wire.answer(received, MESSAGE, {"content": "in time"})
    play.sandbox.world.clock.advance(DEADLINE_SECONDS)
    assert await play.wire.refuse(received, MESSAGE, {"content": "again"}) == (400, 40060)
    assert [message.content for message in play.channel.messages] == ["in time"]


async def test_a_refused_answer_may_be_corrected(play: InteractionHarness) -> None:
    used, received = await play.ping()
    status, answer = await play.wire.answer(received, MESSAGE, {"content": "x" * 2001})
    assert (status, answer["code"]) == (400, 50035)
    assert answer["errors"]["data"]["content"]["_errors"][0]["code"] == "BASE_TYPE_MAX_LENGTH"
    await play.wire.answer(received, MESSAGE, {"content": "short"})
    assert (await used).text == "short"


@each_case(
    "way, kind, fits",
    [
        ("ping", MESSAGE, True),
        ("ping", DEFER, True),
        ("ping", DEFER_UPDATE, False),
        ("ping", UPDATE, False),
        ("ping", CHOICES, False),
        ("ping", 9, False),
        ("ping", None, False),
        ("click", MESSAGE, True),
        ("click", DEFER, True),
        ("click", DEFER_UPDATE, True),
        ("click", UPDATE, True),
        ("click", CHOICES, False),
        ("click", True, False),
    ],
)
async def test_each_kind_of_interaction_allows_certain_answers(
    play: InteractionHarness, way: str, kind: int, *, fits: bool
) -> None:
    used, received = await (play.ping() if way == "ping" else play.click())
    status, answer = await play.wire.answer(received, kind, {"content": "x"})
    assert (status, answer and answer["code"]) == ((204, None) if fits else (400, 50035))
    if not fits:
        await play.wire.answer(received, MESSAGE, {"content": "x"})
    await used


@each_case(
    "choices, code",
    [
        ([], None),
        ([{"name": "One", "value": "1"}] * 25, None),
        ([{"name": "One", "value": "1"}] * 26, "BASE_TYPE_MAX_LENGTH"),
        ([{"name": "x" * 101, "value": "1"}], "BASE_TYPE_BAD_LENGTH"),
        ([{"name": "", "value": "1"}], "BASE_TYPE_REQUIRED"),
        ([{"name": "One", "value": 1}], "BASE_TYPE_BAD_TYPE"),
        ([{"name": "One", "value": "x" * 101}], "BASE_TYPE_MAX_LENGTH"),
    ],
)
async def test_choices_have_limits(play: InteractionHarness, choices: list[Json], code: str | None) -> None:
    typing = play.robin.autocomplete(play.channel, "pick", {"what": "o"}, focused="what")
    offered, received = await play.wire.receive(typing)
    assert received["type"] == 4
    assert received["data"]["options"] == [{"name": "what", "type": 3, "value": "o", "focused": True}]
    status, answer = await play.wire.answer(received, CHOICES, {"choices": choices})
    if code is None:
        assert (status, answer) == (204, None)
    else:
        assert code in str(answer["errors"])
        await play.wire.answer(received, CHOICES, {"choices": []})
    assert len(await offered) == (len(choices) if code is None else 0)


async def test_a_deferred_reply_can_be_deleted(play: InteractionHarness) -> None:
    used, received = await play.ping()
    await play.wire.answer(received, DEFER)
    original = play.wire.webhook(received, "/messages/@original")
    assert await play.wire.request("DELETE", original) == (204, None)
    interaction = await (await used).wait_for_text()
    assert (interaction.replies, interaction.text, interaction.ephemeral) == ((), "", False)
    assert await play.wire.refusal("GET", original) == (404, 10008)


async def test_a_token_reaches_only_its_own_messages(play: InteractionHarness) -> None:
    used, received = await play.ping()
    await play.wire.answer(received, MESSAGE, {"content": "one"})
    await used
    other = await play.post()
    _, sent = await play.wire.request("POST", play.wire.webhook(received), {"content": "two", "flags": 64})
    _, edited = await play.wire.request(
        "PATCH", play.wire.webhook(received, f"/messages/{sent['id']}"), {"content": "2"}
    )
    assert (edited["content"], edited["flags"]) == ("2", MessageFlags.EPHEMERAL)
    foreign = play.wire.webhook(received, f"/messages/{other}")
    assert await play.wire.refusal("PATCH", foreign, {"content": "mine"}) == (404, 10008)
    _, original = await play.wire.request("GET", play.wire.webhook(received, "/messages/@original"))
    assert original["content"] == "one"
    assert await play.wire.request("DELETE", play.wire.webhook(received, f"/messages/{sent['id']}")) == (204, None)
    assert [message.content for message in play.channel.messages] == ["one", "x"]


async def test_a_public_followup_does_not_refer_to_a_private_message(play: InteractionHarness) -> None:
    used, received = await play.ping()
    await play.wire.answer(received, MESSAGE, {"content": "psst", "flags": 64})
    await used
    _, public = await play.wire.request("POST", play.wire.webhook(received), {"content": "aloud"})
    _, private = await play.wire.request("POST", play.wire.webhook(received), {"content": "psst", "flags": 64})
    assert "message_reference" not in public
    assert private["referenced_message"]["content"] == "psst"


async def test_the_original_response_of_a_click_is_its_message(play: InteractionHarness) -> None:
    clicked, received = await play.click()
    original = play.wire.webhook(received, "/messages/@original")
    early = await play.wire.refusal("PATCH", original, {"content": "early"})
    assert early == (404, 10015), "there is no webhook before the first answer"
    await play.wire.answer(received, DEFER_UPDATE)
    await clicked
    await play.wire.request("PATCH", original, {"content": "changed"})
    assert [message.content for message in play.channel.messages] == ["changed"]


async def test_updating_a_deleted_message_fails(play: InteractionHarness) -> None:
    clicked, received = await play.click()
    await play.wire.request("DELETE", f"/channels/{play.channel.id}/messages/{received['message']['id']}")
    assert await play.wire.refuse(received, UPDATE, {"content": "y"}) == (404, 10008)
    await play.wire.answer(received, MESSAGE, {"content": "sorry", "flags": 64})
    assert (await clicked).text == "sorry"


async def test_unknown_tokens_and_applications_are_refused(play: InteractionHarness) -> None:
    made_up: Json = {"id": "1", "token": "nonsense"}
    assert await play.wire.refuse(made_up, MESSAGE, {"content": "x"}) == (404, 10062)
    assert await play.wire.refusal("POST", play.wire.webhook(made_up), {"content": "x"}) == (401, 50027)
    used, received = await play.ping()
    await play.wire.answer(received, MESSAGE, {"content": "x"})
    await used
    assert await play.wire.refusal("POST", f"/webhooks/1/{received['token']}", {"content": "x"}) == (404, 10015)


async def test_channel_permissions_do_not_apply_to_answers(play: InteractionHarness) -> None:
    play.channel.bot_permissions = 0
    used, received = await play.ping()
    assert received["app_permissions"] == "0"
    await play.wire.answer(received, MESSAGE, {"embeds": [{"title": "still here"}]})
    assert (await used).text == "still here"
