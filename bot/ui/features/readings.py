"""The whole table in plain words, for whoever would rather hear it than see it."""

from collections.abc import Iterator
from typing import Any, Final

import discord

from bot.tables.model import Status
from bot.tables.runtime.host import Host
from bot.tables.table import Table
from bot.ui.delivery.table_messages import DiscordBoard
from bot.ui.features.table_commands import Desk
from bot.ui.interactions.ephemeral_messages import Kind, Whispers
from bot.ui.interactions.responses import promptly, whisper
from bot.ui.render.absences import missing_agreements, other_end
from bot.ui.render.links import safe_names
from bot.ui.render.series import series_field
from bot.words import gettext as _, listed

Asked = discord.Interaction[Any]

PAGE: Final = 2000
"""So many characters fit into a message."""

_CUTS: Final = ("\n\n", "\n", ". ", " ")
"""Where a text is best cut, best first."""


class Readers:
    """Reads tables out."""

    def __init__(self, host: Host, desk: Desk, board: DiscordBoard, whispers: Whispers) -> None:
        self._host = host
        self._desk = desk
        self._board = board
        self._whispers = whispers

    async def read_here(self, command: Asked) -> None:
        """Read out the table of a channel, or somebody's own solo game there."""
        await promptly(command, self._read_here(command))

    async def _read_here(self, command: Asked) -> None:
        await self.read(command, await self._desk.table_here(command))

    async def read(self, asked: Asked, table: Table) -> None:
        """Read a table out to whoever asked, in as many messages as it takes and in place of any earlier ones."""
        pages = [await whisper(asked, page) for page in pages_of(self.told(table))]
        self._whispers.renew(asked, Kind.READING, table.id, *pages)

    def told(self, table: Table) -> str:
        """Tell everything about a table: whose turn it is, how things stand, who has left, and what it belongs to."""
        reading = table.package.reading
        if reading is None or table.state is None or not _goes_by_its_rules(table):
            return _embed_in_words(self._board.frame(table).embed)
        told = reading(table.package.game.view(table.state, None), _names(table))
        return "\n\n".join(filter(None, (told, *_absences(table), _series(table))))


def _goes_by_its_rules(table: Table) -> bool:
    """Tell whether the game alone says how things stand: not in a lobby, nor where resignations have ended it."""
    is_over = table.header.status is Status.FINISHED
    return table.header.status is Status.PLAYING or (is_over and other_end(table) is None)


def _names(table: Table) -> tuple[str, ...]:
    """Return who holds the seats now, in words, for whoever has the table read out to them."""
    is_played, standing = table.header.status is Status.PLAYING, table.standing
    gone = standing.left if is_played else standing.substituted
    by_computer = _("{name} (computer)")
    return tuple(by_computer.format(name=name) if seat in gone else name for seat, name in enumerate(safe_names(table)))


def _absences(table: Table) -> Iterator[str]:
    names, standing, is_over = safe_names(table), table.standing, table.header.status is Status.FINISHED
    if standing.resigned:
        who = listed([names[seat] for seat in sorted(standing.resigned)])
        line = _("Resigned, so that a computer player plays on for them: {names}.")
        if is_over:
            line = _("Resigned, and so ranked last whatever their seats scored: {names}.")
        yield line.format(names=who)
    if standing.substituted and not is_over:
        who = listed([names[seat] for seat in sorted(standing.substituted)])
        yield _("Absent, so that a computer player stands in for them: {names}.").format(names=who)
    if table.closers and not is_over:
        who = listed([names[seat] for seat in sorted(table.closers)])
        line = _("Agreed to close the table without a result: {names}. Still missing: {missing}.")
        yield line.format(names=who, missing=missing_agreements(table))


def _series(table: Table) -> str:
    field = series_field(table)
    return f"{field.title}\n{field.text}" if field else ""


def _embed_in_words(embed: discord.Embed) -> str:
    """Write down what a frame shows, for tables of which their game has nothing more to say."""
    parts = (f"{field.name}\n{field.value}" for field in embed.fields)
    return "\n\n".join(filter(None, (embed.title, embed.description, *parts)))


def pages_of(text: str, size: int = PAGE) -> list[str]:
    """Cut a text into messages, between paragraphs if possible, or lines, sentences or words."""
    pages = []
    while len(text) > size:
        at = _cut(text, size)
        pages.append(text[:at].rstrip())
        text = text[at:].lstrip()
    return [page for page in (*pages, text) if page]


def _cut(text: str, size: int) -> int:
    """Return where a text is cut so that the first part fits; a part is not to be much smaller than it could be."""
    for sign in _CUTS:
        at = text.rfind(sign, size // 2, size + 1 - len(sign))
        if at >= 0:
            return at + len(sign)
    return size
