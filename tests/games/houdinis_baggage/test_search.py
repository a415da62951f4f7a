"""Set-up and search: rules HB-1 to HB-5."""

from collections import Counter

from bot.games.houdinis_baggage.cards import (
    CARD_COLOURS,
    CARD_KEYS,
    CARD_SHAPES,
    CARDS,
    COPIES_PER_CARD,
    EMPTY_PILE,
    FULL_PILE,
    Trait,
    add_to_pile,
    trait_values,
)
from bot.games.houdinis_baggage.facts import find_forced_end
from bot.games.houdinis_baggage.pieces import DONE, BaggageOptions, CardKept, CardOpened, Phase, State
from bot.rules.chance import FairChance
from bot.tools.contract.audits import audit
from tests.games.houdinis_baggage.positions import GAME, HOUDINI, at, cards, names, play_move, player
from tests.support.each_case import each_case


def make_search(opened: str = "", discards: str | None = "") -> State:
    return at(player("1; 2"), player("3; 4"), opened=opened, discards=discards, phase=Phase.SEARCH)


class TestSetUp:
    @each_case("seats", [2, 3, 4])
    def test_hb_1_every_seat_gets_an_assignment_of_one_point_and_one_of_two_and_five_lie_open(self, seats: int) -> None:
        """HB-1: each seat begins about as often; five standard deviations are allowed."""
        games, starters, firsts = 120 * seats, Counter[int](), set()
        for seed in range(games):
            state = HOUDINI.start(BaggageOptions(), seats, FairChance(seed.to_bytes(32, "big"), "set-up", 0))
            assert len(state.players) == seats
            assert {tuple(t.assignment.points for t in p.tasks) for p in state.players} == {(1, 2)}
            assert (len(state.row), len(state.deck)) == (5, 36 - 5 - 2 * seats)
            assert (state.baggage, state.discards, state.open) == (FULL_PILE, EMPTY_PILE, ())
            assert {(p.bank, p.completed) for p in state.players} == {((), ())}
            assert (state.phase, state.mover) == (Phase.SEARCH, state.starter)
            assert audit(HOUDINI, state) == ()
            starters[state.starter] += 1
            firsts.add(state.players[0].tasks[0].assignment.number)
        deviation = (games * (1 - 1 / seats) / seats) ** 0.5
        assert all(abs(starters[seat] - games / seats) < 5 * deviation for seat in range(seats))
        assert firsts == set(range(1, 7)), "any of the six may be dealt"

    def test_hb_1_the_baggage_is_four_cards_of_each_look(self) -> None:
        """HB-1."""
        assert (GAME.info.least_seats, GAME.info.most_seats) == (2, 4)
        assert FULL_PILE == (4,) * 16
        assert len({(CARD_COLOURS[card], CARD_SHAPES[card]) for card in CARDS}) == 16


@each_case(
    "opened, values",
    [
        ("", {}),
        ("green-square yellow-triangle green-triangle red-triangle",
         {"green": 2, "yellow": 1, "red": 1, "square": 1, "triangle": 3}),
        ("blue-star blue-circle blue-star", {"blue": 3, "star": 2, "circle": 1}),
    ],
)  # fmt: skip
def test_hb_2_a_value_is_how_many_open_cards_have_it(opened: str, values: dict[str, int]) -> None:
    """HB-2."""
    counts = dict(zip(map(str, Trait), trait_values(cards(opened)), strict=True))
    assert counts == dict.fromkeys(map(str, Trait), 0) | values


class TestSearch:
    def test_hb_3_every_card_that_is_left_may_come_and_no_other(self) -> None:
        """HB-3."""
        state = make_search("red-star", " ".join(["blue-star"] * COPIES_PER_CARD))
        left = Counter(EVERY_CARD.split()) - Counter(["red-star"] + ["blue-star"] * COPIES_PER_CARD)
        assert Counter(names(play_move(state, "open", at)[0].open[1:]) for at in range(left.total())) == left


