"""Results and player statistics as text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.features.results.model import FinishedTable, GameStats, PlayerStats
from bot.features.results.ratings import DAILY_GAMES_OF_PAIR, PROVISIONAL_GAMES, NotRated, Rating, RatingChange
from bot.features.results.service import RatingOutcome
from bot.rules.package import ScoreKind
from bot.tables.control_entries import TableEndReason
from bot.tables.model import Company, Departure, Result
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escape_name, with_link
from bot.tables.shown.story import HINT
from bot.tables.shown.words import name_with_level, title_of
from bot.words import N_, NO_BREAK_SPACE, format_number, gettext as _, join_items, ngettext, place_label

COMPANY_NAMES: Mapping[Company, str] = {
    Company.PEOPLE: N_("Between people"),
    Company.COMPUTERS: N_("Against computers"),
    Company.ALONE: N_("Alone"),
}


_DEPARTURE_MARKS: Mapping[Departure | None, str] = {None: "", Departure.RESIGNED: "🏳️", Departure.SUBSTITUTED: "🤖"}
"""Marks after the names of players who left before the end."""


def score_line(company: Company, stats: PlayerStats, kind: ScoreKind) -> str:
    """Return a person's main statistics for a game and company, short enough for one line on a phone."""
    best = stats.best(lower_is_better=kind.lower_is_better)
    if company.is_solo:
        parts = [_("average {points}").format(points=format_number(round(stats.average, 1))), game_count(stats)]
        if best is not None:
            parts.insert(0, _("best **{score}**").format(score=kind.format_score(best)))
        return " · ".join(parts)
    won = _("wins: **{wins}** of {games}").format(wins=format_number(stats.wins), games=format_number(stats.games))
    return won if best is None else won + " · " + _("best {score}").format(score=kind.format_score(best))


def describe_stats(stats: Iterable[GameStats], kind: ScoreKind) -> str:
    """Return all of a person's statistics for a game, one line per company."""
    companies = list(Company)
    return "\n".join(
        _stats_line(of_company, kind)
        for of_company in sorted(stats, key=lambda of_company: companies.index(of_company.company))
    )


def _stats_line(game_stats: GameStats, kind: ScoreKind) -> str:
    stats, company, parts = game_stats.stats, game_stats.company, []
    if stats.games:
        parts.append(score_line(company, stats, kind))
    if stats.games and not company.is_solo:
        if stats.shared_wins:
            shared = ngettext("{count} win shared", "{count} wins shared", stats.shared_wins)
            parts.append(shared.format(count=format_number(stats.shared_wins)))
        # Where lower scores are better, their sum means nothing.
        if not kind.lower_is_better:
            parts.append(_("{points} in all").format(points=kind.format_score(stats.points)))
    if game_stats.with_hints:
        parts.append(hinted_count(game_stats.with_hints))
    return " · ".join((_(COMPANY_NAMES[company]), *parts))


def hinted_count(count: int) -> str:
    """Return the number of games played with hints, in words."""
    return ngettext("{count} game with hints", "{count} games with hints", count).format(count=format_number(count))


def score_of(result: Result, kind: ScoreKind) -> str:
    """Return the score of a seat as text, or an empty string if a resignation ended the table before scoring."""
    return "" if result.reason == TableEndReason.RESIGNED.value else kind.format_score(result.score)


def table_title(table: FinishedTable, games: Mapping[str, AnyPackage]) -> str:
    """Return the title of a table's game, as a link to the table if there is one."""
    return with_link(title_of(games, table.results[0].game), table.location, table.message_id)


def medal(result: Result) -> str:
    """Return the emoji for a result's place; solo games have none."""
    return "▫️" if result.company.is_solo else place_label(result.place)


