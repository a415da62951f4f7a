"""`simulate` plays random games and reports on them."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.games.fortune.minds.race import load_race
from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import Roll, State
from bot.platform.content import NpzTables
from bot.rules.chance import Chance
from bot.rules.content import BrokenTables
from bot.tools.simulate import run_games, wilson_interval
from tests.commands.run_command import run_command
from tests.support.broken_games import BROKEN_FILE
from tests.support.each_case import each_case

ERASE_LINE = "\x1b[2K"

KEYS = {"game", "games", "moves", "moves_per_second", "moves_per_game", "wins", "counts", "seats"}
PLAYER_KEYS = {"level", "win_rate", "interval", "score_mean", "decision_ms_p50", "decision_ms_p99"}


def report(*arguments: str) -> dict[str, Any]:
    ended = run_command("simulate", "magpie", "--games", "5", "--json", *arguments)
    assert (ended.code, ended.err) == (0, "")
    found: dict[str, Any] = json.loads(ended.out)
    return found


def test_reports_what_it_found() -> None:
    found = report()
    assert set(found) == KEYS
    assert (found["game"], found["games"]) == ("magpie", 5)
    assert (found["seats"], found["counts"]) == ([], {})
    assert found["moves"] > 5
    assert found["moves_per_game"] == round(found["moves"] / 5, 2)
    assert found["moves_per_second"] > 0
    assert len(found["wins"]) == 2
    assert sum(found["wins"]) >= 5


def test_the_same_seed_gives_the_same_games_and_another_gives_others() -> None:
    one, same, other, usual = (report(*seed) for seed in (("--seed", "1"), ("--seed", "1"), ("--seed", "4"), ()))
    for found in (one, same, other, usual):
        del found["moves_per_second"]
    assert one == same == usual
    assert one != other


@each_case("seats", range(2, 7))
def test_every_number_of_seats_is_played(seats: int) -> None:
    assert len(report("--seats", str(seats))["wins"]) == seats


def test_a_terminal_shows_the_progress_and_removes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_command("simulate", "magpie", "--games", "3").err == ""
    monkeypatch.setenv("FORCE_COLOR", "1")
    progress = run_command("simulate", "magpie", "--games", "3").err
    assert "Playing" in progress
    assert "100%" in progress
    assert progress.endswith(ERASE_LINE)


@each_case(
    "arguments, sentence",
    [
        ("chess", "There is no game called chess. The games are: "),
        ("Magpie", "There is no game called Magpie."),
        ("magpie --seats 1", "Magpie takes 2 to 6 seats, not 1."),
        ("magpie --seats 7", "Magpie takes 2 to 6 seats, not 7."),
        (
            "magpie --level brilliant",
            "Magpie has no level called brilliant. The levels are: random, easy, ",
        ),
        ("magpie --levels strong,mean", "Magpie has no level called mean."),
        ("magpie --levels strong,easy --seats 3", "--levels needs a level for each of the 3 seats, not 2."),
        ("magpie --levels strong,easy --level easy", "Choose either --level or --levels."),
        ("magpie --losses", "Random moves are not judged: --losses needs --level or --levels."),
        ("magpie --option goal=50", "Magpie has no option called goal. Its options are: target, "),
        ("magic_bag --option target=50", "The Magic Bag has no option called target. Its options are: none."),
        ("magpie --option target=5", "Magpie can't be played with target=5: "),
        ("magpie --option target=many", "Magpie can't be played with target=many: "),
        ("magpie --option target", "Magpie can't be played with target: "),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: str, sentence: str) -> None:
    ended = run_command("simulate", *arguments.split())
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(sentence)


def test_unusable_content_is_reported(broken_content: tuple[str, ...]) -> None:
    ended = run_command("simulate", "magpie")
    assert (ended.code, ended.out) == (1, "")
    assert tuple(ended.err.splitlines()) == broken_content


def test_computer_players_play_and_the_games_counts_are_reported() -> None:
    arguments = ("houdinis_baggage", "--games", "2", "--level", "random", "--seed", "5")
    ended = run_command("simulate", *arguments, "--json")
    assert (ended.code, ended.err) == (0, "")
    found = json.loads(ended.out)
    assert [player["level"] for player in found["seats"]] == ["random", "random"]
    counts = found["counts"]
    assert list(counts) == sorted(counts)
    assert sum(count for name, count in counts.items() if name.startswith("won by number")) >= 1
    assert counts["cards opened"] > counts["turns"] > counts["twins"] > 0
    words = run_command("simulate", *arguments).out.splitlines()
    assert f"turns: {counts['turns']:.3f} a game" in words


def test_the_dice_do_not_depend_on_how_players_think() -> None:
    def ponder(view: State, moves: Sequence[Roll], chance: Chance) -> Roll:
        chance.randbelow(6)
        return normal(view, moves, chance)

    normal = MAGPIE.mind.strategies["normal"]
    package = replace(MAGPIE, mind=replace(MAGPIE.mind, strategies={"quick": normal, "pondering": ponder}))
    quick, pondering = (run_games(package, 2, range(3), seed=1, levels=[level] * 2) for level in ("quick", "pondering"))
    assert (quick.moves, quick.wins) == (pondering.moves, pondering.wins)


def test_levels_are_compared_in_turn() -> None:
    found = report("--levels", "strong, easy", "--option", "target=50")
    assert [player["level"] for player in found["seats"]] == ["strong", "easy"]
    assert sum(player["win_rate"] for player in found["seats"]) == pytest.approx(1)
    for player in found["seats"]:
        assert set(player) == PLAYER_KEYS
        least, most = player["interval"]
        assert 0 <= least <= player["win_rate"] <= most <= 1
        assert 0 < player["decision_ms_p50"] <= player["decision_ms_p99"]
    assert sum(player["score_mean"] for player in found["seats"]) > 50


def test_it_is_told_what_decisions_gave_away() -> None:
    strong, easy = report("--levels", "strong,easy", "--option", "target=50", "--losses")["seats"]
    assert set(strong) == set(easy) == {*PLAYER_KEYS, "losses"}
    assert strong["losses"] == {"wins": 0}
    assert 0.002 < easy["losses"]["wins"] < 0.05


def test_players_move_on_by_one_seat_after_each_game() -> None:
    seated: list[str] = []

    class Noting:
        def __init__(self, level: str) -> None:
            self.level = level

        def __call__(self, view: State, moves: Sequence[Roll], chance: Chance) -> Roll:
            seated.append(f"{view.mover}{self.level}")
            return moves[-1]

    package = replace(MAGPIE, mind=replace(MAGPIE.mind, strategies={"a": Noting("a"), "b": Noting("b")}))
    run_games(package, 2, range(1), seed=1, levels=["a", "b"])
    assert set(seated) == {"0a", "1b"}
    run_games(package, 2, range(2), seed=1, levels=["a", "b"])
    assert set(seated) == {"0a", "1b", "0b", "1a"}


@each_case("wins, games, expected", [(50, 100, (0.4038, 0.5962)), (0, 10, (0.0, 0.2775)), (10, 10, (0.7225, 1.0))])
def test_intervals_are_those_of_wilson(wins: float, games: int, expected: tuple[float, float]) -> None:
    """Compare with intervals published for these counts."""
    assert wilson_interval(wins, games) == pytest.approx(expected, abs=1e-4)


@pytest.fixture
def broken_race(monkeypatch: pytest.MonkeyPatch) -> None:
    """What strong players of Fortune look up can't be read."""

    def fail(*_: object) -> None:
        raise BrokenTables(BROKEN_FILE)

    monkeypatch.setattr(NpzTables, "load", fail)
    load_race.cache_clear()


@pytest.mark.usefixtures("broken_race")
@each_case("arguments", [(), ("--level", "normal"), ("--levels", "normal,random")])
def test_games_that_need_no_stored_arrays_are_played_while_these_are_broken(arguments: Sequence[str]) -> None:
    assert run_command("simulate", "fortune", "--games", "1", *arguments).code == 0


@pytest.mark.usefixtures("broken_race")
@each_case("arguments", [("--levels", "normal,easy"), ("--level", "strong"), ("--level", "normal", "--losses")])
def test_games_that_need_broken_arrays_are_refused(arguments: Sequence[str]) -> None:
    ended = run_command("simulate", "fortune", "--games", "1", *arguments)
    assert (ended.code, ended.err) == (1, f"{BROKEN_FILE} `train fortune` writes it again.\n")
