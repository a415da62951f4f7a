"""Checks what a bot sends in messages against Discord's limits."""

from datetime import datetime
from typing import Any

from bot.sandbox.model.messages import IMAGE_PARTS, MessageFlags, embed_texts
from bot.sandbox.validation.components import check_components
from bot.sandbox.validation.faults import JsonPath, ValidationErrors, enumerate_paths
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
    """Refuse a message that Discord would refuse; absent parts are fine. Its faults are named from the root on."""
    faults = ValidationErrors(root)
    faults.check_text(("content",), body.get("content"), MAX_CONTENT_LENGTH)
    for name in ("tts", "enforce_nonce"):
        faults.check_boolean((name,), body.get(name))
    for name in _UNSUPPORTED_FIELDS:
        if body.get(name):
            faults.add((name,), "SANDBOX_NOT_SUPPORTED", "The sandbox has none of these.")
    _check_nonce(faults, body.get("nonce"))
    _check_mentions(faults, body.get("allowed_mentions"))
    if faults.check_objects(("embeds",), body.get("embeds"), MAX_EMBEDS):
        _check_embeds(faults, body.get("embeds") or [])
    check_components(faults, body.get("components"))
    if faults.check_objects(("attachments",), body.get("attachments"), MAX_FILES):
        _check_attachments(faults, body.get("attachments") or [])
    if faults.check_integer(("flags",), body.get("flags"), 0, (1 << 31) - 1):
        _check_flags(faults, body.get("flags") or 0)
    faults.raise_if_any()


def _check_nonce(faults: ValidationErrors, nonce: Any) -> None:
    if isinstance(nonce, bool) or not isinstance(nonce, int):
        faults.check_text(("nonce",), nonce, MAX_NONCE_LENGTH)


def _check_mentions(faults: ValidationErrors, mentions: Any) -> None:
    place = ("allowed_mentions",)
    if mentions is None or not faults.check_object(place, mentions):
        return
    faults.check_boolean((*place, "replied_user"), mentions.get("replied_user"))
    for name in ("users", "roles"):
        if faults.check_list((*place, name), mentions.get(name), MAX_MENTIONS):
            for number, each in enumerate(mentions.get(name) or ()):
                faults.check_snowflake((*place, name, number), each)
            faults.check_distinct((*place, name), mentions.get(name))
    if faults.check_list((*place, "parse"), mentions.get("parse"), len(_MENTION_TYPES)):
        for number, each in enumerate(mentions.get("parse") or ()):
            if not isinstance(each, str) or each not in _MENTION_TYPES:
                names = ", ".join(repr(name) for name in _MENTION_TYPES)
                faults.add((*place, "parse", number), "BASE_TYPE_CHOICES", f"Value must be one of ({names}).")
            elif mentions.get(each):
                text = f"parse and {each} are mutually exclusive."
                faults.add(place, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)
        faults.check_distinct((*place, "parse"), mentions.get("parse"))


def _check_flags(faults: ValidationErrors, flags: int) -> None:
    if flags & MessageFlags.COMPONENTS_V2:
        faults.add(("flags",), "SANDBOX_NOT_SUPPORTED", "The sandbox shows rows of buttons and menus only.")


def _check_embeds(faults: ValidationErrors, embeds: list[Json]) -> None:
    sound = [_check_embed(faults, place, embed) for place, embed in enumerate_paths(("embeds",), embeds)]
    if all(sound) and sum(len(words) for words in embed_texts(embeds)) > MAX_EMBED_CHARACTERS:
        text = f"All embeds together hold more than {MAX_EMBED_CHARACTERS} characters."
        faults.add(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", text)


def _check_embed(faults: ValidationErrors, place: JsonPath, embed: Json) -> bool:
    parts = [part for part in _EMBED_PARTS if embed.get(part) is not None]
    sound = [
        faults.check_text((*place, "title"), embed.get("title"), 256),
        faults.check_text((*place, "description"), embed.get("description"), 4096),
        _check_url(faults, (*place, "url"), embed.get("url"), _LINK_SCHEMES),
        faults.check_integer((*place, "color"), embed.get("color"), 0, 0xFFFFFF),
        _check_timestamp(faults, (*place, "timestamp"), embed.get("timestamp")),
        *(_check_part(faults, (*place, part), embed[part], part) for part in parts),
        _check_fields(faults, (*place, "fields"), embed.get("fields")),
    ]
    return all(sound)


def _check_part(faults: ValidationErrors, place: JsonPath, part: Json, name: str) -> bool:
    if not faults.check_object(place, part):
        return False
    if name in IMAGE_PARTS:
        return _check_url(faults, (*place, "url"), part.get("url"), _IMAGE_SCHEMES, required=True)
    word, most = ("text", 2048) if name == "footer" else ("name", 256)
    icon = _check_url(faults, (*place, "icon_url"), part.get("icon_url"), _IMAGE_SCHEMES)
    page = name == "footer" or _check_url(faults, (*place, "url"), part.get("url"), _LINK_SCHEMES)
    return faults.check_text((*place, word), part.get(word), most, required=True) and icon and page


def _check_url(
    faults: ValidationErrors, place: JsonPath, url: Any, schemes: tuple[str, ...], *, required: bool = False
) -> bool:
    if not faults.check_text(place, url, MAX_URL_LENGTH, required=required):
        return False
    return not url or faults.check_url(place, url, schemes)


def _check_timestamp(faults: ValidationErrors, place: JsonPath, value: Any) -> bool:
    if value is None:
        return True
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError):
        faults.add(place, "BASE_TYPE_BAD_TIMESTAMP", "Must be a point in time in ISO 8601.")
        return False
    return True


def _check_fields(faults: ValidationErrors, place: JsonPath, fields: list[Json] | None) -> bool:
    if not faults.check_objects(place, fields, MAX_EMBED_FIELDS):
        return False
    rows = enumerate_paths(place, fields)
    sound = [faults.check_boolean((*here, "inline"), field.get("inline")) for here, field in rows]
    sound += [
        faults.check_text((*here, name), field.get(name), most, required=True)
        for here, field in enumerate_paths(place, fields)
        for name, most in (("name", 256), ("value", 1024))
    ]
    return all(sound)


def _check_attachments(faults: ValidationErrors, attachments: list[Json]) -> None:
    for place, entry in enumerate_paths(("attachments",), attachments):
        faults.check_snowflake((*place, "id"), entry.get("id"))
        faults.check_text((*place, "filename"), entry.get("filename"), 1024, least=1)
        faults.check_text((*place, "description"), entry.get("description"), 1024)


def has_visible_content(embed: Json) -> bool:
    """Whether an embed holds more than its colour."""
    return any(embed.get(part) for part in _VISIBLE_PARTS)
