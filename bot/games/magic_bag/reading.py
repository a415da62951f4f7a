"""The Magic Bag told: the whole table in plain words, and what its picture shows in a few."""

from collections.abc import Iterable, Iterator, Sequence

from bot.games.magic_bag.guide import ENDINGS, SUITS
from bot.games.magic_bag.pieces import EXTRA_ROLLS, MagicBagEnd, Piece, State, Suit
from bot.games.magic_bag.scoring import (
    ArtifactScore,
    Score,
    coins_for,
    covering,
    exact_tiles,
    grids,
    score_of,
    values_of,
)
from bot.games.magic_bag.sheet import Grid
from bot.words import N_, gettext as _, listed, ngettext, points_told

_SEAT = 0

_NAMES = {Suit.SUN: N_("sun"), Suit.MOON: N_("moon"), Suit.CROWN: N_("crown"), Suit.ARMS: N_("arms")}


def read_out(view: State, names: Sequence[str]) -> str:
    """Tell whose turn it is, what they can do, the dice, the rows, the treasure, and what is left in the bag."""
    name = names[_SEAT]
    first = _over(view, name) if view.end is not None else f"{_turn(view, name)} {_dice(view)}"
    return "\n\n".join((first, *_rows(view), *_treasure(view), _bag(view)))


def described(view: State) -> str:
    """Tell what the picture shows, which knows no names."""
    total = points_told(score_of(view).total)
    left = _coins(len(view.layout.bag))
    if view.end is not None:
        return _("The game is over, with {points}.").format(points=total)
    can = _can_be_taken(view) if view.matching else _("No row can be taken.")
    told = _("{dice} {rows} The treasure is worth {points}; the bag holds {coins}.")
    return told.format(dice=_dice(view), rows=can, points=total, coins=left)


def _coins(count: int) -> str:
    return ngettext("{count} coin", "{count} coins", count).format(count=count)


def _piece(piece: Piece) -> str:
    return _("{suit} {value}").format(suit=_(_NAMES[piece.suit]), value=piece.value)


def _values(values: Iterable[int]) -> str:
    return listed([str(value) for value in sorted(values)])


def _over(view: State, name: str) -> str:
    """Tell that the game is over, what it was worth, and why. Rules MB-7 and MB-8."""
    reason = _(ENDINGS[view.end]).format(name=name) if view.end else ""
    line = _("The game is over: {name} has {points}. {reason}")
    return line.format(name=name, points=points_told(score_of(view).total), reason=reason)


def _turn(view: State, name: str) -> str:
    """Tell which roll it is and what can be done. Rules MB-3 to MB-9."""
    rolls = EXTRA_ROLLS + 1
    line = _("It is {name}'s turn, roll {at} of {rolls}. {can}")
    return line.format(name=name, at=rolls - view.rolls_left, rolls=rolls, can=_choices(view))


def _choices(view: State) -> str:
    if view.has_failed:
        return _failed(view)
    if not view.rolls_left:
        return _("That was the last roll: they take a row. {rows}").format(rows=_can_be_taken(view))
    again = ngettext(
        "They can roll any of the dice again, once more",
        "They can roll any of the dice again, up to {count} more times",
        view.rolls_left,
    ).format(count=view.rolls_left)
    if not view.matching:
        return _("{again}, or keep all four. No row can be taken yet.").format(again=again)
    return _("{again}, or take a row. {rows}").format(again=again, rows=_can_be_taken(view))


def _failed(view: State) -> str:
    """Tell what a failed roll leaves. Rules MB-8 and MB-9."""
    points = points_told(score_of(view).total)
    if not view.layout.collected:
        return _("No row matches: they can only finish with {points}.").format(points=points)
    line = _("No row matches: they discard a coin to play on, or finish with {points}.").format(points=points)
    if not view.removable:
        return line
    told = _("{line} With the coin one of these tiles may go: {tiles}.")
    return told.format(line=line, tiles=listed(list(map(_piece, view.removable))))


