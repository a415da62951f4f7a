"""The placements offered are those that a naive search finds, in hundreds of positions or, with --long, thousands."""

from itertools import permutations
from random import Random

import pytest

from bot.games.houdinis_baggage.cards import CARDS, EMPTY_PILE, FULL_PILE, BonusKind
from bot.games.houdinis_baggage.legality import SpotFacts
from bot.games.houdinis_baggage.pieces import BaggageOptions, BaggageReason, Phase, Place, Player, Shift, State, Task
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.rules.chance import ScriptedChance
from bot.rules.refusals import Refusal
from tests.games.houdinis_baggage import naive
from tests.games.houdinis_baggage.positions import DECK

GAME = HoudinisBaggage(DECK)
NO_CHANCE = ScriptedChance(())
BATCHES = 3


def position(random: Random) -> State:
    """A position with up to four bonuses at hand; no account of where the other cards lie is needed."""
    deck = random.sample(DECK, len(DECK))
    # The rare bonuses and the long items are where it gets hard.
    dear = [each for each in deck if each.bonus.kind in (BonusKind.COPY, BonusKind.MOVE)]
    deck = [*random.sample(dear, random.choice((0, 0, 1, 2))), *deck]
    deck = list(dict.fromkeys(deck))
    mine, theirs = random.choice((0, 1, 2, 3, 3, 4)), random.choice((0, 1, 2, 3))
    completed, others, tasks = deck[:mine], deck[mine : mine + theirs], deck[mine + theirs : mine + theirs + 2]
    unfinished = tuple(
        Task(each, tuple(random.choice(CARDS) if random.random() < 0.3 else None for _ in each.items)) for each in tasks
    )
    one = theirs // 2
    return State(
        options=BaggageOptions(),
        players=(
            Player((), (), tuple(others[:one])),
            Player(unfinished, (), tuple(completed)),
            Player((), (), tuple(others[one:])),
        ),
        row=(),
        deck=(),
        baggage=FULL_PILE,
        discards=EMPTY_PILE,
        open=tuple(random.sample(CARDS, random.randint(0, 7))),
        phase=Phase.PLACE,
        spent=tuple(each.number for each in completed if random.random() < 0.1),
        mover=1,
        starter=0,
        end=None,
    )


@pytest.mark.parametrize("batch", range(BATCHES))
def test_hb_12_offered_placements_match_a_brute_force_search(batch: int, is_long: bool) -> None:
    """HB-6, HB-12 and HB-B1 to HB-B5."""
    random = Random(batch)
    with_bonuses = 0
    for _ in range(1000 if is_long else 150):
        state = position(random)
        moves = GAME.legal_moves(state)
        offered = [move for move in moves if isinstance(move, Place)]
        found = naive.placements(state)
        assert {(each.card, *each.spot) for each in offered} == set(found)
        for where, announced in found.items():
            ways = [
                tuple((use.number, use.copied) for use in each.uses)
                for each in offered
                if (each.card, *each.spot) == where
            ]
            check_ways(ways, announced)
            with_bonuses += any(ways)
        assert {(*each.start, *each.end) for each in moves if isinstance(each, Shift)} == naive.shifts(state)
    assert with_bonuses > 20


def check_ways(
    ways: list[tuple[tuple[int, int | None], ...]], announced: list[tuple[naive.AnnouncedBonus, ...]]
) -> None:
    """Each set of effects that is needed is offered once, in an order that works, one's own bonuses first."""
    needed = {tuple((each.number, each.copied) for each in one): one for one in naive.drop_unneeded(announced)}
    assert set(ways) <= set(needed)
    effects = [frozenset(naive.effects(needed[way]).items()) for way in ways]
    assert len(set(effects)) == len(effects)
    assert set(effects) == {frozenset(naive.effects(one).items()) for one in needed.values()}
    for way in ways:
        alike = [one for one in needed.values() if naive.effects(one) == naive.effects(needed[way])]
        assert copied_bonuses(needed[way]) == min(map(copied_bonuses, alike))


def copied_bonuses(announced: tuple[naive.AnnouncedBonus, ...]) -> int:
    return sum(each.copied is not None for each in announced)


def test_hb_b3_bonuses_are_announced_in_any_order_that_works(is_long: bool) -> None:
    """HB-12, HB-B1 and HB-B3: any order that works leads to the offered placement."""
    random = Random("orders")
    accepted = refused = 0
    for state in (position(random) for _ in range(500 if is_long else 350)):
        found = naive.placements(state)
        for move in (each for each in GAME.legal_moves(state) if isinstance(each, Place) and len(each.uses) > 1):
            works = {
                tuple((each.number, each.copied) for each in announced) for announced in found[(move.card, *move.spot)]
            }
            for uses in permutations(move.uses):
                ordered = Place(move.card, move.spot, uses)
                refusal = GAME.check(state, 1, ordered)
                assert (refusal is None) == (tuple(map(tuple, uses)) in works), str(ordered)
                if refusal is None:
                    accepted += uses != move.uses
                    assert GAME.play(state, 1, ordered, NO_CHANCE) == GAME.play(state, 1, move, NO_CHANCE)
                else:
                    refused += 1
                    assert refusal == Refusal(BaggageReason.OTHER_BONUSES, SpotFacts(move.spot))
    assert min(accepted, refused) > 2
