"""Series: tables that follow each other in a tournament or to break a tie."""

from dataclasses import dataclass

from bot.platform.places import Person
from bot.rules.game import Options, Outcome, Seat
from bot.rules.refusals import Refusal
from bot.tables.control_entries import TableEndReason, rank_resigned_last
from bot.tables.lobby import renew_contributions
from bot.tables.model import Occupant, SeriesLink, SeriesLinkKind
from bot.tables.refusals import HostReason, TableFacts
from bot.tables.registry import AnyPackage, AnySeries, usual_level
from bot.tables.table import Table
from bot.tables.turns import require_finished_seat


@dataclass(frozen=True, slots=True)
class Tally:
    """The running score of a tournament."""

    part: int
    """The table's number in the tournament, from 1."""
    games: int
    sums: tuple[int, ...]
    """Each seat's total score, this game included once it is finished."""
    places: tuple[int, ...]
    is_over: bool
    """Whether this was the last game."""


@dataclass(frozen=True, slots=True)
class NextTable:
    """The table that can follow a finished one."""

    link: SeriesLink
    seats: tuple[Seat, ...]
    """The seats of the finished table that play the next one, in order."""
    options: Options


def tally_of(table: Table) -> Tally | None:
    """Return the running score of a table's tournament, or None outside a tournament."""
    series = table.package.results.series
    if series is None or not _is_tournament(table, series):
        return None
    outcome = table.outcome
    scores = outcome.scores if outcome else (0,) * len(table.seats)
    sums = tuple(map(sum, zip(_carried_scores(table), scores, strict=True)))
    is_over = outcome is not None and next_table_of(table) is None
    places = series.rank_seats(sums)
    if table.seat_status.resigned and is_over:
        places = rank_resigned_last(
            Outcome(places, sums, TableEndReason.RESIGNED), table.seat_status.resigned, len(sums)
        ).places
    return Tally(part_of(table), series.count_games(table.options), sums, places, is_over)


def part_of(table: Table) -> int:
    """Return a table's number in its series, from 1."""
    return table.header.link.part if table.header.link else 1


_BOARDS, _ATTEMPTS = 100, 1000


def pairing_part(round_number: int, board: int, attempt: int) -> int:
    """Return the part of a pairing's table, which combines round, board and attempt in one number."""
    return (round_number * _BOARDS + board) * _ATTEMPTS + attempt


def round_of(part: int) -> int:
    """Return the round of a pairing's part."""
    return part // (_BOARDS * _ATTEMPTS)


def next_table_of(table: Table) -> NextTable | None:
    """Return the table that can follow a finished one; None after a resignation."""
    series, outcome = table.package.results.series, table.outcome
    if series is None or outcome is None or table.seat_status.resigned:
        return None
    if _is_tournament(table, series):
        if part_of(table) >= series.count_games(table.options):
            return None
        first_id = table.header.link.first_id if table.header.link else table.id
        carried = tuple(map(sum, zip(_carried_scores(table), outcome.scores, strict=True)))
        link = SeriesLink(first_id, SeriesLinkKind.TOURNAMENT, part_of(table) + 1, carried)
        return NextTable(link, tuple(range(len(table.seats))), table.options)
    if table.header.link is None and len(outcome.winners) > 1:
        link = SeriesLink(table.id, SeriesLinkKind.TIE_BREAK, 2)
        return NextTable(link, outcome.winners, series.tie_break_options(table.options))
    return None


def single_game(package: AnyPackage, options: Options) -> Options:
    """Return options for a single game: the game's defaults instead of options for several games at one table."""
    is_series = package.results.series is not None and package.results.series.count_games(options) > 1
    return type(options)() if is_series else options


def _is_tournament(table: Table, series: AnySeries) -> bool:
    return series.count_games(table.options) > 1 and not table.kind.is_arranged


def _carried_scores(table: Table) -> tuple[int, ...]:
    link = table.header.link
    return link.carried if link and link.carried else (0,) * len(table.seats)


def continue_series(table: Table, person: Person, click_id: int) -> tuple[NextTable, tuple[Occupant, ...]]:
    """Return the next table of the series and its occupants; its people contribute this click to the salt.

    A computer player keeps the seat of a person whom a moderator has removed.
    """
    seat = require_finished_seat(table, person)
    next_table = next_table_of(table)
    if next_table is None:
        raise Refusal(HostReason.NOTHING_FOLLOWS, TableFacts(table))
    if seat not in next_table.seats:
        raise Refusal(HostReason.NOT_TIED, TableFacts(table))
    computer = Occupant(level=usual_level(table.package))
    occupants = (computer if seat in table.seat_status.removed else table.seats[seat] for seat in next_table.seats)
    return next_table, renew_contributions(occupants, click_id)
