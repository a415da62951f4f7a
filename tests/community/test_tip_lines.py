"""Tips are for beginners: at most one in a turn, each a few times, and pieces are explained once at a table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from bot.features.settings.all_settings import TIPS
from bot.features.settings.service import SettingsCache
from bot.features.tips import MAX_SHOWN, MAX_TIPS, TipLines, colour_tip, count_finished_games
from bot.games.magpie.pieces import State, TableCleared
from bot.rules.game import Event
from bot.rules.screen import Draft, News, Screen, Tone
from bot.rules.study import Tip
from bot.tables.model import Status
from bot.tables.table import MoveNews, Table
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, JAY, ROBIN, WREN, make_table
from tests.support.magpie_with_picture import MAGPIE_WITH_PICTURE
from tests.support.memory_database import MemoryDatabase
from tests.support.sample_results import make_result

ONE, OTHER, NEW = Tip("one", "Roll."), Tip("other", "Keep."), Tip("new", "A pair.", is_explanation=True)


def find_tips(view: State, events: Sequence[Event]) -> Iterator[Tip]:  # noqa: ARG001 - part of every finder's signature
    """Explain a pair whenever the first dice are one."""
    if view.faces[0] == view.faces[1]:
        yield NEW
    yield from (ONE, OTHER)


PACKAGE = replace(MAGPIE_WITH_PICTURE, study=replace(MAGPIE_WITH_PICTURE.study, find_tips=find_tips))


def at(step: int, to_move: int, *, pair: bool = False) -> Table:
    """Return the table at a step."""
    table = replace(make_table(status=Status.PLAYING, package=PACKAGE), news=())
    header = replace(table.header, step=step, to_move=to_move)
    state = replace(table.state, faces=(1, 1, 2, 3, 4) if pair else (1, 2, 3, 4, 6), mover=to_move)
    return replace(table, header=header, state=state)


def show(lines: TipLines, table: Table) -> Tip | None:
    """Show a table with its tip."""
    tip = lines.tip_for(table)
    lines.note_shown(table, tip)
    return tip


@pytest.fixture
def db() -> MemoryDatabase:
    return MemoryDatabase()


@pytest.fixture
async def lines(db: MemoryDatabase) -> TipLines:
    """Make tip lines that know everyone, for tables where Wren has played before."""
    db.add_results(make_result(99, 0, WREN.id))
    lines = TipLines(db, SettingsCache(db))
    for person in (ROBIN, WREN, JAY):
        await lines.load_person(person.id)
    await lines.settings.get(HERE.scope_id)
    return lines


async def test_only_beginners_get_tips_and_one_in_each_turn(lines: TipLines) -> None:
    assert [show(lines, at(step, seat)) for step, seat in ((0, 0), (1, 0), (1, 0), (2, 1), (3, 2), (4, 0))] == [
        ONE, None, None, None, ONE, colour_tip(),
    ]  # fmt: skip


async def test_the_same_position_has_the_same_tip(lines: TipLines) -> None:
    assert [show(lines, at(0, 0)) for _ in range(3)] == [ONE] * 3


async def test_a_turn_after_computer_players_is_another_one(lines: TipLines) -> None:
    assert [show(lines, at(step, 0)) for step in (0, 2, 3)] == [ONE, colour_tip(), None]


async def test_colours_are_explained_where_a_button_is_green(lines: TipLines) -> None:
    def build_quietly(view: State, news: Sequence[News[Any]], names: Sequence[str], draft: Draft) -> Screen:
        screen = PACKAGE.words.build_screen(view, news, names, draft)
        row = tuple(replace(control, tone=Tone.QUIET) for control in screen.shortcuts)
        return replace(screen, shortcuts=(replace(row[0], tone=Tone.CHOSEN), *row[1:]))

    blue = replace(PACKAGE, words=replace(PACKAGE.words, build_screen=build_quietly))
    tables = at(0, 0), replace(at(2, 0), package=blue), at(4, 0), at(6, 0)
    assert [show(lines, table) for table in tables] == [ONE, OTHER, colour_tip(), ONE]


async def test_each_tip_is_shown_a_few_times(lines: TipLines) -> None:
    shown = [show(lines, at(step, 0)) for step in range(0, 40, 2)]
    assert [shown.count(tip) for tip in (ONE, OTHER, colour_tip())] == [MAX_SHOWN, MAX_SHOWN, 1]
    assert shown[-1] is None


async def test_a_person_gets_few_tips_at_a_table_but_every_explanation(lines: TipLines) -> None:
    many = [Tip(f"tip-{number}", "Roll.") for number in range(MAX_TIPS)]

    def find_many(view: State, events: Sequence[Event]) -> Iterator[Tip]:
        return chain((tip for tip in find_tips(view, events) if tip.is_explanation), many)

    def on(step: int, *, pair: bool = False) -> Table:
        return replace(
            at(step, 0, pair=pair), package=replace(PACKAGE, study=replace(PACKAGE.study, find_tips=find_many))
        )

    assert [show(lines, on(step)) for step in range(0, 2 * MAX_TIPS + 4, 2)] == [
        many[0],
        colour_tip(),
        *many[1 : MAX_TIPS - 1],
        None,
        None,
    ]
    assert show(lines, on(99, pair=True)) == NEW


async def test_a_piece_is_explained_once_whoever_is_to_move(lines: TipLines) -> None:
    assert [show(lines, at(step, 1, pair=True)) for step in (0, 0, 1)] == [NEW, NEW, None]
    assert show(lines, at(2, 0, pair=True)) == ONE


async def test_a_turn_with_an_explanation_has_no_tip(lines: TipLines) -> None:
    assert [show(lines, at(step, 0, pair=step == 0)) for step in (0, 1, 3)] == [NEW, None, ONE]


async def test_what_happened_before_the_last_turn_of_the_mover_is_not_explained(lines: TipLines) -> None:
    """After a restart, the table's news would bring all of it again."""
    seen: list[Sequence[Event]] = []

    def note_news(view: State, events: Sequence[Event]) -> Sequence[Tip]:  # noqa: ARG001 - as above
        seen.append(events)
        return ()

    package = replace(MAGPIE_WITH_PICTURE, study=replace(MAGPIE_WITH_PICTURE.study, find_tips=note_news))
    events = [TableCleared(seat, (at,) * 5) for at, seat in enumerate((0, 1, 2, 0, 0, 1, 2))]
    news = tuple(MoveNews(event.seat, (event,), ends_turn=at != 3) for at, event in enumerate(events))
    for mover in (0, 1):
        show(lines, replace(at(7, mover), package=package, news=news))
    assert seen == [events[3:], events[5:]]


