"""Discord's own API description (OpenAPI 3.1), and whether requests conform to it.

The description is Discord's `specs/openapi.json`, published in the repository discord/discord-api-spec. It is too
large to keep here: name a copy in PARLOUR_OPENAPI, or put it as `discord/openapi.json` into a folder beside the
checkout.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
FaultMessage: TypeAlias = Callable[[], str]
"""Formats the fault on demand, because faults of rejected alternatives are never read."""
Check: TypeAlias = Callable[["Description", Any, Any, str], Iterator[FaultMessage]]

_CHECKOUT = Path(__file__).resolve().parents[2]


def find_description() -> Path | None:
    """Return where the description is, if it is anywhere."""
    named = os.environ.get("PARLOUR_OPENAPI")
    if named:
        return Path(named)
    return next(iter(sorted(_CHECKOUT.parent.glob("*/discord/openapi.json"))), None)


@cache
def load_openapi(path: Path) -> "Description":
    """Read the description."""
    return Description(json.loads(path.read_text(encoding="utf-8")))


class Description:
    """The addresses of an interface and the shapes of what goes there and comes back."""

    def __init__(self, document: Json) -> None:
        self._document = document
        # Fixed words go before placeholders: `/users/@me` is not the user called @me.
        paths = sorted(document["paths"], key=lambda path: path.count("{"))
        self._paths = [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in paths]
        self._targets: dict[str, Json] = {}
        self._fixed: dict[int, list[tuple[str, list[Any]]]] = {}

    def address(self, path: str) -> str:
        """Return the address with placeholders that a path belongs to."""
        found: str | None = next((template for pattern, template in self._paths if pattern.fullmatch(path)), None)
        if found is None:
            raise LookupError(f"no such address: {path}")
        return found

    def request_faults(self, method: str, path: str, body: Any) -> list[str]:
        """Return the faults of a request's body."""
        return [fault() for fault in self.find_request_faults(method, path, body)]

    def find_request_faults(self, method: str, path: str, body: Any) -> Iterator[FaultMessage]:
        """Find one fault of a request's body after the other."""
        operation = self._operation(method, path)
        if operation.get("requestBody") is not None:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            yield from self.find_faults(schema, _normalize(body), "$")
        elif body is not None:
            yield lambda: "no body is expected"

    def answer_faults(self, method: str, path: str, status: int, body: Any) -> list[str]:
        """Return the faults of an answer, its status included."""
        answers = self._operation(method, path)["responses"]
        answer = answers.get(str(status)) or answers.get(f"{status // 100}XX")
        if answer is None:
            return [f"{status} is no answer to this; there are {sorted(answers)}"]
        if "$ref" in answer:
            answer = self.at(answer["$ref"])
        content = answer.get("content")
        if content is None:
            return [] if body is None else ["no body is expected"]
        return self.faults(content["application/json"]["schema"], body)

    def faults(self, schema: Json, value: Any, place: str = "$") -> list[str]:
        """Return the faults of a value."""
        return [fault() for fault in self.find_faults(schema, value, place)]

    def is_valid(self, schema: Json, value: Any) -> bool:
        """Return whether a value is valid. Stops at the first fault."""
        if isinstance(value, dict) and any(value.get(name, one[0]) not in one for name, one in self._fixed_in(schema)):
            return False
        return next(self.find_faults(schema, value, ""), None) is None

    def _fixed_in(self, schema: Json) -> list[tuple[str, list[Any]]]:
        """Return the constant properties, which tell most alternatives apart and are cheap to compare."""
        if "$ref" in schema:
            return self._fixed_in(self.at(schema["$ref"]))
        if id(schema) not in self._fixed:
            properties = schema.get("properties", {}).items()
            self._fixed[id(schema)] = [
                (name, part.get("enum") or [part["const"]]) for name, part in properties if part.keys() & _FIXED
            ]
        return self._fixed[id(schema)]

    def find_faults(self, schema: Json, value: Any, place: str) -> Iterator[FaultMessage]:
        """Find one fault of a value after the other."""
        for keyword, wanted in schema.items():
            # An unknown keyword would accept everything silently.
            if keyword not in _IGNORED_KEYWORDS:
                yield from _CHECKS[keyword](self, wanted, value, place)
        others = schema.get("additionalProperties", True)
        if others is not True and isinstance(value, dict):
            for name in sorted(value.keys() - schema.get("properties", {}).keys()):
                if others is False:
                    yield partial(_unknown, place, name)
                else:
                    yield from self.find_faults(others, value[name], f"{place}.{name}")

    def _operation(self, method: str, path: str) -> Json:
        operation: Json | None = self._document["paths"][self.address(path)].get(method.lower())
        if operation is None:
            raise LookupError(f"no such request: {method} {path}")
        return operation

    def at(self, reference: str) -> Json:
        if reference not in self._targets:
            node = self._document
            for step in reference.removeprefix("#/").split("/"):
                node = node[step]
            self._targets[reference] = node
        return self._targets[reference]


_IGNORED_KEYWORDS = frozenset(
    {"additionalProperties", "contentEncoding", "description", "format", "title", "x-discord-union", "default"}
)

