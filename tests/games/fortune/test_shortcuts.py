"""What Fortune's buttons offer in positions of all kinds."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from bot.games.fortune.minds.evaluation import evaluate_points
from bot.games.fortune.pieces import STOP, CardKind, FortuneOptions, State
from bot.games.fortune.rules import ROLL_ALL, distinct_moves
from bot.games.fortune.screen import STOP_TOKEN
from bot.rules.chance import FastChance
from bot.rules.screen import EMPTY_DRAFT, Play, Screen, Toggle, Tone
from tests.games.fortune.positions import CARDS, GAME, PACKAGE, at

ROUNDING = 1e-9
"""Values of equal moves may be rounded differently."""

MOST_BUTTONS = 11
"""On a turn, beside *More*."""

MOST_LETTERS = 36
"""A symbol, a space and 34 letters; one label in a hundred may have four more."""


def positions(random: Random) -> Iterator[State]:
    """Yield positions with dice: turns with any card and any scores, played well and badly."""
    chance, names = FastChance(random), [*CARDS]
    while True:
        target, seats = random.choice((1000, 3000, 8000, 8000)), random.choice((2, 2, 3, 4))
        scores, crosser = [100 * random.randrange(-5, target // 100) for _ in range(seats)], None
        if random.random() < 0.2:
            crosser = seats - 1
            scores[crosser] = target + 100 * random.randrange(1, 15)
        options = FortuneOptions(target=target, nine_wins=random.random() < 0.1)
        state = at(random.choice(names), scores="/".join(map(str, scores)), crosser=crosser, options=options)
        state, _ = GAME.play(state, 0, ROLL_ALL, chance)
        for _ in range(random.randrange(4)):
            if state.mover != 0 or not state.turn.faces or not state.turn.may_roll:
                break
            moves = GAME.legal_moves(state) if state.turn.island else distinct_moves(state.turn)
            rolls = [move for move in moves if move != STOP]
            values = evaluate_points(state, rolls).values
            best = rolls[max(range(len(rolls)), key=values.__getitem__)]
            state, _ = GAME.play(state, 0, best if random.random() < 0.6 else random.choice(rolls), chance)
        if state.mover == 0 and state.turn.faces:
            yield state


def look(state: State) -> Screen:
    return PACKAGE.words.build_screen(state, (), ("Ada", "Ben", "Cleo", "Dan")[: len(state.scores)], EMPTY_DRAFT)


@pytest.mark.slow
def test_what_is_offered_beside_stop_is_among_the_best_three_moves_and_fits(is_long: bool) -> None:
    """And a move that stands out is the best one. Of equal dice most positions try only the first."""
    mind, found = PACKAGE.mind, Counter[str]()
    assert mind.evaluate is not None
    for number, state in enumerate(islice(positions(Random(11)), 2_000 if is_long else 240)):
        screen, name = look(state), GAME.encode_position(state)
        buttons = list(screen.iter_controls())
        assert len(buttons) <= MOST_BUTTONS, name
        longest = max(len(each.label) for each in buttons)
        assert longest <= MOST_LETTERS + 4, (name, [each.label for each in buttons])
        found["long"] += longest > MOST_LETTERS
        assert sum(each.effect in (Play("stop"), Toggle(STOP_TOKEN)) for each in buttons) == 1, name
        is_whole = is_long or number % 8 == 0 or state.turn.island or state.turn.card.kind is CardKind.TREASURE_CHEST
        moves = GAME.legal_moves(state) if is_whole else distinct_moves(state.turn)
        values = dict(zip(moves, mind.evaluate(state, moves).values, strict=True))
        best: dict[object, float] = {}
        for move, value in values.items():
            best[mind.key_of(state, move)] = max(value, best.get(mind.key_of(state, move), value))
        ranked = sorted(best.values(), reverse=True)
        for each in buttons:
            if each.is_disabled or not isinstance(each.effect, Play) or each.effect == Play("stop"):
                continue
            move = GAME.parse_move(each.effect.move)
            assert best[mind.key_of(state, move)] >= ranked[:3][-1] - ROUNDING, (name, each.label)
            found["shortcut"] += 1
        for each in buttons:
            if each.tone is Tone.MAIN and isinstance(each.effect, Play) and not state.turn.island:
                assert best[mind.key_of(state, GAME.parse_move(each.effect.move))] >= ranked[0] - ROUNDING, name
                found["best"] += 1
    assert found["long"] <= found["shortcut"] / 100
    assert found["shortcut"] > 200
    assert found["best"] > 20
