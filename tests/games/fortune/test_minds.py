"""What moves of Fortune are worth, counted a second time, and the choices and hints that follow."""

import re
from collections.abc import Iterator
from itertools import product
from random import Random
from statistics import fmean
from time import process_time

import pytest

from bot.games.fortune import study
from bot.games.fortune.minds.evaluation import chance_of_goal, evaluate_points, expected_points, find_goal, utility_of
from bot.games.fortune.minds.turn_values import PointsUtility, dice_counts_of, get_counts_index, get_turn_values
from bot.games.fortune.pieces import MAX_SKULLS, STOP, Move, State
from bot.rules.chance import FastChance, ScriptedChance
from bot.rules.evaluation import BestMove, Evaluation, Unit
from bot.rules.playout import random_move
from bot.rules.study import RankedMove
from tests.games.fortune.positions import CARDS, GAME, NINE_WINS, PACKAGE, USUAL, at, dice, play, worth
from tests.games.hint_lines import hint_odds
from tests.support.each_case import each_case

POINTS = PointsUtility()
NORMAL = BestMove(evaluate_points)
ENOUGH, NOT_ENOUGH = 1.0, 0.0


def choose(state: State) -> str:
    """Let the computer player choose; it needs no chance."""
    return str(NORMAL(state, GAME.legal_moves(state), ScriptedChance([])))


def outcomes(letters: str, rolled: tuple[int, ...]) -> Iterator[str]:
    """Yield what eight dice may show after a roll of some."""
    for landed in product("KMPSGD", repeat=len(rolled)):
        faces = list(letters)
        for place, face in zip(rolled, landed, strict=True):
            faces[place - 1] = face
        yield "".join(faces)


def is_bust(letters: str) -> bool:
    return letters.count("K") > MAX_SKULLS


