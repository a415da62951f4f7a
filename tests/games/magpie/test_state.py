"""Magpie's options and states: rule MP-O1, the audit, and that nothing is hidden."""

import pytest
from pydantic import ValidationError

from bot.games.magpie.pieces import (
    MagpieOptions,
)
from tests.games.magpie.positions import (
    EVERY_MIX,
    GAME,
    at,
)
from tests.support.each_case import each_case


class TestOptions:
    def test_mp_o1_defaults(self) -> None:
        """MP-O1."""
        options = MagpieOptions()
        assert options.target == 100
        assert not options.double_big_rolls
        assert not options.reroll_fours
        assert not options.five_dice_bonus

    @each_case("target", [50, 51, 100, 499, 500])
    def test_mp_o1_targets_from_50_to_500(self, target: int) -> None:
        """MP-O1."""
        assert MagpieOptions.model_validate({"target": target}).target == target

    @each_case("target", [49, 501, 0, -100, 99.5, "many", None])
    def test_mp_o1_other_targets_are_refused(self, target: object) -> None:
        """MP-O1."""
        with pytest.raises(ValidationError):
            MagpieOptions.model_validate({"target": target})

    def test_mp_o1_any_mix_is_an_option(self) -> None:
        """MP-O1."""
        assert len(set(EVERY_MIX)) == 8


class TestState:
    def test_nothing_is_secret(self) -> None:
        state = at("12346 3/4 1 -")
        assert GAME.view(state, 0) == GAME.view(state, 1) == GAME.view(state, None) == state

    @each_case("position", ["12346 0/0 0 -", "12346 100/0 1 0", "12346 101/100 - 0", "12346 0/0/0/0/0/0 5 -"])
    def test_a_sound_position_has_no_faults(self, position: str) -> None:
        assert GAME.audit(at(position)) == ()

    @each_case(
        "position",
        [
            "12346 0 0 -",  # one seat
            "12346 0/0/0/0/0/0/0 0 -",  # seven
            "1234 0/0 0 -",
            "123466 0/0 0 -",
            "12340 0/0 0 -",
            "12347 0/0 0 -",
            "12346 0/-1 0 -",
            "12346 0/0 - -",  # over without a reason
            "12346 0/0 2 -",
            "12346 100/0 0 0",  # a turn after the target
            "12346 100/0 1 -",  # the target reached, but no trigger
            "12346 99/0 1 0",  # named, but below the target
            "12346 100/0 2 0",  # no such seat to move
            "12346 100/0 1 2",  # no such seat reached the target
        ],
    )
    def test_the_audit_names_one_fault_at_least(self, position: str) -> None:
        assert GAME.audit(at(position))

    def test_the_audit_names_a_single_fault(self) -> None:
        assert len(GAME.audit(at("12346 100/0 1 -"))) == 1
