"""Badges awarded in the transaction that finishes a table, on every database."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.features.badges import storage as badge_storage
from bot.features.badges.awarding import award
from bot.platform.database.database import Database
from bot.tables import storage as table_storage
from bot.tables.model import Award, Company, Departure, Header, Result, Status, TableUpdate
from bot.tables.saving import save_change
from bot.tables.storage import Conflict
from tests.store.samples import NOON, Connect, make_header, revise
from tests.support.each_case import each_case
from tests.support.ended_tables import save_end
from tests.support.sample_results import make_result

ROBIN, WREN = 11, 12
FOUR_GAMES = ("change", "fortune", "houdinis_baggage", "magpie")


async def open_table(db: Database, channel_id: int = 7, guild_id: int | None = 3) -> Header:
    header = await db.write(table_storage.open_table, make_header(channel_id, guild_id=guild_id), [])
    await save_change(db, TableUpdate(revise(header, Status.PLAYING)))
    return revise(header, Status.PLAYING)


def make_end(
    header: Header, *badges: tuple[int, str], days: int = 0, people: Sequence[int] = (ROBIN, WREN), **more: object
) -> tuple[TableUpdate, list[Result], list[Award]]:
    """Return the end of a table that the first person wins, with its results and what was earned in it."""
    at = NOON + timedelta(days=days)
    over = replace(revise(header, Status.FINISHED), updated_at=at)
    results: list[Result] = [
        make_result(header.id, seat, user_id, place=seat + 1, finished_at=at, **more)
        for seat, user_id in enumerate(people)
    ]
    awards = [Award(user_id, badge, header.id, 3, at) for user_id, badge in badges]
    return TableUpdate(over), results, awards


async def finish(
    db: Database, *badges: tuple[int, str], days: int = 0, guild_id: int | None = 3, **more: Any
) -> list[tuple[int, str]]:
    """Finish a new table, and return who is awarded what."""
    header = await open_table(db, guild_id=guild_id)
    return pairs(await save_end(db, *make_end(header, *badges, days=days, guild_id=guild_id, **more)))


def pairs(awards: Sequence[Award]) -> list[tuple[int, str]]:
    return [(each.user_id, each.badge) for each in awards]


async def test_a_badge_is_awarded_once_and_keeps_its_first_table(db: Database) -> None:
    new = [(ROBIN, "magpie/snatched"), (ROBIN, "overall/first_game"), (ROBIN, "overall/first_win")]
    assert await finish(db, (ROBIN, "magpie/snatched")) == [*new, (WREN, "overall/first_game")]
    assert await finish(db, (ROBIN, "magpie/snatched"), (WREN, "magpie/snatched"), days=1) == [
        (WREN, "magpie/snatched")
    ]
    shown = await db.read(badge_storage.badges_of, ROBIN)
    assert [(each.award.badge, each.award.table_id, each.award.earned_at) for each in shown] == [
        (badge, 1, NOON) for _, badge in new
    ]
    assert {(each.location and each.location.channel_id) for each in shown} == {7}
    first, second = await db.read(table_storage.load, 1), await db.read(table_storage.load, 2)
    assert first is not None
    assert second is not None
    assert (len(first.awards), pairs(second.awards)) == (4, [(WREN, "magpie/snatched")])


async def test_a_badge_that_takes_several_games_counts_each_once(db: Database) -> None:
    feat, new = "magpie/snatched", list[tuple[str, int | None]]()
    for channel_id, guild_id in enumerate((3, 3, 4, 3)):
        header = await open_table(db, channel_id, guild_id)
        earned = [Award(ROBIN, feat, header.id, guild_id, NOON)]
        for _save in range(2):
            awards = await db.write(award, header, (), earned, {feat: 3})
            new += [(each.badge, each.guild_id) for each in awards]
    assert new == [(f"{feat}/1", 3), (f"{feat}/2", 3), (feat, None)]


async def test_a_table_that_is_lost_to_another_process_awards_nothing(db: Database) -> None:
    change, results, earned = make_end(await open_table(db), (ROBIN, "magpie/snatched"))
    late = replace(change, header=replace(change.header, revision=change.header.revision + 1))
    with pytest.raises(Conflict):
        await save_end(db, late, results, earned)
    assert await db.read(badge_storage.badges_of, ROBIN) == []


async def test_two_processes_that_end_two_tables_at_once_award_a_badge_once(connect: Connect) -> None:
    stores = await connect(), await connect()
    badges = ((ROBIN, "magpie/snatched"), (WREN, "magpie/full_nest"))
    ends = [
        make_end(await open_table(db, channel), *some)
        for db, channel, some in zip(stores, (7, 8), (badges, badges[::-1]), strict=True)
    ]
    one, other = await asyncio.gather(*(save_end(db, *end) for db, end in zip(stores, ends, strict=True)))
    assert sorted([*pairs(one), *pairs(other)]) == [
        (ROBIN, "magpie/snatched"),
        (ROBIN, "overall/first_game"),
        (ROBIN, "overall/first_win"),
        (WREN, "magpie/full_nest"),
        (WREN, "overall/first_game"),
    ]


@each_case(
    "facts",
    [
        {"departure": Departure.RESIGNED},
        {"departure": Departure.SUBSTITUTED},
        {"reason": "resigned"},
    ],
)
async def test_some_results_count_for_no_overall_badge(db: Database, facts: dict[str, Any]) -> None:
    assert await finish(db, **facts) == []


async def test_with_hints_a_game_was_played_but_not_won(db: Database) -> None:
    assert await finish(db, used_hints=True) == [(ROBIN, "overall/first_game"), (WREN, "overall/first_game")]


async def test_a_game_alone_is_no_win(db: Database) -> None:
    assert await finish(db, people=(WREN,), company=Company.ALONE) == [(WREN, "overall/first_game")]


async def test_the_fifth_game_makes_a_tour_and_the_fourth_win_an_all_rounder(db: Database) -> None:
    for game in FOUR_GAMES[:3]:
        new = await finish(db, game=game, company=Company.COMPUTERS, people=(ROBIN, None))
        assert {badge for _, badge in new} <= {"overall/first_game", "overall/first_win"}
    assert await finish(db, game="change", people=(ROBIN, None)) == []
    assert await finish(db, game="magpie", people=(ROBIN, None), used_hints=True) == []
    tour = await finish(db, game="magic_bag", company=Company.ALONE, people=(ROBIN,))
    assert tour == [(ROBIN, "overall/grand_tour")]
    assert await finish(db, game="magpie", people=(ROBIN, None)) == [(ROBIN, "overall/all_rounder")]


async def test_a_hundred_days_with_people_make_an_old_friend(db: Database) -> None:
    await finish(db, company=Company.COMPUTERS, people=(ROBIN, None), days=-50)
    await finish(db)
    assert await finish(db, days=99) == []
    assert await finish(db, days=100, company=Company.COMPUTERS, people=(ROBIN, None)) == []
    assert (ROBIN, "overall/old_friend") in await finish(db, days=100)


async def earned_in(db: Database, user_id: int, guild_id: int | None) -> set[str]:
    return {each.award.badge for each in await db.read(badge_storage.badges_of, user_id, guild_id)}


async def test_people_of_a_server_see_only_badges_that_were_earned_there(db: Database) -> None:
    await finish(db, (ROBIN, "magpie/snatched"), guild_id=3)
    await finish(db, (ROBIN, "magpie/full_nest"), guild_id=4)
    await finish(db, (ROBIN, "magpie/feather"), guild_id=None)
    own = {"overall/first_game", "overall/first_win", "magpie/snatched"}
    assert await earned_in(db, ROBIN, 3) == own
    assert await earned_in(db, ROBIN, 4) == {"magpie/full_nest"}
    assert await earned_in(db, ROBIN, None) == {*own, "magpie/full_nest", "magpie/feather"}


async def test_a_badge_that_took_games_in_several_servers_is_for_its_owner_alone(db: Database) -> None:
    for number, game in enumerate(FOUR_GAMES):
        await finish(db, game=game, people=(ROBIN, None), guild_id=3 + number % 2)
    assert "overall/all_rounder" in await earned_in(db, ROBIN, None)
    for guild_id in (3, 4):
        assert "overall/all_rounder" not in await earned_in(db, ROBIN, guild_id)
    (shown,) = [
        each for each in await db.read(badge_storage.badges_of, ROBIN) if each.award.badge == "overall/all_rounder"
    ]
    assert shown.location is not None
    assert shown.location.guild_id == 4, "its owner finds the table"
