"""The events of The Magic Bag as text, and a finished game in symbols."""

from collections.abc import Sequence

from bot.games.magic_bag.facts import find_completed_artifacts, gain_of
from bot.games.magic_bag.picture import die_marks
from bot.games.magic_bag.pieces import (
    ROW_SIZES,
    TAKEN_ROW,
    CoinDiscarded,
    GameEvent,
    MagicBagEnd,
    Piece,
    Rolled,
    RowTaken,
    State,
    Suit,
)
from bot.games.magic_bag.scoring import points_of, score_of
from bot.games.magic_bag.words import SUIT_SYMBOLS, piece_name, piece_text
from bot.rules.screen import News, events_of
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece, Narration
from bot.words import format_number, format_signed, gettext as _, list_facts, ngettext, with_note

_BIG_GAIN, _HUGE_GAIN = 40, 80


def news_lines(view: State, events: Sequence[GameEvent]) -> list[str]:
    """Return the lines of the newest events; those about coins end with the change of the treasure."""
    lines = ((_event_line(event), _format_gain(gain_of(view, [event]))) for event in events)
    return [" · ".join(filter(None, parts)) for parts in lines if parts[0]]


def _format_gain(gain: int) -> str:
    """Return a change of the treasure; nothing if there is none."""
    if not gain:
        return ""
    plus = _("treasure +{points}") if gain > 0 else _("treasure −{points}")
    return plus.format(points=format_number(abs(gain)))


def _tell(_view: State, event: GameEvent, _names: Sequence[str]) -> str:
    return _event_line(event)


def _event_line(event: GameEvent) -> str:
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
    row, count = format_number(event.row), format_number(len(event.coins))
    text = line.format(row=row, count=count, coins=f"**{_pieces_text(event.coins)}**")
    if not event.lapsed_draws:
        return text
    more = ngettext(
        "one more was due, but the bag is empty",
        "{count} more were due, but the bag is empty",
        event.lapsed_draws,
    )
    return with_note(text, more.format(count=format_number(event.lapsed_draws)))


def _discarded_line(event: CoinDiscarded) -> str:
    if event.tile is None:
        return _("🗑️ Gave up {coin}").format(coin=_pieces_text([event.coin]))
    line = _("🗑️ Gave up {coin} and took tile {tile} from row {row}")
    return line.format(coin=_pieces_text([event.coin]), tile=_pieces_text([event.tile]), row=event.row)


def _pieces_text(pieces: Sequence[Piece]) -> str:
    return " ".join(map(piece_text, pieces))


def _summarize_turn(view: State, news: Sequence[News[GameEvent]]) -> str:
    return " ".join(news_lines(view, events_of(news)))


def _tell_briefly(view: State, news: Sequence[News[GameEvent]]) -> str:
    """Tell what the newest row or coin brought, or else the newest roll."""
    events = events_of(news)
    decisive = [event for event in events if not isinstance(event, Rolled)] or events
    match decisive[-1] if decisive else None:
        case RowTaken() as event:
            # The last coin brings the bonus for tiles, too.
            gain, count = gain_of(view, [event]) + score_of(view).bonus, len(event.coins)
            line = ngettext("row {row}, one coin", "row {row}, {count} coins", count)
            told = line.format(row=event.row, count=count)
            return list_facts((told, format_signed(gain) if gain else ""))
        case CoinDiscarded(coin, tile, _row):
            line = _("gave up {coin}") if tile is None else _("gave up {coin}, took tile {tile}")
            return line.format(coin=piece_text(coin), tile=tile and piece_text(tile))
        case Rolled(suits, faces) if len(suits) < len(Suit):
            return _("re-rolled {dice}").format(dice=_pieces_text([Piece(suit, faces[suit]) for suit in suits]))
        case Rolled():
            return _("re-rolled all four")
        case _:
            return ""


def _highlight(view: State, events: Sequence[GameEvent]) -> Highlight | None:
    taken = (tile for event in events if isinstance(event, RowTaken) for tile in event.tiles)
    tiles = tuple(HighlightPiece(piece_name(tile), die_marks(tile, PIECE_AREA)) for tile in taken)
    if tiles and view.end is MagicBagEnd.LAST_ROW:
        return Highlight(_("Board cleared!"), format_number(points_of(view)), 3, pieces=tiles)
    gain = gain_of(view, events)
    is_artifact = gain > 0 and bool(find_completed_artifacts(view, events))
    if view.end is MagicBagEnd.LAST_COIN:
        return Highlight(_("Last coin!"), f"+{format_number(score_of(view).bonus)}", 3, pieces=tiles)
    is_long = len(tiles) == max(ROW_SIZES)
    if gain < _BIG_GAIN and not is_artifact and not is_long:
        return None
    return Highlight(
        _("Artifact!") if is_artifact else _("Row of four!") if is_long else _("Treasure"),
        f"+{format_number(gain)}",
        3 if is_artifact or gain >= _HUGE_GAIN else 2,
        pieces=tiles,
    )


NARRATION = Narration(_tell, _summarize_turn, _tell_briefly, _highlight)


def summarize(state: State) -> str:
    """Return the rows that were taken, the number of coins, and the sizes of each artifact's groups."""
    taken, rows = sum(row == TAKEN_ROW for row in state.layout.rows), len(state.layout.rows)
    artifacts = []
    for artifact in score_of(state).artifacts:
        sizes = sorted(map(len, artifact.groups), reverse=True)
        artifacts.append(f"{SUIT_SYMBOLS[artifact.suit]} {'+'.join(map(str, sizes)) or '0'}")
    return f"{'🟩' * taken}{'⬜' * (rows - taken)}\n🪙 {len(state.layout.collected)}  {'  '.join(artifacts)}"
