"""Replays of finished games, by turns and steps."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from cachetools import LRUCache
from discord import app_commands

from bot.features.replays.messages import ReplayButton, ReplayId, render_replay
from bot.features.replays.model import Replay, ReplayReason
from bot.features.results.model import ChannelsFilter, HistoryFilter, PersonFilter
from bot.features.results.service import ResultsService
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import Interaction, deferred_if_slow
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import channel_of, location_of
from bot.platform.discord.menus import MAX_CHOICES, chosen_value, make_choices
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    attach_picture,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.trace import set_table
from bot.rules.refusals import Refusal, RefusalReason
from bot.tables.handlers.controls import is_here
from bot.tables.model import Header, Occupant, Status, StoredTable, TableId
from bot.tables.refusals import LinkFacts
from bot.tables.replay import ReplayDiverged, replay_entries
from bot.tables.service import TableService
from bot.tables.shown.links import message_link, sanitize_name
from bot.tables.shown.words import format_day, title_of
from bot.tables.table import Table
from bot.words import join_items

_MAX_DIGITS: Final = 18
"""The most digits of a number in a menu's value."""

_MAX_CACHED: Final = 16
"""The number of cached replays; a game of 600 steps takes about half a megabyte."""


class Replays:
    """Shows the steps of finished games; each game is replayed once and cached."""

    def __init__(
        self,
        service: TableService,
        results: ResultsService,
        picture_attacher: PictureAttacher,
        ephemeral_messages: EphemeralMessages,
        require_may_see: Callable[[Table, int], Awaitable[None]],
        *,
        cache_size: int = _MAX_CACHED,
    ) -> None:
        self._service = service
        self._results = results
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages
        self._require_may_see = require_may_see
        self._cache: LRUCache[TableId, Replay] = LRUCache(cache_size)
        self._load_lock = asyncio.Lock()
        self._clearings = 0
        """How often all replays have been forgotten."""

    def clear(self) -> None:
        """Forget all cached replays, which are read again when needed."""
        self._clearings += 1
        self._cache.clear()

    def forget(self, table_id: TableId) -> None:
        """Forget the replay of a table that has changed."""
        self._cache.pop(table_id, None)

    @deferred_if_slow
    async def show_here(self, command: Interaction, table_id: str | None) -> None:
        """Show a finished game of this place from its start: the game with the id, or the newest."""
        replay = await self.load_chosen(command, table_id)
        shown = await send_ephemeral_content(command, await self._render_with_picture(command, replay, 0))
        self._ephemeral_messages.replace_previous(command, EphemeralKind.REPLAY, replay.stages[0].id, shown)

    async def load_chosen(self, command: Interaction, table_id: str | None) -> Replay:
        """Return the replay of a finished game of this place: the game with the id, or the newest.

        Raises:
            Refusal: There is no such game, or its rules have changed.
        """
        if table_id is not None:
            return await self.load(command, _parse_number(table_id, ReplayReason.UNKNOWN_REPLAY))
        newest = await self._results.newest_tables(_history_filter(command), 1)
        if not newest:
            raise Refusal(ReplayReason.NOTHING_TO_REPLAY)
        return await self.load(command, newest[0].results[0].table_id)

    async def load(self, interaction: Interaction, table_id: TableId) -> Replay:
        """Return the replay of a finished game.

        Raises:
            Refusal: The user may not see the game here or not yet, or its rules have changed.
        """
        if table_id not in self._cache:
            async with self._load_lock:
                # Another request may meanwhile have loaded the replay.
                while table_id not in self._cache:
                    await self._load(interaction, table_id)
        replay = self._cache[table_id]
        start = replay.stages[0]
        _require_here(interaction, start.header, start.seats)
        set_table(table_id, start.header.game)
        await self._require_may_see(start, interaction.user.id)
        return replay

    async def suggestions(self, command: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest finished games of this place, newest first."""
        try:
            found = await self._results.newest_tables(_history_filter(command), MAX_CHOICES)
        except StoreUnavailable:
            return []
        labels = []
        for table in found:
            first, names = table.results[0], table.names
            players = join_items([sanitize_name(names[result.seat]) for result in table.results])
            label = f"{format_day(first.finished_at)} · {title_of(self._service.games, first.game)} · {players}"
            labels.append((label, str(first.table_id)))
        return make_choices(label for label in labels if typed.strip().casefold() in label[0].casefold())

    async def go_to_step(self, click: Interaction, replay_id: ReplayId) -> None:
        """Go to another step in the message of a replay, or open a replay.

        Raises:
            Refusal: The user may not see the game here, or a forged menu names no turn or step.
        """
        replay = await self.load(click, replay_id.table_id)
        step = _target_step(click, replay_id, replay)
        is_highlight = replay_id.button is ReplayButton.HIGHLIGHT
        content = await self._render_with_picture(click, replay, step, is_highlight=is_highlight)
        if shown := await edit_or_send_ephemeral(click, content):
            self._ephemeral_messages.replace_previous(click, EphemeralKind.REPLAY, replay_id.table_id, shown)

    async def _render_with_picture(
        self, interaction: Interaction, replay: Replay, step: int, *, is_highlight: bool = False
    ) -> MessageContent:
        content = render_replay(replay, step, is_highlight=is_highlight)
        return await attach_picture(interaction, content, self._picture_attacher, location_of(interaction))

    async def _load(self, interaction: Interaction, table_id: TableId) -> None:
        """Read a replay. Don't cache it if all were forgotten meanwhile, because names in it may have been deleted."""
        clearings = self._clearings
        stored = await self._service.load_stored(table_id)
        header = stored.header
        _require_here(interaction, header, stored.seats)
        set_table(table_id, header.game)
        if header.status is not Status.FINISHED:
            raise Refusal(ReplayReason.NOT_OVER, LinkFacts(message_link(header.location, header.message_id)))
        replay = await self.replay(stored)
        if clearings == self._clearings:
            self._cache[table_id] = replay

    async def replay(self, stored: StoredTable) -> Replay:
        """Replay a finished game, in time slices because a long one takes a while.

        Raises:
            Refusal: Its rules have changed.
        """
        try:
            replaying = self._service.time_slices.run(replay_entries(stored, self._service.games[stored.header.game]))
            *earlier, end = [stage async for stage in replaying]
        except ReplayDiverged as fault:
            raise Refusal(ReplayReason.NO_REPLAY) from fault
        return Replay(stored.entries, (*earlier, replace(end, header=stored.header)))


def _target_step(click: Interaction, replay_id: ReplayId, replay: Replay) -> int:
    """Return the step that a button or a menu leads to; a forged id leads to a step within the replay, too."""
    step = min(replay_id.step, replay.last)
    match replay_id.button:
        case ReplayButton.OPEN | ReplayButton.FIRST:
            return 0
        case ReplayButton.LAST:
            return replay.last
        case ReplayButton.PREVIOUS_TURN:
            return replay.previous_turn(step)
        case ReplayButton.NEXT_TURN:
            return replay.next_turn(step)
        case ReplayButton.BACK | ReplayButton.FORWARD:
            stride = 1 if replay_id.button is ReplayButton.FORWARD else -1
            return max(0, min(replay.last, step + stride))
        case ReplayButton.TURN | ReplayButton.HIGHLIGHT:
            chosen = _parse_number(chosen_value(click), ClickReason.UNKNOWN_BUTTON)
            is_turn = replay_id.button is ReplayButton.TURN
            return replay.start_of_turn(chosen) if is_turn else min(replay.last, chosen)


def _parse_number(text: str, reason: RefusalReason) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS):
        raise Refusal(reason)
    return int(text)


def _require_here(interaction: Interaction, header: Header, seats: Sequence[Occupant]) -> None:
    """Raise a Refusal for a game played elsewhere, unless one of its players asks in a direct message."""
    is_player = any(occupant.user_id == interaction.user.id for occupant in seats)
    if not is_here(interaction, header) and not (is_player and (header.is_private or interaction.guild_id is None)):
        raise Refusal(ReplayReason.UNKNOWN_REPLAY)


def _history_filter(interaction: Interaction) -> HistoryFilter:
    if interaction.guild_id is None:
        return PersonFilter(interaction.user.id, None)
    return ChannelsFilter(interaction.guild_id, frozenset({channel_of(interaction)}))
