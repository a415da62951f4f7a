"""Modals (forms): validation, fields and submissions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from bot.sandbox.model.messages import SELECT_TYPES, ComponentType
from bot.sandbox.validation.components import check_custom_id_unique
from bot.sandbox.validation.request_part import RequestPart
from bot.sandbox.validation.selects import MAX_CUSTOM_ID_LENGTH, check_select
from bot.sandbox.wire import Json

MAX_PARTS = 5
MAX_TEXT_LENGTH = 4000

FieldValue: TypeAlias = str | Sequence[Any]
"""The value of a field: a text, or the values chosen from a menu."""

_PART_TYPES = frozenset({ComponentType.ROW, ComponentType.TEXT, ComponentType.LABEL})
_FIELD_TYPES = frozenset({ComponentType.TEXT_INPUT, *SELECT_TYPES})


def check_modal(data: Json) -> None:
    """Raise ApiError if Discord would refuse a form."""
    modal = RequestPart(data, ("data",))
    modal["custom_id"].check_text(MAX_CUSTOM_ID_LENGTH, minimum=1, required=True)
    modal["title"].check_text(45, minimum=1, required=True)
    if modal["components"].check_objects(MAX_PARTS, minimum=1):
        seen: set[str] = set()
        for part in modal["components"]:
            if part["type"].check_one_of(_PART_TYPES):
                _check_part(part, seen)
    modal.raise_if_any()


def _check_part(part: RequestPart, seen: set[str]) -> None:
    match ComponentType(part.value["type"]):
        case ComponentType.ROW:
            if part["components"].check_objects(1, minimum=1):
                (field,) = part["components"]
                if field["type"].check_one_of({ComponentType.TEXT_INPUT}):
                    field["label"].check_text(45, minimum=1, required=True)
                    _check_field(field, seen)
        case ComponentType.LABEL:
            part["label"].check_text(45, minimum=1, required=True)
            part["description"].check_text(100)
            field = part["component"]
            if field.check_object() and field["type"].check_one_of(_FIELD_TYPES):
                _check_field(field, seen)
        case _:
            part["content"].check_text(MAX_TEXT_LENGTH, minimum=1, required=True)


def _check_field(field: RequestPart, seen: set[str]) -> None:
    check_custom_id_unique(field["custom_id"], seen)
    field["required"].check_boolean()
    if field.value["type"] != ComponentType.TEXT_INPUT:
        check_select(field)
        if field.value.get("disabled"):
            field["disabled"].add("BASE_TYPE_CHOICES", "Nothing in a form is disabled.")
        return
    field["custom_id"].check_text(MAX_CUSTOM_ID_LENGTH, minimum=1, required=True)
    field["style"].check_one_of({1, 2})
    field["placeholder"].check_text(100)
    is_min_valid = field["min_length"].check_integer(0, MAX_TEXT_LENGTH)
    is_max_valid = field["max_length"].check_integer(1, MAX_TEXT_LENGTH)
    if not is_min_valid or not is_max_valid:
        return
    least, most = min_length(field.value), max_length(field.value)
    if least > most:
        field["min_length"].add("NUMBER_TYPE_MAX", f"Value should be at most {most}.")
    elif field.value.get("value") != "":
        field["value"].check_text(most, minimum=least)


def fields_of(modal: Json) -> Iterator[Json]:
    """Yield the fields of a form."""
    for part in modal["components"]:
        if part["type"] == ComponentType.ROW:
            yield from part["components"]
        elif part["type"] == ComponentType.LABEL:
            yield part["component"]


def build_submission(modal: Json, entries: Mapping[str, FieldValue]) -> list[Json]:
    """Return the components of a submitted form."""
    return [_build_part(part, entries) for part in modal["components"]]


def _build_part(part: Json, entries: Mapping[str, FieldValue]) -> Json:
    body: Json = {"type": part["type"], "id": part["id"]}
    if part["type"] == ComponentType.ROW:
        return {**body, "components": [_build_field(field, entries) for field in part["components"]]}
    if part["type"] == ComponentType.LABEL:
        return {**body, "component": _build_field(part["component"], entries)}
    return body


def _build_field(field: Json, entries: Mapping[str, FieldValue]) -> Json:
    body: Json = {"type": field["type"], "id": field["id"], "custom_id": field["custom_id"]}
    entry = entries[field["custom_id"]]
    return {**body, "value": entry} if field["type"] == ComponentType.TEXT_INPUT else {**body, "values": entry}


def is_required(field: Json) -> bool:
    """Whether a field is required, which is the default."""
    return field.get("required") is not False


def min_length(field: Json) -> int:
    """Return the minimum length of a text field."""
    return int(field.get("min_length") or 0)


def max_length(field: Json) -> int:
    """Return the maximum length of a text field."""
    return int(field.get("max_length") or MAX_TEXT_LENGTH)
