"""Describes a table in plain words, for screen readers."""

from collections.abc import Iterator
from typing import Final

import discord

from bot.tables.model import Status
from bot.tables.table import Table
from bot.ui.delivery.table_messages import DiscordTableMessages
from bot.ui.features.table_commands import TableCommands
from bot.ui.interactions.ephemeral_messages import EphemeralKind, EphemeralMessages
from bot.ui.interactions.responses import Interaction, deferred_if_slow, send_ephemeral
from bot.ui.render.absences import missing_agreements, resignation_outcome
from bot.ui.render.links import escaped_seat_names
from bot.ui.render.series import series_field
from bot.words import gettext as _, join_items

PAGE_SIZE: Final = 2000
"""Discord's limit for the content of a message, in characters."""

_BREAKS: Final = ("\n\n", "\n", ". ", " ")
"""Where to split a text, best first."""


class Readings:
    """Sends descriptions of tables in plain words."""

    def __init__(
        self, table_commands: TableCommands, table_messages: DiscordTableMessages, ephemeral_messages: EphemeralMessages
    ) -> None:
        self._table_commands = table_commands
        self._table_messages = table_messages
        self._ephemeral_messages = ephemeral_messages

    @deferred_if_slow
    async def read_here(self, command: Interaction) -> None:
        """Describe this channel's table, or the user's own solo game."""
        await self.read(command, await self._table_commands.table_here(command))

    async def read(self, interaction: Interaction, table: Table) -> None:
        """Send the description of a table in as many messages as it takes; they replace any earlier ones."""
        pages = [await send_ephemeral(interaction, page) for page in split_pages(self.describe(table))]
        self._ephemeral_messages.replace_previous(interaction, EphemeralKind.READING, table.id, *pages)

    def describe(self, table: Table) -> str:
        """Return the description of a table: the game's reading, absences and series."""
        build_reading = table.package.build_reading
        if build_reading is None or table.state is None or not _is_described_by_game(table):
            return _embed_text(self._table_messages.build_content(table).text_embed)
        text = build_reading(table.package.game.view(table.state, None), _current_seat_names(table))
        return "\n\n".join(filter(None, (text, *_absence_lines(table), _series_text(table))))


def _is_described_by_game(table: Table) -> bool:
    """Return whether the game can describe the table: not in a lobby, nor if resignations have ended it."""
    is_over = table.header.status is Status.FINISHED
    return table.header.status is Status.PLAYING or (is_over and resignation_outcome(table) is None)


def _current_seat_names(table: Table) -> tuple[str, ...]:
    """Return the names of the seats, with computer players marked in words."""
    is_played, seat_status = table.header.status is Status.PLAYING, table.seat_status
    by_computer = seat_status.vacated if is_played else seat_status.substituted
    label = _("{name} (computer)")
    return tuple(
        label.format(name=name) if seat in by_computer else name for seat, name in enumerate(escaped_seat_names(table))
    )


def _absence_lines(table: Table) -> Iterator[str]:
    names, seat_status, is_over = escaped_seat_names(table), table.seat_status, table.header.status is Status.FINISHED
    if seat_status.resigned:
        players = join_items([names[seat] for seat in sorted(seat_status.resigned)])
        line = _("Resigned, with a computer player playing on: {names}.")
        if is_over:
            line = _("Resigned, so ranked last whatever their score: {names}.")
        yield line.format(names=players)
    if seat_status.substituted and not is_over:
        players = join_items([names[seat] for seat in sorted(seat_status.substituted)])
        yield _("Absent, with a computer player standing in: {names}.").format(names=players)
    if table.closers and not is_over:
        players = join_items([names[seat] for seat in sorted(table.closers)])
        line = _("Agreed to close without a result: {names}. Still missing: {missing}.")
        yield line.format(names=players, missing=missing_agreements(table))


def _series_text(table: Table) -> str:
    field = series_field(table)
    return f"{field.title}\n{field.text}" if field else ""


def _embed_text(embed: discord.Embed) -> str:
    """Return the text of an embed."""
    parts = (f"{field.name}\n{field.value}" for field in embed.fields)
    return "\n\n".join(filter(None, (embed.title, embed.description, *parts)))


def split_pages(text: str, size: int = PAGE_SIZE) -> list[str]:
    """Split a text into messages, between paragraphs if possible, or lines, sentences or words."""
    pages = []
    while len(text) > size:
        end = _find_break(text, size)
        pages.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [page for page in (*pages, text) if page]


def _find_break(text: str, size: int) -> int:
    """Return where to split a text so that the first part fits and is at least half full."""
    for separator in _BREAKS:
        start = text.rfind(separator, size // 2, size + 1 - len(separator))
        if start >= 0:
            return start + len(separator)
    return size
