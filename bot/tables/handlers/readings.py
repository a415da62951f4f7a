"""Describes tables in plain words, for screen readers, and tells their news."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from discord.utils import format_dt, utcnow

from bot.graphemes import whole_letters
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import Interaction, finish, send_ephemeral
from bot.platform.discord.content import Button, MessageContent, make_view
from bot.platform.discord.emoji import OWN_EMOJI
from bot.platform.discord.http import NETWORK_ERRORS
from bot.platform.discord.private_messages import EphemeralKind, EphemeralMessages
from bot.platform.tasks import TaskSet
from bot.rules.game import Seat
from bot.rules.refusals import Refusal
from bot.tables.handlers.ids import ReadAloudId, ReadTableId, Switch, WhatHappenedId
from bot.tables.model import Status, TableId
from bot.tables.service import TableService
from bot.tables.shown.embeds import SMALL_PRINT
from bot.tables.shown.links import escaped_seat_names
from bot.tables.shown.screen import series_field
from bot.tables.shown.story import (
    describe_since_own_turn,
    describe_what_happened,
    missing_agreements,
    resignation_outcome,
)
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.shown.words import clock_line
from bot.tables.table import Table
from bot.tables.turns import find_forced_end
from bot.words import format_number, gettext as _, join_items

log = logging.getLogger(__name__)

PAGE_SIZE: Final = 2000
"""Discord's limit for the content of a message, in characters."""

_BREAKS: Final = ("\n\n", "\n", ". ", " ")
"""The separators at which to split a text, best first."""

_WAIT_SECONDS: Final = 0.25
_MAX_WAIT_SECONDS: Final = 30.0
"""How long a reading waits for computer players, so that it describes the listener's turn."""


@dataclass(frozen=True, slots=True)
class ReadingAloud:
    """Tells which people, by id, want tables to be read aloud after each of their actions."""

    may_be_on: Callable[[int], bool]
    """Returns whether a person wants readings, or True while their preference is unknown."""
    is_on: Callable[[int], Awaitable[bool]]
    """Returns whether a person wants readings; raises StoreUnavailable if the preference can't be loaded."""
    save: Callable[[int, bool], Awaitable[object]]


class Readings:
    """Sends descriptions of tables in plain words: on request, or after each action of people who want them."""

    def __init__(
        self,
        service: TableService,
        table_messages: DiscordTableMessages,
        ephemeral_messages: EphemeralMessages,
        reading_aloud: ReadingAloud,
        *,
        require_may_see: Callable[[Table, int], Awaitable[None]],
        more_buttons: Callable[[Table, int], tuple[Button, ...]],
    ) -> None:
        self._service = service
        self._require_may_see = require_may_see
        self._more_buttons = more_buttons
        self._table_messages = table_messages
        self._reading_aloud = reading_aloud
        self._ephemeral_messages = ephemeral_messages
        self._tasks = TaskSet("reading")
        self._numbers = count()

    async def press(self, click: Interaction, table: Table, pressed: ReadTableId | WhatHappenedId) -> None:
        """Handle a button."""
        await (self.read(click, table) if isinstance(pressed, ReadTableId) else self.tell(click, table))

    async def read(self, interaction: Interaction, table: Table, news: str = "") -> None:
        """Send the news and description of a table, in several messages if needed, and replace earlier readings.

        Raises:
            Refusal: The user may not see the table yet.
        """
        await self._require_may_see(table, interaction.user.id)
        text = "\n\n".join(filter(None, (news, self.describe(table), _moment_line(table))))
        again = Button(_("Read again"), str(ReadTableId(table.id)))
        switch = _switch_button(table.id, reads_aloud=await self._reads_aloud(interaction.user.id))
        buttons = (again, switch, *self._more_buttons(table, interaction.user.id))
        await self._send(interaction, table, EphemeralKind.READING, text, *buttons)

    async def tell(self, interaction: Interaction, table: Table) -> None:
        """Tell the news of a table as the user may know them, in the same way as `read`.

        Raises:
            Refusal: The user may not see the table yet.
        """
        await self._require_may_see(table, interaction.user.id)
        text = OWN_EMOJI.in_text(describe_what_happened(table, table.seat_of(interaction.user.id)))
        await self._send(interaction, table, EphemeralKind.WHAT_HAPPENED, text)

    async def _send(
        self, interaction: Interaction, table: Table, kind: EphemeralKind, text: str, *buttons: Button
    ) -> None:
        *pages, last = split_pages(text)
        sent = [await send_ephemeral(interaction, page) for page in pages]
        view = MessageContent({}, (buttons,)).view() if buttons else None
        sent.append(await send_ephemeral(interaction, last, view=view))
        self._ephemeral_messages.replace_previous(interaction, kind, table.id, *sent)

    async def switch(self, click: Interaction, pressed: ReadAloudId) -> None:
        """Turn reading aloud on or off for a person, and confirm it below the reading.

        Raises:
            StoreUnavailable: The preference can't be saved.
        """
        is_on = pressed.switch is Switch.ON
        await self._reading_aloud.save(click.user.id, is_on)
        text = _("I won't read the table to you any more.")
        if is_on:
            text = _("I'll read the table to you after each of your moves from now on, in every server.")
        await finish(click, text, make_view(_switch_button(pressed.table_id, reads_aloud=is_on)))

    def after_action(self, interaction: Interaction, table: Table) -> None:
        """Read the table, in the background, to a player who has just changed it and wants readings.

        Picking a die changes no table; a screen reader reads the button's new label instead.
        """
        if self._reading_aloud.may_be_on(interaction.user.id):
            self._tasks.start(next(self._numbers), self._read_after_action(interaction, table))

    async def close(self, seconds: float) -> None:
        """Finish running readings, within some seconds."""
        await self._tasks.close(seconds)

    async def _read_after_action(self, interaction: Interaction, table: Table) -> None:
        if not await self._reads_aloud(interaction.user.id):
            return
        try:
            table = await self._after_computer_players(table)
            seat = table.seat_of(interaction.user.id)
            await self.read(interaction, table, "" if seat is None else describe_since_own_turn(table, seat))
        except (Refusal, StoreUnavailable, *NETWORK_ERRORS) as fault:
            log.debug("table %s could not be read aloud: %s", table.id, fault)

    async def _reads_aloud(self, user_id: int) -> bool:
        """Return whether a person wants readings; False if the preference can't be loaded."""
        try:
            return await self._reading_aloud.is_on(user_id)
        except StoreUnavailable:
            return False

    async def _after_computer_players(self, table: Table) -> Table:
        """Return the table once no computer player and no forced end is due, or after a while."""
        end = time.monotonic() + _MAX_WAIT_SECONDS
        table = await self._service.table(table.id, step=table.header.step)
        while (table.header.awaits_computer or find_forced_end(table) is not None) and time.monotonic() < end:
            await asyncio.sleep(_WAIT_SECONDS)
            table = await self._service.table(table.id)
        return table

    def describe(self, table: Table) -> str:
        """Return the game's reading of a table with absences and series, or else the table's message in words.

        A game can describe neither a lobby nor a table that ended by resignations.
        """
        is_over, build_reading = table.header.status is Status.FINISHED, table.package.words.build_reading
        is_told = table.header.status is Status.PLAYING or (is_over and resignation_outcome(table) is None)
        if build_reading is None or not is_told:
            embed = self._table_messages.build_content(table).text_embed
            fields = (f"{field.name}\n{field.value}" for field in embed.fields)
            return "\n\n".join(filter(None, (embed.title, embed.description, *fields)))
        text = build_reading(table.package.game.view(table.state, None), _current_seat_names(table))
        lines = [text, clock_line(table), *_absence_lines(table)]
        if series := series_field(table):
            lines.append(f"{series.title}\n{series.text}")
        return "\n\n".join(filter(None, lines))


