"""The profile card: rating curves, form, records and totals, with the favourite game largest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Final

from bot.features.badges.messages import count_badges, medal_marks
from bot.features.profiles.model import PersonRecord, Profile, SoloScores
from bot.features.results.messages import format_rating, hinted_count
from bot.features.results.ratings import NEW, PersonRating
from bot.reading_order import in_reading_order, whole_in_reading_order
from bot.rules.components import cover_marks
from bot.rules.picture import FELT, PICTURE_WIDTH, Align, Box, ColourRole, Label, Mark, Picture, Rect
from bot.rules.rewards import MEDAL_AREA, Badge
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.model import Company, Result
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import drawn_name
from bot.tables.shown.race_chart import HEADING_HEIGHT, ChartWords, chart_marks
from bot.tables.shown.result_picture import fitting_size
from bot.tables.shown.words import score_kind_of, title_of
from bot.words import (
    NC_,
    format_number,
    gettext as _,
    join_groups,
    join_items,
    list_facts,
    ngettext,
    pgettext,
    truncate,
)

_SHORT_STREAK: Final = 2
"""Longest streaks below this are not shown as records."""

_MOST_RECORDS: Final = 2

MOST_MEDALS: Final = 6
"""The most badges on a card."""


class Form(Enum):
    """How a game ended for a person; the value is its sign in texts."""

    WON = "✅"
    SHARED = "🤝"
    LOST = "❌"
    ALONE = "▫️"


FORM_NAMES: Final[Mapping[Form, str]] = {
    Form.WON: NC_("outcome of a game", "won"),
    Form.SHARED: NC_("outcome of a game", "shared win"),
    Form.LOST: NC_("outcome of a game", "lost"),
    Form.ALONE: NC_("outcome of a game", "played alone"),
}


@dataclass(frozen=True, slots=True)
class GameLine:
    """A person's totals in a game, in any company."""

    game: str
    games: int
    """The number of games played without hints."""
    wins: int | None
    """None in a solo game."""
    with_hints: int = 0
    """The number of further games, played with hints."""


def form_of(result: Result) -> Form:
    """Return how a game ended for a seat's person."""
    if result.company.is_solo:
        return Form.ALONE
    if result.place != 1:
        return Form.LOST
    return Form.SHARED if result.is_shared else Form.WON


def game_lines(record: PersonRecord) -> tuple[GameLine, ...]:
    """Return a person's totals in each game, most played first."""
    lines = []
    for game in sorted({stats.game for stats in record.stats}):
        of_game = [stats for stats in record.stats if stats.game == game]
        together = [stats for stats in of_game if not stats.company.is_solo]
        wins = sum(stats.stats.wins for stats in together) if together else None
        with_hints = sum(stats.with_hints for stats in of_game)
        lines.append(GameLine(game, sum(stats.stats.games for stats in of_game), wins, with_hints))
    return tuple(sorted(lines, key=lambda line: (-line.games - line.with_hints, line.game)))


def rating_of(record: PersonRecord, game: str) -> PersonRating | None:
    """Return a person's rating at a game, if they have one."""
    return next((rating for rating in record.ratings if rating.game == game), None)


def ratings_by_use(record: PersonRecord) -> tuple[PersonRating, ...]:
    """Return a person's ratings: the favourite game's first, then those with the most games."""
    favourite = record.favourite_game
    return tuple(
        sorted(record.ratings, key=lambda rating: (rating.game != favourite, -rating.rating.games, rating.game))
    )


def solo_line(record: PersonRecord, solo: SoloScores, games: Mapping[str, AnyPackage]) -> str:
    """Return a person's best score in a solo game, and the average of the newest scores."""
    kind = score_kind_of(games, solo.game)
    alone = next(
        (of_game.stats for of_game in record.stats if of_game.game == solo.game and of_game.company is Company.ALONE),
        None,
    )
    best = None if alone is None else alone.best(lower_is_better=kind.lower_is_better)
    average = ngettext(
        "{average} in the last game", "{average} on average in the last {count} games", solo.games
    ).format(count=format_number(solo.games), average=format_number(round(solo.average, 1)))
    return (
        average if best is None else _("best {score}, {average}").format(score=kind.format_score(best), average=average)
    )


