"""What a profile tells of a person besides totals and tables: in words, and for their card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.features.badges.book import count_badges
from bot.features.profiles.model import GameStats, PersonRecord, Profile, SoloScores
from bot.features.profiles.result_text import hinted_count
from bot.features.results.rating_line import format_rating
from bot.features.results.rating_model import PersonRating
from bot.rules.badges import Badge
from bot.tables.registry import AnyPackage
from bot.tables.seat_result import Company, Result
from bot.tables.shown.game_names import score_kind_of, title_of
from bot.words import N_, format_number, gettext as _, join_items, ngettext

_SHORT_STREAK: Final = 2
"""A longest streak below this is no record."""

_MOST_RECORDS: Final = 2

MOST_MEDALS: Final = 6
"""How many badges a card shows."""


class Form(Enum):
    """How a game went for a person; the value is its sign in texts."""

    WON = "✅"
    SHARED = "🤝"
    LOST = "❌"
    ALONE = "▫️"


FORM_NAMES: Final[Mapping[Form, str]] = {
    Form.WON: N_("won"),
    Form.SHARED: N_("shared win"),
    Form.LOST: N_("lost"),
    Form.ALONE: N_("played alone"),
}


@dataclass(frozen=True, slots=True)
class GameLine:
    """What a person has done in a game, whoever they played with."""

    game: str
    games: int
    """How many they have played without hints."""
    wins: int | None
    """None in a solo game."""
    with_hints: int = 0
    """How many they have played with hints besides."""


def form_of(result: Result) -> Form:
    """Return how a game went."""
    if result.company.is_solo:
        return Form.ALONE
    if result.place != 1:
        return Form.LOST
    return Form.SHARED if result.is_shared else Form.WON


def game_lines(record: PersonRecord) -> tuple[GameLine, ...]:
    """Return what a person has done in each game, most played first."""
    lines = []
    for game in sorted({each.game for each in record.stats}):
        of_game = [each for each in record.stats if each.game == game]
        together = [each for each in of_game if not each.company.is_solo]
        wins = sum(each.stats.wins for each in together) if together else None
        with_hints = sum(each.with_hints for each in of_game)
        lines.append(GameLine(game, sum(each.stats.games for each in of_game), wins, with_hints))
    return tuple(sorted(lines, key=lambda line: (-line.games - line.with_hints, line.game)))


def rating_of(record: PersonRecord, game: str) -> PersonRating | None:
    """Return a person's rating at a game, if they have one."""
    return next((each for each in record.ratings if each.game == game), None)


def ratings_by_use(record: PersonRecord) -> tuple[PersonRating, ...]:
    """Return a person's ratings: that of their favourite game first, then those with the most games."""
    favourite = record.favourite_game
    return tuple(sorted(record.ratings, key=lambda each: (each.game != favourite, -each.rating.games, each.game)))


def solo_line(record: PersonRecord, solo: SoloScores, games: Mapping[str, AnyPackage]) -> str:
    """Return a person's best score in a solo game, and the average of the newest."""
    kind = score_kind_of(games, solo.game)
    alone = next(
        (each.stats for each in record.stats if each.game == solo.game and each.company is Company.ALONE), None
    )
    best = None if alone is None else alone.best(lower_is_better=kind.lower_is_better)
    average = ngettext(
        "{average} in the last game", "{average} on average in the last {count} games", solo.games
    ).format(count=format_number(solo.games), average=format_number(round(solo.average, 1)))
    return (
        average if best is None else _("best {score}, {average}").format(score=kind.format_score(best), average=average)
    )


def record_lines(record: PersonRecord, games: Mapping[str, AnyPackage]) -> tuple[str, ...]:
    """Return a person's records against people by game: the most wins in a row, and how many it is now."""
    together = [each for each in record.stats if each.company is Company.PEOPLE]
    return tuple(
        _streak_line(each, games)
        for each in sorted(together, key=lambda each: (-each.longest_streak, each.game))
        if each.longest_streak >= _SHORT_STREAK
    )[:_MOST_RECORDS]


