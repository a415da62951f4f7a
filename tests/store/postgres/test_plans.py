"""Query plans of frequent statements on PostgreSQL."""

import re
from collections.abc import Iterator
from typing import Any, ClassVar, cast

import psycopg
import pytest
from sqlalchemy import ClauseElement, make_url
from sqlalchemy.sql.compiler import SQLCompiler

from bot.store import store as statements
from bot.store.queries import (
    announcements,
    blocks,
    open_tables as opening,
    people,
    reminders,
    results as archive,
    sweep as sweeping,
)
from bot.tables.model import Company
from tests.store.samples import NOON
from tests.support.databases import upgrade
from tests.support.each_case import each_case
from tests.support.postgres import PostgresServer

pytestmark = pytest.mark.postgres

YEARS = """
INSERT INTO tables (id, game, version, options, channel_id, solo_id, opener_id, seed, salt, created_at, updated_at,
                    step, to_move, revision, status, published, awaits_computer)
SELECT n, 'magpie', 1, '{}', n, 0, 11, '', '', now(), now(), 9, 1, 10,
       CASE WHEN n % 50 = 0 THEN 'playing' ELSE 'finished' END, CASE WHEN n % 99 = 0 THEN 9 ELSE 10 END, n % 200 = 0
FROM generate_series(1, 20000) AS n;
INSERT INTO results (table_id, seat, game, company, guild_id, channel_id, user_id, name, place, is_shared, score,
                     seats, steps, opened_at, finished_at, reason)
SELECT n, seat, 'magpie', 'people', n % 20, n % 200, (n + seat * 7) % 999, 'Robin', seat + 1, false, n % 500,
       2, 30, now(), now() - n * interval '1 second', 'target'
FROM generate_series(1, 20000) AS n, generate_series(0, 1) AS seat;
INSERT INTO preferences (scope_id, reminds) SELECT n, n % 9 > 0 FROM generate_series(1, 5000) AS n;
INSERT INTO blocks (blocker_id, blocked_id, blocked_at) SELECT n, n * 7, now() FROM generate_series(1, 5000) AS n;
ANALYZE tables;
ANALYZE results;
ANALYZE preferences;
ANALYZE blocks
"""


@pytest.fixture(scope="module")
def years(postgres: PostgresServer) -> Iterator[psycopg.Connection[Any]]:
    """A session on a database in which there are thousands of tables."""
    upgrade(postgres.empty_database("years"))
    with postgres.admin("years") as connection:
        connection.execute(YEARS)
        yield connection


class TestPlans:
    """Queries that run often walk an index; none reads every table there ever was."""

    @each_case(
        "statement, values, indexes",
        [
            (opening.SELECT_OPEN, {"channel_id": 50, "solo_id": 0}, {"tables_open"}),
            (statements.SELECT_NEWEST, {"channel_id": 50, "solo_id": 0}, {"tables_in"}),
            (
                sweeping.SELECT_PENDING,
                {"games": ["magpie", "change"], "after": 7, "most": 9},
                {"tables_unshown", "tables_awaiting"},
            ),
            (
                announcements.SELECT_UNANNOUNCED,
                {"games": ["magpie", "change"], "idle_since": NOON, "most": 9},
                {"tables_silent"},
            ),
            (
                announcements.SELECT_ANNOUNCED,
                {"games": ["magpie", "change"], "idle_since": NOON, "noted_until": NOON, "most": 9},
                {"tables_silent"},
            ),
            (opening.SELECT_PUT_ASIDE, {"channel": 7, "most": 9}, {"tables_aside"}),
            (sweeping.SELECT_IDLE_LOBBIES, {"since": NOON, "after": 7, "most": 9}, {"tables_in_lobby"}),
            (
                reminders.SELECT_DUE,
                {"games": ["magpie", "change"], "after": NOON, "until": NOON, "most": 9},
                {"tables_awaited"},
            ),
            (blocks.SELECT_BETWEEN, {"people": [11, 77, 12, 13]}, set[str]()),
        ],
    )
    async def test_queries_use_their_indexes(
        self, years: psycopg.Connection[Any], statement: ClauseElement, values: dict[str, object], indexes: set[str]
    ) -> None:
        compiled = cast("SQLCompiler", statement.compile(dialect=make_url("postgresql+psycopg://").get_dialect()()))
        query = compiled.construct_expanded_state(compiled.params | values)
        plan = "\n".join(line for (line,) in years.execute(f"EXPLAIN {query.statement}", query.parameters))
        assert "Seq Scan" not in plan
        assert set(re.findall(r"Scan (?:Backward )?(?:using|on) (tables_\w+)", plan)) - {"tables_1"} == indexes

    CONTEST: ClassVar = {"guild_id": 3, "game": "magpie", "company": "people"}
    PAGE: ClassVar = {"offset": 0, "limit": 5}

    @each_case(
        "statement, values, indexes",
        [
            (
                archive.RANKINGS[Company.PEOPLE, False].page,
                {**CONTEST, **PAGE},
                {"results_ranked", "results_of_people"},
            ),
            (
                archive.RANKINGS[Company.PEOPLE, False].own,
                {**CONTEST, "asker_id": 7},
                {"results_ranked", "results_of_people"},
            ),
            (archive.COUNT_RANKED_PEOPLE, CONTEST, {"results_ranked"}),
            (archive.FIGURES_ANYWHERE, {"user_id": 1}, {"results_of_people"}),
            (people.SELECT_FINISHED_GAMES, {"user_id": 1}, {"results_of_people"}),
            (archive.FIGURES_IN_SERVER, {"user_id": 1, "guild_id": 3}, {"results_of_people"}),
            (archive.HISTORY_OF_PERSON_IN_SERVER.total, {"user_id": 1, "guild_id": 3}, {"results_of_people"}),
            (
                archive.HISTORY_OF_PERSON_ANYWHERE.page,
                {"user_id": 1, **PAGE},
                {"results_of_people", "results_pkey", "tables_pkey"},
            ),
            (archive.HISTORY_OF_CHANNELS.total, {"guild_id": 3, "channels": [3, 23]}, {"results_of_tables"}),
            (
                archive.HISTORY_OF_CHANNELS.page,
                {"guild_id": 3, "channels": [3, 23], **PAGE},
                {"results_of_tables", "results_pkey", "tables_pkey"},
            ),
        ],
    )
    async def test_queries_for_results_use_their_indexes(
        self, years: psycopg.Connection[Any], statement: ClauseElement, values: dict[str, object], indexes: set[str]
    ) -> None:
        compiled = cast("SQLCompiler", statement.compile(dialect=make_url("postgresql+psycopg://").get_dialect()()))
        query = compiled.construct_expanded_state(values)
        plan = "\n".join(line for (line,) in years.execute(f"EXPLAIN {query.statement}", query.parameters))
        assert "Seq Scan" not in plan
        assert set(re.findall(r"Scan (?:Backward )?(?:using|on) ((?:results|tables)_[a-z]+\w*)", plan)) == indexes
