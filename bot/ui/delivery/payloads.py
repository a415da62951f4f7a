"""Letters: what messages and answers show, written as one request in one piece."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import discord
from pydantic_core import to_json

from bot.pictures.service import Drawn
from bot.ui.render.message import Frame, Json

UPDATE: Final = discord.InteractionResponseType.message_update.value
_MESSAGE: Final = discord.InteractionResponseType.channel_message.value
_NOBODY: Final = discord.AllowedMentions.none().to_dict()

# The parts of a form are kept apart by what occurs in none of them (RFC 7578, RFC 2046): so nobody may know it before.
_BETWEEN: Final = secrets.token_hex(16)
_WORDS: Final = (
    f'--{_BETWEEN}\r\nContent-Disposition: form-data; name="payload_json"\r\nContent-Type: application/json\r\n\r\n'
).encode()
_FILE: Final = (
    f"\r\n--{_BETWEEN}\r\n"
    'Content-Disposition: form-data; name="files[0]"; filename="{name}"\r\nContent-Type: image/png\r\n\r\n'
)
_END: Final = f"\r\n--{_BETWEEN}--\r\n".encode()

_JSON: Final = {"Content-Type": "application/json"}
_FORM: Final = {"Content-Type": f"multipart/form-data; boundary={_BETWEEN}"}


@dataclass(frozen=True, slots=True)
class Letter:
    """The body of a request, and its headers."""

    body: bytes
    headers: Mapping[str, str]


def letter_of(frame: Frame, *, buttons_alone: bool = False) -> Letter:
    """Write what the message that was clicked is to show; its picture takes the place of any earlier one.

    Where menus and buttons alone are others, the rest stays as it is.
    """
    drawn = None if buttons_alone else frame.drawn
    return written({"type": UPDATE, "data": told_of(frame, buttons_alone=buttons_alone)}, drawn)


def posting_of(frame: Frame) -> Letter:
    """Write the message that a command is answered with."""
    return written({"type": _MESSAGE, "data": told_of(frame)}, frame.drawn)


def told_of(frame: Frame, *, buttons_alone: bool = False) -> Json:
    """Return a message that shows a frame, or its menus and buttons alone, as Discord's API takes it."""
    told: Json = {"components": frame.components(), "allowed_mentions": _NOBODY}
    return told if buttons_alone else told | {"embeds": [frame.told()], "attachments": _attached(frame.drawn)}


def text_alone(text: str) -> Json:
    """Return a message that shows nothing but a text, whatever it has shown, as Discord's API takes it."""
    return {"content": text, "embeds": [], "components": [], "attachments": [], "allowed_mentions": _NOBODY}


def written(told: Json, drawn: Drawn | None = None) -> Letter:
    """Write what Discord is told, with a picture perhaps."""
    words = to_json(told)
    if drawn is None:
        return Letter(words, _JSON)
    return Letter(b"".join((_WORDS, words, _FILE.format(name=drawn.name).encode(), drawn.data, _END)), _FORM)


def _attached(drawn: Drawn | None) -> list[Json]:
    return [] if drawn is None else [{"id": 0, "filename": drawn.name, "description": drawn.description}]
