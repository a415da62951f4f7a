"""The text of The Magic Bag's screen."""

from collections.abc import Sequence

from bot.games.magic_bag.guide import SUIT_SYMBOLS
from bot.games.magic_bag.pieces import MagicBagEnd, State
from bot.games.magic_bag.scoring import GROUP_POINTS
from bot.games.magic_bag.sheet import ReferenceSheet
from bot.rules.screen import Screen
from tests.games.magic_bag.positions import GAME, SHEET, at
from tests.games.magic_bag.screen_helpers import FAR, ROWS, draw, draw_after
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.guides import guide_text


def row_lines(screen: Screen) -> list[str]:
    return screen.fields[1].text.replace("\u00a0", " ").splitlines()


class TestScreenText:
    def test_the_dice_are_in_the_order_of_suits(self) -> None:
        assert draw(at(ROWS, "2405", rolls=1)).text.splitlines()[0].split() == ["#", "☀️2", "🌙4", "👑0", "🛡️5"]

    @each_case("rolls, roll", [(2, "roll 1 of 3"), (1, "roll 2 of 3"), (0, "roll 3 of 3")])
    def test_mb_3_the_title_counts_the_rolls(self, rolls: int, roll: str) -> None:
        """MB-3."""
        title = draw(at(ROWS, "1111", rolls=rolls)).title
        assert "Ada" in title
        assert title.endswith(roll)

    def test_rows_keep_their_numbers_and_taken_ones_are_gone(self) -> None:
        screen = draw(at(ROWS, "1111"))
        assert screen.fields[1].title == "3 rows left"
        assert [line.split("`")[1] for line in row_lines(screen)] == ["2", "3", "9"]

    def test_mb_4_rows_that_can_be_taken_are_marked(self) -> None:
        """MB-4."""
        lines = row_lines(draw(at(ROWS, "1250")))
        assert [line.startswith("✅") for line in lines] == [True, True, False]

    @each_case(
        "row, dice, line",
        [
            ("crown-2 crown-null sun-5", "2405", "👑**2** 👑**0**⭐ ☀️**5**"),
            ("crown-2 arms-2 sun-2", "2113", "👑2 🛡️2 ☀️**2**⭐"),  # the only two covers its equal
            ("crown-2 arms-2 sun-2", "1213", "👑**2** 🛡️2 ☀️2"),
            ("sun-ace moon-null", "5432", "☀️1 🌙0"),
        ],
    )
    def test_mb_6_covered_tiles_are_marked(self, row: str, dice: str, line: str) -> None:
        """MB-4 and MB-6: bold for a value, a star for an equal."""
        assert row_lines(draw(at({9: row}, dice)))[0].split(" 👜 ")[0].endswith(f"`9` {line}")

    @each_case(
        "dice, rolls, part",
        [
            ("5111", 1, "Take a row, or keep some dice"),
            ("1111", 1, "tap the dice to keep"),
            ("5111", 0, "last roll. Take a row"),
            ("1111", 0, "No row matches. Discard a coin"),
        ],
    )
    def test_it_names_the_possible_moves(self, dice: str, rolls: int, part: str) -> None:
        assert part in draw(at(ROWS, dice, rolls=rolls)).text
        assert not draw(at(ROWS, dice, rolls=rolls)).summary, "the picture says it"

    def test_drawn_coins_are_named(self) -> None:
        """MB-6."""
        assert "Row 2: one coin, **☀️0**" in draw_after(at(ROWS, "1115"), "claim 2", 0, "1111").text
        text = draw_after(at(ROWS, "5115"), "claim 2", 0, 20 - 1, "1111").text
        assert "Row 2: 2 coins, **☀️0 🛡️5**" in text
        assert "due" not in text

    def test_lapsed_draws_are_counted(self) -> None:
        """MB-7."""
        text = draw_after(at(ROWS, "5110", bag="sun-2"), "claim 2", 0).text
        assert "one more was due, but the bag is empty" in text

    def test_discarded_pieces_are_named(self) -> None:
        """MB-8 and MB-9."""
        state = at(ROWS, "1140")
        assert "Discarded 👑2 · treasure −2" in draw_after(state, "discard crown-2", "1111").text
        text = draw_after(state, "discard crown-2 tile arms-null", "1111").text
        assert "Discarded 👑2 and removed the 🛡️0 tile" in text

    def test_the_news_come_first_with_the_change_of_points(self) -> None:
        """MB-6, MB-8 and MB-11: two coins of two artifacts bring 20."""
        lines = draw_after(at(ROWS, "5115"), "claim 2", 0, 20 - 1, "1111").text.splitlines()
        assert lines[0].endswith("🛡️5** · treasure +20")
        assert lines[1].startswith("# ☀️1")
        assert draw_after(at(ROWS, "1140"), "discard crown-2", "1111").text.splitlines()[0].endswith("treasure −2")
        assert "treasure" not in draw_after(at(ROWS, "1140"), "discard crown-null", "1111").text

    def test_mb_3_re_rolled_dice_are_named(self) -> None:
        """MB-3."""
        assert "Re-rolled: ☀️3 🛡️4" in draw_after(at(ROWS, "1111", rolls=1), "roll sun arms", "34").text
        assert "Re-rolled" not in draw_after(at(ROWS, "1111", rolls=1), "roll sun moon crown arms", "1234").text


