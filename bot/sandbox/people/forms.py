"""Selections and submitted forms, validated like Discord's client does."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.sandbox.model.messages import ComponentType, max_values, min_values
from bot.sandbox.people.resolver import Resolver
from bot.sandbox.people.typed_commands import ClientRefusal
from bot.sandbox.validation.modals import FieldValue, build_submission, fields_of, is_required, max_length, min_length
from bot.sandbox.wire import Json


def resolve_selection(select: Json, values: Sequence[Any], resolver: Resolver) -> list[str]:
    """Return the values of a selection; raise ClientRefusal if one is not offered."""
    found = [_resolve_value(select, value, resolver) for value in values]
    if None in found or len(set(found)) < len(found):
        raise ClientRefusal("Only what is offered can be chosen, and each only once.")
    if not min_values(select) <= len(found) <= max_values(select):
        raise ClientRefusal(f"Choose {min_values(select)} to {max_values(select)}.")
    return [str(each) for each in found]


def _resolve_value(select: Json, value: Any, resolver: Resolver) -> str | None:
    match ComponentType(select["type"]):
        case ComponentType.USER_SELECT:
            return resolver.resolve_user(value)
        case ComponentType.ROLE_SELECT:
            return resolver.resolve_role(value)
        case ComponentType.MENTIONABLE_SELECT:
            return resolver.resolve_mentionable(value)
        case ComponentType.CHANNEL_SELECT:
            return resolver.resolve_channel(value, select.get("channel_types") or ())
        case _:
            return value if value in [option["value"] for option in select["options"]] else None


def fill_modal(modal: Json, entries: Mapping[str, FieldValue], resolver: Resolver) -> Json:
    """Return the data of a submitted form; raise ClientRefusal if an entry does not fit its field."""
    fields = {field["custom_id"]: field for field in fields_of(modal)}
    unknown = sorted(set(entries) - set(fields))
    if unknown:
        raise ClientRefusal(f"There is no field {', '.join(unknown)}.")
    values = {name: _fill_field(field, entries.get(name), resolver) for name, field in fields.items()}
    data: Json = {"custom_id": modal["custom_id"], "components": build_submission(modal, values)}
    return {**data, "resolved": resolver.resolved} if resolver.resolved else data


def _fill_field(field: Json, entry: FieldValue | None, resolver: Resolver) -> FieldValue:
    if field["type"] == ComponentType.TEXT_INPUT:
        # An untouched field is sent with its default value.
        return _check_text(field, field.get("value") or "" if entry is None else entry)
    if isinstance(entry, str):
        raise ClientRefusal(f"{field['custom_id']}: this is chosen from a menu.")
    if not entry and not is_required(field):
        return []
    return resolve_selection(field, entry or [], resolver)


def _check_text(field: Json, entry: FieldValue) -> str:
    name = field["custom_id"]
    if not isinstance(entry, str):
        raise ClientRefusal(f"{name}: this must be a text.")
    if not entry and not is_required(field):
        return entry
    minimum = max(1, min_length(field))
    if not minimum <= len(entry) <= max_length(field):
        raise ClientRefusal(f"{name}: this must be {minimum} to {max_length(field)} characters long.")
    return entry
