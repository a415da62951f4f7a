"""The figures of a leaderboard's rows, for the board in words, its picture and its alternative text."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.features.boards.model import BoardOrder, PlayerStats, Standing
from bot.features.profiles.model import Leaderboard
from bot.features.profiles.result_text import COMPANY_NAMES, game_count
from bot.features.results.rating_line import mark_provisional, provisional_note
from bot.rules.package import ScoreKind
from bot.tables.seat_result import Company
from bot.words import N_, format_number, gettext as _, ngettext

ORDER_NAMES: Mapping[BoardOrder, str] = {
    BoardOrder.RATING: N_("Rating"),
    BoardOrder.WINS: N_("Wins"),
    BoardOrder.POINTS: N_("Points"),
    BoardOrder.BEST: N_("Best score"),
}

_LEADS: Mapping[BoardOrder, str] = {
    BoardOrder.RATING: N_("highest rating first"),
    BoardOrder.WINS: N_("most wins first, then best win rate"),
    BoardOrder.POINTS: N_("most points in all games together first"),
    BoardOrder.BEST: N_("best score first, then best average"),
}


class Figures(NamedTuple):
    """What a row tells of a person."""

    main: str
    """What they are ranked by."""
    rest: str


def figures_of(row: Standing, by: BoardOrder, kind: ScoreKind) -> Figures:
    """Return the figures of a row."""
    stats = row.stats
    match by:
        case BoardOrder.RATING if row.rating is not None:
            return Figures(
                mark_provisional(row.rating.shown, is_provisional=row.rating.is_provisional), _won_text(stats)
            )
        case BoardOrder.POINTS:
            return Figures(kind.format_score(stats.points), game_count(stats))
        case BoardOrder.BEST:
            best = stats.best(lower_is_better=kind.lower_is_better)
            average = _("average {points}").format(points=format_number(round(stats.average, 1)))
            return Figures("" if best is None else kind.format_score(best), f"{average} · {game_count(stats)}")
        case _:
            wins = ngettext("{count} win", "{count} wins", stats.wins).format(count=format_number(stats.wins))
            return Figures(wins, game_count(stats))


def _won_text(stats: PlayerStats) -> str:
    return _("{wins} of {games} won").format(wins=format_number(stats.wins), games=format_number(stats.games))


def board_heading(board: Leaderboard, *, has_companies: bool) -> str:
    """Return what a board ranks by, and whom if the game has several boards."""
    order = _(ORDER_NAMES[board.key.by])
    return f"{order} · {_(COMPANY_NAMES[board.key.company]).lower()}" if has_companies else order


def order_note(board: Leaderboard) -> str:
    """Return the order of a board, and what marks mean that are on it."""
    lead = f"{_(COMPANY_NAMES[board.key.company])}: {_(_LEADS[board.key.by])}."
    notes = [lead]
    if board.key.by is BoardOrder.WINS and board.key.company is Company.PEOPLE:
        notes.append(_("A shared win counts as a win."))
    if has_provisional(board.key.by, (*board.rows, *((board.own,) if board.own is not None else ()))):
        notes.append(provisional_note())
    return " ".join(notes)


def has_provisional(by: BoardOrder, rows: Sequence[Standing]) -> bool:
    """Return whether a provisional rating is shown."""
    return by is BoardOrder.RATING and any(row.rating is not None and row.rating.is_provisional for row in rows)
