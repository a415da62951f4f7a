"""The stores that this package needs."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from bot.features.badges.ports import BadgeStore
from bot.features.blocks.model import Block
from bot.features.boards.model import BoardKey, Standings
from bot.features.daily_bag.ports import DailyBagStore
from bot.features.host_news.service import HostNewsStore
from bot.features.my_tables.model import MyTableStore
from bot.features.privacy.ports import PrivacyStore
from bot.features.profiles.model import (
    Duel,
    FinishedTable,
    FinishedTables,
    HistoryFilter,
    PersonalPreferences,
    PersonFacts,
    PersonRecord,
    Versus,
)
from bot.features.puzzles.model import DailyAnswer, DailyBoard, PuzzleAnswer, Streak
from bot.features.results.rating_model import RatingChange
from bot.features.seasons.model import EndedSeason, Season
from bot.features.settings.preferences import Preferences, SettingsAuthor, SettingsChange
from bot.features.tournaments.ports import TournamentStore
from bot.platform.days import Day
from bot.rules.puzzle import PuzzleBook
from bot.tables.compaction import CompactionStore
from bot.tables.model import Occupant, TableId
from bot.tables.ports import PingStore


class ResultStore(Protocol):
    """Queries the results of finished tables. Each is a transaction and may raise StoreUnavailable."""

    async def standings(self, key: BoardKey, asker_id: int, offset: int, limit: int) -> Standings:
        """Return some rows of a leaderboard, and the asker's own row.

        People who are equal share a place and are sorted by id. Not ranked are computer players, results with hints,
        people without rated games where ratings count, and people without a best score where that counts.
        """

    async def person_record(self, user_id: int, guild_id: int | None) -> PersonRecord:
        """Return what a person has done in one server or (None) everywhere."""

    async def finished_tables(self, history: HistoryFilter, offset: int, limit: int) -> FinishedTables:
        """Return some finished tables that match a filter, newest first, and how many match."""

    async def newest_tables(self, history: HistoryFilter, limit: int) -> Sequence[FinishedTable]:
        """Return the newest finished tables that match a filter, newest first, without counting the others."""

    async def latest_tables(self, guild_id: int, limit: int) -> Sequence[FinishedTable]:
        """Return the newest tables of the last day on which one was finished in a server, newest first."""

    async def versus(self, duel: Duel, channels: frozenset[int], limit: int) -> Versus:
        """Return how two people did against each other in a server, with the newest tables they shared in channels."""

    async def rating_changes(self, table_id: TableId) -> Sequence[RatingChange]:
        """Return what a table did to the ratings of its people, by seat; empty if it does not count."""


class SeasonStore(Protocol):
    """Stores seasons that are over. Each is a transaction and may raise StoreUnavailable."""

    async def servers_of_season(self, period: str, after: int, limit: int) -> Sequence[int]:
        """Return the servers with results in a period, by id after one, in which it has not ended as a season."""

    async def end_season(self, season: EndedSeason) -> bool:
        """Store a season with its champions, unless it is stored already; return whether it was not."""

    async def past_seasons(self, guild_id: int, limit: int) -> Sequence[Season]:
        """Return the seasons of a server that are over, newest first."""

    async def prune_totals(self, kept_from: str, limit: int) -> int:
        """Delete some totals of weeks before one, and return how many."""


class AnimationStore(Protocol):
    """Stores the animations of finished tables. Each is a transaction and may raise StoreUnavailable."""

    async def load_animation(self, table_id: TableId) -> bytes | None:
        """Return the animation of a table as a GIF file, or None if there is none yet."""

    async def save_animation(self, table_id: TableId, file: bytes, shown: Sequence[Occupant]) -> bool:
        """Store the animation of a table; the newest stays."""


class ReviewStore(Protocol):
    """Stores the reviews of finished tables. Each is a transaction and may raise StoreUnavailable."""

    async def load_review(self, table_id: TableId) -> str | None:
        """Return the review of a table as JSON, or None if there is none yet."""

    async def save_review(self, table_id: TableId, review: str) -> None:
        """Store the review of a table; the newest stays."""


class PuzzleStore(Protocol):
    """Stores the answers to puzzles. Each is a transaction and may raise StoreUnavailable."""

    async def answer_daily(self, answer: DailyAnswer) -> DailyAnswer:
        """Store the answer of a person to the puzzle of a day unless there is one, and return the first."""

    async def find_daily(self, user_id: int, day: Day) -> DailyAnswer | None:
        """Return the answer of a person to the puzzle of a day, or None."""

    async def note_answer(self, answer: PuzzleAnswer) -> None:
        """Store the answer of a person to a puzzle, unless there is one."""

    async def find_answered(self, user_id: int, game: str) -> Mapping[str, bool]:
        """Return the keys of the puzzles of a game that a person has answered, and whether the first was right."""

    async def person_streak(self, user_id: int, today: Day, guild_id: int | None = None) -> Streak:
        """Return the streak of a person in a server, or (None) in all together; a wrong answer today ends it."""

    async def daily_board(self, guild_id: int, today: Day, limit: int) -> DailyBoard:
        """Return how a server does with the puzzle of a day; its solvers with the longest streaks, then by id."""


class PuzzleLibrary(Protocol):
    """The puzzles of the games."""

    def games(self) -> Sequence[str]:
        """Return the keys of the games that have puzzles, sorted."""

    def load(self, game: str) -> PuzzleBook:
        """Return the puzzles of a game; any exception may come out of it."""


class PreferenceStore(Protocol):
    """Stores preferences by scope (`Location.scope_id`). Each is a transaction and may raise StoreUnavailable."""

    async def load_preferences(self, scope_id: int) -> Preferences:
        """Return the preferences of a scope, or the defaults."""

    async def change_preferences(
        self,
        scope_id: int,
        choose: Callable[[Preferences], Preferences],
        author: SettingsAuthor | None = None,
        owner_id: int | None = None,
    ) -> Preferences:
        """Store what a function changes of a scope's preferences, leave the rest, and return them all.

        With an author, each change is recorded. An owner is the person whose direct messages the scope is.
        """

    async def list_settings_changes(self, scope_id: int, limit: int) -> Sequence[SettingsChange]:
        """Return the newest recorded changes of a scope's preferences, newest first."""


