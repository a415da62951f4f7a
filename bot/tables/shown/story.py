"""The news of a table: summaries of missed turns, and the full story for one player."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

from bot.rules.game import Outcome, Seat, visible_events
from bot.rules.screen import News, to_news
from bot.rules.story import Narration, TurnNews
from bot.tables.characters import name_seats
from bot.tables.control_entries import SeatStatus
from bot.tables.model import Status
from bot.tables.shown.links import escape_name, escaped_seat_names, plain_seat_names
from bot.tables.table import MoveNews, Table
from bot.words import gettext as _, join_items, seat_emoji

FLAG = "🏳️"
_ROBOT = "🤖"
HINT = "💡"


def seat_names(table: Table, most: int | None = None) -> tuple[str, ...]:
    """Return the seats' names, shortened and escaped, with marks for players who have left or used hints."""
    return _add_marks(table, escaped_seat_names(table, most))


def full_seat_names(table: Table) -> tuple[str, ...]:
    """Return the same names unshortened, for messages away from the table."""
    return _add_marks(table, map(escape_name, name_seats(table.seats)))


def marked_seat_names(table: Table) -> tuple[str, ...]:
    """Return the same names for places without Markdown, such as suggestions."""
    return _add_marks(table, plain_seat_names(table))


def _add_marks(table: Table, names: Iterable[str]) -> tuple[str, ...]:
    is_played = table.header.status is Status.PLAYING
    # The use of hints stays private until the end.
    hinted = table.header.hinted if table.header.status is Status.FINISHED else frozenset[Seat]()
    return tuple(
        f"{name}{_mark(table.seat_status, seat, is_played=is_played)}{f' {HINT}' if seat in hinted else ''}"
        for seat, name in enumerate(names)
    )


def _mark(seat_status: SeatStatus, seat: Seat, *, is_played: bool) -> str:
    """Return a flag for a player who has resigned, and a robot for a seat played by a computer player."""
    if seat in seat_status.resigned:
        return f" {FLAG}{_ROBOT}" if is_played else f" {FLAG}"
    return f" {_ROBOT}" if seat in seat_status.substituted else ""


def missing_agreements(table: Table) -> str:
    """Name the players who have not agreed to close the table."""
    missing = table.remaining_players - table.closers
    return join_items([name for seat, name in enumerate(escaped_seat_names(table)) if seat in missing])


def past_seat_names(table: Table, left: Collection[Seat]) -> tuple[str, ...]:
    """Return the names of the seats, with a robot for seats in `left`, which computer players had at the time."""
    return tuple(f"{name} {_ROBOT}" if seat in left else name for seat, name in enumerate(escaped_seat_names(table)))


def news_for(table: Table, seat: Seat | None) -> tuple[News[Any], ...]:
    """Return the events of the newest moves as a seat, or a spectator (None), may see them."""
    return tuple(chain.from_iterable(news_by_move(table, table.recent_moves, seat)))


def news_by_move(table: Table, moves: Iterable[MoveNews], seat: Seat | None) -> Iterator[tuple[News[Any], ...]]:
    """Yield the events of each move as a seat, or a spectator (None), may see them."""
    names = dict[frozenset[Seat], tuple[str, ...]]()
    for move in moves:
        if move.vacated not in names:
            names[move.vacated] = past_seat_names(table, move.vacated)
        yield to_news(visible_events(seat, move.events), names[move.vacated])


def resignation_outcome(table: Table) -> Outcome | None:
    """Return the table's outcome if resignations make it differ from the game's own, else None."""
    outcome = table.outcome
    if outcome is None:
        return None
    game_outcome = table.package.game.outcome(table.state)
    return outcome if game_outcome is None or game_outcome.places != outcome.places else None


def turns_of(table: Table, viewer: Seat | None) -> tuple[TurnNews, ...]:
    """Return a table's newest turns as a seat, or a spectator (None), may know them, oldest first."""
    return tuple(_make_turn(table, moves, viewer) for moves in _split_turns(table.news))


def _split_turns(moves: Sequence[MoveNews]) -> list[Sequence[MoveNews]]:
    """Split moves into turns, of which the last may be unfinished."""
    ends = [number for number, move in enumerate(moves, 1) if move.ends_turn]
    bounds = [0, *ends, *([] if ends and ends[-1] == len(moves) else [len(moves)])]
    return [moves[first:end] for first, end in pairwise(bounds) if end > first]


def _make_turn(table: Table, moves: Sequence[MoveNews], viewer: Seat | None) -> TurnNews:
    news = tuple(chain.from_iterable(news_by_move(table, moves, viewer)))
    return TurnNews(
        moves[0].seat,
        news,
        is_over=moves[-1].ends_turn,
        by_itself=moves[-1].by_itself,
        left=_left_in(moves),
        badges=frozenset(badge for move in moves for badge in move.badges),
    )


def _left_in(moves: Sequence[MoveNews]) -> frozenset[Seat]:
    return frozenset(seat for move in moves for seat in move.left)


