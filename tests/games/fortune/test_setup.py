"""How a game of Fortune begins, and how its pile goes round: rules FO-1 and FO-O1."""

from collections import Counter
from dataclasses import replace
from random import Random
from statistics import mean
from typing import Any

import pytest
from pydantic import ValidationError

from bot.games.fortune.minds.evaluation import evaluate_points
from bot.games.fortune.pieces import CardKind, CardTurned, Deck, FortuneContent, FortuneOptions
from bot.games.fortune.words import estimate_minutes
from bot.platform.content import DATA, read_content
from bot.rules.chance import FairChance, FastChance, ScriptedChance
from bot.rules.content import Origin
from bot.rules.evaluation import BestMove
from bot.tables import lobby
from bot.tables.model import Status
from bot.tools.contract.audits import audit
from tests.games.fortune.positions import ALL, CARDS, DECK, GAME, PACKAGE, USUAL, at, play
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, WREN, make_table
from tests.support.responses import apply_text

ENTRIES = read_content(FortuneContent, DATA / "fortune").deck.cards
COPIES = {
    **dict.fromkeys(("treasure-chest", "captain", "sorceress", "gold", "diamond", "monkey-business"), 3),
    "skulls-1": 3,
    "skulls-2": 2,
    "storm": 3,
    "truce": 3,
    **dict.fromkeys(("sea-battle-2-300", "sea-battle-3-500", "sea-battle-4-1000"), 2),
}


def test_the_deck_has_35_cards_of_all_kinds() -> None:
    """FO-1: the source names the kinds, and no figure and no number of copies."""
    assert Counter(map(str, DECK)) == COPIES
    assert {card.kind for card in DECK} == set(CardKind)
    ours = {str(entry.build_card()) for entry in ENTRIES if entry.card is Origin.OURS}
    assert ours == {name for name in COPIES if name.startswith(("skulls", "sea-battle"))}
    assert {entry.copies_from for entry in ENTRIES} == {Origin.OURS}


@each_case(
    "change, fault",
    [
        ({"copies": 4}, "35 cards, not 36"),
        ({"kind": "captain"}, "captain"),  # twice now, and no treasure chest
        ({"copies": 0}, "greater than"),
        ({"kind": "kraken"}, "kraken"),
        ({"card": "hearsay"}, "hearsay"),
        ({"skulls": 1}, "not permitted"),
        (None, "no card of the kind treasure-chest"),
    ],
)
def test_a_deck_that_can_not_be_played_with_is_refused(change: dict[str, Any] | None, fault: str) -> None:
    """FO-1."""
    first, second, *others = (entry.model_dump(mode="json") for entry in ENTRIES)
    assert first["kind"] == "treasure-chest"
    cards = [{**second, "copies": 6}, *others] if change is None else [first | change, second, *others]
    with pytest.raises(ValidationError, match=fault):
        Deck.model_validate({"cards": cards})


@each_case("seats", [2, 3, 4])
def test_any_seat_may_start_with_any_card_and_nothing_is_rolled_yet(seats: int) -> None:
    """FO-1 and FO-2."""
    assert (GAME.info.least_seats, GAME.info.most_seats) == (2, 4)
    first = []
    for seat in range(seats):
        for card in range(len(DECK)):
            with ScriptedChance([seat, card]) as chance:
                state = GAME.start(USUAL, seats, chance)
            first.append(state.turn.card)
            assert (state.mover, state.scores, state.turn.faces, state.turn.rolls) == (seat, (0,) * seats, (), 0)
            assert [str(move) for move in GAME.legal_moves(state)] == [ALL]
            assert audit(GAME, state) == ()
    assert Counter(first) == Counter(DECK * seats)


def test_the_card_of_a_turn_goes_to_the_bottom() -> None:
    """FO-1."""
    state, _ = play(at("captain", "GGMMPPSD", returned="truce gold"), "stop", then="storm")
    assert list(map(str, state.returned)) == ["truce", "gold", "captain"]
    assert str(state.turn.card) == "storm"
    assert Counter(map(str, state.unseen))["storm"] == COPIES["storm"] - 1


def test_the_pile_is_never_shuffled_again() -> None:
    """FO-1: once every card was seen they come round in the same order, without chance."""
    state, seen = at("captain", options=FortuneOptions(target=20_000)), [CARDS["captain"]]
    for turn in range(70):
        rolled, _ = GAME.play(state, state.mover or 0, GAME.parse_move(ALL), ScriptedChance([1, 1, 2, 2, 3, 3, 1, 2]))
        chance = FairChance(b"\7" * 32, "", turn) if rolled.unseen else ScriptedChance([])
        state, _ = GAME.play(rolled, rolled.mover or 0, GAME.parse_move("stop"), chance)
        seen.append(state.turn.card)
    assert Counter(seen[:35]) == Counter(DECK)
    assert seen[35:70] == seen[:35]


def test_a_move_that_turned_up_a_card_is_final() -> None:
    """FO-1: not even once the pile comes round, when no chance is asked any more."""
    below = list(DECK)
    below.remove(CARDS["captain"])
    state = at("captain", "GGMMPPSD", returned=" ".join(map(str, below)))
    seats = (lobby.make_occupant(ROBIN, 500), lobby.make_occupant(WREN, 501))
    table = replace(make_table(*seats, package=PACKAGE, status=Status.PLAYING), state=state)
    stopped = apply_text(table, 0, "stop")
    assert (stopped.state.turn.card, stopped.numbers) == (below[0], ())
    assert stopped.take_back_state is None


def test_targets_are_from_1000_to_20000() -> None:
    """FO-O1."""
    assert FortuneOptions().model_dump() == {"target": 8000, "nine_wins": False}
    for target in (1000, 1001, 20_000):
        assert FortuneOptions.model_validate({"target": target}).target == target
    for refused in (999, 20_001, 0, -8000, "many", None, 8000.5):
        with pytest.raises(ValidationError):
            FortuneOptions.model_validate({"target": refused})


@each_case("target, seats", [(8000, 4), (20_000, 2)])
def test_a_turn_takes_about_fifty_seconds_with_any_finish_line(target: int, seats: int) -> None:
    """FO-O1: a few long games vary by a fifth."""
    options, turns = FortuneOptions(target=target), []
    for seed in range(4):
        chance = FastChance(Random(seed))
        state = GAME.start(options, seats, chance)
        turns.append(1)
        while state.mover is not None:
            move = BestMove(evaluate_points)(state, GAME.legal_moves(state), chance)
            state, events = GAME.play(state, state.mover, move, chance)
            turns[-1] += any(isinstance(event, CardTurned) for event in events)
    assert 37 <= 60 * estimate_minutes(options, seats) / mean(turns) <= 63


def test_a_game_takes_longer_with_more_seats_and_a_farther_line() -> None:
    """FO-O1."""
    two, four, far = (
        estimate_minutes(FortuneOptions(target=target), seats) for target, seats in ((8000, 2), (8000, 4), (20_000, 2))
    )
    assert 1 <= estimate_minutes(FortuneOptions(target=1000), 2) < two < four < far