class TestValues:
    def test_dice_are_counted_by_face(self) -> None:
        assert (len(get_counts_index().position_of), len(get_counts_index().full)) == (3003, 1287)
        assert dice_counts_of(dice("KGGD")) == (1, 0, 0, 0, 2, 1)

    @each_case(
        "letters, rolled, scores",
        [
            ("KGGGDDSS", (7, 8), "7000/8300"),
            ("KGGGDDSS", (5, 6, 7, 8), "6800/8300"),
            ("KMPGGDDS", (2, 3, 8), "7300/8300"),
            ("KKGGMMPP", (5, 6, 7, 8), "7600/8300"),
        ],
    )
    def test_the_last_roll_of_a_storm_is_worth_the_mean_of_its_outcomes(
        self, letters: str, rolled: tuple[int, ...], scores: str
    ) -> None:
        """FO-3, FO-C8, FO-E1 and FO-E3: in points, chances to take the lead, and shares of the win."""
        state = at("storm", letters, scores=scores, crosser=1)
        move = GAME.parse_move(f"roll {' '.join(map(str, rolled))}")
        brought = [0 if is_bust(each) else worth("storm", each) for each in outcomes(letters, rolled)]
        behind = state.scores[1] - state.scores[0]
        shares = [1.0 if points > behind else 0.5 if points == behind else 0.0 for points in brought]
        assert expected_points(state.turn, move) == pytest.approx(fmean(brought))
        assert chance_of_goal(state, move) == pytest.approx(fmean(points > behind for points in brought), abs=1e-9)
        assert PACKAGE.mind.evaluate is not None
        evaluation = PACKAGE.mind.evaluate(state, [move])
        assert evaluation.values[0] == pytest.approx(fmean(shares))
        assert evaluation.unit is Unit.WINS

    @each_case(
        "card, letters, rolled",
        [("gold", "KGGGDDSM", (7, 8)), ("captain", "KMMMPSGG", (5, 6)), ("sorceress", "KKGGGGDM", (7, 8))],
    )
    def test_a_roll_is_worth_what_the_best_move_after_each_outcome_is(
        self, card: str, letters: str, rolled: tuple[int, ...]
    ) -> None:
        """FO-C3: the Sorceress can still save a third skull, and no fourth."""
        state = at(card, letters, scores="6700/0")
        found, move = [], f"roll {' '.join(map(str, rolled))}"
        for landed in outcomes(letters, rolled):
            if landed.count("K") > MAX_SKULLS + state.turn.spell:
                found.append(NOT_ENOUGH)
            elif not is_bust(landed) and worth(card, landed) >= find_goal(state):
                found.append(ENOUGH)
            else:
                after, _ = play(state, move, "".join(landed[place - 1] for place in rolled))
                found.append(max(chance_of_goal(after, each) for each in GAME.legal_moves(after)))
        assert chance_of_goal(state, GAME.parse_move(move)) == pytest.approx(fmean(found), abs=0.001)

    @each_case("card", ["captain", "skulls-1", "sea-battle-3-500", "truce", "treasure-chest", "sorceress"])
    @pytest.mark.long
    def test_expected_values_match_simulated_turns(self, card: str) -> None:
        """FO-C1 to FO-C9: the average of simulated turns matches the expected value."""
        start = at(card, "GGMMPPSD")
        expected = max(evaluate_points(start, GAME.legal_moves(start)).values)
        chance, found = FastChance(Random(card)), []
        for _ in range(60):
            state = start
            while state.mover == 0:
                move = NORMAL(state, GAME.legal_moves(state), chance)
                state, _events = GAME.play(state, 0, move, chance)
            found.append(state.scores[0])
        spread = fmean((points - fmean(found)) ** 2 for points in found) ** 0.5
        assert abs(fmean(found) - expected) < 5 * spread / len(found) ** 0.5 + 5

    def test_a_spell_is_worth_something(self) -> None:
        """FO-C3."""
        with_her, without = (get_turn_values(CARDS["sorceress"], POINTS, spell=spell) for spell in (True, False))
        for letters in ("KK", "KKGGG", "KMM", "GGGG"):
            hand = dice_counts_of(dice(letters))
            assert with_her.value_of_rolling(hand) > without.value_of_rolling(hand)

    def test_dice_left_out_of_the_chest_cost_what_a_bust_would_save(self) -> None:
        """FO-C1."""
        state = at("treasure-chest", "KKGGGDSM")
        moves = [GAME.parse_move(text) for text in ("roll 7 8 chest 3 4 5 6", "roll 7 8 chest 3 4 5")]
        whole, without = evaluate_points(state, moves).values
        saved = worth("treasure-chest", "GGGD") - worth("treasure-chest", "GGG")
        assert whole - without == pytest.approx((1 - (5 / 6) ** 2) * saved)
        assert whole > 600, "of four gold coins at least these are saved"

    @each_case(
        "scores, crosser, goal",
        [
            ("7900/7000", None, 101),  # the line has to be passed
            ("-300/0", None, 8301),
            ("7000/8400", 1, 1401),
            ("7000/8400/8900", 1, 1901),
        ],
    )
    def test_what_a_turn_has_to_bring(self, scores: str, crosser: int | None, goal: int) -> None:
        """FO-E1 and FO-E2."""
        assert find_goal(at("captain", scores=scores, crosser=crosser)) == goal

    @each_case(
        "state, expected",
        [
            (at("captain", "KPPPPSSM", scores=f"{8001 - worth('captain', 'KPPPPSSM')}/0"), ENOUGH),
            (at("captain", "KPPPPSSM", scores=f"{8000 - worth('captain', 'KPPPPSSM')}/0"), NOT_ENOUGH),
            (at("gold", "GGGGGGGG", scores="-5000/0"), NOT_ENOUGH),
            (at("gold", "GGGGGGGG", scores="-5000/0", options=NINE_WINS), ENOUGH),
        ],
    )
    def test_stopping_brings_what_the_dice_are_worth(self, state: State, expected: float) -> None:
        """FO-8: nine of a kind may win whatever the scores are."""
        assert chance_of_goal(state, STOP) == expected


