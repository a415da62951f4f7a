"""Modals (forms): validation, fields and submissions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from bot.sandbox.model.messages import SELECT_TYPES, ComponentType
from bot.sandbox.validation.components import check_custom_id_unique
from bot.sandbox.validation.errors import JsonPath, ValidationErrors, enumerate_paths
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
    errors = ValidationErrors()
    errors.check_text(("data", "custom_id"), data.get("custom_id"), MAX_CUSTOM_ID_LENGTH, minimum=1, required=True)
    errors.check_text(("data", "title"), data.get("title"), 45, minimum=1, required=True)
    path, parts = ("data", "components"), data.get("components") or []
    if errors.check_objects(path, parts, MAX_PARTS, minimum=1):
        seen: set[str] = set()
        for field_path, part in enumerate_paths(path, parts):
            if errors.check_one_of((*field_path, "type"), part.get("type"), _PART_TYPES):
                _check_part(errors, field_path, part, seen)
    errors.raise_if_any()


def _check_part(errors: ValidationErrors, path: JsonPath, part: Json, seen: set[str]) -> None:
    match ComponentType(part["type"]):
        case ComponentType.ROW:
            fields = part.get("components") or []
            if errors.check_objects((*path, "components"), fields, 1, minimum=1):
                field_path = (*path, "components", 0)
                if errors.check_one_of((*field_path, "type"), fields[0].get("type"), {ComponentType.TEXT_INPUT}):
                    errors.check_text((*field_path, "label"), fields[0].get("label"), 45, minimum=1, required=True)
                    _check_field(errors, field_path, fields[0], seen)
        case ComponentType.LABEL:
            errors.check_text((*path, "label"), part.get("label"), 45, minimum=1, required=True)
            errors.check_text((*path, "description"), part.get("description"), 100)
            field: Any = part.get("component")
            field_path = (*path, "component")
            if errors.check_object(field_path, field) and errors.check_one_of(
                (*field_path, "type"), field.get("type"), _FIELD_TYPES
            ):
                _check_field(errors, field_path, field, seen)
        case _:
            errors.check_text((*path, "content"), part.get("content"), MAX_TEXT_LENGTH, minimum=1, required=True)


def _check_field(errors: ValidationErrors, path: JsonPath, field: Json, seen: set[str]) -> None:
    check_custom_id_unique(errors, path, field.get("custom_id"), seen)
    errors.check_boolean((*path, "required"), field.get("required"))
    if field["type"] != ComponentType.TEXT_INPUT:
        check_select(errors, path, field)
        if field.get("disabled"):
            errors.add((*path, "disabled"), "BASE_TYPE_CHOICES", "Nothing in a form is disabled.")
        return
    errors.check_text((*path, "custom_id"), field.get("custom_id"), MAX_CUSTOM_ID_LENGTH, minimum=1, required=True)
    errors.check_one_of((*path, "style"), field.get("style"), {1, 2})
    errors.check_text((*path, "placeholder"), field.get("placeholder"), 100)
    is_min_valid = errors.check_integer((*path, "min_length"), field.get("min_length"), 0, MAX_TEXT_LENGTH)
    is_max_valid = errors.check_integer((*path, "max_length"), field.get("max_length"), 1, MAX_TEXT_LENGTH)
    if is_min_valid and is_max_valid and min_length(field) > max_length(field):
        errors.add((*path, "min_length"), "NUMBER_TYPE_MAX", f"Value should be at most {max_length(field)}.")
    elif is_min_valid and is_max_valid and field.get("value") != "":
        errors.check_text((*path, "value"), field.get("value"), max_length(field), minimum=min_length(field))


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
