"""CI runs failed tests once more, alone, and tells flaky ones from broken ones."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PYTEST_TWICE = Path(__file__).parents[1] / ".ci" / "pytest-twice"
PASSES = "def test_passes(): pass\n"
FLAKY = """
from pathlib import Path
def test_is_flaky():
    mark = Path("mark")
    passes = mark.exists()
    mark.touch()
    assert passes
"""
BROKEN = "def test_is_broken(): assert False\n"
FAILS_AFTER_ANOTHER = """
import builtins
def test_leaves_something_behind():
    builtins.left_behind = True
    assert False
def test_fails_after_it():
    assert not hasattr(builtins, "left_behind")
"""
INTERRUPTS = "def test_interrupts():\n    import pytest\n    pytest.exit('stopped')\n"


@pytest.mark.parametrize(
    ("source", "is_forgiven", "flaky", "runs"),
    [
        pytest.param(PASSES + FLAKY, True, ["test_sample.py::test_is_flaky"], 2, id="flaky"),
        pytest.param(BROKEN + FLAKY, False, ["test_sample.py::test_is_flaky"], 3, id="broken"),
        pytest.param(FAILS_AFTER_ANOTHER, False, ["test_sample.py::test_fails_after_it"], 3, id="not alone"),
        pytest.param(FLAKY + INTERRUPTS, False, [], 1, id="interrupted"),
    ],
)
def test_only_tests_that_pass_alone_are_forgiven(
    tmp_path: Path, source: str, *, is_forgiven: bool, flaky: list[str], runs: int
) -> None:
    (tmp_path / "test_sample.py").write_text(source)
    command = [str(PYTEST_TWICE), "log", sys.executable, "--numprocesses", "1", "--dist", "worksteal", "test_sample.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == is_forgiven, done.stdout
    assert done.stdout.count("test session starts") == runs
    for printed in (done.stdout, (tmp_path / "log").read_text()):
        assert [line for line in printed.splitlines() if "FLAKY" in line] == [f"FLAKY: {name}" for name in flaky]
