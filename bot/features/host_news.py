"""News from the host, once for each channel.

An announcement, such as of a restart, goes to the channels of all open tables and is deleted afterwards.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from discord.utils import format_dt
from sqlalchemy import Connection, delete, func, insert, select

from bot.languages import speaking
from bot.platform.database.database import Database
from bot.platform.database.sql import notes, set_value, try_insert
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.discord.http import NETWORK_ERRORS, MessageClient, delete_request, post_text
from bot.platform.discord.languages import Languages
from bot.platform.discord.rate_limits import Urgency
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.platform.places import Location
from bot.platform.registration import JobKind
from bot.tables.app import App, Feature
from bot.tables.schema import HAS_PLACE, tables
from bot.words import gettext as _

log = logging.getLogger(__name__)

HOST_NEWS: Final = "host announcement"
"""The kind of the job through which another process hands an announcement to the running bot."""

MAX_TEXT: Final = 500
_SHOWN_AFTERWARDS: Final = timedelta(minutes=5)
_SHOWN_WITHOUT_TIME: Final = timedelta(hours=1)
_TRY_AGAIN_AFTER: Final = timedelta(minutes=1)

_NONCE_LENGTH: Final = 25
"""Discord's limit for a nonce."""

TRY_AGAIN: Final = "again"
"""The value of a channel's note if the announcement must be tried again; otherwise the message's id, or empty."""


@dataclass(frozen=True, slots=True)
class HostNews:
    """An announcement with its times."""

    text: str
    at: datetime | None
    """The time of the announced event."""
    until: datetime
    """The time at which the messages are deleted."""

    def __str__(self) -> str:
        at = None if self.at is None else self.at.isoformat()
        return json.dumps([self.text, at, self.until.isoformat()])

    @classmethod
    def parse(cls, text: str) -> "HostNews":
        """Parse the text that `str` produces."""
        words, at, until = json.loads(text)
        return cls(words, None if at is None else datetime.fromisoformat(at), datetime.fromisoformat(until))


async def announce(db: Database, text: str, now: datetime, wait: timedelta | None) -> HostNews:
    """Store an announcement for the running bot."""
    at = None if wait is None else now + wait
    news = HostNews(text, at, now + _SHOWN_WITHOUT_TIME if at is None else at + _SHOWN_AFTERWARDS)
    await db.maintain(job_storage.put, Job(HOST_NEWS, str(news), now))
    return news


class HostNewsService:
    """Posts announcements once per channel.

    A channel's note is stored before the message is sent, so of two processes only one sends it, and a crash in between
    sends none. A message that can't be sent for now is tried again until the announced time.
    """

    def __init__(
        self, db: Database, message_client: MessageClient, languages: Languages, clock: Callable[[], datetime]
    ) -> None:
        self._db = db
        self._message_client = message_client
        self._languages = languages
        self._clock = clock

    async def run(self, job: Job) -> datetime | None:
        """Post an announcement, or delete its messages once its time is over."""
        news = HostNews.parse(job.key)
        if self._clock() >= news.until:
            await self._remove(news)
            return None
        told, has_failed = await self._db.read(find_notes, _prefix(news)), False
        for place, opener_id in await self._db.read(find_open_channels):
            key = f"{_prefix(news)}{place.channel_id}"
            if told.get(key) == TRY_AGAIN or await self._db.maintain(claim_note, key):
                with speaking(await self._languages.of_place(place, opener_id)):
                    note = await self._post(place.channel_id, news)
                has_failed |= note == TRY_AGAIN
                await self._db.maintain(set_value, key, note)
        again = self._clock() + _TRY_AGAIN_AFTER
        return again if has_failed and again < (news.at or news.until) else news.until

    async def _post(self, channel_id: int, news: HostNews) -> str:
        """Post to a channel, after everything more urgent and without mentions; return the text of its note."""
        text = f"🔧 {news.text}"
        if news.at is not None:
            text = _("{text} It happens {when}; your tables are saved and go on afterwards.").format(
                text=text, when=format_dt(news.at, "R")
            )
        # With the same nonce, Discord does not post again what it got minutes ago.
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
    """Return the beginning of the keys of an announcement's notes."""
    return f"{HOST_NEWS} {news.until.isoformat()} "


def find_open_channels(connection: Connection) -> Sequence[tuple[Location, int]]:
    """Return the channels of the bot with an open table, each with the opener of one."""
    places = (tables.c.guild_id, tables.c.channel_id)
    found = select(*places, func.min(tables.c.opener_id)).where(HAS_PLACE, ~tables.c.is_outside).group_by(*places)
    return [(Location(*place), opener) for *place, opener in connection.execute(found.order_by(tables.c.channel_id))]


def claim_note(connection: Connection, key: str) -> bool:
    """Store an empty note; return False if the key exists."""
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
    news = HostNewsService(app.db, app.table_messages.message_client, app.languages, app.clock)
    return Feature(services=(news,), jobs=(JobKind(HOST_NEWS, news.run),))