def record_lines(record: PersonRecord, games: Mapping[str, AnyPackage]) -> Sequence[str]:
    """Return a person's longest and current winning streaks against people, by game."""
    together = [stats for stats in record.stats if stats.company is Company.PEOPLE]
    lines = []
    for stats in sorted(together, key=lambda stats: (-stats.longest_streak, stats.game))[:_MOST_RECORDS]:
        if stats.longest_streak < _SHORT_STREAK:
            break
        longest = stats.longest_streak
        line = ngettext("{game}: {count} win in a row", "{game}: {count} wins in a row", longest)
        if stats.streak == longest:
            line = ngettext(
                "{game}: {count} win in a row, up to now", "{game}: {count} wins in a row, up to now", longest
            )
        elif stats.streak >= _SHORT_STREAK:
            line = ngettext(
                "{game}: {count} win in a row, {present} now", "{game}: {count} wins in a row, {present} now", longest
            )
        count, present = format_number(longest), format_number(stats.streak)
        lines.append(line.format(game=title_of(games, stats.game), count=count, present=present))
    return lines


def fact_lines(profile: Profile, games: Mapping[str, AnyPackage]) -> Sequence[str]:
    """Return the facts that stand in a profile without a card."""
    record = profile.record
    lines = []
    if record.favourite_game is not None:
        lines.append(_("❤️ Favourite game: **{game}**").format(game=title_of(games, record.favourite_game)))
    if record.ratings:
        ratings = list_facts(
            f"{title_of(games, person_rating.game)} **{format_rating(person_rating.rating)}**"
            for person_rating in ratings_by_use(record)
        )
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


def describe_profile(name: str, profile: Profile, games: Mapping[str, AnyPackage], badges: Sequence[Badge]) -> str:
    """Return the alternative text of a card: everything that it shows."""
    record = profile.record
    sentences = [_("Profile of {name}.").format(name=name)]
    if badges:
        names = join_items([_(badge.name) for badge in badges[:MOST_MEDALS]])
        line = _("Badges, newest first: {names}; {count} of {total}.")
        counts = {"count": format_number(len(badges)), "total": format_number(count_badges(games))}
        sentences.append(line.format(**counts, names=names))
    if record.favourite_game is not None:
        sentences.append(_("Favourite game: {game}.").format(game=title_of(games, record.favourite_game)))
    sentences += [_describe_rating(person_rating, games) for person_rating in ratings_by_use(record)]
    sentences += [
        _("{game}: {scores}.").format(game=title_of(games, solo.game), scores=solo_line(record, solo, games))
        for solo in record.solo_scores
    ]
    if record.form:
        form = join_items([_(FORM_NAMES[form_of(result)]) for result in record.form])
        sentences.append(_("The last games, newest first: {form}.").format(form=form))
    if records := record_lines(record, games):
        sentences.append(_("Records: {records}.").format(records=join_groups(records)))
    sentences += [
        _("{game}: {scores}.").format(game=title_of(games, line.game), scores=line_figures(line))
        for line in game_lines(record)
    ]
    return " ".join(sentences)


def _describe_rating(person_rating: PersonRating, games: Mapping[str, AnyPackage]) -> str:
    rating = person_rating.rating
    count = ngettext("{count} rated game", "{count} rated games", rating.games).format(
        count=format_number(rating.games)
    )
    details = [count, *([pgettext("rating", "provisional")] if rating.is_provisional else [])]
    shown = [point.shown for point in person_rating.curve]
    if len(shown) > 1:
        span = _("the curve lies between {least} and {most}")
        details.append(span.format(least=format_number(min(shown)), most=format_number(max(shown))))
    return _("Rating in {game}: {rating} ({details}).").format(
        game=title_of(games, person_rating.game), rating=format_number(rating.shown), details=join_groups(details)
    )


def line_figures(line: GameLine) -> str:
    """Return the numbers of games and wins; games with hints are mentioned only if there are no others."""
    if line.with_hints and not line.games:
        return hinted_count(line.with_hints)
    count = format_number(line.games)
    if line.wins is None:
        return ngettext("{count} game", "{count} games", line.games).format(count=count)
    return _("wins: {wins} of {games}").format(wins=format_number(line.wins), games=count)


_EDGE, _GAP = 28, 18
_WIDTH: Final = PICTURE_WIDTH - 2 * _EDGE
_COVER: Final = (300, 132)
_TITLE_HEIGHT: Final = 48
_LARGE_CHART, _SMALL_CHART = 210, 130
_CHIP: Final = 62
_MEDAL_GAP: Final = 10
_LINE: Final = 44
_FEWEST_POINTS: Final = 3
_MOST_GAMES: Final = 12
"""The most games with a line; there are five games."""
_TITLE_SIZES, _NAME_SIZE, _SMALL = (40, 34, 30, 26), 56, 26

