"""Pings of the day: a direct message at an hour that a person has chosen, unless they have played by then."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import discord
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    Text,
    bindparam,
    delete,
    exists,
    literal,
    null,
    select,
    update,
)

from bot.features.challenges import storage as challenge_storage
from bot.features.challenges.ids import ChallengeButton, challenge_button
from bot.features.reminders import storage as reminder_storage
from bot.languages import speaking
from bot.platform.database.database import Database
from bot.platform.database.sql import UtcDateTime, Values, rowless_table, upsert
from bot.platform.discord.errors import DeliveryFailed, RefusesDirectMessages
from bot.platform.jobs.looks import Look
from bot.platform.jobs.shard_leases import is_served, select_served
from bot.platform.notices.sending import Line, MessageSender
from bot.platform.places import ShardRange, day_of
from bot.platform.time_zones import NO_ZONE, load_zone, next_hour
from bot.tables.kinds import Cadence, Edition, edition_on
from bot.tables.schema import read_row
from bot.words import gettext as _

log = logging.getLogger(__name__)

_MOST: Final = 100
"""How many pings are sent in one look."""

daily_pings = rowless_table(
    "daily_pings",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("hour", Integer, nullable=False),
    Column("zone", Text, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Index("daily_pings_due", "due_at"),
)


@dataclass(frozen=True, slots=True)
class DailyPing:
    """A person's choice of an hour, in their time zone, and the next time."""

    user_id: int
    hour: int
    zone: str
    due_at: datetime

    def following(self, now: datetime) -> datetime:
        """Return the next ping after a moment; UTC stands in for a time zone that no longer exists."""
        return next_hour(now, self.hour, self.zone)


# Direct messages belong to one of several processes.
_IS_DUE: Final = (daily_pings.c.due_at <= bindparam("now", type_=UtcDateTime), is_served(null()))
HAS_DUE: Final = exists().where(*_IS_DUE)
SELECT_DUE: Final = select(daily_pings).where(*_IS_DUE).order_by(daily_pings.c.due_at).limit(literal(_MOST))
_OF_PERSON: Final = daily_pings.c.user_id == bindparam("person")
_SELECT: Final = select(daily_pings).where(_OF_PERSON)
_DELETE: Final = delete(daily_pings).where(_OF_PERSON)
_CLAIM: Final = (
    update(daily_pings)
    .where(_OF_PERSON, daily_pings.c.due_at == bindparam("was_due_at", type_=UtcDateTime))
    .values(due_at=bindparam("next_at", type_=UtcDateTime))
)


def find_ping(connection: Connection, user_id: int) -> DailyPing | None:
    """Return a person's choice, or None."""
    row = connection.execute(_SELECT, {"person": user_id}).one_or_none()
    return None if row is None else read_row(DailyPing, row)


def put_ping(connection: Connection, ping: DailyPing) -> None:
    """Store a person's choice in place of an earlier one."""
    row = {"hour": ping.hour, "zone": ping.zone, "due_at": ping.due_at}
    upsert(connection, daily_pings.c.user_id, ping.user_id, row)


def delete_ping(connection: Connection, user_id: int) -> None:
    """Delete a person's choice."""
    connection.execute(_DELETE, {"person": user_id})


def find_due(connection: Connection, shards: ShardRange, now: datetime) -> list[DailyPing]:
    """Return pings that are due, the longest due ones first."""
    return [read_row(DailyPing, row) for row in select_served(connection, shards, SELECT_DUE, {"now": now})]


def claim(connection: Connection, ping: DailyPing, edition: Edition, next_at: datetime) -> bool:
    """Put a due ping off to the next time; return whether it is this process's to send, and still wanted.

    It is not wanted once the person has begun the edition.
    """
    key = {"person": ping.user_id, "was_due_at": ping.due_at, "next_at": next_at}
    is_own = bool(connection.execute(_CLAIM, key).rowcount)
    return is_own and challenge_storage.find_attempt(connection, ping.user_id, edition) is None


class DailyPings:
    """Stores the choices of people, and sends the pings."""

    def __init__(self, db: Database, clock: Callable[[], datetime], sender: MessageSender) -> None:
        self._db, self._clock, self._sender = db, clock, sender

    def look(self) -> Look:
        """Return the look that finds due pings."""
        return Look("daily pings", HAS_DUE, _values, self.check)

    async def check(self) -> None:
        """Send the pings that are due."""
        now = self._clock()
        edition = edition_on(Cadence.DAILY, day_of(now))
        for ping in await self._db.read(find_due, self._db.shards, now):
            if await self._db.maintain(claim, ping, edition, ping.following(now)):
                await self._send(ping, edition)

    async def is_on(self, user_id: int) -> bool:
        """Return whether a person has asked for pings."""
        return await self._db.read(find_ping, user_id) is not None

    async def start(self, user_id: int, hour: int, zone: str) -> datetime:
        """Ping a person each day at a full hour in a time zone from now on; return the next time."""
        now = self._clock()
        ping = DailyPing(user_id, hour, zone, now)
        due_at = ping.following(now)
        await self._db.write(put_ping, DailyPing(user_id, hour, zone, due_at))
        return due_at

    async def start_at_this_hour(self, user_id: int) -> datetime:
        """Ping a person each day at the present hour, in the time zone of their quiet hours if they have any."""
        quiet = (await self._db.read(reminder_storage.find_choices, user_id, 0, None)).quiet
        zone = quiet.zone if quiet is not None and quiet.is_zone_known else NO_ZONE
        return await self.start(user_id, self._clock().astimezone(load_zone(zone)).hour, zone)

    async def end(self, user_id: int) -> None:
        """Send a person no more pings."""
        await self._db.write(delete_ping, user_id)

    async def _send(self, ping: DailyPing, edition: Edition) -> None:
        with speaking(await self._sender.languages.of_person(ping.user_id)):
            play = challenge_button(_("Play today's ten"), ChallengeButton.PLAY, edition, discord.ButtonStyle.success)
            line = Line(_("🎲 Today's ten rolls are ready."), (ping.user_id,), (play,))
        try:
            await self._sender.send_direct(line)
        except RefusesDirectMessages as fault:
            log.debug("a person accepts no pings of the day any more: %s", fault)
            await self.end(ping.user_id)
        except DeliveryFailed as fault:
            log.info("a ping of the day was not sent: %s", fault)


def _values(now: datetime) -> Values:
    return {"now": now}
