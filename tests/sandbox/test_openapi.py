"""Whether what the tests send and get is checked against Discord's API description."""

from typing import Any

import pytest

from bot.sandbox.rest.routes import RequestRecord
from tests.support import openapi_conformance as described
from tests.support.each_case import each_case
from tests.support.openapi import Description, load_description
from tests.support.reduce_openapi import list_served

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


def test_the_description_has_everything_that_the_sandbox_serves() -> None:
    for method, path in list_served():
        assert load_description().operation(method, path)


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
