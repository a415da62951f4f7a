"""Tells the channels of open tables what the host has to say, such as a restart, and removes it afterwards."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from sqlalchemy import Connection, delete, insert, select

from bot.platform.database.database import Database
from bot.platform.database.sql import notes, set_value, try_insert
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.tables.schema import IS_LESSON, IS_OPEN, tables


def find_open_channels(connection: Connection) -> Sequence[int]:
    """Return the channels that have an open table."""
    return sorted(connection.execute(select(tables.c.channel_id).where(IS_OPEN, ~IS_LESSON).distinct()).scalars())


def claim_note(connection: Connection, key: str) -> bool:
    """Store an empty note; return False if there is one with this key."""
    return try_insert(connection, insert(notes).returning(notes.c.key), {"key": key, "value": ""})


def find_notes(connection: Connection, prefix: str) -> Mapping[str, str]:
    """Return the notes whose keys begin with a prefix."""
    found = connection.execute(select(notes).where(notes.c.key.startswith(prefix, autoescape=True)))
    return {row.key: row.value for row in found}


def delete_notes(connection: Connection, prefix: str) -> None:
    """Delete the notes whose keys begin with a prefix."""
    connection.execute(delete(notes).where(notes.c.key.startswith(prefix, autoescape=True)))


log = logging.getLogger(__name__)

HOST_NEWS: Final = "host announcement"
"""The kind of the job that another process leaves for the running bot."""

MAX_TEXT: Final = 500
_SHOWN_AFTERWARDS: Final = timedelta(minutes=5)
_SHOWN_WITHOUT_TIME: Final = timedelta(hours=1)
_TRY_AGAIN_AFTER: Final = timedelta(minutes=1)

TRY_AGAIN: Final = "again"
"""The note of a channel that could not be told for now; otherwise it is the id of the message, or empty."""


@dataclass(frozen=True, slots=True)
class HostNews:
    """What a host announces, and for when."""

    text: str
    at: datetime | None
    """When it happens."""
    until: datetime
    """When the messages are removed."""

    def __str__(self) -> str:
        at = None if self.at is None else self.at.isoformat()
        return json.dumps([self.text, at, self.until.isoformat()])

    @classmethod
    def parse(cls, text: str) -> "HostNews":
        """Read what `str` has written."""
        words, at, until = json.loads(text)
        return cls(words, None if at is None else datetime.fromisoformat(at), datetime.fromisoformat(until))


class HostNewsSender(Protocol):
    """Posts and removes lines that mention nobody, after everything more urgent."""

    async def post_news(self, channel_id: int, news: HostNews) -> int:
        """Post a line in a channel and return the message's id; what was posted minutes ago is not posted again.

        Raises:
            ChannelUnreachable: The bot can't post there.
            DeliveryFailed: Sending failed for now.
        """

    async def remove_news(self, channel_id: int, message_id: int) -> None:
        """Delete a line, if that is possible."""


async def announce(db: Database, text: str, now: datetime, wait: timedelta | None) -> HostNews:
    """Leave an announcement for the running bot."""
    at = None if wait is None else now + wait
    news = HostNews(text, at, now + _SHOWN_WITHOUT_TIME if at is None else at + _SHOWN_AFTERWARDS)
    await db.maintain(job_storage.put, Job(HOST_NEWS, str(news), now))
    return news


class HostNewsService:
    """Posts announcements once per channel.

    A channel is noted before its line is sent: of two processes one sends it, and a crash in between sends none. Where
    sending fails for now, it is tried again until the announced time.
    """

    def __init__(self, db: Database, sender: HostNewsSender, clock: Callable[[], datetime]) -> None:
        self._db = db
        self._sender = sender
        self._clock = clock

    async def run(self, job: Job) -> datetime | None:
        """Post an announcement, or remove it when its time is over."""
        news = HostNews.parse(job.key)
        if self._clock() >= news.until:
            await self._remove(news)
            return None
        told, has_failed = await self._db.read(find_notes, _prefix(news)), False
        for channel_id in await self._db.read(find_open_channels):
            key = f"{_prefix(news)}{channel_id}"
            if told.get(key) == TRY_AGAIN or await self._db.maintain(claim_note, key):
                note = await self._post(channel_id, news)
                has_failed |= note == TRY_AGAIN
                await self._db.maintain(set_value, key, note)
        again = self._clock() + _TRY_AGAIN_AFTER
        return again if has_failed and again < (news.at or news.until) else news.until

    async def _post(self, channel_id: int, news: HostNews) -> str:
        """Tell a channel, and return what is noted of it."""
        try:
            return str(await self._sender.post_news(channel_id, news))
        except ChannelUnreachable as fault:
            log.info("an announcement of the host was not posted: %s", fault)
            return ""
        except DeliveryFailed as fault:
            log.info("an announcement of the host was not posted for now: %s", fault)
            return TRY_AGAIN

    async def _remove(self, news: HostNews) -> None:
        for key, message_id in (await self._db.read(find_notes, _prefix(news))).items():
            if message_id.isdecimal():
                await self._sender.remove_news(int(key.rpartition(" ")[2]), int(message_id))
        await self._db.maintain(delete_notes, _prefix(news))


def _prefix(news: HostNews) -> str:
    """Return how the notes of an announcement begin."""
    return f"{HOST_NEWS} {news.until.isoformat()} "
