"""The model keeps what it must and no more."""

import asyncio

import pytest

from bot.sandbox import Channel, Person, Sandbox
from bot.sandbox.model.clock import SnowflakeGenerator, creation_timestamp
from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.model.messages import Attachment
from bot.sandbox.model.world import Change, MessageChange, Op
from bot.sandbox.validation.emoji import is_emoji
from tests.sandbox.wire_bot import Json, WireBot
from tests.support.each_case import each_case


def test_ids_grow_and_contain_their_time() -> None:
    now = [1_500_000_000.5]
    ids = SnowflakeGenerator(clock=lambda: now[0])
    made = [ids.next_id() for _ in range(3)]
    assert made == sorted(set(made))
    assert creation_timestamp(made[0]) == "2017-07-14T02:40:00.500000+00:00"
    now[0] -= 60
    assert ids.next_id() > made[-1], "a clock that is set back does not bring ids back"


@each_case("name", ["🎲", "❤️", "1️⃣", "👍🏽", "⚙️", "🇫🇷", "✅", "ℹ️"])
def test_emoji_are_recognised(name: str) -> None:
    assert is_emoji(name)


@each_case("name", ["", "⚀", "dice", "1", "🀀", "★", "→", ":game_die:"])
def test_other_text_is_no_emoji(name: str) -> None:
    assert not is_emoji(name)


async def test_history_is_bounded(sandbox: Sandbox, wren: Person, channel: Channel) -> None:
    changes: list[Change] = []
    said = [wren.say(channel, str(number)) for number in range(500)]
    sandbox.world.subscribe(changes.append)
    newest = wren.say(channel, "one more")
    assert len(channel.messages) == 500
    assert said[0].deleted
    assert sandbox.world.message(said[0].id) is None
    assert changes == [MessageChange(Op.CREATE, newest), MessageChange(Op.DELETE, said[0])]


async def test_ephemeral_messages_do_not_displace_public_ones(wire: WireBot, wren: Person, channel: Channel) -> None:
    await wire.register({"name": "hush", "description": "Hush"})
    table = wren.say(channel, "the table")
    for _ in range(210):
        used = asyncio.create_task(wren.slash(channel, "hush"))
        await wire.answer(await wire.interaction(), 4, {"content": "psst", "flags": 64})
        await used
    assert channel.messages[0] is table
    assert len(channel.messages) == 201


async def test_replaced_files_are_served_for_a_while(sandbox: Sandbox, wren: Person, channel: Channel) -> None:
    world, message = sandbox.world, wren.say(channel, "picture")
    for number in range(1, 203):
        before = message.attachments
        message.attachments = (Attachment(number, "a.png", "image/png", b"", "url"),)
        world.notify_message_changed(message, before)
    assert world.file(202) is message.attachments[0]
    assert world.file(201) is not None
    assert world.file(2) is not None
    assert world.file(1) is None, "201 files were replaced since"
    world.remove_message(message)
    assert world.file(202) is not None
    assert world.file(2) is None


async def test_the_log_is_bounded(wire: WireBot, sandbox: Sandbox) -> None:
    for number in range(2001):
        await wire.request("GET", "/channels/1" if number == 0 else "/gateway")
    assert len(sandbox.requests) == 2000
    assert {record.path for record in sandbox.requests} == {"/api/v10/gateway"}


async def test_until_waits_for_a_condition(sandbox: Sandbox, wren: Person, channel: Channel) -> None:
    async def speak() -> None:
        await sandbox.until(lambda: channel.messages)
        wren.say(channel, "second")

    speaking = asyncio.create_task(speak())
    await asyncio.sleep(0)
    wren.say(channel, "first")
    assert [each.content for each in await sandbox.until(lambda: channel.messages[1:])] == ["second"]
    await speaking
    with pytest.raises(TimeoutError):
        await sandbox.until(lambda: len(channel.messages) > 2, timeout=0.01)


async def test_a_port_that_is_taken_raises(sandbox: Sandbox) -> None:
    other = Sandbox(port=sandbox.port)
    with pytest.raises(OSError, match="in use"):
        await other.start()
    await other.stop()
    assert sandbox.url == f"http://127.0.0.1:{sandbox.port}"


async def test_an_old_interaction_is_forgotten(wire: WireBot, wren: Person, channel: Channel) -> None:
    from bot.sandbox.model import interactions

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interactions, "MAX_INTERACTIONS", 1)
        await wire.register({"name": "ping", "description": "Ping"})
        changes: list[Json] = []
        for _ in range(2):
            used = asyncio.create_task(wren.slash(channel, "ping"))
            changes.append(await wire.interaction())
            await wire.answer(changes[-1], 4, {"content": "pong"})
            assert (await used).state is InteractionState.RESPONDED
    first, second = [await wire.request("POST", wire.webhook(each), {"content": "x"}) for each in changes]
    assert (first[0], second[0]) == (401, 200)


async def test_other_tasks_run_while_somebody_waits_for_what_holds_already() -> None:
    ran: list[str] = []
    asyncio.get_running_loop().call_soon(ran.append, "another")
    await Sandbox().until(lambda: True)
    assert ran == ["another"]
