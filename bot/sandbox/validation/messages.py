"""Validates messages against Discord's limits."""

from datetime import datetime

from bot.sandbox.model.messages import IMAGE_PARTS, MessageFlags, embed_texts
from bot.sandbox.validation.components import check_components
from bot.sandbox.validation.request_part import JsonPath, RequestPart
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
    message = RequestPart(body, root)
    message["content"].check_text(MAX_CONTENT_LENGTH)
    for name in ("tts", "enforce_nonce"):
        message[name].check_boolean()
    for name in _UNSUPPORTED_FIELDS:
        if body.get(name):
            message[name].add("SANDBOX_NOT_SUPPORTED", "The sandbox has none of these.")
    nonce, flags = message["nonce"], message["flags"]
    if isinstance(nonce.value, bool) or not isinstance(nonce.value, int):
        nonce.check_text(MAX_NONCE_LENGTH)
    _check_mentions(message["allowed_mentions"])
    if message["embeds"].check_objects(MAX_EMBEDS):
        _check_embeds(message["embeds"])
    check_components(message["components"])
    if message["attachments"].check_objects(MAX_FILES):
        for entry in message["attachments"]:
            entry["id"].check_snowflake()
            entry["filename"].check_text(1024, minimum=1)
            entry["description"].check_text(1024)
    if flags.check_integer(0, (1 << 31) - 1) and (flags.value or 0) & MessageFlags.COMPONENTS_V2:
        flags.add("SANDBOX_NOT_SUPPORTED", "The sandbox shows rows of buttons and menus only.")
    message.raise_if_any()


def _check_mentions(mentions: RequestPart) -> None:
    if mentions.value is None or not mentions.check_object():
        return
    mentions["replied_user"].check_boolean()
    for name in ("users", "roles"):
        if mentions[name].check_list(MAX_MENTIONS):
            for each in mentions[name]:
                each.check_snowflake()
            mentions[name].check_distinct()
    if mentions["parse"].check_list(len(_MENTION_TYPES)):
        for each in mentions["parse"]:
            if each.check_one_of(_MENTION_TYPES) and mentions.value.get(each.value):
                text = f"parse and {each.value} are mutually exclusive."
                mentions.add("MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)
        mentions["parse"].check_distinct()


def _check_embeds(embeds: RequestPart) -> None:
    checks = [_check_embed(embed) for embed in embeds]
    if all(checks) and sum(len(words) for words in embed_texts(embeds.value or [])) > MAX_EMBED_CHARACTERS:
        text = f"All embeds together hold more than {MAX_EMBED_CHARACTERS} characters."
        embeds.add("MAX_EMBED_SIZE_EXCEEDED", text)


def _check_embed(embed: RequestPart) -> bool:
    checks = [
        embed["title"].check_text(256),
        embed["description"].check_text(4096),
        embed["url"].check_url(_LINK_SCHEMES, MAX_URL_LENGTH),
        embed["color"].check_integer(0, 0xFFFFFF),
        _check_timestamp(embed["timestamp"]),
        *(_check_part(embed[part], part) for part in _EMBED_PARTS if embed.value.get(part) is not None),
        _check_fields(embed["fields"]),
    ]
    return all(checks)


def _check_part(part: RequestPart, name: str) -> bool:
    if not part.check_object():
        return False
    if name in IMAGE_PARTS:
        return part["url"].check_url(_IMAGE_SCHEMES, MAX_URL_LENGTH, required=True)
    text, maximum = (part["text"], 2048) if name == "footer" else (part["name"], 256)
    icon = part["icon_url"].check_url(_IMAGE_SCHEMES, MAX_URL_LENGTH)
    page = name == "footer" or part["url"].check_url(_LINK_SCHEMES, MAX_URL_LENGTH)
    return text.check_text(maximum, required=True) and icon and page


def _check_timestamp(timestamp: RequestPart) -> bool:
    if timestamp.value is None:
        return True
    try:
        datetime.fromisoformat(timestamp.value)
    except (TypeError, ValueError):
        return timestamp.add("BASE_TYPE_BAD_TIMESTAMP", "Must be a point in time in ISO 8601.")
    return True


def _check_fields(fields: RequestPart) -> bool:
    if not fields.check_objects(MAX_EMBED_FIELDS):
        return False
    checks = [field["inline"].check_boolean() for field in fields]
    for field in fields:
        checks += [field[name].check_text(most, required=True) for name, most in (("name", 256), ("value", 1024))]
    return all(checks)


def has_visible_content(embed: Json) -> bool:
    """Whether an embed has more than a colour."""
    return any(embed.get(part) for part in _VISIBLE_PARTS)