class TestChoices:
    @each_case(
        "state, best",
        [
            (at("gold", "GGGGGGKK"), "stop"),
            (at("captain", "GGGGKKMM"), "stop"),
            (at("truce", "SGGGDDDD"), "roll 1"),  # one sword spoils it: roll it with another die
            (at("sea-battle-4-1000", "SSSGGKMP"), "roll"),
            (at("sorceress", "KKKGGGGG"), "sorceress 1"),
            (at("sorceress", "GGGDDDKM"), ""),
            (at("storm", "GGGDDMPK", rolls=2), "stop"),
            (at("gold", "KKKKMPGD", island=True), "roll 5 6 7 8"),
            (at("treasure-chest", "GGGDDMPK"), "roll 6 7 chest 1 2 3 4 5"),
            # At the line 300 points suffice where it would roll on.
            (at("gold", "GMMMPSKK", scores="0/0"), "roll"),
            (at("gold", "GMMMPSKK", scores="7800/0"), "stop"),
            # In the last round points that don't suffice are worth nothing, and points that do are not risked.
            (at("gold", "GGGGKKMM", scores="7000/8100", crosser=1), "roll"),
            (at("gold", "GMMPPSSK", scores="8000/8100", crosser=1), "stop"),
            (at("gold", "GGGGKKMM", scores="7200/8100", crosser=1), "stop"),
            (at("gold", "GGGGGGGM", options=NINE_WINS), "roll 1 8"),  # of the equal dice the first
            (at("gold", "GGGGGGGM", options=USUAL), "stop"),
        ],
    )
    def test_plain_choices(self, state: State, best: str) -> None:
        """FO-3, FO-4, FO-8, FO-9, FO-C1, FO-C3, FO-C4, FO-C9, FO-E1 and FO-E2."""
        found = choose(state)
        assert found.startswith(best) if best else found != "stop"

    def test_in_the_last_round_a_win_takes_more_than_the_line(self) -> None:
        """FO-E2: the leader was pushed back below it, so being ahead of everybody is not enough."""
        assert utility_of(at("gold", scores="7200/7000", crosser=1)).line == 800
        assert utility_of(at("gold", scores="7200/8100", crosser=1)).line == 900

    def test_nine_of_a_kind_have_a_bonus(self) -> None:
        """FO-8."""
        expected = get_turn_values(CARDS["gold"], PointsUtility(nine_bonus=5000.0), spell=False)
        assert [expected.value_of_stopping(dice_counts_of(dice(each * 8))) for each in "DG"] == [
            worth("gold", "DDDDDDDD"),
            worth("gold", "GGGGGGGG") + 5000,
        ]

    @each_case("card", CARDS)
    def test_a_decision_is_fast(self, card: str) -> None:
        """Even the first one with a card and a score, for which everything is worked out again; it takes some 0.1 s."""
        get_counts_index()

        def seconds(score: int) -> float:
            started = process_time()
            choose(at(card, "GKMMPPSD", scores=f"{score}/200"))
            return process_time() - started

        # No other test has these scores.
        assert any(seconds(score) < 1.0 for score in (6100, 6200, 6300))

    def test_it_beats_random_play_for_two(self) -> None:
        for seed in range(10):
            chance = FastChance(Random(seed))
            state = GAME.start(USUAL, 2, chance)
            while state.mover is not None:
                moves = GAME.legal_moves(state)
                move = NORMAL(state, moves, chance) if state.mover == seed % 2 else random_move(moves, chance)
                state, _ = GAME.play(state, state.mover, move, chance)
            outcome = GAME.outcome(state)
            assert outcome is not None
            assert outcome.winners == (seed % 2,)


def test_the_reason_of_a_hint_compares_points_as_they_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether rolling brings more, as much or less than the 250 points of stopping has one wording each."""
    roll = GAME.parse_move("roll 1 2")

    def reason(best: Move, rolling: float) -> str:
        worth: dict[Move, float] = {roll: rolling, STOP: 250.0}
        monkeypatch.setattr(study, "expected_points", lambda _, move: worth[move])
        ranked = [RankedMove(move, str(move), 0.5) for move in sorted(worth, key=lambda move: move != best)]
        told = study.HINTS.explain(at("captain", "MMGGDDSP"), ranked, Evaluation((0.5, 0.5), Unit.WINS)).reason
        assert "+250" in told
        return re.sub(r"\d+", "", told)

    kinds = (
        {reason(roll, points) for points in (250.6, 400.0)},
        {reason(roll, points) for points in (249.6, 250.4)},
        {reason(roll, points) for points in (100.0, 249.4)},
        {reason(STOP, points) for points in (100.0, 249.6, 250.4)},
        {reason(STOP, points) for points in (250.6, 400.0)},
    )
    assert [len(kind) for kind in kinds] == [1] * len(kinds)
    assert len(set.union(*kinds)) == len(kinds)


@each_case(
    "state, lines",
    [
        (at("gold", "KKGGGDSM", scores="7900/0"), 2),
        (at("gold", "KKGGGDSM", scores="7000/0"), 2),
        (at("gold", "KKGGGDSM", scores="7000/8400", crosser=1), 2),
        (at("gold", "KKGGGDSM", scores="0/0"), 1),
    ],
)
def test_a_hint_tells_of_the_goal_if_it_is_within_sight(state: State, lines: int) -> None:
    """FO-E1 and FO-E2: after the odds of a bust."""
    assert len(hint_odds(PACKAGE, state, GAME.legal_moves(state))) == lines
