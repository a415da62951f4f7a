"""Query plans of frequent statements on SQLite."""

from pathlib import Path
from typing import ClassVar, cast

import pytest
from sqlalchemy import ClauseElement, Connection, create_engine, select
from sqlalchemy.sql.compiler import SQLCompiler

from bot.features import tips
from bot.features.badges import storage as badges
from bot.features.blocks import storage as blocks
from bot.features.boards import storage as boards
from bot.features.boards.model import BoardOrder
from bot.features.daily_bag import storage as daily_bag
from bot.features.idle_tables import storage as announcements
from bot.features.invitations import storage as invitations
from bot.features.my_tables import storage as my_tables
from bot.features.privacy import storage as privacy_storage
from bot.features.profiles import storage as profiles
from bot.features.puzzles import storage as puzzles
from bot.features.reminders import storage as reminders
from bot.features.reminders.model import DELAYS
from bot.features.results import accounts, storage as archive
from bot.features.settings import storage as settings
from bot.features.tournaments import storage as tournaments
from bot.features.turn_clocks import service as clocks
from bot.platform.database.database import Database
from bot.platform.jobs import storage as jobs
from bot.tables import compaction, storage as statements, sweep as sweeping
from tests.store.samples import NOON
from tests.support.databases import SqliteFiles
from tests.support.each_case import each_case


@pytest.fixture
def address(tmp_path: Path) -> str:
    return SqliteFiles(tmp_path).migrated()


