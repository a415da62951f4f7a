"""The controls of a table of The Magic Bag.

A draft's tokens are suits: from 0 the dice to keep, from 4 the tile to remove.
Rolls name the dice they keep, or the row for which they keep what matches.
"""

from collections.abc import Sequence

from bot.games.magic_bag.advice import find_clear_claim
from bot.games.magic_bag.guide import SUIT_SYMBOLS, piece_name, piece_text
from bot.games.magic_bag.moves import FINISH, STOP, Claim, Discard, Roll
from bot.games.magic_bag.pieces import Piece, State, Suit
from bot.games.magic_bag.scoring import coins_for, find_covered_tiles, matching_chance, score_of, treasure_points
from bot.rules.paging import wrap_rows
from bot.rules.screen import Control, ControlRow, Draft, Menu, Play, Toggle, Tone
from bot.words import format_number, format_odds, gettext as _, join_items, ngettext

_ROWS_WIDTH = 4
"""How many buttons of rows or coins are side by side: two fit into a line on a phone."""

_COIN_BUTTONS = 4
"""How many coins to discard are buttons, the cheapest ones; with more, a phone would not show the picture, too."""

_FIRST_KEEP_TOKEN = 0
_FIRST_TILE_TOKEN = 4


def build_controls(view: State, draft: Draft) -> tuple[ControlRow, ...]:
    """Return the controls: dice and rolls, then rows to take or try for; after a failed roll, coins to discard."""
    if view.has_failed:
        return _failed_roll_rows(view, draft)
    best = find_clear_claim(view)
    claims = [_claim_control(view, row, Tone.MAIN if best == Claim(row) else Tone.QUIET) for row in view.matching]
    if not view.rolls_left:
        return wrap_rows(claims)
    rows = wrap_rows([*claims, *_attempt_controls(view)], _ROWS_WIDTH)
    return (_dice_row(view, _picked_suits(draft, _FIRST_KEEP_TOKEN)), *rows)


def build_menus(view: State, draft: Draft) -> tuple[Menu, ...]:
    """Return the menu of the coins for which there is no button after a failed roll, if there are any."""
    coins = _coin_controls(view, draft)[_COIN_BUTTONS:] if view.has_failed else ()
    return (Menu("coins", _("🗑️ Discard another coin …"), tuple(coins)),) if coins else ()


def _picked_suits(draft: Draft, first: int) -> tuple[Suit, ...]:
    return tuple(suit for suit in Suit if first + suit in draft)


def _dice_row(view: State, kept: tuple[Suit, ...]) -> ControlRow:
    dice = tuple(_die_control(view, suit, is_kept=suit in kept) for suit in Suit)
    rest = tuple(suit for suit in Suit if suit not in kept)
    if not rest:
        stop = Control("stop", _("Keep all four and stop"), Play(str(STOP)), Tone.CHOSEN)
        return dice if view.matching else (*dice, stop)
    if not kept:
        return (*dice, Control("all", _("Roll all four"), Play(str(Roll(rest)))))
    names = ", ".join(piece_name(Piece(suit, view.faces[suit])) for suit in kept)
    label = _("{symbol} Keep {dice}, roll {count}").format(symbol=SUIT_SYMBOLS[kept[0]], dice=names, count=len(rest))
    return (*dice, Control("others", label, Play(str(Roll(rest))), Tone.CHOSEN))


def _die_control(view: State, suit: Suit, *, is_kept: bool) -> Control:
    die = f"{SUIT_SYMBOLS[suit]} {view.faces[suit]}"
    label = f"✓ {die}" if is_kept else die
    return Control(f"keep_{suit}", label, Toggle(_FIRST_KEEP_TOKEN + suit), Tone.CHOSEN if is_kept else Tone.QUIET)


def _claim_control(view: State, at: int, tone: Tone) -> Control:
    """Return the button that takes a row, with the coins that it draws."""
    count = coins_for(view, at)
    coins = ngettext("{count} coin", "{count} coins", count).format(count=count)
    label = _("Row {row}: {coins}") if count < len(view.layout.bag) else _("Row {row}: {coins}, the last")
    return Control(f"row{at}", label.format(row=at, coins=coins), Play(str(Claim(at))), tone)


