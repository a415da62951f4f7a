"""The assignments satisfy their constraints, which are checked on reading; a script regenerates them."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bot.games.houdinis_baggage.cards import AssignmentSheet, BaggageContent, BonusKind
from bot.platform.content import BrokenContent, read_content
from bot.tools import design
from bot.tools.design import design_assignments, format_toml
from tests.games.houdinis_baggage.positions import DECK
from tests.support.each_case import each_case


@pytest.mark.long
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


def test_the_deck_has_the_numbers_of_the_rules_page() -> None:
    """The sheet is checked for the rest when it is read."""
    assert [each.number for each in DECK] == list(range(1, 37))
    sizes = Counter((each.points, len(each.items)) for each in DECK)
    assert sizes == dict.fromkeys([(1, 2), (2, 3), (3, 3), (4, 4), (5, 4), (6, 5)], 6)
    assert all(len({item.trait for item in each.items}) == len(each.items) for each in DECK), "no item is there twice"
    fours = [each.points for each in DECK for item in each.items if item.number == 4]
    assert 1 <= len(fours) <= 3
    assert set(fours) <= {5, 6}
    kinds = Counter(each.bonus.kind for each in DECK)
    assert [kinds[kind] for kind in BonusKind] == [10, 10, 5, 5, 3, 3]
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


def test_a_missing_file_is_reported(tmp_path: Any) -> None:
    with pytest.raises(BrokenContent) as broken:
        read_content(BaggageContent, tmp_path)
    assert "assignments.toml is missing" in broken.value.faults[0]