def _streak_line(stats: GameStats, games: Mapping[str, AnyPackage]) -> str:
    if stats.streak == stats.longest_streak:
        line = _("{game}: {count} wins in a row, up to now")
    elif stats.streak >= _SHORT_STREAK:
        line = _("{game}: {count} wins in a row, {present} now")
    else:
        line = _("{game}: {count} wins in a row")
    return line.format(
        game=title_of(games, stats.game),
        count=format_number(stats.longest_streak),
        present=format_number(stats.streak),
    )


def fact_lines(profile: Profile, games: Mapping[str, AnyPackage]) -> Sequence[str]:
    """Return what a profile tells in words where it has no card."""
    record = profile.record
    lines = []
    if record.favourite_game is not None:
        lines.append(_("❤️ Favourite game: **{game}**").format(game=title_of(games, record.favourite_game)))
    if record.ratings:
        ratings = ", ".join(_rating_text(each, games) for each in ratings_by_use(record))
        lines.append(_("📊 Ratings: {ratings}").format(ratings=ratings))
    lines += [
        _("🎲 {game}: {scores}").format(game=title_of(games, solo.game), scores=solo_line(record, solo, games))
        for solo in record.solo_scores
    ]
    if record.form:
        signs = "".join(form_of(result).value for result in record.form)
        lines.append(_("Form: {signs} (newest first)").format(signs=signs))
    if records := record_lines(record, games):
        lines.append(_("🏅 Records: {records}").format(records=" · ".join(records)))
    return lines


def _rating_text(each: PersonRating, games: Mapping[str, AnyPackage]) -> str:
    return f"{title_of(games, each.game)} **{format_rating(each.rating)}**"


def describe_profile(name: str, profile: Profile, games: Mapping[str, AnyPackage], badges: Sequence[Badge]) -> str:
    """Return the alternative text of a card: all that is on it."""
    record = profile.record
    sentences = [_("Profile of {name}.").format(name=name)]
    if badges:
        sentences.append(_describe_badges(badges, games))
    if record.favourite_game is not None:
        sentences.append(_("Favourite game: {game}.").format(game=title_of(games, record.favourite_game)))
    sentences += [_describe_rating(each, games) for each in ratings_by_use(record)]
    sentences += [
        _("{game}: {scores}.").format(game=title_of(games, solo.game), scores=solo_line(record, solo, games))
        for solo in record.solo_scores
    ]
    if record.form:
        form = ", ".join(_(FORM_NAMES[form_of(result)]) for result in record.form)
        sentences.append(_("The last games, newest first: {form}.").format(form=form))
    if records := record_lines(record, games):
        sentences.append(_("Records: {records}.").format(records="; ".join(records)))
    sentences += [f"{line_text(line, games)}." for line in game_lines(record)]
    return " ".join(sentences)


def _describe_badges(badges: Sequence[Badge], games: Mapping[str, AnyPackage]) -> str:
    names = join_items([_(badge.name) for badge in badges[:MOST_MEDALS]])
    line = _("{count} of {total} badges, newest first: {names}.")
    return line.format(count=format_number(len(badges)), total=format_number(count_badges(games)), names=names)


def _describe_rating(each: PersonRating, games: Mapping[str, AnyPackage]) -> str:
    count = ngettext("after {count} rated game", "after {count} rated games", each.rating.games).format(
        count=format_number(each.rating.games)
    )
    line = _("Rating in {game}: {rating} {count}")
    text = line.format(game=title_of(games, each.game), rating=format_number(each.rating.shown), count=count)
    if each.rating.is_provisional:
        text = _("{rating}, provisional").format(rating=text)
    shown = [point.shown for point in each.curve]
    if len(shown) > 1:
        span = _("the curve lies between {least} and {most}")
        text = f"{text}, {span.format(least=format_number(min(shown)), most=format_number(max(shown)))}"
    return f"{text}."


def line_text(line: GameLine, games: Mapping[str, AnyPackage]) -> str:
    """Return what a person has done in a game, in a few words."""
    return _("{game}: {figures}").format(game=title_of(games, line.game), figures=line_figures(line))


def line_figures(line: GameLine) -> str:
    """Return how often a person has played and won; games with hints are told where there are no others."""
    if line.with_hints and not line.games:
        return hinted_count(line.with_hints)
    count = format_number(line.games)
    if line.wins is None:
        return ngettext("{count} game", "{count} games", line.games).format(count=count)
    return _("{wins} of {games} won").format(wins=format_number(line.wins), games=count)
