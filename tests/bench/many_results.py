"""What a million results in a server cost: boards, profiles, histories, duels, challenges, and the end of a table."""

import random
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Connection, text

from bot.features.boards.model import BoardKey, BoardOrder
from bot.features.boards.service import load_leaderboard
from bot.features.challenges.service import ChallengeService
from bot.features.profiles import storage as profile_storage
from bot.features.profiles.model import Duel
from bot.features.results.model import (
    ChannelsFilter,
    PersonFilter,
    PersonInChannelsFilter,
    month_of,
    quarter_of,
    week_of,
)
from bot.features.results.rebuild import rebuild
from bot.features.results.service import TABLES_PER_PAGE, ResultsService
from bot.platform.database.database import Database
from bot.platform.database.sql import Values
from bot.platform.places import Location, day_of
from bot.tables import storage as table_storage
from bot.tables.model import Company, Header, Result, Status, TableUpdate, build_lobby_header
from bot.tables.results import result_values, results
from bot.tables.schema import new_table_values, tables
from tests.bench.daily_results import Question, daily_questions, fill_daily
from tests.bench.databases import new_databases, open_migrated, write_rows
from tests.bench.measured_clicks import Times
from tests.bench.rows import Figure, Round, Row, Taken
from tests.support.ended_tables import save_end

RESULTS: Final = 1_000_000
PEOPLE: Final = 50_000
SERVER: Final = 3
CHANNELS: Final = tuple(range(100, 120))
BEGIN: Final = datetime(2024, 12, 1, tzinfo=UTC)
DAYS: Final = 730
LAST_DAY: Final = BEGIN + timedelta(days=DAYS)
BUSIEST: Final = 1
"""People with small ids play most: this one at about every fifteenth table."""
QUESTIONS: Final = 150
"""How often each is asked."""
ENDS: Final = 200
_ROWS: Final = 5000
_KINDS: Final = (
    ("magpie", Company.PEOPLE, 2),
    ("magpie", Company.PEOPLE, 4),
    ("fortune", Company.PEOPLE, 3),
    ("change", Company.PEOPLE, 2),
    ("houdinis_baggage", Company.PEOPLE, 3),
    ("magic_bag", Company.ALONE, 1),
)


@asynccontextmanager
async def measure_many_results() -> AsyncIterator[Round]:
    """Fill databases, and ask them everything in each round."""
    async with AsyncExitStack() as stack:
        addresses = stack.enter_context(new_databases())
        databases = {
            name: await stack.enter_async_context(open_migrated(address())) for name, address in addresses.items()
        }
        rebuilt_in = {name: await _fill_database(db) for name, db in databases.items()}

        async def measure() -> Taken:
            answers = {name: await _ask_everything(db) for name, db in databases.items()}
            ends = {name: await _end_tables(db) for name, db in databases.items()}
            every = [times for by_question in answers.values() for times in by_question.values()]
            rows = {
                Row.QUESTION_P50: Figure(max(times.p50 for times in every)),
                Row.QUESTION_P99: Figure(max(times.p99 for times in every)),
            }
            return Taken(rows, {"rebuilt_in": rebuilt_in, "end_of_table": ends, "answers": answers})

        yield measure


async def _fill_database(db: Database) -> float:
    """Write all results, and return the seconds that all ratings and totals of them took."""
    await db.run_exclusively(fill)
    last_day = day_of(LAST_DAY)
    await db.run_exclusively(lambda connection: fill_daily(connection, SERVER, PEOPLE, last_day))
    began = time.perf_counter()
    await db.run_exclusively(rebuild)
    rebuilt_in = time.perf_counter() - began
    await db.run_exclusively(lambda connection: connection.execute(text("ANALYZE")))
    return round(rebuilt_in, 1)


def fill(connection: Connection) -> None:
    """Write tables with all results, in the order in which they ended."""
    source, written, table_id = random.Random(1), 0, 0
    new_tables: list[Values] = []
    new_results: list[Values] = []
    while written < RESULTS:
        table_id += 1
        ended_at = BEGIN + timedelta(days=DAYS * written / RESULTS)
        found = make_results(source, table_id, ended_at)
        header = _make_header(found[0].game, found[0].channel_id, found[0].opened_at)
        new_tables.append(new_table_values(header) | {"id": table_id, "status": Status.FINISHED.value})
        new_results.extend(map(result_values, found))
        written += len(found)
        if len(new_tables) >= _ROWS:
            write_rows(connection, tables, new_tables)
            write_rows(connection, results, new_results)
    write_rows(connection, tables, new_tables)
    write_rows(connection, results, new_results)
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT setval('tables_id_seq', {table_id})"))


def make_results(source: random.Random, table_id: int, ended_at: datetime) -> list[Result]:
    """Make the results of a table; some people play far more than others."""
    game, company, seats = source.choice(_KINDS)
    who: set[int] = set()
    while len(who) < seats:
        who.add(_anyone(source))
    scores = sorted((source.randrange(200) for _ in who), reverse=game != "change")
    return [
        Result(
            table_id=table_id,
            seat=seat,
            game=game,
            company=company,
            guild_id=SERVER,
            channel_id=source.choice(CHANNELS) if not seat else 0,
            user_id=user_id,
            name=f"Player {user_id}",
            level=None,
            place=1 + scores.index(score),
            is_shared=scores.count(scores[0]) > 1 and score == scores[0],
            score=score,
            seats=seats,
            steps=60,
            opened_at=ended_at - timedelta(hours=1),
            finished_at=ended_at,
            reason="target_reached",
        )
        for seat, (user_id, score) in enumerate(zip(source.sample(sorted(who), seats), scores, strict=True))
    ]


