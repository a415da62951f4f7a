"""A leaderboard as Discord shows it."""

from collections.abc import Mapping

import discord

from bot.community.model import Leaderboard, Standing, companies_of
from bot.rules.game import GameInfo
from bot.rules.package import GamePackage, ScoreKind
from bot.tables.model import Company
from bot.ui.custom_ids import StandingsId
from bot.ui.render.figures import COMPANIES, score_line
from bot.ui.render.links import safe
from bot.ui.render.message import Frame, Press
from bot.ui.render.pages import page_note, page_row, rows_of
from bot.ui.render.table_message import SEAT_COLOURS
from bot.words import N_, gettext as _, ordinal_sign

_ORDERS: Mapping[Company, str] = {
    Company.PEOPLE: N_("Games between people: most wins first, then the greater share won. A shared win is a win."),
    Company.COMPUTERS: N_("Games against computers only: most wins first, then the greater share won."),
    Company.ALONE: N_("Games alone: the best score first, then the better average."),
}

_NOBODY: Mapping[Company, str] = {
    Company.PEOPLE: N_(
        "Nobody here has finished a game of {game} with other people yet. "
        "`/{command} new` opens a table; be the first to stand here."
    ),
    Company.COMPUTERS: N_(
        "Nobody here has finished a game of {game} against computers alone yet. "
        "`/{command} new` opens a table, and computer players take the seats you want."
    ),
    Company.ALONE: N_(
        "Nobody here has finished a game of {game} yet. `/{command} new` opens a table; be the first to stand here."
    ),
}


def leaderboard_frame(board: Leaderboard, package: GamePackage, asker_id: int) -> Frame:
    """Frame a page of a leaderboard."""
    company, info = board.contest.company, package.game.info
    embed = discord.Embed(
        title=_("{game} · leaderboard").format(game=info.title),
        description=_list(board, package.score, asker_id) if board.rows else _nobody(company, info),
        colour=SEAT_COLOURS[0],
    )
    embed.set_footer(text="\n".join(filter(None, (_(_ORDERS[company]), page_note(board.page)))))
    return Frame(
        embed.to_dict(),
        rows_of(page_row(board.page, lambda page: StandingsId(info.key, company, page)), _others(board, info)),
    )


def _list(board: Leaderboard, kind: ScoreKind, asker_id: int) -> str:
    lines = [_line(row, board.contest.company, kind, asker_id) for row in board.rows]
    if board.own is not None and board.own not in board.rows:
        lines += ["⋯", _line(board.own, board.contest.company, kind, asker_id)]
    return "\n".join(lines)


def _line(row: Standing, company: Company, kind: ScoreKind, asker_id: int) -> str:
    name = f"**{safe(row.name)}**"
    if row.user_id == asker_id:
        name = _("{name} (you)").format(name=name)
    return f"{ordinal_sign(row.place)} {name} · {score_line(company, row.figures, kind)}"


def _nobody(company: Company, info: GameInfo) -> str:
    return _(_NOBODY[company]).format(game=info.title, command=info.command)


def _others(board: Leaderboard, info: GameInfo) -> tuple[Press, ...]:
    """Return the buttons to the game's other leaderboards."""
    others = (company for company in companies_of(info) if company is not board.contest.company)
    return tuple(Press(_(COMPANIES[company]), str(StandingsId(info.key, company, 1))) for company in others)
