"""What people type: the options of commands as Discord sends them, right ones and odd ones."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, TypeAlias

from bot.platform.places import Location, Person
from bot.sandbox.model.application import BRANCH_TYPES, OptionType
from bot.sandbox.model.servers import Role
from tests.fuzz.acts import Json
from tests.support.payloads import user_payload

CommandPath: TypeAlias = tuple[str, ...]
"""The words of a command."""

PLAIN_WORDS = (
    "1", "1 3 5", "all", "none", "sun", "crown 2", "random", "easy", "strong", "magpie", "magic_bag",
)  # fmt: skip

ODD_WORDS = (
    "", " ", "0", "-1", "1e9", "9" * 18, "9" * 19, "9" * 60, "٣", "１", "ⅷ", "🎲", "📦" * 25, "\x00", "\n",
    "drop table", "'; --", "{seed}", "%s", "../..", "None", "null", "true", "[]", "{}",
    "NaN", "x" * 100, "e\u0301", "\u202e", ":", "::::",
)  # fmt: skip


class CommandGenerator:
    """Fills in the options of commands."""

    def __init__(self, random: Random, people: Sequence[Person]) -> None:
        self._random = random
        self._people = people

    def command_data(self, path: CommandPath, leaf: Json, location: Location, *, nonsense: float) -> Json:
        """Return the data of a command, some of whose options are filled in; nonsense is the share of odd values."""
        resolved: Json = {}
        options = [
            self._option(spec, resolved, nonsense, location)
            for spec in leaf.get("options") or ()
            if self._is_filled(spec)
        ]
        if nonsense and self._chance(0.03):
            options.append({"name": "odd", "type": OptionType.STRING.value, "value": self._random.choice(ODD_WORDS)})
        data = build_command_data(path, options)
        return {**data, "resolved": resolved} if resolved else data

    def _is_filled(self, spec: Json) -> bool:
        return bool(spec.get("required")) or self._chance(0.4)

    def _option(self, spec: Json, resolved: Json, nonsense: float, location: Location) -> Json:
        odd = self._chance(nonsense)
        value = self._odd_value(spec, resolved) if odd else self._value(spec, resolved, location)
        return {"name": spec["name"], "type": spec["type"], "value": value}

    def _value(self, spec: Json, resolved: Json, location: Location) -> Any:
        if choices := spec.get("choices"):
            return self._random.choice(choices)["value"]
        match spec["type"]:
            case OptionType.INTEGER:
                least = spec.get("min_value", 0)
                # Short games end, and what is over is a table of another kind.
                return self._random.choice((least, least, spec.get("max_value", 9)))
            case OptionType.BOOLEAN:
                return self._chance(0.5)
            case OptionType.USER:
                who = self._random.choice(self._people)
                _resolve(who, resolved, is_member=location.guild_id is not None and self._chance(0.9))
                return str(who.id)
            case OptionType.CHANNEL | OptionType.ROLE:
                return self._entity(spec["type"], resolved, is_known=self._chance(0.9))
            case _:
                return self._random.choice((*PLAIN_WORDS, *ODD_WORDS))

    def _odd_value(self, spec: Json, resolved: Json) -> Any:
        """Return a value of the right type that Discord's own client would not let anyone send."""
        match spec["type"]:
            case OptionType.INTEGER:
                return self._random.choice((-1, 0, 10**9, -(10**12), 2**53))
            case OptionType.BOOLEAN:
                return self._chance(0.5)
            case OptionType.USER:
                far = Person(self._random.choice((1, 10**18)), self._random.choice(ODD_WORDS))
                resolved.setdefault("users", {})[str(far.id)] = user_payload(far.id, far.name)
                return str(far.id)
            case OptionType.CHANNEL | OptionType.ROLE:
                return self._entity(spec["type"], resolved, is_known=False)
            case _:
                return self._random.choice((*ODD_WORDS, "x" * 6000))

    def _entity(self, kind: int, resolved: Json, *, is_known: bool) -> str:
        """Return the id of a channel or role, which Discord resolves if it exists."""
        entity_id = str(self._random.choice((1, 31, 10**18)))
        if is_known and kind == OptionType.CHANNEL:
            channel = {"id": entity_id, "name": "table-one", "type": 0, "permissions": "0", "parent_id": None}
            resolved.setdefault("channels", {})[entity_id] = channel
        elif is_known:
            resolved.setdefault("roles", {})[entity_id] = Role(int(entity_id), "Players").payload()
        return entity_id

    def _chance(self, share: float) -> bool:
        return self._random.random() < share


def walk_commands(node: Json, path: CommandPath = ()) -> Iterator[tuple[CommandPath, Json]]:
    """Walk over the commands that can be typed, each with its words."""
    here = (*path, node["name"])
    branches = [each for each in node.get("options") or () if each["type"] in BRANCH_TYPES]
    if not branches:
        yield here, node
    for branch in branches:
        yield from walk_commands(branch, here)


def build_command_data(path: CommandPath, options: Sequence[Json]) -> Json:
    """Return the data of a command; the parts between the first and the last are groups."""
    inner: list[Json] = list(options)
    for at in range(len(path) - 1, 0, -1):
        inner = [{"type": 1 if at == len(path) - 1 else 2, "name": path[at], "options": inner}]
    return {"id": "77", "name": path[0], "type": 1, "options": inner}


def build_member_command(path: CommandPath, person: Person) -> Json:
    """Return the data of a command that names a member."""
    resolved: Json = {}
    _resolve(person, resolved, is_member=True)
    return {
        **build_command_data(path, [{"name": "person", "type": OptionType.USER.value, "value": str(person.id)}]),
        "resolved": resolved,
    }


def _resolve(who: Person, resolved: Json, *, is_member: bool) -> None:
    """Add a user named by a command to the resolved data."""
    resolved.setdefault("users", {})[str(who.id)] = user_payload(who.id, who.name)
    if is_member:
        member = {"roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "permissions": "1024", "flags": 0}
        resolved.setdefault("members", {})[str(who.id)] = member