_CHIPS: Final[Mapping[Form, tuple[str, ColourRole]]] = {
    Form.WON: (NC_("letter for a game that was won", "W"), ColourRole.GOOD),
    Form.SHARED: (NC_("letter for a shared win", "D"), ColourRole.GOLD),
    Form.LOST: (NC_("letter for a game that was lost", "L"), ColourRole.BAD),
    Form.ALONE: ("–", ColourRole.PAPER_SHADE),
}
"""The letter and the colour of each outcome."""


def profile_card(name: str, profile: Profile, games: Mapping[str, AnyPackage], badges: Sequence[Badge]) -> Picture:
    """Lay out the card of a person who has finished a game, section by section from the top.

    Args:
        name: The person's name.
        profile: What they have done.
        games: All games.
        badges: The person's badges, the newest first.
    """
    record = profile.record
    favourite = games.get(record.favourite_game or "")
    # Each section draws itself into the space below the previous one, and returns its lower edge.
    sections = (
        partial(_header, name, favourite, record),
        partial(_medals, badges, count_badges(games)),
        partial(_curves, record, games),
        partial(_solo, record, games),
        partial(_form, record),
        partial(_records, record, games),
        partial(_totals, record, games),
    )
    marks: list[Mark] = []
    bottom = _EDGE - _GAP
    for section in sections:
        drawn = list(section(Rect(_EDGE, bottom + _GAP, _WIDTH, 0)))
        marks += drawn
        bottom = max((mark.at.bottom for mark in drawn), default=bottom)
    picture = Picture(
        (PICTURE_WIDTH, bottom + _EDGE),
        (),
        tuple(marks),
        truncate(describe_profile(name, profile, games, badges), LONGEST_DESCRIPTION),
        FELT if favourite is None else favourite.look.surface,
    )
    return whole_in_reading_order(picture)


def _header(name: str, favourite: AnyPackage | None, record: PersonRecord, at: Rect) -> Iterator[Mark]:
    left = at.x
    if favourite is not None and favourite.look.cover is not None:
        cover = Rect(at.x + 4, at.y + 4, *_COVER)
        yield from cover_marks(favourite.look.cover, cover)
        left = cover.right + 28
    line = Rect(left, at.y + 6, at.right - left, 72)
    if known := drawn_name(name):
        yield Label(known, line, ColourRole.SURFACE_TEXT, _NAME_SIZE, Align.LEFT, bold=True, is_name=True)
    games = sum(stats.played for stats in record.stats)
    count = ngettext("{count} game", "{count} games", games).format(count=format_number(games))
    text = count
    if favourite is not None:
        text = _("{games} · favourite: {game}").format(games=count, game=_(favourite.game.info.title))
    below = Rect(left, line.bottom, line.width, 44)
    size = fitting_size(text, below.width, (32, 28, _SMALL))
    yield Label(text, below, ColourRole.SURFACE_TEXT_FAINT, size, Align.LEFT)


def _medals(badges: Sequence[Badge], total: int, at: Rect) -> Iterator[Mark]:
    """Yield the medals of the newest badges, and the number of further ones."""
    if not badges:
        return
    count = _("Badges, newest first: {count} of {total}")
    yield _heading(count.format(count=format_number(len(badges)), total=format_number(total)), at)
    place = Rect(at.x, at.y + _LINE, MEDAL_AREA.width, MEDAL_AREA.height)
    for badge in badges[:MOST_MEDALS]:
        yield from medal_marks(badge, place)
        place = place.shift(right=place.width + _MEDAL_GAP)
    if (more := len(badges) - MOST_MEDALS) > 0:
        yield Label(
            f"+{format_number(more)}", place._replace(width=at.right - place.x), ColourRole.SURFACE_TEXT, 44, bold=True
        )


def _curves(record: PersonRecord, games: Mapping[str, AnyPackage], at: Rect) -> Iterator[Mark]:
    """Yield the first curve across the whole width, usually the favourite game's, and the others in pairs below.

    A last curve without a partner also takes the whole width.
    """
    drawn = [person_rating for person_rating in ratings_by_use(record) if len(person_rating.curve) >= _FEWEST_POINTS]
    if not drawn:
        return
    first, *others = drawn
    area = at._replace(height=_TITLE_HEIGHT + HEADING_HEIGHT + _LARGE_CHART)
    yield from _curve_marks(first, games, area)
    height = _TITLE_HEIGHT + HEADING_HEIGHT + _SMALL_CHART
    for number, person_rating in enumerate(others):
        row, column = divmod(number, 2)
        top = area.bottom + _GAP + row * (height + _GAP)
        line = Rect(at.x, top, at.width, height)
        is_alone = number == len(others) - 1 and column == 0
        yield from _curve_marks(person_rating, games, line if is_alone else line.split_columns(2, 2 * _GAP)[column])


