"""The strong computer player of Fortune: the stored chances of winning, and the choices they lead to."""

import hashlib
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
import pytest

from bot.games.fortune.minds.evaluation import RaceEvaluator, evaluate_turn
from bot.games.fortune.minds.race import improve_race, load_race, pack, solve_last_turn, train_race
from bot.games.fortune.pieces import Stop
from bot.platform.content import DATA, NpzTables
from bot.rules.chance import FastChance, ScriptedChance
from bot.rules.content import BrokenTables
from bot.rules.evaluation import BestMove, Unit
from bot.rules.playout import random_move
from tests.games.fortune.naive import score_naively
from tests.games.fortune.positions import CARDS, DECK, GAME, NINE_WINS, at
from tests.support.each_case import each_case

TABLES = NpzTables(DATA / "fortune" / "race.npz")
RACE = load_race(TABLES)
STORED = pack(RACE)
evaluate_wins = RaceEvaluator(TABLES)


class TestStoredChances:
    def test_the_last_turn_is_what_training_finds(self) -> None:
        """Its bytes are those that are stored; the rest takes minutes."""
        found = pack(type(RACE)(RACE.ahead, solve_last_turn(DECK)))["last"]
        assert found.tobytes() == STORED["last"].tobytes()

    def test_a_chance_is_the_mean_of_those_that_follow(self) -> None:
        random = Random(7)
        own, other = (np.array([random.randrange(101) for _ in range(40)]) for _ in range(2))
        assert np.abs(improve_race(RACE, DECK, own, other) - RACE.ahead[own, other]).max() < 0.001

    def test_being_nearer_to_the_line_is_better(self) -> None:
        assert (np.diff(RACE.ahead[:, ::5], axis=0) < 0.002).all()
        assert (np.diff(RACE.ahead[::5], axis=1) > -0.002).all()
        assert (np.diff(RACE.last[:30]) < 0.001).all()

    def test_neither_seat_has_much_of_an_advantage_at_the_start(self) -> None:
        assert 0.5 < RACE.ahead[80, 80] < 0.55


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
        assert score_naively("captain", "KPPPPSSM") == 400
        state = at("captain", "KPPPPSSM", scores=f"8000/{crosser}", crosser=1)
        found = evaluate_wins(state, [Stop()])
        assert (found.values, found.unit) == ([wins], Unit.WINS)

    def test_rolling_in_a_storm_is_worth_the_mean_of_what_follows(self) -> None:
        """FO-C8: the last roll of two dice."""
        state = at("storm", "KGGGDDSS", scores="7000/8300", crosser=1)
        moves = [move for move in GAME.legal_moves(state) if str(move) == "roll 7 8"]
        worth = []
        for landed in ((first, second) for first in "KMPSGD" for second in "KMPSGD"):
            letters = "KGGGDD" + "".join(landed)
            points = 0 if letters.count("K") >= 3 else score_naively("storm", letters)
            worth.append(1.0 if points > 1300 else 0.5 if points == 1300 else 0.0)
        assert evaluate_wins(state, moves).values[0] == pytest.approx(fmean(worth))

    def test_nine_of_a_kind_wins_whatever_the_scores(self) -> None:
        """FO-8."""
        ahead = evaluate_wins(at("gold", "GGGGGGGG", scores="0/7900", options=NINE_WINS), [Stop()]).values[0]
        assert ahead == 1.0

    def test_dice_left_out_of_the_chest_cost_what_a_bust_would_save(self) -> None:
        """FO-C1."""
        state = at("treasure-chest", "KKGGGDSM")
        moves = {str(move): move for move in GAME.legal_moves(state)}
        whole, without = (
            evaluate_turn(state, [moves[text]]).values[0] for text in ("roll 7 8 chest 3 4 5 6", "roll 7 8 chest 3 4 5")
        )
        bust = 1 - (5 / 6) ** 2
        saved = score_naively("treasure-chest", "GGGD") - score_naively("treasure-chest", "GGG")
        assert whole - without == pytest.approx(bust * saved)


