"""The reference sheet is a data file, whose faults are reported. Rule MB-13."""

import pytest
from pydantic import ValidationError

from bot.games.magic_bag.pieces import ReferenceSheet
from tests.support.each_case import each_case

SUNS = ["5 0", "3 4", "1 2"]
MOONS = ["0 2 4", "3 1", "5"]
ARMS = ["0", "1", "2", "3", "4", "5"]


def sheet(**artifacts: object) -> ReferenceSheet:
    return ReferenceSheet.model_validate({"suns": SUNS, "moons": MOONS, "arms": ARMS} | artifacts)


def test_mb_13_rows_are_read_as_they_lie() -> None:
    """MB-13."""
    assert sheet().moons == ((0, 2, 4), (3, 1), (5,))
    assert sheet(moons=["0 . 4", ". 3 1", "2  5"]).moons == ((0, None, 4), (None, 3, 1), (2, 5))


@each_case(
    "moons, fault",
    [
        (["0 2 4", "3 1"], "must show each value from 0 to 5 once; look at 5"),
        (["0 2 4", "3 1", "5 5"], "look at 5"),
        (["0 0 4", "3 1", "5"], "look at 0, 2"),
        ([], "look at 0, 1, 2, 3, 4, 5"),
        (["0 2 4", "3 1", "6"], "'6' is neither a value from 0 to 5 nor a dot"),
        (["024", "31", "5"], "'024' is neither"),
        (["0 2 4", "3 1", "N"], "'N' is neither"),
        (["٣"], "neither"),
        ("0 2 4 3 1 5", 'must be a list of rows such as "0 2 4"'),
        ([0, 2, 4, 3, 1, 5], "must be a list of rows"),
        ({"0": "1"}, "must be a list of rows"),
    ],
)
def test_mb_13_faults_are_reported(moons: object, fault: str) -> None:
    """MB-13."""
    with pytest.raises(ValidationError) as raised:
        sheet(moons=moons)
    (error,) = raised.value.errors()
    assert error["loc"] == ("moons",)
    assert fault in error["msg"]


def test_mb_13_every_artifact_is_needed() -> None:
    """MB-13."""
    with pytest.raises(ValidationError, match="3 validation errors"):
        ReferenceSheet.model_validate({})
