"""The card of a person: rating curves, form, records and totals, the favourite game largest."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from bot.features.badges.book import count_badges
from bot.features.badges.picture import medal_marks
from bot.features.boards.picture import drawn_name
from bot.features.profiles.facts import (
    MOST_MEDALS,
    Form,
    describe_profile,
    form_of,
    game_lines,
    line_figures,
    rating_of,
    ratings_by_use,
    record_lines,
    solo_line,
)
from bot.features.profiles.model import PersonRecord, Profile, SoloScores
from bot.features.results.rating_line import format_rating
from bot.features.results.rating_model import NEW, PersonRating
from bot.rules.badges import MEDAL_AREA, Badge
from bot.rules.components import cover_marks
from bot.rules.picture import FELT, PICTURE_WIDTH, Align, Box, ColourRole, Label, Mark, Picture, Rect
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.registry import AnyPackage
from bot.tables.shown.game_names import title_of
from bot.tables.shown.podium import fitting_size
from bot.tables.shown.race_chart import HEADING_HEIGHT, ChartWords, chart_marks
from bot.words import format_number, gettext as _, ngettext, truncate

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
"""How many games have a line; there are five."""
_TITLE_SIZES, _NAME_SIZE, _SMALL = (40, 34, 30, 26), 56, 26

_CHIPS: Final[Mapping[Form, tuple[str, ColourRole]]] = {
    Form.WON: ("W", ColourRole.GOOD),
    Form.SHARED: ("D", ColourRole.GOLD),
    Form.LOST: ("L", ColourRole.BAD),
    Form.ALONE: ("–", ColourRole.PAPER_SHADE),
}
"""The letter and the colour of each outcome."""


def profile_card(name: str, profile: Profile, games: Mapping[str, AnyPackage], badges: Sequence[Badge]) -> Picture:
    """Lay out the card of a person who has finished a game; the sections stand below each other.

    Args:
        name: The person's name.
        profile: What they have done.
        games: All games.
        badges: The badges that they have, the newest first.
    """
    record = profile.record
    favourite = games.get(record.favourite_game or "")
    # Each section draws itself into the room below the one before, and returns where it ends.
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
        bottom = max((_bottom_of(mark) for mark in drawn), default=bottom)
    return Picture(
        (PICTURE_WIDTH, bottom + _EDGE),
        (),
        tuple(marks),
        truncate(describe_profile(name, profile, games, badges), LONGEST_DESCRIPTION),
        FELT if favourite is None else favourite.surface,
    )


def _bottom_of(mark: Mark) -> int:
    return mark.at.bottom


def _header(name: str, favourite: AnyPackage | None, record: PersonRecord, at: Rect) -> Iterator[Mark]:
    left = at.x
    if favourite is not None and favourite.cover is not None:
        cover = Rect(at.x + 4, at.y + 4, *_COVER)
        yield from cover_marks(favourite.cover, cover)
        left = cover.right + 28
    line = Rect(left, at.y + 6, at.right - left, 72)
    if known := drawn_name(name):
        yield Label(known, line, ColourRole.SURFACE_TEXT, _NAME_SIZE, Align.LEFT, bold=True, is_name=True)
    games = sum(each.played for each in record.stats)
    count = ngettext("{count} game", "{count} games", games).format(count=format_number(games))
    text = count
    if favourite is not None:
        text = _("{games} · favourite: {game}").format(games=count, game=favourite.game.info.title)
    below = Rect(left, line.bottom, line.width, 44)
    size = fitting_size(text, below.width, (32, 28, _SMALL))
    yield Label(text, below, ColourRole.SURFACE_TEXT_FAINT, size, Align.LEFT)


def _medals(badges: Sequence[Badge], total: int, at: Rect) -> Iterator[Mark]:
    """Yield the medals of the newest badges, and how many more there are."""
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
    """Yield the first curve over the whole width, usually of the favourite game, and the others in pairs below.

    One without another beside it has the whole width, too.
    """
    drawn = [each for each in ratings_by_use(record) if len(each.curve) >= _FEWEST_POINTS]
    if not drawn:
        return
    first, *others = drawn
    area = at._replace(height=_TITLE_HEIGHT + HEADING_HEIGHT + _LARGE_CHART)
    yield from _curve_marks(first, games, area)
    height = _TITLE_HEIGHT + HEADING_HEIGHT + _SMALL_CHART
    for number, each in enumerate(others):
        row, column = divmod(number, 2)
        top = area.bottom + _GAP + row * (height + _GAP)
        line = Rect(at.x, top, at.width, height)
        is_alone = number == len(others) - 1 and column == 0
        yield from _curve_marks(each, games, line if is_alone else line.split_columns(2, 2 * _GAP)[column])


def _curve_marks(each: PersonRating, games: Mapping[str, AnyPackage], at: Rect) -> Iterator[Mark]:
    """Yield the name of a game, the present rating, and the curve."""
    title, rating = at._replace(height=_TITLE_HEIGHT), format_rating(each.rating)
    number = Rect(title.right - 150, title.y, 150, title.height)
    name, left = title_of(games, each.game), title._replace(width=title.width - 160)
    size = fitting_size(name, left.width, _TITLE_SIZES)
    yield Label(name, left, ColourRole.SURFACE_TEXT, size, Align.LEFT, bold=True)
    yield Label(rating, number, ColourRole.SURFACE_TEXT, 40, Align.RIGHT, bold=True)
    # A curve begins with the rating of whoever has played no game that counts.
    start = (NEW.shown,) if each.curve and each.curve[0].number == 1 else ()
    race = tuple((shown,) for shown in (*start, *(point.shown for point in each.curve)))
    games_text = ngettext("{count} game", "{count} games", each.rating.games)
    words = ChartWords(_("rating"), games_text.format(count=format_number(each.rating.games)))
    area = Rect(at.x, title.bottom, at.width, at.height - _TITLE_HEIGHT)
    yield from chart_marks(race, (0,), area, lower_is_better=False, words=words, has_tokens=False)


def _solo(record: PersonRecord, games: Mapping[str, AnyPackage], at: Rect) -> Iterator[Mark]:
    """Yield the scores of each solo game, which take the place of a rating."""
    for number, solo in enumerate(record.solo_scores):
        yield from _solo_marks(record, solo, games, at.shift(down=number * 2 * _LINE))


def _solo_marks(record: PersonRecord, solo: SoloScores, games: Mapping[str, AnyPackage], at: Rect) -> Iterator[Mark]:
    title = at._replace(height=_LINE)
    yield Label(title_of(games, solo.game), title, ColourRole.SURFACE_TEXT, 34, Align.LEFT, bold=True)
    text, line = solo_line(record, solo, games), title.shift(down=_LINE)
    size = fitting_size(text, line.width, (34, 30, _SMALL))
    yield Label(text, line, ColourRole.SURFACE_TEXT, size, Align.LEFT)


def _form(record: PersonRecord, at: Rect) -> Iterator[Mark]:
    """Yield a chip for each of the last games, the newest on the left."""
    if not record.form:
        return
    yield _heading(_("Last games, newest first · W won · D shared win · L lost · – alone"), at)
    for number, result in enumerate(record.form):
        letter, fill = _CHIPS[form_of(result)]
        chip = Rect(at.x + number * (_CHIP + 12), at.y + _LINE, _CHIP, _CHIP)
        yield Box(chip, fill, ColourRole.SURFACE_LINE, 14, 2)
        yield Label(letter, chip.inset(4), ColourRole.TEXT, 36, bold=True)


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
    """Yield a line for each game: how often it was played and won, and the rating."""
    yield _heading(_("Games"), at)
    for number, each in enumerate(game_lines(record)[:_MOST_GAMES], 1):
        line = at.shift(down=number * _LINE)._replace(height=_LINE)
        name, figures, rating = _columns(line)
        title = title_of(games, each.game)
        size = fitting_size(title, name.width, (32, 28, _SMALL))
        yield Label(title, name, ColourRole.SURFACE_TEXT, size, Align.LEFT)
        yield Label(line_figures(each), figures, ColourRole.SURFACE_TEXT_FAINT, 30, Align.RIGHT)
        if found := rating_of(record, each.game):
            yield Label(format_rating(found.rating), rating, ColourRole.SURFACE_TEXT, 32, Align.RIGHT, bold=True)


def _columns(line: Rect) -> Sequence[Rect]:
    """Return the room for a game's name, its figures and its rating."""
    rating = Rect(line.right - 150, line.y, 150, line.height)
    figures = Rect(rating.x - 380, line.y, 370, line.height)
    return line._replace(width=figures.x - line.x - 10), figures, rating


def _heading(text: str, at: Rect) -> Label:
    return Label(text, at._replace(height=_LINE - 6), ColourRole.SURFACE_TEXT_FAINT, 28, Align.LEFT)