class BlockStore(Protocol):
    """Stores whom people block. Each is a transaction and may raise StoreUnavailable."""

    async def add_block(self, block: Block, at: datetime, most: int) -> bool:
        """Store a block, unless there is one; return False if the person already blocks too many."""

    async def remove_block(self, block: Block) -> bool:
        """Delete a block; return whether there was one."""

    async def list_blocked(self, blocker_id: int) -> Sequence[int]:
        """Return whom a person blocks, in the order in which they did so."""

    async def find_blocks(self, people: Collection[int]) -> frozenset[Block]:
        """Return the blocks between some people."""


class PersonStore(Protocol):
    """Stores what people have chosen for themselves. Each is a transaction and may raise StoreUnavailable."""

    async def load_person(self, user_id: int) -> PersonFacts:
        """Return a person's own preferences, or the defaults, and the games they have finished."""

    async def change_personal_preferences(
        self, user_id: int, choose: Callable[[PersonalPreferences], PersonalPreferences]
    ) -> PersonFacts:
        """Store what a function changes of a person's own preferences, leave the rest, and return what is known."""


class CommunityStore(
    ResultStore,
    SeasonStore,
    AnimationStore,
    ReviewStore,
    PuzzleStore,
    BadgeStore,
    DailyBagStore,
    PreferenceStore,
    BlockStore,
    PrivacyStore,
    HostNewsStore,
    CompactionStore,
    PingStore,
    MyTableStore,
    TournamentStore,
    Protocol,
):
    """Stores what is left of finished tables, answers, choices and what is due when; deletes what has to go."""
