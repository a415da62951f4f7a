"""What a table shows of those who have left their seats."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from bot.rules.game import Seat
from bot.rules.outcome import Outcome
from bot.rules.screen import Field, News, Screen, news_of
from bot.rules.showcase import seen_by
from bot.tables.controls import Standing, TableEnd
from bot.tables.model import Status
from bot.tables.table import Table
from bot.ui.render.links import plain, safe_names
from bot.words import end_title, gettext as _, listed, ordinal_sign, seat_mark

_FLAG = "🏳️"
_ROBOT = "🤖"


def seat_names(table: Table) -> tuple[str, ...]:
    """Return the names of a table's seats as games show them now, with marks where somebody has left their seat."""
    return _marked(table, safe_names(table))


def plain_seat_names(table: Table) -> tuple[str, ...]:
    """Return the same names for where Discord reads no Markdown, such as suggestions."""
    return _marked(table, [plain(who.name) for who in table.seats])


def _marked(table: Table, names: Iterable[str]) -> tuple[str, ...]:
    is_played = table.header.status is Status.PLAYING
    return tuple(f"{name}{_mark(table.standing, seat, is_played=is_played)}" for seat, name in enumerate(names))


def _mark(standing: Standing, seat: Seat, *, is_played: bool) -> str:
    """Return a flag for who resigned, and a robot where a computer player sits for them."""
    if seat in standing.resigned:
        return f" {_FLAG}{_ROBOT}" if is_played else f" {_FLAG}"
    return f" {_ROBOT}" if seat in standing.substituted else ""


def missing_agreements(table: Table) -> str:
    """Name those who have not agreed to close a table."""
    names = safe_names(table)
    return listed([names[seat] for seat in sorted(table.players - table.closers)])


def holder_names(table: Table, left: Collection[Seat]) -> tuple[str, ...]:
    """Return the names of whoever held the seats while these were left by their people, with a robot for computers."""
    return tuple(f"{name} {_ROBOT}" if seat in left else name for seat, name in enumerate(safe_names(table)))


def news_for(table: Table, seat: Seat | None) -> tuple[News, ...]:
    """Return what happened in the newest moves as a seat may see it, or everybody (None)."""
    told: list[News] = []
    for events, left in table.news:
        told += news_of(seen_by(seat, events), holder_names(table, left))
    return tuple(told)


def other_end(table: Table) -> Outcome | None:
    """Return the ranking of a table that resignations have given another one than its game has, if any."""
    outcome = table.outcome
    if outcome is None:
        return None
    of_game = table.package.game.outcome(table.state)
    return outcome if of_game is None or of_game.places != outcome.places else None


def with_resignations(table: Table, screen: Screen) -> Screen:
    """Put the table's ranking in the place of its game's, where resignations have made another one of it."""
    outcome = other_end(table)
    if outcome is None:
        return screen
    return replace(
        screen,
        title=end_title(table.package.game.info.title, [seat_names(table)[seat] for seat in outcome.winners]),
        text=_how(table, outcome),
        fields=(*_at_rest(table, screen, outcome), _ranking(table, outcome)),
        controls=(),
        menus=(),
        note="",
        accent=outcome.winners[0],
    )


def _at_rest(table: Table, screen: Screen, outcome: Outcome) -> tuple[Field, ...]:
    """Return fields that tell how things stand, without the mark of a turn and without the game's ranking."""
    if table.package.at_rest is not None:
        return table.package.at_rest(table.package.game.view(table.state, None), seat_names(table))
    return screen.fields if outcome.reason is TableEnd.RESIGNED else ()


def _how(table: Table, outcome: Outcome) -> str:
    """Tell how the table ended; whatever the game says of its end is about another ranking."""
    names = safe_names(table)
    resigned = listed([names[seat] for seat in sorted(table.standing.resigned)])
    line = _("The game was played to its end. {flag} {names} had resigned and comes last.")
    if outcome.reason is TableEnd.RESIGNED:
        line = _("{flag} {names} resigned, which ends the game.")
    elif len(table.standing.resigned) > 1:
        line = _("The game was played to its end. {flag} {names} had resigned and come last.")
    return line.format(flag=_FLAG, names=resigned)


def _ranking(table: Table, outcome: Outcome) -> Field:
    names = seat_names(table)
    seats = sorted(range(len(names)), key=lambda seat: outcome.places[seat])
    lines = (f"{ordinal_sign(outcome.places[seat])} {seat_mark(seat)} {names[seat]}" for seat in seats)
    return Field(_("Ranking: who resigned comes last"), "\n".join(lines))
