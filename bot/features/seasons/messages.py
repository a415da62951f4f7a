"""Renders seasons: the present one with the time left, and past ones with their champions."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from math import ceil

import discord
from discord.utils import format_dt

from bot.features.boards.messages import BoardId, BoardMenu, BoardMenuId, SeasonId, period_name
from bot.features.boards.model import BoardOrder, Span, orders_of
from bot.features.results.model import bounds_of
from bot.features.seasons.model import CHAMPION_GAMES, Season
from bot.platform.discord.content import Button, MessageContent, drop_empty_rows
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.tables.registry import AnyPackage
from bot.tables.results import companies_of
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import escape_name
from bot.tables.shown.words import score_kind_of, title_of
from bot.words import format_number, gettext as _, join_items, ngettext


def render_season(
    shown: Season | None,
    present: str | None,
    past: Sequence[Season],
    games: Mapping[str, AnyPackage],
    *,
    asker_id: int,
    now: datetime,
) -> MessageContent:
    """Render a past season, or the present one.

    Args:
        shown: The past season; None for the present one.
        present: The period of the present season; None if the server has no seasons.
        past: All past seasons, newest first.
        games: All games by key.
        asker_id: The asker.
        now: The present time.
    """
    if shown is None:
        title = _("Season") if present is None else _("Season {period}").format(period=period_name(present))
        text, span = _present_text(present, now), Span.SEASON.value if present is not None else None
    else:
        title = _("Season {period}").format(period=period_name(shown.period))
        text, span = _champions_text(shown, games, asker_id), shown.period
    embed = discord.Embed(title=title, description=text, colour=SEAT_COLOURS[0])
    menus = () if span is None else (_games_menu(span, games),)
    return MessageContent(embed.to_dict(), drop_empty_rows(_other_seasons(shown, present, past)), menus)


def _present_text(present: str | None, now: datetime) -> str:
    if present is None:
        return _("This server has no seasons. Server managers can start them with `/settings show`.")
    end = bounds_of(present)[1]
    days = ceil((end - now) / timedelta(days=1))
    left = ngettext("**{count} day** left: it ends {date}.", "**{count} days** left: it ends {date}.", days)
    lines = (
        left.format(count=format_number(days), date=format_dt(end, "f")),
        ngettext(
            "Champion of a game: the highest rating at the end, with {count} or more rated game in the season. "
            "In a solo game: the best score.",
            "Champion of a game: the highest rating at the end, with {count} or more rated games in the season. "
            "In a solo game: the best score.",
            CHAMPION_GAMES,
        ).format(count=format_number(CHAMPION_GAMES)),
        _("Ratings go on from one season to the next."),
    )
    return "\n".join(lines)


def change_text(running: str | None, following: str | None) -> str:
    """Return what happens to the running season if another one, or (None) none, takes its place."""
    lines = []
    if running is not None:
        line = _(
            "The running season, **{season}**, gets no champions unless you choose its length again before {end}. No "
            "games are lost."
        )
        lines.append(line.format(season=period_name(running), end=format_dt(bounds_of(running)[1], "f")))
    if following is not None:
        start, end = (format_dt(moment, "f") for moment in bounds_of(following))
        line = _("From now on **{season}** is the season: all games since {start} count, and it ends {end}.")
        lines.append(line.format(season=period_name(following), start=start, end=end))
    lines.append(_("Ratings and past seasons stay."))
    return "\n".join(lines)


def _champions_text(season: Season, games: Mapping[str, AnyPackage], asker_id: int) -> str:
    lines = []
    for game, of_game in groupby(season.champions, key=lambda champion: champion.game):
        champions, names = list(of_game), []
        for champion in champions:
            name = f"**{escape_name(champion.name)}**"
            names.append(_("{name} (you)").format(name=name) if champion.user_id == asker_id else name)
        value = format_number(champions[0].value)
        if champions[0].by is not BoardOrder.RATING:
            value = score_kind_of(games, game).format_score(champions[0].value)
        line = _("🏆 {game}: {names} · {value}")
        lines.append(line.format(game=title_of(games, game), names=join_items(names), value=value))
    ended = _("It ended on {date}.").format(date=format_dt(season.ended_at, "D"))
    return "\n".join((*(lines or [_("No one played enough to become champion.")]), "", ended))


def _games_menu(span: str, games: Mapping[str, AnyPackage]) -> SelectMenu:
    """Return the menu of a season's leaderboards."""
    options = []
    for key, package in games.items():
        company = companies_of(package.game.info)[0]
        by = orders_of(package.results.score_kind, company)[0]
        options.append(SelectOption(_(package.game.info.title), str(BoardId(key, company, by, span, 1))))
    return SelectMenu(_("Leaderboards of this season"), str(BoardMenuId(BoardMenu.GAME)), tuple(options))


def _other_seasons(shown: Season | None, present: str | None, past: Sequence[Season]) -> tuple[Button, ...]:
    """Return the buttons to the previous and the next season."""
    at = -1 if shown is None else list(past).index(shown)
    buttons = []
    if at + 1 < len(past):
        earlier = past[at + 1].period
        buttons.append(Button(_("◀ {season}").format(season=period_name(earlier)), str(SeasonId(earlier))))
    if at > 0:
        later = past[at - 1].period
        buttons.append(Button(_("{season} ▶").format(season=period_name(later)), str(SeasonId(later))))
    elif at == 0 and present is not None:
        buttons.append(Button(_("This season ▶"), str(SeasonId(Span.SEASON))))
    return tuple(buttons)
