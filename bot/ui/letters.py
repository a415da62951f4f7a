"""Letters: what a click is answered with, written as one request in one piece."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import discord
from pydantic_core import to_json

from bot.pictures.studio import Drawn
from bot.ui.frame import Frame, Json

_UPDATE: Final = discord.InteractionResponseType.message_update.value
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
    told: Json = {"components": frame.components(), "allowed_mentions": _NOBODY}
    drawn = None if buttons_alone else frame.drawn
    if not buttons_alone:
        told |= {"embeds": [frame.told()], "attachments": _attached(drawn)}
    words = to_json({"type": _UPDATE, "data": told})
    if drawn is None:
        return Letter(words, _JSON)
    return Letter(b"".join((_WORDS, words, _FILE.format(name=drawn.name).encode(), drawn.data, _END)), _FORM)


def _attached(drawn: Drawn | None) -> list[Json]:
    return [] if drawn is None else [{"id": 0, "filename": drawn.name, "description": drawn.description}]