_FIXED = frozenset({"const", "enum"})


def _normalize(sent: Any) -> Any:
    """Return a body with ids as strings and permissions as numbers: Discord reads either, but describes one."""
    if isinstance(sent, list):
        return [_normalize(each) for each in sent]
    if not isinstance(sent, dict):
        return sent
    return {name: _normalize_value(name, value, sent) for name, value in sent.items()}


def _normalize_value(name: str, value: Any, within: Json) -> Any:
    # The id of a component is a number; it stands beside a type that is one, too.
    is_id = name.endswith("_id") or (name == "id" and not isinstance(within.get("type"), int))
    if is_id and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if name in ("users", "roles") and isinstance(value, list):
        return [str(each) if type(each) is int else each for each in value]
    if name == "default_member_permissions" and isinstance(value, str) and value.isdecimal():
        return int(value)
    return _normalize(value)


def _is_of(value: Any, kind: str) -> bool:
    if isinstance(value, bool) or value is None:
        return kind == {True: "boolean", False: "boolean", None: "null"}[value]
    return kind in _TYPES and isinstance(value, _TYPES[kind])


_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "array": list,
    "object": dict,
    "integer": int,
    "number": (int, float),
}


def _type(_: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    if not any(_is_of(value, kind) for kind in kinds):
        yield lambda: f"{place}: {value!r:.60} is no {' or '.join(kinds)}"


def _reference(described: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    yield from described.find_faults(described.at(wanted), value, place)


def _all(described: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    for schema in wanted:
        yield from described.find_faults(schema, value, place)


def _any(described: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    if not any(described.is_valid(schema, value) for schema in wanted):
        yield lambda: _none(described, wanted, value, place)


def _one(described: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    near = (schema for schema in wanted if schema.get("const", value) == value)
    fitting = sum(described.is_valid(schema, value) for schema in near)
    if fitting == 0:
        yield lambda: _none(described, wanted, value, place)
    elif fitting > 1:
        yield lambda: f"{place}: fits {fitting} where one is meant"


def _unknown(place: str, name: str) -> str:
    return f"{place}.{name}: is unknown"


def _none(described: Description, wanted: Any, value: Any, place: str) -> str:
    tried = [described.faults(schema, value, place) for schema in wanted]
    return f"{place}: fits none of {len(tried)}; {_nearest(tried, place)}"


def _nearest(tried: list[list[str]], place: str) -> str:
    # The form that was meant has the right type, or was followed to the deepest place.
    meant = [faults for faults in tried if not any(fault.startswith(f"{place}.type:") for fault in faults)]
    return "; ".join(max(meant or tried, key=lambda faults: max(fault.count(".") for fault in faults)))


def _properties(described: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    if isinstance(value, dict):
        for name in sorted(wanted.keys() & value.keys()):
            yield from described.find_faults(wanted[name], value[name], f"{place}.{name}")


def _required(_: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    if isinstance(value, dict):
        yield from (lambda name=name: f"{place}.{name}: is missing" for name in wanted if name not in value)


def _items(described: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from described.find_faults(wanted, each, f"{place}.{number}")


def _unique(_: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    if wanted and isinstance(value, list) and len({json.dumps(each, sort_keys=True) for each in value}) < len(value):
        yield lambda: f"{place}: holds something twice"


def _pattern(_: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    if isinstance(value, str) and not re.search(wanted, value):
        yield lambda: f"{place}: {value!r:.60} does not match {wanted}"


def _choice(_: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    if value not in wanted or isinstance(value, bool):
        yield lambda: f"{place}: {value!r:.60} is none of {wanted}"


def _constant(_: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
    if value != wanted or type(value) is not type(wanted):
        yield lambda: f"{place}: {value!r:.60} is not {wanted!r}"


def _bound(kind: type | tuple[type, ...], is_within: Callable[[Any, Any], bool], word: str) -> Check:
    def check(_: Description, wanted: Any, value: Any, place: str) -> Iterator[FaultMessage]:
        if isinstance(value, kind) and not isinstance(value, bool) and not is_within(value, wanted):
            yield lambda: f"{place}: {word} {wanted}"

    return check


_CHECKS: dict[str, Check] = {
    "$ref": _reference,
    "allOf": _all,
    "anyOf": _any,
    "oneOf": _one,
    "type": _type,
    "enum": _choice,
    "const": _constant,
    "properties": _properties,
    "required": _required,
    "items": _items,
    "uniqueItems": _unique,
    "pattern": _pattern,
    "minimum": _bound((int, float), lambda value, least: value >= least, "less than"),
    "maximum": _bound((int, float), lambda value, most: value <= most, "more than"),
    "minLength": _bound(str, lambda value, least: len(value) >= least, "shorter than"),
    "maxLength": _bound(str, lambda value, most: len(value) <= most, "longer than"),
    "minItems": _bound(list, lambda value, least: len(value) >= least, "fewer than"),
    "maxItems": _bound(list, lambda value, most: len(value) <= most, "more than"),
    "minProperties": _bound(dict, lambda value, least: len(value) >= least, "fewer than"),
    "maxProperties": _bound(dict, lambda value, most: len(value) <= most, "more than"),
}
