"""What somebody's games come to, in words."""

from collections.abc import Mapping

from bot.community.model import FinishedTable, GameStats, PlayerStats
from bot.rules.package import ScoreKind
from bot.tables.controls import TableEndReason
from bot.tables.model import Company, Departure, Result
from bot.tables.registry import AnyPackage
from bot.ui.render.game_names import title_of
from bot.ui.render.links import escape_name, message_link
from bot.words import N_, NO_BREAK_SPACE, format_number, gettext as _, ngettext, place_label

COMPANY_NAMES: Mapping[Company, str] = {
    Company.PEOPLE: N_("Between people"),
    Company.COMPUTERS: N_("Against computers"),
    Company.ALONE: N_("Alone"),
}


_DEPARTURE_MARKS: Mapping[Departure | None, str] = {None: "", Departure.RESIGNED: "🏳️", Departure.SUBSTITUTED: "🤖"}
"""What stands behind the name of somebody who did not play to the end."""


def score_line(company: Company, figures: PlayerStats, kind: ScoreKind) -> str:
    """Write what counts among games of a company, short enough for one line on a phone."""
    best = _best(figures, kind)
    if company is Company.ALONE:
        average = _("average {points}").format(points=format_number(round(figures.average, 1)))
        return " · ".join(
            (*(_("best **{score}**").format(score=score) for score in best), average, _game_count(figures))
        )
    won = _("**{wins}** of {games} won").format(wins=format_number(figures.wins), games=format_number(figures.games))
    return " · ".join((won, *(_("best {score}").format(score=score) for score in best)))


def full_line(own: GameStats, kind: ScoreKind) -> str:
    """Write all there is to somebody's games of one kind."""
    figures = own.stats
    score = score_line(own.company, figures, kind)
    line = _("{company}: {score}").format(company=_(COMPANY_NAMES[own.company]), score=score)
    if own.company is Company.ALONE:
        return line
    if figures.shared_wins:
        shared = ngettext("{count} win shared", "{count} wins shared", figures.shared_wins)
        line = f"{line} · {shared.format(count=format_number(figures.shared_wins))}"
    # A sum of scores says nothing where less is better.
    return line if kind.lower_is_better else f"{line} · {kind.format_score(figures.points)}"


def _best(figures: PlayerStats, kind: ScoreKind) -> tuple[str, ...]:
    """Write the best score, if there is any."""
    best = figures.lowest if kind.lower_is_better else figures.highest
    return () if best is None else (kind.format_score(best),)


def score_of(result: Result, kind: ScoreKind) -> str:
    """Write the score of a seat; empty where resignations ended the table, which nobody has scored at."""
    return "" if result.reason == TableEndReason.RESIGNED.value else kind.format_score(result.score)


def table_title(played: FinishedTable, games: Mapping[str, AnyPackage]) -> str:
    """Write which game was played at a table, as a link to it."""
    return f"[{title_of(games, played.results[0].game)}]({message_link(played.place, played.message_id)})"


def medal(result: Result) -> str:
    """Write the place a seat came in; who was alone has none."""
    return "▫️" if result.company is Company.ALONE else place_label(result.place)


def result_line(result: Result, kind: ScoreKind) -> str:
    """Write a seat's place, name and score, which no line break parts."""
    name = escape_name(result.name) if result.user_id is None else f"**{escape_name(result.name)}**"
    mark = _DEPARTURE_MARKS[result.departure] if result.user_id is not None else "🤖"
    score = score_of(result, kind).replace(" ", NO_BREAK_SPACE)
    return NO_BREAK_SPACE.join(filter(None, (medal(result), name, mark, score)))


def _game_count(figures: PlayerStats) -> str:
    return ngettext("{count} game", "{count} games", figures.games).format(count=format_number(figures.games))
