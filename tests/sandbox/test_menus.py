"""Menus of every kind: what bots may offer, and what people choose reaches the bot."""

from typing import Any

import pytest

from bot.sandbox import Channel, ClientRefusal, Person, Sandbox
from bot.sandbox.model.servers import Role
from tests.sandbox.message_bodies import messages
from tests.sandbox.wire_bot import Json, WireBot
from tests.support.each_case import each_case

STRING, USER, ROLE, MENTIONABLE, CHANNEL = 3, 5, 6, 7, 8
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


async def test_chosen_people_are_described_to_the_bot(
    wire: WireBot, sandbox: Sandbox, wren: Person, channel: Channel
) -> None:
    jay = sandbox.person("Jay")
    data = await choose(wire, wren, await post_menu(wire, channel, USER, max_values=2), jay, str(wren.id))
    assert (data["component_type"], data["values"]) == (USER, [str(jay.id), str(wren.id)])
    assert data["resolved"]["users"][str(jay.id)]["username"] == "jay"
    member = data["resolved"]["members"][str(jay.id)]
    assert member["roles"] == [str(role) for role in sandbox.world.server.roles_of(jay.id)] != []


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
    message = await post_menu(wire, channel, MENTIONABLE, max_values=2)
    data = await choose(wire, wren, message, role, wren)
    assert data["values"] == ["77", str(wren.id)]
    assert set(data["resolved"]) == {"roles", "users", "members"}


async def test_only_existing_values_can_be_chosen(
    wire: WireBot, sandbox: Sandbox, wren: Person, channel: Channel
) -> None:
    lounge, jay = sandbox.channel("lounge"), sandbox.person("Jay")
    cases: list[tuple[int, Json, list[Any]]] = [
        (USER, {}, [lounge]),
        (USER, {}, [jay, wren]),
        (USER, {"min_values": 2, "max_values": 2}, [jay, jay]),
        (ROLE, {}, [jay]),
        (CHANNEL, {"channel_types": [2]}, [lounge]),
        (CHANNEL, {}, [wren.direct_channel]),
        (MENTIONABLE, {}, [lounge]),
        (USER, {"disabled": True}, [jay]),
    ]
    for kind, more, values in cases:
        message = await post_menu(wire, channel, kind, **more)
        with pytest.raises(ClientRefusal):
            await wren.select(message, "m", values)


@each_case(
    "kind, more, place, code",
    [
        (USER, {"default_values": [{"id": "7", "type": "role"}]}, "default_values.0.type", CHOICE),
        (USER, {"default_values": [{"id": "me", "type": "user"}]}, "default_values.0.id", "NUMBER_TYPE_COERCE"),
        (USER, {"default_values": [{"id": str(n), "type": "user"} for n in (7, 8)]}, "default_values", BAD),
        (CHANNEL, {"channel_types": [99]}, "channel_types.0", CHOICE),
        (CHANNEL, {"channel_types": 0}, "channel_types", TYPE),
        (ROLE, {"options": [{"label": "L", "value": "v"}]}, "options", LONG),
        (ROLE, {"disabled": "yes"}, "disabled", TYPE),
        (MENTIONABLE, {"max_values": 26}, "max_values", "NUMBER_TYPE_MAX"),
        (USER, {"max_values": {}, "default_values": [{"id": "7", "type": "user"}]}, "max_values", TYPE),
        (STRING, {"options": [{"label": n, "value": n, "default": True} for n in "ab"]}, "options", LONG),
    ],
)
async def test_wrong_menus_are_refused(
    wire: WireBot, channel: Channel, kind: int, more: Json, place: str, *, code: str
) -> None:
    faults = await wire.faults("POST", messages(channel), {"components": [menu(kind, **more)]})
    assert (f"components.0.components.0.{place}", code) in faults