def _anyone(source: random.Random) -> int:
    """Return a person at random: who plays much asks much, too."""
    return 1 + int(PEOPLE * source.random() ** 3)


def _make_header(game: str, channel_id: int, at: datetime) -> Header:
    location = Location(SERVER, channel_id)
    return build_lobby_header(game, 1, "{}", location=location, opener_id=BUSIEST, seed=bytes(32), at=at)


def questions(db: Database, challenges: ChallengeService) -> Mapping[str, Question]:
    """Return what is asked, each about someone or something at random."""
    community, everywhere = ResultsService(db), ChannelsFilter(SERVER, frozenset(CHANNELS))

    def board(key: BoardKey, pages: Sequence[int]) -> Question:
        return lambda source: load_leaderboard(db, key, _anyone(source), source.choice(pages))

    async def profile(person: PersonFilter | PersonInChannelsFilter) -> None:
        await db.read(profile_storage.person_record, person.user_id, person.guild_id)
        await community.newest_tables(person)

    def versus(first_id: int, second_id: int) -> Awaitable[object]:
        duel = Duel(SERVER, first_id, second_id)
        return db.read(profile_storage.versus, duel, everywhere.channels, TABLES_PER_PAGE)

    def history(pages: Sequence[int]) -> Question:
        return lambda source: community.history(everywhere, source.choice(pages))

    together = BoardKey(SERVER, "magpie", Company.PEOPLE, BoardOrder.RATING)
    alone = BoardKey(SERVER, "magic_bag", Company.ALONE, BoardOrder.BEST)
    far = (500, 1500, 4000)
    past = LAST_DAY - timedelta(days=31)
    whole_periods = {"season": quarter_of(past), "month": month_of(past), "week": week_of(past)}
    return {
        **{f"board by {by}, first page": board(replace(together, by=by), (1,)) for by in BoardOrder},
        **{f"board by {by}, far pages": board(replace(together, by=by), far) for by in BoardOrder},
        "solo board": board(alone, (1, 2, *far)),
        **{
            f"board of a {name}": board(
                BoardKey(SERVER, "magpie", Company.PEOPLE, BoardOrder.RATING, period), (1, 2, 50)
            )
            for name, period in whole_periods.items()
        },
        "profile": lambda source: profile(PersonFilter(_anyone(source), SERVER)),
        "profile in a few channels": lambda source: profile(
            PersonInChannelsFilter(_anyone(source), SERVER, frozenset(CHANNELS[:2]))
        ),
        "profile of the busiest": lambda _: profile(PersonFilter(BUSIEST, SERVER)),
        "history of a channel": lambda source: community.history(
            ChannelsFilter(SERVER, frozenset({source.choice(CHANNELS)})), source.choice((1, 2, 100, 3000))
        ),
        "history of the server, first pages": history((1, 2, 3)),
        "history of the server, far pages": history((1000, 20_000, 80_000)),
        "history of a person": lambda source: community.history(PersonFilter(_anyone(source), SERVER), 1),
        "history of the busiest, far pages": lambda source: community.history(
            PersonFilter(BUSIEST, SERVER), source.choice((1, 500, 4000))
        ),
        "versus": lambda source: versus(_anyone(source), _anyone(source)),
        "versus between the busiest": lambda source: versus(BUSIEST, source.choice((2, 3, 4))),
        **daily_questions(db, challenges, SERVER, _anyone),
    }


async def _ask_everything(db: Database) -> dict[str, Times]:
    challenges = ChallengeService(db, lambda: LAST_DAY, random.Random(5).randbytes)
    taken: dict[str, list[float]] = {}
    source = random.Random(2)
    # In turn, so that no question finds all it needs in the caches because of the one before.
    for _ in range(QUESTIONS):
        for name, ask in questions(db, challenges).items():
            began = time.perf_counter()
            await ask(source)
            taken.setdefault(name, []).append(1000 * (time.perf_counter() - began))
    return {name: Times.of(each, 1) for name, each in taken.items()}


async def _end_tables(db: Database) -> float:
    """Return the milliseconds, at the median, that the end of a table of two people takes to be saved."""
    source, taken = random.Random(3), []
    for channel_id in range(1000, 1000 + ENDS):
        header = await db.write(table_storage.open_table, _make_header("magpie", channel_id, LAST_DAY), [])
        found: list[Result] = []
        while len(found) != 2:
            found = make_results(source, header.id, LAST_DAY)
        change = TableUpdate(replace(header, status=Status.FINISHED, revision=header.revision + 1))
        began = time.perf_counter()
        await save_end(db, change, found)
        taken.append(1000 * (time.perf_counter() - began))
    return round(statistics.median(taken), 2)
