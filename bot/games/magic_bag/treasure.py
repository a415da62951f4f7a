"""The treasure in words: what was collected, how the pieces join, and what it is worth."""

from collections.abc import Sequence
from itertools import zip_longest

from bot.games.magic_bag.guide import SIGNS, SUITS
from bot.games.magic_bag.pieces import MagicBagEnd, Piece, State, Suit
from bot.games.magic_bag.scoring import TILE_BONUS, ArtifactScore, Score, grids, score_of, values_of
from bot.rules.screen import Field
from bot.words import gettext as _, ngettext, number

_COLUMN_GAP = "   "
_NOTHING = "–"


def treasure_field(view: State) -> Field:
    """Show what was collected and what it is worth so far, and how many coins are left in the bag."""
    score = score_of(view)
    gold = _("{sign} {suit} **{points}** · {values}").format(
        sign=SIGNS[Suit.CROWN], suit=_(SUITS[Suit.CROWN]), points=score.gold, values=_gold(view)
    )
    left = ngettext("one coin", "{count} coins", len(view.layout.bag)).format(count=len(view.layout.bag))
    title = _("Treasure: {points} · 👜 {left} left").format(points=number(score.total), left=left)
    return Field(title, f"{gold}\n{sheet_map(view)}", _points(score))


def _points(score: Score) -> str:
    """Write what each suit is worth in one line."""
    worth = {artifact.suit: artifact.points for artifact in score.artifacts} | {Suit.CROWN: score.gold}
    return " · ".join(f"{SIGNS[suit]} **{worth[suit]}**" for suit in Suit)


def sheet_map(view: State) -> str:
    """Draw the reference sheet: `[3]` is collected, `3` can still come, `×` is gone."""
    columns = [_column(view, artifact) for artifact in score_of(view).artifacts]
    widths = [max(map(len, column)) for column in columns]
    lines = (
        _COLUMN_GAP.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
        for cells in zip_longest(*columns, fillvalue="")
    )
    return "```\n" + "\n".join(lines) + "\n```"


def _column(view: State, artifact: ArtifactScore) -> list[str]:
    """Draw one artifact under its name and its points."""
    grid = dict(grids(view.layout.sheet))[artifact.suit]
    rows = ("".join(_cell(view, artifact.suit, value) for value in row) for row in grid)
    heading = _("{suit} {points}").format(suit=_(SUITS[artifact.suit]), points=artifact.points)
    return [heading, *rows]


def _cell(view: State, suit: Suit, value: int | None) -> str:
    if value is None:
        return "   "
    coin = Piece(suit, value)
    if coin in view.layout.collected:
        return f"[{value}]"
    return f" {value} " if coin in view.layout.bag else " × "


def _grouped(artifact: ArtifactScore) -> str:
    """Write the groups: pieces that join with a hyphen between them."""
    return ", ".join("-".join(map(str, group)) for group in artifact.groups) or _NOTHING


def _gold(view: State) -> str:
    return ", ".join(map(str, sorted(values_of(Suit.CROWN, view.layout.collected)))) or _NOTHING


def breakdown(view: State) -> Field:
    """Set out the final score, a line for each part of it."""
    score = score_of(view)
    rows = [(_(SUITS[artifact.suit]), _grouped(artifact), artifact.points) for artifact in score.artifacts]
    rows.append((_(SUITS[Suit.CROWN]), _gold(view), score.gold))
    if view.end is MagicBagEnd.LAST_COIN:
        rows.append((_("Tiles left"), f"{TILE_BONUS} × {score.bonus // TILE_BONUS}", score.bonus))
    return Field(_("Treasure"), _table(rows, score))


def _table(rows: Sequence[tuple[str, str, int]], score: Score) -> str:
    total = (_("Total"), "", score.total)
    first, second = (max(len(str(row[at])) for row in (*rows, total)) for at in (0, 1))
    third = max(len(number(points)) for *_names, points in (*rows, total))
    lines = [f"{name:<{first}}  {what:<{second}}  {number(points):>{third}}" for name, what, points in (*rows, total)]
    rule = "─" * len(lines[0])
    return "```\n" + "\n".join((*lines[:-1], rule, lines[-1])) + "\n```"
