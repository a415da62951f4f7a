"""Forms, which Discord calls modals: what a bot may ask in one, and what a person fills in."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from bot.sandbox.model.messages import SELECT_TYPES, ComponentType
from bot.sandbox.validation.components import check_custom_id_unique
from bot.sandbox.validation.faults import JsonPath, ValidationErrors, enumerate_paths
from bot.sandbox.validation.selects import MAX_CUSTOM_ID_LENGTH, check_select
from bot.sandbox.wire import Json

MAX_PARTS = 5
MAX_TEXT_LENGTH = 4000

FieldValue: TypeAlias = str | Sequence[Any]
"""What is filled into one field: a text, or what was chosen from a menu."""

_PART_TYPES = frozenset({ComponentType.ROW, ComponentType.TEXT, ComponentType.LABEL})
_FIELD_TYPES = frozenset({ComponentType.TEXT_INPUT, *SELECT_TYPES})


def check_modal(data: Json) -> None:
    """Refuse a form that Discord would refuse."""
    faults = ValidationErrors()
    faults.check_text(("data", "custom_id"), data.get("custom_id"), MAX_CUSTOM_ID_LENGTH, least=1, required=True)
    faults.check_text(("data", "title"), data.get("title"), 45, least=1, required=True)
    place, parts = ("data", "components"), data.get("components") or []
    if faults.check_objects(place, parts, MAX_PARTS, least=1):
        seen: set[str] = set()
        for here, part in enumerate_paths(place, parts):
            if faults.check_one_of((*here, "type"), part.get("type"), _PART_TYPES):
                _check_part(faults, here, part, seen)
    faults.raise_if_any()


def _check_part(faults: ValidationErrors, place: JsonPath, part: Json, seen: set[str]) -> None:
    match ComponentType(part["type"]):
        case ComponentType.ROW:
            fields = part.get("components") or []
            if faults.check_objects((*place, "components"), fields, 1, least=1):
                here = (*place, "components", 0)
                if faults.check_one_of((*here, "type"), fields[0].get("type"), {ComponentType.TEXT_INPUT}):
                    faults.check_text((*here, "label"), fields[0].get("label"), 45, least=1, required=True)
                    _check_field(faults, here, fields[0], seen)
        case ComponentType.LABEL:
            faults.check_text((*place, "label"), part.get("label"), 45, least=1, required=True)
            faults.check_text((*place, "description"), part.get("description"), 100)
            field: Any = part.get("component")
            here = (*place, "component")
            if faults.check_object(here, field) and faults.check_one_of(
                (*here, "type"), field.get("type"), _FIELD_TYPES
            ):
                _check_field(faults, here, field, seen)
        case _:
            faults.check_text((*place, "content"), part.get("content"), MAX_TEXT_LENGTH, least=1, required=True)


def _check_field(faults: ValidationErrors, place: JsonPath, field: Json, seen: set[str]) -> None:
    check_custom_id_unique(faults, place, field.get("custom_id"), seen)
    faults.check_boolean((*place, "required"), field.get("required"))
    if field["type"] != ComponentType.TEXT_INPUT:
        check_select(faults, place, field)
        if field.get("disabled"):
            faults.add((*place, "disabled"), "BASE_TYPE_CHOICES", "Nothing in a form is disabled.")
        return
    faults.check_text((*place, "custom_id"), field.get("custom_id"), MAX_CUSTOM_ID_LENGTH, least=1, required=True)
    faults.check_one_of((*place, "style"), field.get("style"), {1, 2})
    faults.check_text((*place, "placeholder"), field.get("placeholder"), 100)
    least = faults.check_integer((*place, "min_length"), field.get("min_length"), 0, MAX_TEXT_LENGTH)
    most = faults.check_integer((*place, "max_length"), field.get("max_length"), 1, MAX_TEXT_LENGTH)
    if least and most and min_length(field) > max_length(field):
        faults.add((*place, "min_length"), "NUMBER_TYPE_MAX", f"Value should be at most {max_length(field)}.")
    elif least and most and field.get("value") != "":
        faults.check_text((*place, "value"), field.get("value"), max_length(field), least=min_length(field))


def fields_of(modal: Json) -> Iterator[Json]:
    """Walk over the fields of a form that can be filled in."""
    for part in modal["components"]:
        if part["type"] == ComponentType.ROW:
            yield from part["components"]
        elif part["type"] == ComponentType.LABEL:
            yield part["component"]


def build_submission(modal: Json, entries: Mapping[str, FieldValue]) -> list[Json]:
    """Return the parts of a form as the bot gets them back, filled in."""
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
    """Whether a field has to be filled in, as it has unless it says otherwise."""
    return field.get("required") is not False


def min_length(field: Json) -> int:
    """Return how many characters a field needs at least."""
    return int(field.get("min_length") or 0)


def max_length(field: Json) -> int:
    """Return how many characters a field takes at most."""
    return int(field.get("max_length") or MAX_TEXT_LENGTH)
