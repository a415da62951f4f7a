"""What people choose from menus and fill into forms, checked as Discord's own client checks it."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.sandbox.model.messages import ComponentType, at_least, at_most
from bot.sandbox.people.resolving import Resolver
from bot.sandbox.people.typed_commands import Refusal
from bot.sandbox.validation.modals import Entry, fields_of, is_required, longest, shortest, submitted
from bot.sandbox.wire import Json


def chosen(select: Json, values: Sequence[Any], resolver: Resolver) -> list[str]:
    """Return what the bot gets for a choice; refuse one that is not offered."""
    found = [_offered(select, value, resolver) for value in values]
    if None in found or len(set(found)) < len(found):
        raise Refusal("Only what is offered can be chosen, and each only once.")
    if not at_least(select) <= len(found) <= at_most(select):
        raise Refusal(f"Choose {at_least(select)} to {at_most(select)}.")
    return [str(each) for each in found]


def _offered(select: Json, value: Any, resolver: Resolver) -> str | None:
    match ComponentType(select["type"]):
        case ComponentType.USER_SELECT:
            return resolver.user(value)
        case ComponentType.ROLE_SELECT:
            return resolver.role(value)
        case ComponentType.MENTIONABLE_SELECT:
            return resolver.mentionable(value)
        case ComponentType.CHANNEL_SELECT:
            return resolver.channel(value, select.get("channel_types") or ())
        case _:
            return value if value in [option["value"] for option in select["options"]] else None


def filled(modal: Json, entries: Mapping[str, Entry], resolver: Resolver) -> Json:
    """Return what the bot gets for a form; refuse what does not fit its fields."""
    fields = {field["custom_id"]: field for field in fields_of(modal)}
    unknown = sorted(set(entries) - set(fields))
    if unknown:
        raise Refusal(f"There is no field {', '.join(unknown)}.")
    checked = {name: _entry(field, entries.get(name), resolver) for name, field in fields.items()}
    data: Json = {"custom_id": modal["custom_id"], "components": submitted(modal, checked)}
    return {**data, "resolved": resolver.found} if resolver.found else data


def _entry(field: Json, entry: Entry | None, resolver: Resolver) -> Entry:
    if field["type"] == ComponentType.TEXT_INPUT:
        # Who leaves a field alone sends what the bot has filled in beforehand.
        return _typed(field, field.get("value") or "" if entry is None else entry)
    if isinstance(entry, str):
        raise Refusal(f"{field['custom_id']}: this is chosen from a menu.")
    if not entry and not is_required(field):
        return []
    return chosen(field, entry or [], resolver)


def _typed(field: Json, entry: Entry) -> str:
    name = field["custom_id"]
    if not isinstance(entry, str):
        raise Refusal(f"{name}: this must be a text.")
    if not entry and not is_required(field):
        return entry
    least = max(1, shortest(field))
    if not least <= len(entry) <= longest(field):
        raise Refusal(f"{name}: this must be {least} to {longest(field)} characters long.")
    return entry
