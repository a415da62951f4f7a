"""Runs tournaments: opens a round's tables, watches its deadline, and updates the messages.

Everything is done by jobs, which are repeated if they fail halfway, so each step first checks whether it is done.
"""

import contextlib
import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import partial
from typing import Final, TypeAlias

from cachetools import LRUCache

from bot.features.settings.moderator_log import ModeratorLog
from bot.features.tournaments import storage
from bot.features.tournaments.announcing import Announcements
from bot.features.tournaments.model import (
    ADVANCE_KIND,
    Announced,
    PairedTable,
    PairedTables,
    Pairing,
    Player,
    Stage,
    Tournament,
    TournamentId,
    TournamentReason,
    parse_round_key,
)
from bot.features.tournaments.notices import announcement_text, cancelled_text, closed_text, start_text
from bot.features.tournaments.sending import DiscordTournamentMessages
from bot.features.tournaments.service import TournamentService
from bot.languages import Language, current_language, speaking
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.errors import (
    ChannelDeleted,
    ChannelUnreachable,
    DeliveryFailed,
    MessageGone,
    ThreadArchived,
    TooManyEdits,
)
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import LEASE
from bot.platform.jobs.storage import Job
from bot.platform.places import Location, Person
from bot.platform.tasks import TaskSet
from bot.rules.refusals import Refusal
from bot.tables.lobby import make_occupant
from bot.tables.memory import TableLocks
from bot.tables.model import Status
from bot.tables.opening import open_pairing
from bot.tables.refusals import HostReason, Stale
from bot.tables.removal import take_out
from bot.tables.service import TableService
from bot.tables.table import Table

log = logging.getLogger(__name__)

LOOK_EVERY: Final = timedelta(minutes=15)
"""The interval at which a tournament is checked, in case its start moved, or news of a table or channel got lost."""

_TRY_AGAIN_AFTER: Final = timedelta(minutes=1)
"""The wait before a failed message is tried again."""

_BUSY_PAUSE: Final = timedelta(seconds=2)
"""The wait while another process handles the tournament."""

_MAX_REMEMBERED: Final = 1024

_Shown: TypeAlias = tuple[int, datetime | None, tuple[PairedTable, ...], str, Language]