def test_the_normal_player_makes_a_move_of_the_highest_value() -> None:
    chance = FastChance(Random(5))
    checked = 0
    for seed in range(3):
        state = GAME.start(at("gold").options, 2, FastChance(Random(seed)))
        while (seat := GAME.seat_to_move(state)) is not None and checked < 150:
            moves = GAME.legal_moves(state)
            if state.turn.faces and not state.turn.island:
                values = evaluate_turn(state, moves).values
                chosen = BestMove(evaluate_turn)(state, moves, ScriptedChance([]))
                assert values[moves.index(chosen)] == pytest.approx(max(values))
                checked += 1
            state, _ = GAME.play(state, seat, random_move(moves, chance), chance)
    assert checked > 100


def test_the_strong_player_risks_more_when_it_is_far_behind() -> None:
    """The other has crossed the line, so that 500 points are not enough."""
    safe, behind = (
        BestMove(evaluate_wins)(state, GAME.legal_moves(state), ScriptedChance([]))
        for state in (
            at("gold", "KKGGGDSM", scores="7000/2000"),
            at("gold", "KKGGGDSM", scores="6000/8500", crosser=1),
        )
    )
    assert safe == Stop()
    assert behind != Stop()


def damaged(at: int) -> bytes:
    """Return the file with another byte at a place."""
    content = bytearray(TABLES.file.read_bytes())
    content[at] ^= 0xFF
    return bytes(content)


@each_case("content", [b"", b"no archive", *map(damaged, (30, 80, 200, 5000))])
def test_tables_that_cannot_be_read_are_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "race.npz"
    file.write_bytes(content)
    reasons = {"race.npz": "it is damaged, or no archive of NumPy", "missing.npz": "No such file or directory"}
    for name, reason in reasons.items():
        with pytest.raises(BrokenTables, match=rf"{name} can't be read: {reason}\.$"):
            load_race(NpzTables(tmp_path / name))


@each_case(
    "arrays",
    [
        {},
        {"ahead": STORED["ahead"]},
        STORED | {"last": STORED["last"][:3]},
        # Chances of more than 1, and less than 0.
        STORED | {"last": STORED["last"] * 2.0},
        STORED | {"last": -STORED["last"].astype(int)},
    ],
)
def test_tables_of_something_else_are_named(tmp_path: Path, arrays: dict[str, np.ndarray]) -> None:
    tables = NpzTables(tmp_path / "race.npz")
    tables.save(arrays)
    with pytest.raises(BrokenTables, match=r"race\.npz can't be"):
        load_race(tables)


def test_stored_chances_are_between_0_and_1(tmp_path: Path) -> None:
    tables = NpzTables(tmp_path / "race.npz")
    tables.save(STORED | {"last": np.full_like(STORED["last"], np.iinfo(np.uint16).max)})
    assert (load_race(tables).last == 1).all()


def test_equal_arrays_make_equal_files(tmp_path: Path) -> None:
    one, other = (tmp_path / name for name in ("one.npz", "other.npz"))
    for file in (one, other):
        NpzTables(file).save(STORED)
    assert one.read_bytes() == other.read_bytes()
    assert pack(load_race(NpzTables(one))).keys() == STORED.keys()


@each_case(
    "far, near",
    [
        ("0/1000", "11000/12000"),
        ("2000/0", "14000/12000"),
        ("-5000/9000", "2000/16000"),
    ],
)
def test_far_from_the_line_only_the_lead_matters(far: str, near: str) -> None:
    """Longer distances than the stored ones are shortened alike."""
    options = at("gold").options.model_copy(update={"target": 20_000})
    moves = GAME.legal_moves(at("gold", "KGGGMPSD"))
    found = [
        evaluate_wins(at("gold", "KGGGMPSD", scores=scores, options=options), moves).values for scores in (far, near)
    ]
    assert found[0] == found[1]
    assert max(found[0]) > min(found[0])


@each_case("own", [100, 4000, 8000, 12_000, 20_000, 30_000])
def test_losing_points_is_never_free(own: int) -> None:
    """FO-C4 and FO-C9: a lost battle or swords under a Truce."""
    utility = RACE.utility(own, 6000, nine_wins=False)
    lost, none, won = utility.evaluate(np.array([-1000, 0, 500]))
    assert lost + 0.003 < none < won - 0.003