def result_line(result: Result, name: str, kind: ScoreKind) -> str:
    """Return a seat's place, name and score, joined by non-breaking spaces."""
    if result.level is None:
        name = f"**{escape_name(name)}**"
    else:
        name = name_with_level(name, result.level).replace(" ", NO_BREAK_SPACE)
    mark = _DEPARTURE_MARKS[result.departure]
    score = score_of(result, kind).replace(" ", NO_BREAK_SPACE)
    hint = HINT if result.used_hints else ""
    return NO_BREAK_SPACE.join(filter(None, (medal(result), name, mark, hint, score)))


def game_count(stats: PlayerStats) -> str:
    """Return the number of games with the unit."""
    return ngettext("{count} game", "{count} games", stats.games).format(count=format_number(stats.games))


_FEW: Final = 3
"""The most people whose new ratings are shown; with more, there is room for the changes only."""

_REASONS: Mapping[NotRated, str] = {
    NotRated.COMPUTER: N_("📊 Not rated (computers: {rivals})"),
    NotRated.HINTS: N_("📊 Not rated: hints were used."),
    NotRated.SUBSTITUTE: N_("📊 Not rated: a computer stood in."),
    NotRated.EARLY_RESIGNATION: N_("📊 Not rated: someone left very early."),
    NotRated.REPEATED_PAIR: N_("📊 Not rated: only {count} a day for each pair."),
}
"""Reasons not listed here surprise nobody: a direct message, or no opponent."""


def rating_line(outcome: RatingOutcome | None, names: Sequence[str], rivals: str) -> str:
    """Return how a table changed ratings, or why it did not; an empty text if unknown or obvious.

    Args:
        outcome: The table's effect.
        names: The names of the seats.
        rivals: The computer players at the table in words, with their levels.
    """
    if not outcome:
        return ""
    if isinstance(outcome, NotRated):
        count = format_number(DAILY_GAMES_OF_PAIR)
        return _(_REASONS[outcome]).format(count=count, rivals=rivals) if outcome in _REASONS else ""
    most, played = format_number(PROVISIONAL_GAMES), {change.after.games for change in outcome}
    if all(change.after.is_provisional for change in outcome):
        if len(played) == 1:
            line = ngettext(
                "📊 Rating after {most} game: {count} done",
                "📊 Rating after {most} games: {count} done",
                PROVISIONAL_GAMES,
            )
            return line.format(most=most, count=format_number(played.pop()))
        counts = [f"{names[change.seat]} {format_number(change.after.games)}" for change in outcome]
        line = ngettext(
            "📊 Rating after {most} game: {counts}", "📊 Rating after {most} games: {counts}", PROVISIONAL_GAMES
        )
        return line.format(most=most, counts=join_items(counts))
    return _("📊 {changes}").format(
        changes=" · ".join(_tell_change(change, names, is_short=len(outcome) > _FEW) for change in outcome)
    )


def _tell_change(change: RatingChange, names: Sequence[str], *, is_short: bool) -> str:
    """Return a person's new rating and by how much it has changed, or how many rated games they have played."""
    name, after = names[change.seat], change.after
    if after.is_provisional:
        line = ngettext("{name}: {count} of {most} game", "{name}: {count} of {most} games", PROVISIONAL_GAMES)
        return line.format(name=name, count=format_number(after.games), most=format_number(PROVISIONAL_GAMES))
    points = format_number(abs(change.points))
    moved = f"↑ {points}" if change.points > 0 else f"↓ {points}" if change.points < 0 else "±0"
    return " ".join((name, *([] if is_short else [format_number(after.shown)]), moved))


def format_rating(rating: Rating) -> str:
    """Return a rating, with a question mark while it is provisional."""
    return mark_provisional(rating.shown, is_provisional=rating.is_provisional)


def mark_provisional(shown: int, *, is_provisional: bool) -> str:
    """Return a rating's number, with a question mark if it is provisional."""
    return f"{format_number(shown)}{'?' if is_provisional else ''}"


def provisional_note() -> str:
    """Return the meaning of the question mark."""
    line = ngettext(
        "? marks ratings after fewer than {count} game.",
        "? marks ratings after fewer than {count} games.",
        PROVISIONAL_GAMES,
    )
    return line.format(count=format_number(PROVISIONAL_GAMES))
