"""The model keeps what it must and no more."""

import pytest

from bot.sandbox import Channel, Person, Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.model.messages import Attachment
from bot.sandbox.model.world import Change, MessageChange, Op
from bot.sandbox.validation.emoji import is_emoji
from tests.sandbox.wire_bot import PING, Json, WireBot, run_sandbox, run_wire


def test_emoji_are_told_from_other_text() -> None:
    emoji = {"🎲", "❤️", "1️⃣", "👍🏽", "⚙️", "🇫🇷", "✅", "ℹ️"}
    others = {"", "⚀", "dice", "1", "🀀", "★", "→", ":game_die:"}
    assert {each for each in emoji | others if is_emoji(each)} == emoji


async def test_history_is_bounded(
    sandbox: Sandbox, wren: Person, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sandbox.model.channels.PUBLIC_HISTORY", 3)
    changes: list[Change] = []
    said = [wren.say(channel, str(number)) for number in range(3)]
    sandbox.world.subscribe(changes.append)
    newest = wren.say(channel, "one more")
    assert len(channel.messages) == 3
    assert said[0].deleted
    assert sandbox.world.message(said[0].id) is None
    assert changes == [MessageChange(Op.CREATE, newest), MessageChange(Op.DELETE, said[0])]


async def test_ephemeral_messages_do_not_displace_public_ones(
    wire: WireBot, wren: Person, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sandbox.model.channels.EPHEMERAL_HISTORY", 2)
    await wire.register(PING)
    table = wren.say(channel, "the table")
    for number in range(4):
        used, interaction = await wire.receive(wren.slash(channel, "ping"))
        await wire.answer(interaction, 4, {"content": str(number), "flags": 64})
        await used
    assert channel.messages[0] is table
    assert [message.content for message in channel.messages[1:]] == ["2", "3"]


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


async def test_the_log_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sandbox.rest.routes.MAX_LOGGED_REQUESTS", 2)
    async with run_sandbox(Sandbox()) as sandbox, run_wire(sandbox) as wire:
        for path in ("/channels/1", "/gateway", "/gateway"):
            await wire.request("GET", path)
        assert [record.path for record in sandbox.requests] == ["/api/v10/gateway"] * 2


async def test_a_port_that_is_taken_raises(sandbox: Sandbox) -> None:
    other = Sandbox(port=sandbox.port)
    with pytest.raises(OSError, match="in use"):
        await other.start()
    await other.stop()
    assert sandbox.url == f"http://127.0.0.1:{sandbox.port}"


async def test_an_old_interaction_is_forgotten(
    wire: WireBot, wren: Person, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sandbox.model.interactions.MAX_INTERACTIONS", 1)
    await wire.register(PING)
    received: list[Json] = []
    for _ in range(2):
        used, interaction = await wire.receive(wren.slash(channel, "ping"))
        received.append(interaction)
        await wire.answer(interaction, 4, {"content": "pong"})
        assert (await used).state is InteractionState.RESPONDED
    first, second = [await wire.request("POST", wire.webhook(each), {"content": "x"}) for each in received]
    assert (first[0], second[0]) == (401, 200)
