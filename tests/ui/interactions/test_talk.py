"""When a table has stayed long enough to follow the talk."""

from datetime import timedelta

from discord.utils import snowflake_time, time_snowflake

from bot.tables.handlers.talk import LEAST_STAY, MOVED_AFTER, MOVED_AFTER_MOVES, Talk
from tests.support.each_case import each_case
from tests.support.fakes import NOON

TABLE = time_snowflake(NOON)
MOMENT = timedelta(seconds=1)


@each_case(
    "newest_id, stayed, moves, is_past",
    [
        (TABLE + 1, MOVED_AFTER, 0, True),
        (TABLE + 1, MOVED_AFTER - MOMENT, MOVED_AFTER_MOVES - 1, False),
        (TABLE + 1, LEAST_STAY, MOVED_AFTER_MOVES, True),
        (TABLE + 1, LEAST_STAY - MOMENT, 99, False),
        (TABLE, MOVED_AFTER, 99, False),
    ],
)
def test_talk_is_past_a_table(newest_id: int, stayed: timedelta, moves: int, is_past: bool) -> None:
    assert Talk(newest_id, snowflake_time(TABLE) + stayed).is_past(TABLE, moves) is is_past
