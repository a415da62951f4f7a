"""How a bot registers commands, and which ones are refused."""

from typing import Any

import pytest

from bot.sandbox import ClientRefusal, Person, Sandbox
from bot.sandbox.model.world import Change, CommandsChange
from tests.sandbox.wire_bot import Json, WireBot
from tests.support.each_case import each_case


def command(**parts: Any) -> Json:
    return {"name": "ping", "description": "Ask", **parts}


def option(**parts: Any) -> Json:
    return {"type": 3, "name": "what", "description": "What", **parts}


def group(*options: Json) -> Json:
    return {"type": 2, "name": "group", "description": "Group", "options": list(options)}


def subcommand(*options: Json, name: str = "sub") -> Json:
    return {"type": 1, "name": name, "description": "Sub", "options": list(options)}


def choices(count: int, **parts: Any) -> list[Json]:
    return [{"name": f"C{number}", "value": f"c{number}", **parts} for number in range(count)]


BAD, LONG, REQUIRED = "BASE_TYPE_BAD_LENGTH", "BASE_TYPE_MAX_LENGTH", "BASE_TYPE_REQUIRED"
TYPE, CHOICE, MOST = "BASE_TYPE_BAD_TYPE", "BASE_TYPE_CHOICES", "NUMBER_TYPE_MAX"
NO_NAME, NO_BRANCH = "APPLICATION_COMMAND_INVALID_NAME", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"
NO_COMPLETION = "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID"

_OPTIONS: list[tuple[list[Json], str]] = [
    ([option(name=f"o{n}") for n in range(26)], LONG),
    ([option(description="")], REQUIRED),
    ([option(type=12)], CHOICE),
    ([option(), option(name="more", required=True)], "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"),
    ([option(), option()], "APPLICATION_COMMAND_OPTIONS_NAME_NOT_UNIQUE"),
    ([option(type=4, min_value=9, max_value=1)], MOST),
    ([option(min_length=9, max_length=1)], MOST),
    ([option(max_length=6001)], MOST),
    ([option(min_value=1)], "APPLICATION_COMMAND_OPTIONS_BOUNDS_NOT_ALLOWED"),
    (
        [option(choices=[{"name": "a", "value": value} for value in "12"])],
        "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
    ),
    ([option(choices=choices(26))], LONG),
    ([option(choices=choices(1, name="x" * 101))], BAD),
    ([option(choices=choices(1, value=7))], TYPE),
    ([option(type=4, choices=choices(1, value=None))], REQUIRED),
    ([option(choices=choices(1), autocomplete=True)], NO_COMPLETION),
    ([option(type=5, autocomplete=True)], NO_COMPLETION),
    ([subcommand(), option()], NO_BRANCH),
    ([group(group())], NO_BRANCH),
    ([subcommand(subcommand())], NO_BRANCH),
    # 8001 characters in all, then in the longest language.
    ([option(name=f"o{n}", choices=choices(25, value="x" * 100)) for n in range(4)], "APPLICATION_COMMAND_TOO_LARGE"),
    (
        [option(name=f"o{n}", choices=choices(25, name_localizations={"de": "x" * 81})) for n in range(4)],
        "APPLICATION_COMMAND_TOO_LARGE",
    ),
]
REFUSED_COMMANDS: list[tuple[Json, str]] = [
    (command(name=""), REQUIRED),
    (command(name="Ping"), NO_NAME),
    (command(name="ping pong"), NO_NAME),
    (command(name="x" * 33), BAD),
    (command(description=None), REQUIRED),
    (command(description="x" * 101), BAD),
    (command(type=9), CHOICE),
    (command(default_member_permissions="all"), "NUMBER_TYPE_COERCE"),
    (command(contexts=1), TYPE),
    (command(contexts=[]), BAD),
    (command(contexts=[0, 3]), CHOICE),
    (command(contexts=[1, 1]), "SET_TYPE_ALREADY_CONTAINS_VALUE"),
    (command(options={}), TYPE),
    (command(name_localizations={"xx": "ping"}), CHOICE),
    *((command(options=options), code) for options, code in _OPTIONS),
    ({"type": 2, "name": "Who", "description": "Who"}, "APPLICATION_COMMAND_DESCRIPTION_NOT_ALLOWED"),
    ({"type": 3, "name": "Quote", "options": [option()]}, "APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED"),
]

ACCEPTED_COMMANDS: list[Json] = [
    command(),
    command(name="würfel_2-x"),
    command(options=[option(name=f"o{n}", choices=choices(25)) for n in range(25)]),
    command(options=[group(subcommand(option()), subcommand(name="other")), subcommand(name="third")]),
    command(options=[option(required=True), option(name="more")]),
    command(
        options=[option(type=4, min_value=1, max_value=9), option(type=10, name="x", choices=choices(1, value=1.5))]
    ),
    command(contexts=[0, 1, 2]),
    {"type": 2, "name": "Who Is It"},
]


