"""The assignments satisfy their constraints, which are checked on reading; a script regenerates them."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bot.games.houdinis_baggage.cards import Aspect, AssignmentSheet, BaggageContent, BonusKind, Trait
from bot.platform.content import BrokenContent, read_content
from bot.tools import design
from bot.tools.design import design_assignments, format_toml
from tests.games.houdinis_baggage.positions import DECK
from tests.support.each_case import each_case

ITEMS = [item for each in DECK for item in each.items]
BONUSES = [each.bonus for each in DECK]


def test_the_file_is_what_the_script_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = design.FILE.read_text(encoding="utf-8")
    monkeypatch.setattr(design, "FILE", tmp_path / "assignments.toml")
    design.main()
    assert (tmp_path / "assignments.toml").read_text(encoding="utf-8") == expected


def test_another_seed_makes_other_sound_assignments() -> None:
    for seed in (1, 2):
        cards = design_assignments(seed, deals=20)
        assert format_toml(cards) != design.FILE.read_text(encoding="utf-8")
        AssignmentSheet.model_validate({"cards": [card.model_dump() | describe(card) for card in cards]})


def describe(card: Any) -> dict[str, Any]:
    return {"items": [str(item) for item in card.items], "bonus": str(card.bonus)}


class TestConstraints:
    def test_six_of_each_worth(self) -> None:
        assert Counter(each.points for each in DECK) == dict.fromkeys(range(1, 7), 6)
        assert [each.number for each in DECK] == list(range(1, 37))

    def test_items_by_worth(self) -> None:
        assert {each.points: len(each.items) for each in DECK} == {1: 2, 2: 3, 3: 3, 4: 4, 5: 4, 6: 5}
        assert {(each.points, len(each.items)) for each in DECK} == {(1, 2), (2, 3), (3, 3), (4, 4), (5, 4), (6, 5)}
        assert len(ITEMS) == 126

    def test_numbers_are_one_to_three_and_rarely_four_on_valuable_assignments(self) -> None:
        fours = [each.points for each in DECK for item in each.items if item.number == 4]
        assert {item.number for item in ITEMS} == {1, 2, 3, 4}
        assert 1 <= len(fours) <= 3
        assert set(fours) <= {5, 6}

    def test_colours_and_shapes_are_even(self) -> None:
        counts = Counter(item.trait for item in ITEMS)
        for aspect in Aspect:
            of_it = [counts[trait] for trait in Trait if trait.aspect is aspect]
            assert max(of_it) - min(of_it) <= 1
            assert sum(of_it) == 63

    def test_no_assignment_asks_for_the_same_twice(self) -> None:
        assert all(len({item.trait for item in each.items}) == len(each.items) for each in DECK)

    def test_bonuses(self) -> None:
        kinds = Counter(bonus.kind for bonus in BONUSES)
        assert [kinds[kind] for kind in BonusKind] == [10, 10, 5, 5, 3, 3]
        changes = [(bonus.before, bonus.after) for bonus in BONUSES if bonus.before is not None]
        assert len(set(changes)) == len(changes) == 20
        for before, after in changes:
            assert before is not None
            assert after is not None
            assert before is not after
            assert before.aspect is after.aspect
        assert {each.bonus.kind for each in DECK if each.points < 3}.isdisjoint({BonusKind.MOVE, BonusKind.COPY})


def sheet() -> list[dict[str, Any]]:
    return [{"points": each.points, **describe(each)} for each in DECK]


def change(number: int, **values: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda cards: cards[number - 1].update(values)


@each_case(
    "spoil, fault",
    [
        (lambda cards: cards.pop(), "there must be 6 assignments of 6 points, not 5"),
        (change(1, points=2), "there must be 6 assignments of 1 points, not 5"),
        (change(1, points=7), "less than or equal to 6"),
        (change(1, items=["red 1", "blue 1", "star 1"]), "assignment 1 must have 2 items"),
        (change(1, items=["red 4", "blue 1"]), "assignment 1 has a number above 3"),
        (change(1, items=["red 5", "blue 1"]), "'red 5' is no item"),
        (change(1, items=["pink 1", "blue 1"]), "'pink 1' is no item"),
        (change(1, items=["red", "blue 1"]), "'red' is no item"),
        (change(36, items=["red 1"] * 5), "the colours must appear equally often"),
        (change(36, items=["star 1"] * 5), "the shapes must appear equally often"),
        (change(1, bonus="move"), "assignment 1 must carry a change or a +1"),
        (change(1, bonus="red to red"), "'red to red' is no bonus"),
        (change(1, bonus="red to star"), "'red to star' is no bonus"),
        (change(1, bonus="two"), "'two' is no bonus"),
        (change(1, colour="red"), "Extra inputs"),
        (
            lambda cards: [each.update(items=[f"{x.split()[0]} 4" for x in each["items"]]) for each in cards[30:]],
            "more than 3 fours",
        ),
        (lambda cards: [each.update(bonus="+1 shape") for each in cards], "there must be 5 bonuses '+1 shape', not 36"),
        (lambda cards: [each.update(bonus="red to blue") for each in cards[:2]], "the bonus 'red to blue' is there"),
        (
            lambda cards: [
                each.update(items=[f"{c} 1" for c in ("red", "blue", "green", "yellow", "red")]) for each in cards[30:]
            ],
            "colours and shapes must be about even",
        ),
    ],
)
def test_a_fault_in_the_file_is_named(spoil: Callable[[list[dict[str, Any]]], object], fault: str) -> None:
    cards = sheet()
    spoil(cards)
    with pytest.raises(ValidationError) as invalid:
        AssignmentSheet.model_validate({"cards": cards})
    assert fault in str(invalid.value)


def test_the_shipped_sheet_is_accepted() -> None:
    assert AssignmentSheet.model_validate({"cards": sheet()}).build_deck() == DECK


def test_a_missing_file_is_reported(tmp_path: Any) -> None:
    with pytest.raises(BrokenContent) as broken:
        read_content(BaggageContent, tmp_path)
    assert "assignments.toml is missing" in broken.value.faults[0]
