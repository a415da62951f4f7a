"""What `docs/fair-dice.md` tells of each game is what its rules make of chance, worked out again from the page."""

from collections.abc import Iterator
from typing import Any

import pytest

from bot.games.change.pieces import State as ChangeState
from bot.games.fortune.events import CardTurned, Rolled
from bot.games.fortune.pieces import State as FortuneState
from bot.rules.chance import FairChance, NotedChance
from bot.rules.game import Step
from bot.tables.registry import load_games
from tests.fairdice.test_page import PAGE

GAMES = load_games()


class Replayed:
    """The numbers of a step, asked for again."""

    def __init__(self, chance: NotedChance) -> None:
        self._notes = iter(chance.notes)

    def below(self, bound: int) -> int:
        noted, number = next(self._notes)
        assert noted == bound
        return number

    def dice(self, count: int) -> list[int]:
        return [self.below(6) + 1 for _ in range(count)]

    def is_used_up(self) -> bool:
        return next(self._notes, None) is None


def noted(step: int) -> NotedChance:
    return NotedChance(FairChance(b"a page", "games", step))


def started(key: str, seats: int, seed: int) -> tuple[Any, Replayed]:
    rules, chance = GAMES[key].game, noted(seed)
    return rules.start(rules.info.options(), seats, chance), Replayed(chance)


def made(key: str, state: Any, text: str, step: int) -> tuple[Step[Any], Replayed]:
    rules, chance = GAMES[key].game, noted(step)
    return rules.play(state, rules.to_move(state) or 0, rules.parse(text), chance), Replayed(chance)


@pytest.mark.parametrize("key", GAMES)
def test_the_page_tells_of_every_game(key: str) -> None:
    assert f"\nFor {GAMES[key].game.info.title}: the set-up " in PAGE


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (6, 3), (6, 4), (6, 5), (6, 6)])
def test_change_sets_up_as_the_page_says(seats: int, seed: int) -> None:
    state: ChangeState
    state, numbers = started("change", seats, seed)
    rolling = list(range(seats))
    while len(rolling) > 1:
        totals = {seat: sum(numbers.dice(2)) for seat in rolling}
        rolling = [seat for seat in rolling if totals[seat] == max(totals.values())]
    assert [state.public.turn] == rolling
    deck = list(pile_of_change())
    for place in range(len(deck) - 1, 0, -1):
        other = numbers.below(place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    assert [state.public.board.cards[card].key for card in state.deck] == deck
    assert numbers.is_used_up()


def pile_of_change() -> Iterator[str]:
    for points, copies in ((1, 3), (2, 3), (3, 3), (4, 2), (5, 2)):
        yield from [f"add-{points}"] * copies
    for most, copies in ((1, 2), (2, 2), (3, 1)):
        yield from [f"replace-{most}"] * copies
    spaces = "habits excuses desires greed gossip envy vanity anger pride worry doubt fear resentment blame grudges"
    yield from (*spaces.split(), "denial", "control", "selfishness")
    yield from ["any"] * 4


def test_a_turn_of_change_asks_for_what_the_page_says() -> None:
    challenged = 0
    for seed in range(60):
        state, _ = started("change", 3, seed)
        (after, _events), numbers = made("change", state, "roll", seed)
        dice = numbers.dice(2)
        if dice[0] == dice[1]:
            assert after.public.squares[state.public.turn] == 0
            assert after.hands[state.public.turn] == (state.deck[0],), "the card on top"
            assert numbers.is_used_up()
        elif after.public.may_challenge:
            challenged += 1
            (_, _), numbers = made("change", after, "challenge", seed)
            assert [len(numbers.dice(count)) for count in (3, 2, 1)] == [3, 2, 1]
            assert numbers.is_used_up()
    assert challenged > 10


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_fortune_asks_for_what_the_page_says(seats: int, seed: int) -> None:
    state: FortuneState
    state, numbers = started("fortune", seats, seed)
    pile = sorted_pile_of_fortune()
    assert state.mover == numbers.below(seats)
    assert str(state.turn.card) == pile.pop(numbers.below(35))
    assert numbers.is_used_up()
    turned = 0
    for step in range(100, 160):
        text = "stop" if state.turn.rolls else "roll 1 2 3 4 5 6 7 8"
        (state, events), numbers = made("fortune", state, text, step)
        for event in events:
            if isinstance(event, Rolled):
                assert list(map(int, event.faces)) == [face - 1 for face in numbers.dice(8)]
            if isinstance(event, CardTurned):
                turned += 1
                assert str(event.card) == pile.pop(numbers.below(len(pile)))
        assert numbers.is_used_up()
        if state.mover is None or not pile:
            break
    assert turned > 10


def sorted_pile_of_fortune() -> list[str]:
    plain = ("treasure-chest", "captain", "sorceress", "gold", "diamond", "monkey-business")
    battles = ("sea-battle-2-300", "sea-battle-3-500", "sea-battle-4-1000")
    skulls, rest = ("skulls-1",) * 3 + ("skulls-2",) * 2, ("storm",) * 3 + ("truce",) * 3
    return [*(card for card in plain for _ in range(3)), *skulls, *(card for card in battles for _ in range(2)), *rest]
