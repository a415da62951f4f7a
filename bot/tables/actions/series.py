"""Series: tables that follow one another, in a tournament or to break a tie."""

from dataclasses import dataclass, replace

from bot.rules.game import Options, Seat
from bot.rules.outcome import Outcome
from bot.rules.refusals import Refusal
from bot.tables.actions.lobby import require_finished_seat
from bot.tables.controls import TableEndReason, rank_resigned_last
from bot.tables.model import Occupant, Person, SeriesLink, SeriesLinkKind
from bot.tables.refusal_facts import TableFacts
from bot.tables.refusals import HostReason
from bot.tables.registry import AnySeries
from bot.tables.table import Table


@dataclass(frozen=True, slots=True)
class Tally:
    """How a tournament stands."""

    part: int
    """Which game of it the table is."""
    games: int
    sums: tuple[int, ...]
    """What each seat has scored, this game included once it is finished."""
    places: tuple[int, ...]
    is_over: bool
    """Whether no game follows."""


@dataclass(frozen=True, slots=True)
class NextTable:
    """The table that may follow a finished one."""

    link: SeriesLink
    seats: tuple[Seat, ...]
    """The seats of the finished table that go on."""
    options: Options


def tally_of(table: Table) -> Tally | None:
    """Return how the tournament stands that a table belongs to, if it does."""
    series = table.package.series
    if series is None or not _is_tournament(table, series):
        return None
    outcome = table.outcome
    scores = outcome.scores if outcome else (0,) * len(table.seats)
    sums = tuple(map(sum, zip(_carried(table), scores, strict=True)))
    is_over = outcome is not None and next_table_of(table) is None
    places = series.rank_seats(sums)
    if table.seat_status.resigned and is_over:
        places = rank_resigned_last(
            Outcome(places, sums, TableEndReason.RESIGNED), table.seat_status.resigned, len(sums)
        ).places
    return Tally(part_of(table), series.count_games(table.options), sums, places, is_over)


def part_of(table: Table) -> int:
    """Return which table of its series a table is."""
    return table.header.link.part if table.header.link else 1


def next_table_of(table: Table) -> NextTable | None:
    """Return what may follow a finished table; nothing once somebody has resigned."""
    series, outcome = table.package.series, table.outcome
    if series is None or outcome is None or table.seat_status.resigned:
        return None
    if _is_tournament(table, series):
        return _next_game(table, outcome.scores) if part_of(table) < series.count_games(table.options) else None
    if table.header.link is None and len(outcome.winners) > 1:
        link = SeriesLink(table.id, SeriesLinkKind.TIE_BREAK, 2)
        return NextTable(link, outcome.winners, series.tie_break_options(table.options))
    return None


def _is_tournament(table: Table, series: AnySeries) -> bool:
    return series.count_games(table.options) > 1


def _carried(table: Table) -> tuple[int, ...]:
    link = table.header.link
    return link.carried if link and link.carried else (0,) * len(table.seats)


def _next_game(table: Table, scores: tuple[int, ...]) -> NextTable:
    first_id = table.header.link.first_id if table.header.link else table.id
    carried = tuple(map(sum, zip(_carried(table), scores, strict=True)))
    link = SeriesLink(first_id, SeriesLinkKind.TOURNAMENT, part_of(table) + 1, carried)
    return NextTable(link, tuple(range(len(table.seats))), table.options)


def continue_series(table: Table, person: Person, click_id: int) -> tuple[NextTable, tuple[Occupant, ...]]:
    """Return what follows a finished table and who sits there; people have contributed nothing to it but this click."""
    seat = require_finished_seat(table, person)
    sequel = next_table_of(table)
    if sequel is None:
        raise Refusal(HostReason.NOTHING_FOLLOWS, TableFacts(table))
    if seat not in sequel.seats:
        raise Refusal(HostReason.NOT_TIED, TableFacts(table))
    occupants = (table.seats[each] for each in sequel.seats)
    return sequel, tuple(who if who.is_computer else replace(who, contribution=str(click_id)) for who in occupants)