def _curve_marks(person_rating: PersonRating, games: Mapping[str, AnyPackage], at: Rect) -> Iterator[Mark]:
    """Yield a game's name, the present rating, and the curve."""
    title, rating = at._replace(height=_TITLE_HEIGHT), format_rating(person_rating.rating)
    number = Rect(title.right - 150, title.y, 150, title.height)
    name, left = title_of(games, person_rating.game), title._replace(width=title.width - 160)
    size = fitting_size(name, left.width, _TITLE_SIZES)
    yield Label(name, left, ColourRole.SURFACE_TEXT, size, Align.LEFT, bold=True)
    yield Label(rating, number, ColourRole.SURFACE_TEXT, 40, Align.RIGHT, bold=True)
    # A curve starts with the rating of a person without rated games.
    start = (NEW.shown,) if person_rating.curve and person_rating.curve[0].number == 1 else ()
    race = tuple((shown,) for shown in (*start, *(point.shown for point in person_rating.curve)))
    games_text = ngettext("{count} game", "{count} games", person_rating.rating.games)
    words = ChartWords(_("rating"), games_text.format(count=format_number(person_rating.rating.games)))
    area = Rect(at.x, title.bottom, at.width, at.height - _TITLE_HEIGHT)
    chart = chart_marks(race, (0,), area, lower_is_better=False, words=words, has_tokens=False)
    # The card turns it back: time runs to the right in curves.
    yield from in_reading_order(chart, area)


def _solo(record: PersonRecord, games: Mapping[str, AnyPackage], at: Rect) -> Iterator[Mark]:
    """Yield the scores of each solo game, which has no rating."""
    for number, solo in enumerate(record.solo_scores):
        title = at.shift(down=number * 2 * _LINE)._replace(height=_LINE)
        yield Label(title_of(games, solo.game), title, ColourRole.SURFACE_TEXT, 34, Align.LEFT, bold=True)
        text, line = solo_line(record, solo, games), title.shift(down=_LINE)
        size = fitting_size(text, line.width, (34, 30, _SMALL))
        yield Label(text, line, ColourRole.SURFACE_TEXT, size, Align.LEFT)


def _form(record: PersonRecord, at: Rect) -> Iterator[Mark]:
    """Yield a chip for each of the newest games, the newest on the left."""
    if not record.form:
        return
    # Translators: The letters are the translations of W, D and L, which have messages of their own.
    yield _heading(_("Last games, newest first · W won · D shared win · L lost · – alone"), at)
    for number, result in enumerate(record.form):
        letter, fill = _CHIPS[form_of(result)]
        chip = Rect(at.x + number * (_CHIP + 12), at.y + _LINE, _CHIP, _CHIP)
        yield Box(chip, fill, ColourRole.SURFACE_LINE, 14, 2)
        yield Label(_(letter), chip.inset(4), ColourRole.TEXT, 36, bold=True)


def _records(record: PersonRecord, games: Mapping[str, AnyPackage], at: Rect) -> Iterator[Mark]:
    lines = record_lines(record, games)
    if not lines:
        return
    yield _heading(_("Records"), at)
    for number, text in enumerate(lines, 1):
        line = at.shift(down=number * _LINE)._replace(height=_LINE)
        size = fitting_size(text, line.width, (32, 28, _SMALL))
        yield Label(text, line, ColourRole.SURFACE_TEXT, size, Align.LEFT)


def _totals(record: PersonRecord, games: Mapping[str, AnyPackage], at: Rect) -> Iterator[Mark]:
    """Yield a line for each game, with the numbers of games and wins, and the rating."""
    yield _heading(pgettext("finished games", "Games"), at)
    for number, played in enumerate(game_lines(record)[:_MOST_GAMES], 1):
        line = at.shift(down=number * _LINE)._replace(height=_LINE)
        rating = Rect(line.right - 150, line.y, 150, line.height)
        figures = Rect(rating.x - 380, line.y, 370, line.height)
        name = line._replace(width=figures.x - line.x - 10)
        title = title_of(games, played.game)
        size = fitting_size(title, name.width, (32, 28, _SMALL))
        yield Label(title, name, ColourRole.SURFACE_TEXT, size, Align.LEFT)
        yield Label(line_figures(played), figures, ColourRole.SURFACE_TEXT_FAINT, 30, Align.RIGHT)
        if found := rating_of(record, played.game):
            yield Label(format_rating(found.rating), rating, ColourRole.SURFACE_TEXT, 32, Align.RIGHT, bold=True)


def _heading(text: str, at: Rect) -> Label:
    return Label(text, at._replace(height=_LINE - 6), ColourRole.SURFACE_TEXT_FAINT, 28, Align.LEFT)
