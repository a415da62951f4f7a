"""What somebody's games come to, in words."""

from collections.abc import Mapping

from bot.community.model import Figures, GameFigures, PlayedTable
from bot.rules.package import GamePackage, ScoreKind
from bot.tables.controls import TableEnd
from bot.tables.model import Company, Departure, Result
from bot.ui.render.game_names import title_of
from bot.ui.render.links import link_to, safe
from bot.words import N_, UNBROKEN, gettext as _, ngettext, number, ordinal_sign

COMPANIES: Mapping[Company, str] = {
    Company.PEOPLE: N_("Between people"),
    Company.COMPUTERS: N_("Against computers"),
    Company.ALONE: N_("Alone"),
}


_MARKS: Mapping[Departure | None, str] = {None: "", Departure.RESIGNED: "🏳️", Departure.SUBSTITUTED: "🤖"}
"""What stands behind the name of somebody who did not play to the end."""


def score_line(company: Company, figures: Figures, kind: ScoreKind) -> str:
    """Write what counts among games of a company, short enough for one line on a phone."""
    best = _best(figures, kind)
    if company is Company.ALONE:
        average = _("average {points}").format(points=number(round(figures.average, 1)))
        return " · ".join((*(_("best **{score}**").format(score=score) for score in best), average, _games(figures)))
    won = _("**{wins}** of {games} won").format(wins=number(figures.wins), games=number(figures.games))
    return " · ".join((won, *(_("best {score}").format(score=score) for score in best)))


def full_line(own: GameFigures, kind: ScoreKind) -> str:
    """Write all there is to somebody's games of one kind."""
    figures = own.figures
    score = score_line(own.company, figures, kind)
    line = _("{company}: {score}").format(company=_(COMPANIES[own.company]), score=score)
    if own.company is Company.ALONE:
        return line
    if figures.shared_wins:
        shared = ngettext("{count} win shared", "{count} wins shared", figures.shared_wins)
        line = f"{line} · {shared.format(count=number(figures.shared_wins))}"
    # A sum of scores says nothing where less is better.
    return line if kind.lower_is_better else f"{line} · {kind.told(figures.points)}"


def _best(figures: Figures, kind: ScoreKind) -> tuple[str, ...]:
    """Write the best score, if there is any."""
    best = figures.lowest if kind.lower_is_better else figures.highest
    return () if best is None else (kind.told(best),)


def score_of(result: Result, kind: ScoreKind) -> str:
    """Write the score of a seat; empty where resignations ended the table, which nobody has scored at."""
    return "" if result.reason == TableEnd.RESIGNED.value else kind.told(result.score)


def table_title(played: PlayedTable, games: Mapping[str, GamePackage]) -> str:
    """Write which game was played at a table, as a link to it."""
    return f"[{title_of(games, played.results[0].game)}]({link_to(played.place, played.message_id)})"


def medal(result: Result) -> str:
    """Write the place a seat came in; who was alone has none."""
    return "▫️" if result.company is Company.ALONE else ordinal_sign(result.place)


def ranked(result: Result, kind: ScoreKind) -> str:
    """Write a seat's place, name and score, which no line break parts."""
    name = safe(result.name) if result.user_id is None else f"**{safe(result.name)}**"
    mark = _MARKS[result.departure] if result.user_id is not None else "🤖"
    score = score_of(result, kind).replace(" ", UNBROKEN)
    return UNBROKEN.join(filter(None, (medal(result), name, mark, score)))


def _games(figures: Figures) -> str:
    return ngettext("{count} game", "{count} games", figures.games).format(count=number(figures.games))
