"""Renders leaderboards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

import discord
from babel.dates import format_interval, format_skeleton

from bot.features.boards.model import BoardOrder, Leaderboard, Span, Standing, orders_of
from bot.features.boards.picture import BoardRow, BoardWords, board_picture
from bot.features.results.messages import (
    COMPANY_NAMES,
    describe_stats,
    game_count,
    mark_provisional,
    provisional_note,
    score_line,
)
from bot.features.results.model import ALL_TIME, GameStats, bounds_of, month_of, season_of, week_of
from bot.features.settings.choices import SeasonLength
from bot.languages import current_language
from bot.platform.discord.content import Button, MessageContent, drop_empty_rows, page_buttons, page_note
from bot.platform.discord.ids import CustomId
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.rules.package import ScoreKind
from bot.rules.picture import Picture, isolate_name
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.model import Company
from bot.tables.registry import AnyPackage
from bot.tables.results import companies_of
from bot.tables.shown.embeds import SEAT_COLOURS, SMALL_PRINT
from bot.tables.shown.links import drawn_name, escape_name, sanitize_name
from bot.tables.shown.words import write_date
from bot.tables.table import Table
from bot.words import N_, format_number, gettext as _, list_facts, ngettext, place_label, truncate


@dataclass(frozen=True)
class LeaderboardId(CustomId, prefix="s"):
    """A page of a game's leaderboard of all time: by best score in solo games, by wins in all others."""

    game: str
    company: Company
    page: int


class BoardButton(StrEnum):
    """The action of a button on a page of a leaderboard."""

    SHOW = "show"
    POST = "post"
    """Posts the page for everyone."""


@dataclass(frozen=True)
class BoardId(CustomId, prefix="lb"):
    """A page of a game's leaderboard; the click tells the server."""

    game: str
    company: Company
    by: BoardOrder
    span: str
    """A `Span`, or the period of a past season."""
    page: int
    button: BoardButton = BoardButton.SHOW


class BoardMenu(StrEnum):
    """The menus of leaderboards and seasons."""

    ORDER = "order"
    SPAN = "span"
    GAME = "game"


@dataclass(frozen=True)
class BoardMenuId(CustomId, prefix="lm"):
    """A menu whose values are the custom ids of leaderboards."""

    menu: BoardMenu


@dataclass(frozen=True)
class SeasonId(CustomId, prefix="ls"):
    """A season of the server in which the button is clicked."""

    span: str
    """`Span.SEASON` for the present season, or the period of a past one."""


