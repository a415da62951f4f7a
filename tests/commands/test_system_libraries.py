"""Parlour needs no libraries of the system beside those of Python.

Pillow's wheels look for FriBiDi when they are loaded, and lay out texts in a simpler way without it.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.commands.run_command import ROOT, TIMEOUT_SECONDS

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="hides a library as Linux finds it")]


@pytest.fixture
def hidden(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that finds no FriBiDi, but a file in its place that is no library."""
    folder = tmp_path / "libraries"
    folder.mkdir()
    for name in ("libfribidi.so.0", "libfribidi.so"):
        (folder / name).write_text("no library")
    return {"LD_LIBRARY_PATH": str(folder)}


def run_python(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, *arguments]
    environment = {"PATH": "/usr/bin:/bin", **variables}
    return subprocess.run(
        words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
    )


FEATURE = "from PIL import features; print(features.check('raqm'))"


def test_the_library_is_hidden(hidden: dict[str, str]) -> None:
    assert run_python("-c", FEATURE, **hidden).stdout == "False\n"


SENTENCE = """
import sys
from bot.pictures.fonts import text_mask_of
from bot.rules.picture import isolate_name
from bot.rules.picture import Align, ColourRole, Label, Rect
text = f"{isolate_name('מרים 12')} and {isolate_name('مريم')}: AVATAR, क्षत्रिय"
text_mask_of(Label(text, Rect(0, 0, 900, 60), ColourRole.TEXT, 30, Align.LEFT)).mask.save(sys.argv[1])
"""


def test_texts_look_the_same_as_with_the_library(hidden: dict[str, str], tmp_path: Path) -> None:
    if run_python("-c", FEATURE).stdout != "True\n":
        pytest.skip("this machine has no FriBiDi to compare with")
    drawn = []
    for name, variables in (("with.png", {}), ("without.png", hidden)):
        ended = run_python("-c", SENTENCE, str(tmp_path / name), **variables)
        assert ended.returncode == 0, ended.stderr
        with Image.open(tmp_path / name) as image:
            drawn.append((image.size, image.tobytes()))
    assert drawn[0] == drawn[1]