def _can_be_taken(view: State) -> str:
    """Name the rows that the dice match, with the coins they bring. Rules MB-4 and MB-6."""
    rows = [_("row {row} for {coins}").format(row=row, coins=_coins(coins_for(view, row))) for row in view.matching]
    return _("The dice match {rows}.").format(rows=listed(rows))


def _dice(view: State) -> str:
    shown = [_piece(Piece(suit, view.faces[suit])) for suit in Suit]
    return _("The dice show {dice}.").format(dice=listed(shown))


def _rows(view: State) -> Iterator[str]:
    """Tell the rows that are left, each with what the dice cover of it."""
    rows = {at: row for at, row in enumerate(view.layout.rows, 1) if row}
    if not rows:
        return
    lines = [_row(view, at) for at in rows]
    title = ngettext("One row is left:", "{count} rows are left:", len(rows)).format(count=len(rows))
    yield "\n".join((title, *lines))


def _row(view: State, at: int) -> str:
    row = view.layout.rows[at - 1]
    told = _("Row {row}: {tiles}.").format(row=at, tiles=", ".join(map(_piece, row)))
    if view.end is not None:
        return told
    exact = exact_tiles(row, view.faces)
    covered = [tile for tile in covering(row, view.faces) if tile not in exact]
    if exact:
        told = _("{row} A die equals {tiles}.").format(row=told, tiles=listed(list(map(_piece, exact))))
    if covered:
        told = _("{row} A die has the value of {tiles}.").format(row=told, tiles=listed(list(map(_piece, covered))))
    return told


def _treasure(view: State) -> Iterator[str]:
    """Tell what each part of the treasure is worth. Rules MB-10 to MB-12."""
    score = score_of(view)
    lying = dict(grids(view.layout.sheet))
    lines = [_("The treasure is worth {points}.").format(points=points_told(score.total)), _gold(view, score)]
    lines += [_artifact(artifact, lying[artifact.suit]) for artifact in score.artifacts]
    if view.end is MagicBagEnd.LAST_COIN:
        lines.append(_("The tiles left bring {points}.").format(points=points_told(score.bonus)))
    yield "\n".join(lines)


def _gold(view: State, score: Score) -> str:
    values = values_of(Suit.CROWN, view.layout.collected)
    if not values:
        return _("Gold: no coins.")
    return _("Gold: {points}, from the coins {values}.").format(points=points_told(score.gold), values=_values(values))


def _artifact(artifact: ArtifactScore, grid: Grid) -> str:
    """Tell the groups of an artifact that are collected, and how its pieces lie. Rule MB-11."""
    groups = [_values(group) for group in artifact.groups]
    line = _("{suit}: {points}. Groups collected: {groups}. On the sheet they lie, from the top: {grid}.")
    return line.format(
        suit=_(SUITS[artifact.suit]),
        points=points_told(artifact.points),
        grid=_lying(grid),
        groups="; ".join(groups) or _("nothing"),
    )


def _lying(grid: Grid) -> str:
    """Write the rows of an artifact: pieces join those beside, above and below them. Rule MB-13."""
    gap = _("a gap")
    return "; ".join(listed([gap if value is None else str(value) for value in row]) for row in grid)


def _bag(view: State) -> str:
    """Tell which coins can still come, and which are gone."""
    bag, discarded = view.layout.bag, view.layout.discarded
    told = _("The bag is empty.")
    if bag:
        told = _("{coins} in the bag: {by_suit}.").format(coins=_coins(len(bag)), by_suit=_by_suit(bag))
    if not discarded:
        return told
    return _("{told} Out of the game: {by_suit}.").format(told=told, by_suit=_by_suit(discarded))


def _by_suit(coins: Iterable[Piece]) -> str:
    coins = tuple(coins)
    found = {suit: values_of(suit, coins) for suit in Suit}
    return "; ".join(f"{_(SUITS[suit])} {_values(values)}" for suit, values in found.items() if values)
