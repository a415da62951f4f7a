"""The commands that the bot has registered."""

from collections import defaultdict
from collections.abc import Iterable
from enum import IntEnum

from bot.sandbox.model.snowflakes import SnowflakeGenerator
from bot.sandbox.wire import Json


class CommandType(IntEnum):
    """Types of commands."""

    SLASH = 1
    USER_MENU = 2
    MESSAGE_MENU = 3


class OptionType(IntEnum):
    """Types of options."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


class InteractionContext(IntEnum):
    """Where commands can be used."""

    SERVER = 0
    DIRECT = 1
    AMONG_PEOPLE = 2
    """Direct messages without the bot; the sandbox has none."""


BRANCH_TYPES = frozenset({OptionType.SUBCOMMAND, OptionType.GROUP})


class CommandRegistry:
    """The commands of the bot by scope: global (None) or one server."""

    def __init__(self, application_id: int, snowflakes: SnowflakeGenerator) -> None:
        self._application_id = application_id
        self._snowflakes = snowflakes
        self._scopes: defaultdict[int | None, dict[int, Json]] = defaultdict(dict)

    def list_scope(self, server_id: int | None) -> list[Json]:
        """Return the commands of a scope."""
        return list(self._scopes[server_id].values())

    def slash_commands(self, server_id: int | None) -> list[Json]:
        """Return the slash commands in a server, its own ones first, or in direct messages (None)."""
        context = InteractionContext.DIRECT if server_id is None else InteractionContext.SERVER
        local = () if server_id is None else self._scopes[server_id].values()
        every = (*local, *self._scopes[None].values())
        return [
            command for command in every if command["type"] == CommandType.SLASH and _is_available_in(command, context)
        ]

    def get(self, server_id: int | None, command_id: int) -> Json | None:
        """Return a command by its id."""
        return self._scopes[server_id].get(command_id)

    def find_by_name(self, server_id: int | None, request: Json) -> Json | None:
        """Return the command with the type and name of a request."""
        key = _key(request)
        return next((each for each in self._scopes[server_id].values() if _key(each) == key), None)

    def replace(self, server_id: int | None, requests: Iterable[Json]) -> list[Json]:
        """Replace all commands of a scope; commands with a known name keep their id."""
        commands = [self._build(server_id, request) for request in requests]
        self._scopes[server_id] = {int(command["id"]): command for command in commands}
        return commands

    def upsert(self, server_id: int | None, request: Json) -> Json:
        """Create a command, or replace the one with the same name."""
        command = self._build(server_id, request)
        self._scopes[server_id][int(command["id"])] = command
        return command

    def edit(self, server_id: int | None, command_id: int, changes: Json) -> Json:
        """Edit a command."""
        request = {**self._scopes[server_id][command_id], **changes}
        command = {**self._build(server_id, request), "id": str(command_id)}
        self._scopes[server_id][command_id] = command
        return command

    def remove(self, server_id: int | None, command_id: int) -> None:
        """Delete a command."""
        del self._scopes[server_id][command_id]

    def _build(self, server_id: int | None, request: Json) -> Json:
        existing = self.find_by_name(server_id, request)
        command: Json = {
            "default_member_permissions": None,
            "nsfw": False,
            "contexts": None,
            **{key: value for key, value in request.items() if key in _KEPT_FIELDS},
        }
        if (permissions := command["default_member_permissions"]) is not None:
            # It may be sent as a number, but Discord returns permissions as strings.
            command["default_member_permissions"] = str(permissions)
        command["integration_types"] = request.get("integration_types") or [0]
        command["id"] = str(self._snowflakes.next_id()) if existing is None else existing["id"]
        command["application_id"] = str(self._application_id)
        command["version"] = str(self._snowflakes.next_id())
        command["type"] = request.get("type") or CommandType.SLASH
        command["description"] = request.get("description") or ""
        command["options"] = request.get("options") or []
        return command if server_id is None else {**command, "guild_id": str(server_id)}


_KEPT_FIELDS = frozenset(
    {
        "name",
        "name_localizations",
        "description_localizations",
        "default_member_permissions",
        "nsfw",
        "contexts",
        "dm_permission",
    }
)


def _is_available_in(command: Json, context: InteractionContext) -> bool:
    contexts = command["contexts"]
    if contexts is not None:
        return context in contexts
    # The older field counts if there are no contexts.
    return context is InteractionContext.SERVER or command.get("dm_permission") is not False


def _key(command: Json) -> tuple[int, str]:
    return command.get("type") or CommandType.SLASH, command["name"]


def focused_type(data: Json) -> OptionType:
    """Return the type of the focused option."""
    options = data["options"]
    while options and options[0]["type"] in BRANCH_TYPES:
        options = options[0]["options"]
    return next(OptionType(option["type"]) for option in options if option.get("focused"))
