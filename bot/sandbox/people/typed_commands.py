"""Turns a typed command into the data that the bot gets, checked as Discord's own client checks it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.sandbox.model.channels import Channel
from bot.sandbox.model.commands import BRANCHES, OptionType
from bot.sandbox.model.world import World
from bot.sandbox.people.resolving import Resolver
from bot.sandbox.wire import Json

MAX_TEXT = 6000


class Refusal(Exception):
    """What a person tried cannot be done; Discord's client would not send it."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A command as it is typed: what is registered, and the way down to the part without branches."""

    command: Json
    branches: tuple[Json, ...]

    @property
    def options(self) -> list[Json]:
        """The options that can be filled in."""
        last = self.branches[-1] if self.branches else self.command
        return last.get("options") or []


def find(commands: list[Json], path: str) -> Leaf:
    """Return the command typed as `path`, its parts separated by spaces."""
    names = path.removeprefix("/").split()
    for command in commands:
        if names and command["name"] == names[0]:
            branches = _descend(command, names[1:])
            if branches is not None:
                return Leaf(command, branches)
    raise Refusal(f"There is no command /{' '.join(names)}.")


def _descend(command: Json, names: list[str]) -> tuple[Json, ...] | None:
    branches: list[Json] = []
    here = command
    for name in names:
        found = next((each for each in _branches(here) if each["name"] == name), None)
        if found is None:
            return None
        branches.append(found)
        here = found
    return None if any(_branches(here)) else tuple(branches)


def _branches(node: Json) -> Iterator[Json]:
    return (option for option in node.get("options") or () if option["type"] in BRANCHES)


class Form:
    """The options somebody filled in for a command."""

    def __init__(self, world: World, channel: Channel, leaf: Leaf, values: Mapping[str, Any]) -> None:
        self._resolver = Resolver(world, channel)
        self._leaf = leaf
        self._values = values

    def data(self) -> Json:
        """Return what the bot gets; refuse what is missing or wrong."""
        self._refuse_unknown()
        filled = [self._filled(spec) for spec in self._leaf.options if self._given(spec)]
        empty = (spec for spec in self._leaf.options if not self._given(spec))
        missing = [spec["name"] for spec in empty if spec.get("required")]
        if missing:
            raise Refusal(f"Still missing: {', '.join(missing)}.")
        return self._nested(filled)

    def focused(self, name: str) -> Json:
        """Return what the bot gets while somebody types into one option."""
        self._refuse_unknown()
        spec = next((each for each in self._leaf.options if each["name"] == name), None)
        if spec is None or not spec.get("autocomplete"):
            raise Refusal(f"There is nothing to complete in {name}.")
        others = [each for each in self._leaf.options if each is not spec and self._given(each)]
        text = str(self._values.get(name, ""))
        typed = {"name": name, "type": spec["type"], "value": text, "focused": True}
        return self._nested([*map(self._filled, others), typed])

    def _given(self, spec: Json) -> bool:
        return self._values.get(spec["name"]) is not None

    def _refuse_unknown(self) -> None:
        known = {spec["name"] for spec in self._leaf.options}
        unknown = sorted(set(self._values) - known)
        if unknown:
            raise Refusal(f"There is no option {', '.join(unknown)}.")

    def _nested(self, options: list[Json]) -> Json:
        for branch in reversed(self._leaf.branches):
            options = [{"type": branch["type"], "name": branch["name"], "options": options}]
        command = self._leaf.command
        data: Json = {"id": command["id"], "name": command["name"], "type": command["type"]}
        data["options"] = options
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        if self._resolver.found:
            data["resolved"] = self._resolver.found
        return data

    def _filled(self, spec: Json) -> Json:
        value = self._checked(spec, self._values[spec["name"]])
        return {"name": spec["name"], "type": spec["type"], "value": value}

    def _checked(self, spec: Json, value: Any) -> Any:
        match OptionType(spec["type"]):
            case OptionType.STRING:
                return _choice(spec, _text(spec, value))
            case OptionType.INTEGER:
                return _choice(spec, _number(spec, value, int, "a whole number"))
            case OptionType.NUMBER:
                return _choice(spec, _number(spec, value, (int, float), "a number"))
            case OptionType.BOOLEAN:
                return _boolean(spec, value)
            case kind:
                return self._chosen(spec, kind, value)

    def _chosen(self, spec: Json, kind: OptionType, value: Any) -> str:
        match kind:
            case OptionType.USER:
                return _found(spec, self._resolver.user(value), "nobody here")
            case OptionType.ROLE:
                return _found(spec, self._resolver.role(value), "no role")
            case OptionType.MENTIONABLE:
                return _found(spec, self._resolver.mentionable(value), "nobody here and no role")
            case OptionType.CHANNEL:
                found = self._resolver.channel(value, spec.get("channel_types") or ())
                return _found(spec, found, "no channel of the right kind")
            case _:
                raise Refusal(f"{spec['name']}: the sandbox has nothing of this kind to choose.")


def _found(spec: Json, found: str | None, nobody: str) -> str:
    if found is None:
        raise Refusal(f"{spec['name']}: {nobody} has this id.")
    return found


def _text(spec: Json, value: Any) -> str:
    if not isinstance(value, str):
        raise Refusal(f"{spec['name']}: this must be a text.")
    least, most = spec.get("min_length") or 0, spec.get("max_length") or MAX_TEXT
    if not least <= len(value) <= most:
        raise Refusal(f"{spec['name']}: this must be {least} to {most} characters long.")
    return value


def _number(spec: Json, value: Any, kind: type | tuple[type, ...], name: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, kind):
        raise Refusal(f"{spec['name']}: this must be {name}.")
    least, most = spec.get("min_value"), spec.get("max_value")
    if least is not None and value < least:
        raise Refusal(f"{spec['name']}: this must be at least {least}.")
    if most is not None and value > most:
        raise Refusal(f"{spec['name']}: this must be at most {most}.")
    return value


def _boolean(spec: Json, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Refusal(f"{spec['name']}: this must be yes or no.")
    return value


def _choice(spec: Json, value: Any) -> Any:
    choices = spec.get("choices") or []
    if choices and value not in [choice["value"] for choice in choices]:
        names = ", ".join(str(choice["name"]) for choice in choices)
        raise Refusal(f"{spec['name']}: this must be one of {names}.")
    return value
