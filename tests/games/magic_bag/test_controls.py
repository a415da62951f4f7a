"""The controls of The Magic Bag's screen."""

from collections.abc import Mapping

from bot.games.magic_bag.pieces import Suit
from bot.games.magic_bag.scoring import score_of
from bot.games.magic_bag.words import SUIT_SYMBOLS
from bot.rules.screen import Play, Tone
from bot.tools.contract.screen_checks import find_excess
from tests.games.magic_bag.positions import GAME, at, play_move
from tests.games.magic_bag.screen_helpers import (
    EVERYTHING,
    FAR,
    ROWS,
    controls,
    draw,
    draw_after,
    moves_by_label,
    press_toggles,
)
from tests.support.each_case import each_case


class TestRolling:
    def test_mb_3_every_choice_of_dice_can_be_composed(self) -> None:
        """MB-3."""
        state = at(ROWS, "1111", rolls=1)
        found = set()
        for mask in range(16):
            keys = [f"keep_{suit}" for suit in Suit if mask >> suit & 1]
            screen = press_toggles(state, *keys)
            (move,) = moves_by_label(screen).values()
            found.add(move)
            (control,) = [control for control in controls(screen) if isinstance(control.effect, Play)]
            assert control.tone is (Tone.CHOSEN if keys else Tone.QUIET)
        assert found == set(map(str, GAME.legal_moves(state)))

    def test_kept_dice_are_highlighted(self) -> None:
        dice = press_toggles(at(ROWS, "1234", rolls=1), "keep_moon").controls[0][:4]
        assert [control.tone is Tone.CHOSEN for control in dice] == [False, True, False, False]
        assert ["✓" in control.label for control in dice] == [False, True, False, False]
        assert [SUIT_SYMBOLS[suit] in control.label for suit, control in zip(Suit, dice, strict=True)] == [True] * 4

    def test_mb_3_no_dice_are_picked_after_a_roll(self) -> None:
        """MB-3: a die kept earlier may be rolled again later."""
        state, news = play_move(at(ROWS, "1111", rolls=2), "roll sun arms", "34")
        assert "roll sun moon crown arms" in moves_by_label(draw(state, news)).values()

    def test_a_turn_begins_with_nothing_kept(self) -> None:
        assert "roll sun moon crown arms" in moves_by_label(draw_after(at(ROWS, "1115"), "claim 2", 0, "1111")).values()

    @each_case(
        "rows, dice, attempts",
        [
            ({7: "moon-2 arms-5"}, "2200", {"Try row 7: 42%": "roll sun crown arms"}),
            ({7: "sun-4 moon-4 sun-2"}, "4400", {"Try row 7: 31%": "roll crown arms"}),
            ({7: "sun-4 moon-3", 9: "arms-4 moon-5"}, "1401", {"Try rows 7 and 9: 70% for one": "roll sun crown arms"}),
            # The chance of row 4 alone is the same: whoever gets row 8 has a 2 as well.
            (
                {4: "arms-4 moon-2", 8: "moon-4 crown-4 sun-2 crown-3"},
                "1400",
                {"Try rows 4 and 8: 42% for one": "roll sun crown arms"},
            ),
            ({7: "sun-4", 9: "arms-5"}, "4111", {}),
        ],
    )
    def test_mb_4_one_button_keeps_the_dice_for_a_row(
        self, rows: Mapping[int, str], dice: str, attempts: Mapping[str, str]
    ) -> None:
        """MB-3 and MB-4."""
        offered = moves_by_label(draw(at(rows, dice, rolls=1)))
        assert {label: move for label, move in offered.items() if label.startswith("Try")} == attempts
        assert not any(label.startswith("Try") for label in moves_by_label(draw(at(rows, dice))))

    def test_mb_5_with_a_row_that_matches_keeping_all_four_leaves_the_rows(self) -> None:
        """MB-5."""
        screen = press_toggles(at(ROWS, "5111", rolls=1), *[f"keep_{suit}" for suit in Suit])
        assert list(moves_by_label(screen).values()) == ["claim 2"]


