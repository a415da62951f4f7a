"""What the gateway sends that can't be read costs that event or frame, and nothing else."""

import asyncio
import json
import logging
from typing import Any

import pytest

from tests.support.each_case import each_case
from tests.support.parlour import Parlour
from tests.support.waiting import wait_until

SECRET = "what somebody has written"


class NoBackoff:
    """Lets discord.py connect again at once."""

    def delay(self) -> float:
        return 0.0


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let connections be made anew without a pause."""
    monkeypatch.setattr("discord.shard.ExponentialBackoff", NoBackoff)
    monkeypatch.setattr("bot.platform.discord.gateway.RESUME_PAUSE_SECONDS", 0.0)


async def require_answer(parlour: Parlour) -> None:
    """Demand that the bot hears what people type, once it is connected."""
    await parlour.sandbox.until(lambda: parlour.sandbox.bot_online)
    assert "Tabletop" in (await parlour.robin.slash(parlour.here, "help")).text


UNREADABLE_EVENTS: list[tuple[str, Any]] = [
    ("INTERACTION_CREATE", None),
    ("INTERACTION_CREATE", {"content": SECRET}),
    ("INTERACTION_CREATE", {"id": SECRET, "type": 2, "token": "t", "user": {"id": "1"}, "application_id": "1"}),
    ("INTERACTION_CREATE", {"id": "1", "type": 3, "token": "t", "user": {"id": "1"}, "application_id": "1"}),
    ("CHANNEL_DELETE", {"guild_id": "1"}),
    ("THREAD_DELETE", [SECRET]),
    ("GUILD_UPDATE", SECRET),
    ("GUILD_ROLE_CREATE", {"guild_id": "1", "role": None}),
    ("GUILD_CREATE", {"id": "77", "name": SECRET, "roles": [None]}),
    ("GUILD_DELETE", {"id": SECRET}),
    ("MESSAGE_CREATE", {"id": "1", "thread": None, "content": SECRET}),
]


@each_case("event, data", UNREADABLE_EVENTS)
async def test_an_event_that_cannot_be_read_is_lost_alone(
    parlour: Parlour, caplog: pytest.LogCaptureFixture, event: str, data: Any
) -> None:
    caplog.clear()
    caplog.set_level(logging.DEBUG, "bot.platform.discord")
    connections = parlour.sandbox.gateway.hello_count
    parlour.sandbox.gateway.dispatch(event, data, parlour.here.server_id)
    await require_answer(parlour)
    assert parlour.sandbox.gateway.hello_count == connections
    (told,) = [each for each in caplog.messages if "can't be read" in each]
    assert event in told
    assert SECRET not in told


async def test_of_many_unreadable_events_of_a_kind_the_first_is_told(
    parlour: Parlour, caplog: pytest.LogCaptureFixture
) -> None:
    for event in ("THREAD_DELETE", "CHANNEL_DELETE") * 3:
        parlour.sandbox.gateway.dispatch(event, {}, parlour.here.server_id)
    await require_answer(parlour)
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert [each.split(": ")[1].split(" ")[0] for each in told] == ["THREAD_DELETE", "CHANNEL_DELETE"]


async def test_a_server_that_cannot_be_read_is_one_that_the_bot_is_in(parlour: Parlour) -> None:
    parlour.sandbox.gateway.dispatch("GUILD_CREATE", {"id": "77", "roles": None}, parlour.here.server_id)
    await require_answer(parlour)
    assert parlour.client.get_guild(77) is not None, "or what is stored of it would be deleted"


@each_case(
    "frame",
    [
        {"op": 0, "t": "NEVER_HEARD_OF", "s": None, "d": {"content": "x"}},
        {"op": 77, "d": None},
        {"op": 0, "t": None, "d": None},
        {},
    ],
)
async def test_an_event_of_an_unknown_type_is_ignored(parlour: Parlour, frame: Any) -> None:
    connections = parlour.sandbox.gateway.hello_count
    parlour.sandbox.gateway.send_frame(json.dumps(frame))
    await require_answer(parlour)
    assert parlour.sandbox.gateway.hello_count == connections


UNREADABLE_FRAMES: list[str | bytes] = [
    f'{{"op":0,"t":"MESSAGE_CREATE","d":{{"content":"{SECRET}',
    "",
    "null",
    "[1]",
    '{"op":10,"d":null}',
    '{"op":0,"t":["READY"],"d":{}}',
    b"\x00\x01 no part of the stream \x00\x00\xff\xff",
    b"\xff" * 9,
]


@each_case("frame", UNREADABLE_FRAMES)
async def test_a_frame_that_cannot_be_read_costs_the_connection_and_no_session(
    parlour: Parlour, caplog: pytest.LogCaptureFixture, frame: str | bytes
) -> None:
    caplog.clear()
    gateway = parlour.sandbox.gateway
    connections, sessions = gateway.hello_count, gateway.identify_count
    gateway.send_frame(frame)
    if isinstance(frame, bytes):
        # discord.py takes it for the beginning of the next frame.
        gateway.dispatch("NEVER_HEARD_OF", {}, parlour.here.server_id)
    await wait_until(lambda: gateway.hello_count > connections)
    await require_answer(parlour)
    assert (gateway.hello_count, gateway.identify_count) == (connections + 1, sessions)
    (told,) = [each for each in caplog.messages if "can't be read" in each]
    assert "shard 0" in told
    assert SECRET not in caplog.text


FIRST_FRAMES: list[tuple[str, str, int]] = [
    ('"op":10,', "null", 3),
    ('"op":10,', '{"op":10,"d":{}}', 3),
    ('"op":10,', '{"op":7,"d":null}', 3),
    ('"op":10,', '{"op":9,"d":false}', 3),
    ('"t":"READY"', '{"op":0,"t":"READY","s":1,"d":null}', 3),
    ('"t":"READY"', '{"op":0,"t":"READY","s":1,"d":{"session_id":"1","resume_gateway_url":"ws://127.0.0.1"}}', 3),
    ('"t":"RESUMED"', "no JSON", 1),
    ('"t":"RESUMED"', '{"op":9,"d":"perhaps"}', 1),
]


@each_case("case", FIRST_FRAMES)
async def test_a_connection_that_begins_with_something_else_is_made_again(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, case: tuple[str, str, int]
) -> None:
    mark, instead, times = case
    gateway, left = parlour.sandbox.gateway, [times]

    async def identify_at_once(*_: object, **__: object) -> None:
        """Do not wait between sessions."""

    def rewrite(text: str) -> str:
        if mark not in text or not left[0]:
            return text
        left[0] -= 1
        return instead

    monkeypatch.setattr(parlour.client, "wait_for_session", identify_at_once)
    monkeypatch.setattr(gateway, "rewrite", rewrite)
    begun = [asyncio.create_task(parlour.client.wait_for(event)) for event in ("connect", "resumed")]
    if "READY" in mark:
        gateway.invalidate_sessions()
    else:
        gateway.drop_connections()
    await asyncio.wait(begun, return_when=asyncio.FIRST_COMPLETED)
    for each in begun:
        each.cancel()
    assert not left[0]
    await require_answer(parlour)
    caplog.clear()  # discord.py tells of each pause as of an error
