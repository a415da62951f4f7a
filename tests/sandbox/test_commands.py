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


REFUSED_COMMANDS: dict[str, tuple[Json, str]] = {
    "no name": (command(name=""), "BASE_TYPE_REQUIRED"),
    "capital letters": (command(name="Ping"), "APPLICATION_COMMAND_INVALID_NAME"),
    "a space": (command(name="ping pong"), "APPLICATION_COMMAND_INVALID_NAME"),
    "33 letters": (command(name="x" * 33), "BASE_TYPE_BAD_LENGTH"),
    "no description": (command(description=None), "BASE_TYPE_REQUIRED"),
    "101 letters of description": (command(description="x" * 101), "BASE_TYPE_BAD_LENGTH"),
    "unknown type": (command(type=9), "BASE_TYPE_CHOICES"),
    "permissions that are none": (command(default_member_permissions="all"), "NUMBER_TYPE_COERCE"),
    "contexts no list": (command(contexts=1), "BASE_TYPE_BAD_TYPE"),
    "no context": (command(contexts=[]), "BASE_TYPE_BAD_LENGTH"),
    "unknown context": (command(contexts=[0, 3]), "BASE_TYPE_CHOICES"),
    "a context twice": (command(contexts=[1, 1]), "SET_TYPE_ALREADY_CONTAINS_VALUE"),
    "26 options": (command(options=[option(name=f"o{n}") for n in range(26)]), "BASE_TYPE_MAX_LENGTH"),
    "options no list": (command(options={}), "BASE_TYPE_BAD_TYPE"),
    "option without description": (command(options=[option(description="")]), "BASE_TYPE_REQUIRED"),
    "option of unknown type": (command(options=[option(type=12)]), "BASE_TYPE_CHOICES"),
    "required after optional": (
        command(options=[option(), option(name="more", required=True)]),
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    "two options of one name": (
        command(options=[option(), option()]),
        "APPLICATION_COMMAND_OPTIONS_NAME_NOT_UNIQUE",
    ),
    "least above most": (
        command(options=[option(type=4, min_value=9, max_value=1)]),
        "NUMBER_TYPE_MAX",
    ),
    "shortest above longest": (command(options=[option(min_length=9, max_length=1)]), "NUMBER_TYPE_MAX"),
    "a language that is none": (command(name_localizations={"xx": "ping"}), "BASE_TYPE_CHOICES"),
    "two choices of one name": (
        command(options=[option(choices=[{"name": "a", "value": "1"}, {"name": "a", "value": "2"}])]),
        "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
    ),
    "26 choices": (command(options=[option(choices=choices(26))]), "BASE_TYPE_MAX_LENGTH"),
    "choice name": (command(options=[option(choices=choices(1, name="x" * 101))]), "BASE_TYPE_BAD_LENGTH"),
    "choice value of another type": (
        command(options=[option(choices=choices(1, value=7))]),
        "BASE_TYPE_BAD_TYPE",
    ),
    "choice value missing": (
        command(options=[option(type=4, choices=choices(1, value=None))]),
        "BASE_TYPE_REQUIRED",
    ),
    "choices and completion": (
        command(options=[option(choices=choices(1), autocomplete=True)]),
        "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID",
    ),
    "completion of a switch": (
        command(options=[option(type=5, autocomplete=True)]),
        "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID",
    ),
    "bounds of a text": (
        command(options=[option(min_value=1)]),
        "APPLICATION_COMMAND_OPTIONS_BOUNDS_NOT_ALLOWED",
    ),
    "length beyond all texts": (command(options=[option(max_length=6001)]), "NUMBER_TYPE_MAX"),
    "subcommand beside an option": (
        command(options=[subcommand(), option()]),
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    "group in a group": (command(options=[group(group())]), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"),
    "subcommand in a subcommand": (
        command(options=[subcommand(subcommand())]),
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    "8001 characters": (
        command(options=[option(name=f"o{n}", choices=choices(25, value="x" * 100)) for n in range(4)]),
        "APPLICATION_COMMAND_TOO_LARGE",
    ),
    "a menu with a description": (
        {"type": 2, "name": "Who", "description": "Who"},
        "APPLICATION_COMMAND_DESCRIPTION_NOT_ALLOWED",
    ),
    "a menu with options": (
        {"type": 3, "name": "Quote", "options": [option()]},
        "APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED",
    ),
}

ACCEPTED_COMMANDS: dict[str, Json] = {
    "plain": command(),
    "other scripts": command(name="würfel_2-x"),
    "25 options of 25 choices": command(options=[option(name=f"o{n}", choices=choices(25)) for n in range(25)]),
    "groups and subcommands": command(
        options=[group(subcommand(option()), subcommand(name="other")), subcommand(name="third")]
    ),
    "required first": command(options=[option(required=True), option(name="more")]),
    "numbers": command(
        options=[
            option(type=4, min_value=1, max_value=9),
            option(type=10, name="x", choices=choices(1, value=1.5)),
        ]
    ),
    "all contexts": command(contexts=[0, 1, 2]),
    "a menu": {"type": 2, "name": "Who Is It"},
}


@pytest.fixture
def everywhere(sandbox: Sandbox) -> str:
    return f"/applications/{sandbox.world.bot.id}/commands"


@pytest.fixture
def here(sandbox: Sandbox) -> str:
    return f"/applications/{sandbox.world.bot.id}/guilds/{sandbox.world.server.id}/commands"


@each_case("wrong, code", REFUSED_COMMANDS.values())
async def test_a_wrong_command_is_refused(wire: WireBot, everywhere: str, wrong: Json, code: str) -> None:
    for method, body in (("POST", wrong), ("PUT", [wrong])):
        status, answer = await wire.request(method, everywhere, body)
        assert (status, answer["code"]) == (400, 50035)
        assert f"'{code}'" in str(answer["errors"])
    assert wire.sandbox.world.commands.list_scope(None) == []


@each_case("right", ACCEPTED_COMMANDS.values())
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
    _, before = await wire.request("PUT", everywhere, [command(), command(name="old")])
    _, after = await wire.request("PUT", everywhere, [command(description="Better"), command(name="new")])
    assert after[0]["id"] == before[0]["id"]
    assert after[0]["version"] != before[0]["version"]
    assert (await wire.request("GET", everywhere))[1] == after
    assert [each["name"] for each in after] == ["ping", "new"]


async def test_a_single_command_can_be_created_changed_and_deleted(wire: WireBot, here: str) -> None:
    status, made = await wire.request("POST", here, command())
    assert (status, made["guild_id"]) == (201, str(wire.sandbox.world.server.id))
    status, again = await wire.request("POST", here, command(description="Better"))
    assert (status, again["id"], again["description"]) == (200, made["id"], "Better")
    one = f"{here}/{made['id']}"
    _, renamed = await wire.request("PATCH", one, {"name": "pong"})
    assert (renamed["id"], renamed["name"], renamed["description"]) == (made["id"], "pong", "Better")
    assert (await wire.request("GET", one))[1] == renamed
    assert (await wire.request("PATCH", one, {"name": "PONG"}))[1]["code"] == 50035
    assert await wire.request("DELETE", one) == (204, None)
    for method in ("GET", "PATCH", "DELETE"):
        status, answer = await wire.request(method, one, {})
        assert (status, answer["code"]) == (404, 10063)


async def test_foreign_applications_and_servers_are_refused(wire: WireBot, sandbox: Sandbox) -> None:
    _, answer = await wire.request("GET", "/applications/1/commands")
    assert answer["code"] == 10002
    _, answer = await wire.request("GET", f"/applications/{sandbox.world.bot.id}/guilds/1/commands")
    assert answer["code"] == 50001


async def test_listeners_hear_of_changed_commands(wire: WireBot, sandbox: Sandbox) -> None:
    changes: list[Change] = []
    unsubscribe = sandbox.world.subscribe(changes.append)
    await wire.register(command())
    assert changes == [CommandsChange()]
    unsubscribe()
    await wire.register()
    assert len(changes) == 1


async def test_only_commands_offered_to_a_person_can_be_used(
    wire: WireBot, everywhere: str, here: str, wren: Person
) -> None:
    sandbox, robin = wire.sandbox, wire.sandbox.person("Robin")
    await wire.request("PUT", everywhere, [command(), {"type": 2, "name": "Who"}, command(name="dm", contexts=[1])])
    await wire.request("PUT", here, [command(name="local"), command(name="secret", default_member_permissions="32")])
    await wire.request("POST", here, command(name="closed", default_member_permissions="0"))
    assert [each["name"] for each in sandbox.world.commands.slash_commands(sandbox.world.server.id)] == [
        "local",
        "secret",
        "closed",
        "ping",
    ]
    lounge = sandbox.channel("lounge")
    for name in ("dm", "Who", "secret", "closed"):
        with pytest.raises(ClientRefusal):
            await wren.slash(lounge, name)
    await wire.socket.close(code=1000)
    await sandbox.until(lambda: not sandbox.bot_online)
    # Robin may use all of them, but the bot is no longer connected.
    for name in ("secret", "closed"):
        assert (await robin.slash(lounge, name)).failure == "Parlour is offline."


@pytest.mark.parametrize("sent", [32, "32"], ids=["number", "words"])
async def test_permissions_are_returned_as_text_in_whatever_form_they_were_sent(
    wire: WireBot, everywhere: str, sent: int | str
) -> None:
    _, made = await wire.request("POST", everywhere, command(default_member_permissions=sent))
    assert made["default_member_permissions"] == "32"
