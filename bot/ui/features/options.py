"""A table's options: the line in which everybody reads them, and the panel in which the opener chooses."""

from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.community.model import Page
from bot.rules.options import text_of, values_of
from bot.rules.refusals import Refusal
from bot.tables.actions.lobby import require_opener
from bot.tables.model import Status
from bot.tables.refusals import HostReason, Stale
from bot.tables.runtime.host import Host
from bot.tables.table import Table, digest_of_options
from bot.ui.custom_ids import ChoiceId, OptionPageId
from bot.ui.interactions.context import person_of
from bot.ui.interactions.ephemeral_messages import Kind, Whispers
from bot.ui.interactions.responses import conclude
from bot.ui.interactions.sending import turn_page, whisper_frame
from bot.ui.render.links import jump_link
from bot.ui.render.menus import Line, Pick, chosen_value
from bot.ui.render.message import Frame
from bot.ui.render.options_line import _written
from bot.ui.render.pages import page_row, rows_of
from bot.ui.render.table_message import SEAT_COLOURS
from bot.words import gettext as _

Click = discord.Interaction[Any]

_ROWS = 5
"""A message holds so many rows, and each menu fills one."""

_LOCKED = (HostReason.ALREADY_STARTED, HostReason.TABLE_OVER)


class OptionPanels:
    """Shows the opener of a table a menu for each option, and does what is chosen there."""

    def __init__(self, host: Host, whispers: Whispers) -> None:
        self._host = host
        self._whispers = whispers

    async def offer(self, click: Click, table: Table) -> None:
        """Open the panel; refuses everybody but the opener."""
        require_opener(table, person_of(click))
        panel = await whisper_frame(click, panel_frame(table, 1))
        self._whispers.renew(click, Kind.OPTIONS, table.id, panel)

    async def choose(self, click: Click, table: Table, chosen: ChoiceId) -> None:
        """Choose an option and show the panel as it is then; where it was out of date, that is all."""
        person, value = person_of(click), chosen_value(click)
        try:
            await self._host.service.choose(table.id, person, chosen.option, value, chosen.shown)
        except Stale:
            pass
        except Refusal as refusal:
            if refusal.reason not in _LOCKED:
                raise
        await self.show(click, await self._host.service.table(table.id), _page_with(table, chosen.option))

    async def show(self, click: Click, table: Table, page: int) -> None:
        """Show a page of the panel in place of what was clicked, or that it is of no use any more."""
        if table.header.status is not Status.LOBBY:
            locked = _("The options can't be changed any more: the game has started, or the table is closed. {link}")
            await conclude(click, locked.format(link=jump_link(table)))
        elif shown := await turn_page(click, panel_frame(table, page)):
            self._whispers.renew(click, Kind.OPTIONS, table.id, shown)


def _pages(table: Table) -> list[Sequence[str]]:
    """Spread the options over pages; where there are several, a row is for the buttons that turn them."""
    names = list(table.package.option_words)
    size = _ROWS if len(names) <= _ROWS else _ROWS - 1
    return [names[at : at + size] for at in range(0, len(names), size)]


def _page_with(table: Table, option: str) -> int:
    return next((number for number, names in enumerate(_pages(table), 1) if option in names), 1)


def _nearest(table: Table, page: int) -> Page:
    count = len(_pages(table))
    return Page(max(1, min(page, count)), count)


def panel_frame(table: Table, page: int) -> Frame:
    """Frame a page of the panel, or the nearest there is: a menu for each option, and the buttons that turn pages."""
    nearest = _nearest(table, page)
    names = _pages(table)[nearest.number - 1]
    turns = page_row(nearest, lambda turned: OptionPageId(table.id, turned))
    return Frame(_panel_words(table, names), rows_of(turns), tuple(_menu(table, name) for name in names))


def _panel_words(table: Table, names: Sequence[str]) -> Mapping[str, Any]:
    words = [table.package.option_words[name] for name in names]
    about = "\n".join(f"**{_(each.label)}:** {_(each.description)}" for each in words)
    title = _("{game} · options").format(game=table.package.game.info.title)
    embed = discord.Embed(title=title, description=about, colour=SEAT_COLOURS[0])
    return embed.set_footer(text=_("What you choose counts at once, and everybody sees it at the table.")).to_dict()


def _menu(table: Table, name: str) -> Pick:
    words, options = table.package.option_words[name], table.options
    present = getattr(options, name)
    # Once the menu is closed its choice is all there is to read, so it names the option too.
    lines = (
        Line(_written(words, value), text_of(value), is_chosen=value == present) for value in values_of(options, name)
    )
    return Pick(_(words.label), str(ChoiceId(table.id, digest_of_options(table), name)), tuple(lines))
