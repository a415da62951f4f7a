"""Roles and overwrites: permissions of people and the bot, and how they are sent to the bot."""

import pytest

from bot.sandbox import ClientRefusal, Person, Sandbox, ServerChannel
from bot.sandbox.model.permissions import ALL_PERMISSIONS, MEMBER_PERMISSIONS, Overwrite, OverwriteKind, Permissions
from bot.sandbox.model.servers import Role
from tests.sandbox.message_bodies import messages
from tests.sandbox.wire_bot import PING, WireBot

VIEW, SEND, MANAGE = Permissions.VIEW_CHANNEL, Permissions.SEND_MESSAGES, Permissions.MANAGE_MESSAGES
ADMINISTRATOR = Permissions.ADMINISTRATOR


def for_role(role_id: int, *, allow: int = 0, deny: int = 0) -> Overwrite:
    return Overwrite(role_id, OverwriteKind.ROLE, allow, deny)


def for_member(person: Person, *, allow: int = 0, deny: int = 0) -> Overwrite:
    return Overwrite(person.id, OverwriteKind.MEMBER, allow, deny)


async def test_overwrites_are_applied_in_order(sandbox: Sandbox, wren: Person, channel: ServerChannel) -> None:
    server = sandbox.world.server
    server.add_role(Role(71, "Quiet"), wren.user)
    server.add_role(Role(72, "Loud", MANAGE), wren.user)
    assert channel.permissions_of(wren.id) == MEMBER_PERMISSIONS | MANAGE
    channel.set_overwrite(for_role(server.id, deny=SEND))
    assert not channel.permissions_of(wren.id) & SEND
    channel.set_overwrite(for_role(72, allow=SEND))
    assert channel.permissions_of(wren.id) & SEND
    channel.set_overwrite(for_role(71, deny=SEND))
    assert channel.permissions_of(wren.id) & SEND, "what one role gives, another does not take away"
    channel.set_overwrite(for_member(wren, deny=SEND))
    assert not channel.permissions_of(wren.id) & SEND
    with pytest.raises(ClientRefusal, match="may not write"):
        wren.say(channel, "hello")


async def test_owners_and_administrators_have_all_permissions(sandbox: Sandbox, wren: Person, robin: Person) -> None:
    lounge, server = sandbox.channel("lounge"), sandbox.world.server
    lounge.set_overwrite(for_role(server.id, deny=ALL_PERMISSIONS))
    assert (lounge.permissions_of(robin.id), lounge.permissions_of(wren.id)) == (ALL_PERMISSIONS, 0)
    server.add_role(Role(73, "Boss", ADMINISTRATOR), wren.user)
    assert lounge.permissions_of(wren.id) == ALL_PERMISSIONS
    assert lounge.permissions_of(5) == 0


async def test_a_hidden_channel_does_not_exist_for_a_person(wire: WireBot, sandbox: Sandbox, wren: Person) -> None:
    lounge = sandbox.channel("lounge")
    _, sent = await wire.request("POST", messages(lounge), {"content": "x"})
    lounge.set_overwrite(for_member(wren, deny=VIEW))
    with pytest.raises(ClientRefusal, match="no such channel"):
        wren.say(lounge, "hello")
    with pytest.raises(ClientRefusal, match="gone"):
        await wren.click(sent["id"], "go", forged=True)
    assert wren.visible_messages(lounge) == []
    update = await wire.wait_for_event("CHANNEL_UPDATE")
    assert update["permission_overwrites"] == [{"id": str(wren.id), "type": 1, "allow": "0", "deny": str(int(VIEW))}]


@pytest.mark.parametrize(
    ("needed", "role", "denied", "fits"),
    [
        (None, 0, 0, True),
        (None, 0, Permissions.USE_APPLICATION_COMMANDS, False),
        (str(int(MANAGE)), 0, 0, False),
        (str(int(MANAGE)), MANAGE, 0, True),
        (str(int(MANAGE | SEND)), MANAGE, 0, True),
        ("0", MANAGE, 0, False),
        ("0", ADMINISTRATOR, 0, True),
    ],
)
async def test_a_command_can_require_permissions(
    wire: WireBot, sandbox: Sandbox, wren: Person, *, needed: str | None, role: int, denied: int, fits: bool
) -> None:
    lounge = sandbox.channel("lounge")
    await wire.register({**PING, "default_member_permissions": needed})
    sandbox.world.server.add_role(Role(75, "Some", role), wren.user)
    lounge.set_overwrite(for_member(wren, deny=denied))
    if fits:
        using, interaction = await wire.receive(wren.slash(lounge, "ping"))
        await wire.answer(interaction, 4, {"content": "x"})
        await using
    else:
        with pytest.raises(ClientRefusal, match="may not use"):
            await wren.slash(lounge, "ping")
