"""The screen of The Magic Bag: the dice, the rows and the treasure."""

from collections.abc import Sequence

from bot.games.magic_bag.controls import build_controls, build_menus
from bot.games.magic_bag.events import GameEvent, Rolled
from bot.games.magic_bag.guide import END_MESSAGES, SUIT_SYMBOLS, piece_text
from bot.games.magic_bag.narration import news_lines
from bot.games.magic_bag.pieces import EXTRA_ROLLS, Faces, Piece, Row, State, Suit
from bot.games.magic_bag.scoring import coins_for, find_covered_tiles, find_exact_tiles, score_of
from bot.games.magic_bag.treasure import breakdown_field, sheet_map, treasure_field
from bot.rules.screen import Draft, Field, News, Screen, events_of
from bot.words import NO_BREAK_SPACE, format_number, gettext as _, ngettext

_SEAT = 0


def build_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft) -> Screen:
    """Build the screen."""
    events = events_of(news)
    if view.end is not None:
        return _end_screen(view, events, names[_SEAT])
    rolls = EXTRA_ROLLS + 1
    title = _("The Magic Bag · {name} · roll {at} of {rolls}")
    latest = news_lines(view, events)
    return Screen(
        title=title.format(name=names[_SEAT], at=rolls - view.rolls_left, rolls=rolls),
        text="\n".join((*latest, _dice_line(view.faces), _advice_text(view))),
        fields=(treasure_field(view), *_rows_fields(view), _legend_field()),
        controls=build_controls(view, draft),
        menus=build_menus(view, draft),
        accent=_SEAT,
        # The picture says what to do.
        summary="\n".join(news_lines(view, [event for event in events if not isinstance(event, Rolled)])),
    )


def _end_screen(view: State, events: Sequence[GameEvent], name: str) -> Screen:
    """Return the screen of a finished game."""
    total = score_of(view).total
    points = ngettext("{total} point", "{total} points", total).format(total=format_number(total))
    ending = _(END_MESSAGES[view.end]).format(name=name) if view.end else ""
    summary = "\n".join((*news_lines(view, events), ending))
    return Screen(
        title=_("The Magic Bag · {name} · {points}").format(name=name, points=points),
        text=f"# {points}\n{summary}",
        fields=(breakdown_field(view), Field(_("Artifacts"), sheet_map(view)), *_rows_fields(view)),
        accent=_SEAT,
        summary=summary,
        verdict=ending,
    )


def _dice_line(faces: Faces) -> str:
    """Return the dice as a heading, which Discord shows large."""
    return "# " + "\u2002".join(piece_text(Piece(suit, faces[suit])) for suit in Suit)


def _advice_text(view: State) -> str:
    """Return what to do now."""
    if view.rolls_left and view.matching:
        return _("Take a row, or keep some dice and roll the rest.")
    if view.rolls_left:
        return _("Try for a row, or tap the dice to keep and roll the rest.")
    if view.matching:
        return _("That was your last roll. Take a row.")
    return _("No row matches. Discard a coin to play on, or finish the game.")


def _rows_fields(view: State) -> tuple[Field, ...]:
    """Return the rows that are left, if there are any."""
    lines = [
        f"{'✅' if at in view.matching else '▫️'} {_row_text(view, at, row)}"
        for at, row in enumerate(view.layout.rows, 1)
        if row
    ]
    title = ngettext("One row left", "{count} rows left", len(lines)).format(count=len(lines))
    return (Field(title, "\n".join(lines)),) if lines else ()


def _legend_field() -> Field:
    """Return the legend of rows and treasure."""
    text = _("Bold: a die has this value. ⭐: a die matches the suit too, for one more coin. [3]: yours. ×: gone.")
    return Field(_("Signs"), text)


def _row_text(view: State, at: int, row: Row) -> str:
    """Return a row with the tiles that the dice cover, and the coins it brings if it can be taken."""
    is_over = view.end is not None
    exact, covered = ((), {}) if is_over else (find_exact_tiles(row, view.faces), find_covered_tiles(row, view.faces))
    tiles = []
    for tile in row:
        value = f"**{tile.value}**" if tile in covered else str(tile.value)
        tiles.append(f"{SUIT_SYMBOLS[tile.suit]}{value}{'⭐' if tile in exact else ''}")
    brings = f" 👜 +{coins_for(view, at)}" if at in view.matching else ""
    return f"`{at}` {NO_BREAK_SPACE.join(tiles)}{brings}"
