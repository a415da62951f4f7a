"""Messages that Discord refuses, and such as just fit; where they go, and what is said of them."""

import io
import json
from typing import Any, TypeAlias

import aiohttp

from bot.sandbox import Channel
from tests.sandbox.wire_bot import Json


def row(*components: Json) -> Json:
    return {"type": 1, "components": list(components)}


def button(custom_id: str = "a", **more: Any) -> Json:
    return {"type": 2, "style": 1, "label": "Press", "custom_id": custom_id, **more}


def link(**more: Any) -> Json:
    return {"type": 2, "style": 5, "label": "Go", **more}


def option(label: str = "L", value: str = "v", **more: Any) -> Json:
    return {"label": label, "value": value, **more}


def menu(custom_id: str = "m", count: int = 1, **more: Any) -> Json:
    options = [option(f"L{number}", f"v{number}") for number in range(count)]
    return {"type": 3, "custom_id": custom_id, "options": options, **more}


def components(*rows: Json) -> Json:
    return {"components": list(rows)}


def embed(**parts: Any) -> Json:
    return {"embeds": [{"title": "T", **parts}]}


def messages(channel: Channel) -> str:
    return f"/channels/{channel.id}/messages"


def form(payload: Json, *files: tuple[str, bytes]) -> aiohttp.FormData:
    """Return a message with files as it is sent."""
    fields = aiohttp.FormData(quote_fields=False)
    fields.add_field("payload_json", json.dumps(payload))
    for number, (name, content) in enumerate(files):
        fields.add_field(f"files[{number}]", io.BytesIO(content), filename=name)
    return fields


LONG, BAD, REQUIRED = "BASE_TYPE_MAX_LENGTH", "BASE_TYPE_BAD_LENGTH", "BASE_TYPE_REQUIRED"
TYPE, CHOICE, TWICE = "BASE_TYPE_BAD_TYPE", "BASE_TYPE_CHOICES", "SET_TYPE_ALREADY_CONTAINS_VALUE"
MOST, NO_NUMBER = "NUMBER_TYPE_MAX", "NUMBER_TYPE_COERCE"
NO_ADDRESS, NO_SCHEME = "URL_TYPE_INVALID_URL", "URL_TYPE_INVALID_SCHEME"
LINK_OR_ID = "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"

Refused: TypeAlias = tuple[Json, str, str]
"""What is refused, the place of the fault and its code."""

