"""The Magic Bag's table in plain words, and the description of its picture."""

from collections.abc import Iterable, Iterator, Sequence

from bot.games.magic_bag.facts import Choice, Cover, choice_of, coins_for, find_covers
from bot.games.magic_bag.pieces import EXTRA_ROLLS, Grid, MagicBagEnd, Piece, State, Suit
from bot.games.magic_bag.scoring import (
    ArtifactScore,
    Score,
    artifact_grids,
    score_of,
    values_of,
)
from bot.games.magic_bag.words import END_MESSAGES, SUIT_NAMES, piece_name
from bot.words import N_, format_points, gettext as _, join_groups, join_items, list_facts, ngettext, pgettext

_SEAT = 0

_CHOICES = {
    Choice.TAKE: N_("That was the last roll, so they must take a row. {rows}"),
    Choice.DISCARD: N_("No row fits. They give up a coin to play on, or finish with {points}."),
    Choice.FINISH: N_("No row fits, so they can only finish with {points}."),
}

_COVERED = {
    Cover.EXACT: N_("{row} Matched in suit and value: {tiles}."),
    Cover.VALUE: N_("{row} Matched in value: {tiles}."),
}


def build_reading(view: State, names: Sequence[str]) -> str:
    """Describe the turn, the dice, the rows, the treasure and the bag."""
    name = names[_SEAT]
    first = _end_text(view, name) if view.end is not None else f"{_turn_text(view, name)} {_dice_text(view)}"
    return "\n\n".join((first, *_row_texts(view), *_treasure_texts(view), _bag_text(view)))


def describe_picture(view: State) -> str:
    """Describe the picture, which has no names."""
    total = format_points(score_of(view).total)
    left = _coins_text(len(view.layout.bag))
    if view.end is not None:
        return _("The game is over, with {points}.").format(points=total)
    can = _takable_rows_text(view) if view.matching else _("No row can be taken.")
    text = _("{dice} {rows} The treasure is worth {points}; the bag holds {coins}.")
    return text.format(dice=_dice_text(view), rows=can, points=total, coins=left)


def _coins_text(count: int) -> str:
    return ngettext("{count} coin", "{count} coins", count).format(count=count)


def _values_text(values: Iterable[int]) -> str:
    return join_items([str(value) for value in sorted(values)])


def _end_text(view: State, name: str) -> str:
    """Describe the end of the game and its reason. Rules MB-7 and MB-8."""
    reason = _(END_MESSAGES[view.end]) if view.end else ""
    line = _("The game is over: {name} has {points}. {reason}")
    return line.format(name=name, points=format_points(score_of(view).total), reason=reason)


def _turn_text(view: State, name: str) -> str:
    """Describe the roll and the possible moves. Rules MB-3 to MB-9."""
    line = _("It's {name}'s turn, roll {number} of 3.").format(name=name, number=EXTRA_ROLLS + 1 - view.rolls_left)
    return f"{line} {_choices_text(view)}"


def _choices_text(view: State) -> str:
    """Describe the possible moves. Rules MB-3 to MB-9."""
    match choice_of(view):
        case Choice.TAKE_OR_ROLL:
            line = ngettext(
                "They can re-roll any dice once more, or take a row.",
                "They can re-roll any dice up to {count} more times, or take a row.",
                view.rolls_left,
            )
            return f"{line.format(count=view.rolls_left)} {_takable_rows_text(view)}"
        case Choice.ROLL:
            line = ngettext(
                "They can re-roll any dice once more, or keep all four. No row can be taken yet.",
                "They can re-roll any dice up to {count} more times, or keep all four. No row can be taken yet.",
                view.rolls_left,
            )
            return line.format(count=view.rolls_left)
        case choice:
            rows = _takable_rows_text(view) if view.matching else ""
            text = _(_CHOICES[choice]).format(rows=rows, points=format_points(score_of(view).total))
    if choice_of(view) is not Choice.DISCARD or not view.removable:
        return text
    line = _("{line} After the coin they may also take one of these tiles away: {tiles}.")
    return line.format(line=text, tiles=join_items(list(map(piece_name, view.removable))))