class TestRowControls:
    @each_case(
        "dice, bag, labels",
        [
            ("1025", None, ["Row 2: 1 coin", "Row 3: 2 coins"]),
            ("5020", None, ["Row 2: 2 coins", "Row 3: 3 coins"]),
            ("5020", "sun-2 sun-3 sun-4", ["Row 2: 2 coins", "Row 3: 3 coins, the last"]),
            ("5020", "sun-2", ["Row 2: 1 coin, the last", "Row 3: 1 coin, the last"]),
        ],
    )
    def test_mb_6_each_row_shows_its_coins(self, dice: str, bag: str | None, labels: list[str]) -> None:
        """MB-6 and MB-7."""
        assert list(moves_by_label(draw(at(ROWS, dice, bag=bag)))) == labels

    @each_case(
        "dice, rolls, out",
        [("5111", 0, ["row2"]), ("5111", 1, []), ("5020", 0, [])],
    )
    def test_the_clearly_best_row_is_highlighted(self, dice: str, rolls: int, out: list[str]) -> None:
        """MB-5 and MB-6: a row with more tiles and one coin more is gone for the same roll; a small lead is no
        clear one."""
        screen = draw(at(ROWS, dice, rolls=rolls))
        assert [each.key for each in screen.iter_controls() if each.tone is Tone.MAIN] == out

    def test_all_nine_rows_fit(self) -> None:
        screen = draw(at(dict.fromkeys(range(1, 10), "sun-ace"), "0101", rolls=1))
        assert [len(row) for row in screen.controls] == [5, 4, 4, 1]


class TestFailedRollControls:
    def test_mb_8_the_coins_that_cost_least_come_first(self) -> None:
        """MB-8."""
        moves = moves_by_label(draw(at(FAR, "1111", coins="arms-ace arms-2 arms-3 crown-null crown-5 moon-3")))
        assert list(moves.items()) == [
            ("👑0 discarded: free", "discard crown-null"),
            ("👑5 discarded: −5", "discard crown-5"),
            ("🌙3 discarded: −10", "discard moon-3"),
            ("🛡️1 discarded: −30", "discard arms-ace"),
            ("Finish: 75 points", "finish"),
            ("🛡️3 discarded: −30", "discard arms-3"),
            ("🛡️2 discarded: −40", "discard arms-2"),
        ]

    def test_mb_8_each_cost_is_the_loss_of_points(self) -> None:
        """MB-8 and MB-11."""
        state = at(FAR, "1111", coins="moon-null moon-2 moon-ace moon-3 crown-4")
        points = score_of(state).total
        for label, move in moves_by_label(draw(state)).items():
            if move.startswith("discard"):
                left = score_of(play_move(state, move, "1111")[0]).total
                assert label.endswith(f": −{points - left}")

    def test_mb_9_a_tile_may_go_too(self) -> None:
        """MB-9."""
        state = at(ROWS, "1140", coins="crown-2 sun-3")
        assert [control.label for control in draw(state).controls[0]] == ["👑4: remove too", "🛡️0: remove too"]
        screen = press_toggles(state, "tile_arms")
        assert [control.label for control in screen.controls[0]] == ["✓ 🛡️0: remove too"]
        assert sorted(moves_by_label(screen).values()) == [
            "discard crown-2 tile arms-null",
            "discard sun-3 tile arms-null",
            "finish",
        ]
        assert press_toggles(state, "tile_arms", "tile_arms") == draw(state)

    def test_mb_9_no_tile_without_a_coin_to_discard(self) -> None:
        """MB-8 and MB-9: every button is of use."""
        state = at(ROWS, "1140", coins="")
        assert list(moves_by_label(draw(state)).values()) == ["finish"]

    @each_case("dice", ["1111", "1440"])
    def test_mb_8_every_way_to_go_on_can_be_pressed_however_many_coins_there_are(self, dice: str) -> None:
        """MB-8 and MB-9: with 24 coins and up to three tiles."""
        coins = EVERYTHING
        state = at({3: "sun-5 arms-null", **FAR}, dice, coins=coins)
        assert not state.matching
        tiles = [[], *([f"tile_{tile.suit}"] for tile in state.removable)]
        found = set()
        for keys in tiles:
            screen = press_toggles(state, *keys)
            assert list(find_excess(screen)) == []
            assert sum(control.key.startswith("coin_") for row in screen.controls for control in row) == 4
            found |= set(moves_by_label(screen).values())
        assert found == set(map(str, GAME.legal_moves(state)))
