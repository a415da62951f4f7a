"""Turns a typed command into the data that the bot gets, checked as Discord's own client checks it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.sandbox.model.channels import Channel
from bot.sandbox.model.commands import BRANCH_TYPES, OptionType
from bot.sandbox.model.world import World
from bot.sandbox.people.resolver import Resolver
from bot.sandbox.wire import Json

MAX_TEXT_LENGTH = 6000


class ClientRefusal(Exception):
    """What a person tried cannot be done; Discord's client would not send it."""


@dataclass(frozen=True, slots=True)
class CommandPath:
    """A command as it is typed: what is registered, and the way down to the part without branches."""

    command: Json
    branches: tuple[Json, ...]

    @property
    def options(self) -> list[Json]:
        """The options that can be filled in."""
        last = self.branches[-1] if self.branches else self.command
        return last.get("options") or []


def find_command(commands: list[Json], path: str) -> CommandPath:
    """Return the command typed as `path`, its parts separated by spaces."""
    names = path.removeprefix("/").split()
    for command in commands:
        if names and command["name"] == names[0]:
            branches = _descend(command, names[1:])
            if branches is not None:
                return CommandPath(command, branches)
    raise ClientRefusal(f"There is no command /{' '.join(names)}.")


def _descend(command: Json, names: list[str]) -> tuple[Json, ...] | None:
    branches: list[Json] = []
    here = command
    for name in names:
        found = next((each for each in _subcommands(here) if each["name"] == name), None)
        if found is None:
            return None
        branches.append(found)
        here = found
    return None if any(_subcommands(here)) else tuple(branches)


def _subcommands(node: Json) -> Iterator[Json]:
    return (option for option in node.get("options") or () if option["type"] in BRANCH_TYPES)


class CommandInput:
    """The options somebody filled in for a command."""

    def __init__(self, world: World, channel: Channel, leaf: CommandPath, values: Mapping[str, Any]) -> None:
        self._resolver = Resolver(world, channel)
        self._path = leaf
        self._values = values

    def build_data(self) -> Json:
        """Return what the bot gets; refuse what is missing or wrong."""
        self._refuse_unknown()
        filled = [self._build_option(spec) for spec in self._path.options if self._is_given(spec)]
        empty = (spec for spec in self._path.options if not self._is_given(spec))
        missing = [spec["name"] for spec in empty if spec.get("required")]
        if missing:
            raise ClientRefusal(f"Still missing: {', '.join(missing)}.")
        return self._build_nested_data(filled)

    def build_autocomplete_data(self, name: str) -> Json:
        """Return what the bot gets while somebody types into one option."""
        self._refuse_unknown()
        spec = next((each for each in self._path.options if each["name"] == name), None)
        if spec is None or not spec.get("autocomplete"):
            raise ClientRefusal(f"There is nothing to complete in {name}.")
        others = [each for each in self._path.options if each is not spec and self._is_given(each)]
        text = str(self._values.get(name, ""))
        typed = {"name": name, "type": spec["type"], "value": text, "focused": True}
        return self._build_nested_data([*map(self._build_option, others), typed])

    def _is_given(self, spec: Json) -> bool:
        return self._values.get(spec["name"]) is not None

    def _refuse_unknown(self) -> None:
        known = {spec["name"] for spec in self._path.options}
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

    def _build_option(self, spec: Json) -> Json:
        value = self._check_value(spec, self._values[spec["name"]])
        return {"name": spec["name"], "type": spec["type"], "value": value}

    def _check_value(self, spec: Json, value: Any) -> Any:
        match OptionType(spec["type"]):
            case OptionType.STRING:
                return _check_choice(spec, _check_text(spec, value))
            case OptionType.INTEGER:
                return _check_choice(spec, _check_number(spec, value, int, "a whole number"))
            case OptionType.NUMBER:
                return _check_choice(spec, _check_number(spec, value, (int, float), "a number"))
            case OptionType.BOOLEAN:
                return _check_boolean(spec, value)
            case kind:
                return self._resolve_value(spec, kind, value)

    def _resolve_value(self, spec: Json, kind: OptionType, value: Any) -> str:
        match kind:
            case OptionType.USER:
                return _require_found(spec, self._resolver.resolve_user(value), "nobody here")
            case OptionType.ROLE:
                return _require_found(spec, self._resolver.resolve_role(value), "no role")
            case OptionType.MENTIONABLE:
                return _require_found(spec, self._resolver.resolve_mentionable(value), "nobody here and no role")
            case OptionType.CHANNEL:
                found = self._resolver.resolve_channel(value, spec.get("channel_types") or ())
                return _require_found(spec, found, "no channel of the right kind")
            case _:
                raise ClientRefusal(f"{spec['name']}: the sandbox has nothing of this kind to choose.")


def _require_found(spec: Json, found: str | None, nobody: str) -> str:
    if found is None:
        raise ClientRefusal(f"{spec['name']}: {nobody} has this id.")
    return found


def _check_text(spec: Json, value: Any) -> str:
    if not isinstance(value, str):
        raise ClientRefusal(f"{spec['name']}: this must be a text.")
    least, most = spec.get("min_length") or 0, spec.get("max_length") or MAX_TEXT_LENGTH
    if not least <= len(value) <= most:
        raise ClientRefusal(f"{spec['name']}: this must be {least} to {most} characters long.")
    return value


def _check_number(spec: Json, value: Any, kind: type | tuple[type, ...], name: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, kind):
        raise ClientRefusal(f"{spec['name']}: this must be {name}.")
    least, most = spec.get("min_value"), spec.get("max_value")
    if least is not None and value < least:
        raise ClientRefusal(f"{spec['name']}: this must be at least {least}.")
    if most is not None and value > most:
        raise ClientRefusal(f"{spec['name']}: this must be at most {most}.")
    return value


def _check_boolean(spec: Json, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ClientRefusal(f"{spec['name']}: this must be yes or no.")
    return value


def _check_choice(spec: Json, value: Any) -> Any:
    choices = spec.get("choices") or []
    if choices and value not in [choice["value"] for choice in choices]:
        names = ", ".join(str(choice["name"]) for choice in choices)
        raise ClientRefusal(f"{spec['name']}: this must be one of {names}.")
    return value