def missed_moves(table: Table) -> list[Sequence[MoveNews]]:
    """Return the turns since the last one of the seat to move, or all turns; empty in the middle of a turn."""
    if not (table.news and table.news[-1].ends_turn):
        return []
    turns = _split_turns(table.news)
    latest = max((number for number, moves in enumerate(turns, 1) if moves[0].seat == table.header.to_move), default=0)
    return turns[latest:]


def missed_news(table: Table) -> list[str]:
    """Return the news that the person to move has missed, in lines; empty in the middle of a turn.

    First comes the change of their score, then who has left, then every turn except the newest, which the screen tells.
    """
    narration, seat = table.package.words.narration, table.header.to_move
    if narration is None or seat is None or table.is_automatic(seat) or not (missed := missed_moves(table)):
        return []
    view, names = table.package.game.view(table.state, None), seat_names(table)
    turns = (_summarize(narration, view, _make_turn(table, moves, None), names) for moves in missed[:-1])
    lines = (_change_line(table, seat, narration, missed), *_missed_departures(table, missed), *turns)
    return [line for line in lines if line]


def opening_line(table: Table) -> str:
    """Return a line about the set-up for a player who has not moved yet; empty for anyone else."""
    narration = table.package.words.narration
    if narration is None or table.header.to_move in table.acted or not missed_moves(table):
        return ""
    return narration.opening(table.package.game.view(table.state, None))


def _missed_departures(table: Table, missed: Sequence[Sequence[MoveNews]]) -> list[str]:
    """Return lines about who has left since the last turn of the seat to move, or right after it."""
    if not missed or not table.seat_status.left:
        return []
    count = sum(map(len, missed))
    return _departure_lines(table, _left_in(table.news[-count - 1 :]))


def _departure_lines(table: Table, seats: frozenset[Seat]) -> list[str]:
    names, resigned = escaped_seat_names(table), _("🏳️ **{name}** resigned, and a computer player plays on.")
    removed = _("🚪 A moderator removed **{name}**, and a computer player plays on.")
    return [
        (removed if seat in table.seat_status.removed else resigned).format(name=names[seat]) for seat in sorted(seats)
    ]


def _change_line(table: Table, seat: Seat, narration: Narration[Any, Any], missed: Sequence[Sequence[MoveNews]]) -> str:
    """Return a line about the change of a seat's score in the missed turns."""
    events = [event for moves in missed for move in moves for event in visible_events(None, move.events)]
    view = table.package.game.view(table.state, None)
    if not (change := narration.change_of(view, seat, events)):
        return ""
    return _("👉 **{name}**: {change}").format(name=seat_names(table)[seat], change=change)


def describe_since_own_turn(table: Table, seat: Seat) -> str:
    """Return a line for each turn since a seat's newest one, that turn included; empty without a narration."""
    narration, turns = table.package.words.narration, turns_of(table, seat)
    if narration is None:
        return ""
    latest = max((number for number, turn in enumerate(turns) if turn.seat == seat), default=0)
    view, names = table.package.game.view(table.state, seat), seat_names(table)
    return "\n".join(line for turn in turns[latest:] if (line := _summarize(narration, view, turn, names)))


def last_turn_line(table: Table) -> str:
    """Return a line about the newest turn; empty without a narration."""
    narration, turns = table.package.words.narration, turns_of(table, None)
    if narration is None or not turns:
        return ""
    return _summarize(narration, table.package.game.view(table.state, None), turns[-1], seat_names(table))


def _summarize(narration: Narration[Any, Any], view: Any, turn: TurnNews, names: Sequence[str]) -> str:
    """Return a line about a turn, and about its forced end."""
    ending = forced_end_line(names[turn.seat]) if turn.by_itself else ""
    return " ".join(filter(None, (narration.summarize(view, turn.news), ending)))


def forced_end_line(name: str) -> str:
    """Return a line about a forced end of a player's turn."""
    return _("⏩ There was nothing to choose, so **{name}**'s turn ended by itself.").format(name=name)


def describe_what_happened(table: Table, viewer: Seat | None) -> str:
    """Return everything that a seat, or a spectator (None), may know of the newest turns, in Markdown."""
    narration = table.package.words.narration
    turns = turns_of(table, viewer)
    if narration is None or not turns:
        return _("Nothing has happened yet.")
    view, names = table.package.game.view(table.state, viewer), seat_names(table)
    texts = []
    for turn in turns:
        lines = [line for event, then in turn.news if (line := narration.tell(view, event, then))]
        lines += [forced_end_line(names[turn.seat])] * turn.by_itself
        lines = [*(lines or [_("Nothing happened.")]), *_departure_lines(table, turn.left)]
        heading = f"{seat_emoji(turn.seat)} {names[turn.seat]}"
        texts.append("\n".join((heading, *(f"- {line}" for line in lines))))
    return "\n\n".join(texts)
