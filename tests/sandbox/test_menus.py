"""Menus of every kind: what bots may offer, and what people choose reaches the bot."""

from typing import Any

import pytest

from bot.sandbox import Channel, ClientRefusal, Person, Sandbox
from bot.sandbox.model.servers import Role
from tests.sandbox.message_bodies import messages
from tests.sandbox.wire_bot import Json, WireBot
from tests.support.each_case import each_case

STRING, ROLE, CHANNEL = 3, 6, 8
TYPE, CHOICE, BAD = "BASE_TYPE_BAD_TYPE", "BASE_TYPE_CHOICES", "BASE_TYPE_BAD_LENGTH"
LONG = "BASE_TYPE_MAX_LENGTH"


def menu(kind: int, **more: Any) -> Json:
    return {"type": 1, "components": [{"type": kind, "custom_id": "m", **more}]}


async def post_menu(wire: WireBot, channel: Channel, kind: int, **more: Any) -> str:
    status, sent = await wire.request("POST", messages(channel), {"components": [menu(kind, **more)]})
    assert status == 200, sent
    return str(sent["id"])


async def choose(wire: WireBot, person: Person, message: str, *values: Any) -> Json:
    """Choose from a menu and return what the bot gets."""
    choosing, interaction = await wire.receive(person.select(message, "m", values))
    await wire.answer(interaction, 6)
    await choosing
    data: Json = interaction["data"]
    return data


async def test_chosen_roles_and_channels_are_described_to_the_bot(
    wire: WireBot, sandbox: Sandbox, wren: Person, channel: Channel
) -> None:
    role = Role(77, "Dealers", color=5)
    sandbox.world.server.add_role(role)
    data = await choose(wire, wren, await post_menu(wire, channel, ROLE), role)
    assert (data["values"], data["resolved"]["roles"]["77"]["name"]) == (["77"], "Dealers")
    lounge = sandbox.channel("lounge")
    data = await choose(wire, wren, await post_menu(wire, channel, CHANNEL, channel_types=[0]), lounge)
    assert data["resolved"]["channels"][str(lounge.id)]["name"] == "lounge"


async def test_only_existing_values_can_be_chosen(
    wire: WireBot, sandbox: Sandbox, wren: Person, channel: Channel
) -> None:
    lounge, jay = sandbox.channel("lounge"), sandbox.person("Jay")
    roles = list(sandbox.world.server.roles)
    cases: list[tuple[int, Json, list[Any]]] = [
        (ROLE, {}, [lounge]),
        (ROLE, {}, roles),
        (ROLE, {"min_values": 2, "max_values": 2}, roles[:1] * 2),
        (ROLE, {}, [jay]),
        (CHANNEL, {"channel_types": [2]}, [lounge]),
        (CHANNEL, {}, [wren.direct_channel]),
        (ROLE, {"disabled": True}, roles[:1]),
    ]
    for kind, more, values in cases:
        message = await post_menu(wire, channel, kind, **more)
        with pytest.raises(ClientRefusal):
            await wren.select(message, "m", values)


@each_case(
    "kind, more, place, code",
    [
        (ROLE, {"default_values": [{"id": "7", "type": "user"}]}, "default_values.0.type", CHOICE),
        (ROLE, {"default_values": [{"id": "me", "type": "role"}]}, "default_values.0.id", "NUMBER_TYPE_COERCE"),
        (ROLE, {"default_values": [{"id": str(n), "type": "role"} for n in (7, 8)]}, "default_values", BAD),
        (CHANNEL, {"channel_types": [99]}, "channel_types.0", CHOICE),
        (CHANNEL, {"channel_types": 0}, "channel_types", TYPE),
        (ROLE, {"options": [{"label": "L", "value": "v"}]}, "options", LONG),
        (ROLE, {"disabled": "yes"}, "disabled", TYPE),
        (ROLE, {"max_values": 26}, "max_values", "NUMBER_TYPE_MAX"),
        (ROLE, {"max_values": {}, "default_values": [{"id": "7", "type": "role"}]}, "max_values", TYPE),
        (STRING, {"options": [{"label": n, "value": n, "default": True} for n in "ab"]}, "options", LONG),
    ],
)
async def test_wrong_menus_are_refused(
    wire: WireBot, channel: Channel, kind: int, more: Json, place: str, *, code: str
) -> None:
    faults = await wire.faults("POST", messages(channel), {"components": [menu(kind, **more)]})
    assert (f"components.0.components.0.{place}", code) in faults
