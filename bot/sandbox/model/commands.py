"""The commands a bot registered."""

from collections import defaultdict
from collections.abc import Iterable
from enum import IntEnum

from bot.sandbox.model.snowflakes import SnowflakeGenerator
from bot.sandbox.wire import Json


class CommandType(IntEnum):
    """How people reach a command."""

    SLASH = 1
    USER_MENU = 2
    MESSAGE_MENU = 3


class OptionType(IntEnum):
    """What an option holds."""

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
    """Where commands are used."""

    SERVER = 0
    DIRECT = 1
    AMONG_PEOPLE = 2
    """In direct messages without the bot, which the sandbox does not have."""


BRANCH_TYPES = frozenset({OptionType.SUBCOMMAND, OptionType.GROUP})


class CommandRegistry:
    """The commands of the bot: those for everywhere and those for one server alone."""

    def __init__(self, application_id: int, snowflakes: SnowflakeGenerator) -> None:
        self._application_id = application_id
        self._snowflakes = snowflakes
        self._scopes: defaultdict[int | None, dict[int, Json]] = defaultdict(dict)

    def list_scope(self, server_id: int | None) -> list[Json]:
        """Return the commands of one scope; `None` is everywhere."""
        return list(self._scopes[server_id].values())

    def slash_commands(self, server_id: int | None) -> list[Json]:
        """Return what people can type: in a server its own commands come first, `None` is direct messages."""
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
        """Return the command that a request of the same type and name would replace."""
        wanted = _key(request)
        return next((each for each in self._scopes[server_id].values() if _key(each) == wanted), None)

    def replace(self, server_id: int | None, requests: Iterable[Json]) -> list[Json]:
        """Register these commands and no others; a known name keeps its id."""
        made = [self._build(server_id, request) for request in requests]
        self._scopes[server_id] = {int(command["id"]): command for command in made}
        return made

    def upsert(self, server_id: int | None, request: Json) -> Json:
        """Register one more command, or another form of one of the same name."""
        command = self._build(server_id, request)
        self._scopes[server_id][int(command["id"])] = command
        return command

    def edit(self, server_id: int | None, command_id: int, changes: Json) -> Json:
        """Change parts of a command, its name perhaps."""
        request = {**self._scopes[server_id][command_id], **changes}
        command = {**self._build(server_id, request), "id": str(command_id)}
        self._scopes[server_id][command_id] = command
        return command

    def remove(self, server_id: int | None, command_id: int) -> None:
        """Forget a command."""
        del self._scopes[server_id][command_id]

    def _build(self, server_id: int | None, request: Json) -> Json:
        known = self.find_by_name(server_id, request)
        command: Json = {
            "default_member_permissions": None,
            "nsfw": False,
            "contexts": None,
            **{key: value for key, value in request.items() if key in _KEPT_FIELDS},
        }
        if (needed := command["default_member_permissions"]) is not None:
            # They may be sent as a number, but come back in words, as all permissions do.
            command["default_member_permissions"] = str(needed)
        command["integration_types"] = request.get("integration_types") or [0]
        command["id"] = str(self._snowflakes.next_id()) if known is None else known["id"]
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
    # The older switch counts where there are no contexts.
    return context is InteractionContext.SERVER or command.get("dm_permission") is not False


def _key(command: Json) -> tuple[int, str]:
    return command.get("type") or CommandType.SLASH, command["name"]


def focused_type(data: Json) -> OptionType:
    """Return the type of the option that somebody types into."""
    options = data["options"]
    while options and options[0]["type"] in BRANCH_TYPES:
        options = options[0]["options"]
    return next(OptionType(option["type"]) for option in options if option.get("focused"))
