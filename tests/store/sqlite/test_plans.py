"""Query plans of frequent statements on SQLite."""

import re
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
from bot.features.challenges import storage as challenges
from bot.features.idle_tables import storage as announcements
from bot.features.invitations import storage as invitations
from bot.features.moderation import storage as moderation
from bot.features.my_tables import storage as my_tables
from bot.features.privacy import storage as privacy_storage
from bot.features.profiles import storage as profiles
from bot.features.puzzles import storage as puzzles
from bot.features.reminders import storage as reminders
from bot.features.reminders.model import DELAYS
from bot.features.results import accounts, head_to_head, milestones, storage as archive
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

    GAMES: ClassVar = {"games": ["magpie", "change"]}
    UNTIL: ClassVar = {f"until_{delay}": 2 for delay in DELAYS}

    @each_case(
        "statement, values, walks",
        [
            (statements.SELECT_OPEN, {"channel_id": 7, "solo_id": 0}, ["tables_open (channel_id=? AND solo_id=?)"]),
            (statements.SELECT_PUT_ASIDE, {"channel": 7, "most": 9}, ["tables_aside (channel_id=?)"]),
            (statements.SELECT_SEATS, {"table_id": 1}, ["PRIMARY KEY (table_id=?)"]),
            (statements.SELECT_MOVES, {"table_id": 1}, ["PRIMARY KEY (table_id=?)"]),
            (sweeping.SELECT_IDLE_LOBBIES, {"since": 1, "after": 7, "most": 9}, ["tables_in_lobby (id>?)"]),
            (privacy_storage.SELECT_SEATS_OF, {"user_id": 5, "most": 9}, ["seats_of (user_id=?)"]),
            (jobs.SELECT_DUE, {"now": 1, "kinds": ["half time", "time up"], "limit": 9}, ["jobs_due (due_at<?)"]),
            (clocks.SELECT_RUNNING, {}, ["PRIMARY KEY (kind=?)"]),
            (badges.SELECT_KNOWN, {"people": [1, 2]}, ["PRIMARY KEY (user_id=?)"]),
            (statements.SELECT_AWARDS, {"table_id": 1}, ["badges_earned_at_tables (table_id=?)"]),
            (
                badges.SELECT_OF_PERSON,
                {"user_id": 1},
                ["PRIMARY KEY (user_id=?)", "INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN"],
            ),
            (
                moderation.SELECT_BANNED_AMONG,
                {"guild": 3, "people": [11, 12], "now": NOON.isoformat(" ")},
                ["PRIMARY KEY (guild_id=? AND user_id=?)"],
            ),
            (moderation.SELECT_CHANGED, {"seen": 7, "most": 9}, ["bans_changed (number>?)"]),
            (
                moderation.SELECT_TABLES_OF,
                {"guild": 3, "user": 11},
                ["seats_of (user_id=? AND table_id=?)", "tables_open_in (guild_id=? AND is_private=?)"],
            ),
            (
                statements.SELECT_IN_OWN_THREADS,
                {"guild": 3, "solo": 11},
                ["tables_open_in (guild_id=? AND is_private=?)"],
            ),
            (
                moderation.SELECT_OPEN_TABLES,
                {"guild": 3},
                ["INTEGER PRIMARY KEY (rowid=?)", "tables_open_in (guild_id=? AND is_private=?)"],
            ),
            (statements.COUNT_IN_SERVER, {"guild": 3, "without": 7}, ["tables_open_in (guild_id=? AND is_private=?)"]),
            (blocks.SELECT_BETWEEN, {"people": [11, 12, 13]}, ["blocks_of (blocked_id=? AND blocker_id=?)"]),
            (settings.SELECT_CHANGES, {"scope": 3, "most": 5}, ["PRIMARY KEY (scope_id=?)"]),
            (reminders.DELETE_OVER, {"person": 11}, ["PRIMARY KEY (user_id=?)", "INTEGER PRIMARY KEY (rowid=?)"]),
            (
                my_tables.SELECT_MINE,
                {"person": 11, "most": 9},
                [
                    "seats_of (user_id=?)",
                    "INTEGER PRIMARY KEY (rowid=?)",
                    "PRIMARY KEY (table_id=?)",
                    "PRIMARY KEY (table_id=?) LEFT-JOIN",
                ],
            ),
            (
                tournaments.SELECT_TABLES,
                {"of_tournament": 3},
                ["tables_linked (first_id=? AND link_kind=?)", "PRIMARY KEY (table_id=?) LEFT-JOIN"],
            ),
        ],
    )
    async def test_queries_walk_nothing_but_these_indexes(
        self, db: Database, statement: ClauseElement, values: dict[str, object], walks: list[str]
    ) -> None:
        plan = [line for line in await self.plan(db, statement, **values) if line.startswith(("SEARCH", "SCAN"))]
        assert [re.split(r" USING (?:COVERING )?(?:INDEX )?", line)[-1] for line in plan] == walks

    @each_case(
        "statement, values, steps",
        [
            (
                sweeping.SELECT_PENDING,
                {**GAMES, "after": 7, "most": 9},
                ["INDEX tables_unshown (id>?)", "INDEX tables_awaiting (id>?)"],
            ),
            (
                announcements.SELECT_UNANNOUNCED,
                {**GAMES, "idle_since": 1, "most": 9},
                ["tables_idle (updated_at<?)", "announcements USING PRIMARY KEY (table_id=?)"],
            ),
            (
                announcements.SELECT_ANNOUNCED,
                {**GAMES, "idle_since": 1, "noted_until": 1, "most": 9},
                ["tables_idle (updated_at<?)", "announcements USING PRIMARY KEY (table_id=?)"],
            ),
            (announcements.CLOSING.lapsed, {"most": 9}, ["tables USING INTEGER PRIMARY KEY (rowid=?)"]),
            (
                reminders.REMINDER.lapsed,
                {"most": 9},
                [
                    "tables USING INTEGER PRIMARY KEY (rowid=?)",
                    "moves USING PRIMARY KEY (table_id=? AND step>?)",
                ],
            ),
            (
                reminders.SELECT_HELD,
                {"now": 1, "most": 9},
                [
                    "reminders USING INDEX reminders_held (send_at>? AND send_at<?)",
                    "tables USING INTEGER PRIMARY KEY (rowid=?)",
                ],
            ),
            (
                reminders.SELECT_DUE,
                {**GAMES, **UNTIL, "after": 1, "until": 2, "most": 9},
                [
                    "tables USING INDEX tables_awaited (awaited_since>? AND awaited_since<?)",
                    "standing USING INDEX reminders_standing (user_id=?)",
                    "reminders USING PRIMARY KEY (table_id=?)",
                    "seats USING PRIMARY KEY (table_id=? AND seat=?)",
                ],
            ),
            (
                select(
                    reminders.HAS_WORK, invitations.INVITATION.lapsed.exists(), jobs.HAS_DUE, privacy_storage.HAS_NEWS
                ),
                {"games": ["magpie"], **UNTIL, "after": 1, "until": 2, "now": 1, "cleared": "0"},
                [
                    "tables USING INDEX tables_awaited (awaited_since>? AND awaited_since<?)",
                    "reminders USING INDEX reminders_held (send_at>? AND send_at<?)",
                    "jobs USING INDEX jobs_due (due_at<?)",
                ],
            ),
            (
                compaction.SELECT_WITH_MOVES,
                {"after": 7, "most": 5},
                ["moves USING PRIMARY KEY (table_id>?)", "tables USING INTEGER PRIMARY KEY (rowid=?)"],
            ),
            (statements.SELECT_NEWEST, {"channel_id": 7, "solo_id": 5}, ["tables_in (channel_id=? AND solo_id=?)"]),
            (privacy_storage.SELECT_OPEN, {"user_id": 5}, ["INDEX tables_open", "SEARCH seats USING"]),
            (privacy_storage.SELECT_ASIDE, {"user_id": 5}, ["INDEX tables_aside", "SEARCH seats USING"]),
            (
                tournaments.SELECT_OPEN_IN_CHANNEL,
                {"channel": 3},
                ["INDEX tournaments_in_channels (channel_id=?)"],
            ),
            (
                tournaments.SELECT_IN_SERVER,
                {"guild": 3, "channels": [7], "most": 9},
                ["INDEX tournaments_in_channels (channel_id=?)"],
            ),
        ],
    )
    async def test_queries_read_neither_all_tables_nor_all_that_belongs_to_them(
        self, db: Database, statement: ClauseElement, values: dict[str, object], steps: list[str]
    ) -> None:
        plan = await self.plan(db, statement, **values)
        assert all(any(step in line for line in plan) for step in steps), plan
        # There are few notices and jobs at a time.
        assert not any(re.fullmatch(r"SCAN (tables|seats|moves|pings)", line) for line in plan)

    async def test_the_servers_of_a_process_are_walked_by_indexes(self, db: Database) -> None:
        for statement in privacy_storage.select_servers():
            plan = await self.plan(db, statement, shards=1, first=0, last=0)
            read = [line for line in plan if line.startswith(("SCAN", "SEARCH")) and "walked" not in line]
            assert len(read) == 2
            assert all(line.startswith("SEARCH") for line in read), read

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
    OF_RESULT: ClassVar = {
        "user_id": 1,
        "guild_id": 3,
        "board_guild": 3,
        "game": "magpie",
        "company": "people",
        "level": "normal",
        "finished_at": 9,
        "table_id": 7,
        "week": 5,
    }
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
            (
                head_to_head.SELECT_SCORE,
                OF_RESULT,
                "results",
                "INDEX results_of_people (user_id=? AND guild_id=? AND finished_at<?)",
            ),
            (milestones.GAMES_OF_PERSON, OF_RESULT, "totals", "PRIMARY KEY (board_id=? AND user_id=?)"),
            (
                milestones.BEST_BEFORE,
                OF_RESULT,
                "results",
                "INDEX results_for_badges (user_id=? AND game=? AND company=? AND finished_at<?)",
            ),
            (badges.SELECT_BEST, OF_RESULT, "results", "INDEX results_for_badges (user_id=?)"),
            (milestones.WON_AGAINST, OF_RESULT, "results", "INDEX results_of_people (user_id=? AND guild_id=?)"),
            (
                milestones.LOWEST_OF_WEEK,
                OF_RESULT,
                "totals",
                "COVERING INDEX totals_by_lowest (board_id=? AND lowest>?)",
            ),
            (
                milestones.HIGHEST_OF_WEEK,
                OF_RESULT,
                "totals",
                "COVERING INDEX totals_by_highest (board_id=? AND highest>?)",
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
            (challenges.SELECT_OPEN_ATTEMPT, "INDEX attempts_open (cadence=? AND day=? AND started_at>?)"),
            (challenges.SELECT_ATTEMPT, "PRIMARY KEY (user_id=? AND cadence=? AND day=?)"),
            (challenges.SELECT_OWN_DAYS, "PRIMARY KEY (user_id=?)"),
            (challenges.SELECT_OWN_DAYS_HERE, "PRIMARY KEY (user_id=?)"),
            (challenges.SELECT_BEST, "PRIMARY KEY (user_id=? AND cadence=?)"),
            (challenges.COUNT_PEOPLE, "COVERING INDEX attempts_in (guild_id=? AND cadence=? AND day>? AND day<?)"),
            (challenges.PLACE_IN_SERVER, "COVERING INDEX attempts_in (guild_id=? AND cadence=? AND day=?"),
            (challenges.PAGE_IN_SERVER, "COVERING INDEX attempts_in (guild_id=? AND cadence=? AND day=?"),
            (challenges.PLACE_SHOWN, "COVERING INDEX attempts_shown (cadence=? AND day=?"),
            (challenges.PAGE_EVERYWHERE, "COVERING INDEX attempts_shown (cadence=? AND day=?"),
            (challenges.COUNT_WORSE, "COVERING INDEX attempts_scored (cadence=? AND day=?"),
        ],
    )
    async def test_queries_for_challenges_use_an_index(self, db: Database, statement: ClauseElement, walk: str) -> None:
        values = {
            "person": 1,
            "server": 3,
            "of_cadence": "daily",
            "on_day": 9,
            "first": 2,
            "last": 9,
            "than": 5,
            "since": NOON.isoformat(" "),
        }
        plan = await self.plan(db, statement, **values, skipped=10, most=10)
        walks = {line.split(" USING ")[-1] for line in plan if line.startswith("SEARCH attempts")}
        assert walks
        assert all(each.startswith(walk) for each in walks)
        assert not any(line.startswith(("SCAN attempts", "SEARCH named USING INDEX")) for line in plan)

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
