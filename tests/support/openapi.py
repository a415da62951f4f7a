"""Discord's own description of its API (OpenAPI 3.1), and whether requests and answers conform to it.

[tests/data](../data/README.md) has the part of the description that the sandbox serves.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from jsonschema_rs import Draft202012Validator, Registry, ValidationError

Json: TypeAlias = dict[str, Any]

DESCRIPTION = Path(__file__).parents[1] / "data" / "discord_openapi.json"
_ADDRESS = "urn:description"


@cache
def load_description() -> "Description":
    """Read the description."""
    return Description(json.loads(DESCRIPTION.read_text(encoding="utf-8")))


class Description:
    """The addresses of an interface and the shapes of what goes there and comes back."""

    def __init__(self, document: Json) -> None:
        self._document = document
        # Fixed words go before placeholders: `/users/@me` is not the user called @me.
        paths = sorted(document["paths"], key=lambda path: path.count("{"))
        self._paths = [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in paths]
        self._registry = Registry([(_ADDRESS, document)])
        self._validators: dict[str, Draft202012Validator] = {}

    def address(self, path: str) -> str:
        """Return the address with placeholders that a path belongs to."""
        found: str | None = next((template for pattern, template in self._paths if pattern.fullmatch(path)), None)
        if found is None:
            raise LookupError(f"no such address: {path}")
        return found

    def operation(self, method: str, path: str) -> Json:
        """Return what a method does at a path."""
        operation: Json | None = self._document["paths"][self.address(path)].get(method.lower())
        if operation is None:
            raise LookupError(f"no such request: {method} {path}")
        return operation

    def request_faults(self, method: str, path: str, body: Any) -> list[str]:
        """Return the faults of a request's body."""
        if "requestBody" in self.operation(method, path):
            return self._faults(self._pointer(method, path, "requestBody"), _normalize(body))
        return [] if body is None else ["no body is expected"]

    def answer_faults(self, method: str, path: str, status: int, body: Any) -> list[str]:
        """Return the faults of an answer, its status included."""
        answers = self.operation(method, path)["responses"]
        form = next((each for each in (str(status), f"{status // 100}XX") if each in answers), None)
        if form is None:
            return [f"{status} is no answer to this; there are {sorted(answers)}"]
        if "$ref" in answers[form]:
            return self._faults(answers[form]["$ref"], body)
        if "content" in answers[form]:
            return self._faults(self._pointer(method, path, "responses", form), body)
        return [] if body is None else ["no body is expected"]

    def _pointer(self, method: str, path: str, *parts: str) -> str:
        steps = ("paths", self.address(path), method.lower(), *parts)
        return "#/" + "/".join(quote(step.replace("/", "~1"), safe="~@") for step in steps)

    def _faults(self, pointer: str, value: Any) -> list[str]:
        if pointer not in self._validators:
            schema = {"$ref": f"{_ADDRESS}{pointer}/content/application~1json/schema"}
            self._validators[pointer] = Draft202012Validator(schema, registry=self._registry)
        return [_describe(error) for error in self._validators[pointer].iter_errors(value)]


def _describe(error: ValidationError) -> str:
    deepest = max(_walk_alternatives(error), key=lambda each: len(each.instance_path))
    return f"{'.'.join(map(str, ('$', *deepest.instance_path)))}: {deepest.message:.200}"


def _walk_alternatives(error: ValidationError) -> Iterator[ValidationError]:
    """Walk over the errors in each of the alternatives: the one that was meant was followed to the deepest place."""
    yield error
    for alternative in getattr(error.kind, "context", ()):
        for each in alternative:
            yield from _walk_alternatives(each)


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
