"""Finished tables as Discord shows them."""

from collections.abc import Mapping

import discord
from discord.utils import format_dt

from bot.community.model import History, PlayedTable
from bot.rules.package import GamePackage
from bot.ui.custom_ids import HistoryId, Reach
from bot.ui.render.figures import ranked, table_title
from bot.ui.render.game_names import score_kind_of
from bot.ui.render.message import Frame, Press
from bot.ui.render.pages import page_note, page_row, rows_of
from bot.ui.render.table_message import SEAT_COLOURS
from bot.words import N_, gettext as _

_TITLES: Mapping[Reach, str] = {
    Reach.HERE: N_("Played in this channel"),
    Reach.SERVER: N_("Played in this server"),
    Reach.MINE: N_("Your games"),
}

_LABELS: Mapping[Reach, str] = {
    Reach.HERE: N_("This channel"),
    Reach.SERVER: N_("Whole server"),
    Reach.MINE: N_("My games"),
}

_NOTHING: Mapping[Reach, str] = {
    Reach.HERE: N_("No game has been finished in this channel yet. `/help` shows what there is to play."),
    Reach.SERVER: N_("No game has been finished in this server yet. `/help` shows what there is to play."),
    Reach.MINE: N_("You have not finished a game yet. `/help` shows what there is to play."),
}


def history_frame(
    history: History, games: Mapping[str, GamePackage], reach: Reach, reaches: tuple[Reach, ...]
) -> Frame:
    """Frame a page of finished tables, with buttons to the other histories there are."""
    lines = (_table(played, games) for played in history.tables)
    embed = discord.Embed(
        title=_(_TITLES[reach]),
        description="\n\n".join(lines) or _(_NOTHING[reach]),
        colour=SEAT_COLOURS[0],
    )
    if note := page_note(history.page):
        embed.set_footer(text=note)
    others = tuple(Press(_(_LABELS[other]), str(HistoryId(other, 1))) for other in reaches if other is not reach)
    return Frame(embed.to_dict(), rows_of(page_row(history.page, lambda page: HistoryId(reach, page)), others))


def _table(played: PlayedTable, games: Mapping[str, GamePackage]) -> str:
    when = format_dt(played.results[0].finished_at, "R")
    kind = score_kind_of(games, played.results[0].game)
    ranking = " · ".join(ranked(result, kind) for result in played.results)
    return f"{table_title(played, games)} · {when}\n{ranking}"
