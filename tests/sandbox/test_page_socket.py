"""The page's socket: what people see and do through it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import aiohttp
import pytest

from bot.sandbox import Channel, Person, Sandbox
from tests.sandbox.page_client import OpenPage, PageClient
from tests.sandbox.sample_bot import SampleBot
from tests.sandbox.wire_bot import PING, Json, WireBot
from tests.support.each_case import each_case


@pytest.fixture
async def visit(sandbox: Sandbox) -> AsyncIterator[OpenPage]:
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(aiohttp.ClientSession())

        async def open_page() -> PageClient:
            socket = http.ws_connect(f"{sandbox.url}/page/socket")
            return PageClient(await stack.enter_async_context(socket))

        yield open_page


async def test_people_read_commands_in_their_language(
    visit: OpenPage, sandbox: Sandbox, wire: WireBot, robin: Person
) -> None:
    kinds = [{"name": "Warm", "name_localizations": {"he": "חם"}, "value": "warm"}, {"name": "Cold", "value": "cold"}]
    kind = {"type": 3, "name": "kind", "description": "Which one", "choices": kinds}
    german = {"de": "Eine Antwort erbitten"}
    translated = {**kind, "description_localizations": {"he": "איזה", "de": "Welche"}}
    await wire.register({**PING, "description_localizations": german, "options": [translated]})
    page = await visit()

    async def read() -> tuple[str, str, list[str]]:
        (command,) = (await page.wait_for_event("commands"))["commands"]
        (option,) = command["options"]
        return command["description"], option["description"], [choice["name"] for choice in option["choices"]]

    await page.send_action("speak", owner=str(robin.id), locale="de")
    assert await read() == (german["de"], "Welche", ["Warm", "Cold"])
    await page.send_action("speak", owner=str(robin.id), locale="he")
    assert await read() == (PING["description"], "איזה", ["חם", "Cold"])
    assert sandbox.world.locales[robin.id] == "he"


async def test_the_bot_is_told_of_a_servers_language(visit: OpenPage, sandbox: Sandbox, wire: WireBot) -> None:
    page, server = await visit(), sandbox.world.server
    await page.send_action("speak", owner=str(server.id), locale="pt-BR")
    assert (await wire.wait_for_event("GUILD_UPDATE"))["preferred_locale"] == "pt-BR"
    assert (await page.wait_for_event("locales"))["owners"][str(server.id)] == "pt-BR"
    await page.send_action("speak", owner=str(server.id), locale="tlh")
    assert (await page.wait_for_event("interaction"))["state"] == "failed"


@pytest.mark.usefixtures("bot")
async def test_each_page_acts_as_one_person(visit: OpenPage, robin: Person, wren: Person, channel: Channel) -> None:
    one, two = await visit(), await visit()
    await two.wait_for_event("messages")
    await two.send_action("be", person=str(wren.id))
    assert await two.wait_for_event() == {"t": "you", "you": str(wren.id)}
    await two.wait_for_event("messages")
    await robin.slash(channel, "whisper")
    robin.say(channel, "aloud")
    assert (await one.wait_for_event("message"))["message"]["ephemeral"]
    assert (await two.wait_for_event("message"))["message"]["content"] == "aloud", "whispers reach their reader only"
    await two.send_action("be", person=str(robin.id))
    listed = await two.wait_for_event("messages")
    assert [message["content"] for message in listed["messages"]] == ["psst", "aloud"]
    await two.send_action("be", person=str(wren.id))
    await two.wait_for_event("messages")
    whisper = listed["messages"][0]["id"]
    await two.send_action("click", nonce="x", message=whisper, custom_id="more")
    assert await two.wait_for_reply("x") == ("failed", "This message is gone.")
    await one.send_action("dismiss", message=whisper)
    while (await one.wait_for_event("message"))["op"] != "delete":
        pass
    robin.say(channel, "louder")
    heard = await two.wait_for_event("message")
    assert (heard["op"], heard["message"]["content"]) == ("create", "louder"), "nor does their end"


async def test_failures_are_reported(visit: OpenPage, channel: Channel, bot: SampleBot, robin: Person) -> None:
    page = await visit()
    place = str(channel.id)
    message = (await robin.slash(channel, "hello")).replies[0]
    cases: list[tuple[str, Json, str]] = [
        ("slash", {"channel": place, "command": "nothing"}, "There is no command /nothing."),
        ("slash", {"channel": place, "command": "dice roll"}, "Still missing: sides."),
        ("slash", {"channel": "1", "command": "hello"}, "There is no such channel."),
        ("slash", {"channel": place}, "The sandbox did not understand this: command."),
        ("click", {"message": str(message.id), "custom_id": "off"}, "This button is disabled: off"),
        ("click", {"message": "9" * 5000, "custom_id": "more"}, "This message is gone."),
        ("select", {"message": str(message.id), "custom_id": "hue", "values": []}, "Choose 1 to 2."),
        ("select", {"message": str(message.id), "custom_id": "hue", "values": "red"}, "values"),
        ("say", {"channel": place, "text": ""}, "A message holds 1 to 2000 characters."),
        ("dismiss", {"message": str(message.id)}, "Only messages for you alone can be dismissed."),
        ("complete", {"channel": place, "command": "hello", "focused": 7}, "focused"),
    ]
    for number, (act, parts, why) in enumerate(cases):
        await page.send_action(act, nonce=str(number), **parts)
        state, text = await page.wait_for_reply(str(number))
        assert state == "failed"
        assert why in str(text)
    await bot.close()
    await page.send_action("slash", nonce="offline", channel=place, command="hello")
    assert await page.wait_for_reply("offline") == ("failed", "Parlour is offline.")


@each_case("text", ["{", "[]", "7", '{"do": "fly"}', '{"do": []}'])
async def test_an_invalid_frame_ends_the_connection(visit: OpenPage, text: str) -> None:
    page = await visit()
    await page.socket.send_str(text)
    async with asyncio.timeout(30):
        while (await page.socket.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
    assert page.socket.close_code == 1001


async def test_a_page_that_does_not_read_is_disconnected(
    visit: OpenPage, wren: Person, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await visit()
    await page.wait_for_event("messages")
    monkeypatch.setattr("bot.sandbox.page.session.MAX_QUEUED_FRAMES", 3)
    for number in range(9):
        wren.say(channel, str(number))
    seen = [(await page.wait_for_event())["message"]["content"] for _ in range(4)]
    assert seen == ["0", "1", "2", "3"]
    assert (await page.socket.receive()).type is aiohttp.WSMsgType.CLOSE


async def test_stopping_closes_the_connections(visit: OpenPage, sandbox: Sandbox) -> None:
    page = await visit()
    await page.wait_for_event("messages")
    await sandbox.stop()
    assert (await page.socket.receive()).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSING)