class TestPlans:
    """Queries that run often walk an index; none reads every table there ever was."""

    async def plan(self, db: Database, statement: ClauseElement, **values: object) -> list[str]:
        dialect = create_engine("sqlite://", paramstyle="named").dialect
        compiled = cast("SQLCompiler", statement.compile(dialect=dialect))
        query = compiled.construct_expanded_state(compiled.params | values)

        def explain(connection: Connection) -> list[str]:
            found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query.statement}", query.parameters)
            return [row.detail for row in found]

        return await db.read(explain)

    async def test_the_newest_table_of_a_channel_uses_an_index(self, db: Database) -> None:
        (step,) = (
            line for line in await self.plan(db, statements.SELECT_NEWEST, channel_id=7, solo_id=5) if "tables" in line
        )
        assert step.startswith("SEARCH tables USING")
        assert "INDEX tables_in (channel_id=? AND solo_id=?)" in step

    async def test_the_table_of_a_channel_uses_an_index(self, db: Database) -> None:
        plan = await self.plan(db, statements.SELECT_OPEN, channel_id=7, solo_id=0)
        assert len(plan) == 1
        assert plan[0].startswith("SEARCH tables USING")
        assert "INDEX tables_open (channel_id=? AND solo_id=?)" in plan[0]

    async def test_idle_lobbies_use_an_index(self, db: Database) -> None:
        plan = await self.plan(db, sweeping.SELECT_IDLE_LOBBIES, since=1, after=7, most=9)
        assert [line.split(" INDEX ")[-1] for line in plan] == ["tables_in_lobby (id>?)"]

    async def test_the_servers_of_a_process_are_walked_by_indexes(self, db: Database) -> None:
        for statement in privacy_storage.select_servers():
            plan = await self.plan(db, statement, shards=1, first=0, last=0)
            read = [line for line in plan if line.startswith(("SCAN", "SEARCH")) and "walked" not in line]
            assert len(read) == 2
            assert all(line.startswith("SEARCH") for line in read), read

    async def test_pending_tables_use_an_index(self, db: Database) -> None:
        plan = await self.plan(db, sweeping.SELECT_PENDING, games=["magpie", "change"], after=7, most=9)
        walks = [line for line in plan if " tables USING" in line]
        assert [line.split(" INDEX ")[-1] for line in walks] == ["tables_unshown (id>?)", "tables_awaiting (id>?)"]
        assert not [line for line in plan if "seats" in line]

    async def test_silent_tables_use_an_index(self, db: Database) -> None:
        games = ["magpie", "change"]
        for plan in (
            await self.plan(db, announcements.SELECT_UNANNOUNCED, games=games, idle_since=1, most=9),
            await self.plan(db, announcements.SELECT_ANNOUNCED, games=games, idle_since=1, noted_until=1, most=9),
        ):
            walks = [line for line in plan if " tables " in line]
            assert walks == ["SEARCH tables USING INDEX tables_idle (updated_at<?)"]
            assert "SEARCH announcements USING PRIMARY KEY (table_id=?)" in plan

    async def test_lapsed_announcements_read_only_their_own_tables(self, db: Database) -> None:
        plan = await self.plan(db, announcements.CLOSING.lapsed, most=9)
        assert "SEARCH tables USING INTEGER PRIMARY KEY (rowid=?)" in plan

    async def test_tables_put_aside_use_an_index(self, db: Database) -> None:
        (step,) = await self.plan(db, statements.SELECT_PUT_ASIDE, channel=7, most=9)
        assert step.endswith("INDEX tables_aside (channel_id=?)")

    async def test_what_is_erased_of_a_person_is_found_by_indexes(self, db: Database) -> None:
        (step,) = await self.plan(db, privacy_storage.SELECT_SEATS_OF, user_id=5, most=9)
        assert step.endswith("INDEX seats_of (user_id=?)")
        for query, index in (
            (privacy_storage.SELECT_OPEN, "tables_open"),
            (privacy_storage.SELECT_ASIDE, "tables_aside"),
        ):
            plan = await self.plan(db, query, user_id=5)
            assert index in plan[0], plan
            assert any("SEARCH seats USING" in line for line in plan), plan

    async def test_due_reminders_use_an_index(self, db: Database) -> None:
        until = {f"until_{delay}": 2 for delay in DELAYS}
        games = ["magpie", "change"]
        plan = await self.plan(db, reminders.SELECT_DUE, games=games, after=1, until=2, most=9, **until)
        tables, *others = [line for line in plan if "SEARCH" in line or "SCAN" in line]
        assert tables == "SEARCH tables USING INDEX tables_awaited (awaited_since>? AND awaited_since<?)"
        assert sorted(others) == [
            "SCAN (subquery-6)",
            "SCAN due",
            "SCAN waiting",
            "SEARCH always USING PRIMARY KEY (user_id=? AND table_id=?) LEFT-JOIN",
            "SEARCH here USING PRIMARY KEY (user_id=? AND table_id=?) LEFT-JOIN",
            "SEARCH reminders USING PRIMARY KEY (table_id=?)",
            "SEARCH seats USING PRIMARY KEY (table_id=? AND seat=?)",
            "SEARCH settings USING PRIMARY KEY (scope_id=? AND key=?) LEFT-JOIN",
            "SEARCH standing USING INDEX reminders_standing (user_id=?)",
        ]

    async def test_looking_for_work_uses_the_indexes_of_what_is_due(self, db: Database) -> None:
        until = {f"until_{delay}": 2 for delay in DELAYS}
        query = select(
            reminders.HAS_WORK, invitations.INVITATION.lapsed.exists(), jobs.HAS_DUE, privacy_storage.HAS_NEWS
        )
        plan = await self.plan(db, query, games=["magpie"], after=1, until=2, now=1, cleared="0", **until)
        assert "SEARCH tables USING INDEX tables_awaited (awaited_since>? AND awaited_since<?)" in plan
        assert "SEARCH reminders USING INDEX reminders_held (send_at>? AND send_at<?)" in plan
        assert "SEARCH jobs USING INDEX jobs_due (due_at<?)" in plan
        assert "SCAN tables" not in plan

    async def test_due_jobs_use_an_index(self, db: Database) -> None:
        plan = await self.plan(db, jobs.SELECT_DUE, now=1, kinds=["half time", "time up"], limit=9)
        assert plan == ["SEARCH jobs USING INDEX jobs_due (due_at<?)"]

    async def test_tables_to_compact_are_found_without_reading_their_moves(self, db: Database) -> None:
        plan = await self.plan(db, compaction.SELECT_WITH_MOVES, after=7, most=5)
        assert plan.count("SEARCH moves USING PRIMARY KEY (table_id>?)") == 2
        assert "SEARCH tables USING INTEGER PRIMARY KEY (rowid=?)" in plan

    async def test_held_reminders_use_an_index(self, db: Database) -> None:
        plan = await self.plan(db, reminders.SELECT_HELD, now=1, most=9)
        assert "SEARCH reminders USING INDEX reminders_held (send_at>? AND send_at<?)" in plan
        assert "SEARCH tables USING INTEGER PRIMARY KEY (rowid=?)" in plan

    async def test_a_persons_tables_use_indexes(self, db: Database) -> None:
        plan = await self.plan(db, my_tables.SELECT_MINE, person=11, most=9)
        walks = [line for line in plan if "SEARCH" in line or "SCAN" in line]
        assert walks == [
            "SEARCH mine USING COVERING INDEX seats_of (user_id=?)",
            "SEARCH tables USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH moves USING PRIMARY KEY (table_id=?)",
            "SEARCH seats USING PRIMARY KEY (table_id=? AND seat=?)",
            "SEARCH awaited USING PRIMARY KEY (table_id=?) LEFT-JOIN",
        ]

    async def test_running_clocks_are_found_by_their_jobs(self, db: Database) -> None:
        (walk,) = await self.plan(db, clocks.SELECT_RUNNING)
        assert walk == "SEARCH jobs USING PRIMARY KEY (kind=?)"

    async def test_a_persons_pings_at_tables_that_are_over_use_indexes(self, db: Database) -> None:
        plan = await self.plan(db, reminders.DELETE_OVER, person=11)
        walks = [line for line in plan if "SEARCH" in line or "SCAN" in line]
        assert walks == [
            "SEARCH pings USING PRIMARY KEY (user_id=?)",
            "SEARCH tables USING INTEGER PRIMARY KEY (rowid=?)",
        ]

    async def test_blocks_between_people_use_an_index_of_both_columns(self, db: Database) -> None:
        (step,) = await self.plan(db, blocks.SELECT_BETWEEN, people=[11, 12, 13])
        assert step == "SEARCH blocks USING COVERING INDEX blocks_of (blocked_id=? AND blocker_id=?)"

    async def test_the_newest_changes_of_settings_use_the_primary_key(self, db: Database) -> None:
        (step,) = await self.plan(db, settings.SELECT_CHANGES, scope=3, most=5)
        assert step == "SEARCH settings_changes USING PRIMARY KEY (scope_id=?)"

    async def test_the_tables_of_a_tournament_use_the_index_of_links(self, db: Database) -> None:
        plan = await self.plan(db, tournaments.SELECT_TABLES, of_tournament=3)
        walks = [line.split(" USING ")[-1] for line in plan if line.startswith("SEARCH")]
        assert walks == ["INDEX tables_linked (first_id=? AND link_kind=?)", "PRIMARY KEY (table_id=?) LEFT-JOIN"]

    async def test_the_tournaments_of_a_server_use_an_index(self, db: Database) -> None:
        plan = await self.plan(db, tournaments.SELECT_IN_SERVER, guild=3, most=9)
        assert plan[0] == "SEARCH tournaments USING INDEX tournaments_in (guild_id=?)"

    async def test_lapsed_reminders_read_only_their_own_tables(self, db: Database) -> None:
        plan = await self.plan(db, reminders.REMINDER.lapsed, most=9)
        assert "SEARCH tables USING INTEGER PRIMARY KEY (rowid=?)" in plan
        assert "SEARCH moves USING PRIMARY KEY (table_id=? AND step>?)" in plan

    @pytest.mark.parametrize("statement", [statements.SELECT_SEATS, statements.SELECT_MOVES])
    async def test_the_rows_of_a_table_are_adjacent(self, db: Database, statement: ClauseElement) -> None:
        (step,) = await self.plan(db, statement, table_id=1)
        assert step.endswith("USING PRIMARY KEY (table_id=?)")

    BOARD: ClassVar = {"guild_id": 3, "game": "magpie", "company": "people", "period": "all"}
    PAGE: ClassVar = {"offset": 40_000, "limit": 10}
    VALUES: ClassVar = {
        f"of_{name}": 1 for name in ("wins", "share", "points", "highest", "lowest", "average", "rating", "user_id")
    }

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
    async def test_boards_walk_their_index_alone(
        self, db: Database, order: tuple[BoardOrder, bool], index: str
    ) -> None:
        queries = boards.QUERIES[order]
        for statement, values, is_in_order in (
            (queries.page, self.PAGE, True),
            (queries.better, self.VALUES, False),
            (queries.equal, self.VALUES, False),
        ):
            plan = await self.plan(db, statement, **self.BOARD, **values)
            walks = [line for line in plan if line.split()[1] == "totals"]
            assert walks[0].startswith(f"SEARCH totals USING COVERING INDEX {index} (board_id=?")
            assert all("PRIMARY KEY (board_id=? AND user_id=?)" in line for line in walks[1:])
            # Only the rows of the page are sorted.
            assert not is_in_order or plan.index(walks[0]) < plan.index("USE TEMP B-TREE FOR ORDER BY")
            assert plan.count("USE TEMP B-TREE FOR ORDER BY") == is_in_order
        for statement, values in ((queries.own, {"asker_id": 7}), (queries.total, {})):
            plan = await self.plan(db, statement, **self.BOARD, **values)
            assert all(line.startswith("SEARCH") or "SUBQUERY" in line for line in plan)

    PERSON: ClassVar = {"user_id": 1, "guild_id": 3}
    NEWEST: ClassVar = {"offset": 0, "limit": 5}
    DAYS: ClassVar = {"begin": 1, "end": 2}
    IN_DAYS = (
        "COVERING INDEX results_of_tables (guild_id=? AND channel_id=? AND finished_at>? AND finished_at<?), "
        "PRIMARY KEY (table_id=?)"
    )
    OF_PAIRS = (
        "COVERING INDEX rating_changes_of_people "
        "(user_id=? AND guild_id=? AND game=? AND finished_at>? AND finished_at<?)"
    )

    @each_case(
        "statement, values, table, index",
        [
            (archive.TOTALS_ANYWHERE, {"user_id": 1}, "totals", "INDEX totals_of_people (user_id=?)"),
            (profiles.FORM_IN_SERVER, PERSON, "results", "INDEX results_of_people (user_id=? AND guild_id=?)"),
            (
                profiles.SELECT_CURVE,
                {**PERSON, "game": "magpie", "newest": 9, "step": 2},
                "wanted",
                "COVERING INDEX rating_changes_of_people (user_id=? AND guild_id=? AND game=?)",
            ),
            (
                profiles.SELECT_SOLO_SCORES,
                {**PERSON, "game": "magpie"},
                "results",
                "INDEX results_alone (user_id=? AND guild_id=? AND game=?)",
            ),
            (
                profiles.SELECT_ENCOUNTERS,
                {"guild_id": 3, "first_id": 1, "second_id": 2},
                "encounters",
                "PRIMARY KEY (guild_id=? AND user_id=? AND other_id=?)",
            ),
            (
                profiles.SELECT_SHARED_TABLES,
                {"guild_id": 3, "first_id": 1, "second_id": 2, "channels": [7, 8], "limit": 5},
                "encounters",
                "PRIMARY KEY (guild_id=? AND user_id=? AND other_id=?)",
            ),
            (tips.SELECT_FINISHED_GAMES, {"user_id": 1}, "results", "INDEX results_of_people (user_id=?)"),
            (
                archive.SELECT_DAYS,
                {"guild_id": 3, "channels": [7, 8]},
                "played_days",
                "PRIMARY KEY (guild_id=? AND channel_id=?)",
            ),
            (
                archive.CHANNELS_OF_NEWEST_DAY,
                {"guild_id": 3},
                "played_days",
                "PRIMARY KEY (guild_id=?), PRIMARY KEY (guild_id=?)",
            ),
            (
                archive.HISTORY_OF_CHANNELS,
                {"guild_id": 3, "channels": [7, 8], **DAYS, **NEWEST},
                "results",
                IN_DAYS,
            ),
            (
                archive.HISTORY_OF_PERSON_IN_CHANNELS,
                {**PERSON, "channels": [7, 8], **NEWEST},
                "results",
                "COVERING INDEX results_of_people (user_id=? AND guild_id=?), PRIMARY KEY (table_id=?)",
            ),
            (
                accounts.COUNT_PAIRS,
                {"of_guild": 3, "of_game": "magpie", "people": [1, 2], "day": 1, "next_day": 2},
                "rating_changes",
                OF_PAIRS,
            ),
        ],
    )
    async def test_questions_about_results_use_an_index(
        self, db: Database, statement: ClauseElement, values: dict[str, object], table: str, index: str
    ) -> None:
        plan = await self.plan(db, statement, **values)
        walks = [line.split(" USING ")[-1] for line in plan if line.split()[1] == table]
        assert ", ".join(walks) == index

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
        self, db: Database, statement: ClauseElement, values: dict[str, object], walk: str
    ) -> None:
        plan = await self.plan(db, statement, **values)
        assert [line.split(" USING ")[-1] for line in plan if line.split()[1] == "daily_answers"] == [walk]

    @each_case(
        "statement, walk",
        [
            (daily_bag.SELECT_OPEN_ATTEMPT, "INDEX daily_attempts_open (day=? AND started_at>?)"),
            (daily_bag.SELECT_ATTEMPTS, "PRIMARY KEY (user_id=? AND day>? AND day<?)"),
            (daily_bag.SELECT_OWN_DAYS, "PRIMARY KEY (user_id=?)"),
            (daily_bag.COUNT_SCORES, "COVERING INDEX daily_attempts_in (guild_id=? AND day=? AND score>?)"),
            (daily_bag.PLACE_IN_SERVER, "COVERING INDEX daily_attempts_in (guild_id=? AND day=? AND score>?)"),
            (daily_bag.PAGE_IN_SERVER, "COVERING INDEX daily_attempts_in (guild_id=? AND day=? AND score>?)"),
            (daily_bag.PLACE_EVERYWHERE, "COVERING INDEX daily_attempts_shown (day=? AND score>?)"),
            (daily_bag.PAGE_EVERYWHERE, "COVERING INDEX daily_attempts_shown (day=? AND score>?)"),
        ],
    )
    async def test_queries_for_daily_bags_use_an_index(self, db: Database, statement: ClauseElement, walk: str) -> None:
        values = {"person": 1, "server": 3, "on_day": 9, "first": 8, "last": 9, "than": 5, "since": NOON.isoformat(" ")}
        plan = await self.plan(db, statement, **values, skipped=10, most=10)
        walks = {line.split(" USING ")[-1] for line in plan if line.startswith("SEARCH daily_attempts")}
        assert walks == {walk}
        assert not any(line.startswith(("SCAN daily_attempts", "SEARCH named USING INDEX")) for line in plan)

    @each_case(
        "statement, values, walks",
        [
            (badges.SELECT_KNOWN, {"people": [1, 2]}, ["PRIMARY KEY (user_id=?)"]),
            (statements.SELECT_AWARDS, {"table_id": 1}, ["INDEX badges_earned_at_tables (table_id=?)"]),
            (badges.SELECT_OF_PERSON, {"user_id": 1}, ["PRIMARY KEY (user_id=?)", "INTEGER PRIMARY KEY (rowid=?)"]),
        ],
    )
    async def test_queries_for_badges_use_their_indexes(
        self, db: Database, statement: ClauseElement, values: dict[str, object], walks: list[str]
    ) -> None:
        plan = [line for line in await self.plan(db, statement, **values) if line.startswith(("SEARCH", "SCAN"))]
        assert [line.split(" USING ")[-1].removesuffix(" LEFT-JOIN") for line in plan] == walks

    async def test_the_records_of_a_person_are_looked_up_and_not_added_up(self, db: Database) -> None:
        plan = [line for line in await self.plan(db, badges.SELECT_RECORDS, user_id=1) if " results " in line]
        walks = [line.split(" USING ")[-1] for line in plan if line.startswith("SEARCH")]
        of_game = "COVERING INDEX results_for_badges (user_id=? AND game=? AND company=?)"
        start = "COVERING INDEX results_for_badges (user_id=?)"
        assert walks == [start, start.replace("?)", "? AND game>?)"), of_game, of_game, of_game]
        assert len(plan) == len(walks)

    async def test_a_board_reads_only_the_days_of_its_solvers(self, db: Database) -> None:
        plan = await self.plan(db, puzzles.SELECT_SOLVERS, guild_id=3, today=9, limit=10)
        walks = [line for line in plan if "daily_answers" in line]
        assert walks
        assert all(line.startswith("SEARCH daily_answers USING") for line in walks)
