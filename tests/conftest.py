"""Limits and fixtures of every test."""

import gc
import inspect
import logging
import signal
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import AbstractContextManager, suppress
from contextvars import copy_context
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.support.time_limit import SECONDS, limit_time

# What only some tests need is imported by its fixtures: a run of the others starts in half of the time.
if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.support.databases import Databases
    from tests.support.fake_message_sender import FakeMessageSender
    from tests.support.fakes import FakeClock
    from tests.support.postgres import PostgresServer

NewAddress = Callable[[], str]

E2E = Path(__file__).parent / "e2e"
"""The folder of the slowest tests."""


@pytest.fixture(autouse=True)
def nothing_is_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do what can't be undone at once; the test of the second look tells when that is."""
    monkeypatch.setattr("bot.platform.jobs.jobs.SECOND_LOOK_SECONDS", 0.0)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="play many more games than fit into a short run")
    parser.addoption("--wide-letters", action="store_true", help="let the bot speak a language that no test knows")


def pytest_configure(config: pytest.Config) -> None:
    """Change the language before a module is imported, because some translate when they are.

    A run in the background of a script ignores interrupts, and so would the processes that tests interrupt.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("--wide-letters"):
        from tests.support.wide_letters import speak_in_wide_letters

        speak_in_wide_letters()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Disable garbage collection, which takes half of the time of collecting thousands of tests.

    In a new checkout nothing is compiled yet. Each worker begins with another part of the modules, so that most of them
    are compiled once instead of by every worker.
    """
    gc.disable()
    if hasattr(session.config, "workerinput"):
        number, workers = int(session.config.workerinput["workerid"][2:]), session.config.workerinput["workercount"]
        folders = [folder for folder in map(Path, session.config.args) if folder.is_dir()]
        files = sorted(file for folder in folders for file in folder.resolve().rglob("test_*.py"))
        for file in files[number::workers]:
            # What fails or is skipped here is reported when it is collected.
            with suppress(Exception, pytest.skip.Exception):
                import_module(".".join(file.relative_to(session.config.rootpath).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Exempt the collected tests, which live until the end, from garbage collection, and collect less often.

    A process has a million objects after some minutes, and looks at all of them in a full collection.
    """
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Use one more worker than cores, because tests wait for browsers and other processes."""
    cores = yield
    return cores + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long tests unless they are asked for.

    With several workers, start the slowest tests first, so that no worker ends long after the others. Idle workers take
    over the last tests of another, so most tests in a browser stay with one worker, and one browser.
    """
    if not config.getoption("--long"):
        items[:] = [item for item in items if item.get_closest_marker("long") is None]
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: (item.get_closest_marker("browser") is None, E2E not in item.path.parents))


def _limit(item: pytest.Item) -> AbstractContextManager[None]:
    mark = item.get_closest_marker("time_limit")
    seconds = mark.args[0] if mark else SECONDS
    return limit_time(seconds * 60 if item.config.getoption("--long") else seconds)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    with _limit(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    with _limit(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    with _limit(item):
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """Run a synchronous test in a context of its own, so that later tests don't share its trace."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        # pytest looks for the test's code when it fails, so a `partial` won't do.
        pyfuncitem.obj = wraps(test)(lambda *args, **kwargs: copy_context().run(test, *args, **kwargs))


@pytest.fixture
def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether to play many more games."""
    return bool(request.config.getoption("--long"))


@pytest.fixture(autouse=True)
def no_errors_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test if it logged an error; a test that expects errors clears the log."""
    yield
    records = (*caplog.get_records("setup"), *caplog.get_records("call"))
    errors = [record.getMessage() for record in records if record.levelno >= logging.ERROR]
    assert not errors


@pytest.fixture
def clock() -> "FakeClock":
    """A clock that shows the time it was set to."""
    from tests.support.fakes import FakeClock

    return FakeClock()


@pytest.fixture
def sender() -> "FakeMessageSender":
    """Records reminders, invitations and announcements."""
    from tests.support.fake_message_sender import FakeMessageSender

    return FakeMessageSender()


@pytest.fixture(scope="session")
def postgres() -> "Iterator[PostgresServer]":
    """A PostgreSQL server for this run, started when the first test needs it."""
    from tests.support.postgres import run_server

    with run_server() as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> "AsyncIterator[Browser]":
    """The browser of this run, for pages in windows of their own."""
    from tests.support.chromium import run_chromium

    async with run_chromium() as running:
        yield running


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> "Databases":
    """Makes databases; a backend is a parameter."""
    from tests.support.databases import make_databases

    return make_databases(request, tmp_path)


@pytest.fixture
def new_address(databases: "Databases") -> NewAddress:
    """Gives the address of another empty database at every call."""
    return databases.empty


@pytest.fixture
def address(new_address: NewAddress) -> str:
    """The address of an empty database."""
    return new_address()