class TestTwin:
    @each_case(
        "kept, lost",
        [
            ("green-star", "red-triangle blue-square red-triangle"),
            ("red-triangle", "green-star blue-square red-triangle"),
        ],
    )
    def test_hb_4_the_others_are_discarded_and_the_turn_passes(self, kept: str, lost: str) -> None:
        """HB-4."""
        twins = at(
            player("1; 2", bank="blue-star"),
            player("3; 4"),
            opened="red-triangle green-star blue-square red-triangle",
            phase=Phase.TWIN,
            discards="blue-square",
        )
        state, events = play_move(twins, f"keep {kept}")
        assert events == (CardKept(0, cards(kept)[0], cards(lost)),)
        assert set(state.players[0].bank) == set(cards(f"{kept} blue-star"))
        assert state.discards == add_to_pile(EMPTY_PILE, cards(f"blue-square {lost}"))
        assert (state.open, state.mover, state.phase) == ((), 1, Phase.SEARCH)
        assert state.players[0].tasks == twins.players[0].tasks, "there is no placement"
        assert audit(GAME, state) == ()


ALL_PLACED = at(player("4 red-circle blue-star; 2"))


@each_case(
    "state, is_forced",
    [
        (ALL_PLACED, True),
        (at(player("4 red-circle -; 2"), opened="blue-star"), False),
        # Nobody can open a card, so every turn would end by itself, for ever.
        (ALL_PLACED._replace(baggage=EMPTY_PILE), False),
    ],
)
def test_hb_6_a_turn_is_over_once_nothing_more_fits(state: State, is_forced: bool) -> None:
    """HB-6."""
    assert find_forced_end(state) == (DONE if is_forced else None)


EVERY_CARD = " ".join(CARD_KEYS * COPIES_PER_CARD)


def all_but(*left: str) -> str:
    """Return every card but these."""
    rest = Counter(EVERY_CARD.split()) - Counter(left)
    return " ".join(rest.elements())


class TestEmptyDeck:
    def test_hb_5_the_discards_are_the_new_deck(self) -> None:
        """HB-5."""
        state, events = play_move(make_search("green-star", None), "open", "blue-circle")
        assert events == (CardOpened(0, cards("blue-circle")[0], is_reshuffled=True),)
        assert (state.discards, sum(state.baggage), audit(GAME, state)) == (EMPTY_PILE, sum(FULL_PILE) - 2, ())

    def test_hb_5_the_discards_wait_until_a_card_is_needed(self) -> None:
        """HB-5."""
        state, events = play_move(make_search("red-star", all_but("red-star", "blue-star")), "open", 0)
        assert events == (CardOpened(0, cards("blue-star")[0], is_reshuffled=False),)
        assert (sum(state.baggage), sum(state.discards), state.phase) == (0, sum(FULL_PILE) - 2, Phase.SEARCH)

    @each_case("second, phase", [("blue-star", Phase.PLACE), ("red-star", Phase.TWIN)])
    def test_hb_5_when_both_are_empty_the_search_ends_by_itself(self, second: str, phase: Phase) -> None:
        """HB-5 and HB-4: a twin as the last card still counts."""
        bank = all_but("red-star", second)
        state, _ = play_move(at(player("1; 2", bank=bank), opened="red-star", phase=Phase.SEARCH), "open", second)
        assert (names(state.open), state.phase, audit(GAME, state)) == (f"red-star {second}", phase, ())

    @each_case("bank, phase", [("", Phase.SEARCH), (EVERY_CARD, Phase.PLACE)])
    def test_hb_5_the_next_seat_searches_unless_all_cards_are_gone(self, bank: str, phase: Phase) -> None:
        """HB-5 and HB-3: discards are enough; without any card the turn begins with the placement."""
        state, _ = play_move(at(player("1; 2"), player("3; 4", bank=bank), discards=None), "done")
        assert (state.mover, state.phase, audit(GAME, state)) == (1, phase, ())
