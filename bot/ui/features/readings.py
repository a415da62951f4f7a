"""The whole table in plain words, for whoever would rather hear it than see it."""

from collections.abc import Iterator
from typing import Any, Final

import discord

from bot.tables.model import Status
from bot.tables.runtime.host import Host
from bot.tables.table import Table
from bot.ui.delivery.table_messages import DiscordTableMessages
from bot.ui.features.table_commands import TableCommands
from bot.ui.interactions.ephemeral_messages import EphemeralKind, EphemeralMessages
from bot.ui.interactions.responses import defer_if_slow, send_ephemeral
from bot.ui.render.absences import missing_agreements, resignation_outcome
from bot.ui.render.links import escaped_seat_names
from bot.ui.render.series import series_field
from bot.words import gettext as _, join_items

Interaction = discord.Interaction[Any]

PAGE_SIZE: Final = 2000
"""So many characters fit into a message."""

_BREAKS: Final = ("\n\n", "\n", ". ", " ")
"""Where a text is best cut, best first."""


class Readings:
    """Reads tables out."""

    def __init__(
        self,
        host: Host,
        table_commands: TableCommands,
        table_messages: DiscordTableMessages,
        ephemeral_messages: EphemeralMessages,
    ) -> None:
        self._host = host
        self._table_commands = table_commands
        self._table_messages = table_messages
        self._ephemeral_messages = ephemeral_messages

    async def read_here(self, command: Interaction) -> None:
        """Read out the table of a channel, or somebody's own solo game there."""
        await defer_if_slow(command, self._read_here(command))

    async def _read_here(self, command: Interaction) -> None:
        await self.read(command, await self._table_commands.table_here(command))

    async def read(self, asked: Interaction, table: Table) -> None:
        """Read a table out to whoever asked, in as many messages as it takes and in place of any earlier ones."""
        pages = [await send_ephemeral(asked, page) for page in split_pages(self.describe(table))]
        self._ephemeral_messages.replace_previous(asked, EphemeralKind.READING, table.id, *pages)

    def describe(self, table: Table) -> str:
        """Tell everything about a table: whose turn it is, how things stand, who has left, and what it belongs to."""
        reading = table.package.build_reading
        if reading is None or table.state is None or not _is_described_by_game(table):
            return _embed_text(self._table_messages.build_content(table).text_embed)
        told = reading(table.package.game.view(table.state, None), _current_seat_names(table))
        return "\n\n".join(filter(None, (told, *_absence_lines(table), _series_text(table))))


def _is_described_by_game(table: Table) -> bool:
    """Tell whether the game alone says how things stand: not in a lobby, nor where resignations have ended it."""
    is_over = table.header.status is Status.FINISHED
    return table.header.status is Status.PLAYING or (is_over and resignation_outcome(table) is None)


def _current_seat_names(table: Table) -> tuple[str, ...]:
    """Return who holds the seats now, in words, for whoever has the table read out to them."""
    is_played, standing = table.header.status is Status.PLAYING, table.seat_status
    gone = standing.vacated if is_played else standing.substituted
    by_computer = _("{name} (computer)")
    return tuple(
        by_computer.format(name=name) if seat in gone else name for seat, name in enumerate(escaped_seat_names(table))
    )


def _absence_lines(table: Table) -> Iterator[str]:
    names, standing, is_over = escaped_seat_names(table), table.seat_status, table.header.status is Status.FINISHED
    if standing.resigned:
        who = join_items([names[seat] for seat in sorted(standing.resigned)])
        line = _("Resigned, so that a computer player plays on for them: {names}.")
        if is_over:
            line = _("Resigned, and so ranked last whatever their seats scored: {names}.")
        yield line.format(names=who)
    if standing.substituted and not is_over:
        who = join_items([names[seat] for seat in sorted(standing.substituted)])
        yield _("Absent, so that a computer player stands in for them: {names}.").format(names=who)
    if table.closers and not is_over:
        who = join_items([names[seat] for seat in sorted(table.closers)])
        line = _("Agreed to close the table without a result: {names}. Still missing: {missing}.")
        yield line.format(names=who, missing=missing_agreements(table))


def _series_text(table: Table) -> str:
    field = series_field(table)
    return f"{field.title}\n{field.text}" if field else ""


def _embed_text(embed: discord.Embed) -> str:
    """Write down what a frame shows, for tables of which their game has nothing more to say."""
    parts = (f"{field.name}\n{field.value}" for field in embed.fields)
    return "\n\n".join(filter(None, (embed.title, embed.description, *parts)))


def split_pages(text: str, size: int = PAGE_SIZE) -> list[str]:
    """Cut a text into messages, between paragraphs if possible, or lines, sentences or words."""
    pages = []
    while len(text) > size:
        at = _find_break(text, size)
        pages.append(text[:at].rstrip())
        text = text[at:].lstrip()
    return [page for page in (*pages, text) if page]


def _find_break(text: str, size: int) -> int:
    """Return where a text is cut so that the first part fits; a part is not to be much smaller than it could be."""
    for sign in _BREAKS:
        at = text.rfind(sign, size // 2, size + 1 - len(sign))
        if at >= 0:
            return at + len(sign)
    return size
