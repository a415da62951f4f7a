"""What mypy says about packages whose parts come from two games, and about wrong facts of refusals."""

import re
import sys
from pathlib import Path
from subprocess import run

ROOT = Path(__file__).parents[2]

CONFIG = """
[mypy]
strict = true
follow_imports = silent
explicit_package_bases = true
mypy_path = {stubs}:{root}
cache_dir = {cache}
"""

ANYTHING = """
from typing import Any
def __getattr__(name: str) -> Any: ...
"""

# Checking the libraries themselves would take most of the time.
STUBS = {
    "pydantic/__init__.pyi": f"""{ANYTHING}
class BaseModel:
    def __init__(self, **data: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
""",
    **{
        f"{module}.pyi": ANYTHING
        for module in (
            *("pydantic/fields", "pydantic_core/__init__"),
            *("numpy/__init__", "numpy/random", "numpy/typing"),
            *("babel/__init__", "babel/lists", "babel/numbers"),
        )
    },
}

PACKAGE_MODULE = """
from bot.games.change import hand_screen as change_hand, rules as change_rules
from bot.games.fortune import news as fortune_news, picture as fortune_picture, pieces as fortune_pieces
from bot.games.fortune import reading as fortune_reading, rewards as fortune_rewards, screen as fortune_screen
from bot.games.fortune import words as fortune_words
from bot.games.fortune.minds import evaluation as fortune_evaluation
from bot.games.houdinis_baggage import guide as baggage_guide
from bot.games.magpie import guide, news, picture, pieces, reading, rewards, rules, screen, words
from bot.games.magpie.minds import evaluation
from bot.rules.evaluation import BestMove
from bot.rules.package import GamePackage, Look, Mind, Results, ScoreKind, Study, Words
from bot.rules.story import Narration

def tell(view: pieces.State, event: fortune_pieces.GameEvent, names: object) -> str:
    return ""

PACKAGE: GamePackage[pieces.MagpieOptions, pieces.State, pieces.Roll, pieces.GameEvent, pieces.State] = GamePackage(
    game=rules.Magpie(),
    words=Words(
        build_screen=screen.build_screen,
        error_messages=words.ERROR_MESSAGES,
        describe_options=words.describe_options,
        estimate_minutes=words.estimate_minutes,
        build_abandoned_fields=screen.build_abandoned_fields,
        build_reading=reading.build_reading,
        narration=news.NARRATION,
    ),
    look=Look(build_picture=picture.build_picture),
    study=Study(guide=guide.GUIDE),
    mind=Mind(strategies={"normal": BestMove(evaluation.evaluate_points)}),
    results=Results(score_kind=ScoreKind(str), find_feats=rewards.find_feats),
)
"""

MIXED_PARTS = {
    "screen": ("screen.build_screen", "fortune_screen.build_screen"),
    "abandoned_fields": ("screen.build_abandoned_fields", "fortune_screen.build_abandoned_fields"),
    "guide": ("guide=guide.GUIDE", "guide=baggage_guide.GUIDE"),
    "options": ("words.describe_options", "fortune_words.describe_options"),
    "strategy": ("evaluation.evaluate_points", "fortune_evaluation.evaluate_points"),
    "picture": ("picture.build_picture", "fortune_picture.build_picture"),
    "reading": ("reading.build_reading", "fortune_reading.build_reading"),
    "narration": ("narration=news.NARRATION", "narration=fortune_news.NARRATION"),
    "events": ("narration=news.NARRATION", "narration=Narration(tell, news.summarize_turn, news.summarize_turn)"),
    "feats": ("rewards.find_feats", "fortune_rewards.find_feats"),
    "series": ("ScoreKind(str)", "ScoreKind(str), series=change_rules.SERIES"),
    "hand": ("words=Words(", "words=Words(build_hand_screen=change_hand.build_hand_screen,"),
}

REFUSAL_MODULE = """
from bot.games.magpie.pieces import MagpieReason
from bot.rules.refusals import DieFacts, Refusal

REFUSAL = Refusal(MagpieReason.DIE_TWICE, DieFacts(die=1))
"""

WRONG_FACTS = {
    "misspelt": ("die=1", "dye=1"),
    "of_another_type": ("die=1", 'die="one"'),
    "missing": ("die=1", ""),
    "in_a_dictionary": ("DieFacts(die=1)", '{"die": 1}'),
    "as_keywords": ("DieFacts(die=1)", "die=1"),
}


def find_errors(folder: Path) -> dict[str, list[str]]:
    """Return what mypy says about each module; all of them are checked in one run."""
    modules = {"package": PACKAGE_MODULE, "refusal": REFUSAL_MODULE}
    for name, (own, foreign) in MIXED_PARTS.items():
        assert own in PACKAGE_MODULE
        head, made = PACKAGE_MODULE.split(" = GamePackage")
        modules[f"mixed_{name}"] = f"{head} = GamePackage{made.replace(own, foreign)}"
    for name, (right, wrong) in WRONG_FACTS.items():
        modules[f"facts_{name}"] = REFUSAL_MODULE.replace(right, wrong)
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    stubs = folder / "stubs"
    for name, text in STUBS.items():
        (stubs / name).parent.mkdir(parents=True, exist_ok=True)
        (stubs / name).write_text(text)
    config = folder / "mypy.ini"
    config.write_text(CONFIG.format(stubs=stubs, root=ROOT, cache=ROOT / ".mypy_cache" / "type_errors"))
    words = [sys.executable, "-m", "mypy", "--config-file", str(config), *(f"{name}.py" for name in modules)]
    checked = run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert checked.returncode == 1, checked.stdout + checked.stderr
    found = re.findall(r"^(\w+)\.py:\d+: error: (.*)$", checked.stdout, re.MULTILINE)
    return {name: [text for file, text in found if file == name] for name in modules}


def test_mixed_packages_and_wrong_facts_are_found(tmp_path: Path) -> None:
    errors = find_errors(tmp_path)
    assert (errors["package"], errors["refusal"]) == ([], [])
    misfit = re.compile('to "(Words|Look|Study|Results|BestMove|Narration)" has incompatible type')
    unnoticed = {
        *(part for part in MIXED_PARTS if not misfit.search(" ".join(errors[f"mixed_{part}"]))),
        *(kind for kind in WRONG_FACTS if not re.search('"(DieFacts|Refusal)"', " ".join(errors[f"facts_{kind}"]))),
    }
    assert unnoticed == set()
