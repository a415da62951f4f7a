"""Applies actions to stored tournaments, and repeats an action if another writer has saved first."""

import contextlib
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.features.blocks.service import Blocks
from bot.features.tournaments import actions, rounds, storage
from bot.features.tournaments.model import (
    ADVANCE_KIND,
    Announced,
    CancelledBy,
    PairedTables,
    Pairing,
    Stage,
    Tournament,
    TournamentConflict,
    TournamentId,
    TournamentReason,
    UserId,
    Verdict,
    jobs_after,
    jobs_at_opening,
)
from bot.platform.database.database import Database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.memory import TableLocks

MAX_OPEN: Final = 10
"""The open tournaments of a server from which on only organizers open more."""
MAX_OPEN_OF_ORGANIZERS: Final = 30
"""The most open tournaments of a server."""

_ATTEMPTS: Final = 20
"""How often a change is decided again because another process was faster, as during a hand-over."""

_Decide: TypeAlias = Callable[[Tournament, rounds.Apart], Tournament]


class TournamentService:
    """Changes tournaments. Every method may raise its action's errors, and StoreUnavailable."""

    def __init__(
        self,
        db: Database,
        blocks: Blocks,
        clock: Callable[[], datetime],
        make_seed: Callable[[], str] = lambda: secrets.token_hex(8),
    ) -> None:
        self._db = db
        self._blocks = blocks
        self._clock = clock
        self._make_seed = make_seed
        self._locks = TableLocks()
        """Lets the changes of one process wait for each other, because dozens of people join at the same time."""

    async def open(self, tournament: Tournament) -> Tournament:
        """Store a new tournament.

        Raises:
            Refusal: The server has too many open tournaments, or the opener, who is no organizer, has one already.
        """
        most = MAX_OPEN_OF_ORGANIZERS if tournament.is_by_organizer else MAX_OPEN
        return await self._db.write(storage.add, tournament, most, jobs_at_opening(tournament, self._clock()))

    async def load(self, tournament_id: TournamentId) -> Tournament:
        """Return a tournament; refuse if there is none."""
        tournament = await self._db.read(storage.find, tournament_id)
        if tournament is None:
            raise Refusal(TournamentReason.UNKNOWN)
        return tournament

    async def channels_in(self, guild_id: int) -> Collection[int]:
        """Return the channels of a server in which there are tournaments."""
        return await self._db.read(storage.find_channels, guild_id)

    async def list_in(self, guild_id: int, channels: Collection[int]) -> Sequence[Tournament]:
        """Return the tournaments in some channels of a server, open ones first, then the newest first."""
        return await self._db.read(storage.find_in_server, guild_id, channels, MAX_OPEN_OF_ORGANIZERS)

    async def tables(self, tournament_id: TournamentId) -> PairedTables:
        """Return the tables of a tournament."""
        return await self._db.read(storage.find_tables, tournament_id)

    async def join(self, tournament_id: TournamentId, person: Person, click_id: int) -> Tournament:
        """Add a player."""
        return await self._change(tournament_id, lambda found, _: actions.join(found, person, click_id))

    async def choose_options(self, tournament_id: TournamentId, choose: Callable[[str], str]) -> Tournament:
        """Choose the options of the games before the start, given the present ones as JSON."""
        return await self._change(tournament_id, lambda found, _: actions.choose_options(found, choose(found.options)))

    async def leave(self, tournament_id: TournamentId, user_id: UserId) -> Tournament:
        """Remove a player before the start."""
        return await self._change(tournament_id, lambda found, _: actions.leave(found, user_id))

    async def check_in(self, tournament_id: TournamentId, user_id: UserId) -> Tournament:
        """Note that a player is there."""
        return await self._change(tournament_id, lambda found, _: actions.check_in(found, user_id))

    async def start(self, tournament_id: TournamentId) -> tuple[Tournament, Tournament]:
        """Draw the players and begin the first round; return the tournament before and after it."""
        seed = self._make_seed()
        return await self._replace(tournament_id, lambda found, apart: actions.start(found, seed, apart))

    async def start_on_time(self, tournament_id: TournamentId) -> tuple[Tournament, Tournament]:
        """Start a tournament if its time has come, or cancel it; return it before and after that."""
        seed = self._make_seed()
        return await self._replace(
            tournament_id,
            lambda found, apart: actions.start_on_time(found, seed, apart) if self._is_due(found) else found,
        )

    async def open_check_in(self, tournament_id: TournamentId) -> Tournament:
        """Open the check-in, if there is one and its time has come."""
        return await self._change(
            tournament_id, lambda found, _: actions.open_check_in(found) if self._is_due(found) else found
        )

    def _is_due(self, tournament: Tournament) -> bool:
        """Return whether the start or the check-in is due; an organizer may have moved it while its job began."""
        starts_at = tournament.starts_at
        return starts_at is not None and starts_at - tournament.check_in_ahead <= self._clock()

    async def reschedule(
        self, tournament_id: TournamentId, starts_at: datetime | None
    ) -> tuple[Tournament, Tournament]:
        """Move the start, or leave it to the organizers; return the tournament before and after that."""
        now = self._clock()
        return await self._replace(tournament_id, lambda found, _: actions.reschedule(found, starts_at, now))

    async def cancel(self, tournament_id: TournamentId, by: CancelledBy) -> tuple[Tournament, Tournament]:
        """End a tournament without a champion; return it before and after that."""
        return await self._replace(tournament_id, lambda found, _: actions.cancel(found, by))

    async def abandon(self, tournament_id: TournamentId) -> Tournament:
        """End a tournament whose channel was deleted."""
        return await self._change(tournament_id, lambda found, _: actions.abandon(found))

    async def withdraw(self, tournament_id: TournamentId, user_id: UserId) -> Tournament:
        """Withdraw a player; their earlier games still count."""
        tables = await self.tables(tournament_id)
        return await self._change(
            tournament_id, lambda found, _: actions.withdraw(rounds.take_results(found, tables), user_id)
        )

    async def take_out(self, tournament_id: TournamentId, person: Person, click_id: int) -> Tournament:
        """Withdraw a player on behalf of an organizer; before the start, keep any person from joining."""
        tables = await self.tables(tournament_id)
        return await self._change(
            tournament_id, lambda found, _: actions.take_out(rounds.take_results(found, tables), person, click_id)
        )

    async def readmit(self, tournament_id: TournamentId, user_id: UserId) -> Tournament:
        """Let a person join again who was taken out before the start."""
        return await self._change(tournament_id, lambda found, _: actions.readmit(found, user_id))

    async def leave_server(self, guild_id: int, user_id: UserId) -> None:
        """Withdraw a person from the open tournaments of a server, and show this."""
        for tournament_id, server_id in (await self._db.read(storage.find_open_of, user_id)).items():
            if server_id == guild_id:
                with contextlib.suppress(Refusal):
                    await self.withdraw(tournament_id, user_id)
                job = Job(ADVANCE_KIND, str(tournament_id), self._clock(), guild_id=guild_id)
                await self._db.maintain(job_storage.put, job)

    async def leave_all(self, user_id: UserId) -> Sequence[Job]:
        """Withdraw a person from all open tournaments; return the jobs that show this once the person is erased."""
        found = await self._db.read(storage.find_open_of, user_id)
        for tournament_id in found:
            with contextlib.suppress(Refusal):
                await self.withdraw(tournament_id, user_id)
        now = self._clock()
        return [Job(ADVANCE_KIND, str(each), now, guild_id=guild_id) for each, guild_id in found.items()]

    async def close_in(self, guild_id: int) -> int:
        """End the tournaments of a server; return how many were ended."""
        closed = 0
        for tournament_id in await self._db.read(storage.find_open_in, guild_id):
            with contextlib.suppress(Refusal):
                await self.abandon(tournament_id)
                closed += 1
        return closed

    async def abandon_in_channel(self, channel_id: int) -> None:
        """End the tournaments in a channel that was deleted; may raise StoreUnavailable."""
        for tournament_id in await self._db.read(storage.find_open_in_channel, channel_id):
            with contextlib.suppress(Refusal):
                await self.abandon(tournament_id)

    async def replace_player(
        self, tournament_id: TournamentId, player_id: UserId, person: Person, click_id: int
    ) -> Tournament:
        """Give a player's place to another person; games that are over are counted first."""
        tables = await self.tables(tournament_id)
        return await self._change(
            tournament_id,
            lambda found, _: actions.replace_player(rounds.take_results(found, tables), player_id, person, click_id),
        )

    async def decide(
        self, tournament_id: TournamentId, place: tuple[int, int], verdict: Verdict
    ) -> tuple[Tournament, Tournament]:
        """Decide a pairing, unless it has been played or decided meanwhile; return the tournament before and after."""
        tables = await self.tables(tournament_id)
        return await self._replace(
            tournament_id,
            lambda found, _: actions.decide(rounds.take_results(found, tables), place, verdict),
        )

    async def extend(
        self, tournament_id: TournamentId, shown: tuple[int, int], time: timedelta
    ) -> tuple[Tournament, Tournament]:
        """Give the present round more time, unless its deadline is not the shown one any more; return both states."""
        now = self._clock()
        return await self._replace(tournament_id, lambda found, _: actions.extend(found, shown, time, now))

    async def settle_round(self, tournament_id: TournamentId) -> tuple[Tournament, PairedTables]:
        """Store the results of finished tables; once all are decided, begin the next round or end the tournament."""
        tables = await self.tables(tournament_id)
        return await self._change(tournament_id, lambda found, apart: rounds.settle_round(found, tables, apart)), tables

    async def set_thread(self, tournament_id: TournamentId, pairing: Pairing, thread_id: int | None) -> Tournament:
        """Store the thread of a pairing, or that it is gone."""
        place = (pairing.round, pairing.board)

        def change(found: Tournament, _: rounds.Apart) -> Tournament:
            for now in found.in_play:
                if (now.round, now.board) == place:
                    return rounds.with_pairing(found, replace(now, thread_id=thread_id))
            return found

        return await self._change(tournament_id, change)

    async def note_reminded(self, tournament_id: TournamentId, number: int) -> Sequence[Pairing]:
        """Store that a round's pairings in play are reminded; return those not reminded before."""

        def remind(found: Tournament, _: rounds.Apart) -> Tournament:
            for pairing in found.in_play:
                if pairing.round == number:
                    found = rounds.with_pairing(found, replace(pairing, is_reminded=True))
            return found

        before, _ = await self._replace(tournament_id, remind)
        return [pairing for pairing in before.in_play if pairing.round == number and not pairing.is_reminded]

    async def note_late(self, tournament_id: TournamentId, number: int) -> Tournament | None:
        """Store that a round's time is up; return None if nothing is left to decide, or if this was stored before."""

        def end_time(found: Tournament, _: rounds.Apart) -> Tournament:
            is_undecided = found.stage is Stage.RUNNING and found.round == number and found.in_play
            # An organizer may have given more time while the job of the old deadline began.
            is_due = found.due_at is None or found.due_at <= self._clock()
            return replace(found, is_late=True) if is_undecided and is_due else found

        before, after = await self._replace(tournament_id, end_time)
        return after if after.is_late and not before.is_late else None

    async def close_forgotten(self, tournament_id: TournamentId) -> Tournament | None:
        """Cancel a tournament that was not started, or whose round is late; return None for any other."""

        def close(found: Tournament, _: rounds.Apart) -> Tournament:
            is_forgotten = found.stage is Stage.JOINING or (found.stage is Stage.RUNNING and found.is_late)
            return actions.abandon(found) if is_forgotten else found

        before, after = await self._replace(tournament_id, close)
        return after if after.stage is not before.stage else None

    async def note_announced(self, tournament_id: TournamentId, announced: Announced) -> Tournament:
        """Store what has been announced."""
        return await self._change(tournament_id, lambda found, _: replace(found, announced=announced))

    async def note_opening(self, tournament_id: TournamentId, channel_id: int | None) -> Tournament:
        """Store that the opening has been announced, and the channel in which the server had that done."""
        return await self._change(
            tournament_id, lambda found, _: replace(found, announced=Announced.OPENING, announced_in=channel_id)
        )

    async def _change(self, tournament_id: TournamentId, decide: _Decide) -> Tournament:
        return (await self._replace(tournament_id, decide))[1]

    async def _replace(self, tournament_id: TournamentId, decide: _Decide) -> tuple[Tournament, Tournament]:
        """Decide on the stored state and save, again if another writer was faster; return both states."""
        async with self._locks.for_table(tournament_id):
            for _ in range(_ATTEMPTS):
                before = await self.load(tournament_id)
                apart = await self._blocks.between([player.user_id for player in before.players])
                after = decide(before, apart)
                if after == before:
                    return before, before
                after = replace(after, revision=before.revision + 1)
                try:
                    await self._db.write(storage.save, before, after, jobs_after(before, after, self._clock()))
                except TournamentConflict:
                    continue
                return before, after
        raise TournamentConflict(tournament_id)
