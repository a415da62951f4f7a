"""Says why the best move of a puzzle is the best."""

from collections.abc import Sequence
from typing import Any

from bot.rules.evaluation import Unit
from bot.rules.hints import MOST_MOVES, Explanation, RankedMove
from bot.rules.puzzle import Puzzle
from bot.tables.table import Table
from bot.words import format_number, format_tenths, gettext as _, ngettext, round_chance


def compare_answer(puzzle: Puzzle, texts: Sequence[str], choice: int, *, is_exact: bool) -> str:
    """Return a sentence that compares the best move with the chosen one, or with the next best, as they are shown.

    Args:
        puzzle: The puzzle.
        texts: The offered moves in words.
        choice: The place of the chosen move.
        is_exact: Whether the values are those of perfect play; otherwise they are estimates.
    """
    best, following = puzzle.ranking[:2]
    other = following if choice == best else choice
    if puzzle.unit is Unit.WINS:
        first, second = (round_chance(puzzle.values[each], is_exact=is_exact) for each in (best, other))
        lead = round(first - second, 1)
        line = ngettext(
            "*{best}* wins about {count} more game of 100 than *{other}*.",
            "*{best}* wins about {count} more games of 100 than *{other}*.",
            1 if lead == 1 else 2,
        )
        if is_exact:
            line = ngettext(
                "*{best}* wins {count} more game of 100 than *{other}*.",
                "*{best}* wins {count} more games of 100 than *{other}*.",
                1 if lead == 1 else 2,
            )
        count = format_number(lead)
    else:
        line = _("*{best}* is worth about {count} points more than *{other}* on average.")
        if is_exact:
            line = _("*{best}* is worth {count} points more than *{other}* on average.")
        lead = round(puzzle.values[best] - puzzle.values[other], 1)
        count = format_tenths(lead)
    if lead <= 0:
        line = _("*{best}* is only a little better than *{other}*.")
    return line.format(best=_capitalize(texts[best]), other=texts[other], count=count)


def rank_offered(table: Table, puzzle: Puzzle, texts: Sequence[str]) -> tuple[RankedMove[Any], ...]:
    """Return the best of the offered moves, best first.

    Args:
        table: The table in the position of the puzzle.
        puzzle: The puzzle.
        texts: The offered moves in words.
    """
    parse = table.package.game.parse_move
    best = puzzle.ranking[:MOST_MOVES]
    return tuple(RankedMove(parse(puzzle.offered[at]), texts[at], puzzle.values[at]) for at in best)


def reason_lines(told: Explanation) -> Sequence[str]:
    """Return the odds that matter, and why the best move is the best, as a hint says them."""
    return (*(f"🎲 {_capitalize(line)}" for line in told.odds), f"💡 {told.reason}")


def _capitalize(line: str) -> str:
    return line[:1].upper() + line[1:]
