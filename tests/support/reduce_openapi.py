"""Reduce Discord's description of its API to the operations that the sandbox serves, and to bodies in JSON.

`python -m tests.support.reduce_openapi specs/openapi.json` writes tests/data/discord_openapi.json.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bot.sandbox import Sandbox
from tests.support.openapi import DESCRIPTION, Description, Json

CREDIT = "Reduced from https://github.com/discord/discord-api-spec, copyright 2023 Discord, MIT licence (see README.md)"
WORDS = ("title", "description", "x-discord-union")


def list_served() -> Iterator[tuple[str, str]]:
    """List the methods of the sandbox with examples of their paths, as an id and as a word like `@me`."""
    for route in Sandbox().routes:
        for example in ("1", *re.findall(r"@\w+(?=\|)", route.path)):
            yield route.method.lower(), re.sub(r"\{[^}]*\}", example, route.path)


def reduce_description(document: Json, served: Iterable[tuple[str, str]]) -> Json:
    """Return the operations that are served, and the shapes that they refer to."""
    description = Description(document)
    paths: dict[str, Json] = {}
    for method, path in served:
        paths.setdefault(description.address(path), {})[method] = _reduce_operation(description.operation(method, path))
    components: dict[str, Json] = {"responses": {}, "schemas": {}}
    open_references = list(_find_references(paths))
    while open_references:
        kind, name = open_references.pop().removeprefix("#/components/").split("/")
        if name not in components[kind]:
            reduce = _reduce_content if kind == "responses" else _drop_words
            components[kind][name] = reduce(document["components"][kind][name])
            open_references += _find_references(components[kind][name])
    return {"$comment": CREDIT, "openapi": document["openapi"], "paths": paths, "components": components}


def _reduce_operation(operation: Json) -> Json:
    responses = {status: _reduce_content(each) for status, each in operation["responses"].items()}
    if "requestBody" not in operation:
        return {"responses": responses}
    return {"requestBody": _reduce_content(operation["requestBody"]), "responses": responses}


def _reduce_content(described: Json) -> Json:
    if "content" in described:
        return {"content": {"application/json": _drop_words(described["content"]["application/json"])}}
    return {"$ref": described["$ref"]} if "$ref" in described else {}


def _drop_words(node: Any) -> Any:
    """Drop titles and descriptions, which are texts; of a property called `title` there is a schema."""
    if isinstance(node, list):
        return [_drop_words(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {key: _drop_words(part) for key, part in node.items() if not (key in WORDS and isinstance(part, str))}


def _find_references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        for key, part in node.items():
            yield from [part] if key == "$ref" else _find_references(part)
    elif isinstance(node, list):
        for each in node:
            yield from _find_references(each)


def _format(document: Json) -> str:
    """Format a description with a line for each operation and each shape, so that changes can be read."""

    def indent(node: object, depth: int) -> str:
        if depth == 0 or not isinstance(node, dict):
            return json.dumps(node, sort_keys=True)
        entries = [f"{json.dumps(key)}: {indent(part, depth - 1)}" for key, part in sorted(node.items())]
        return "{\n" + ",\n".join(entries) + "\n}"

    return indent(document, 3) + "\n"


if __name__ == "__main__":
    described = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    DESCRIPTION.write_text(_format(reduce_description(described, list_served())), encoding="utf-8")