@pytest.fixture
def everywhere(sandbox: Sandbox) -> str:
    return f"/applications/{sandbox.world.bot.id}/commands"


@pytest.fixture
def here(sandbox: Sandbox) -> str:
    return f"/applications/{sandbox.world.bot.id}/guilds/{sandbox.world.server.id}/commands"


@each_case("wrong, code", REFUSED_COMMANDS)
async def test_a_wrong_command_is_refused(wire: WireBot, everywhere: str, wrong: Json, code: str) -> None:
    status, answer = await wire.request("PUT", everywhere, [wrong])
    assert (status, answer["code"]) == (400, 50035)
    assert f"'{code}'" in str(answer["errors"])
    assert wire.sandbox.world.commands.list_scope(None) == []


@each_case("right", ACCEPTED_COMMANDS)
async def test_a_command_at_the_limits_is_accepted(wire: WireBot, everywhere: str, right: Json) -> None:
    status, answer = await wire.request("PUT", everywhere, [right])
    assert status == 200, answer
    assert answer[0]["name"] == right["name"]
    assert answer[0]["options"] == right.get("options", [])


async def test_sets_of_commands_have_limits(wire: WireBot, everywhere: str) -> None:
    twice = [command(), command(description="Again")]
    _, answer = await wire.request("PUT", everywhere, twice)
    assert {"0", "1"} == set(answer["errors"])
    assert "'APPLICATION_COMMANDS_DUPLICATE_NAME'" in str(answer["errors"])
    many = [command(name=f"c{number}") for number in range(101)]
    _, answer = await wire.request("PUT", everywhere, many)
    assert "'APPLICATION_COMMAND_TOO_MANY_COMMANDS'" in str(answer["errors"])
    assert (await wire.request("PUT", everywhere, many[:100]))[0] == 200
    assert (await wire.request("PUT", everywhere, {"name": "x"}))[1]["code"] == 50035


async def test_replacing_commands_keeps_the_ids_of_known_names(wire: WireBot, everywhere: str) -> None:
    changes: list[Change] = []
    unsubscribe = wire.sandbox.world.subscribe(changes.append)
    _, before = await wire.request("PUT", everywhere, [command(), command(name="old")])
    unsubscribe()
    _, after = await wire.request("PUT", everywhere, [command(description="Better"), command(name="new")])
    assert after[0]["id"] == before[0]["id"]
    assert after[0]["version"] != before[0]["version"]
    assert (await wire.request("GET", everywhere))[1] == after
    assert [each["name"] for each in after] == ["ping", "new"]
    assert changes == [CommandsChange()], "the listener heard of them while it listened"


async def test_foreign_applications_and_servers_are_refused(wire: WireBot, sandbox: Sandbox) -> None:
    for part in ("commands", "emojis"):
        assert await wire.refusal("GET", f"/applications/1/{part}") == (404, 10002)
    assert await wire.refusal("GET", f"/applications/{sandbox.world.bot.id}/guilds/1/commands") == (403, 50001)


async def test_only_commands_offered_to_a_person_can_be_used(
    wire: WireBot, everywhere: str, here: str, wren: Person
) -> None:
    sandbox, robin = wire.sandbox, wire.sandbox.person("Robin")
    await wire.request("PUT", everywhere, [command(), {"type": 2, "name": "Who"}, command(name="dm", contexts=[1])])
    limited = [
        command(name=name, default_member_permissions=bits) for name, bits in (("secret", "32"), ("closed", "0"))
    ]
    await wire.request("PUT", here, [command(name="local"), *limited])
    offered = [each["name"] for each in sandbox.world.commands.slash_commands(sandbox.world.server.id)]
    assert offered == ["local", "secret", "closed", "ping"]
    lounge = sandbox.channel("lounge")
    for name in ("dm", "Who", "secret", "closed"):
        with pytest.raises(ClientRefusal):
            await wren.slash(lounge, name)
    await wire.socket.close(code=1000)
    await sandbox.until(lambda: not sandbox.bot_online)
    # Robin may use all of them, but the bot is no longer connected.
    for name in ("secret", "closed"):
        assert (await robin.slash(lounge, name)).failure == "Parlour is offline."


@each_case("sent", [32, "32"])
async def test_permissions_are_returned_as_text_in_whatever_form_they_were_sent(
    wire: WireBot, everywhere: str, sent: int | str
) -> None:
    _, (made,) = await wire.request("PUT", everywhere, [command(default_member_permissions=sent)])
    assert made["default_member_permissions"] == "32"