async def test_before_a_computer_players_move_and_after_the_end_there_are_none(lines: TipLines) -> None:
    table = at(0, 0)
    for header in (replace(table.header, awaits_computer=True), replace(table.header, status=Status.FINISHED)):
        assert show(lines, replace(table, header=header)) is None


async def test_no_more_tips_counts_at_once_and_for_one_person(lines: TipLines) -> None:
    assert show(lines, at(0, 0)) == ONE
    await lines.settings.choose_for(ROBIN.id, TIPS, value=False)
    assert show(lines, at(0, 0)) is None
    assert show(lines, at(1, 2)) == ONE


async def test_a_server_can_turn_tips_off(db: MemoryDatabase) -> None:
    db.chosen[HERE.scope_id] = chosen({TIPS: False})
    lines = TipLines(db, SettingsCache(db))
    for _ in range(2):
        lines.on_table_changed(at(0, 0))
        assert show(lines, at(0, 0)) is None
        await lines.close(1)
    assert lines.settings.known(HERE.scope_id) == chosen({TIPS: False})
    assert show(lines, at(0, 0)) is None
    await lines.settings.change(HERE.scope_id, TIPS, lambda _: True)
    assert show(lines, at(0, 0)) == ONE


async def test_a_finished_game_ends_its_tips(lines: TipLines) -> None:
    over = at(9, 0)
    over = replace(over, header=replace(over.header, status=Status.FINISHED, to_move=None))
    over = replace(over, state=replace(over.state, scores=(101, 20, 30), trigger=0, mover=None))
    lines.on_table_changed(over)
    assert show(lines, at(0, 0)) is None


async def test_a_lobby_loads_its_players(db: MemoryDatabase) -> None:
    db.chosen[JAY.id] = chosen({TIPS: False})
    lines = TipLines(db, SettingsCache(db))
    lines.on_table_changed(make_table())
    await lines.close(1)
    assert lines.settings.known(JAY.id) == chosen({TIPS: False})
    assert db.calls.count(count_finished_games) == len(make_table().seats)
