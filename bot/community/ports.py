"""What is needed from outside: the results of finished tables, and what servers prefer."""

from collections.abc import Sequence
from typing import Protocol

from bot.community.model import FinishedTables, GameStats, HistoryFilter, LeaderboardKey, Standings
from bot.tables.model import Preferences


class ResultStore(Protocol):
    """Knows the results of finished tables; every method is one transaction and raises StoreUnavailable."""

    async def standings(self, contest: LeaderboardKey, asker_id: int, offset: int, limit: int) -> Standings:
        """Return a stretch of a contest's ranking, and the asker's own standing.

        Games alone are ranked by the best score, then by the average; all others by wins, then by the share of games
        won. Who is equal in both shares a place, and stands in the order of their ids. Computer players are not ranked.
        """
        ...

    async def game_stats(self, user_id: int, guild_id: int | None) -> Sequence[GameStats]:
        """Return somebody's figures in one server or (None) anywhere, by game and company."""
        ...

    async def finished_tables(self, shelf: HistoryFilter, offset: int, limit: int) -> FinishedTables:
        """Return a stretch of finished tables, newest first."""
        ...


class PreferenceStore(Protocol):
    """Keeps what is preferred in a scope, see `Place.scope_id`; methods are transactions and raise StoreUnavailable."""

    async def load_preferences(self, scope_id: int) -> Preferences:
        """Return what is preferred; the defaults where nothing was chosen."""
        ...

    async def save_preferences(self, scope_id: int, preferred: Preferences) -> None:
        """Keep what is preferred, in place of what was."""
        ...
