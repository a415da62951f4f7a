"""The treasure in words: the collected pieces, their groups and points."""

from collections.abc import Sequence
from itertools import zip_longest

from bot.games.magic_bag.guide import SUIT_NAMES, SUIT_SYMBOLS
from bot.games.magic_bag.pieces import MagicBagEnd, Piece, State, Suit
from bot.games.magic_bag.scoring import TILE_BONUS, ArtifactScore, Score, artifact_grids, score_of, values_of
from bot.games.magic_bag.sheet import Grid
from bot.rules.screen import Field
from bot.words import format_number, gettext as _, ngettext

_COLUMN_GAP = "   "
_NONE_TEXT = "–"


def treasure_field(view: State) -> Field:
    """Return the treasure with its points, and the number of coins in the bag."""
    score = score_of(view)
    gold = _("{sign} {suit} **{points}** · {values}").format(
        sign=SUIT_SYMBOLS[Suit.CROWN], suit=_(SUIT_NAMES[Suit.CROWN]), points=score.gold, values=_gold_text(view)
    )
    left = ngettext("one coin", "{count} coins", len(view.layout.bag)).format(count=len(view.layout.bag))
    title = _("Treasure: {points} · 👜 {left} left").format(points=format_number(score.total), left=left)
    return Field(title, f"{gold}\n{sheet_map(view)}")


def sheet_map(view: State) -> str:
    """Return the reference sheet as text: `[3]` is collected, `3` in the bag, `×` discarded."""
    columns = [_column_lines(view, artifact) for artifact in score_of(view).artifacts]
    widths = [max(map(len, column)) for column in columns]
    lines = (
        _COLUMN_GAP.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
        for cells in zip_longest(*columns, fillvalue="")
    )
    return "```\n" + "\n".join(lines) + "\n```"


def _column_lines(view: State, artifact: ArtifactScore) -> list[str]:
    """Return an artifact below its name and points."""
    grid = dict(artifact_grids(view.layout.sheet))[artifact.suit]
    heading = _("{suit} {points}").format(suit=_(SUIT_NAMES[artifact.suit]), points=artifact.points)
    return [heading, *_row_texts(view, artifact.suit, grid)]


def _row_texts(view: State, suit: Suit, grid: Grid) -> list[str]:
    return ["".join(_cell_text(view, suit, value) for value in row) for row in grid]


def _cell_text(view: State, suit: Suit, value: int | None) -> str:
    if value is None:
        return "   "
    coin = Piece(suit, value)
    if coin in view.layout.collected:
        return f"[{value}]"
    return f" {value} " if coin in view.layout.bag else " × "


def _groups_text(artifact: ArtifactScore) -> str:
    """Return the groups, with hyphens between their pieces."""
    return ", ".join("-".join(map(str, group)) for group in artifact.groups) or _NONE_TEXT


def _gold_text(view: State) -> str:
    return ", ".join(map(str, sorted(values_of(Suit.CROWN, view.layout.collected)))) or _NONE_TEXT


def breakdown_field(view: State) -> Field:
    """Return the parts of the final score."""
    score = score_of(view)
    rows = [(_(SUIT_NAMES[artifact.suit]), _groups_text(artifact), artifact.points) for artifact in score.artifacts]
    rows.append((_(SUIT_NAMES[Suit.CROWN]), _gold_text(view), score.gold))
    if view.end is MagicBagEnd.LAST_COIN:
        rows.append((_("Tiles left"), f"{TILE_BONUS} × {score.bonus // TILE_BONUS}", score.bonus))
    return Field(_("Treasure"), _table_text(rows, score))


def _table_text(rows: Sequence[tuple[str, str, int]], score: Score) -> str:
    total = (_("Total"), "", score.total)
    first, second = (max(len(str(row[at])) for row in (*rows, total)) for at in (0, 1))
    third = max(len(format_number(points)) for *_names, points in (*rows, total))
    lines = [
        f"{name:<{first}}  {what:<{second}}  {format_number(points):>{third}}" for name, what, points in (*rows, total)
    ]
    rule = "─" * len(lines[0])
    return "```\n" + "\n".join((*lines[:-1], rule, lines[-1])) + "\n```"
