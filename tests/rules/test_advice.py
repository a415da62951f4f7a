"""Which move is recommended."""

from bot.rules.screen import Control, Play, Tone, find_clear_best, highlight_best
from tests.support.each_case import each_case


@each_case(
    "worths, best",
    [
        ([], None),
        ([(3.0, "only")], "only"),
        ([(3.0, "good"), (9.0, "best"), (8.5, "second")], "best"),
        ([(9.0, "best"), (8.6, "close")], None),
        ([(9.0, "one"), (9.0, "other")], None),
    ],
)
def test_the_best_move_is_clear_from_the_least_lead_on(worths: list[tuple[float, str]], best: str | None) -> None:
    assert find_clear_best(worths, 0.5) == best


def test_only_the_best_move_is_highlighted() -> None:
    row = [Control(key, key, Play(key), Tone.QUIET) for key in ("good", "best")]
    assert [each.tone for each in highlight_best(row, "best")] == [Tone.QUIET, Tone.MAIN]
    assert highlight_best(row, None) == tuple(row)
