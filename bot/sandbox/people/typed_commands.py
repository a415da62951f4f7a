"""Turns typed commands into interaction data, validated like Discord's client does."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.sandbox.model.application import BRANCH_TYPES, OptionType
from bot.sandbox.model.channels import Channel, ServerChannel, Thread
from bot.sandbox.model.clock import parse_snowflake
from bot.sandbox.model.world import World
from bot.sandbox.wire import Json


class Resolver:
    """Resolves ids in the context of a channel, and collects their data in `resolved`."""

    def __init__(self, world: World, channel: Channel) -> None:
        self.resolved: dict[str, Json] = {}
        self._world = world
        self._channel = channel
        self._server = channel.server

    def resolve_user(self, value: Any) -> str | None:
        """Return the id of a user, or None if there is none."""
        user = self._world.user(parse_snowflake(value))
        if user is None:
            return None
        self._add_resolved("users", user.id, user.payload())
        if self._server is not None and self._server.has_member(user.id):
            permissions = str(self._channel.permissions_of(user.id))
            self._add_resolved("members", user.id, {**self._server.member_payload(user), "permissions": permissions})
        return str(user.id)

    def resolve_role(self, value: Any) -> str | None:
        """Return the id of a role, or None if there is none."""
        role = None if self._server is None else self._server.roles.get(parse_snowflake(value))
        if role is None:
            return None
        self._add_resolved("roles", role.id, role.payload())
        return str(role.id)

    def resolve_mentionable(self, value: Any) -> str | None:
        """Return the id of a user or role, or None if there is none."""
        return self.resolve_user(value) or self.resolve_role(value)

    def resolve_channel(self, value: Any, kinds: Collection[int] = ()) -> str | None:
        """Return the id of a channel or thread of the server, or None; `kinds` limits the channel types."""
        channel = self._world.channel(parse_snowflake(value))
        if not isinstance(channel, ServerChannel | Thread) or channel.server is not self._server:
            return None
        payload = channel.payload()
        if kinds and payload["type"] not in kinds:
            return None
        fields = ("id", "name", "type", "parent_id", "thread_metadata")
        partial = {key: payload[key] for key in fields if key in payload}
        self._add_resolved("channels", channel.id, {**partial, "permissions": str(channel.bot_permissions)})
        return str(channel.id)

    def _add_resolved(self, kind: str, key: int, value: Json) -> None:
        self.resolved.setdefault(kind, {})[str(key)] = value


MAX_TEXT_LENGTH = 6000


class ClientRefusal(Exception):
    """Discord's client would not allow this action."""


@dataclass(frozen=True, slots=True)
class CommandPath:
    """A registered command with the path to one of its subcommands."""

    command: Json
    branches: tuple[Json, ...]

    @property
    def options(self) -> list[Json]:
        """The options of the last part."""
        last = self.branches[-1] if self.branches else self.command
        return last.get("options") or []


def find_command(commands: list[Json], path: str) -> CommandPath:
    """Return the command of a path, whose parts are separated by spaces."""
    names = path.removeprefix("/").split()
    for command in commands:
        if names and command["name"] == names[0]:
            branches = _descend(command, names[1:])
            if branches is not None:
                return CommandPath(command, branches)
    raise ClientRefusal(f"There is no command /{' '.join(names)}.")


def _descend(command: Json, names: list[str]) -> tuple[Json, ...] | None:
    branches: list[Json] = []
    node = command
    for name in names:
        found = next((each for each in _subcommands(node) if each["name"] == name), None)
        if found is None:
            return None
        branches.append(found)
        node = found
    return None if any(_subcommands(node)) else tuple(branches)


def _subcommands(node: Json) -> Iterator[Json]:
    return (option for option in node.get("options") or () if option["type"] in BRANCH_TYPES)


