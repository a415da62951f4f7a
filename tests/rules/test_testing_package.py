"""The contract kit works for a game outside this repository, with nothing but `bot` on the path."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys

sys.modules["pytest"] = None  # importing it fails

from bot.tools.contract import BrokenContract, check_game
from games_elsewhere import PACKAGE, redeal_hidden

check_game(PACKAGE, redeal_hidden, games=3, check_rate=1)
try:
    check_game(PACKAGE, games=1)
except BrokenContract as broken:
    print(broken.check.name, broken.__notes__[0][:5])
assert not {name for name in sys.modules if name.split(".")[0] in {"discord", "sqlalchemy", "PIL", "tests"}}
"""


@pytest.mark.slow
def test_a_game_elsewhere_is_checked_without_pytest_or_the_host(tmp_path: Path) -> None:
    game = (ROOT / "tests" / "rules" / "cards_game.py").read_text(encoding="utf-8")
    (tmp_path / "games_elsewhere.py").write_text(game, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=tmp_path,
        env={"PYTHONPATH": os.pathsep.join((str(ROOT), str(tmp_path)))},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, "OPEN Cards\n"), ended.stderr
