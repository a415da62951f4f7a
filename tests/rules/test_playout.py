"""The contract playout accepts a sound game and finds every fault that is planted in one."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.rules.chance import Chance, FastChance
from bot.rules.game import Event, Outcome, Seat
from bot.rules.playout import PlayoutEvaluator
from bot.rules.refusals import Refusal
from bot.rules.screen import Control, Field, Menu, Play, Screen, Tone
from bot.tables.registry import AnyPackage
from bot.tools.contract import (
    BrokenContract,
    Check,
    PlayoutSetting,
    check_package,
    make_mixed_options,
    play_games,
    play_out,
)
from bot.tools.contract.contract import option_choices
from bot.tools.contract.playout import check_outcome
from bot.tools.contract.screen_checks import find_excess
from tests.rules.faults import FAULTS, with_game
from tests.rules.faulty_games import SeatsNobody
from tests.rules.heap_game import MAX_TAKEN, PACKAGE, Heap, HeapEnd, HeapOptions, Move, State, Stone, Take
from tests.rules.leaky_games import LEAKS
from tests.support.each_case import each_case
from tests.support.picture_checks import project_assets


def check_everything(package: AnyPackage, games: int = 12) -> None:
    """Make every check at every step."""
    check_package(package, "tests.rules.heap_game", project_assets())
    for seats in (2, 3):
        play_games(package, seats, None, project_assets(), games=games, check_rate=1)


def test_a_sound_game_passes() -> None:
    check_everything(PACKAGE, games=4)


class TakesWhatThereIs(Heap):
    """Takes as much as it can where more is asked for, which does the same as a move that is offered."""

    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        return super().check(state, seat, self.taken(state, move))

    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[State, tuple[Event, ...]]:
        return super().play(state, seat, self.taken(state, move), chance)

    def taken(self, state: State, move: Move) -> Move:
        return Take(min(move.count, MAX_TAKEN, max(state.heap, 1))) if isinstance(move, Take) else move


def test_a_move_that_is_not_offered_may_equal_one_that_is() -> None:
    check_everything(with_game(TakesWhatThereIs()), games=4)


@each_case("check, package", FAULTS)
def test_a_planted_fault_is_found(check: Check, package: AnyPackage) -> None:
    with pytest.raises(BrokenContract) as caught:
        check_everything(package)
    assert caught.value.check is check


def test_every_check_finds_a_planted_fault() -> None:
    assert {check for check, *_ in (*FAULTS, *LEAKS)} == set(Check)


def test_a_fault_says_how_to_reproduce_it() -> None:
    with pytest.raises(BrokenContract) as caught:
        play_out(with_game(SeatsNobody()), PlayoutSetting(HeapOptions(), 2, 5))
    (note,) = caught.value.__notes__
    assert "seats=2" in note
    assert "seed=5" in note
    assert "t" in note.rpartition(": ")[2]


def test_the_same_setting_gives_the_same_record() -> None:
    setting = PlayoutSetting(HeapOptions(), 3, 11)
    assert play_out(PACKAGE, setting) == play_out(PACKAGE, setting)


def test_a_careless_playout_plays_a_whole_game_too() -> None:
    record = play_out(PACKAGE, PlayoutSetting(HeapOptions(), 2, 1, check_rate=0))
    assert 2 <= len(record) <= HeapOptions().stones


@each_case("games, most", [(1, 3), (12, 12)])
def test_values_by_playouts_are_checked_at_few_steps(games: int, most: int) -> None:
    evaluations: list[bytes] = []

    def note_evaluation(seed: bytes) -> Chance:
        evaluations.append(seed)
        return FastChance(Random(seed))

    evaluate = PlayoutEvaluator(Heap(), lambda view, _chance: view, lambda state: state.scores, note_evaluation, 1)
    study = replace(PACKAGE.study, describe_move=lambda _view, move: str(move))
    package = replace(PACKAGE, study=study, mind=replace(PACKAGE.mind, evaluate=evaluate))
    play_games(package, 2, None, None, games=games, check_rate=1)
    assert 0 < len(evaluations) <= most
    assert len(set(evaluations)) > 1, "not only the first position, which all games share"


SOUND = Screen("T", "t", (Field("F", "f"),), ((Control("k", "L", Play("toss")),),))
ROW = SOUND.controls[0]


LINE = Control("line", "L", Play("toss"), description="-" * 100)
MENU = Menu("m", "M", (LINE,))


def test_a_screen_at_every_limit_fits() -> None:
    control = replace(ROW[0], label="-" * 80)
    field = Field("-" * 256, "-" * 1024)
    assert list(find_excess(Screen("-" * 256, "-" * 1700, (field,), ((control,) * 5,) * 4, "-" * 1900))) == []
    assert list(find_excess(replace(SOUND, text="-" * 4096))) == []
    menu = Menu("m", "-" * 150, (replace(LINE, label="-" * 100),) * 24 + (replace(LINE, tone=Tone.CHOSEN),))
    assert list(find_excess(replace(SOUND, menus=(menu,) * 3))) == []


@each_case(
    "change, named",
    [
        ({"title": "-" * 257}, "title"),
        ({"title": " "}, "title"),
        ({"text": "-" * 4097}, "text"),
        ({"fields": (Field("-" * 257, "f"),)}, "field title"),
        ({"fields": (Field("F", "-" * 1025),)}, "field text"),
        ({"fields": (Field("F", ""),)}, "field text"),
        ({"rule": "-" * 41}, "rule"),
        ({"shortcuts": ROW * 4}, "shortcuts"),
        ({"shortcuts": (replace(ROW[0], tone=Tone.MAIN),) * 2}, "controls that stand out"),
        ({"fields": SOUND.fields * 25}, "fields"),
        ({"note": "-" * 2049}, "note"),
        ({"text": "-" * 4000, "note": "-" * 1300}, "texts together"),
        ({"controls": (ROW,) * 5}, "rows of controls"),
        ({"controls": (ROW * 6,)}, "controls in a row"),
        ({"controls": ((),)}, "controls in a row"),
        ({"controls": ((replace(ROW[0], label="-" * 81),),)}, "label"),
        ({"controls": ((replace(ROW[0], label=""),),)}, "label"),
        ({"menus": (MENU,) * 4}, "rows of controls"),
        ({"menus": (replace(MENU, label="-" * 151),)}, "menu"),
        ({"menus": (replace(MENU, label=" "),)}, "menu"),
        ({"menus": (replace(MENU, controls=(LINE,) * 26),)}, "lines of a menu"),
        ({"menus": (replace(MENU, controls=(replace(LINE, tone=Tone.CHOSEN),) * 2),)}, "chosen lines of a menu"),
        ({"menus": (replace(MENU, controls=(replace(LINE, label="-" * 101),)),)}, "line"),
        ({"menus": (replace(MENU, controls=(replace(LINE, description="-" * 101),)),)}, "description"),
    ],
)
def test_a_screen_beyond_a_limit_is_named(change: dict[str, Any], named: str) -> None:
    assert list(find_excess(replace(SOUND, **change))) == [named]


@each_case("places", [(1, 2), (1, 2, 2), (1, 1, 3), (1, 1, 1), (3, 1, 2)])
def test_places_with_ties_are_a_ranking(places: tuple[int, ...]) -> None:
    check_outcome(Outcome(places, (0,) * len(places), HeapEnd.HEAP_EMPTY), len(places))


@each_case("places", [(0, 1), (2, 2), (1, 3), (1, 1, 2), (2, 3, 4)])
def test_places_with_wrong_gaps_are_no_ranking(places: tuple[int, ...]) -> None:
    with pytest.raises(BrokenContract):
        check_outcome(Outcome(places, (0,) * len(places), HeapEnd.HEAP_EMPTY), len(places))


def test_option_values_come_from_the_bounds_and_the_enum() -> None:
    assert option_choices(HeapOptions) == {"stones": (6, 3, 12), "kind": tuple(Stone), "losing": (False, True)}


def test_mixes_of_options_start_with_the_defaults_and_repeat() -> None:
    mixes = [make_mixed_options(HeapOptions, seed) for seed in range(24)]
    assert mixes[0] == HeapOptions()
    assert mixes == [make_mixed_options(HeapOptions, seed) for seed in range(24)]
    for name, values in option_choices(HeapOptions).items():
        assert {getattr(mix, name) for mix in mixes} == set(values)
