"""The Magic Bag in words: the dice, the rows they match, the treasure, and what became of it."""

from collections.abc import Sequence

from bot.games.magic_bag.controls import controls
from bot.games.magic_bag.events import CoinDiscarded, Rolled, RowTaken
from bot.games.magic_bag.guide import ENDINGS, SIGNS, shown
from bot.games.magic_bag.pieces import EXTRA_ROLLS, Faces, Piece, Row, State, Suit
from bot.games.magic_bag.scoring import coins_for, covering, exact_tiles, gain_of, score_of
from bot.games.magic_bag.treasure import breakdown, sheet_in_brief, sheet_map, treasure_field
from bot.rules.game import Event
from bot.rules.screen import Draft, Field, News, Screen, events_of
from bot.words import UNBROKEN, gettext as _, ngettext, number

_SEAT = 0


def show(view: State, news: Sequence[News], names: Sequence[str], draft: Draft) -> Screen:
    """Make the screen that everybody sees."""
    events = events_of(news)
    if view.end is not None:
        return _final(view, events, names[_SEAT])
    rolls = EXTRA_ROLLS + 1
    title = _("The Magic Bag · {name} · roll {at} of {rolls}")
    return Screen(
        title=title.format(name=names[_SEAT], at=rolls - view.rolls_left, rolls=rolls),
        text="\n".join((*_news_lines(view, events), _dice_line(view.faces), _advice(view))),
        fields=(treasure_field(view), *_rows(view), _legend()),
        controls=controls(view, draft),
        accent=_SEAT,
    )


def _final(view: State, news: Sequence[Event], name: str) -> Screen:
    """Show what the game was worth."""
    total = score_of(view).total
    points = ngettext("{total} point", "{total} points", total).format(total=number(total))
    ending = _(ENDINGS[view.end]).format(name=name) if view.end else ""
    return Screen(
        title=_("The Magic Bag · {name} · game over").format(name=name),
        text="\n".join((f"# {points}", *_news_lines(view, news), ending)),
        fields=(breakdown(view), Field(_("Artifacts"), sheet_map(view), sheet_in_brief(view)), *_rows(view)),
        accent=_SEAT,
    )


def _dice_line(faces: Faces) -> str:
    """Write the dice as a heading, which makes them large."""
    return "# " + "\u2002".join(shown(Piece(suit, faces[suit])) for suit in Suit)


def _pieces(pieces: Sequence[Piece]) -> str:
    return " ".join(map(shown, pieces))


def _news_lines(view: State, news: Sequence[Event]) -> list[str]:
    lines, gain = [line for event in news if (line := _event_line(event))], gain_of(view, news)
    if gain:
        plus = _("treasure +{points}") if gain > 0 else _("treasure −{points}")
        lines[0] += " · " + plus.format(points=number(abs(gain)))
    return lines


def _event_line(event: Event) -> str:
    match event:
        case RowTaken():
            return _taken_line(event)
        case CoinDiscarded():
            return _discarded_line(event)
        case Rolled() if len(event.suits) < len(Suit):
            rolled = [Piece(suit, event.faces[suit]) for suit in event.suits]
            return _("🎲 Rolled again: {dice}").format(dice=_pieces(rolled))
        case _:
            return ""


def _taken_line(event: RowTaken) -> str:
    line = ngettext(
        "👜 Row {row} brought one coin: {coins}", "👜 Row {row} brought {count} coins: {coins}", len(event.coins)
    )
    told = line.format(row=event.row, count=len(event.coins), coins=f"**{_pieces(event.coins)}**")
    if not event.lapsed:
        return told
    more = ngettext("one more was owed", "{count} more were owed", event.lapsed).format(count=event.lapsed)
    return _("{told}; {more}, but the bag is empty").format(told=told, more=more)


def _discarded_line(event: CoinDiscarded) -> str:
    if event.tile is None:
        return _("🗑️ {coin} is discarded.").format(coin=_pieces([event.coin]))
    line = _("🗑️ {coin} is discarded, and the tile {tile} is removed.")
    return line.format(coin=_pieces([event.coin]), tile=_pieces([event.tile]))


def _advice(view: State) -> str:
    """Say what can be done now."""
    if view.rolls_left and view.matching:
        return _("Take a row, or keep some dice and roll the others again.")
    if view.rolls_left:
        return _("Mark the dice to keep, and roll the others again. Keep all four to stop here.")
    if view.matching:
        return _("That was the last roll: take a row.")
    return _("No row matches: discard a coin to play on, or finish the game.")


def _rows(view: State) -> tuple[Field, ...]:
    """Show all rows; beside the picture those that can't be taken stand close together."""
    rows = {at: _row(view, at, row) for at, row in enumerate(view.layout.rows, 1) if row}
    if not rows:
        return ()
    can = {at: f"✅ {told}" for at, told in rows.items() if at in view.matching}
    lines = [can.get(at, f"▫️ {told}") for at, told in rows.items()]
    others = " · ".join(told for at, told in rows.items() if at not in can)
    title = ngettext("One row left", "{count} rows left", len(rows)).format(count=len(rows))
    return (Field(title, "\n".join(lines), "\n".join(filter(None, (*can.values(), others)))),)


def _legend() -> Field:
    """Explain the signs of rows and treasure, which the picture does without."""
    text = _(
        "Bold: a die has this value. ✨: a die equals the tile in suit too, so its row brings one coin more. "
        "[3] is yours, × is gone."
    )
    return Field(_("Signs"), text, brief="")


def _row(view: State, at: int, row: Row) -> str:
    """Write a row with what the dice cover of it, and how many coins it brings if it can be taken."""
    is_over = view.end is not None
    exact, covered = ((), {}) if is_over else (exact_tiles(row, view.faces), covering(row, view.faces))
    tiles = []
    for tile in row:
        value = f"**{tile.value}**" if tile in covered else str(tile.value)
        tiles.append(f"{SIGNS[tile.suit]}{value}{'✨' if tile in exact else ''}")
    brings = f" 👜 +{coins_for(view, at)}" if at in view.matching else ""
    return f"`{at}` {UNBROKEN.join(tiles)}{brings}"
