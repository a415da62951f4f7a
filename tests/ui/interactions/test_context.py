"""The person, the place and the bot's permissions of an interaction."""

from collections.abc import Sequence
from typing import Any

import discord
import pytest

from bot.platform.discord.context import channel_of, guest_of, location_of, person_of, require_permissions
from bot.platform.discord.refusals import ClickReason, PermissionFacts
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal, RefusalReason
from bot.words import gettext, join_items
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, WREN
from tests.ui.fake_interactions import make_command, make_guest

NEEDED = discord.Permissions(view_channel=True, send_messages=True, embed_links=True)
NEEDED_IN_THREADS = discord.Permissions(view_channel=True, send_messages_in_threads=True, embed_links=True)


def interaction(**more: Any) -> Any:
    return make_command(ROBIN, **more)


class InThread:
    """A channel that is an instance of discord's thread class, without its making."""

    def __new__(cls) -> Any:
        return discord.Thread.__new__(discord.Thread)


def test_a_person_has_their_name_in_the_server() -> None:
    assert person_of(interaction()) == Person(ROBIN.id, "Robin")


@each_case(
    "facts, location",
    [
        ({"guild_id": 3, "channel_id": 70}, Location(3, 70)),
        ({"guild_id": None, "channel_id": 70}, Location(None, 70)),
        ({"guild_id": None, "channel_id": 70, "is_outside": True}, Location(None, 70, ROBIN.id, is_outside=True)),
        ({"channel_id": 70, "is_outside": True}, Location(None, 70, ROBIN.id, is_outside=True)),
        ({"guild_id": 3, "channel_id": None}, None),
        ({"guild_id": None, "channel_id": None}, None),
    ],
)
def test_a_location_is_a_server_or_a_direct_message_or_outside(
    facts: dict[str, Any], location: Location | None
) -> None:
    if location is not None:
        assert location_of(interaction(**facts)) == location
        return
    with pytest.raises(Refusal) as refused:
        location_of(interaction(**facts))
    assert refused.value.reason is ClickReason.NO_PLACE


def test_an_interaction_may_have_no_channel() -> None:
    assert [channel_of(interaction(channel_id=each)) for each in (70, None)] == [70, 0]


@each_case("permissions", [None, discord.Permissions(view_channel=True)])
def test_a_guest_is_a_member_of_the_server(permissions: discord.Permissions | None) -> None:
    guest = guest_of(interaction(), make_guest(discord.Member, permissions=permissions))
    assert guest == Person(WREN.id, "Wren of the server")


@each_case(
    "guest, guild_id, reason",
    [
        (make_guest(discord.Member), None, ClickReason.NO_GUESTS_HERE),
        (make_guest(discord.Member, bot=True), 3, ClickReason.APPS_CANNOT_PLAY),
        (make_guest(discord.User, bot=True), 3, ClickReason.APPS_CANNOT_PLAY),
        (make_guest(discord.User), 3, ClickReason.NOT_A_MEMBER),
        (make_guest(discord.Member, permissions=discord.Permissions(send_messages=True)), 3, ClickReason.CANNOT_SEE),
    ],
)
def test_others_are_no_guests(guest: Any, guild_id: int | None, reason: RefusalReason) -> None:
    with pytest.raises(Refusal) as refused:
        guest_of(interaction(guild_id=guild_id), guest)
    assert refused.value.reason is reason


@each_case(
    "channel, given, missing",
    [
        (None, NEEDED, None),
        (None, discord.Permissions.all(), None),
        (None, discord.Permissions.none(), ("View Channel", "Send Messages", "Embed Links")),
        (None, discord.Permissions(view_channel=True, send_messages=True), ("Embed Links",)),
        (None, discord.Permissions(send_messages=True, embed_links=True), ("View Channel",)),
        (None, NEEDED_IN_THREADS, ("Send Messages",)),
        (InThread(), NEEDED_IN_THREADS, None),
        (InThread(), NEEDED, ("Send Messages in Threads",)),
    ],
)
def test_missing_permissions_are_named(
    channel: object, given: discord.Permissions, missing: Sequence[str] | None
) -> None:
    asking = interaction(channel=channel, app_permissions=given)
    if missing is None:
        require_permissions(asking)
        return
    with pytest.raises(Refusal) as refused:
        require_permissions(asking)
    assert refused.value == Refusal(
        ClickReason.MISSING_PERMISSIONS, PermissionFacts(join_items(list(map(gettext, missing))))
    )


def test_a_direct_message_needs_no_permissions() -> None:
    require_permissions(interaction(guild_id=None, app_permissions=discord.Permissions.none()))
