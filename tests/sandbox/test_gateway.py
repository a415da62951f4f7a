"""The gateway, frame by frame."""

import json
import sys
import zlib
from typing import Any

import aiohttp
import pytest

from bot.sandbox import Channel, Person, Sandbox, ServerChannel
from bot.sandbox.gateway.session import MAX_REPLAYED_EVENTS
from bot.sandbox.model.channels import ThreadKind
from bot.sandbox.model.interactions import InteractionState
from tests.sandbox.wire_bot import PING, Json, WireBot, identify_wire
from tests.support.each_case import each_case


@pytest.mark.parametrize("compression", ["zlib-stream", "zstd-stream"])
async def test_compression_is_one_stream(sandbox: Sandbox, http: aiohttp.ClientSession, compression: str) -> None:
    stream: Any = zlib.decompressobj() if compression == "zlib-stream" else make_zstd_decompressor()
    socket = await http.ws_connect(f"{sandbox.gateway_url}?v=10&encoding=json&compress={compression}")
    first = await socket.receive_bytes()
    if compression == "zlib-stream":
        assert first.endswith(b"\x00\x00\xff\xff")
    assert json.loads(stream.decompress(first))["op"] == 10
    await socket.send_json({"op": 1, "d": None})
    assert json.loads(stream.decompress(await socket.receive_bytes()))["op"] == 11
    await socket.close()


def make_zstd_decompressor() -> Any:
    if sys.version_info >= (3, 14):
        return pytest.importorskip("compression.zstd").ZstdDecompressor()
    return pytest.importorskip("zstandard", reason="only Python 3.14 has its own").ZstdDecompressor().decompressobj()


async def test_unknown_compression_is_refused(sandbox: Sandbox, http: aiohttp.ClientSession) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await http.ws_connect(sandbox.gateway_url + "?compress=lz4-stream")


@each_case(
    "opcode, data, code",
    [
        (2, {"token": "wrong", "intents": 0}, 4004),
        (2, None, 4004),
        *((2, {"token": "{token}", "intents": 1, "shard": shard}, 4010) for shard in ([2, 2], [-1, 1], [0, 0])),
        (6, {"token": "wrong", "session_id": "x", "seq": 0}, 4004),
        (8, {"guild_id": "1"}, 4003),
    ],
)
async def test_an_invalid_identify_is_refused(
    sandbox: Sandbox, http: aiohttp.ClientSession, opcode: int, data: Json | None, code: int
) -> None:
    wire = await WireBot(sandbox, http).connect()
    token = {"token": sandbox.token} if data and data.get("token") == "{token}" else {}
    await wire.send_frame(opcode, data and {**data, **token})
    assert await wire.wait_for_close() == code
    assert not sandbox.bot_online


@each_case("text", ["{", "[]", "7", '{"op": 1}'])
async def test_an_invalid_frame_ends_the_connection(sandbox: Sandbox, http: aiohttp.ClientSession, text: str) -> None:
    wire = await WireBot(sandbox, http).connect()
    await wire.socket.send_str(text)
    assert await wire.wait_for_close() == 4002


async def test_identifying_twice_ends_the_connection(wire: WireBot) -> None:
    await wire.send_frame(2, {"token": wire.sandbox.token, "intents": 0})
    assert await wire.wait_for_close() == 4005


async def test_events_are_kept_for_a_client_that_resumes(
    sandbox: Sandbox, http: aiohttp.ClientSession, channel: ServerChannel
) -> None:
    wire = await identify_wire(sandbox, http)
    await wire.wait_for_event("GUILD_CREATE")
    seen = wire.sequence
    sandbox.person("Jay").start_thread(channel, "seen")
    await wire.wait_for_event("THREAD_CREATE")
    sandbox.gateway.drop_connections()
    assert await wire.wait_for_close() == 4000
    await sandbox.until(lambda: not sandbox.bot_online)
    sandbox.person("Jay").start_thread(channel, "missed")
    await wire.connect()
    await wire.resume(seen)
    assert (await wire.wait_for_event("THREAD_CREATE"))["name"] == "seen"
    assert (await wire.wait_for_event("THREAD_CREATE"))["name"] == "missed"
    assert (await wire.receive_frame())["t"] == "RESUMED"
    assert sandbox.bot_online


@each_case("session", ["known", "unknown", "future", "behind"])
async def test_a_session_that_is_unknown_or_missed_too_much_cannot_resume(
    sandbox: Sandbox, http: aiohttp.ClientSession, channel: ServerChannel, session: str
) -> None:
    wire = await identify_wire(sandbox, http)
    await wire.wait_for_event("GUILD_CREATE")
    sandbox.gateway.drop_connections()
    await wire.wait_for_close()
    for number in range(MAX_REPLAYED_EVENTS + 1 if session == "behind" else 0):
        sandbox.person("Jay").start_thread(channel, str(number))
    await wire.connect()
    wire.session_id = "nobody" if session == "unknown" else wire.session_id
    await wire.resume(99 if session == "future" else wire.sequence)
    frame = await wire.receive_frame()
    if session == "known":
        assert frame["t"] == "RESUMED"
    else:
        assert (frame["op"], frame["d"]) == (9, False)
        # The connection may be used to start afresh.
        await wire.identify()
    assert sandbox.bot_online
    await wire.socket.close(code=1000)
    await sandbox.until(lambda: not sandbox.bot_online)


async def test_a_clean_close_ends_the_session(wire: WireBot, sandbox: Sandbox, robin: Person, channel: Channel) -> None:
    await wire.register(PING)
    await wire.socket.close(code=1000)
    await sandbox.until(lambda: not sandbox.bot_online)
    assert (await robin.slash(channel, "ping")).state is InteractionState.FAILED
    await wire.connect()
    await wire.resume(wire.sequence)
    assert (await wire.receive_frame())["op"] == 9


async def test_events_of_threads_that_the_bot_may_not_view_are_not_sent(
    sandbox: Sandbox, http: aiohttp.ClientSession, wren: Person
) -> None:
    reader = await identify_wire(sandbox, http)
    await reader.wait_for_event("GUILD_CREATE")
    lounge = sandbox.channel("lounge")
    lounge.bot_permissions = 0
    await reader.wait_for_event("CHANNEL_UPDATE")
    secret = wren.start_thread(sandbox.channel("table-one"), "secret", ThreadKind.PRIVATE)
    await reader.send_frame(1, None)
    assert (await reader.receive_frame())["op"] == 11, "nothing of it came before"
    secret.join(sandbox.world.bot.id)
    assert (await reader.wait_for_event("THREAD_UPDATE"))["name"] == "secret"


async def test_stopping_closes_the_connections(sandbox: Sandbox, wire: WireBot) -> None:
    await sandbox.stop()
    assert await wire.wait_for_close() == 1001
    assert not sandbox.bot_online
