"""Lets servers and people speak two languages, and finds every text in the wrong one.

`pytest --two-languages tests/e2e` runs the tests of the whole bot so. Both languages are English with an invisible mark
before each text. A test whose bot tells people something in the server's language fails, and so does one that shows a
server something in a person's.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot.languages import ENGLISH, EnglishTexts, Language
from bot.platform.discord.languages import Languages
from bot.sandbox.model.messages import Message

_SERVERS, _PEOPLES = "\N{INVISIBLE SEPARATOR}", "\N{INVISIBLE PLUS}"


class _MarkedTexts(EnglishTexts):
    """English with a mark before each text."""

    def __init__(self, mark: str) -> None:
        super().__init__()
        self._mark = mark

    def gettext(self, message: str) -> str:
        return self._mark + super().gettext(message)


_OF_SERVERS = Language("xs", ENGLISH.locale, _MarkedTexts(_SERVERS))
_OF_PEOPLE = Language("xp", ENGLISH.locale, _MarkedTexts(_PEOPLES))

_mixed = list[str]()


async def _of_server(_languages: Languages, guild_id: int | None) -> Language:
    return _OF_SERVERS if guild_id else ENGLISH


async def _of_place(_languages: Languages, location: Any, _person_id: int) -> Language:
    return _OF_SERVERS if location.guild_id else _OF_PEOPLE


async def _of_person(_languages: Languages, _user_id: int, _locale: object = None) -> Language:
    return _OF_PEOPLE


_build_payload = Message.payload


def _check(message: Message) -> Any:
    """Note a message that has a text in the wrong language, and return its payload."""
    body = _build_payload(message)
    is_public = message.ephemeral_to is None and message.channel.server_id is not None
    texts = json.dumps([body["content"], body["embeds"], body["components"], body["attachments"]], ensure_ascii=False)
    at = texts.find(_PEOPLES if is_public else _SERVERS)
    if at >= 0:
        _mixed.append(f"{'public' if is_public else 'private'}: …{texts[max(0, at - 60) : at + 160]}…")
    return body


def speak_two_languages() -> None:
    """Mark the texts of everything that this process's bots show from now on."""
    patch = pytest.MonkeyPatch()
    patch.setattr(Languages, "of_server", _of_server)
    patch.setattr(Languages, "of_place", _of_place)
    patch.setattr(Languages, "of_person", _of_person)
    patch.setattr(Message, "payload", _check)


def find_mixed() -> Iterator[str]:
    """Yield, once, the texts in the wrong language that were shown since the last call."""
    while _mixed:
        yield _mixed.pop(0)
