"""Query plans of frequent statements on PostgreSQL."""

import re
from collections.abc import Iterator
from typing import Any, ClassVar, cast

import psycopg
import pytest
from sqlalchemy import ClauseElement, make_url
from sqlalchemy.sql.compiler import SQLCompiler

from bot.features import tips
from bot.features.blocks import storage as blocks
from bot.features.boards import storage as boards
from bot.features.boards.model import BoardOrder
from bot.features.challenges import storage as challenges
from bot.features.idle_tables import storage as announcements
from bot.features.my_tables import storage as my_tables
from bot.features.profiles import storage as profiles
from bot.features.reminders import storage as reminders
from bot.features.reminders.model import DELAYS
from bot.features.results import accounts, storage as archive
from bot.features.tournaments import storage as tournaments
from bot.tables import compaction, storage as statements, sweep as sweeping
from tests.store.samples import NOON
from tests.support.databases import upgrade
from tests.support.each_case import each_case
from tests.support.postgres import PostgresServer

pytestmark = pytest.mark.postgres

ROWS = """
-- No foreign key is checked.
SET session_replication_role = replica;
INSERT INTO rating_changes
SELECT n, 0, n % 20, 'magpie', n % 99, n, 25, 8, 25, 8, now() FROM generate_series(1, 2000) AS n;
INSERT INTO attempts (user_id, cadence, day, table_id, guild_id, name, started_at, ended_at, score, is_shown)
SELECT n % 99, 'daily', n / 99, n, n % 200, 'Robin', now(), now(), n % 300, n % 9 = 0
FROM generate_series(1, 2000) AS n;
ANALYZE rating_changes, attempts;
"""
"""Where several indexes could serve, the numbers of rows decide."""

DIALECT = make_url("postgresql+psycopg://").get_dialect()()


@pytest.fixture(scope="module")
def session(postgres: PostgresServer) -> Iterator[psycopg.Connection[Any]]:
    """A session that reads a whole table only where no index serves, as if there were thousands of rows."""
    upgrade(postgres.empty_database("planned"))
    with postgres.admin("planned") as connection:
        connection.execute(ROWS)
        connection.execute("SET enable_seqscan = off")
        connection.execute("SET enable_bitmapscan = off")
        yield connection


def explain(session: psycopg.Connection[Any], statement: ClauseElement, values: dict[str, object]) -> str:
    compiled = cast("SQLCompiler", statement.compile(dialect=DIALECT))
    query = compiled.construct_expanded_state(compiled.params | values)
    return "\n".join(line for (line,) in session.execute(f"EXPLAIN {query.statement}", query.parameters))


