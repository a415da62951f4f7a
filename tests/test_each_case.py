"""A table of cases: every case is run, and every failed one is reported."""

import pytest

from tests.support.each_case import each_case


def test_every_case_is_run() -> None:
    seen = []

    @each_case("left, right", [(1, 2), (3, 4)])
    @each_case("factor", [10, 20])
    def test(left: int, right: int, factor: int) -> None:
        seen.append((left + right) * factor)

    test()
    assert seen == [30, 60, 70, 140]


def test_every_failed_case_is_reported() -> None:
    @each_case("number", [1, 2, 3])
    def test(number: int) -> None:
        assert number == 2

    with pytest.raises(BaseExceptionGroup, match="2 of 3 cases failed") as raised:
        test()
    assert [failure.__notes__ for failure in raised.value.exceptions] == [["case: number=1"], ["case: number=3"]]


def test_an_exception_that_is_not_raised_fails_its_case() -> None:
    @each_case("text", ["1", "x"])
    def test(text: str) -> None:
        with pytest.raises(ValueError, match="invalid literal"):
            int(text)

    with pytest.raises(BaseExceptionGroup, match="1 of 2 cases failed"):
        test()


async def test_an_asynchronous_test_is_awaited_with_every_case() -> None:
    @each_case("number", [1, 2])
    async def test(number: int) -> None:
        assert number == 1

    with pytest.raises(BaseExceptionGroup, match="1 of 2 cases failed"):
        await test()


def test_a_table_without_cases_is_refused() -> None:
    with pytest.raises(ValueError, match="no cases for number"):
        each_case("number", [])
