"""Messages that Discord refuses, and such as just fit; where they go, and what is said of them."""

from collections.abc import Iterator
from typing import Any

from bot.sandbox import Channel
from tests.sandbox.wire_bot import Json


def row(*components: Json) -> Json:
    return {"type": 1, "components": list(components)}


def button(custom_id: str = "a", **more: Any) -> Json:
    return {"type": 2, "style": 1, "label": "Press", "custom_id": custom_id, **more}


def menu(custom_id: str = "m", count: int = 1, **more: Any) -> Json:
    options = [{"label": f"L{number}", "value": f"v{number}"} for number in range(count)]
    return {"type": 3, "custom_id": custom_id, "options": options, **more}


def components(*rows: Json) -> Json:
    return {"components": list(rows)}


def embed(**parts: Any) -> Json:
    return {"embeds": [{"title": "T", **parts}]}


def error_codes(errors: Json, path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in errors.items():
        if key == "_errors":
            yield from ((path, fault["code"]) for fault in value)
        else:
            yield from error_codes(value, f"{path}.{key}" if path else key)


def messages(channel: Channel) -> str:
    return f"/channels/{channel.id}/messages"


LONG, BAD, REQUIRED = "BASE_TYPE_MAX_LENGTH", "BASE_TYPE_BAD_LENGTH", "BASE_TYPE_REQUIRED"
TYPE, CHOICE = "BASE_TYPE_BAD_TYPE", "BASE_TYPE_CHOICES"
CELL = "components.0.components.0"

REFUSED_BODIES: dict[str, tuple[Json, str, str]] = {
    "content too long": ({"content": "x" * 2001}, "content", LONG),
    "content no text": ({"content": 7}, "content", TYPE),
    "components of the other kind": ({"content": "x", "flags": 1 << 15}, "flags", "SANDBOX_NOT_SUPPORTED"),
    "flags no number": ({"content": "x", "flags": "64"}, "flags", TYPE),
    "11 embeds": ({"embeds": [{"title": "T"}] * 11}, "embeds", LONG),
    "embeds no list": ({"embeds": {}}, "embeds", TYPE),
    "embed no object": ({"embeds": ["T"]}, "embeds.0", TYPE),
    "embed title": (embed(title="x" * 257), "embeds.0.title", LONG),
    "embed title no text": (embed(title=1), "embeds.0.title", TYPE),
    "embed description": (embed(description="x" * 4097), "embeds.0.description", LONG),
    "embed colour": (embed(color=0x1000000), "embeds.0.color", "NUMBER_TYPE_MAX"),
    "embed colour below 0": (embed(color=-1), "embeds.0.color", "NUMBER_TYPE_MIN"),
    "embed colour no number": (embed(color=True), "embeds.0.color", TYPE),
    "embed footer": (embed(footer={"text": "x" * 2049}), "embeds.0.footer.text", LONG),
    "embed footer no object": (embed(footer="x"), "embeds.0.footer", TYPE),
    "embed author": (embed(author={"name": "x" * 257}), "embeds.0.author.name", LONG),
    "embed image without address": (embed(image={}), "embeds.0.image.url", REQUIRED),
    "embed image elsewhere": (
        embed(image={"url": "file:///etc/hosts"}),
        "embeds.0.image.url",
        "URL_TYPE_INVALID_SCHEME",
    ),
    "embed address that is none": (embed(url="here"), "embeds.0.url", "URL_TYPE_INVALID_URL"),
    "embed address of a file": (embed(url="attachment://x.png"), "embeds.0.url", "URL_TYPE_INVALID_SCHEME"),
    "embed address of nothing": (embed(url="https://"), "embeds.0.url", "URL_TYPE_INVALID_URL"),
    "embed image with a gap": (
        embed(image={"url": "https://exa mple.org"}),
        "embeds.0.image.url",
        "URL_TYPE_INVALID_URL",
    ),
    "embed icon": (
        embed(footer={"text": "T", "icon_url": "x"}),
        "embeds.0.footer.icon_url",
        "URL_TYPE_INVALID_URL",
    ),
    "nonce too long": ({"content": "x", "nonce": "x" * 26}, "nonce", LONG),
    "tts no truth": ({"content": "x", "tts": "no"}, "tts", TYPE),
    "mentions no object": ({"content": "x", "allowed_mentions": []}, "allowed_mentions", TYPE),
    "mentions of what is not there": (
        {"content": "x", "allowed_mentions": {"parse": ["here"]}},
        "allowed_mentions.parse.0",
        CHOICE,
    ),
    "mentions twice": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    "mention of no id": (
        {"content": "x", "allowed_mentions": {"users": ["٣"]}},
        "allowed_mentions.users.0",
        "NUMBER_TYPE_COERCE",
    ),
    "nonce enforced how": ({"content": "x", "nonce": "n", "enforce_nonce": "yes"}, "enforce_nonce", TYPE),
    "101 mentions": (
        {"content": "x", "allowed_mentions": {"users": [str(n) for n in range(101)]}},
        "allowed_mentions.users",
        LONG,
    ),
    "attachment that did not come along": (
        {"content": "x", "attachments": [{"id": "0"}]},
        "attachments.0",
        "ATTACHMENT_NOT_FOUND",
    ),
    "26 fields": (embed(fields=[{"name": "n", "value": "v"}] * 26), "embeds.0.fields", LONG),
    "field name": (embed(fields=[{"name": "x" * 257, "value": "v"}]), "embeds.0.fields.0.name", LONG),
    "field value": (embed(fields=[{"name": "n", "value": "x" * 1025}]), "embeds.0.fields.0.value", LONG),
    "field without name": (embed(fields=[{"name": " ", "value": "v"}]), "embeds.0.fields.0.name", REQUIRED),
    "field without value": (embed(fields=[{"name": "n"}]), "embeds.0.fields.0.value", REQUIRED),
    "6001 characters": (
        {"embeds": [{"description": "x" * 4000}, {"description": "x" * 2001}]},
        "embeds",
        "MAX_EMBED_SIZE_EXCEEDED",
    ),
    "6 rows": (components(*(row(button(str(n))) for n in range(6))), "components", LONG),
    "empty row": (components(row()), "components.0.components", BAD),
    "6 buttons": (components(row(*(button(str(n)) for n in range(6)))), "components.0.components", BAD),
    "button without a row": (components(button()), "components.0.type", CHOICE),
    "row in a row": (components(row(row(button()))), f"{CELL}.type", CHOICE),
    "button beside a menu": (
        components(row(button(), menu())),
        "components.0.components.1",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    "two menus in a row": (
        components(row(menu("a"), menu("b"))),
        "components.0.components.1",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    "custom id too long": (components(row(button("x" * 101))), f"{CELL}.custom_id", BAD),
    "custom id empty": (components(row(button(""))), f"{CELL}.custom_id", REQUIRED),
    "custom id twice": (
        components(row(button()), row(menu("a"))),
        "components.1.components.0.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "button label": (components(row(button(label="x" * 81))), f"{CELL}.label", LONG),
    "button says nothing": (
        components(row(button(label=""))),
        f"{CELL}.label",
        "BUTTON_COMPONENT_LABEL_REQUIRED",
    ),
    "button style": (components(row(button(style=9))), f"{CELL}.style", CHOICE),
    "button emoji that is none": (
        components(row(button(emoji={"name": "⚀"}))),
        f"{CELL}.emoji.name",
        "BUTTON_COMPONENT_INVALID_EMOJI",
    ),
    "link without address": (
        components(row({"type": 2, "style": 5, "label": "Go"})),
        f"{CELL}.url",
        REQUIRED,
    ),
    "link to a script": (
        components(row({"type": 2, "style": 5, "label": "Go", "url": "javascript:1"})),
        f"{CELL}.url",
        "URL_TYPE_INVALID_SCHEME",
    ),
    "link with a custom id": (
        components(row(button(style=5, url="https://example.org"))),
        f"{CELL}.custom_id",
        "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
    ),
    "menu without options": (components(row(menu(count=0))), f"{CELL}.options", BAD),
    "26 options": (components(row(menu(count=26))), f"{CELL}.options", BAD),
    "placeholder": (components(row(menu(placeholder="x" * 151))), f"{CELL}.placeholder", LONG),
    "option label": (
        components(row(menu(options=[{"label": "x" * 101, "value": "v"}]))),
        f"{CELL}.options.0.label",
        BAD,
    ),
    "option value": (
        components(row(menu(options=[{"label": "L", "value": "x" * 101}]))),
        f"{CELL}.options.0.value",
        BAD,
    ),
    "option without value": (
        components(row(menu(options=[{"label": "L"}]))),
        f"{CELL}.options.0.value",
        REQUIRED,
    ),
    "option description": (
        components(row(menu(options=[{"label": "L", "value": "v", "description": "x" * 101}]))),
        f"{CELL}.options.0.description",
        LONG,
    ),
    "option value twice": (
        components(row(menu(options=[{"label": "L", "value": "v"}] * 2))),
        f"{CELL}.options.1.value",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    "more to choose than there are": (
        components(row(menu(count=2, max_values=3))),
        f"{CELL}.max_values",
        "SELECT_COMPONENT_MAX_VALUES_MISMATCH",
    ),
    "more must be chosen than may": (
        components(row(menu(count=5, min_values=3, max_values=2))),
        f"{CELL}.max_values",
        "SELECT_COMPONENT_MAX_VALUES_MISMATCH",
    ),
    "26 to choose": (
        components(row(menu(count=5, max_values=26))),
        f"{CELL}.max_values",
        "NUMBER_TYPE_MAX",
    ),
    "11 attachments": (
        {"content": "x", "attachments": [{"id": str(n)} for n in range(11)]},
        "attachments",
        LONG,
    ),
    "attachment without id": (
        {"content": "x", "attachments": [{"filename": "a"}]},
        "attachments.0.id",
        "NUMBER_TYPE_COERCE",
    ),
    "emoji whose id is none": (
        components(row(button(emoji={"id": "abc", "name": "x"}))),
        f"{CELL}.emoji.id",
        "NUMBER_TYPE_COERCE",
    ),
    "emoji of no server": (
        components(row(button(emoji={"id": "123456789012345678", "name": "x"}))),
        f"{CELL}.emoji.id",
        "BUTTON_COMPONENT_INVALID_EMOJI",
    ),
    "emoji that moves perhaps": (
        components(row(button(emoji={"name": "🎲", "animated": "x"}))),
        f"{CELL}.emoji.animated",
        TYPE,
    ),
    "address on a button that is no link": (
        components(row(button(url="https://example.org"))),
        f"{CELL}.url",
        "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
    ),
    "link to nowhere": (
        components(row({"type": 2, "style": 5, "label": "Go", "url": "https:///"})),
        f"{CELL}.url",
        "URL_TYPE_INVALID_URL",
    ),
    "embed address with a gap": (embed(url="https://a b"), "embeds.0.url", "URL_TYPE_INVALID_URL"),
    "the same person mentioned twice": (
        {"content": "x", "allowed_mentions": {"users": ["1", "1"]}},
        "allowed_mentions.users.1",
        "SET_TYPE_ALREADY_CONTAINS_VALUE",
    ),
    "the same kind mentioned twice": (
        {"content": "x", "allowed_mentions": {"parse": ["users", "users"]}},
        "allowed_mentions.parse.1",
        "SET_TYPE_ALREADY_CONTAINS_VALUE",
    ),
    "a poll": ({"content": "x", "poll": {"question": {"text": "Q"}}}, "poll", "SANDBOX_NOT_SUPPORTED"),
    "stickers": ({"content": "x", "sticker_ids": ["1"]}, "sticker_ids", "SANDBOX_NOT_SUPPORTED"),
    "reply to an id beyond all": (
        {"content": "x", "message_reference": {"message_id": str(1 << 63)}},
        "message_reference.message_id",
        "NUMBER_TYPE_MAX",
    ),
    "reply to endless digits": (
        {"content": "x", "message_reference": {"message_id": "9" * 5000}},
        "message_reference.message_id",
        "NUMBER_TYPE_MAX",
    ),
    "reply to digits of another script": (
        {"content": "x", "message_reference": {"message_id": "٣"}},
        "message_reference.message_id",
        "NUMBER_TYPE_COERCE",
    ),
    "reply to no id": (
        {"content": "x", "message_reference": {"message_id": "first"}},
        "message_reference.message_id",
        "NUMBER_TYPE_COERCE",
    ),
    "reply to nothing": (
        {"content": "x", "message_reference": {"message_id": "1"}},
        "message_reference",
        "MESSAGE_REFERENCE_UNKNOWN_MESSAGE",
    ),
}

ACCEPTED_BODIES: dict[str, Json] = {
    "2000 characters": {"content": "x" * 2000},
    "10 embeds": {"embeds": [{"title": "T"}] * 10},
    "6000 characters": {"embeds": [{"description": "x" * 4000}, {"description": "x" * 2000}]},
    "a full embed": embed(
        title="x" * 256,
        description="x" * 1000,
        fields=[{"name": "n", "value": "v"}] * 25,
        footer={"text": "x" * 2048},
        author={"name": "x" * 256},
        color=0xFFFFFF,
    ),
    "25 buttons": components(
        *(row(*(button(f"{line}{place}", label="x" * 80) for place in range(5))) for line in range(5))
    ),
    "a custom id of 100": components(row(button("x" * 100))),
    "emoji only": components(row(button(label=None, emoji={"name": "🎲"}), button("b", emoji={"name": "1️⃣"}))),
    "a link": components(row({"type": 2, "style": 5, "label": "Go", "url": "https://example.org"})),
    "a full menu": components(row(menu(count=25, min_values=0, max_values=25, placeholder="x" * 150))),
    "a missing message that may be missing": {
        "content": "x",
        "message_reference": {"message_id": "1", "fail_if_not_exists": False},
    },
}
