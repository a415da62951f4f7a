"""Validates messages against Discord's limits."""

from datetime import datetime
from typing import Any

from bot.sandbox.model.messages import IMAGE_PARTS, MessageFlags, embed_texts
from bot.sandbox.validation.components import check_components
from bot.sandbox.validation.errors import JsonPath, ValidationErrors, enumerate_paths
from bot.sandbox.wire import Json

MAX_CONTENT_LENGTH = 2000
MAX_EMBEDS = 10
MAX_EMBED_CHARACTERS = 6000
MAX_EMBED_FIELDS = 25
MAX_FILES = 10
MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_URL_LENGTH = 2048
MAX_NONCE_LENGTH = 25
MAX_MENTIONS = 100

_LINK_SCHEMES = ("http", "https")
_IMAGE_SCHEMES = (*_LINK_SCHEMES, "attachment")
_EMBED_PARTS = ("footer", "author", *IMAGE_PARTS)
_UNSUPPORTED_FIELDS = ("poll", "sticker_ids")
_MENTION_TYPES = ("everyone", "roles", "users")
_VISIBLE_PARTS = ("title", "description", "fields", "url", *_EMBED_PARTS)


def check_message(body: Json, root: JsonPath = ()) -> None:
    """Raise ApiError if Discord would refuse a message; `root` is its path in the request."""
    errors = ValidationErrors(root)
    errors.check_text(("content",), body.get("content"), MAX_CONTENT_LENGTH)
    for name in ("tts", "enforce_nonce"):
        errors.check_boolean((name,), body.get(name))
    for name in _UNSUPPORTED_FIELDS:
        if body.get(name):
            errors.add((name,), "SANDBOX_NOT_SUPPORTED", "The sandbox has none of these.")
    _check_nonce(errors, body.get("nonce"))
    _check_mentions(errors, body.get("allowed_mentions"))
    if errors.check_objects(("embeds",), body.get("embeds"), MAX_EMBEDS):
        _check_embeds(errors, body.get("embeds") or [])
    check_components(errors, body.get("components"))
    if errors.check_objects(("attachments",), body.get("attachments"), MAX_FILES):
        _check_attachments(errors, body.get("attachments") or [])
    if errors.check_integer(("flags",), body.get("flags"), 0, (1 << 31) - 1):
        _check_flags(errors, body.get("flags") or 0)
    errors.raise_if_any()


def _check_nonce(errors: ValidationErrors, nonce: Any) -> None:
    if isinstance(nonce, bool) or not isinstance(nonce, int):
        errors.check_text(("nonce",), nonce, MAX_NONCE_LENGTH)


def _check_mentions(errors: ValidationErrors, mentions: Any) -> None:
    path = ("allowed_mentions",)
    if mentions is None or not errors.check_object(path, mentions):
        return
    errors.check_boolean((*path, "replied_user"), mentions.get("replied_user"))
    for name in ("users", "roles"):
        if errors.check_list((*path, name), mentions.get(name), MAX_MENTIONS):
            for number, each in enumerate(mentions.get(name) or ()):
                errors.check_snowflake((*path, name, number), each)
            errors.check_distinct((*path, name), mentions.get(name))
    if errors.check_list((*path, "parse"), mentions.get("parse"), len(_MENTION_TYPES)):
        for number, each in enumerate(mentions.get("parse") or ()):
            if errors.check_one_of((*path, "parse", number), each, _MENTION_TYPES) and mentions.get(each):
                text = f"parse and {each} are mutually exclusive."
                errors.add(path, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)
        errors.check_distinct((*path, "parse"), mentions.get("parse"))


def _check_flags(errors: ValidationErrors, flags: int) -> None:
    if flags & MessageFlags.COMPONENTS_V2:
        errors.add(("flags",), "SANDBOX_NOT_SUPPORTED", "The sandbox shows rows of buttons and menus only.")


def _check_embeds(errors: ValidationErrors, embeds: list[Json]) -> None:
    checks = [_check_embed(errors, path, embed) for path, embed in enumerate_paths(("embeds",), embeds)]
    if all(checks) and sum(len(words) for words in embed_texts(embeds)) > MAX_EMBED_CHARACTERS:
        text = f"All embeds together hold more than {MAX_EMBED_CHARACTERS} characters."
        errors.add(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", text)


def _check_embed(errors: ValidationErrors, path: JsonPath, embed: Json) -> bool:
    parts = [part for part in _EMBED_PARTS if embed.get(part) is not None]
    checks = [
        errors.check_text((*path, "title"), embed.get("title"), 256),
        errors.check_text((*path, "description"), embed.get("description"), 4096),
        _check_url(errors, (*path, "url"), embed.get("url"), _LINK_SCHEMES),
        errors.check_integer((*path, "color"), embed.get("color"), 0, 0xFFFFFF),
        _check_timestamp(errors, (*path, "timestamp"), embed.get("timestamp")),
        *(_check_part(errors, (*path, part), embed[part], part) for part in parts),
        _check_fields(errors, (*path, "fields"), embed.get("fields")),
    ]
    return all(checks)


def _check_part(errors: ValidationErrors, path: JsonPath, part: Json, name: str) -> bool:
    if not errors.check_object(path, part):
        return False
    if name in IMAGE_PARTS:
        return _check_url(errors, (*path, "url"), part.get("url"), _IMAGE_SCHEMES, required=True)
    field_name, maximum = ("text", 2048) if name == "footer" else ("name", 256)
    icon = _check_url(errors, (*path, "icon_url"), part.get("icon_url"), _IMAGE_SCHEMES)
    page = name == "footer" or _check_url(errors, (*path, "url"), part.get("url"), _LINK_SCHEMES)
    return errors.check_text((*path, field_name), part.get(field_name), maximum, required=True) and icon and page


def _check_url(
    errors: ValidationErrors, path: JsonPath, url: Any, schemes: tuple[str, ...], *, required: bool = False
) -> bool:
    if not errors.check_text(path, url, MAX_URL_LENGTH, required=required):
        return False
    return not url or errors.check_url(path, url, schemes)


def _check_timestamp(errors: ValidationErrors, path: JsonPath, value: Any) -> bool:
    if value is None:
        return True
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError):
        errors.add(path, "BASE_TYPE_BAD_TIMESTAMP", "Must be a point in time in ISO 8601.")
        return False
    return True


def _check_fields(errors: ValidationErrors, path: JsonPath, fields: list[Json] | None) -> bool:
    if not errors.check_objects(path, fields, MAX_EMBED_FIELDS):
        return False
    rows = enumerate_paths(path, fields)
    checks = [errors.check_boolean((*item_path, "inline"), field.get("inline")) for item_path, field in rows]
    checks += [
        errors.check_text((*item_path, name), field.get(name), maximum, required=True)
        for item_path, field in enumerate_paths(path, fields)
        for name, maximum in (("name", 256), ("value", 1024))
    ]
    return all(checks)


def _check_attachments(errors: ValidationErrors, attachments: list[Json]) -> None:
    for path, entry in enumerate_paths(("attachments",), attachments):
        errors.check_snowflake((*path, "id"), entry.get("id"))
        errors.check_text((*path, "filename"), entry.get("filename"), 1024, minimum=1)
        errors.check_text((*path, "description"), entry.get("description"), 1024)


def has_visible_content(embed: Json) -> bool:
    """Whether an embed has more than a colour."""
    return any(embed.get(part) for part in _VISIBLE_PARTS)
