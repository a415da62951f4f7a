"""A table of cases in one test, because a test of its own for each case costs pytest more than most cases do."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import iscoroutinefunction, signature
from typing import Any, cast

import pytest

Test = Callable[..., Any]
Case = dict[str, object]


def each_case(names: str, cases: Iterable[object]) -> Callable[[Test], Test]:
    """Run a test with every case, like `pytest.mark.parametrize`, but as one test that reports every failed case.

    The cases share the test's fixtures, so they must not affect one another.

    Args:
        names: the parameters that the cases fill, separated by commas.
        cases: a value per case, or a tuple of values where there are several names.
    """
    parameters = [name.strip() for name in names.split(",")]
    table = [_name_values(parameters, case) for case in cases]
    if not table:
        raise ValueError(f"no cases for {names}")

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(*args: object, **kwargs: object) -> None:
            failures = _Failures()
            for case in table:
                with failures.collect(case):
                    test(*args, **kwargs, **case)
            failures.report(len(table))

        @wraps(test)
        async def run_async(*args: object, **kwargs: object) -> None:
            failures = _Failures()
            for case in table:
                with failures.collect(case):
                    await test(*args, **kwargs, **case)
            failures.report(len(table))

        runner: Test = run_async if iscoroutinefunction(test) else run
        # pytest reads from the signature which fixtures the test wants.
        given = signature(test)
        fixtures = [parameter for name, parameter in given.parameters.items() if name not in parameters]
        vars(runner)["__signature__"] = given.replace(parameters=fixtures)
        return runner

    return decorate


def _name_values(parameters: list[str], case: object) -> Case:
    values = cast("tuple[object, ...]", case) if len(parameters) > 1 else (case,)
    return dict(zip(parameters, values, strict=True))


class _Failures:
    """The failures of a test's cases."""

    def __init__(self) -> None:
        self._failures: list[BaseException] = []

    @contextmanager
    def collect(self, case: Case) -> Iterator[None]:
        """Note the failure of a case, and go on."""
        try:
            yield
        except pytest.skip.Exception as skipped:
            # It would discard the failures of the cases before.
            raise TypeError(f"a case can't be skipped: {skipped}") from skipped
        except (Exception, BaseExceptionGroup, pytest.fail.Exception) as failure:  # noqa: BLE001 - whatever fails
            failure.add_note("case: " + ", ".join(f"{name}={value!r:.200}" for name, value in case.items()))
            self._failures.append(failure)

    def report(self, cases: int) -> None:
        """Raise all failures together."""
        if self._failures:
            raise BaseExceptionGroup(f"{len(self._failures)} of {cases} cases failed", self._failures)
