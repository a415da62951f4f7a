"""Checks what a bot sends in messages against Discord's limits."""

from bot.sandbox.component_limits import check_components
from bot.sandbox.faults import Faults, Place, numbered
from bot.sandbox.messages import PICTURES, MessageFlags, embed_words
from bot.sandbox.wire import Json

CONTENT = 2000
EMBEDS = 10
EMBED_WORDS = 6000
FIELDS = 25
FILES = 10
FILE_BYTES = 10 * 1024 * 1024
URL = 2048

_PARTS = ("footer", "author", *PICTURES)
_SHOWN = ("title", "description", "fields", "url", *_PARTS)


def check_message(body: Json) -> None:
    """Refuse a message that Discord would refuse; absent parts are fine."""
    faults = Faults()
    faults.text(("content",), body.get("content"), CONTENT)
    if faults.objects(("embeds",), body.get("embeds"), EMBEDS):
        _check_embeds(faults, body.get("embeds") or [])
    check_components(faults, body.get("components"))
    if faults.objects(("attachments",), body.get("attachments"), FILES):
        _check_attachments(faults, body.get("attachments") or [])
    if faults.whole(("flags",), body.get("flags"), 0, (1 << 31) - 1):
        _check_flags(faults, body.get("flags") or 0)
    faults.complain()


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
        faults.text((*place, "url"), embed.get("url"), URL),
        faults.whole((*place, "color"), embed.get("color"), 0, 0xFFFFFF),
        *(_check_part(faults, (*place, part), embed[part], part) for part in parts),
        _check_fields(faults, (*place, "fields"), embed.get("fields")),
    ]
    return all(sound)


def _check_part(faults: Faults, place: Place, part: Json, name: str) -> bool:
    if not faults.object(place, part):
        return False
    if name in PICTURES:
        return faults.text((*place, "url"), part.get("url"), URL, required=True)
    word, most = ("text", 2048) if name == "footer" else ("name", 256)
    icon = faults.text((*place, "icon_url"), part.get("icon_url"), URL)
    return faults.text((*place, word), part.get(word), most, required=True) and icon


def _check_fields(faults: Faults, place: Place, fields: list[Json] | None) -> bool:
    if not faults.objects(place, fields, FIELDS):
        return False
    sound = [
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