def _moment_line(table: Table) -> str:
    """Return the line with the step of the reading, because the message does not follow the table."""
    if table.header.status is not Status.PLAYING:
        return ""
    line = _("This was the table at step {step}, {when}.")
    return SMALL_PRINT + line.format(step=format_number(table.header.step), when=format_dt(utcnow(), "R"))


def _switch_button(table_id: TableId, *, reads_aloud: bool) -> Button:
    """Return the button that turns reading aloud on or off."""
    label = _("Stop reading to me") if reads_aloud else _("Read to me after each move")
    return Button(label, str(ReadAloudId(table_id, Switch.OFF if reads_aloud else Switch.ON)))


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
        players = _join_seats(names, seat_status.resigned)
        line = _("Resigned, with a computer player playing on: {names}.")
        if is_over:
            line = _("Resigned, so ranked last whatever their score: {names}.")
        yield line.format(names=players)
    if seat_status.removed and not is_over:
        players = _join_seats(names, seat_status.removed)
        yield _("Removed by a moderator, with a computer player playing on: {names}.").format(names=players)
    if (absent := seat_status.substituted - seat_status.removed) and not is_over:
        players = _join_seats(names, absent)
        yield _("Absent, with a computer player standing in: {names}.").format(names=players)
    if table.header.hinted and is_over:
        yield _("With hints: {names}.").format(names=_join_seats(names, table.header.hinted))
    if table.closers and not is_over:
        players = _join_seats(names, table.closers)
        line = _("Agreed to close without a result: {names}. Still missing: {missing}.")
        yield line.format(names=players, missing=missing_agreements(table))


def _join_seats(names: Sequence[str], seats: frozenset[Seat]) -> str:
    return join_items([name for seat, name in enumerate(names) if seat in seats])


def split_pages(text: str, size: int = PAGE_SIZE) -> list[str]:
    """Split a text into messages: between paragraphs if possible, else between lines, sentences or words."""
    pages = []
    while len(text) > size:
        end = _find_break(text, size)
        pages.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [page for page in (*pages, text) if page]


def _find_break(text: str, size: int) -> int:
    """Return the index at which to split a text, so that the first part fits and is at least half full."""
    for separator in _BREAKS:
        start = text.rfind(separator, size // 2, size + 1 - len(separator))
        if start >= 0:
            return start + len(separator)
    return len(whole_letters(text, size))
