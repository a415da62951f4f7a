"""The text of The Magic Bag's screen."""

from collections.abc import Sequence

from bot.games.magic_bag.pieces import ReferenceSheet, State
from tests.games.magic_bag.positions import SHEET, at
from tests.games.magic_bag.screen_helpers import FAR, ROWS, draw, draw_after
from tests.support.each_case import each_case


class TestScreenText:
    def test_lapsed_draws_are_counted(self) -> None:
        """MB-7."""
        text = draw_after(at(ROWS, "5110", bag="sun-2"), "claim 2", 0).text
        assert "one more was due, but the bag is empty" in text


class TestTreasure:
    STATE = at(FAR, "1111", coins="arms-ace arms-2 arms-3 arms-5 crown-5 moon-null", bag="sun-5 moon-2")

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
