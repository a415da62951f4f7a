"""The screen of The Magic Bag: dice, rows, news, the treasure and the buttons."""

from collections.abc import Sequence
from itertools import zip_longest

from bot.games.magic_bag.facts import Choice, Cover, choice_of, coins_for, find_covered_tiles, find_covers
from bot.games.magic_bag.minds.evaluation import find_clear_claim
from bot.games.magic_bag.news import news_lines
from bot.games.magic_bag.pieces import (
    FINISH,
    STOP,
    Claim,
    Discard,
    GameEvent,
    MagicBagEnd,
    Piece,
    Roll,
    Row,
    State,
    Suit,
)
from bot.games.magic_bag.scoring import (
    TILE_BONUS,
    ArtifactScore,
    artifact_grids,
    matching_chance,
    score_of,
    treasure_points,
    values_of,
)
from bot.games.magic_bag.words import END_MESSAGES, SUIT_NAMES, SUIT_SYMBOLS, piece_name, piece_text
from bot.rules.screen import (
    Control,
    ControlRow,
    Draft,
    Field,
    Menu,
    News,
    Play,
    Screen,
    Toggle,
    Tone,
    events_of,
    wrap_rows,
)
from bot.words import N_, NO_BREAK_SPACE, format_number, format_odds, gettext as _, join_items, ngettext

_SEAT = 0

_ROWS_WIDTH = 4
"""How many buttons of rows or coins are side by side: two fit into a line on a phone."""

_COIN_BUTTONS = 4
"""How many coins to discard are buttons, the cheapest ones; with more, a phone would not show the picture, too."""

_FIRST_KEEP_TOKEN = 0
_FIRST_TILE_TOKEN = 4
_COLUMN_GAP = "   "
_NONE_TEXT = "–"

_ADVICE = {
    Choice.TAKE_OR_ROLL: N_("Take a row, or keep some dice and roll the rest."),
    Choice.ROLL: N_("Try for a row, or tap the dice to keep and roll the rest."),
    Choice.TAKE: N_("That was your last roll. Take a row."),
    Choice.DISCARD: N_("No row matches. Discard a coin to play on, or finish the game."),
    Choice.FINISH: N_("No row matches. Discard a coin to play on, or finish the game."),
}

_TITLES = {
    Choice.TAKE_OR_ROLL: N_("Take a row, or roll again?"),
    Choice.ROLL: N_("Roll again for a row"),
    Choice.TAKE: N_("Take a row"),
    Choice.DISCARD: N_("No row fits. Give up a coin?"),
    Choice.FINISH: N_("No row fits. Finish the game?"),
}

_TILE_TEXTS = {Cover.NONE: "{sign}{value}", Cover.VALUE: "{sign}**{value}**", Cover.EXACT: "{sign}**{value}**⭐"}


def build_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft) -> Screen:
    """Build the screen."""
    events = events_of(news)
    if view.end is not None:
        return _end_screen(view, events, names[_SEAT])
    latest = news_lines(view, events)
    dice_line = "# " + "\u2002".join(piece_text(Piece(suit, view.faces[suit])) for suit in Suit)
    legend = _("Bold: a die has this value. ⭐: a die matches the suit too, for one more coin. [3]: yours. ×: gone.")
    return Screen(
        title=_(_TITLES[choice_of(view)]),
        text="\n".join((*latest, dice_line, _(_ADVICE[choice_of(view)]))),
        fields=(treasure_field(view), *_rows_fields(view), Field(_("Signs"), legend)),
        controls=build_controls(view, draft),
        menus=build_menus(view, draft),
        accent=_SEAT,
    )


def _end_screen(view: State, events: Sequence[GameEvent], name: str) -> Screen:
    """Return the screen of a finished game."""
    total = score_of(view).total
    points = ngettext("{total} point", "{total} points", total).format(total=format_number(total))
    ending = _(END_MESSAGES[view.end]).format(name=name) if view.end else ""
    return Screen(
        title=_("{name}: {points}").format(name=name, points=points),
        text="\n".join((f"# {points}", *news_lines(view, events), ending)),
        fields=(breakdown_field(view), Field(_("Artifacts"), sheet_map(view)), *_rows_fields(view)),
        accent=_SEAT,
        verdict=ending,
    )


