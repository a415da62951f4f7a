"""What a table shows of those who have left their seats."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from bot.rules.game import Seat
from bot.rules.outcome import Outcome
from bot.rules.screen import Field, News, Screen, to_recent_events
from bot.rules.showcase import visible_events
from bot.tables.controls import SeatStatus, TableEndReason
from bot.tables.model import Status
from bot.tables.table import Table
from bot.ui.render.links import escaped_seat_names, sanitize_name
from bot.words import game_over_title, gettext as _, join_items, place_label, seat_emoji

_FLAG = "🏳️"
_ROBOT = "🤖"


def seat_names(table: Table) -> tuple[str, ...]:
    """Return the names of a table's seats as games show them now, with marks where somebody has left their seat."""
    return _add_marks(table, escaped_seat_names(table))


def plain_seat_names(table: Table) -> tuple[str, ...]:
    """Return the same names for where Discord reads no Markdown, such as suggestions."""
    return _add_marks(table, [sanitize_name(who.name) for who in table.seats])


def _add_marks(table: Table, names: Iterable[str]) -> tuple[str, ...]:
    is_played = table.header.status is Status.PLAYING
    return tuple(f"{name}{_mark(table.seat_status, seat, is_played=is_played)}" for seat, name in enumerate(names))


def _mark(standing: SeatStatus, seat: Seat, *, is_played: bool) -> str:
    """Return a flag for who resigned, and a robot where a computer player sits for them."""
    if seat in standing.resigned:
        return f" {_FLAG}{_ROBOT}" if is_played else f" {_FLAG}"
    return f" {_ROBOT}" if seat in standing.substituted else ""


def missing_agreements(table: Table) -> str:
    """Name those who have not agreed to close a table."""
    names = escaped_seat_names(table)
    return join_items([names[seat] for seat in sorted(table.remaining_players - table.closers)])


def past_seat_names(table: Table, left: Collection[Seat]) -> tuple[str, ...]:
    """Return the names of whoever held the seats while these were left by their people, with a robot for computers."""
    return tuple(f"{name} {_ROBOT}" if seat in left else name for seat, name in enumerate(escaped_seat_names(table)))


def news_for(table: Table, seat: Seat | None) -> tuple[News, ...]:
    """Return what happened in the newest moves as a seat may see it, or everybody (None)."""
    told: list[News] = []
    for events, left in table.news:
        told += to_recent_events(visible_events(seat, events), past_seat_names(table, left))
    return tuple(told)


def resignation_outcome(table: Table) -> Outcome | None:
    """Return the ranking of a table that resignations have given another one than its game has, if any."""
    outcome = table.outcome
    if outcome is None:
        return None
    of_game = table.package.game.outcome(table.state)
    return outcome if of_game is None or of_game.places != outcome.places else None


def with_resignations(table: Table, screen: Screen) -> Screen:
    """Put the table's ranking in the place of its game's, where resignations have made another one of it."""
    outcome = resignation_outcome(table)
    if outcome is None:
        return screen
    return replace(
        screen,
        title=game_over_title(table.package.game.info.title, [seat_names(table)[seat] for seat in outcome.winners]),
        text=_describe_end(table, outcome),
        fields=(*_position_fields(table, screen, outcome), _ranking(table, outcome)),
        controls=(),
        menus=(),
        note="",
        accent=outcome.winners[0],
    )


def _position_fields(table: Table, screen: Screen, outcome: Outcome) -> tuple[Field, ...]:
    """Return fields that tell how things stand, without the mark of a turn and without the game's ranking."""
    if table.package.build_abandoned_fields is not None:
        return table.package.build_abandoned_fields(table.package.game.view(table.state, None), seat_names(table))
    return screen.fields if outcome.reason is TableEndReason.RESIGNED else ()


def _describe_end(table: Table, outcome: Outcome) -> str:
    """Tell how the table ended; whatever the game says of its end is about another ranking."""
    names = escaped_seat_names(table)
    resigned = join_items([names[seat] for seat in sorted(table.seat_status.resigned)])
    line = _("The game was played to its end. {flag} {names} had resigned and comes last.")
    if outcome.reason is TableEndReason.RESIGNED:
        line = _("{flag} {names} resigned, which ends the game.")
    elif len(table.seat_status.resigned) > 1:
        line = _("The game was played to its end. {flag} {names} had resigned and come last.")
    return line.format(flag=_FLAG, names=resigned)


def _ranking(table: Table, outcome: Outcome) -> Field:
    names = seat_names(table)
    seats = sorted(range(len(names)), key=lambda seat: outcome.places[seat])
    lines = (f"{place_label(outcome.places[seat])} {seat_emoji(seat)} {names[seat]}" for seat in seats)
    return Field(_("Ranking: who resigned comes last"), "\n".join(lines))