_ORDER_NAMES: Mapping[BoardOrder, str] = {
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


class _Figures(NamedTuple):
    """The figures of a person in a row."""

    main: str
    """The figure by which people are ranked."""
    rest: str


def _figures_of(row: Standing, by: BoardOrder, kind: ScoreKind) -> _Figures:
    """Return the figures of a row."""
    stats = row.stats
    match by:
        case BoardOrder.RATING if row.rating is not None:
            won = _("wins: {wins} of {games}")
            rest = won.format(wins=format_number(stats.wins), games=format_number(stats.games))
            return _Figures(mark_provisional(row.rating.shown, is_provisional=row.rating.is_provisional), rest)
        case BoardOrder.POINTS:
            return _Figures(kind.format_score(stats.points), game_count(stats))
        case BoardOrder.BEST:
            best = stats.best(lower_is_better=kind.lower_is_better)
            average = _("average {points}").format(points=format_number(round(stats.average, 1)))
            return _Figures("" if best is None else kind.format_score(best), f"{average} · {game_count(stats)}")
        case _:
            wins = ngettext("{count} win", "{count} wins", stats.wins).format(count=format_number(stats.wins))
            return _Figures(wins, game_count(stats))


def _order_note(board: Leaderboard) -> str:
    """Return a text about the order of a board and the meaning of its marks."""
    lead = _("{company}: {order}.")
    notes = [lead.format(company=_(COMPANY_NAMES[board.key.company]), order=_(_LEADS[board.key.by]))]
    if board.key.by is BoardOrder.WINS and board.key.company is Company.PEOPLE:
        notes.append(_("A shared win counts as a win."))
    if _has_provisional(board.key.by, (*board.rows, *((board.own,) if board.own is not None else ()))):
        notes.append(provisional_note())
    return " ".join(notes)


def _has_provisional(by: BoardOrder, rows: Sequence[Standing]) -> bool:
    """Return whether a provisional rating is shown."""
    return by is BoardOrder.RATING and any(row.rating is not None and row.rating.is_provisional for row in rows)


_SPANS = {
    Span.ALL: N_("All time"),
    Span.SEASON: N_("This season"),
    Span.MONTH: N_("This month"),
    Span.WEEK: N_("This week"),
}

_QUARTER, _WEEK = "Q", "W"


def spans_of(length: SeasonLength) -> tuple[Span, ...]:
    """Return the spans that a server's boards offer; a season of one month adds none, being the same as a month."""
    others = (Span.MONTH,) if length is not SeasonLength.MONTH else ()
    season = (Span.SEASON,) if length is not SeasonLength.OFF else ()
    return (Span.ALL, *season, *others, Span.WEEK)


def period_at(span: str, length: SeasonLength, moment: datetime) -> str:
    """Return the period of a span at a time; a past season's period stands for itself."""
    match span:
        case Span.ALL:
            return ALL_TIME
        case Span.SEASON:
            return season_of(length, moment) or ALL_TIME
        case Span.MONTH:
            return month_of(moment)
        case Span.WEEK:
            return week_of(moment)
        case _:
            return span


def span_name(span: str) -> str:
    """Return the name of a span, or of the period of a past season."""
    return _(_SPANS[Span(span)]) if span in tuple(Span) else period_name(span)


def period_name(period: str) -> str:
    """Return the name of a period that stays true as time passes: all time, a week, month, quarter or year."""
    if period == ALL_TIME:
        return _(_SPANS[Span.ALL])
    first, after = bounds_of(period)
    last = after - timedelta(days=1)
    locale = current_language().locale
    year, _dash, part = period.partition("-")
    if not part:
        return year
    if part.startswith(_WEEK):
        return _("Week of {date}").format(date=write_date(first, "long"))
    if part.startswith(_QUARTER):
        return format_interval(first, last, "yMMMM", locale=locale)
    return format_skeleton("yMMMM", first, locale=locale)


_EMPTY_TEXTS: Mapping[Company, str] = {
    Company.PEOPLE: N_(
        "No one here has finished a game of {game} with other people yet. Open a table with `/{command} "
        "new` and be the first on the board!"
    ),
    Company.COMPUTERS: N_(
        "No one here has finished a game of {game} against computers alone yet. Open a table with "
        "`/{command} new` and choose some under *Opponents*."
    ),
    Company.ALONE: N_(
        "No one here has finished a game of {game} yet. Open a table with `/{command} new` and be the "
        "first on the board!"
    ),
}

_EMPTY_PERIOD: Final = N_(
    "**{period}:** No one is on this board yet. Open a table with `/{command} new` and be the first, or "
    "choose another period."
)

_UNRATED: Final = N_(
    "No game of {game} here has counted for ratings yet. Games between people count unless someone used "
    "hints or had a computer player stand in. Open a table with `/{command} new`!"
)


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A page of a leaderboard, with the other choices that it offers."""

    package: AnyPackage
    board: Leaderboard
    span: str
    """The chosen period: a `Span`, or a past season."""
    spans: tuple[Span, ...]
    """The spans that the server offers."""

    def id_of(
        self,
        *,
        company: Company | None = None,
        by: BoardOrder | None = None,
        span: str | None = None,
        page: int = 1,
        button: BoardButton = BoardButton.SHOW,
    ) -> BoardId:
        """Return the id of this board with some choices replaced, and of its first page unless another is given."""
        key = self.board.key
        company, span = company or key.company, span or self.span
        return BoardId(key.game, company, by or key.by, span, page, button)


def render_own_stats(stats: Sequence[GameStats], package: AnyPackage) -> MessageContent:
    """Render the asker's totals in a game across servers, which a direct message shows in place of a leaderboard."""
    info = package.game.info
    text = _("All the games you've finished, in servers and here.")
    if not stats:
        text = _("You haven't finished a game of {game} yet. `/play` lists the games, here too.").format(
            game=_(info.title)
        )
    embed = discord.Embed(title=_("Your games"), description=text, colour=SEAT_COLOURS[0])
    if stats:
        embed.add_field(name=_(info.title), value=describe_stats(stats, package.results.score_kind), inline=False)
    return MessageContent(embed.to_dict())


def render_leaderboard(shown: ShownBoard, asker_id: int) -> MessageContent:
    """Render a page of a leaderboard for one person, with menus for its order and period."""
    board, info = shown.board, shown.package.game.info
    title = (_("{game} · best scores") if info.is_solo else _("{game} · leaderboard")).format(game=_(info.title))
    lines = [format_row(row, shown, asker_id) for row in board.rows]
    if board.own is not None and board.own not in board.rows:
        lines += ["⋯", format_row(board.own, shown, asker_id)]
    embed = discord.Embed(
        title=title if shown.span == Span.ALL else f"{title} · {span_name(shown.span)}",
        description="\n".join(lines) if board.rows else _empty_text(shown),
        colour=SEAT_COLOURS[0],
    )
    embed.set_footer(text="\n".join(filter(None, (_order_note(board), page_note(board.page)))))
    return MessageContent(
        embed.to_dict(),
        drop_empty_rows(page_buttons(board.page, lambda page: shown.id_of(page=page)), _other_buttons(shown)),
        _menus(shown),
    )


def format_row(row: Standing, shown: ShownBoard, asker_id: int | None = None) -> str:
    """Return a row of a board as text; the asker's own row is marked."""
    key, kind = shown.board.key, shown.package.results.score_kind
    name = f"**{escape_name(row.name)}**"
    if row.user_id == asker_id:
        name = _("{name} (you)").format(name=name)
    if key.by is BoardOrder.WINS or (key.company is Company.ALONE and key.by is BoardOrder.BEST):
        return f"{place_label(row.place)} {name} · {score_line(key.company, row.stats, kind)}"
    main, rest = _figures_of(row, key.by, kind)
    return f"{place_label(row.place)} {name} · **{main}** · {rest}"


def _empty_text(shown: ShownBoard) -> str:
    key, info = shown.board.key, shown.package.game.info
    if shown.span not in tuple(Span):
        text = _("**{period}:** No one is on this board.")
    elif shown.span != Span.ALL:
        text = _(_EMPTY_PERIOD)
    else:
        text = _(_UNRATED) if key.by is BoardOrder.RATING else _(_EMPTY_TEXTS[key.company])
    return text.format(game=_(info.title), command=info.command, period=span_name(shown.span))


def _menus(shown: ShownBoard) -> tuple[SelectMenu, ...]:
    """Return the menus of orders and periods."""
    key = shown.board.key
    orders = tuple(
        SelectOption(_(_ORDER_NAMES[by]), str(shown.id_of(by=by)), is_chosen=by is key.by)
        for by in orders_of(shown.package.results.score_kind, key.company)
    )
    # A past season's period is in the menu of its own boards only.
    spans: tuple[str, ...] = shown.spans if shown.span in shown.spans else (*shown.spans, shown.span)
    periods = tuple(
        SelectOption(span_name(span), str(shown.id_of(span=span)), is_chosen=span == shown.span) for span in spans
    )
    menus = ((BoardMenu.ORDER, _("Ranked by"), orders), (BoardMenu.SPAN, _("Period"), periods))
    return tuple(
        SelectMenu(label, str(BoardMenuId(menu)), options) for menu, label, options in menus if len(options) > 1
    )


def _other_buttons(shown: ShownBoard) -> tuple[Button, ...]:
    """Return the buttons for the game's other companies and the seasons, and the button that posts the board."""
    key, buttons = shown.board.key, []
    for company in companies_of(shown.package.game.info):
        if company is not key.company:
            # Keep the order if the other company has a board for it.
            orders = orders_of(shown.package.results.score_kind, company)
            by = key.by if key.by in orders else orders[0]
            buttons.append(Button(_(COMPANY_NAMES[company]), str(shown.id_of(company=company, by=by))))
    if Span.SEASON in shown.spans:
        buttons.append(Button(_("Seasons"), str(SeasonId(Span.SEASON))))
    if shown.board.rows:
        post = shown.id_of(page=shown.board.page.number, button=BoardButton.POST)
        buttons.append(Button(_("Post here"), str(post), discord.ButtonStyle.primary))
    return tuple(buttons)


def render_posted_board(shown: ShownBoard, poster: str, place: str) -> MessageContent:
    """Render a page as a picture under a line that names the poster; without pictures, as text with all rows.

    Args:
        shown: The page, which has rows.
        poster: The name of the person who posts it.
        place: The name of the server.
    """
    title = _(shown.package.game.info.title)
    head = _("🏆 **{game}** · {heading}").format(game=title, heading=_whole_heading(shown))
    posted = SMALL_PRINT + _("Posted by {name}").format(name=f"**{escape_name(poster)}**")
    rows = [format_row(row, shown) for row in shown.board.rows]
    note = [f"{SMALL_PRINT}{text}" for text in _notes(shown)]
    embed = discord.Embed(description="\n".join((head, *rows, *note, posted)), colour=SEAT_COLOURS[0])
    # Names with characters that the picture's font lacks are listed below it.
    unseen = [
        f"{place_label(row.place)} **{escape_name(row.name)}**" for row in shown.board.rows if not drawn_name(row.name)
    ]
    beside = "\n".join((head, *([" · ".join(unseen)] if unseen else []), posted))
    return MessageContent(
        embed.to_dict(),
        make_picture=partial(picture_of_board, shown, place),
        picture_embed_json={"description": beside},
    )


def describe_board(shown: ShownBoard) -> str:
    """Return the alternative text of a page: everything that its picture shows."""
    key, kind = shown.board.key, shown.package.results.score_kind
    head = _("Leaderboard of {game}: {heading}.").format(
        game=_(shown.package.game.info.title), heading=_whole_heading(shown)
    )
    lines = []
    for row in shown.board.rows:
        figures = list_facts(_figures_of(row, key.by, kind))
        line = _("{place}. {name}: {figures}.")
        lines.append(line.format(place=format_number(row.place), name=sanitize_name(row.name), figures=figures))
    return truncate(" ".join((head, *lines, *_notes(shown))), LONGEST_DESCRIPTION)


def picture_of_board(shown: ShownBoard, place: str) -> Picture:
    """Lay out a page, with the name of the server."""
    package, key = shown.package, shown.board.key
    rows = [
        BoardRow(row.place, row.name, *_figures_of(row, key.by, package.results.score_kind)) for row in shown.board.rows
    ]
    known = drawn_name(place)
    period = period_name(shown.board.key.period)
    words = BoardWords(
        _(package.game.info.title),
        _heading(shown),
        " · ".join((period, isolate_name(known))) if known else period,
        _notes(shown),
    )
    return board_picture(rows, words, package.look.surface, package.look.cover, describe_board(shown))


def _whole_heading(shown: ShownBoard) -> str:
    return f"{_heading(shown)} · {period_name(shown.board.key.period)}"


def _heading(shown: ShownBoard) -> str:
    """Return the name of a board's order, with the company if the game has several boards."""
    order, company = _(_ORDER_NAMES[shown.board.key.by]), _(COMPANY_NAMES[shown.board.key.company])
    has_companies = len(companies_of(shown.package.game.info)) > 1
    return f"{order} · {company}" if has_companies else order


def _notes(shown: ShownBoard) -> list[str]:
    """Return the page number, and the meaning of the marks."""
    has_mark = _has_provisional(shown.board.key.by, shown.board.rows)
    return [note for note in (page_note(shown.board.page), provisional_note() if has_mark else "") if note]


def best_scores_buttons(table: Table) -> tuple[Button, ...]:
    """Return a finished solo table's button for the best scores. A challenge has its own board, and no such button."""
    if table.outcome is None or table.edition is not None or not table.package.game.info.is_solo:
        return ()
    return (Button(_("Best scores"), str(LeaderboardId(table.header.game, Company.ALONE, 1))),)