_PARTS: list[Refused] = [
    ({"content": "x" * 2001}, "content", LONG),
    ({"content": 7}, "content", TYPE),
    # Components of the other kind.
    ({"flags": 1 << 15}, "flags", "SANDBOX_NOT_SUPPORTED"),
    ({"embeds": [{"title": "T"}] * 11}, "embeds", LONG),
    ({"embeds": ["T"]}, "embeds.0", TYPE),
    ({"embeds": [{"description": "x" * 4000}, {"description": "x" * 2001}]}, "embeds", "MAX_EMBED_SIZE_EXCEEDED"),
    ({"nonce": "x" * 26}, "nonce", LONG),
    ({"tts": "no"}, "tts", TYPE),
    ({"allowed_mentions": {"parse": ["here"]}}, "allowed_mentions.parse.0", CHOICE),
    (
        {"allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    ({"allowed_mentions": {"users": ["٣"]}}, "allowed_mentions.users.0", NO_NUMBER),
    ({"allowed_mentions": {"users": [str(n) for n in range(101)]}}, "allowed_mentions.users", LONG),
    ({"allowed_mentions": {"users": ["1", "1"]}}, "allowed_mentions.users.1", TWICE),
    ({"allowed_mentions": {"parse": ["users", "users"]}}, "allowed_mentions.parse.1", TWICE),
    ({"attachments": [{"id": "0"}]}, "attachments.0", "ATTACHMENT_NOT_FOUND"),
    ({"attachments": [{"id": str(n)} for n in range(11)]}, "attachments", LONG),
    ({"attachments": [{"filename": "a"}]}, "attachments.0.id", NO_NUMBER),
    ({"poll": {"question": {"text": "Q"}}}, "poll", "SANDBOX_NOT_SUPPORTED"),
    ({"sticker_ids": ["1"]}, "sticker_ids", "SANDBOX_NOT_SUPPORTED"),
    ({"message_reference": {"message_id": str(1 << 63)}}, "message_reference.message_id", MOST),
    ({"message_reference": {"message_id": "9" * 5000}}, "message_reference.message_id", MOST),
    ({"message_reference": {"message_id": "٣"}}, "message_reference.message_id", NO_NUMBER),
    ({"message_reference": {"message_id": "1"}}, "message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE"),
]
_PARTS_OF_EMBEDS: list[Refused] = [
    ({"title": "x" * 257}, "title", LONG),
    ({"description": "x" * 4097}, "description", LONG),
    ({"color": 0x1000000}, "color", MOST),
    ({"color": -1}, "color", "NUMBER_TYPE_MIN"),
    ({"footer": {"text": "x" * 2049}}, "footer.text", LONG),
    ({"footer": {"text": "T", "icon_url": "x"}}, "footer.icon_url", NO_ADDRESS),
    ({"author": {"name": "x" * 257}}, "author.name", LONG),
    ({"image": {}}, "image.url", REQUIRED),
    ({"image": {"url": "file:///etc/hosts"}}, "image.url", NO_SCHEME),
    ({"image": {"url": "https://exa mple.org"}}, "image.url", NO_ADDRESS),
    ({"url": "here"}, "url", NO_ADDRESS),
    ({"url": "https://"}, "url", NO_ADDRESS),
    ({"url": "attachment://x.png"}, "url", NO_SCHEME),
    ({"fields": [{"name": "n", "value": "v"}] * 26}, "fields", LONG),
    ({"fields": [{"name": "x" * 257, "value": "v"}]}, "fields.0.name", LONG),
    ({"fields": [{"name": " ", "value": "v"}]}, "fields.0.name", REQUIRED),
    ({"fields": [{"name": "n", "value": "x" * 1025}]}, "fields.0.value", LONG),
    ({"fields": [{"name": "n"}]}, "fields.0.value", REQUIRED),
]
_COMPONENTS: list[Refused] = [
    (row(button()), "type", CHOICE),
    (button("x" * 101), "custom_id", BAD),
    (button(""), "custom_id", REQUIRED),
    (button(label="x" * 81), "label", LONG),
    (button(label=""), "label", "BUTTON_COMPONENT_LABEL_REQUIRED"),
    (button(style=9), "style", CHOICE),
    (button(emoji={"name": "⚀"}), "emoji.name", "BUTTON_COMPONENT_INVALID_EMOJI"),
    (button(emoji={"id": "abc", "name": "x"}), "emoji.id", NO_NUMBER),
    (button(emoji={"id": "123456789012345678", "name": "x"}), "emoji.id", "BUTTON_COMPONENT_INVALID_EMOJI"),
    (link(), "url", REQUIRED),
    (link(url="javascript:1"), "url", NO_SCHEME),
    (link(url="https:///"), "url", NO_ADDRESS),
    (button(style=5, url="https://example.org"), "custom_id", LINK_OR_ID),
    (button(url="https://example.org"), "url", LINK_OR_ID),
    (menu(count=0), "options", BAD),
    (menu(count=26), "options", BAD),
    (menu(placeholder="x" * 151), "placeholder", LONG),
    (menu(options=[option(label="x" * 101)]), "options.0.label", BAD),
    (menu(options=[option(value="x" * 101)]), "options.0.value", BAD),
    (menu(options=[{"label": "L"}]), "options.0.value", REQUIRED),
    (menu(options=[option(description="x" * 101)]), "options.0.description", LONG),
    (menu(options=[option()] * 2), "options.1.value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"),
    (menu(count=2, max_values=3), "max_values", "SELECT_COMPONENT_MAX_VALUES_MISMATCH"),
    (menu(count=5, min_values=3, max_values=2), "max_values", "SELECT_COMPONENT_MAX_VALUES_MISMATCH"),
    (menu(count=5, max_values=26), "max_values", MOST),
]
_TOO_WIDE = "components.0.components.1", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"

REFUSED_BODIES: list[Refused] = [
    *(({"content": "x", **body}, place, code) for body, place, code in _PARTS),
    *((embed(**parts), f"embeds.0.{place}", code) for parts, place, code in _PARTS_OF_EMBEDS),
    *((components(row(part)), f"components.0.components.0.{place}", code) for part, place, code in _COMPONENTS),
    (components(*(row(button(str(n))) for n in range(6))), "components", LONG),
    (components(row()), "components.0.components", BAD),
    (components(row(*(button(str(n)) for n in range(6)))), "components.0.components", BAD),
    (components(button()), "components.0.type", CHOICE),
    (components(row(button(), menu())), *_TOO_WIDE),
    (components(row(menu("a"), menu("b"))), *_TOO_WIDE),
    (
        components(row(button()), row(menu("a"))),
        "components.1.components.0.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
]

ACCEPTED_BODIES: list[Json] = [
    {"content": "x" * 2000},
    {"embeds": [{"title": "T"}] * 10},
    {"embeds": [{"description": "x" * 4000}, {"description": "x" * 2000}]},
    embed(
        title="x" * 256,
        description="x" * 1000,
        fields=[{"name": "n", "value": "v"}] * 25,
        footer={"text": "x" * 2048},
        author={"name": "x" * 256},
        color=0xFFFFFF,
    ),
    components(*(row(*(button(f"{line}{place}", label="x" * 80) for place in range(5))) for line in range(5))),
    components(row(button("x" * 100))),
    components(row(button(label=None, emoji={"name": "🎲"}), button("b", emoji={"name": "1️⃣"}))),
    components(row(link(url="https://example.org"))),
    components(row(menu(count=25, min_values=0, max_values=25, placeholder="x" * 150))),
    {"content": "x", "message_reference": {"message_id": "1", "fail_if_not_exists": False}},
]
