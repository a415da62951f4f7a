"""Renders leaderboards."""

from collections.abc import Mapping

import discord

from bot.community.boards.model import Standing
from bot.community.model import Leaderboard, companies_of
from bot.rules.game import GameInfo, Options
from bot.rules.package import ScoreKind
from bot.tables.model import Company
from bot.tables.registry import AnyPackage
from bot.ui.render.embeds import SEAT_COLOURS
from bot.ui.render.links import escape_name
from bot.ui.render.message import Button, MessageContent
from bot.ui.render.pages import drop_empty_rows, page_buttons, page_note
from bot.ui.render.result_text import COMPANY_NAMES, score_line
from bot.ui.result_ids import LeaderboardId
from bot.words import N_, gettext as _, place_label

_ORDERS: Mapping[Company, str] = {
    Company.PEOPLE: N_("Between people: most wins first, then best win rate. A shared win counts as a win."),
    Company.COMPUTERS: N_("Against computers only: most wins first, then best win rate."),
    Company.ALONE: N_("Solo: best score first, then best average."),
}

_EMPTY_TEXTS: Mapping[Company, str] = {
    Company.PEOPLE: N_(
        "No one here has finished a game of {game} with other people yet. Open a table with `/{command} "
        "new` and be the first on the board!"
    ),
    Company.COMPUTERS: N_(
        "No one here has finished a game of {game} against computers only yet. Open a table with "
        "`/{command} new` and fill the seats with computer players."
    ),
    Company.ALONE: N_(
        "No one here has finished a game of {game} yet. Open a table with `/{command} new` and be the "
        "first on the board!"
    ),
}


def render_leaderboard(leaderboard: Leaderboard, package: AnyPackage, asker_id: int) -> MessageContent:
    """Render a page of a leaderboard."""
    company, info = leaderboard.key.company, package.game.info
    title = _("{game} · best scores") if info.is_solo else _("{game} · leaderboard")
    embed = discord.Embed(
        title=title.format(game=info.title),
        description=_format_rows(leaderboard, package.score_kind, asker_id)
        if leaderboard.rows
        else _(_EMPTY_TEXTS[company]).format(game=info.title, command=info.command),
        colour=SEAT_COLOURS[0],
    )
    embed.set_footer(text="\n".join(filter(None, (_(_ORDERS[company]), page_note(leaderboard.page)))))
    return MessageContent(
        embed.to_dict(),
        drop_empty_rows(
            page_buttons(leaderboard.page, lambda page: LeaderboardId(info.key, company, page)),
            _other_buttons(leaderboard, info),
        ),
    )


def _format_rows(leaderboard: Leaderboard, kind: ScoreKind, asker_id: int) -> str:
    lines = [_format_row(row, leaderboard.key.company, kind, asker_id) for row in leaderboard.rows]
    if leaderboard.own is not None and leaderboard.own not in leaderboard.rows:
        lines += ["⋯", _format_row(leaderboard.own, leaderboard.key.company, kind, asker_id)]
    return "\n".join(lines)


def _format_row(row: Standing, company: Company, kind: ScoreKind, asker_id: int) -> str:
    name = f"**{escape_name(row.name)}**"
    if row.user_id == asker_id:
        name = _("{name} (you)").format(name=name)
    return f"{place_label(row.place)} {name} · {score_line(company, row.stats, kind)}"


def _other_buttons(leaderboard: Leaderboard, info: GameInfo[Options]) -> tuple[Button, ...]:
    """Return buttons to the game's other leaderboards."""
    others = (company for company in companies_of(info) if company is not leaderboard.key.company)
    return tuple(Button(_(COMPANY_NAMES[company]), str(LeaderboardId(info.key, company, 1))) for company in others)
