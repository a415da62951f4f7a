"""News from the host, once for each channel.

The channels of open tables are told what the host has to say, such as a restart, and it is removed afterwards.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from discord.utils import format_dt
from sqlalchemy import Connection, delete, insert, select

from bot.platform.database.database import Database
from bot.platform.database.sql import notes, set_value, try_insert
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.discord.http import NETWORK_ERRORS, MessageClient, delete_request, post_text
from bot.platform.discord.limits import Urgency
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.platform.registration import JobKind
from bot.tables.app import App, Feature
from bot.tables.schema import IS_LESSON, IS_OPEN, tables
from bot.words import gettext as _

log = logging.getLogger(__name__)

HOST_NEWS: Final = "host announcement"
"""The kind of the job that another process leaves for the running bot."""

MAX_TEXT: Final = 500
_SHOWN_AFTERWARDS: Final = timedelta(minutes=5)
_SHOWN_WITHOUT_TIME: Final = timedelta(hours=1)
_TRY_AGAIN_AFTER: Final = timedelta(minutes=1)

_NONCE_LENGTH: Final = 25
"""Discord's limit."""

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

    def __init__(self, db: Database, message_client: MessageClient, clock: Callable[[], datetime]) -> None:
        self._db = db
        self._message_client = message_client
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
        """Tell a channel, after everything more urgent and without mentioning anybody; return what is noted of it."""
        text = f"🔧 {news.text}"
        if news.at is not None:
            text = _("{text} It happens {when}; your tables are saved and go on afterwards.").format(
                text=text, when=format_dt(news.at, "R")
            )
        # What was posted minutes ago is not posted again.
        nonce = sha256(f"{channel_id} {news}".encode()).hexdigest()[:_NONCE_LENGTH]
        try:
            return str(
                await post_text(self._message_client, channel_id, (), text, urgency=Urgency.REMINDER, nonce=nonce)
            )
        except ChannelUnreachable as fault:
            log.info("an announcement of the host was not posted: %s", fault)
            return ""
        except DeliveryFailed as fault:
            log.info("an announcement of the host was not posted for now: %s", fault)
            return TRY_AGAIN

    async def _remove(self, news: HostNews) -> None:
        for key, message_id in (await self._db.read(find_notes, _prefix(news))).items():
            if message_id.isdecimal():
                line = delete_request(int(key.rpartition(" ")[2]), int(message_id))
                try:
                    await self._message_client.send_with_retries(line, Urgency.DELETION)
                except NETWORK_ERRORS as fault:
                    log.info("an announcement of the host could not be deleted: %s", fault)
        await self._db.maintain(delete_notes, _prefix(news))


def _prefix(news: HostNews) -> str:
    """Return how the notes of an announcement begin."""
    return f"{HOST_NEWS} {news.until.isoformat()} "


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


def register(app: App) -> Feature:
    """Register the news of hosts."""
    news = HostNewsService(app.db, app.table_messages.message_client, app.clock)
    return Feature(services=(news,), jobs=(JobKind(HOST_NEWS, news.run),))
