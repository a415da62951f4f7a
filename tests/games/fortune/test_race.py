"""The strong computer player of Fortune: the stored chances of winning, and the choices they lead to."""

import hashlib
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bot.games.fortune.minds.evaluation import RaceEvaluator
from bot.games.fortune.minds.race import load_race
from bot.games.fortune.pieces import STOP, FortuneOptions
from bot.platform.content import DATA, NpzTables
from bot.rules.chance import ScriptedChance
from bot.rules.content import BrokenTables
from bot.rules.evaluation import BestMove, Unit
from bot.tools.training.fortune import improve_race, pack, solve_last_turn, train_race
from tests.games.fortune.positions import CARDS, DECK, GAME, NINE_WINS, at, worth
from tests.support.each_case import each_case

TABLES = NpzTables(DATA / "fortune" / "race.npz")
RACE = load_race(TABLES)
STORED = pack(RACE)
evaluate_wins = RaceEvaluator(TABLES)


class TestStoredChances:
    @pytest.mark.long
    def test_the_last_turn_is_what_training_finds(self) -> None:
        """Its bytes are those that are stored; the rest takes minutes."""
        found = pack(type(RACE)(RACE.ahead, solve_last_turn(DECK)))["last"]
        assert found.tobytes() == STORED["last"].tobytes()

    def test_a_chance_is_the_mean_of_those_that_follow(self) -> None:
        random = Random(7)
        own, other = (np.array([random.randrange(101) for _ in range(40)]) for _ in range(2))
        assert np.abs(improve_race(RACE, DECK, own, other) - RACE.ahead[own, other]).max() < 0.001

    def test_being_nearer_to_the_line_is_better_and_the_start_is_fair(self) -> None:
        assert (np.diff(RACE.ahead[:, ::5], axis=0) < 0.002).all()
        assert (np.diff(RACE.ahead[::5], axis=1) > -0.002).all()
        assert (np.diff(RACE.last[:30]) < 0.001).all()
        assert 0.5 < RACE.ahead[80, 80] < 0.55


@pytest.mark.long
def test_training_finds_the_same_race_with_any_python_and_numpy() -> None:
    """A race of 400 points with a few cards, in full; the digest was found with Python 3.13 and numpy 2.5.5."""
    shares, names = list[float](), "captain captain sorceress storm treasure-chest truce sea-battle-3-500"
    found = train_race([CARDS[name] for name in names.split()], shares.append, longest=4)
    assert (found["ahead"].shape, found["last"].shape) == ((5, 5), (9,))
    digest = hashlib.sha256(found["ahead"].astype("<u2").tobytes() + found["last"].astype("<u2").tobytes())
    assert digest.hexdigest()[:16] == "dda5bea5195b14bb"
    assert max(shares) == shares[-1] == 1.0


class TestValues:
    @each_case("crosser, wins", [(8500, 0.0), (8400, 0.5), (8300, 1.0), (8200, 1.0)])
    def test_stopping_on_the_last_turn_is_worth_what_it_decides(self, crosser: int, wins: float) -> None:
        """FO-E1 and FO-E3."""
        own = 8400 - worth("captain", "KPPPPSSM")
        found = evaluate_wins(at("captain", "KPPPPSSM", scores=f"{own}/{crosser}", crosser=1), [STOP])
        assert (found.values, found.unit) == ([wins], Unit.WINS)

    def test_nine_of_a_kind_wins_whatever_the_scores(self) -> None:
        """FO-8."""
        assert evaluate_wins(at("gold", "GGGGGGGG", scores="0/7900", options=NINE_WINS), [STOP]).values == [1.0]

    def test_more_is_risked_far_behind(self) -> None:
        """FO-E1: the other has crossed the line, so that 500 points are not enough."""
        safe = at("gold", "KKGGGDSM", scores="7000/2000")
        behind = at("gold", "KKGGGDSM", scores="6000/8500", crosser=1)
        choose = BestMove(evaluate_wins)
        assert choose(safe, GAME.legal_moves(safe), ScriptedChance([])) == STOP
        assert choose(behind, GAME.legal_moves(behind), ScriptedChance([])) != STOP

    @each_case("far, near", [("0/1000", "11000/12000"), ("2000/0", "14000/12000"), ("-5000/9000", "2000/16000")])
    def test_far_from_the_line_only_the_lead_matters(self, far: str, near: str) -> None:
        """Longer distances than the stored ones are shortened alike."""
        states = [
            at("gold", "KGGGMPSD", scores=scores, options=FortuneOptions(target=20_000)) for scores in (far, near)
        ]
        first, second = (evaluate_wins(state, GAME.legal_moves(state)).values for state in states)
        assert first == second
        assert max(first) > min(first)

    @each_case("own", [100, 4000, 8000, 12_000, 20_000, 30_000])
    def test_losing_points_is_never_free(self, own: int) -> None:
        """FO-C4 and FO-C9: a lost battle or swords under a Truce."""
        lost, none, won = RACE.utility(own, 6000, nine_wins=False).evaluate(np.array([-1000, 0, 500]))
        assert lost + 0.003 < none < won - 0.003

    def test_every_rival_near_the_leader_makes_winning_harder(self) -> None:
        """The chances of all seats add up to about 1, so a rival far behind counts for little."""
        two, three, four, far = (
            max(evaluate_wins(state, GAME.legal_moves(state)).values)
            for scores in ("4000/4000", "4000/4000/4000", "4000/4000/4000/4000", "4000/4000/-4000")
            for state in (at("gold", "GGMMPPSD", scores=scores),)
        )
        assert four < three < far < two
        assert two - far < (two - three) / 2


def test_stored_chances_are_between_0_and_1(tmp_path: Path) -> None:
    certain, cut = (NpzTables(tmp_path / name) for name in ("certain.npz", "cut.npz"))
    certain.save(STORED | {"last": np.full_like(STORED["last"], np.iinfo(np.uint16).max)})
    assert (load_race(certain).last == 1).all()
    cut.save(STORED | {"last": STORED["last"][:3]})
    with pytest.raises(BrokenTables):
        load_race(cut)
