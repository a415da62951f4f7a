"""Set-up and search: rules HB-1 to HB-5."""

from collections import Counter

from bot.games.houdinis_baggage.cards import (
    CARD_COLOURS,
    CARD_SHAPES,
    CARDS,
    EMPTY_PILE,
    FULL_PILE,
    Trait,
    add_to_pile,
    trait_values,
)
from bot.games.houdinis_baggage.controls import build_controls
from bot.games.houdinis_baggage.pieces import BaggageOptions, BaggageReason, CardKept, CardOpened, Phase, State
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.rules.chance import FairChance
from bot.rules.refusals import CommonReason
from bot.rules.screen import EMPTY_DRAFT
from tests.games.houdinis_baggage.positions import (
    DECK,
    GAME,
    at,
    cards,
    legal,
    names,
    play_move,
    player,
    refusal_reason,
)
from tests.support.each_case import each_case

HOUDINI = HoudinisBaggage(DECK)


def make_search(opened: str = "", **more: object) -> State:
    return at(player("1; 2"), player("3; 4"), opened=opened, phase=Phase.SEARCH, **more)  # type: ignore[arg-type]


class TestSetUp:
    def test_hb_1_two_to_four_seats(self) -> None:
        """HB-1."""
        assert (GAME.info.least_seats, GAME.info.most_seats) == (2, 4)

    @each_case("seats", [2, 3, 4])
    def test_hb_1_every_seat_gets_an_assignment_of_one_point_and_one_of_two_and_five_lie_open(self, seats: int) -> None:
        """HB-1."""
        starters, firsts = Counter[int](), set()
        for seed in range(40 * seats):
            state = HOUDINI.start(BaggageOptions(), seats, FairChance(seed.to_bytes(32, "big"), "set-up", 0))
            assert len(state.players) == seats
            assert {tuple(t.assignment.points for t in p.tasks) for p in state.players} == {(1, 2)}
            assert (len(state.row), len(state.deck)) == (5, 36 - 5 - 2 * seats)
            assert (state.baggage, state.discards, state.open) == (FULL_PILE, EMPTY_PILE, ())
            assert {(p.bank, p.completed) for p in state.players} == {((), ())}
            assert state.phase is Phase.SEARCH
            assert state.mover == state.starter
            assert HOUDINI.audit(state) == ()
            starters[state.starter] += 1
            firsts.add(state.players[0].tasks[0].assignment.number)
        assert set(starters) == set(range(seats))
        assert firsts == set(range(1, 7)), "any of the six may be dealt"

    def test_hb_1_the_baggage_is_four_cards_of_each_look(self) -> None:
        """HB-1."""
        assert sum(FULL_PILE) == 64
        assert set(FULL_PILE) == {4}
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
    def test_hb_3_a_card_must_be_opened_first(self) -> None:
        """HB-3."""
        assert legal(make_search()) == ["open"]
        assert refusal_reason(make_search(), "stop").reason is BaggageReason.OPEN_FIRST

    def test_hb_3_after_each_card_the_seat_stops_or_goes_on(self) -> None:
        """HB-3."""
        state, events = play_move(make_search(), "open", "green-star")
        assert events == (CardOpened(0, cards("green-star")[0], is_reshuffled=False),)
        assert legal(state) == ["open", "stop"]
        state, _ = play_move(state, "open", "red-star")
        assert names(state.open) == "green-star red-star"
        assert (legal(state), state.mover) == (["open", "stop"], 0)
        state, events = play_move(state, "stop")
        assert (state.phase, events) == (Phase.PLACE, ())
        assert refusal_reason(state, "open").reason is BaggageReason.SEARCH_OVER
        assert refusal_reason(state, "stop").reason is BaggageReason.SEARCH_OVER

    def test_hb_3_every_card_that_is_left_may_come_and_no_other(self) -> None:
        """HB-3."""
        state = make_search("red-star", discards="blue-star blue-star blue-star blue-star")
        assert sum(state.baggage) == 64 - 1 - 4
        found = Counter(names(play_move(state, "open", at)[0].open[1:]) for at in range(59))
        assert found["blue-star"] == 0
        assert found["red-star"] == 3
        assert set(found.values()) == {3, 4}

    @each_case("move", ["place red-star on 2b", "bank red-star", "done", "move 1a to 2b with 4"])
    def test_hb_3_nothing_is_placed_during_the_search(self, move: str) -> None:
        """HB-3."""
        assert refusal_reason(make_search("red-star"), move).reason is BaggageReason.SEARCH_FIRST

    @each_case(
        "move, reason",
        [("keep red-star", BaggageReason.NO_TWIN), ("take 5", BaggageReason.NOTHING_TO_CHOOSE)],
    )
    def test_keep_and_take_are_refused_outside_their_phases(self, move: str, reason: BaggageReason) -> None:
        for phase in (Phase.SEARCH, Phase.PLACE):
            assert refusal_reason(at(player("1; 2"), opened="red-star", phase=phase), move).reason is reason

    def test_the_other_seat_waits(self) -> None:
        assert refusal_reason(make_search(), "open", seat=1).reason is CommonReason.NOT_TO_MOVE


