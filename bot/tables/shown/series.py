"""How a table shows the series it belongs to."""

from collections.abc import Sequence
from dataclasses import replace

from bot.rules.screen import Field, Screen
from bot.tables.model import SeriesLinkKind
from bot.tables.series import Tally, next_table_of, round_of, tally_of
from bot.tables.shown.story import seat_names
from bot.tables.table import Table
from bot.words import N_, game_over_title, gettext as _, join_items, ngettext, place_label, seat_emoji

_MOST_WINS = N_("Scores add up over all games, and the highest total wins. No game has counted yet.")
_FEWEST_WINS = N_("Scores add up over all games, and the lowest total wins. No game has counted yet.")


def with_tally(table: Table, screen: Screen) -> Screen:
    """Add the tally of the tournament, or a note that the game is a tie-break; a tournament's end is the headline."""
    field = series_field(table)
    if field is None:
        return screen
    if final := final_tally_of(table):
        winners = [seat for seat, place in enumerate(final.places) if place == 1]
        title = game_over_title(tournament_name(table), [seat_names(table)[seat] for seat in winners])
        screen = replace(screen, title=title, accent=winners[0])
    return replace(screen, fields=(*screen.fields, field))


def final_tally_of(table: Table) -> Tally | None:
    """Return the tally of the tournament that a table ends, or None."""
    tally = tally_of(table)
    return tally if tally and tally.is_over else None


def tournament_name(table: Table) -> str:
    """Return what a finished tournament is called."""
    return _("{game} tournament").format(game=table.package.game.info.title)


def series_field(table: Table) -> Field | None:
    """Return the field that describes the table's series, if it belongs to one."""
    if tally := tally_of(table):
        # The picture shows the final tally.
        is_beside_picture = table.outcome is not None and not tally.is_over
        return Field(_tally_title(tally), "\n".join(_tally_lines(table, tally)), is_beside_picture)
    if table.header.link is not None and table.header.link.kind is SeriesLinkKind.TIE_BREAK:
        return Field(_("Tie-break"), _("Played by those who tied. If they tie again, they share the win."))
    if table.kind.is_arranged and table.header.link is not None:
        number = round_of(table.header.link.part)
        title = _("Tournament {id} · round {number}").format(id=table.header.link.first_id, number=number)
        return Field(title, _("`/tournament show` tells how it stands. Hints are off."), is_beside_picture=False)
    return None


def series_title(table: Table) -> str:
    """Return what game of its series a table is, or an empty string."""
    field = series_field(table)
    return "" if field is None or field.is_beside_picture else field.title


def _tally_title(tally: Tally) -> str:
    if tally.is_over:
        return _("Tournament · final tally after game {part} of {games}").format(part=tally.part, games=tally.games)
    return _("Tournament · game {part} of {games}").format(part=tally.part, games=tally.games)


def _tally_lines(table: Table, tally: Tally) -> list[str]:
    """Return the sums of all seats by place, and at the end the winners."""
    if tally.part == 1 and table.outcome is None:
        return [_(_FEWEST_WINS if table.package.score_kind.lower_is_better else _MOST_WINS)]
    names, score = seat_names(table), table.package.score_kind
    seats = sorted(range(len(names)), key=lambda seat: (tally.places[seat], seat))
    sums = [score.format_score(each) for each in tally.sums]
    lines = [f"{place_label(tally.places[seat])} {seat_emoji(seat)} {names[seat]} · **{sums[seat]}**" for seat in seats]
    return (
        [_winner_line([names[seat] for seat in seats if tally.places[seat] == 1]), *lines] if tally.is_over else lines
    )


def _winner_line(winners: Sequence[str]) -> str:
    """Name the winners of the tournament, who need not have won its last game."""
    line = ngettext("🏆 {names} wins the tournament.", "🏆 {names} share the tournament.", len(winners))
    return line.format(names=join_items(winners))


def next_table_label(table: Table) -> str:
    """Return the label of the button that opens the next table, or an empty string if there is none."""
    sequel = next_table_of(table)
    if sequel is None:
        return ""
    if sequel.link.kind is SeriesLinkKind.TIE_BREAK:
        return _("Tie-break")
    tally = tally_of(table)
    return _("Next game: {part} of {games}").format(part=sequel.link.part, games=tally.games if tally else 0)
