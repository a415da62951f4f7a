"""The screen of The Magic Bag: the dice, the rows and the treasure."""

from collections.abc import Sequence

from bot.games.magic_bag.controls import build_controls
from bot.games.magic_bag.events import CoinDiscarded, Rolled, RowTaken
from bot.games.magic_bag.guide import END_MESSAGES, SUIT_SYMBOLS, piece_text
from bot.games.magic_bag.pieces import EXTRA_ROLLS, Faces, Piece, Row, State, Suit
from bot.games.magic_bag.scoring import coins_for, find_covered_tiles, find_exact_tiles, gain_of, score_of
from bot.games.magic_bag.treasure import breakdown_field, brief_sheet, sheet_map, treasure_field
from bot.rules.game import Event
from bot.rules.screen import Draft, Field, News, Screen, events_of
from bot.words import NO_BREAK_SPACE, format_number, gettext as _, ngettext

_SEAT = 0


def build_screen(view: State, news: Sequence[News], names: Sequence[str], draft: Draft) -> Screen:
    """Build the screen."""
    events = events_of(news)
    if view.end is not None:
        return _end_screen(view, events, names[_SEAT])
    rolls = EXTRA_ROLLS + 1
    title = _("The Magic Bag · {name} · roll {at} of {rolls}")
    return Screen(
        title=title.format(name=names[_SEAT], at=rolls - view.rolls_left, rolls=rolls),
        text="\n".join((*_news_lines(view, events), _dice_line(view.faces), _advice_text(view))),
        fields=(treasure_field(view), *_rows_fields(view), _legend_field()),
        controls=build_controls(view, draft),
        accent=_SEAT,
    )


def _end_screen(view: State, news: Sequence[Event], name: str) -> Screen:
    """Return the screen of a finished game."""
    total = score_of(view).total
    points = ngettext("{total} point", "{total} points", total).format(total=format_number(total))
    ending = _(END_MESSAGES[view.end]).format(name=name) if view.end else ""
    return Screen(
        title=_("The Magic Bag · {name} · game over").format(name=name),
        text="\n".join((f"# {points}", *_news_lines(view, news), ending)),
        fields=(breakdown_field(view), Field(_("Artifacts"), sheet_map(view), brief_sheet(view)), *_rows_fields(view)),
        accent=_SEAT,
    )


def _dice_line(faces: Faces) -> str:
    """Return the dice as a heading, which Discord shows large."""
    return "# " + "\u2002".join(piece_text(Piece(suit, faces[suit])) for suit in Suit)


def _pieces_text(pieces: Sequence[Piece]) -> str:
    return " ".join(map(piece_text, pieces))


def _news_lines(view: State, news: Sequence[Event]) -> list[str]:
    lines, gain = [line for event in news if (line := _event_line(event))], gain_of(view, news)
    if gain:
        plus = _("treasure +{points}") if gain > 0 else _("treasure −{points}")
        lines[0] += " · " + plus.format(points=format_number(abs(gain)))
    return lines


def _event_line(event: Event) -> str:
    match event:
        case RowTaken():
            return _taken_line(event)
        case CoinDiscarded():
            return _discarded_line(event)
        case Rolled() if len(event.suits) < len(Suit):
            rolled = [Piece(suit, event.faces[suit]) for suit in event.suits]
            return _("🎲 Re-rolled: {dice}").format(dice=_pieces_text(rolled))
        case _:
            return ""


def _taken_line(event: RowTaken) -> str:
    line = ngettext("👜 Row {row}: one coin, {coins}", "👜 Row {row}: {count} coins, {coins}", len(event.coins))
    text = line.format(row=event.row, count=len(event.coins), coins=f"**{_pieces_text(event.coins)}**")
    if not event.lapsed_draws:
        return text
    more = ngettext("one more was due", "{count} more were due", event.lapsed_draws).format(count=event.lapsed_draws)
    return _("{text}; {more}, but the bag is empty").format(text=text, more=more)


def _discarded_line(event: CoinDiscarded) -> str:
    if event.tile is None:
        return _("🗑️ Discarded {coin}.").format(coin=_pieces_text([event.coin]))
    line = _("🗑️ Discarded {coin} and removed the {tile} tile.")
    return line.format(coin=_pieces_text([event.coin]), tile=_pieces_text([event.tile]))


def _advice_text(view: State) -> str:
    """Return what to do now."""
    if view.rolls_left and view.matching:
        return _("Take a row, or keep some dice and re-roll the rest.")
    if view.rolls_left:
        return _("Pick the dice to keep and re-roll the rest. Keep all four to stop here.")
    if view.matching:
        return _("That was your last roll. Take a row.")
    return _("No row matches. Discard a coin to play on, or finish the game.")


def _rows_fields(view: State) -> tuple[Field, ...]:
    """Return the rows; beside the picture those that can't be taken share a line."""
    rows = {at: _row_text(view, at, row) for at, row in enumerate(view.layout.rows, 1) if row}
    if not rows:
        return ()
    can = {at: f"✅ {text}" for at, text in rows.items() if at in view.matching}
    lines = [can.get(at, f"▫️ {text}") for at, text in rows.items()]
    others = " · ".join(text for at, text in rows.items() if at not in can)
    title = ngettext("One row left", "{count} rows left", len(rows)).format(count=len(rows))
    return (Field(title, "\n".join(lines), "\n".join(filter(None, (*can.values(), others)))),)


def _legend_field() -> Field:
    """Return the legend of rows and treasure, which the picture does not need."""
    text = _("Bold: a die has this value. ✨: a die matches the suit too, for one more coin. [3]: yours. ×: gone.")
    return Field(_("Signs"), text, brief="")


def _row_text(view: State, at: int, row: Row) -> str:
    """Return a row with the tiles that the dice cover, and the coins it brings if it can be taken."""
    is_over = view.end is not None
    exact, covered = ((), {}) if is_over else (find_exact_tiles(row, view.faces), find_covered_tiles(row, view.faces))
    tiles = []
    for tile in row:
        value = f"**{tile.value}**" if tile in covered else str(tile.value)
        tiles.append(f"{SUIT_SYMBOLS[tile.suit]}{value}{'✨' if tile in exact else ''}")
    brings = f" 👜 +{coins_for(view, at)}" if at in view.matching else ""
    return f"`{at}` {NO_BREAK_SPACE.join(tiles)}{brings}"