class TestPlans:
    """Queries that run often walk an index; none reads every table there ever was."""

    @each_case(
        "statement, values, indexes",
        [
            (statements.SELECT_OPEN, {"channel_id": 50, "solo_id": 0}, {"tables_open"}),
            (statements.SELECT_NEWEST, {"channel_id": 50, "solo_id": 0}, {"tables_in"}),
            (
                sweeping.SELECT_PENDING,
                {"games": ["magpie", "change"], "after": 7, "most": 9},
                {"tables_unshown", "tables_awaiting"},
            ),
            (
                announcements.SELECT_UNANNOUNCED,
                {"games": ["magpie", "change"], "idle_since": NOON, "most": 9},
                {"tables_idle"},
            ),
            (
                announcements.SELECT_ANNOUNCED,
                {"games": ["magpie", "change"], "idle_since": NOON, "noted_until": NOON, "most": 9},
                {"tables_idle"},
            ),
            (statements.SELECT_PUT_ASIDE, {"channel": 7, "most": 9}, {"tables_aside"}),
            (sweeping.SELECT_IDLE_LOBBIES, {"since": NOON, "after": 7, "most": 9}, {"tables_in_lobby"}),
            (
                reminders.SELECT_DUE,
                {
                    "games": ["magpie", "change"],
                    "after": NOON,
                    "until": NOON,
                    "most": 9,
                    **{f"until_{delay}": NOON for delay in DELAYS},
                },
                {"tables_awaited"},
            ),
            (blocks.SELECT_BETWEEN, {"people": [11, 77, 12, 13]}, {"blocks_pkey"}),
            (tournaments.SELECT_TABLES, {"of_tournament": 7}, {"tables_linked"}),
            (my_tables.SELECT_MINE, {"person": 11, "most": 9}, {"tables_pkey"}),
            (compaction.SELECT_WITH_MOVES, {"after": 7, "most": 5}, {"tables_pkey"}),
        ],
    )
    async def test_queries_use_their_indexes(
        self, session: psycopg.Connection[Any], statement: ClauseElement, values: dict[str, object], indexes: set[str]
    ) -> None:
        plan = explain(session, statement, values)
        assert "Seq Scan" not in plan
        assert (
            set(re.findall(r"Scan (?:Backward )?(?:using|on) ((?:tables|blocks)_\w+)", plan)) - {"tables_1"} == indexes
        )

    @each_case(
        "statement, index",
        [
            (challenges.SELECT_OPEN_ATTEMPT, "attempts_open"),
            (challenges.SELECT_ATTEMPT, "attempts_pkey"),
            (challenges.SELECT_OWN_DAYS, "attempts_pkey"),
            (challenges.SELECT_OWN_DAYS_HERE, "attempts_pkey"),
            (challenges.SELECT_BEST, "attempts_pkey"),
            (challenges.COUNT_PEOPLE, "attempts_in"),
            (challenges.COUNT_PEOPLE, "attempts_in"),
            (challenges.PLACE_IN_SERVER, "attempts_in"),
            (challenges.PAGE_IN_SERVER, "attempts_in"),
            (challenges.PLACE_SHOWN, "attempts_shown"),
            (challenges.PAGE_EVERYWHERE, "attempts_shown"),
            (challenges.COUNT_WORSE, "attempts_scored"),
        ],
    )
    async def test_queries_for_challenges_use_their_indexes(
        self, session: psycopg.Connection[Any], statement: ClauseElement, index: str
    ) -> None:
        values = {
            "person": 1,
            "server": 3,
            "of_cadence": "daily",
            "on_day": 9,
            "first": 2,
            "last": 9,
            "than": 5,
            "since": NOON,
        } | {
            "skipped": 10,
            "most": 10,
        }
        plan = explain(session, statement, values)
        assert "Seq Scan" not in plan
        walks = set(re.findall(r"Scan (?:Backward )?(?:using|on) (attempts_\w+)", plan))
        # The names of a page are read by the primary key.
        assert {index} <= walks <= {index, "attempts_pkey"}

    BOARD: ClassVar = {"guild_id": 3, "game": "magpie", "company": "people", "period": "all", "asker_id": 7}
    PAGE: ClassVar = {"offset": 0, "limit": 5}
    # A place far up: where nearly all are better, reading all of them is as quick.
    VALUES: ClassVar = {
        **{f"of_{name}": 100_000 for name in ("wins", "share", "points", "highest", "rating", "user_id")},
        **{f"of_{name}": 1 for name in ("lowest", "average")},
    }
    PERSON: ClassVar = {"user_id": 1, "guild_id": 3}

    @each_case(
        "order, index",
        [
            ((BoardOrder.RATING, False), "totals_by_rating"),
            ((BoardOrder.WINS, False), "totals_by_wins"),
            ((BoardOrder.POINTS, False), "totals_by_points"),
            ((BoardOrder.BEST, False), "totals_by_highest"),
            ((BoardOrder.BEST, True), "totals_by_lowest"),
        ],
    )
    async def test_boards_walk_their_index(
        self, session: psycopg.Connection[Any], order: tuple[BoardOrder, bool], index: str
    ) -> None:
        queries = boards.QUERIES[order]
        for statement in (queries.page, queries.better, queries.equal):
            plan = explain(session, statement, self.BOARD | self.PAGE | self.VALUES)
            assert index in plan, plan
            assert not re.search(r"Seq Scan on (?!boards)", plan), plan
        for statement in (queries.own, queries.total):
            plan = explain(session, statement, self.BOARD | self.PAGE)
            assert not re.search(r"Seq Scan on (?!boards)", plan), plan

    async def test_which_points_of_a_curve_are_shown_is_read_from_the_index_alone(
        self, session: psycopg.Connection[Any]
    ) -> None:
        session.execute("VACUUM rating_changes")
        plan = explain(session, profiles.SELECT_CURVE, {**self.PERSON, "game": "magpie", "newest": 9, "step": 2})
        assert "Index Only Scan using rating_changes_of_people on rating_changes wanted" in plan, plan

    @each_case(
        "statement, values, indexes",
        [
            (tips.SELECT_FINISHED_GAMES, {"user_id": 1}, {"results_of_people"}),
            (profiles.FORM_IN_SERVER, PERSON, {"results_of_people"}),
            (archive.TOTALS_IN_SERVER, PERSON, {"totals_of_people"}),
            (
                profiles.SELECT_CURVE,
                {**PERSON, "game": "magpie", "newest": 9, "step": 2},
                {"rating_changes_of_people", "rating_changes_pkey"},
            ),
            (profiles.SELECT_ENCOUNTERS, {"guild_id": 3, "first_id": 1, "second_id": 8}, {"encounters_pkey"}),
            (
                accounts.COUNT_PAIRS,
                {"of_guild": 3, "of_game": "magpie", "people": [1, 8], "day": NOON, "next_day": NOON},
                {"rating_changes_of_people", "rating_changes_pkey"},
            ),
            (archive.SELECT_DAYS, {"guild_id": 3, "channels": [3, 23]}, {"played_days_pkey"}),
            (archive.CHANNELS_OF_NEWEST_DAY, {"guild_id": 3}, {"played_days_pkey"}),
            (
                archive.HISTORY_OF_PERSON_ANYWHERE,
                {"user_id": 1, **PAGE},
                {"results_of_people", "results_pkey", "tables_pkey"},
            ),
            (
                archive.HISTORY_OF_CHANNELS,
                {"guild_id": 3, "channels": [3, 23], "begin": NOON, "end": NOON, **PAGE},
                {"results_of_tables", "results_pkey", "tables_pkey"},
            ),
        ],
    )
    async def test_queries_for_results_use_their_indexes(
        self, session: psycopg.Connection[Any], statement: ClauseElement, values: dict[str, object], indexes: set[str]
    ) -> None:
        plan = explain(session, statement, values)
        assert not re.search(r"Seq Scan on (?!boards)", plan), plan
        pattern = r"Scan (?:Backward )?(?:using|on) ((?:results|tables|totals|encounters|played|rating)_[a-z]+\w*)"
        assert set(re.findall(pattern, plan)) - {"rating_changes", "played_days"} == indexes, plan
