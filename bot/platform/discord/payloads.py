"""Request bodies of messages and interaction callbacks, encoded in one piece."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import discord
from pydantic_core import to_json

from bot.pictures.service import PictureFile
from bot.platform.discord.content import Json, MessageContent

UPDATE_MESSAGE: Final = discord.InteractionResponseType.message_update.value
NEW_MESSAGE: Final = discord.InteractionResponseType.channel_message.value
_NO_MENTIONS: Final = discord.AllowedMentions.none().to_dict()

# A boundary must not occur in any part (RFC 7578, RFC 2046); a random one can't be put into a name on purpose.
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


def build_payload(content: MessageContent, callback: int | None = None, *, buttons_alone: bool = False) -> Payload:
    """Encode a message; the picture replaces any earlier one.

    Args:
        content: The message.
        callback: The kind of the interaction callback that carries it, if any.
        buttons_alone: Change menus and buttons only.
    """
    message = build_message_json(content, buttons_alone=buttons_alone)
    picture = None if buttons_alone else content.picture
    return encode_payload(message if callback is None else {"type": callback, "data": message}, picture)


def build_message_json(content: MessageContent, *, buttons_alone: bool = False) -> Json:
    """Return a message, or only its menus and buttons, as JSON for Discord's API."""
    message: Json = {"components": content.components(), "allowed_mentions": _NO_MENTIONS}
    return (
        message
        if buttons_alone
        else message | {"embeds": content.embeds_json(), "attachments": _attachments(content.picture)}
    )


def build_text_json(text: str) -> Json:
    """Return a message that shows only a text, whatever it showed before, as JSON for Discord's API."""
    return {"content": text, "embeds": [], "components": [], "attachments": [], "allowed_mentions": _NO_MENTIONS}


def encode_payload(payload_json: Json, picture: PictureFile | None = None) -> Payload:
    """Encode JSON, and a picture if there is one, as the body of a request."""
    body = to_json(payload_json)
    if picture is None:
        return Payload(body, _JSON_HEADERS)
    return Payload(
        b"".join((_JSON_PART, body, _FILE_PART.format(name=picture.name).encode(), picture.data, _END)), _FORM_HEADERS
    )


def _attachments(picture: PictureFile | None) -> list[Json]:
    return [] if picture is None else [{"id": 0, "filename": picture.name, "description": picture.description}]