class TestTwin:
    def test_hb_4_a_card_that_looks_alike_ends_the_turn_with_one_card_for_the_bank(self) -> None:
        """HB-4."""
        state, events = play_move(make_search("red-triangle green-star blue-square"), "open", "red-triangle")
        assert events == (CardOpened(0, cards("red-triangle")[0], is_reshuffled=False),)
        assert GAME.audit(state) == ()
        assert (state.phase, state.mover) == (Phase.TWIN, 0)
        assert legal(state) == ["keep red-triangle", "keep green-star", "keep blue-square"]
        for move in ("open", "stop", "done", "place green-star on 2b", "take 5", "bank green-star"):
            assert refusal_reason(state, move).reason is BaggageReason.TWIN
        assert refusal_reason(state, "keep red-star").reason is BaggageReason.NOT_OPEN

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
        assert GAME.audit(state) == ()

    @each_case("card", ["red-square", "green-triangle"])
    def test_hb_4_only_colour_and_shape_together_make_a_twin(self, card: str) -> None:
        """HB-4."""
        state, _ = play_move(make_search("red-triangle green-square"), "open", card)
        assert state.phase is Phase.SEARCH

    def test_hb_4_a_card_like_one_in_the_bank_or_on_an_assignment_is_no_twin(self) -> None:
        """HB-4."""
        state = at(player("1; 2 - red-star -", bank="red-star"), phase=Phase.SEARCH)
        state, _ = play_move(state, "open", "red-star")
        assert state.phase is Phase.SEARCH


class TestEmptyDeck:
    def test_hb_5_the_discards_are_the_new_deck(self) -> None:
        """HB-5."""
        state, events = play_move(make_search("green-star", discards=None), "open", "blue-circle")
        assert events == (CardOpened(0, cards("blue-circle")[0], is_reshuffled=True),)
        assert state.discards == EMPTY_PILE
        assert sum(state.baggage) == 64 - 2
        assert GAME.audit(state) == ()

    def test_hb_5_the_discards_wait_until_a_card_is_needed(self) -> None:
        """HB-5."""
        lying = names([card for card in CARDS for _ in range(4)]).split()
        lying.remove("blue-star")
        lying.remove("red-star")
        state, events = play_move(make_search("red-star", discards=" ".join(lying)), "open", 0)
        assert names(state.open) == "red-star blue-star"
        assert events == (CardOpened(0, cards("blue-star")[0], is_reshuffled=False),)
        assert (sum(state.baggage), sum(state.discards), state.phase) == (0, 62, Phase.SEARCH)

    def test_hb_5_with_discards_alone_the_next_seat_searches(self) -> None:
        """HB-5 and HB-3."""
        state, _ = play_move(at(player("1; 2"), player("3; 4"), discards=None), "done")
        assert (state.mover, state.phase, legal(state)) == (1, Phase.SEARCH, ["open"])

    def rich(self, *left: str) -> str:
        """A bank with all cards but these."""
        there = [name for card in CARDS for name in [names((card,))] * 4]
        for name in left:
            there.remove(name)
        return " ".join(there)

    def test_hb_5_when_both_are_empty_the_search_ends_by_itself(self) -> None:
        """HB-5."""
        state = at(player("1; 2", bank=self.rich("red-star", "blue-star")), opened="red-star", phase=Phase.SEARCH)
        state, _ = play_move(state, "open", "blue-star")
        assert (names(state.open), state.phase) == ("red-star blue-star", Phase.PLACE)
        assert GAME.audit(state) == ()

    def test_hb_5_a_twin_as_the_last_card_still_counts(self) -> None:
        """HB-5 and HB-4."""
        state = at(player("1; 2", bank=self.rich("red-star", "red-star")), opened="red-star", phase=Phase.SEARCH)
        state, _ = play_move(state, "open", "red-star")
        assert state.phase is Phase.TWIN

    def test_hb_3_without_cards_the_turn_begins_with_the_placement(self) -> None:
        """HB-3 and HB-5."""
        state = at(player("1; 2"), player("3; 4", bank=self.rich()))
        state, _ = play_move(state, "done")
        assert (state.mover, state.phase) == (1, Phase.PLACE)
        assert GAME.audit(state) == ()


def test_of_many_cards_to_choose_from_the_buttons_have_symbols_alone() -> None:
    cards = "red-star blue-star green-star yellow-star red-square blue-square green-square yellow-square red-star"
    for opened, label in ((cards, "🔴★"), (cards.removeprefix("red-star "), "🔵★ blue star")):
        _, rows = build_controls(at(player("1; 2"), opened=opened, phase=Phase.TWIN), EMPTY_DRAFT)
        assert rows[0][0].label == label