class TestTreasure:
    STATE = at(FAR, "1111", coins="arms-ace arms-2 arms-3 arms-5 crown-5 moon-null", bag="sun-5 moon-2")

    def test_the_artifacts_have_groups_and_points(self) -> None:
        """MB-10 and MB-11."""
        field = draw(self.STATE).fields[0]
        assert field.title == "Treasure: 85 · 👜 2 coins left"
        assert field.text.splitlines()[0] == "👑 Gold **5** · 5"
        assert field.text.splitlines()[2] == "Suns 0   Moons 10    Arms 70"

    def test_mb_13_the_sheet_shows_collected_and_drawable_and_discarded_coins(self) -> None:
        """MB-13."""
        assert draw(self.STATE).fields[0].text.splitlines()[3:-1] == [
            " 5  ×    [0] 2  ×     ×",
            " ×  ×     ×  ×       [1]",
            " ×  ×     ×          [2]",
            "                     [3]",
            "                      ×",
            "                     [5]",
        ]

    def test_mb_13_a_gap_in_the_sheet_stays_empty(self) -> None:
        """MB-13."""
        content = SHEET.model_dump() | {"suns": ["0 . 1", "2 3 4", "5 . ."]}
        rows = {key: grid if key == "suns" else _written(grid) for key, grid in content.items()}
        sheet = ReferenceSheet.model_validate(rows)
        state = self.STATE._replace(layout=self.STATE.layout._replace(sheet=sheet))
        columns = [line[:9].rstrip() for line in draw(state).fields[0].text.splitlines()[3:6]]
        assert columns == [" ×     ×", " ×  ×  ×", " 5"]


def _written(grid: Sequence[Sequence[int | None]]) -> list[str]:
    return [" ".join("." if cell is None else str(cell) for cell in row) for row in grid]


class TestEnd:
    def test_mb_10_without_gold_its_line_has_a_dash(self) -> None:
        """MB-10."""
        lines = draw(at(ROWS, "1111", coins="sun-null")._replace(end=MagicBagEnd.FINISHED)).fields[0].text.splitlines()
        assert [line.split()[1:] for line in lines if "Gold" in line] == [["–", "0"]]

    def test_the_score_is_broken_down(self) -> None:
        """MB-10, MB-11 and MB-12."""
        state = at(
            {1: "arms-5", 6: "sun-null crown-5 moon-2"},
            "0005",
            coins="arms-ace arms-2 arms-3 arms-5 crown-5 moon-null",
            bag="crown-4 sun-5",
        )
        screen = draw_after(state, "claim 1", 0, 0)
        assert "# 169 points" in screen.text
        assert "That was the last coin" in screen.text
        assert screen.fields[0].text.splitlines() == [
            "```",
            "Suns        5          10",
            "Moons       0          10",
            "Arms        1-2-3, 5   70",
            "Gold        4, 5        9",
            "Tiles left  10 × 7     70",
            "─────────────────────────",
            "Total                 169",
            "```",
        ]
        assert (screen.controls, screen.accent) == ((), 0)
        assert "169 points" in screen.title

    @each_case(
        "position, move, script, part",
        [
            (at({9: "sun-5"}, "1115"), "claim 9", [0], "Ada cleared the board!"),
            (at({9: "sun-5"}, "1111"), "finish", [], "Ada finished the game."),
            (at({9: "sun-5"}, "1111", rolls=1, coins=""), "stop", [], "no coin left to discard"),
        ],
    )
    def test_the_end_has_a_reason_and_a_bonus_only_if_earned(
        self, position: State, move: str, script: list[int], part: str
    ) -> None:
        """MB-7, MB-8 and MB-12."""
        screen = draw_after(position, move, *script)
        assert part in screen.text
        assert "Tiles left" not in screen.fields[0].text

    def test_one_point_is_one_point(self) -> None:
        assert "# 1 point\n" in draw_after(at(FAR, "1111", coins="crown-ace"), "finish").text


class TestGuide:
    GUIDE_TEXT = guide_text(load_games_once()["magic_bag"])

    def test_mb_11_the_points_of_groups_are_named(self) -> None:
        """MB-11."""
        first, *rest = map(str, GROUP_POINTS[1:])
        assert ", ".join([first, *rest[:-1]]) + f" and {rest[-1]} points" in self.GUIDE_TEXT

    def test_every_suit_is_shown_with_its_sign(self) -> None:
        assert [sign for sign in SUIT_SYMBOLS.values() if sign not in self.GUIDE_TEXT] == []

    def test_null_and_ace_are_explained(self) -> None:
        assert "0 (null)" in self.GUIDE_TEXT
        assert "1 (ace)" in self.GUIDE_TEXT

    def test_the_author_is_credited(self) -> None:
        assert GAME.info.credits == "A piecepack solitaire by Rob LeGood, 2003."
