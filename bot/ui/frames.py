"""A table as Discord shows it: an embed and rows of buttons."""

from dataclasses import dataclass, field

import discord

from bot.rules.screen import EMPTY_DRAFT, Draft, Screen, Tone
from bot.tables.model import Status
from bot.tables.table import Table
from bot.ui.ids import ControlId, GuideId
from bot.ui.links import safe_names
from bot.words import gettext as _

SEAT_COLOURS = (0x3B88C3, 0xF4900C, 0x78B159, 0xAA8ED6, 0xFDCB58, 0xDD2E44)
"""The colours of the squares that mark seats in texts, in the same order."""

_PLAIN_COLOUR = 0x5D6A75
_ROW_WIDTH = 5
_ROWS = 5

_STYLES = {
    Tone.QUIET: discord.ButtonStyle.secondary,
    Tone.CHOSEN: discord.ButtonStyle.primary,
    Tone.MAIN: discord.ButtonStyle.success,
}


@dataclass(frozen=True, slots=True)
class Press:
    """A button: what it says, and the id it answers to."""

    label: str
    custom_id: str
    style: discord.ButtonStyle = discord.ButtonStyle.secondary


@dataclass(frozen=True, slots=True)
class Frame:
    """What is sent to Discord for a table."""

    embed: discord.Embed
    rows: tuple[tuple[Press, ...], ...] = field(default=())

    def view(self) -> discord.ui.View | None:
        """Build the buttons; the view is stopped, because clicks go through the one dispatcher."""
        if not self.rows:
            return None
        view = discord.ui.View(timeout=None)
        for at, row in enumerate(self.rows):
            for press in row:
                view.add_item(
                    discord.ui.Button(label=press.label, custom_id=press.custom_id, style=press.style, row=at)
                )
        view.stop()
        return view


def screen_of(table: Table, draft: Draft = EMPTY_DRAFT) -> Screen:
    """Make the public screen of a table whose game has begun."""
    view = table.package.game.view(table.state, None)
    return table.package.screen(view, table.latest, safe_names(table), draft)


def game_frame(table: Table, draft: Draft) -> Frame:
    """Frame a table that is being played or was."""
    screen = screen_of(table, draft)
    playing = table.header.status is Status.PLAYING
    rows = tuple(
        tuple(
            Press(
                control.label,
                str(ControlId(table.id, table.header.step, control.key, draft)),
                _STYLES[control.tone],
            )
            for control in row
        )
        for row in screen.controls
    )
    return Frame(_embed(screen), with_guide(rows, table) if playing else ())


def with_guide(rows: tuple[tuple[Press, ...], ...], table: Table) -> tuple[tuple[Press, ...], ...]:
    """Put the button that explains the game where there is room."""
    guide = Press(_("How to play"), str(GuideId(table.header.game)))
    if rows and len(rows[-1]) < _ROW_WIDTH:
        return (*rows[:-1], (*rows[-1], guide))
    return (*rows, (guide,)) if len(rows) < _ROWS else rows


def closed_frame(table: Table, text: str) -> Frame:
    """Frame a table that ended without a result, or that can't go on."""
    return Frame(discord.Embed(title=table.package.game.info.title, description=text, colour=_PLAIN_COLOUR))


def _embed(screen: Screen) -> discord.Embed:
    colour = _PLAIN_COLOUR if screen.accent is None else SEAT_COLOURS[screen.accent]
    embed = discord.Embed(title=screen.title, description=screen.text, colour=colour)
    for block in screen.fields:
        embed.add_field(name=block.title, value=block.text, inline=False)
    if screen.note:
        embed.set_footer(text=screen.note)
    return embed
