"""Bans members, keeps the banned ones in memory, and takes them out of their tables."""

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from discord.utils import format_dt

from bot.features.moderation import storage
from bot.features.moderation.model import MAX_BANS, Ban, BanFacts, ModerationReason
from bot.features.moderation.storage import ChangedBan
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import Interaction
from bot.platform.jobs.looks import Look
from bot.platform.jobs.storage import Job
from bot.rules.refusals import Refusal
from bot.tables.refusals import LimitFacts, Stale
from bot.tables.removal import take_out
from bot.tables.service import TableService
from bot.tables.shown.links import escape_name

_PAGE: Final = 5000
_KEPT_AFTER_END: Final = timedelta(hours=1)

_Ends: TypeAlias = dict[int, dict[int, datetime | None]]
"""When bans end, by server and person; None without an end."""

LeaveServer: TypeAlias = Callable[[int, int], Awaitable[None]]
"""Withdraws a person from what a feature does in a server; takes the ids of server and person."""


class Bans:
    """The bans of all servers. Other processes follow a change within about ten seconds."""

    def __init__(self, db: Database, service: TableService, clock: Callable[[], datetime]) -> None:
        self._db = db
        self._service = service
        self._clock = clock
        self._ends: _Ends = {}
        self._seen = 0
        """The number of the newest change in memory."""
        self.leavers: list[LeaveServer] = []
        """What banned members leave besides tables."""

    def is_banned(self, guild_id: int | None, user_id: int) -> bool:
        """Return whether a person may not play in a server, as far as this process knows."""
        banned = self._ends.get(guild_id or 0)
        if banned is None or user_id not in banned:
            return False
        ends_at = banned[user_id]
        return ends_at is None or self._clock() < ends_at

    async def find_refusal(self, interaction: Interaction) -> Refusal | None:
        """Return the refusal of all that a banned member does; None for everyone else, without a query."""
        guild_id, user_id = interaction.guild_id, interaction.user.id
        if guild_id is None or not self.is_banned(guild_id, user_id):
            return None
        ban: Ban | None = None
        with contextlib.suppress(StoreUnavailable):
            ban = await self._db.read(storage.find, guild_id, user_id, self._clock())
        ends_at = self._ends.get(guild_id, {}).get(user_id)
        reason = escape_name(ban.reason) if ban is not None and ban.tells_reason and ban.reason else ""
        facts = BanFacts("" if ends_at is None else format_dt(ends_at), reason)
        if ends_at is None:
            return Refusal(ModerationReason.BANNED_FOR_REASON if reason else ModerationReason.BANNED, facts)
        return Refusal(ModerationReason.BANNED_UNTIL_FOR_REASON if reason else ModerationReason.BANNED_UNTIL, facts)

    async def ban(self, ban: Ban) -> None:
        """Ban a member, in the place of an earlier ban. A job takes them out of all tables if `take_out` fails.

        Raises:
            Refusal: The server has too many bans.
        """
        if not await self._db.write(storage.add, ban, MAX_BANS):
            raise Refusal(ModerationReason.TOO_MANY_BANS, LimitFacts(MAX_BANS))
        self._note(self._ends, ban)

    async def take_out(self, guild_id: int, user_id: int) -> int:
        """Take a banned member out of tournaments and all tables of a server; return the number of tables."""
        # Before the tables, so that a tournament opens no others.
        for leave in self.leavers:
            await leave(guild_id, user_id)
        left = 0
        for table_id in await self._db.read(storage.find_tables_of, guild_id, user_id):
            with contextlib.suppress(Refusal, Stale):
                await take_out(self._service, table_id, user_id)
                left += 1
        return left

    async def run(self, job: Job) -> None:
        """Take a member out of all tables of a server, if they are still banned. Handles a job."""
        guild_id, user_id = map(int, job.key.split(":"))
        if await self._db.read(storage.find, guild_id, user_id, self._clock()) is not None:
            await self.take_out(guild_id, user_id)

    async def lift(self, guild_id: int, user_id: int) -> None:
        """Let a member play again; refuse if they are not banned."""
        if not await self._db.write(storage.lift, guild_id, user_id, self._clock()):
            raise Refusal(ModerationReason.NOT_BANNED)
        _forget(self._ends, guild_id, user_id)

    async def list_in(self, guild_id: int) -> Sequence[Ban]:
        """Return the bans in a server, newest first."""
        return await self._db.read(storage.find_in_server, guild_id, self._clock())

    def look(self) -> Look:
        """Return the look that finds changes of bans."""
        return Look("bans", storage.HAS_CHANGED, lambda _now: {"bans_seen": str(self._seen)}, self.load)

    async def load(self) -> None:
        """Read the bans that have changed; after the start, and after deletions of data, all of them."""
        newest, seen = await self._db.read(storage.read_number), self._seen
        ends = self._ends if seen else {}
        while changed := await self._db.read(storage.find_changed, seen, _PAGE):
            for ban in changed:
                self._note(ends, ban)
            seen = changed[-1].number
        self._ends, self._seen = ends, max(seen, newest)

    def read_again(self) -> None:
        """Have all bans read again, because some may have been deleted; until then the known ones hold."""
        self._seen = 0

    async def prune(self) -> None:
        """Delete bans that have ended."""
        await self._db.maintain(storage.prune, self._clock() - _KEPT_AFTER_END)

    def _note(self, ends: _Ends, ban: Ban | ChangedBan) -> None:
        if ban.ends_at is not None and ban.ends_at <= self._clock():
            _forget(ends, ban.guild_id, ban.user_id)
        else:
            ends.setdefault(ban.guild_id, {})[ban.user_id] = ban.ends_at


def _forget(ends: _Ends, guild_id: int, user_id: int) -> None:
    banned = ends.get(guild_id, {})
    banned.pop(user_id, None)
    if not banned:
        ends.pop(guild_id, None)