def _rows_fields(view: State) -> tuple[Field, ...]:
    """Return the rows that are left, if there are any."""
    lines = [
        f"{'✅' if at in view.matching else '▫️'} {_row_text(view, at, row)}"
        for at, row in enumerate(view.layout.rows, 1)
        if row
    ]
    title = ngettext("One row left", "{count} rows left", len(lines)).format(count=len(lines))
    return (Field(title, "\n".join(lines)),) if lines else ()


def _row_text(view: State, at: int, row: Row) -> str:
    """Return a row with the tiles that the dice cover, and the coins it brings if it can be taken."""
    tiles = [
        _TILE_TEXTS[cover].format(sign=SUIT_SYMBOLS[tile.suit], value=tile.value)
        for tile, cover in find_covers(view, row).items()
    ]
    brings = f" 👜 +{coins_for(view, at)}" if at in view.matching else ""
    return f"`{at}` {NO_BREAK_SPACE.join(tiles)}{brings}"


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
    """Return a button for each set of dice to keep for rows: it rolls the others, with the odds of getting one."""
    rows: dict[tuple[Suit, ...], list[int]] = {}
    for at, row in enumerate(view.layout.rows, 1):
        kept = find_covered_tiles(row, view.faces).values()
        if kept and at not in view.matching:
            rows.setdefault(tuple(suit for suit in Suit if suit not in kept), []).append(at)
    controls = []
    for rest, found in rows.items():
        faces = tuple(sorted(view.faces[suit] for suit in Suit if suit not in rest))
        odds = format_odds(matching_chance(faces, frozenset(view.layout.needs[row - 1] for row in found)))
        label = ngettext("Try row {rows}: {odds}", "Try rows {rows}: {odds} for one", len(found))
        text = label.format(rows=join_items(list(map(str, found))), odds=odds)
        controls.append(Control(f"try{found[0]}", text, Play(str(Roll(rest)))))
    return controls


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
    return [heading, *["".join(_cell_text(view, artifact.suit, value) for value in row) for row in grid]]


def _cell_text(view: State, suit: Suit, value: int | None) -> str:
    if value is None:
        return "   "
    coin = Piece(suit, value)
    if coin in view.layout.collected:
        return f"[{value}]"
    return f" {value} " if coin in view.layout.bag else " × "


def _gold_text(view: State) -> str:
    return ", ".join(map(str, sorted(values_of(Suit.CROWN, view.layout.collected)))) or _NONE_TEXT


def breakdown_field(view: State) -> Field:
    """Return the parts of the final score."""
    score = score_of(view)
    rows = []
    for artifact in score.artifacts:
        groups = ", ".join("-".join(map(str, group)) for group in artifact.groups) or _NONE_TEXT
        rows.append((_(SUIT_NAMES[artifact.suit]), groups, artifact.points))
    rows.append((_(SUIT_NAMES[Suit.CROWN]), _gold_text(view), score.gold))
    if view.end is MagicBagEnd.LAST_COIN:
        rows.append((_("Tiles left"), f"{TILE_BONUS} × {score.bonus // TILE_BONUS}", score.bonus))
    total = (_("Total"), "", score.total)
    first, second = (max(len(str(row[at])) for row in (*rows, total)) for at in (0, 1))
    third = max(len(format_number(points)) for *_names, points in (*rows, total))
    lines = [
        f"{name:<{first}}  {what:<{second}}  {format_number(points):>{third}}" for name, what, points in (*rows, total)
    ]
    rule = "─" * len(lines[0])
    return Field(_("Treasure"), "```\n" + "\n".join((*lines[:-1], rule, lines[-1])) + "\n```")
