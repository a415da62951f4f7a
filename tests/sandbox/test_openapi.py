"""The OpenAPI checker finds each kind of violation, tried on a small description."""

from typing import Any

import pytest

from bot.sandbox.rest.routes import RequestRecord
from tests.support import openapi_conformance as described
from tests.support.each_case import each_case
from tests.support.openapi import Description

TEXT = {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^[a-z]+$"}
SHAPES: dict[str, Any] = {
    "Named": {
        "type": "object",
        "properties": {"name": TEXT, "next": {"$ref": "#/shapes/Either"}},
        "required": ["name"],
    },
    "Either": {"oneOf": [{"type": "null"}, {"$ref": "#/shapes/Named"}]},
}
ANSWER = {"200": {"content": {"application/json": {"schema": {"$ref": "#/shapes/Named"}}}}, "4XX": {}}
DOCUMENT: dict[str, Any] = {
    "shapes": SHAPES,
    "paths": {
        "/things/{id}": {
            "post": {
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/shapes/Named"}}}},
                "responses": ANSWER,
            }
        },
        "/things/@me": {"post": {"responses": {"204": {}}}},
    },
}


@each_case(
    "schema, right, wrong",
    [
        ({"type": "integer"}, [0, -5], [True, "1", 1.5, None]),
        ({"type": "number", "minimum": 1, "maximum": 2}, [1, 1.5, 2], [0.9, 2.1, True]),
        ({"type": ["string", "null"]}, ["x", None], [1, []]),
        ({"type": "boolean"}, [True, False], [0, 1, None]),
        (TEXT, ["a", "abc"], ["", "abcd", "A"]),
        ({"type": "array", "items": TEXT, "minItems": 1, "maxItems": 2}, [["a"]], [[], ["A"], ["a"] * 3, {}]),
        ({"uniqueItems": True}, [[1, 2]], [[{"a": 1}, {"a": 1}]]),
        ({"enum": [1, 2]}, [1], [3, True, "1"]),
        ({"const": 1}, [1], [True, 2]),
        (SHAPES["Named"], [{"name": "a"}, {"name": "a", "next": {"name": "b"}}], [{}, {"name": "a", "next": {}}, []]),
        ({"allOf": [{"type": "integer"}, {"minimum": 3}]}, [3], [2, "x"]),
        ({"anyOf": [{"const": 1}, {"type": "integer"}]}, [1, 2], ["x"]),
        ({"oneOf": [{"const": 1}, {"type": "integer"}]}, [2], [1, "x"]),
        ({"additionalProperties": False, "properties": {"a": {}}}, [{"a": 1}, {}], [{"b": 1}]),
        ({"additionalProperties": TEXT, "minProperties": 1}, [{"b": "x"}], [{"b": 1}, {}]),
        ({"maxProperties": 1}, [{"b": "x"}], [{"b": 1, "c": 2}]),
    ],
)
def test_each_keyword_is_checked(schema: dict[str, Any], right: list[Any], wrong: list[Any]) -> None:
    description = Description(DOCUMENT)
    assert [value for value in right if description.faults(schema, value)] == []
    assert [value for value in wrong if not description.faults(schema, value)] == []


def test_an_unknown_keyword_raises() -> None:
    with pytest.raises(KeyError):
        Description(DOCUMENT).faults({"multipleOf": 2}, 3)


def test_fixed_path_segments_take_precedence_over_placeholders() -> None:
    description = Description(DOCUMENT)
    assert description.address("/things/@me") == "/things/@me"
    assert description.address("/things/5") == "/things/{id}"
    with pytest.raises(LookupError):
        description.address("/nowhere")


@each_case(
    "record, of_the_bot, faults",
    [
        (RequestRecord("POST", "/api/v10/things/5", {"name": "a"}, 200, {"name": "b"}), True, 0),
        (RequestRecord("POST", "/api/v10/things/5", {"name": "a"}, 200, {"name": ""}), True, 2),
        (RequestRecord("POST", "/api/v10/things/5", {"name": 7}, 400, None), True, 1),
        (RequestRecord("POST", "/api/v10/things/5", {"name": 7}, 400, None), False, 0),
        (RequestRecord("POST", "/api/v10/things/5", {"name": 7}, 200, {"name": "b"}), False, 1),
        (RequestRecord("POST", "/api/v10/things/5", {"name": "a"}, 201, {"name": "b"}), True, 1),
        (RequestRecord("POST", "/api/v10/nowhere", None, 404, None), True, 1),
        (RequestRecord("POST", "/api/v10/nowhere", None, 404, None), False, 0),
        (RequestRecord("GET", "/api/v10/things/5", None, 200, None), False, 1),
    ],
)
def test_violations_are_found(
    monkeypatch: pytest.MonkeyPatch, record: RequestRecord, *, of_the_bot: bool, faults: int
) -> None:
    monkeypatch.setattr(described, "load_description", lambda: Description(DOCUMENT))
    assert len(described.find_breaches([record], of_the_bot=of_the_bot)) == faults