class Director:
    """Handles the jobs of tournaments."""

    def __init__(
        self,
        db: Database,
        service: TournamentService,
        table_service: TableService,
        messages: DiscordTournamentMessages,
        announcements: Announcements,
        log: ModeratorLog,
    ) -> None:
        self._announcements = announcements
        self._log = log
        self._db = db
        self._service = service
        self._tables = table_service
        self._messages = messages
        self._locks = TableLocks()
        self._shown: LRUCache[TournamentId, _Shown] = LRUCache(_MAX_REMEMBERED)
        """The state shown by each message, so that unchanged messages are not edited."""
        self._wakes = TaskSet("tournament")

    def on_table_changed(self, table: Table) -> None:
        """Advance a tournament as soon as one of its tables has started or ended."""
        link, header = table.header.link, table.header
        has_started = header.status is Status.PLAYING and header.step == 0
        if link is not None and table.kind.is_arranged and (has_started or not header.status.is_open):
            self._wakes.start(table.id, self._wake(link.first_id, header.location.guild_id or 0))

    async def close(self, seconds: float) -> None:
        """Finish running tasks, within some seconds."""
        await self._wakes.close(seconds)

    async def _wake(self, tournament_id: TournamentId, guild_id: int) -> None:
        # If this fails, the periodic check picks it up.
        with contextlib.suppress(StoreUnavailable):
            job = Job(ADVANCE_KIND, str(tournament_id), self._tables.clock(), guild_id=guild_id)
            await self._db.maintain(job_storage.put, job)

    async def run_advance_job(self, job: Job) -> datetime | None:
        """Store results, open the round's tables, close decided ones, update the message and announce the end."""
        tournament_id, now = int(job.key), self._tables.clock()
        # A job that is scheduled again meanwhile may run in another process at the same time.
        if not await self._db.maintain(storage.claim, tournament_id, now, now + LEASE):
            tournament = await self._db.read(storage.find, tournament_id)
            return None if tournament is None else now + _BUSY_PAUSE
        try:
            return await self._settle_and_show(tournament_id)
        except Refusal as refusal:
            if refusal.reason is not TournamentReason.UNKNOWN:
                raise
            log.info("tournament %s was deleted meanwhile", tournament_id)
            return None
        finally:
            await self._db.maintain(storage.release, tournament_id)

    async def _settle_and_show(self, tournament_id: TournamentId) -> datetime | None:
        _settled, tables = await self._service.settle_round(tournament_id)
        # Load it again for the deadline of a new round.
        tournament = await self._service.load(tournament_id)
        try:
            tables = await self._free_seats(tournament, tables)
            tournament = await self._open_tables(tournament, tables)
            await self._close_tables(tournament, tables)
            if tournament.stage.is_open:
                # An archived thread takes no edits, but new messages, which open it again.
                with contextlib.suppress(ThreadArchived):
                    await self.show(tournament.id)
                await self._announce(tournament.id)
            else:
                # Its own channel may be closed to the bot, while the chosen one is not.
                with contextlib.suppress(ChannelUnreachable):
                    await self.show(tournament.id)
                await self._announce_end(tournament.id)
        except ChannelDeleted:
            await self._service.abandon(tournament.id)
            return None
        except ChannelUnreachable as fault:
            log.info("tournament %s can't be shown: %s", tournament.id, fault)
        except DeliveryFailed as fault:
            log.info("tournament %s can't be shown for now: %s", tournament.id, fault)
            return self._tables.clock() + _TRY_AGAIN_AFTER
        return self._tables.clock() + LOOK_EVERY if tournament.stage.is_open else None

    async def _announce(self, tournament_id: TournamentId) -> None:
        """Announce a tournament that has opened, and call the players to its check-in, unless this is done."""
        tournament = await self._service.load(tournament_id)
        if tournament.stage is Stage.JOINING and tournament.announced < Announced.OPENING:
            channel_id = await self._announcements.announce(tournament)
            tournament = await self._service.note_opening(tournament_id, channel_id)
        if tournament.is_checking_in and tournament.announced < Announced.CHECK_IN:
            with speaking(await self._messages.languages.of_server(tournament.location.guild_id)):
                await self._messages.call(tournament)
            await self._service.note_announced(tournament_id, Announced.CHECK_IN)

    async def _announce_end(self, tournament_id: TournamentId) -> None:
        """Announce the champion in the chosen channel, the log and the tournament's channel, unless this is done.

        A cancelled tournament is announced only where its opening was; whatever cancelled it has told its channel.
        """
        tournament = await self._service.load(tournament_id)
        if tournament.stage is Stage.CANCELLED:
            if tournament.announced_in is not None and tournament.announced < Announced.END:
                await self._announcements.follow_up(tournament, partial(cancelled_text, tournament, self._tables.games))
                await self._service.note_announced(tournament_id, Announced.END)
            return
        if tournament.announced < Announced.END_IN_CHOSEN_CHANNEL:
            is_in_own = await self._announcements.announce(tournament) == tournament.location.channel_id
            self._log.note(tournament.location.guild_id, partial(announcement_text, tournament, self._tables.games))
            announced = Announced.END if is_in_own else Announced.END_IN_CHOSEN_CHANNEL
            tournament = await self._service.note_announced(tournament_id, announced)
        if tournament.announced < Announced.END:
            with (
                contextlib.suppress(ChannelUnreachable),
                speaking(await self._messages.languages.of_server(tournament.location.guild_id)),
            ):
                await self._messages.announce(
                    tournament, tournament.location, announcement_text(tournament, self._tables.games)
                )
            await self._service.note_announced(tournament_id, Announced.END)

    async def show(self, tournament_id: TournamentId, *, again: bool = False) -> None:
        """Show the present state of a tournament, in its message or, if that was deleted, in a new one.

        With `again`, show it even if it has not changed, because somebody may have deleted the message.
        """
        async with self._locks.for_table(tournament_id):
            tournament = await self._service.load(tournament_id)
            with speaking(await self._messages.languages.of_server(tournament.location.guild_id)):
                await self._show(tournament, again=again)

    async def _show(self, tournament: Tournament, *, again: bool) -> None:
        tournament_id, tables = tournament.id, await self._service.tables(tournament.id)
        why_no_threads = await self._messages.why_no_threads(tournament)
        due_at = tournament.due_at or tournament.starts_at
        state = (tournament.revision, due_at, tuple(tables.values()), why_no_threads, current_language())
        if not again and tournament.message_id is not None and self._shown.get(tournament_id) == state:
            return
        worn: int | None = None
        try:
            message_id = await self._messages.show(tournament, tables, why_no_threads)
        except MessageGone as fault:
            worn = tournament.message_id if isinstance(fault, TooManyEdits) else None
            await self._db.maintain(storage.set_message, tournament_id, None, tournament.message_id)
            tournament = await self._service.load(tournament_id)
            message_id = await self._messages.show(tournament, tables, why_no_threads)
        if message_id != tournament.message_id and not await self._db.maintain(
            storage.set_message, tournament_id, message_id, None
        ):
            # Another process has meanwhile posted a message, or the tournament was deleted.
            await self._messages.remove(tournament.location, message_id)
        self._shown[tournament_id] = state
        if worn is not None and worn != message_id:
            await self._messages.remove(tournament.location, worn)

    async def _free_seats(self, tournament: Tournament, tables: PairedTables) -> PairedTables:
        """Take replaced players from their tables: a computer player plays on, unless no one has moved yet."""
        for pairing in tournament.in_play if tournament.stage is Stage.RUNNING else ():
            found = tables.get(pairing.part)
            if found is None:
                continue
            with contextlib.suppress(Refusal, Stale):
                table = await self._tables.table(found.table_id)
                seated = {who.user_id for seat, who in enumerate(table.seats) if seat not in table.seat_status.left}
                for user_id in seated - {None, *pairing.people}:
                    if table.acted and user_id is not None:
                        await take_out(self._tables, table.id, user_id)
                    else:
                        # The pairing gets another table.
                        await self._tables.close(table.id)
        return await self._service.tables(tournament.id)

    async def _open_tables(self, tournament: Tournament, tables: PairedTables) -> Tournament:
        """Open a table for each pairing in play without one; a cancelled or abandoned table doesn't count."""
        if tournament.stage is not Stage.RUNNING or tournament.game not in self._tables.games:
            return tournament
        for pairing in tournament.in_play:
            if pairing.part not in tables:
                # Discord's rate limit may delay each thread by minutes.
                await self._db.maintain(storage.prolong, tournament.id, self._tables.clock() + LEASE)
                thread_id = pairing.thread_id
                if thread_id is None or await self._messages.is_gone(thread_id):
                    thread_id = await self._messages.open_thread(tournament, pairing)
                if thread_id != pairing.thread_id:
                    tournament = await self._service.set_thread(tournament.id, pairing, thread_id)
                await self._open_table(tournament, pairing, thread_id or tournament.location.channel_id)
        return tournament

    async def _open_table(self, tournament: Tournament, pairing: Pairing, channel_id: int) -> None:
        is_own_thread = channel_id != tournament.location.channel_id
        location = Location(tournament.location.guild_id, channel_id, is_own_thread=is_own_thread)
        players = [player for user_id in pairing.people if (player := tournament.player(user_id))]
        seats = tuple(make_occupant(Person(player.user_id, player.name), player.click_id) for player in players)
        link = tournament.link_of(pairing)
        try:
            await open_pairing(self._tables, tournament.game, tournament.options, seats, location, link)
        except Stale:
            return
        except Refusal as refusal:
            # In a channel without threads, the table waits until the channel is free.
            if refusal.reason not in (HostReason.GOES_ON_THERE, HostReason.CHANNEL_TAKEN, HostReason.CHANNEL_IDLE):
                log.warning("no table for pairing %s of tournament %s: %s", pairing.part, tournament.id, refusal.reason)
            return
        with contextlib.suppress(ChannelUnreachable, DeliveryFailed):
            await self._messages.greet(tournament, pairing, channel_id)

    async def _close_tables(self, tournament: Tournament, tables: PairedTables) -> None:
        """Close open tables whose pairings were decided without them."""
        wanted = {pairing.part for pairing in tournament.in_play} if tournament.stage is Stage.RUNNING else set()
        for part, table in tables.items():
            if part not in wanted and table.status is not Status.FINISHED:
                with contextlib.suppress(Refusal, Stale):
                    await self._tables.close(table.table_id)

    async def start(self, job: Job) -> None:
        """Open the check-in if the tournament has one; otherwise, or at its end, start the tournament or cancel it."""
        tournament_id = int(job.key)
        with contextlib.suppress(Refusal):
            tournament = await self._service.load(tournament_id)
            if tournament.check_in_minutes and not tournament.is_checking_in:
                # This schedules the job again, and the one that calls the players.
                await self._service.open_check_in(tournament_id)
                return
            before, after = await self._service.start_on_time(tournament_id)
            if after.stage is not before.stage:
                await self.tell_started(before, after)

    async def tell_started(self, before: Tournament, after: Tournament) -> None:
        """Post whom the draw has left out or, if the tournament was cancelled instead, why."""
        text = start_text(before, after, self._tables.games)
        if not text:
            return
        if after.stage is Stage.CANCELLED:
            self._log.note(after.location.guild_id, partial(start_text, before, after, self._tables.games))
        await self.tell(after, text)

    async def announce_change(self, tournament: Tournament, describe: Callable[[], str]) -> None:
        """Post a change where the opening was announced, unless that is the tournament's own channel; it may fail."""
        with contextlib.suppress(DeliveryFailed):
            await self._announcements.follow_up(tournament, describe)

    async def tell(self, tournament: Tournament, text: str, thread_id: int | None = None) -> None:
        """Post a text that notifies no one, in the channel or in the thread of a game; it is lost if this fails."""
        with contextlib.suppress(ChannelUnreachable, DeliveryFailed):
            await self._messages.tell(tournament, text, thread_id)

    async def remind(self, job: Job) -> None:
        """Remind players who have not played that half the time has passed."""
        tournament_id, number = parse_round_key(job.key)
        with contextlib.suppress(Refusal):
            due = await self._service.note_reminded(tournament_id, number)
            tournament, tables = await self._service.load(tournament_id), await self._service.tables(tournament_id)
            for pairing in due:
                if await self._forget_lost_thread(tournament, pairing, tables):
                    continue
                late = await self.late_players(tournament, pairing, tables)
                with contextlib.suppress(ChannelUnreachable, DeliveryFailed):
                    await self._messages.remind(tournament, pairing, late)

    async def end_time(self, job: Job) -> None:
        """When a round's time is up, ask the opener to decide the open pairings; nobody loses automatically."""
        tournament_id, number = parse_round_key(job.key)
        with contextlib.suppress(Refusal):
            await self._service.settle_round(tournament_id)
            tournament = await self._service.note_late(tournament_id, number)
            if tournament is None:
                return
            tables = await self._service.tables(tournament_id)
            for pairing in tournament.in_play:
                await self._forget_lost_thread(tournament, pairing, tables)
            with contextlib.suppress(ChannelUnreachable, DeliveryFailed):
                await self._messages.ask(tournament)

    async def close_forgotten(self, job: Job) -> None:
        """Close a tournament that nobody has started or decided, because a server can have only a limited number."""
        with contextlib.suppress(Refusal):
            tournament = await self._service.close_forgotten(int(job.key))
            if tournament is not None:
                log.info("tournament %s was closed because it was forgotten", tournament.id)
                describe = partial(closed_text, tournament, self._tables.games)
                self._log.note(tournament.location.guild_id, describe)
                await self.tell(tournament, describe())

    async def late_players(self, tournament: Tournament, pairing: Pairing, tables: PairedTables) -> Collection[Player]:
        """Return the players of a pairing who have not moved or, if both have, the player to move."""
        players = [player for user_id in pairing.people if (player := tournament.player(user_id))]
        found = tables.get(pairing.part)
        if found is None:
            return players
        with contextlib.suppress(Refusal):
            table = await self._tables.table(found.table_id)
            late = [player for seat, player in enumerate(players) if seat not in table.acted]
            return late or [player for seat, player in enumerate(players) if seat == table.header.to_move]
        return players

    async def has_moved(self, pairing: Pairing, tables: PairedTables) -> Collection[int]:
        """Return the ids of a pairing's players who have moved at its table."""
        found = tables.get(pairing.part)
        if found is None:
            return ()
        with contextlib.suppress(Refusal):
            table = await self._tables.table(found.table_id)
            return [user_id for seat, user_id in enumerate(pairing.people) if seat in table.acted]
        return ()

    async def _forget_lost_thread(self, tournament: Tournament, pairing: Pairing, tables: PairedTables) -> bool:
        """If a pairing's thread was deleted, close its table, so that it gets another. Return whether it was."""
        with contextlib.suppress(ChannelUnreachable, DeliveryFailed):
            if pairing.thread_id is None or not await self._messages.is_gone(pairing.thread_id):
                return False
            if table := tables.get(pairing.part):
                with contextlib.suppress(Refusal, Stale):
                    await self._tables.close(table.table_id)
            await self._service.set_thread(tournament.id, pairing, None)
            return True
        return False
