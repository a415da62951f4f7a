from inspect import signature

import pytest

ON_SQLITE = pytest.mark.parametrize("databases", ["sqlite"], indirect=True)


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests of plain SQL on SQLite alone; those of several connections, or marked so, run on every database."""
    is_of_several = "connect" in signature(metafunc.function).parameters
    is_marked = metafunc.definition.get_closest_marker("every_database") is not None
    if "databases" in metafunc.fixturenames and not is_of_several and not is_marked:
        metafunc.definition.add_marker(ON_SQLITE)
