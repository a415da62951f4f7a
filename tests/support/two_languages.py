"""Lets servers and people speak two languages, and finds what is said in the wrong one, or past both.

Both are English in wide letters with an invisible mark before each text. What is shown becomes plain English as soon as
it was looked at, so that people find what they press.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from babel import Locale

from bot.languages import ENGLISH, Language
from bot.platform.discord.languages import Languages
from bot.sandbox.model.messages import Attachment, Message
from bot.sandbox.model.world import Change, MessageChange, World
from tests.support.languages import lines_of, without_names
from tests.support.wide_letters import ORDINARY, WideTranslations

_SERVERS, _PEOPLES = "\N{INVISIBLE SEPARATOR}", "\N{INVISIBLE PLUS}"
_PLAIN = {**ORDINARY, ord(_SERVERS): None, ord(_PEOPLES): None}

_SHOWN = {ord(_SERVERS): "§", ord(_PEOPLES): "¶"}

_NOTHING: dict[str, Any] = {"content": "", "embeds": [], "components": [], "attachments": ()}
"""The parts of a message that say something, if they say nothing."""

_TYPED = re.compile(r"The \\?\*Cup\\?\*|I'm being updated|spam|Europe/Berlin|Asia/Kolkata|UTC")
"""What people of the scenes have typed or chosen."""

_WORD = re.compile(r"\b[A-Za-z]{2,}\b")


class _MarkedTexts(WideTranslations):
    """English in wide letters with a mark before each text."""

    def __init__(self, mark: str) -> None:
        super().__init__()
        self._mark = mark

    def gettext(self, message: str) -> str:
        return self._mark + super().gettext(message)


_OF_SERVERS = Language("xs", Locale("ru"), _MarkedTexts(_SERVERS))
_OF_PEOPLE = Language("xp", Locale("ru"), _MarkedTexts(_PEOPLES))


async def _of_server(_languages: Languages, guild_id: int | None) -> Language:
    return _OF_SERVERS if guild_id else ENGLISH


async def _of_place(_languages: Languages, location: Any, _person_id: int = 0) -> Language:
    return _OF_SERVERS if location.guild_id else _OF_PEOPLE


async def _of_person(_languages: Languages, _user_id: int, _locale: object = None) -> Language:
    return _OF_PEOPLE


@contextmanager
def speaking_two_languages() -> Iterator[set[str]]:
    """Speak two languages within the block; the set has the lines that were shown in another one than they should."""
    found, plain, notify = set[str](), defaultdict[int, dict[str, Any]](dict), World.notify

    def look(world: World, change: Change) -> None:
        if isinstance(change, MessageChange):
            message, old = change.message, plain[change.message.id]
            parts = {name: getattr(message, name) for name in _NOTHING}
            parts["attachments"] = tuple(file for file in message.attachments if file not in old.get("attachments", ()))
            new = {name: part for name, part in parts.items() if part and part is not old.get(name)}
            found.update(_find_foreign(replace(message, **_NOTHING | new)))
            for name in new:
                old[name] = _plain(getattr(message, name))
                setattr(message, name, old[name])
        notify(world, change)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Languages, "of_server", _of_server)
        patch.setattr(Languages, "of_place", _of_place)
        patch.setattr(Languages, "of_person", _of_person)
        patch.setattr(World, "notify", look)
        yield found


def _find_foreign(message: Message) -> Iterator[str]:
    is_public = message.ephemeral_to is None and message.channel.server_id is not None
    wrong = _PEOPLES if is_public else _SERVERS
    for line in lines_of(message):
        if wrong in line or _WORD.search(_TYPED.sub("", without_names(line))):
            yield f"{'public' if is_public else 'private'}: {line.translate(_SHOWN)}"


def _plain(part: Any) -> Any:
    match part:
        case str():
            return part.translate(_PLAIN)
        case list() | tuple():
            return type(part)(map(_plain, part))
        case dict():
            return {name: _plain(each) for name, each in part.items()}
        case Attachment():
            return replace(part, description=_plain(part.description))
        case _:
            return part
