"""How a table shows players who have left their seats, or used hints."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from bot.rules.game import Seat
from bot.rules.outcome import Outcome
from bot.rules.screen import Field, News, Screen, to_news
from bot.rules.showcase import visible_events
from bot.tables.control_entries import SeatStatus, TableEndReason
from bot.tables.model import Status
from bot.tables.news import MoveNews
from bot.tables.shown.links import escape_name, escaped_seat_names, plain_seat_names
from bot.tables.table import Table
from bot.words import game_over_title, gettext as _, join_items, place_label, seat_emoji

_FLAG = "🏳️"
_ROBOT = "🤖"
HINT = "💡"


def seat_names(table: Table) -> tuple[str, ...]:
    """Return the names of a table's seats, shortened and escaped, with marks for who has left or used hints."""
    return _add_marks(table, escaped_seat_names(table))


def full_seat_names(table: Table) -> tuple[str, ...]:
    """Return the same names unshortened, for messages away from the table."""
    return _add_marks(table, [escape_name(occupant.name) for occupant in table.seats])


def marked_seat_names(table: Table) -> tuple[str, ...]:
    """Return the same names for places without Markdown, such as suggestions."""
    return _add_marks(table, plain_seat_names(table))


def _add_marks(table: Table, names: Iterable[str]) -> tuple[str, ...]:
    is_played = table.header.status is Status.PLAYING
    # That someone uses hints stays private until the end.
    hinted = table.header.hinted if table.header.status is Status.FINISHED else frozenset[Seat]()
    return tuple(
        f"{name}{_mark(table.seat_status, seat, is_played=is_played)}{f' {HINT}' if seat in hinted else ''}"
        for seat, name in enumerate(names)
    )


def _mark(seat_status: SeatStatus, seat: Seat, *, is_played: bool) -> str:
    """Return a flag if the player has resigned, and a robot if a computer player has the seat."""
    if seat in seat_status.resigned:
        return f" {_FLAG}{_ROBOT}" if is_played else f" {_FLAG}"
    return f" {_ROBOT}" if seat in seat_status.substituted else ""


def missing_agreements(table: Table) -> str:
    """Name the players who have not agreed to close the table."""
    missing = table.remaining_players - table.closers
    return join_items([name for seat, name in enumerate(escaped_seat_names(table)) if seat in missing])


def past_seat_names(table: Table, left: Collection[Seat]) -> tuple[str, ...]:
    """Return the names of the seats, with a robot for those in `left`, which computer players held at the time."""
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


def with_resignations(table: Table, screen: Screen) -> Screen:
    """Replace the game's ranking by the table's, if resignations make them differ."""
    outcome = resignation_outcome(table)
    if outcome is None:
        return screen
    ending = _describe_end(table, outcome)
    return replace(
        screen,
        title=game_over_title(table.package.game.info.title, [seat_names(table)[seat] for seat in outcome.winners]),
        text=ending,
        summary=ending,
        verdict=ending,
        fields=(*_position_fields(table, screen, outcome), _ranking(table, outcome)),
        controls=(),
        menus=(),
        note="",
        accent=outcome.winners[0],
    )


def _position_fields(table: Table, screen: Screen, outcome: Outcome) -> tuple[Field, ...]:
    """Return the fields that describe the position, without turn marker and without the game's ranking."""
    if table.package.build_abandoned_fields is not None:
        return table.package.build_abandoned_fields(table.package.game.view(table.state, None), seat_names(table))
    return screen.fields if outcome.reason is TableEndReason.RESIGNED else ()


def _describe_end(table: Table, outcome: Outcome) -> str:
    """Say how the table ended; the game's own text is about another ranking."""
    resigned = [name for seat, name in enumerate(escaped_seat_names(table)) if seat in table.seat_status.resigned]
    line = _("The game was played out. {flag} {names} had resigned and comes last.")
    if outcome.reason is TableEndReason.RESIGNED:
        line = _("{flag} {names} resigned, which ends the game.")
    elif len(resigned) > 1:
        line = _("The game was played out. {flag} {names} had resigned and come last.")
    return line.format(flag=_FLAG, names=join_items(resigned))


def _ranking(table: Table, outcome: Outcome) -> Field:
    names = seat_names(table)
    seats = sorted(range(len(names)), key=lambda seat: outcome.places[seat])
    lines = (f"{place_label(outcome.places[seat])} {seat_emoji(seat)} {names[seat]}" for seat in seats)
    return Field(_("Ranking: resigned players come last"), "\n".join(lines))
