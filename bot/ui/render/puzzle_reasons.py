"""Says why the best move of a puzzle is the best."""

from collections.abc import Sequence

from bot.rules.evaluation import Unit
from bot.rules.puzzle import Puzzle
from bot.words import format_number, gettext as _

_PERCENT = 100


def explain_answer(puzzle: Puzzle, texts: Sequence[str], choice: int) -> str:
    """Return a sentence that compares the best move with the chosen one, or with the next best.

    Args:
        puzzle: The puzzle.
        texts: The offered moves in words.
        choice: The place of the chosen move.
    """
    best, second = puzzle.ranking[:2]
    other = second if choice == best else choice
    loss = puzzle.values[best] - puzzle.values[other]
    if puzzle.unit is Unit.WINS:
        line = _("*{best}* wins {count} more games of 100 than *{other}*.")
        count = format_number(round(_PERCENT * loss, 1))
    else:
        line = _("*{best}* is worth {count} more than *{other}* on average.")
        count = format_number(round(loss, 1))
    first = texts[best]
    return line.format(best=first[:1].upper() + first[1:], other=texts[other], count=count)
