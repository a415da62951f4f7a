"""What a table shows of those who have left their seats."""

from dataclasses import replace

from bot.rules.game import Seat
from bot.rules.outcome import Outcome
from bot.rules.screen import Field, Screen
from bot.tables.controls import Standing, TableEnd
from bot.tables.table import Table
from bot.ui.links import safe_names
from bot.words import end_title, gettext as _, listed, ordinal_sign, seat_mark

_FLAG = "🏳️"
_ROBOT = "🤖"


def seat_names(table: Table) -> tuple[str, ...]:
    """Return the names of a table's seats as games show them, with a mark where somebody has left their seat."""
    return tuple(f"{name}{_mark(table.standing, seat)}" for seat, name in enumerate(safe_names(table)))


def _mark(standing: Standing, seat: Seat) -> str:
    if seat in standing.resigned:
        return f" {_FLAG}"
    return f" {_ROBOT}" if seat in standing.substituted else ""


def missing_agreements(table: Table) -> str:
    """Name those who have not agreed to close a table."""
    names = safe_names(table)
    return listed([names[seat] for seat in sorted(table.players - table.closers)])


def other_end(table: Table) -> Outcome | None:
    """Return how a table ended that has another end than its game: too many resigned, or who won it there had."""
    outcome = table.outcome
    if outcome is None:
        return None
    of_game = table.package.game.outcome(table.state)
    return outcome if of_game is None or of_game.winners != outcome.winners else None


def with_resignations(table: Table, screen: Screen) -> Screen:
    """Add the table's own ranking to the screen of a finished game that somebody resigned."""
    outcome = table.outcome
    if outcome is None or not table.standing.resigned:
        return screen
    ranking = _ranking(table, outcome)
    if other_end(table) is None:
        return replace(screen, fields=(*screen.fields, ranking), controls=(), note="")
    return replace(
        screen,
        title=end_title(table.package.game.info.title, [safe_names(table)[seat] for seat in outcome.winners]),
        text=_how(table) if outcome.reason is TableEnd.RESIGNED else screen.text,
        fields=(*_at_rest(table, screen), ranking),
        controls=(),
        note="",
        accent=outcome.winners[0],
    )


def _at_rest(table: Table, screen: Screen) -> tuple[Field, ...]:
    """Return the screen's fields without the mark of a turn that nobody takes any more."""
    if table.package.at_rest is None:
        return screen.fields
    return table.package.at_rest(table.package.game.view(table.state, None), seat_names(table))


def _how(table: Table) -> str:
    names = safe_names(table)
    resigned = listed([names[seat] for seat in sorted(table.standing.resigned)])
    return _("{flag} {names} resigned, which ends the game.").format(flag=_FLAG, names=resigned)


def _ranking(table: Table, outcome: Outcome) -> Field:
    names = seat_names(table)
    seats = sorted(range(len(names)), key=lambda seat: outcome.places[seat])
    lines = (f"{ordinal_sign(outcome.places[seat])} {seat_mark(seat)} {names[seat]}" for seat in seats)
    return Field(_("Ranking: who resigned comes last"), "\n".join(lines))
