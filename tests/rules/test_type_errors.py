"""What mypy says about packages whose parts come from two games, and about wrong facts of refusals."""

import re
import sys
from pathlib import Path
from subprocess import run

import pytest

from tests.support.each_case import each_case

ROOT = Path(__file__).parents[2]

CONFIG = """
[mypy]
strict = true
follow_imports = silent
explicit_package_bases = true
mypy_path = {stubs}:{root}
cache_dir = {cache}
"""

# Checking pydantic itself would take most of the time.
PYDANTIC_STUB = """
from typing import Any
class BaseModel:
    def __init__(self, **data: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
def __getattr__(name: str) -> Any: ...
"""

PACKAGE_MODULE = """
from bot.games.change import hand_screen as change_hand, series as change_series
from bot.games.fortune import guide as fortune_guide, reading as fortune_reading, screen as fortune_screen
from bot.games.fortune import showcase as fortune_showcase, strategy as fortune_strategy
from bot.games.fortune.picture import composition as fortune_picture
from bot.games.magpie import duration, guide, reading, rules, screen, showcase, strategy
from bot.games.magpie.picture import composition
from bot.rules.package import GamePackage, ScoreKind

PACKAGE = GamePackage(
    game=rules.Magpie(),
    build_screen=screen.build_screen,
    build_abandoned_fields=screen.build_abandoned_fields,
    error_messages=guide.ERROR_MESSAGES,
    guide=guide.GUIDE,
    describe_options=guide.describe_options,
    estimate_minutes=duration.estimate_minutes,
    strategies={"sensible": strategy.maximize_expected_score},
    score_kind=ScoreKind(str),
    build_picture=composition.build_picture,
    build_reading=reading.build_reading,
    showcases=showcase.SHOWCASES,
)
"""

MIXED_PARTS = {
    "screen": ("screen.build_screen", "fortune_screen.build_screen"),
    "abandoned_fields": ("screen.build_abandoned_fields", "fortune_screen.build_abandoned_fields"),
    "options": ("guide.describe_options", "fortune_guide.describe_options"),
    "strategy": ("strategy.maximize_expected_score", "fortune_strategy.maximize_expected_turn_value"),
    "picture": ("composition.build_picture", "fortune_picture.build_picture"),
    "reading": ("reading.build_reading", "fortune_reading.build_reading"),
    "showcases": ("showcase.SHOWCASES", "fortune_showcase.SHOWCASES"),
    "series": ("guide=guide.GUIDE", "guide=guide.GUIDE, series=change_series.SERIES"),
    "hand": ("guide=guide.GUIDE", "guide=guide.GUIDE, build_hand_screen=change_hand.build_hand_screen"),
}

REFUSAL_MODULE = """
from bot.games.magpie.pieces import DieFacts, MagpieReason
from bot.rules.refusals import Refusal

REFUSAL = Refusal(MagpieReason.DIE_TWICE, DieFacts(die=1))
"""

WRONG_FACTS = {
    "misspelt": ("die=1", "dye=1"),
    "of_another_type": ("die=1", 'die="one"'),
    "missing": ("die=1", ""),
    "in_a_dictionary": ("DieFacts(die=1)", '{"die": 1}'),
    "as_keywords": ("DieFacts(die=1)", "die=1"),
}


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What mypy says about each module; all of them are checked in one run."""
    folder = tmp_path_factory.mktemp("packages")
    modules = {"package": PACKAGE_MODULE, "refusal": REFUSAL_MODULE}
    for name, (own, foreign) in MIXED_PARTS.items():
        assert own in PACKAGE_MODULE
        head, made = PACKAGE_MODULE.split("PACKAGE = ")
        modules[f"mixed_{name}"] = f"{head}PACKAGE = {made.replace(own, foreign)}"
    for name, (right, wrong) in WRONG_FACTS.items():
        modules[f"facts_{name}"] = REFUSAL_MODULE.replace(right, wrong)
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    stubs = folder / "stubs" / "pydantic"
    stubs.mkdir(parents=True)
    (stubs / "__init__.pyi").write_text(PYDANTIC_STUB)
    config = folder / "mypy.ini"
    config.write_text(CONFIG.format(stubs=stubs.parent, root=ROOT, cache=folder / "cache"))
    words = [sys.executable, "-m", "mypy", "--config-file", str(config), *(f"{name}.py" for name in modules)]
    checked = run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert checked.returncode == 1, checked.stdout + checked.stderr
    found = re.findall(r"^(\w+)\.py:\d+: error: (.*)$", checked.stdout, re.MULTILINE)
    return {name: [text for file, text in found if file == name] for name in modules}


def test_a_package_of_one_game_is_accepted(complaints: dict[str, list[str]]) -> None:
    assert complaints["package"] == []


@each_case("part", MIXED_PARTS)
def test_a_part_of_another_game_is_found(complaints: dict[str, list[str]], part: str) -> None:
    assert any('"GamePackage"' in text for text in complaints[f"mixed_{part}"])


def test_right_facts_are_accepted(complaints: dict[str, list[str]]) -> None:
    assert complaints["refusal"] == []


@each_case("kind", WRONG_FACTS)
def test_wrong_facts_are_found(complaints: dict[str, list[str]], kind: str) -> None:
    assert any('"DieFacts"' in text or '"Refusal"' in text for text in complaints[f"facts_{kind}"])
