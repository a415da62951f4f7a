"""Query plans of frequent statements on SQLite."""

from pathlib import Path
from typing import ClassVar, cast

import pytest
from sqlalchemy import ClauseElement, Connection, create_engine
from sqlalchemy.sql.compiler import SQLCompiler

from bot.store import store as statements
from bot.store.queries import (
    announcements,
    blocks,
    open_tables as opening,
    people,
    preferences,
    puzzles,
    reminders,
    results as archive,
    sweep as sweeping,
)
from bot.store.store import SqlStore
from bot.tables.model import Company
from tests.support.databases import SqliteFiles
from tests.support.each_case import each_case


@pytest.fixture
def address(tmp_path: Path) -> str:
    return SqliteFiles(tmp_path).migrated()


class TestPlans:
    """Queries that run often walk an index; none reads every table there ever was."""

    async def plan(self, store: SqlStore, statement: ClauseElement, **values: object) -> list[str]:
        dialect = create_engine("sqlite://", paramstyle="named").dialect
        compiled = cast("SQLCompiler", statement.compile(dialect=dialect))
        query = compiled.construct_expanded_state(values)

        def explain(connection: Connection) -> list[str]:
            found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query.statement}", query.parameters)
            return [row.detail for row in found]

        return await store.database.read(explain)

    async def test_the_newest_table_of_a_channel_uses_an_index(self, store: SqlStore) -> None:
        (step,) = (
            line
            for line in await self.plan(store, statements.SELECT_NEWEST, channel_id=7, solo_id=5)
            if "tables" in line
        )
        assert step.startswith("SEARCH tables USING")
        assert "INDEX tables_in (channel_id=? AND solo_id=?)" in step

    async def test_the_table_of_a_channel_uses_an_index(self, store: SqlStore) -> None:
        plan = await self.plan(store, opening.SELECT_OPEN, channel_id=7, solo_id=0)
        assert len(plan) == 1
        assert plan[0].startswith("SEARCH tables USING")
        assert "INDEX tables_open (channel_id=? AND solo_id=?)" in plan[0]

    async def test_idle_lobbies_use_an_index(self, store: SqlStore) -> None:
        plan = await self.plan(store, sweeping.SELECT_IDLE_LOBBIES, since=1, after=7, most=9)
        assert [line.split(" INDEX ")[-1] for line in plan] == ["tables_in_lobby (id>?)"]

    async def test_pending_tables_use_an_index(self, store: SqlStore) -> None:
        plan = await self.plan(store, sweeping.SELECT_PENDING, games=["magpie", "change"], after=7, most=9)
        walks = [line for line in plan if " tables USING" in line]
        assert [line.split(" INDEX ")[-1] for line in walks] == ["tables_unshown (id>?)", "tables_awaiting (id>?)"]
        assert not [line for line in plan if "seats" in line]

    async def test_silent_tables_use_an_index(self, store: SqlStore) -> None:
        games = ["magpie", "change"]
        for plan in (
            await self.plan(store, announcements.SELECT_UNANNOUNCED, games=games, idle_since=1, most=9),
            await self.plan(store, announcements.SELECT_ANNOUNCED, games=games, idle_since=1, noted_until=1, most=9),
        ):
            walks = [line for line in plan if " tables " in line]
            assert walks == ["SEARCH tables USING INDEX tables_silent (updated_at<?)"]
            assert "SEARCH announcements USING PRIMARY KEY (table_id=?)" in plan

    async def test_lapsed_announcements_read_only_their_own_tables(self, store: SqlStore) -> None:
        plan = await self.plan(store, announcements.SELECT_LAPSED, most=9)
        assert "SEARCH tables USING INTEGER PRIMARY KEY (rowid=?)" in plan

    async def test_tables_put_aside_use_an_index(self, store: SqlStore) -> None:
        (step,) = await self.plan(store, opening.SELECT_PUT_ASIDE, channel=7, most=9)
        assert step.endswith("INDEX tables_aside (channel_id=?)")

    async def test_due_reminders_use_an_index(self, store: SqlStore) -> None:
        plan = await self.plan(store, reminders.SELECT_DUE, games=["magpie", "change"], after=1, until=2, most=9)
        tables, *others = [line for line in plan if "SEARCH" in line or "SCAN" in line]
        assert tables == "SEARCH tables USING INDEX tables_awaited (awaited_since>? AND awaited_since<?)"
        assert sorted(others) == [
            "SEARCH preferences USING PRIMARY KEY (scope_id=?)",
            "SEARCH reminders USING PRIMARY KEY (table_id=?)",
        ]

    async def test_blocks_between_people_use_an_index_of_both_columns(self, store: SqlStore) -> None:
        (step,) = await self.plan(store, blocks.SELECT_BETWEEN, people=[11, 12, 13])
        assert step == "SEARCH blocks USING COVERING INDEX blocks_of (blocked_id=? AND blocker_id=?)"

    async def test_the_newest_changes_of_settings_use_the_primary_key(self, store: SqlStore) -> None:
        (step,) = await self.plan(store, preferences.SELECT_CHANGES, scope=3, most=5)
        assert step == "SEARCH settings_changes USING PRIMARY KEY (scope_id=?)"

    async def test_lapsed_reminders_read_only_their_own_tables(self, store: SqlStore) -> None:
        plan = await self.plan(store, reminders.SELECT_LAPSED, most=9)
        assert "SEARCH tables USING INTEGER PRIMARY KEY (rowid=?)" in plan
        assert "SEARCH moves USING PRIMARY KEY (table_id=? AND step>?)" in plan

    @pytest.mark.parametrize("statement", [statements.SELECT_SEATS, statements.SELECT_MOVES])
    async def test_the_rows_of_a_table_are_adjacent(self, store: SqlStore, statement: ClauseElement) -> None:
        (step,) = await self.plan(store, statement, table_id=1)
        assert step.endswith("USING PRIMARY KEY (table_id=?)")

    CONTEST: ClassVar = {"guild_id": 3, "game": "magpie", "company": "people"}
    RANKED = "COVERING INDEX results_ranked (game=? AND company=? AND guild_id=? AND user_id>?)"

    @each_case(
        "statement, values, indexes",
        [
            (
                archive.RANKINGS[Company.PEOPLE, False].page,
                {**CONTEST, "offset": 0, "limit": 10},
                [RANKED, "INDEX results_of_people (user_id=? AND guild_id=?)"],
            ),
            (archive.COUNT_RANKED_PEOPLE, CONTEST, [RANKED]),
            (archive.FIGURES_ANYWHERE, {"user_id": 1}, ["INDEX results_of_people (user_id=?)"]),
            (people.SELECT_FINISHED_GAMES, {"user_id": 1}, ["INDEX results_of_people (user_id=?)"]),
            (
                archive.FIGURES_IN_SERVER,
                {"user_id": 1, "guild_id": 3},
                ["INDEX results_of_people (user_id=? AND guild_id=?)"],
            ),
            (
                archive.HISTORY_OF_PERSON_IN_SERVER.total,
                {"user_id": 1, "guild_id": 3},
                ["COVERING INDEX results_of_people (user_id=? AND guild_id=?)"],
            ),
            (
                archive.HISTORY_OF_CHANNELS.total,
                {"guild_id": 3, "channels": [7, 8]},
                ["COVERING INDEX results_of_tables (guild_id=? AND channel_id=?)"],
            ),
            (
                archive.HISTORY_OF_CHANNELS.page,
                {"guild_id": 3, "channels": [7, 8], "offset": 0, "limit": 5},
                ["COVERING INDEX results_of_tables (guild_id=? AND channel_id=?)", "PRIMARY KEY (table_id=?)"],
            ),
        ],
    )
    async def test_queries_for_results_use_their_indexes(
        self, store: SqlStore, statement: ClauseElement, values: dict[str, object], indexes: list[str]
    ) -> None:
        plan = await self.plan(store, statement, **values)
        walks = [line.split(" USING ")[-1] for line in plan if line.split()[1] == "results"]
        assert walks == indexes

    @each_case(
        "statement, values, walk",
        [
            (puzzles.STREAK_OF_PERSON, {"user_id": 1, "today": 9}, "PRIMARY KEY (user_id=?)"),
            (puzzles.STREAK_OF_SERVER, {"guild_id": 3, "today": 9}, "COVERING INDEX daily_answers_in (guild_id=?)"),
            (
                puzzles.COUNT_ANSWERS,
                {"guild_id": 3, "today": 9},
                "COVERING INDEX daily_answers_in (guild_id=? AND day=?)",
            ),
        ],
    )
    async def test_queries_for_streaks_use_an_index(
        self, store: SqlStore, statement: ClauseElement, values: dict[str, object], walk: str
    ) -> None:
        plan = await self.plan(store, statement, **values)
        assert [line.split(" USING ")[-1] for line in plan if line.split()[1] == "daily_answers"] == [walk]

    async def test_a_board_reads_only_the_days_of_its_solvers(self, store: SqlStore) -> None:
        plan = await self.plan(store, puzzles.SELECT_SOLVERS, guild_id=3, today=9, limit=10)
        walks = [line for line in plan if "daily_answers" in line]
        assert walks
        assert all(line.startswith("SEARCH daily_answers USING") for line in walks)
