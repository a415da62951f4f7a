"""The bot's own emoji: what Discord takes, stores, serves and refuses."""

import base64

from bot.sandbox import Channel
from bot.sandbox.model.application import MAX_EMOJIS
from tests.sandbox.message_bodies import button, components, menu, messages, row
from tests.sandbox.wire_bot import Json, WireBot
from tests.support.each_case import each_case

PNG = b"\x89PNG\r\n\x1a\n of a die"


def data_uri(content: bytes = PNG, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def emojis(wire: WireBot) -> str:
    return f"/applications/{wire.sandbox.world.bot.id}/emojis"


async def create(wire: WireBot, name: str = "die_6") -> Json:
    status, emoji = await wire.request("POST", emojis(wire), {"name": name, "image": data_uri()})
    assert status == 201, emoji
    made: Json = emoji
    return made


@each_case(
    "change, place, code",
    [
        ({"name": "x"}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "x" * 33}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": None}, "name", "BASE_TYPE_REQUIRED"),
        ({"name": "die 6"}, "name", "STRING_TYPE_REGEX"),
        ({"name": "taken"}, "name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"),
        ({"image": None}, "image", "BASE_TYPE_REQUIRED"),
        ({"image": "die.png"}, "image", "IMAGE_INVALID"),
        ({"image": "data:image/png;base64,?"}, "image", "IMAGE_INVALID"),
        ({"image": data_uri(kind="text/plain")}, "image", "IMAGE_INVALID"),
        ({"image": data_uri(bytes(256 * 1024 + 1))}, "image", "BINARY_TYPE_MAX_SIZE"),
    ],
)
async def test_an_emoji_that_discord_refuses(wire: WireBot, change: Json, place: str, code: str) -> None:
    wire.sandbox.world.emojis.add("taken", "image/png", PNG)
    body = {"name": "die_6", "image": data_uri(bytes(256 * 1024)), **change}
    assert await wire.faults("POST", emojis(wire), body) == {(place, code)}


async def test_there_is_room_for_2000_emoji(wire: WireBot) -> None:
    for number in range(MAX_EMOJIS - 1):
        wire.sandbox.world.emojis.add(f"other_{number}", "image/png", PNG)
    await create(wire)
    assert await wire.refusal("POST", emojis(wire), {"name": "die_5", "image": data_uri()}) == (400, 30008)


@each_case("place", ["button", "option"])
async def test_components_take_emoji_that_exist(wire: WireBot, channel: Channel, place: str) -> None:
    emoji = await create(wire)
    given = {"id": emoji["id"], "name": emoji["name"]}
    options = [{"label": "L", "value": "v", "emoji": given}]
    part = button(emoji=given) if place == "button" else menu(options=options)
    status, sent = await wire.request("POST", messages(channel), components(row(part)))
    assert status == 200, sent
    (shown,) = sent["components"][0]["components"]
    assert (shown if place == "button" else shown["options"][0])["emoji"] == given
    await wire.request("DELETE", f"{emojis(wire)}/{emoji['id']}")
    faults = await wire.faults("POST", messages(channel), components(row(part)))
    assert {code for _, code in faults} == {"BUTTON_COMPONENT_INVALID_EMOJI"}
