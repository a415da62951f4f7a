"""Letters: what messages and answers show, written as one request in one piece."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import discord
from pydantic_core import to_json

from bot.pictures.service import PictureFile
from bot.ui.render.message import Json, MessageContent

UPDATE_MESSAGE: Final = discord.InteractionResponseType.message_update.value
_NEW_MESSAGE: Final = discord.InteractionResponseType.channel_message.value
_NO_MENTIONS: Final = discord.AllowedMentions.none().to_dict()

# The parts of a form are kept apart by what occurs in none of them (RFC 7578, RFC 2046): so nobody may know it before.
_BOUNDARY: Final = secrets.token_hex(16)
_JSON_PART: Final = (
    f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="payload_json"\r\nContent-Type: application/json\r\n\r\n'
).encode()
_FILE_PART: Final = (
    f"\r\n--{_BOUNDARY}\r\n"
    'Content-Disposition: form-data; name="files[0]"; filename="{name}"\r\nContent-Type: image/png\r\n\r\n'
)
_END: Final = f"\r\n--{_BOUNDARY}--\r\n".encode()

_JSON_HEADERS: Final = {"Content-Type": "application/json"}
_FORM_HEADERS: Final = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}


@dataclass(frozen=True, slots=True)
class Payload:
    """The body of a request, and its headers."""

    body: bytes
    headers: Mapping[str, str]


def build_update_payload(frame: MessageContent, *, buttons_alone: bool = False) -> Payload:
    """Write what the message that was clicked is to show; its picture takes the place of any earlier one.

    Where menus and buttons alone are others, the rest stays as it is.
    """
    drawn = None if buttons_alone else frame.picture
    return encode_payload(
        {"type": UPDATE_MESSAGE, "data": build_message_json(frame, buttons_alone=buttons_alone)}, drawn
    )


def build_post_payload(frame: MessageContent) -> Payload:
    """Write the message that a command is answered with."""
    return encode_payload({"type": _NEW_MESSAGE, "data": build_message_json(frame)}, frame.picture)


def build_message_json(frame: MessageContent, *, buttons_alone: bool = False) -> Json:
    """Return a message that shows a frame, or its menus and buttons alone, as Discord's API takes it."""
    told: Json = {"components": frame.components(), "allowed_mentions": _NO_MENTIONS}
    return (
        told if buttons_alone else told | {"embeds": [frame.embed_json()], "attachments": _attachments(frame.picture)}
    )


def build_text_json(text: str) -> Json:
    """Return a message that shows nothing but a text, whatever it has shown, as Discord's API takes it."""
    return {"content": text, "embeds": [], "components": [], "attachments": [], "allowed_mentions": _NO_MENTIONS}


def encode_payload(told: Json, drawn: PictureFile | None = None) -> Payload:
    """Write what Discord is told, with a picture perhaps."""
    words = to_json(told)
    if drawn is None:
        return Payload(words, _JSON_HEADERS)
    return Payload(
        b"".join((_JSON_PART, words, _FILE_PART.format(name=drawn.name).encode(), drawn.data, _END)), _FORM_HEADERS
    )


def _attachments(drawn: PictureFile | None) -> list[Json]:
    return [] if drawn is None else [{"id": 0, "filename": drawn.name, "description": drawn.description}]