class CommandInput:
    """The option values for a command."""

    def __init__(self, world: World, channel: Channel, path: CommandPath, values: Mapping[str, Any]) -> None:
        self._resolver = Resolver(world, channel)
        self._path = path
        self._values = values

    def build_data(self) -> Json:
        """Return the interaction data; raise ClientRefusal for missing or invalid values."""
        self._refuse_unknown()
        options = [self._build_option(option) for option in self._path.options if self._is_given(option)]
        missing_options = (option for option in self._path.options if not self._is_given(option))
        missing = [option["name"] for option in missing_options if option.get("required")]
        if missing:
            raise ClientRefusal(f"Still missing: {', '.join(missing)}.")
        return self._build_nested_data(options)

    def build_autocomplete_data(self, name: str) -> Json:
        """Return the data of an autocomplete interaction for one focused option."""
        self._refuse_unknown()
        option = next((each for each in self._path.options if each["name"] == name), None)
        if option is None or not option.get("autocomplete"):
            raise ClientRefusal(f"There is nothing to complete in {name}.")
        others = [each for each in self._path.options if each is not option and self._is_given(each)]
        text = str(self._values.get(name, ""))
        typed = {"name": name, "type": option["type"], "value": text, "focused": True}
        return self._build_nested_data([*map(self._build_option, others), typed])

    def _is_given(self, option: Json) -> bool:
        return self._values.get(option["name"]) is not None

    def _refuse_unknown(self) -> None:
        known = {option["name"] for option in self._path.options}
        unknown = sorted(set(self._values) - known)
        if unknown:
            raise ClientRefusal(f"There is no option {', '.join(unknown)}.")

    def _build_nested_data(self, options: list[Json]) -> Json:
        for branch in reversed(self._path.branches):
            options = [{"type": branch["type"], "name": branch["name"], "options": options}]
        command = self._path.command
        data: Json = {"id": command["id"], "name": command["name"], "type": command["type"]}
        data["options"] = options
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        if self._resolver.resolved:
            data["resolved"] = self._resolver.resolved
        return data

    def _build_option(self, option: Json) -> Json:
        value = self._check_value(option, self._values[option["name"]])
        return {"name": option["name"], "type": option["type"], "value": value}

    def _check_value(self, option: Json, value: Any) -> Any:
        match OptionType(option["type"]):
            case OptionType.STRING:
                return _check_choice(option, _check_text(option, value))
            case OptionType.INTEGER:
                return _check_choice(option, _check_number(option, value, int, "a whole number"))
            case OptionType.NUMBER:
                return _check_choice(option, _check_number(option, value, (int, float), "a number"))
            case OptionType.BOOLEAN:
                if not isinstance(value, bool):
                    raise ClientRefusal(f"{option['name']}: this must be yes or no.")
                return value
            case kind:
                return self._resolve_value(option, kind, value)

    def _resolve_value(self, option: Json, kind: OptionType, value: Any) -> str:
        match kind:
            case OptionType.USER:
                return _require_found(option, self._resolver.resolve_user(value), "nobody here")
            case OptionType.ROLE:
                return _require_found(option, self._resolver.resolve_role(value), "no role")
            case OptionType.MENTIONABLE:
                return _require_found(option, self._resolver.resolve_mentionable(value), "nobody here and no role")
            case OptionType.CHANNEL:
                found = self._resolver.resolve_channel(value, option.get("channel_types") or ())
                return _require_found(option, found, "no channel of the right kind")
            case _:
                raise ClientRefusal(f"{option['name']}: the sandbox has nothing of this kind to choose.")


def _require_found(option: Json, found: str | None, missing: str) -> str:
    if found is None:
        raise ClientRefusal(f"{option['name']}: {missing} has this id.")
    return found


def _check_text(option: Json, value: Any) -> str:
    if not isinstance(value, str):
        raise ClientRefusal(f"{option['name']}: this must be a text.")
    minimum, maximum = option.get("min_length") or 0, option.get("max_length") or MAX_TEXT_LENGTH
    if not minimum <= len(value) <= maximum:
        raise ClientRefusal(f"{option['name']}: this must be {minimum} to {maximum} characters long.")
    return value


def _check_number(option: Json, value: Any, kind: type | tuple[type, ...], name: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, kind):
        raise ClientRefusal(f"{option['name']}: this must be {name}.")
    minimum, maximum = option.get("min_value"), option.get("max_value")
    if minimum is not None and value < minimum:
        raise ClientRefusal(f"{option['name']}: this must be at least {minimum}.")
    if maximum is not None and value > maximum:
        raise ClientRefusal(f"{option['name']}: this must be at most {maximum}.")
    return value


def _check_choice(option: Json, value: Any) -> Any:
    choices = option.get("choices") or []
    if choices and value not in [choice["value"] for choice in choices]:
        names = ", ".join(str(choice["name"]) for choice in choices)
        raise ClientRefusal(f"{option['name']}: this must be one of {names}.")
    return value
