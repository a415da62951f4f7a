"""Which positions of computer players' turns people see, and that each picture moves on from the one before it."""

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

from bot.pictures.assets import load_assets
from bot.platform.content import DATA
from bot.rules.chance import FastChance
from bot.rules.package import usual_strategy
from bot.tables.model import Occupant, Status
from bot.tables.registry import AnyPackage
from bot.tables.shown.message import table_picture
from bot.tables.table import Table, apply_move
from bot.tools.contract.picture_checks import find_motion_flaws
from tests.support.fakes import make_table
from tests.support.games import load_games_once

WITH_STEPS = [package for package in load_games_once().values() if package.look.shows_step is not None]


def computers_turns(package: AnyPackage, computers: int, moves: int = 250) -> Iterator[list[Table]]:
    """Yield the turns that computer players make alone: what people see before a turn, of it, and at its end."""
    strategy, chance = usual_strategy(package), FastChance(random.Random(1))
    assert strategy is not None
    seats = (Occupant(name="Ada", user_id=1), *[Occupant(level="normal")] * computers)
    table, seen = make_table(*seats, status=Status.PLAYING, package=package), list[Table]()
    for _ in range(moves):
        seat = table.header.to_move
        if seat is None:
            return
        view, legal = package.game.view(table.state, seat), package.game.legal_moves(table.state)
        after = apply_move(table, seat, strategy(view, legal, chance))
        if after.news[-1].from_seen:
            seen.append(table)
        if after.news[-1].ends_turn:
            if all(each.header.awaits_computer for each in seen):
                yield [*seen, after]
            seen = []
        table = after


def moves_between(before: Table, after: Table) -> int:
    return after.header.step - before.header.step


@pytest.mark.parametrize("package", WITH_STEPS, ids=lambda package: package.game.info.key)
def test_a_turn_takes_three_pictures_and_each_starts_from_the_one_before(package: AnyPackage) -> None:
    build, assets, longest = package.look.build_picture, load_assets(DATA), 0
    assert build is not None
    for turn in computers_turns(package, computers=package.game.info.most_seats // 2):
        assert 2 <= len(turn) <= 4
        for before, after in pairwise(turn):
            assert after.before is not None
            assert after.before.header.step == before.header.step
            picture = table_picture(after, build, None)
            if picture.motion is not None:
                assert not list(find_motion_flaws(picture.motion, picture.size, assets))
                longest = max(longest, moves_between(before, after))
    assert longest > 1


def test_of_a_turn_among_many_computer_players_people_see_the_end_alone() -> None:
    turns = list(computers_turns(load_games_once()["change"], computers=5))
    assert {len(turn) for turn in turns} == {2}
    assert max(moves_between(*turn) for turn in turns) > 2
