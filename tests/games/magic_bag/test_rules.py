"""The deal, turns, rows and failed rolls of The Magic Bag: rules MB-1 to MB-9."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from bot.games.magic_bag.facts import coins_for, find_covered_tiles, gain_of
from bot.games.magic_bag.pieces import (
    PIECES,
    PIECES_BY_NAME,
    CoinDiscarded,
    MagicBagEnd,
    MagicBagOptions,
    MagicBagReason,
    Rolled,
    RowTaken,
    State,
    Suit,
)
from bot.games.magic_bag.scoring import (
    dice_match,
    find_matching_rows,
    matching_chance,
    points_of,
)
from bot.rules.chance import FairChance, FastChance, ScriptedChance, ScriptError
from bot.rules.playout import random_move
from bot.tools.contract.audits import audit
from tests.games.magic_bag.positions import FAR, GAME, at, digits, legal, names, pieces, play_move
from tests.support.each_case import each_case

IN_ORDER = [*range(23, 0, -1)]
"""A shuffle in which every tile stays where it is."""


def start_game(seed: int) -> State:
    return GAME.start(MagicBagOptions(), 1, FairChance(seed.to_bytes(32, "big"), "", 0))


def refusal_of(state: State, move: str) -> tuple[MagicBagReason, list[str]]:
    """Return why a move is refused, and the facts for the message."""
    refusal = GAME.check(state, 0, GAME.parse_move(move))
    assert refusal is not None
    assert isinstance(refusal.reason, MagicBagReason)
    return refusal.reason, list(map(str, refusal.facts.by_name().values()))


class TestDeal:
    def test_the_tiles_are_dealt_into_nine_rows_from_the_first_on(self) -> None:
        """MB-1."""
        with ScriptedChance([*IN_ORDER, 0, 1, 2, 3]) as chance:
            state = GAME.start(MagicBagOptions(), 1, chance)
        assert [len(row) for row in state.layout.rows] == [1, 1, 2, 2, 3, 3, 4, 4, 4]
        assert [tile for row in state.layout.rows for tile in row] == list(PIECES)
        assert (state.faces, GAME.seat_to_move(state)) == ((0, 1, 2, 3), 0)

    def test_the_tiles_are_shuffled(self) -> None:
        """MB-1."""
        first = Counter(start_game(seed).layout.rows[0][0] for seed in range(2400))
        assert set(first) == set(PIECES)
        assert max(first.values()) < 150, "100 expected, with a deviation of about 10"

    def test_three_crowns_are_the_players_and_the_other_coins_in_the_bag(self) -> None:
        """MB-2."""
        layout = start_game(1).layout
        assert names(layout.collected) == "crown-null crown-ace crown-2"
        assert (len(layout.bag), layout.discarded) == (21, ())
        assert Counter(layout.bag + layout.collected) == Counter(PIECES)

    def test_games_without_finish_end_within_the_step_limit(self) -> None:
        """MB-7 and MB-8: a game without `finish` ends too, and all its positions are sound."""
        reasons = Counter[str]()
        for seed in range(60):
            random, chance = Random(seed), FastChance(Random(seed))
            state, steps = GAME.start(MagicBagOptions(), 1, chance), 0
            while state.end is None:
                moves = GAME.legal_moves(state)
                going_on = [move for move in moves if str(move) not in ("finish", "stop")]
                state, _ = GAME.play(state, 0, random.choice(going_on or moves), chance)
                steps += 1
                assert audit(GAME, state) == ()
            assert steps <= GAME.info.step_limit == 3 * (9 + 24 + 1)
            reasons[str(state.end)] += 1
        assert len(reasons) >= 2, reasons


class TestRolling:
    @each_case(
        "move, dice, after",
        [
            ("roll sun moon crown arms", "0123", "0123"),
            ("roll sun", "0", "0555"),
            ("roll moon arms", "12", "5152"),
            ("roll crown", "3", "5535"),
        ],
    )
    def test_the_dice_that_are_named_are_rolled_and_the_others_kept(self, move: str, dice: str, after: str) -> None:
        """MB-3."""
        state, events = play_move(at(FAR, "5555", rolls=2), move, dice)
        assert (state.faces, state.rolls_left) == (digits(after), 1)
        assert events == (Rolled(GAME.parse_move(move).suits, digits(after)),)  # type: ignore[union-attr]

    def test_dice_are_rolled_again_twice_and_no_more(self) -> None:
        """MB-3: a die that was kept may be rolled later."""
        state, _ = play_move(at(FAR, "5555", rolls=2), "roll sun moon crown", "123")
        state, _ = play_move(state, "roll arms", "0")
        assert (state.faces, state.rolls_left) == ((1, 2, 3, 0), 0)
        for move in ("roll arms", "stop"):
            assert refusal_of(state, move)[0] is MagicBagReason.NO_ROLLS_LEFT
        assert not [move for move in legal(state) if move.startswith("roll")]

    def test_keeping_all_four_ends_the_rolling(self) -> None:
        """MB-3."""
        state, events = play_move(at(FAR, "5555", rolls=2), "stop")
        assert (state.faces, state.rolls_left, events) == ((5, 5, 5, 5), 0, ())
        assert "finish" in legal(state)

    def test_every_choice_of_dice_is_offered_once(self) -> None:
        """MB-3."""
        moves = legal(at(FAR, "5555", rolls=1))
        chosen = [[str(suit) for suit in Suit if mask >> suit & 1] for mask in range(1, 16)]
        assert sorted(moves) == sorted(["stop", *(" ".join(["roll", *suits]) for suits in chosen)])

    @each_case("move", ["discard crown-null", "finish"])
    def test_a_roll_that_may_be_repeated_has_not_failed(self, move: str) -> None:
        """MB-8."""
        assert refusal_of(at(FAR, "5555", rolls=1), move)[0] is MagicBagReason.ROLLS_LEFT

    @each_case("kept, rows", [((2,), [(2, 5)]), ((4, 4), [(4, 4, 2)]), ((1,), [(4, 1), (3, 5, 1, 2)]), ((), [(3,)])])
    def test_the_chance_of_a_row_is_the_share_of_rolls_that_match(
        self, kept: tuple[int, ...], rows: list[tuple[int, ...]]
    ) -> None:
        """MB-4."""
        rolls = [(*kept, *rest) for rest in product(range(6), repeat=4 - len(kept))]
        found = sum(any(Counter(row) <= Counter(roll) for row in rows) for roll in rolls) / len(rolls)
        assert matching_chance(kept, frozenset(rows)) == pytest.approx(found)


class TestMatching:
    @each_case(
        "row, dice, matches",
        [
            ("crown-2 crown-null sun-5", "2405", True),  # the original's example
            ("sun-3", "1113", True),
            ("sun-3", "1114", False),
            ("sun-3 moon-3", "1131", False),  # two tiles of a value need two dice
            ("sun-3 moon-3", "3113", True),
            ("sun-3 moon-3 crown-3", "3311", False),
            ("sun-3 moon-3 crown-3 arms-3", "3332", False),
            ("sun-null moon-ace crown-2 arms-3", "3210", True),  # suits do not matter
            ("arms-5 sun-null", "5555", False),
        ],
    )
    def test_every_tile_needs_a_die_of_its_own_with_its_value(self, row: str, dice: str, matches: bool) -> None:
        """MB-4."""
        assert (at({9: row}, dice).matching == (9,)) == matches

    def test_for_every_row_and_roll(self) -> None:
        """MB-4: multiset inclusion, by counting."""
        rolls = list(product(range(6), repeat=4))[::5]
        for size in (1, 2, 3, 4):
            for values in product(range(6), repeat=size):
                for faces in rolls[:: size * size]:
                    assert dice_match(faces, values) == (Counter(values) <= Counter(faces)), (values, faces)
        assert find_matching_rows(((), (2,)), (2, 2, 2, 2)) == (2,), "a taken row matches nothing"

    @each_case(
        "row, dice, covered",
        [
            ("crown-2 crown-null sun-5", "2405", {"crown-null": "crown", "crown-2": "sun", "sun-5": "arms"}),
            ("crown-2 crown-null sun-5", "0240", {"crown-null": "sun", "crown-2": "moon"}),
            ("crown-2 arms-2 sun-2", "2113", {"sun-2": "sun"}),
            ("crown-2 arms-2 sun-2", "1213", {"crown-2": "moon"}),
        ],
    )
    def test_a_die_covers_one_tile_and_first_the_one_that_equals_it(
        self, row: str, dice: str, covered: dict[str, str]
    ) -> None:
        """MB-4 and MB-6."""
        found = find_covered_tiles(pieces(row), digits(dice))
        assert {str(tile): str(suit) for tile, suit in found.items()} == covered

    @each_case("move", ["stop", "finish", "discard crown-null"])
    @each_case("rolls", [0, 1, 2])
    def test_a_turn_does_not_end_without_a_row_that_matches(self, move: str, rolls: int) -> None:
        """MB-5."""
        assert refusal_of(at({1: "sun-5", **FAR}, "5123", rolls=rolls), move)[0] is MagicBagReason.MUST_CLAIM

    def test_rows_that_match_are_all_that_can_be_done_after_the_last_roll(self) -> None:
        """MB-5."""
        rows = {1: "sun-5", 3: "moon-ace arms-2", 4: "sun-null moon-5", **FAR}
        assert legal(at(rows, "5123")) == ["claim 1", "claim 3"]
        assert legal(at(rows, "5123", rolls=1))[:3] == ["claim 1", "claim 3", "roll sun moon crown arms"]
        assert len(legal(at(rows, "5123", rolls=1))) == 2 + 15

    @each_case("move, reason", [("claim 9", MagicBagReason.ROW_NOT_MATCHED), ("claim 2", MagicBagReason.NO_SUCH_ROW)])
    def test_a_row_that_does_not_match_or_is_taken_is_refused(self, move: str, reason: MagicBagReason) -> None:
        """MB-5."""
        assert refusal_of(at({1: "sun-5", **FAR}, "5123", rolls=1), move) == (reason, [move[-1]])


class TestRows:
    def test_the_original_example(self) -> None:
        """MB-4 and MB-6: Crown-null is exact, so two coins are drawn."""
        state = at({6: "crown-2 crown-null sun-5", **FAR}, "2405")
        after, (taken, rolled) = play_move(state, "claim 6", 0, 0, "1444")
        tiles, exact = pieces("crown-2 crown-null sun-5"), pieces("crown-null")
        assert taken == RowTaken(6, tiles, exact, pieces("sun-null sun-ace"))
        assert rolled == Rolled(tuple(Suit), (1, 4, 4, 4))
        assert names(after.layout.collected) == "crown-null crown-ace crown-2 sun-null sun-ace"
        assert [names(row) for row in after.layout.rows] == [*[""] * 8, FAR[9]], "the others keep their numbers"
        assert (after.faces, after.rolls_left, len(after.layout.bag)) == ((1, 4, 4, 4), 2, 19)

    @each_case(
        "row, dice, coins",
        [
            ("sun-5", "1235", 1),
            ("sun-5", "5123", 2),
            ("sun-5 moon-5", "5512", 3),
            ("sun-5 moon-5", "1255", 1),  # the values match, the suits don't
            ("sun-5 moon-4", "5144", 2),
            ("sun-null moon-ace crown-2 arms-3", "0123", 5),
            ("sun-null moon-ace crown-2 arms-3", "1023", 3),
            ("sun-null sun-ace sun-2 sun-3", "3210", 2),  # one die of each suit
        ],
    )
    def test_one_coin_and_one_more_for_each_exact_tile(self, row: str, dice: str, coins: int) -> None:
        """MB-6."""
        state = at({8: row, **FAR}, dice)
        after, (taken, _) = play_move(state, "claim 8", *([0] * coins), "1111")
        assert isinstance(taken, RowTaken)
        assert coins_for(state, 8) == len(taken.coins) == coins == 1 + len(taken.exact_tiles)
        assert after.layout.collected == pieces("crown-null crown-ace crown-2") + taken.coins
        assert taken.lapsed_draws == 0

    def test_the_coins_come_at_random(self) -> None:
        """MB-6: each draw is one of the coins that are left, whichever chance names."""
        state = at({1: "sun-5", **FAR}, "5123", bag="sun-null moon-ace arms-5")
        after, _ = play_move(state, "claim 1", 2, 1, "1111")
        assert names(after.layout.collected) == "crown-null crown-ace crown-2 arms-5 moon-ace"
        assert (names(after.layout.bag), after.end) == ("sun-null", None)
        with pytest.raises(ScriptError):
            play_move(state, "claim 1", 3, 1, "1111")

    @each_case("bag, lapsed", [("arms-2", 4), ("arms-2 sun-3", 3), ("arms-2 sun-3 moon-3 sun-4 moon-4", 0)])
    def test_the_last_coin_ends_the_game_and_draws_still_owed_lapse(self, bag: str, lapsed: int) -> None:
        """MB-7: nothing is rolled any more."""
        state = at({8: "sun-null moon-ace crown-2 arms-3", **FAR}, "0123", bag=bag)
        after, (taken,) = play_move(state, "claim 8", *([0] * len(bag.split())))
        assert isinstance(taken, RowTaken)
        assert (taken.lapsed_draws, names(taken.coins), coins_for(state, 8)) == (lapsed, bag, 5 - lapsed)
        assert (after.layout.bag, after.end) == ((), MagicBagEnd.LAST_COIN)
        assert (GAME.seat_to_move(after), GAME.legal_moves(after)) == (None, ())

    def test_the_last_row_ends_the_game(self) -> None:
        """MB-7: its coins are drawn all the same, and it counts as the end even if it brings the last coin."""
        after, (taken,) = play_move(at(FAR, "4444"), "claim 9", 0, 0, 0, 0, 0)
        assert isinstance(taken, RowTaken)
        assert (after.end, len(taken.coins)) == (MagicBagEnd.LAST_ROW, 5)
        after, _ = play_move(at({9: "sun-5"}, "5123", bag="arms-2 sun-3"), "claim 9", 0, 0)
        assert (after.end, after.layout.bag) == (MagicBagEnd.LAST_ROW, ())
        for move in ("claim 9", "roll sun", "stop", "finish", "discard crown-2"):
            assert GAME.check(after, 0, GAME.parse_move(move)) is not None

    def test_the_gain_of_a_move_is_its_change_of_the_points(self) -> None:
        """MB-6, MB-8, MB-10 and MB-11."""
        chance, gains = FastChance(Random(5)), Counter[bool]()
        state = GAME.start(MagicBagOptions(), 1, chance)
        while state.end is None:
            before = points_of(state)
            state, events = GAME.play(state, 0, random_move(GAME.legal_moves(state), chance), chance)
            if state.end is not MagicBagEnd.LAST_COIN:
                assert gain_of(state, events) == points_of(state) - before
                gains[points_of(state) < before] += 1
        assert len(gains) == 2


LONG_ROWS = {3: "moon-null arms-5", **FAR}


class TestFailedRolls:
    def test_one_may_discard_any_coin_or_finish(self) -> None:
        """MB-8 and MB-9: gold included, and with at most one tile."""
        assert legal(at(LONG_ROWS, "4135", coins="crown-2 sun-3")) == [
            "discard crown-2",
            "discard sun-3",
            "discard crown-2 tile sun-4",
            "discard sun-3 tile sun-4",
            "discard crown-2 tile arms-5",
            "discard sun-3 tile arms-5",
            "finish",
        ]

    def test_a_discarded_coin_leaves_the_game(self) -> None:
        """MB-8: it does not go back into the bag."""
        before = at(LONG_ROWS, "1231", coins="crown-2 sun-3")
        after, events = play_move(before, "discard sun-3", "5432")
        assert (names(after.layout.collected), names(after.layout.discarded)) == ("crown-2", "sun-3")
        assert (after.layout.bag, after.layout.rows) == (before.layout.bag, before.layout.rows)
        assert (after.faces, after.rolls_left) == ((5, 4, 3, 2), 2)
        assert events == (CoinDiscarded(PIECES_BY_NAME["sun-3"], None, None), Rolled(tuple(Suit), digits("5432")))
        last, _ = play_move(at(LONG_ROWS, "1231", coins="crown-2"), "discard crown-2", "1231")
        assert (last.layout.collected, last.end) == ((), None)

    def test_finishing_ends_the_game(self) -> None:
        """MB-8."""
        after, events = play_move(at(LONG_ROWS, "1231"), "finish")
        assert (after.end, after.faces, events) == (MagicBagEnd.FINISHED, (1, 2, 3, 1), ())
        assert GAME.seat_to_move(after) is None

    @each_case(
        "rolls, move, dice, coins, end",
        [
            (1, "roll arms", "2", "", MagicBagEnd.NO_COIN_TO_DISCARD),
            (2, "stop", "", "", MagicBagEnd.NO_COIN_TO_DISCARD),
            (2, "roll arms", "2", "", None),  # one more roll is left
            (1, "roll moon arms", "05", "", None),  # a row matches
            (1, "roll arms", "2", "crown-null", None),  # a coin that is worth nothing will do
        ],
    )
    def test_a_last_roll_that_fails_without_a_coin_ends_the_game(
        self, rolls: int, move: str, dice: str, coins: str, end: MagicBagEnd | None
    ) -> None:
        """MB-8."""
        after, _ = play_move(at(LONG_ROWS, "1231", rolls=rolls, coins=coins), move, dice)
        assert after.end is end
        outcome = GAME.outcome(after)
        assert (None if outcome is None else (outcome.scores, outcome.reason)) == (end and ((0,), end))

    def test_a_tile_that_equals_a_die_may_be_removed(self) -> None:
        """MB-9: the shorter row is easier to match."""
        after, events = play_move(at(LONG_ROWS, "1235"), "discard crown-2 tile arms-5", "1011")
        assert events[0] == CoinDiscarded(PIECES_BY_NAME["crown-2"], PIECES_BY_NAME["arms-5"], 3)
        assert (names(after.layout.rows[2]), after.matching) == ("moon-null", (3,))

    @each_case(
        "move, reason",
        [
            ("discard arms-ace", MagicBagReason.COIN_NOT_COLLECTED),
            ("discard crown-2 tile moon-5", MagicBagReason.TILE_NOT_ON_BOARD),
            ("discard crown-2 tile arms-4", MagicBagReason.TILE_NOT_ROLLED),  # the arms die shows 1
            ("discard crown-2 tile moon-null", MagicBagReason.TILE_NOT_ROLLED),  # a null is there, but on no moon die
        ],
    )
    def test_other_pieces_stay(self, move: str, reason: MagicBagReason) -> None:
        """MB-8 and MB-9."""
        assert refusal_of(at(LONG_ROWS, "0131"), move) == (reason, [move.rsplit(maxsplit=1)[-1]])

    def test_a_tile_never_empties_a_row(self) -> None:
        """MB-9: a row of one tile that equals a die would have matched, for every tile and every roll."""
        for tile, faces in product(PIECES, product(range(6), repeat=4)):
            if faces[tile.suit] == tile.value:
                state = at({1: str(tile)}, "".join(map(str, faces)))
                assert state.matching == (1,)
                assert GAME.check(state, 0, GAME.parse_move(f"discard crown-2 tile {tile}")) is not None


# The bag's places: suns 0 to 5, moons 6 to 11, crowns 3 to 5 at 12 to 14, arms from 15 on.
RECORD: list[tuple[str, list[int | str], str]] = [
    ("claim 4", [15, 15, "3333"], "sun-4 covers a four, sun-5 is exact: Arms null and ace"),
    ("roll sun", ["0"], "a null for row 1"),
    ("claim 1", [15, 15, "5555"], "exact: Arms 2 and 3"),
    ("stop", [], "two rolls are given away"),
    ("discard crown-null tile moon-5", ["3400"], "row 6 needs 3 and 4 now"),
    ("claim 6", [16, 15, "1111"], "moon-4 is exact: Arms 5 and 4"),
    ("roll sun moon crown arms", ["5555"], "row 2 is left alone"),
    ("roll sun moon crown arms", ["5555"], "and the last roll fails"),
    ("finish", [], "210 for the arms, 3 in gold"),
]


def test_a_game_by_hand() -> None:
    """MB-1 to MB-11."""
    with ScriptedChance([*IN_ORDER, 5, 2, 0, 4]) as chance:
        state = GAME.start(MagicBagOptions(), 1, chance)
    for move, script, _why in RECORD:
        state, _ = play_move(state, move, *script)
        assert audit(GAME, state) == ()
    assert GAME.encode_position(state) == (
        "-/sun-ace/sun-2+sun-3/-/moon-null+moon-ace+moon-2/-/crown-null+crown-ace+crown-2+crown-3/"
        "crown-4+crown-5+arms-null+arms-ace/arms-2+arms-3+arms-4+arms-5 5555 0 "
        "crown-ace+crown-2+arms-null+arms-ace+arms-2+arms-3+arms-5+arms-4 crown-null finished"
    )
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == (213,)
