"""The chance of each game is that of `docs/fair-dice.md`, implemented again from the page."""

from collections.abc import Iterator
from typing import Any

from bot.games.change.pieces import State as ChangeState
from bot.games.fortune.pieces import CardTurned, Rolled, State as FortuneState
from bot.rules.chance import FairChance, RecordingChance
from bot.rules.game import Transition
from tests.support.each_case import each_case
from tests.support.games import load_games_once

GAMES = load_games_once()


class ReplayChance:
    """The numbers of a step, asked for again."""

    def __init__(self, chance: RecordingChance) -> None:
        self._notes = iter(chance.draws)

    def randbelow(self, bound: int) -> int:
        noted, number = next(self._notes)
        assert noted == bound
        return number

    def dice(self, count: int) -> list[int]:
        return [self.randbelow(6) + 1 for _ in range(count)]

    def is_used_up(self) -> bool:
        return next(self._notes, None) is None


def note_chance(step: int) -> RecordingChance:
    return RecordingChance(FairChance(b"a page", "games", step))


def start_game(key: str, seats: int, seed: int) -> tuple[Any, ReplayChance]:
    rules, chance = GAMES[key].game, note_chance(seed)
    return rules.start(rules.info.options(), seats, chance), ReplayChance(chance)


def apply_move(key: str, state: Any, text: str, step: int) -> tuple[Transition[Any, Any], ReplayChance]:
    rules, chance = GAMES[key].game, note_chance(step)
    return rules.play(state, rules.seat_to_move(state) or 0, rules.parse_move(text), chance), ReplayChance(chance)


@each_case("seats, seed", [(2, 1), (3, 2), (6, 3), (6, 4), (6, 5), (6, 6)])
def test_change_sets_up_as_the_page_says(seats: int, seed: int) -> None:
    state: ChangeState
    state, numbers = start_game("change", seats, seed)
    rolling = list(range(seats))
    while len(rolling) > 1:
        totals = {seat: sum(numbers.dice(2)) for seat in rolling}
        rolling = [seat for seat in rolling if totals[seat] == max(totals.values())]
    assert [state.public.turn] == rolling
    deck = list(change_deck())
    for place in range(len(deck) - 1, 0, -1):
        other = numbers.randbelow(place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    assert [state.public.board.cards[card].key for card in state.deck] == deck
    assert numbers.is_used_up()


def change_deck() -> Iterator[str]:
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
        state, _ = start_game("change", 3, seed)
        (after, _events), numbers = apply_move("change", state, "roll", seed)
        dice = numbers.dice(2)
        if dice[0] == dice[1]:
            assert after.public.ragz_spaces[state.public.turn] == 0
            assert after.hands[state.public.turn] == (state.deck[0],), "the card on top"
            assert numbers.is_used_up()
        elif after.public.may_challenge:
            challenged += 1
            (_, _), numbers = apply_move("change", after, "challenge", seed)
            assert [len(numbers.dice(count)) for count in (3, 2, 1)] == [3, 2, 1]
            assert numbers.is_used_up()
    assert challenged > 10


@each_case("seats, seed", [(2, 1), (3, 2), (4, 3)])
def test_fortune_asks_for_what_the_page_says(seats: int, seed: int) -> None:
    state: FortuneState
    state, numbers = start_game("fortune", seats, seed)
    pile = sorted_fortune_deck()
    assert state.mover == numbers.randbelow(seats)
    assert str(state.turn.card) == pile.pop(numbers.randbelow(35))
    assert numbers.is_used_up()
    turned = 0
    for step in range(100, 160):
        text = "stop" if state.turn.rolls else "roll 1 2 3 4 5 6 7 8"
        (state, events), numbers = apply_move("fortune", state, text, step)
        for event in events:
            if isinstance(event, Rolled):
                assert list(map(int, event.faces)) == [face - 1 for face in numbers.dice(8)]
            if isinstance(event, CardTurned):
                turned += 1
                assert str(event.card) == pile.pop(numbers.randbelow(len(pile)))
        assert numbers.is_used_up()
        if state.mover is None or not pile:
            break
    assert turned > 10


def sorted_fortune_deck() -> list[str]:
    plain = ("treasure-chest", "captain", "sorceress", "gold", "diamond", "monkey-business")
    battles = ("sea-battle-2-300", "sea-battle-3-500", "sea-battle-4-1000")
    skulls, rest = ("skulls-1",) * 3 + ("skulls-2",) * 2, ("storm",) * 3 + ("truce",) * 3
    return [*(card for card in plain for _ in range(3)), *skulls, *(card for card in battles for _ in range(2)), *rest]