def _takable_rows_text(view: State) -> str:
    """List the rows that the dice match, with the coins they bring. Rules MB-4 and MB-6."""
    rows = [_("row {row} ({coins})").format(row=row, coins=_coins_text(coins_for(view, row))) for row in view.matching]
    return ngettext("This row fits: {rows}.", "These rows fit: {rows}.", len(rows)).format(rows=join_items(rows))


def _dice_text(view: State) -> str:
    shown = [piece_name(Piece(suit, view.faces[suit])) for suit in Suit]
    return _("The dice show {dice}.").format(dice=join_items(shown))


def _row_texts(view: State) -> Iterator[str]:
    """Yield a paragraph with the rows that are left and the tiles that the dice match."""
    rows = {at: row for at, row in enumerate(view.layout.rows, 1) if row}
    if not rows:
        return
    lines = [_row_text(view, at) for at in rows]
    title = ngettext("One row is left:", "{count} rows are left:", len(rows)).format(count=len(rows))
    yield "\n".join((title, *lines))


def _row_text(view: State, at: int) -> str:
    row = view.layout.rows[at - 1]
    text = _("Row {row}: {tiles}.").format(row=at, tiles=list_facts(map(piece_name, row)))
    covers = find_covers(view, row)
    for cover, line in _COVERED.items():
        if tiles := [piece_name(tile) for tile in row if covers[tile] is cover]:
            text = _(line).format(row=text, tiles=join_items(tiles))
    return text


def _treasure_texts(view: State) -> Iterator[str]:
    """Yield a paragraph with the points of each part of the treasure. Rules MB-10 to MB-12."""
    score = score_of(view)
    grids = dict(artifact_grids(view.layout.sheet))
    lines = [_("The treasure is worth {points}.").format(points=format_points(score.total)), _gold_text(view, score)]
    lines += [_artifact_text(artifact, grids[artifact.suit]) for artifact in score.artifacts]
    if view.end is MagicBagEnd.LAST_COIN:
        lines.append(_("The tiles left score {points}.").format(points=format_points(score.bonus)))
    yield "\n".join(lines)


def _gold_text(view: State, score: Score) -> str:
    values = values_of(Suit.CROWN, view.layout.collected)
    if not values:
        return _("Gold: no coins.")
    return _("Gold: {points}, from the coins {values}.").format(
        points=format_points(score.gold), values=_values_text(values)
    )


def _artifact_text(artifact: ArtifactScore, grid: Grid) -> str:
    """Describe the collected groups of an artifact, and its layout. Rule MB-11."""
    groups = [_values_text(group) for group in artifact.groups]
    line = _("{suit}: {points}. Groups collected: {groups}. Sheet, top to bottom: {grid}.")
    return line.format(
        suit=_(SUIT_NAMES[artifact.suit]),
        points=format_points(artifact.points),
        grid=_grid_text(grid),
        groups=join_groups(groups) or pgettext("groups of pieces", "none"),
    )


def _grid_text(grid: Grid) -> str:
    """Return the rows of an artifact's layout, from top to bottom. Rule MB-13."""
    gap = _("a gap")
    return join_groups(join_items([gap if value is None else str(value) for value in row]) for row in grid)


def _bag_text(view: State) -> str:
    """List the coins in the bag and the discarded ones."""
    bag, discarded = view.layout.bag, view.layout.discarded
    text = _("The bag is empty.")
    if bag:
        text = _("{coins} in the bag: {by_suit}.").format(coins=_coins_text(len(bag)), by_suit=_by_suit_text(bag))
    if not discarded:
        return text
    return _("{text} Out of the game: {by_suit}.").format(text=text, by_suit=_by_suit_text(discarded))


def _by_suit_text(coins: Iterable[Piece]) -> str:
    coins = tuple(coins)
    found = {suit: values_of(suit, coins) for suit in Suit}
    return join_groups(_(SUIT_NAMES[suit]) + " " + _values_text(values) for suit, values in found.items() if values)
