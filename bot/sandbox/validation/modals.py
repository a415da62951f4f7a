"""Forms, which Discord calls modals: what a bot may ask in one, and what a person fills in."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from bot.sandbox.model.messages import SELECTS, ComponentType
from bot.sandbox.validation.components import check_unique
from bot.sandbox.validation.faults import Faults, Place, numbered
from bot.sandbox.validation.selects import CUSTOM_ID, check_select
from bot.sandbox.wire import Json

MOST_PARTS = 5
LONGEST_TEXT = 4000

Entry: TypeAlias = str | Sequence[Any]
"""What is filled into one field: a text, or what was chosen from a menu."""

_PARTS = frozenset({ComponentType.ROW, ComponentType.TEXT, ComponentType.LABEL})
_FIELDS = frozenset({ComponentType.TEXT_INPUT, *SELECTS})


def check_modal(data: Json) -> None:
    """Refuse a form that Discord would refuse."""
    faults = Faults()
    faults.text(("data", "custom_id"), data.get("custom_id"), CUSTOM_ID, least=1, required=True)
    faults.text(("data", "title"), data.get("title"), 45, least=1, required=True)
    place, parts = ("data", "components"), data.get("components") or []
    if faults.objects(place, parts, MOST_PARTS, least=1):
        seen: set[str] = set()
        for here, part in numbered(place, parts):
            if faults.one_of((*here, "type"), part.get("type"), _PARTS):
                _check_part(faults, here, part, seen)
    faults.complain()


def _check_part(faults: Faults, place: Place, part: Json, seen: set[str]) -> None:
    match ComponentType(part["type"]):
        case ComponentType.ROW:
            fields = part.get("components") or []
            if faults.objects((*place, "components"), fields, 1, least=1):
                here = (*place, "components", 0)
                if faults.one_of((*here, "type"), fields[0].get("type"), {ComponentType.TEXT_INPUT}):
                    faults.text((*here, "label"), fields[0].get("label"), 45, least=1, required=True)
                    _check_field(faults, here, fields[0], seen)
        case ComponentType.LABEL:
            faults.text((*place, "label"), part.get("label"), 45, least=1, required=True)
            faults.text((*place, "description"), part.get("description"), 100)
            field: Any = part.get("component")
            here = (*place, "component")
            if faults.object(here, field) and faults.one_of((*here, "type"), field.get("type"), _FIELDS):
                _check_field(faults, here, field, seen)
        case _:
            faults.text((*place, "content"), part.get("content"), LONGEST_TEXT, least=1, required=True)


def _check_field(faults: Faults, place: Place, field: Json, seen: set[str]) -> None:
    check_unique(faults, place, field.get("custom_id"), seen)
    faults.flag((*place, "required"), field.get("required"))
    if field["type"] != ComponentType.TEXT_INPUT:
        check_select(faults, place, field)
        if field.get("disabled"):
            faults.add((*place, "disabled"), "BASE_TYPE_CHOICES", "Nothing in a form is disabled.")
        return
    faults.text((*place, "custom_id"), field.get("custom_id"), CUSTOM_ID, least=1, required=True)
    faults.one_of((*place, "style"), field.get("style"), {1, 2})
    faults.text((*place, "placeholder"), field.get("placeholder"), 100)
    least = faults.whole((*place, "min_length"), field.get("min_length"), 0, LONGEST_TEXT)
    most = faults.whole((*place, "max_length"), field.get("max_length"), 1, LONGEST_TEXT)
    if least and most and shortest(field) > longest(field):
        faults.add((*place, "min_length"), "NUMBER_TYPE_MAX", f"Value should be at most {longest(field)}.")
    elif least and most and field.get("value") != "":
        faults.text((*place, "value"), field.get("value"), longest(field), least=shortest(field))


def fields_of(modal: Json) -> Iterator[Json]:
    """Walk over the fields of a form that can be filled in."""
    for part in modal["components"]:
        if part["type"] == ComponentType.ROW:
            yield from part["components"]
        elif part["type"] == ComponentType.LABEL:
            yield part["component"]


def submitted(modal: Json, entries: Mapping[str, Entry]) -> list[Json]:
    """Return the parts of a form as the bot gets them back, filled in."""
    return [_returned(part, entries) for part in modal["components"]]


def _returned(part: Json, entries: Mapping[str, Entry]) -> Json:
    body: Json = {"type": part["type"], "id": part["id"]}
    if part["type"] == ComponentType.ROW:
        return {**body, "components": [_filled(field, entries) for field in part["components"]]}
    if part["type"] == ComponentType.LABEL:
        return {**body, "component": _filled(part["component"], entries)}
    return body


def _filled(field: Json, entries: Mapping[str, Entry]) -> Json:
    body: Json = {"type": field["type"], "id": field["id"], "custom_id": field["custom_id"]}
    entry = entries[field["custom_id"]]
    return {**body, "value": entry} if field["type"] == ComponentType.TEXT_INPUT else {**body, "values": entry}


def is_required(field: Json) -> bool:
    """Whether a field has to be filled in, as it has unless it says otherwise."""
    return field.get("required") is not False


def shortest(field: Json) -> int:
    """Return how many characters a field needs at least."""
    return int(field.get("min_length") or 0)


def longest(field: Json) -> int:
    """Return how many characters a field takes at most."""
    return int(field.get("max_length") or LONGEST_TEXT)
