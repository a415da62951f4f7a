"""Checks what a bot sends in messages against Discord's limits."""

from datetime import datetime
from typing import Any

from bot.sandbox.model.messages import PICTURES, MessageFlags, embed_words
from bot.sandbox.validation.components import check_components
from bot.sandbox.validation.faults import Faults, Place, numbered
from bot.sandbox.wire import Json

CONTENT = 2000
EMBEDS = 10
EMBED_WORDS = 6000
FIELDS = 25
FILES = 10
FILE_BYTES = 10 * 1024 * 1024
URL = 2048
NONCE = 25
MENTIONS = 100

_PAGES = ("http", "https")
_SOURCES = (*_PAGES, "attachment")
_PARTS = ("footer", "author", *PICTURES)
_ABSENT = ("poll", "sticker_ids")
_PARSED = ("everyone", "roles", "users")
_SHOWN = ("title", "description", "fields", "url", *_PARTS)


def check_message(body: Json, root: Place = ()) -> None:
    """Refuse a message that Discord would refuse; absent parts are fine. Its faults are named from the root on."""
    faults = Faults(root)
    faults.text(("content",), body.get("content"), CONTENT)
    for name in ("tts", "enforce_nonce"):
        faults.flag((name,), body.get(name))
    for name in _ABSENT:
        if body.get(name):
            faults.add((name,), "SANDBOX_NOT_SUPPORTED", "The sandbox has none of these.")
    _check_nonce(faults, body.get("nonce"))
    _check_mentions(faults, body.get("allowed_mentions"))
    if faults.objects(("embeds",), body.get("embeds"), EMBEDS):
        _check_embeds(faults, body.get("embeds") or [])
    check_components(faults, body.get("components"))
    if faults.objects(("attachments",), body.get("attachments"), FILES):
        _check_attachments(faults, body.get("attachments") or [])
    if faults.whole(("flags",), body.get("flags"), 0, (1 << 31) - 1):
        _check_flags(faults, body.get("flags") or 0)
    faults.complain()


def _check_nonce(faults: Faults, nonce: Any) -> None:
    if isinstance(nonce, bool) or not isinstance(nonce, int):
        faults.text(("nonce",), nonce, NONCE)


def _check_mentions(faults: Faults, mentions: Any) -> None:
    place = ("allowed_mentions",)
    if mentions is None or not faults.object(place, mentions):
        return
    faults.flag((*place, "replied_user"), mentions.get("replied_user"))
    for name in ("users", "roles"):
        if faults.list((*place, name), mentions.get(name), MENTIONS):
            for number, each in enumerate(mentions.get(name) or ()):
                faults.snowflake((*place, name, number), each)
            faults.unlike((*place, name), mentions.get(name))
    if faults.list((*place, "parse"), mentions.get("parse"), len(_PARSED)):
        for number, each in enumerate(mentions.get("parse") or ()):
            if not isinstance(each, str) or each not in _PARSED:
                names = ", ".join(repr(name) for name in _PARSED)
                faults.add((*place, "parse", number), "BASE_TYPE_CHOICES", f"Value must be one of ({names}).")
            elif mentions.get(each):
                text = f"parse and {each} are mutually exclusive."
                faults.add(place, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)
        faults.unlike((*place, "parse"), mentions.get("parse"))


def _check_flags(faults: Faults, flags: int) -> None:
    if flags & MessageFlags.COMPONENTS_V2:
        faults.add(("flags",), "SANDBOX_NOT_SUPPORTED", "The sandbox shows rows of buttons and menus only.")


def _check_embeds(faults: Faults, embeds: list[Json]) -> None:
    sound = [_check_embed(faults, place, embed) for place, embed in numbered(("embeds",), embeds)]
    if all(sound) and sum(len(words) for words in embed_words(embeds)) > EMBED_WORDS:
        text = f"All embeds together hold more than {EMBED_WORDS} characters."
        faults.add(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", text)


def _check_embed(faults: Faults, place: Place, embed: Json) -> bool:
    parts = [part for part in _PARTS if embed.get(part) is not None]
    sound = [
        faults.text((*place, "title"), embed.get("title"), 256),
        faults.text((*place, "description"), embed.get("description"), 4096),
        _check_url(faults, (*place, "url"), embed.get("url"), _PAGES),
        faults.whole((*place, "color"), embed.get("color"), 0, 0xFFFFFF),
        _check_time(faults, (*place, "timestamp"), embed.get("timestamp")),
        *(_check_part(faults, (*place, part), embed[part], part) for part in parts),
        _check_fields(faults, (*place, "fields"), embed.get("fields")),
    ]
    return all(sound)


def _check_part(faults: Faults, place: Place, part: Json, name: str) -> bool:
    if not faults.object(place, part):
        return False
    if name in PICTURES:
        return _check_url(faults, (*place, "url"), part.get("url"), _SOURCES, required=True)
    word, most = ("text", 2048) if name == "footer" else ("name", 256)
    icon = _check_url(faults, (*place, "icon_url"), part.get("icon_url"), _SOURCES)
    page = name == "footer" or _check_url(faults, (*place, "url"), part.get("url"), _PAGES)
    return faults.text((*place, word), part.get(word), most, required=True) and icon and page


def _check_url(faults: Faults, place: Place, url: Any, schemes: tuple[str, ...], *, required: bool = False) -> bool:
    if not faults.text(place, url, URL, required=required):
        return False
    return not url or faults.address(place, url, schemes)


def _check_time(faults: Faults, place: Place, value: Any) -> bool:
    if value is None:
        return True
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError):
        faults.add(place, "BASE_TYPE_BAD_TIMESTAMP", "Must be a point in time in ISO 8601.")
        return False
    return True


def _check_fields(faults: Faults, place: Place, fields: list[Json] | None) -> bool:
    if not faults.objects(place, fields, FIELDS):
        return False
    rows = numbered(place, fields)
    sound = [faults.flag((*here, "inline"), field.get("inline")) for here, field in rows]
    sound += [
        faults.text((*here, name), field.get(name), most, required=True)
        for here, field in numbered(place, fields)
        for name, most in (("name", 256), ("value", 1024))
    ]
    return all(sound)


def _check_attachments(faults: Faults, attachments: list[Json]) -> None:
    for place, entry in numbered(("attachments",), attachments):
        faults.snowflake((*place, "id"), entry.get("id"))
        faults.text((*place, "filename"), entry.get("filename"), 1024, least=1)
        faults.text((*place, "description"), entry.get("description"), 1024)


def has_something_to_show(embed: Json) -> bool:
    """Whether an embed holds more than its colour."""
    return any(embed.get(part) for part in _SHOWN)
