"""Interactions that lack what the bot can do without, or hold what nobody knows yet."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from bot.platform.places import Location
from bot.sandbox.model.interactions import InteractionService, InteractionState
from tests.support.each_case import each_case
from tests.support.parlour import Parlour

Change: TypeAlias = Callable[[Any], Any]


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch) -> Callable[[Change], None]:
    """Lets what the bot gets of interactions be changed."""
    payload = InteractionService.payload

    def use(changed: Change) -> None:
        monkeypatch.setattr(InteractionService, "payload", lambda *args: changed(payload(*args)))

    return use


def without(*keys: str) -> Change:
    """Leave some fields out."""
    return lambda data: {key: value for key, value in data.items() if key not in keys}


def having(**fields: Any) -> Change:
    """Set some fields."""
    return lambda data: data | fields


def in_part(part: str, **fields: Any) -> Change:
    """Set some fields of a part, if there is such a part."""
    return lambda data: data | {part: data[part] | fields} if part in data else data


NOBODY_NEEDS: list[Change] = [
    without("channel"),
    having(channel=None),
    having(channel={}),
    without("channel_id"),
    in_part("channel", type=99),
    in_part("channel", type=None),
    in_part("channel", type=11),
    in_part("channel", type=10, parent_id=None),
    without("version", "attachment_size_limit", "entitlements", "authorizing_integration_owners"),
    having(entitlements=None, guild=None, locale="tlh", guild_locale="tlh", context=99),
    without("app_permissions", "locale", "guild", "guild_locale"),
    having(app_permissions="all of them"),
    in_part("member", roles=None, flags=None, joined_at="yesterday", permissions=None, nick=7, avatar=5),
    in_part("message", thread=None, embeds=None, components=[{"type": 99}], attachments=None, flags=None),
    in_part("message", type=99, poll={}, call=None, message_reference=None, interaction_metadata=None),
    in_part("data", resolved=None),
]


@each_case("changed", NOBODY_NEEDS)
async def test_a_table_is_opened_and_joined_without_what_nobody_needs(
    parlour: Parlour, change: Callable[[Change], None], changed: Change
) -> None:
    change(changed)
    message = await parlour.open_table(parlour.robin)
    assert (await parlour.table()).header.location == Location(parlour.here.server_id, parlour.here.id)
    await parlour.press(parlour.wren, message, "Join")
    assert len((await parlour.table()).seats) == 2
    answer = await parlour.robin.slash(parlour.here, "table cancel")
    assert answer.state is InteractionState.RESPONDED
    await parlour.wait_until_settled()


async def test_a_person_without_a_user_name_plays_under_the_id(
    parlour: Parlour, change: Callable[[Change], None]
) -> None:
    user = {"id": str(parlour.robin.id), "username": None, "discriminator": None, "global_name": None}
    change(lambda data: {**without("member")(data), "user": user})
    await parlour.open_table(parlour.robin)
    assert [seat.name for seat in (await parlour.table()).seats] == [str(parlour.robin.id)]


async def test_a_member_who_comes_as_a_user_plays_as_well(parlour: Parlour, change: Callable[[Change], None]) -> None:
    change(lambda data: {**without("member")(data), "user": {"id": str(parlour.robin.id), "username": "robin"}})
    await parlour.open_table(parlour.robin)
    assert [seat.name for seat in (await parlour.table()).seats] == ["robin"]


@each_case("changed", [without("channel"), in_part("channel", type=99), in_part("user", discriminator=None)])
async def test_a_direct_message_needs_no_more_than_its_id(
    parlour: Parlour, change: Callable[[Change], None], changed: Change
) -> None:
    change(changed)
    place = parlour.wren.direct_channel
    (message,) = (await parlour.wren.slash(place, "magpie new")).replies
    assert (await parlour.table(place)).header.location == Location(None, place.id)
    assert (await parlour.open_options(parlour.wren, message)).selects
    await parlour.wren.slash(place, "table cancel")
    await parlour.wait_until_settled()


UNREADABLE_COMMANDS: list[Change] = [
    having(data=None),
    having(data=[]),
    in_part("data", options=[None]),
    in_part("data", options="none"),
    in_part("data", name=None),
    in_part("data", resolved={"users": {"1": None}}),
    in_part("data", resolved={"channels": {"1": {}}}),
    in_part("data", type=77),
]


@each_case("changed", UNREADABLE_COMMANDS)
async def test_a_command_that_cannot_be_read_is_answered(
    parlour: Parlour, change: Callable[[Change], None], caplog: pytest.LogCaptureFixture, changed: Change
) -> None:
    change(changed)
    answer = await parlour.robin.slash(parlour.here, "help")
    assert answer.state is InteractionState.RESPONDED
    assert answer.ephemeral
    assert answer.text
    caplog.clear()