def _attempt_controls(view: State) -> list[Control]:
    """Return a button for each set of dice to keep for a row, which rolls the others."""
    rows: dict[tuple[Suit, ...], list[int]] = {}
    for at, row in enumerate(view.layout.rows, 1):
        kept = find_covered_tiles(row, view.faces).values()
        if kept and at not in view.matching:
            rows.setdefault(tuple(suit for suit in Suit if suit not in kept), []).append(at)
    return [_attempt_control(view, rest, found) for rest, found in rows.items()]


def _attempt_control(view: State, rest: tuple[Suit, ...], rows: Sequence[int]) -> Control:
    """Return the button that keeps what some rows need and rolls the other dice, with the odds of getting one."""
    kept = tuple(sorted(view.faces[suit] for suit in Suit if suit not in rest))
    odds = format_odds(matching_chance(kept, frozenset(view.layout.needs[row - 1] for row in rows)))
    label = ngettext("Try row {rows}: {odds}", "Try rows {rows}: {odds} for one", len(rows))
    text = label.format(rows=join_items([str(row) for row in rows]), odds=odds)
    return Control(f"try{rows[0]}", text, Play(str(Roll(rest))))


def _failed_roll_rows(view: State, draft: Draft) -> tuple[ControlRow, ...]:
    """Return the controls after a failed roll: coins to discard, a tile to remove, and Finish. Rules MB-8 and MB-9."""
    tiles = _tile_row(view, draft)
    points = score_of(view).total
    label = ngettext("Finish: {points} point", "Finish: {points} points", points)
    finish = Control("finish", label.format(points=format_number(points)), Play(str(FINISH)))
    coins = wrap_rows(_coin_controls(view, draft)[:_COIN_BUTTONS], _ROWS_WIDTH)
    return (*((tiles,) if tiles else ()), *coins, (finish,))


def _chosen_tile(view: State, draft: Draft) -> Piece | None:
    suits = _picked_suits(draft, _FIRST_TILE_TOKEN)
    return next((tile for tile in view.removable if tile.suit in suits), None)


def _tile_row(view: State, draft: Draft) -> ControlRow:
    """Return the removable tiles; once one is picked, only that one, to unpick it."""
    chosen = _chosen_tile(view, draft)
    if not view.layout.collected:
        return ()
    if chosen is not None:
        label = _("✓ {tile}: remove too").format(tile=piece_text(chosen))
        return (Control(f"tile_{chosen.suit}", label, Toggle(_FIRST_TILE_TOKEN + chosen.suit), Tone.CHOSEN),)
    label = _("{tile}: remove too")
    return tuple(
        Control(f"tile_{tile.suit}", label.format(tile=piece_text(tile)), Toggle(_FIRST_TILE_TOKEN + tile.suit))
        for tile in view.removable
    )


def _coin_controls(view: State, draft: Draft) -> list[Control]:
    """Return the coins to discard, cheapest first."""
    tile = _chosen_tile(view, draft)
    costs = sorted((_coin_cost(view, coin), coin) for coin in view.layout.collected)
    return [_coin_control(cost, coin, tile) for cost, coin in costs]


def _coin_cost(view: State, coin: Piece) -> int:
    """Return the points lost by discarding a coin."""
    others = [other for other in view.layout.collected if other != coin]
    return treasure_points(view.layout.sheet, view.layout.collected) - treasure_points(view.layout.sheet, others)


def _coin_control(cost: int, coin: Piece, tile: Piece | None) -> Control:
    loss = _("−{cost}").format(cost=cost) if cost else _("free")
    label = _("{coin} discarded: {loss}").format(coin=piece_text(coin), loss=loss)
    return Control(f"coin_{coin.suit}_{coin.value}", label, Play(str(Discard(coin, tile))))
