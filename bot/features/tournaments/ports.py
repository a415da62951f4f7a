"""What tournaments need: a store, and somebody who shows them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from bot.features.tournaments.model import PairedTables, Pairing, Player, Tournament, TournamentId
from bot.platform.jobs.jobs import Job
from bot.tables.model import Location


class TournamentConflict(Exception):
    """Another writer changed the tournament first; load it and decide again."""


class TournamentStore(Protocol):
    """Stores tournaments. Each method is a transaction and may raise StoreUnavailable."""

    async def add_tournament(self, tournament: Tournament, most: int, jobs: Sequence[Job]) -> Tournament | None:
        """Store a new tournament and return it with its id; None if its server has too many open ones.

        The keys of the jobs, which are stored with it, become the id.
        """

    async def load_tournament(self, tournament_id: TournamentId) -> Tournament | None:
        """Return a tournament, or None."""

    async def save_tournament(self, before: Tournament, after: Tournament, jobs: Sequence[Job]) -> None:
        """Store what has changed of a tournament, with the next revision, and schedule jobs.

        Raises:
            TournamentConflict: The stored revision is another one than before.
        """

    async def claim_tournament(self, tournament_id: TournamentId, now: datetime, until: datetime) -> bool:
        """Claim a tournament's tables for one process; return False if another one has them."""

    async def prolong_tournament(self, tournament_id: TournamentId, until: datetime) -> None:
        """Let the claim of a tournament's tables last until a time."""

    async def release_tournament(self, tournament_id: TournamentId) -> None:
        """Leave a tournament's tables to whoever is next."""

    async def set_tournament_message(
        self, tournament_id: TournamentId, message_id: int | None, replaced: int | None
    ) -> bool:
        """Store the message of a tournament; return False if it has another one than the one to be replaced."""

    async def list_tournaments(self, guild_id: int, limit: int) -> Sequence[Tournament]:
        """Return the tournaments of a server, open ones first, then the newest first."""

    async def paired_tables(self, tournament_id: TournamentId) -> PairedTables:
        """Return the tables of a tournament that were neither cancelled nor abandoned, by part."""


class TournamentMessages(Protocol):
    """Shows tournaments to people.

    Its methods may raise ChannelUnreachable if the bot can't post there, and DeliveryFailed if that may change soon.
    """

    async def show(self, tournament: Tournament, tables: PairedTables, why_no_threads: str) -> int:
        """Edit the message of a tournament, or post it if it has none, and return its id.

        Args:
            tournament: The tournament.
            tables: Its tables.
            why_no_threads: Why its games get no threads, in a sentence; empty if they do.

        Raises:
            MessageGone: The message was deleted.
        """

    async def remove(self, location: Location, message_id: int) -> None:
        """Delete a message; failures are only logged."""

    async def why_no_threads(self, tournament: Tournament) -> str:
        """Return in a sentence why games get no threads; empty if they do, or if nobody knows yet."""

    async def open_thread(self, tournament: Tournament, pairing: Pairing) -> int | None:
        """Return the thread of a pairing, opened unless it exists; None if there can be none."""

    async def is_gone(self, channel_id: int) -> bool:
        """Return whether a thread was deleted."""

    async def greet(self, tournament: Tournament, pairing: Pairing, channel_id: int) -> None:
        """Tell the players of a pairing where they play, and until when."""

    async def remind(self, tournament: Tournament, pairing: Pairing, late: Collection[Player]) -> None:
        """Remind the players of a pairing who have not played that half the time is over."""

    async def ask(self, tournament: Tournament) -> None:
        """Ask the opener to decide the pairings whose time is up."""

    async def announce(self, tournament: Tournament) -> None:
        """Announce who has won."""

    async def tell_closed(self, tournament: Tournament) -> None:
        """Tell that a tournament was closed because it was forgotten."""
