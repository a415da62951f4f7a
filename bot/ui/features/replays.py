"""Replays of finished games, step by step."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cachetools import LRUCache
from discord import app_commands

from bot.community.model import ChannelsFilter, FinishedTable, HistoryFilter, PersonFilter
from bot.community.service import ResultsService
from bot.observability.trace import set_table
from bot.rules.refusals import Refusal
from bot.tables import control_entries
from bot.tables.model import Entry, Occupant, Place, Status, TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.refusal_facts import LinkFacts
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.tables.runtime.service import TableService
from bot.tables.table import ReplayDiverged, Table, control_entry_of, replay_entries
from bot.ui.custom_ids import ReplayButton, ReplayId
from bot.ui.delivery.picture_attachments import PictureAttacher
from bot.ui.interactions.context import place_of
from bot.ui.interactions.ephemeral_content import attach_picture, edit_or_send_ephemeral, send_ephemeral_content
from bot.ui.interactions.ephemeral_messages import EphemeralKind, EphemeralMessages
from bot.ui.interactions.responses import Interaction, deferred_if_slow
from bot.ui.render.absences import past_seat_names
from bot.ui.render.game_names import title_of
from bot.ui.render.links import escaped_seat_names, message_link, sanitize_name
from bot.ui.render.message import Button, MessageContent
from bot.ui.render.suggestions import MAX_CHOICES, make_choices
from bot.ui.render.table_message import render_position
from bot.words import N_, format_number, gettext as _, join_items, seat_emoji

LEAP_STEPS: Final = 10
"""Steps that the leap buttons skip."""

_LEAP_MIN_STEPS = 2 * LEAP_STEPS
_MAX_CACHED = 16
"""Size of the cache; a game of 600 steps takes about half a megabyte."""

_LABELS: Mapping[ReplayButton, str] = {
    ReplayButton.FIRST: N_("⏮ First"),
    ReplayButton.LEAP_BACK: N_("◀◀ 10"),
    ReplayButton.BACK: N_("◀ Back"),
    ReplayButton.FORWARD: N_("Forward ▶"),
    ReplayButton.LEAP: N_("10 ▶▶"),
    ReplayButton.LAST: N_("Last ⏭"),
}


_STRIDES: Mapping[ReplayButton, int] = {
    ReplayButton.LEAP_BACK: -LEAP_STEPS,
    ReplayButton.BACK: -1,
    ReplayButton.FORWARD: 1,
    ReplayButton.LEAP: LEAP_STEPS,
}


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game with all its positions."""

    entries: tuple[Entry, ...]
    stages: tuple[Table, ...]
    """The table after the setup, and after each entry."""

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.entries)


class Replays:
    """Shows the steps of finished games; a game is replayed once and then cached."""

    def __init__(
        self,
        service: TableService,
        community: ResultsService,
        picture_attacher: PictureAttacher,
        ephemeral_messages: EphemeralMessages,
        *,
        cache_size: int = _MAX_CACHED,
    ) -> None:
        self._service = service
        self._community = community
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages
        self._cache: LRUCache[TableId, Replay] = LRUCache(cache_size)
        self._load_lock = asyncio.Lock()

    @deferred_if_slow
    async def show_here(self, command: Interaction, table_id: str | None) -> None:
        """Show a finished game of this place from its start: the one with an id, or the newest."""
        chosen_id = await self._newest_table_id(command) if table_id is None else _parse_table_id(table_id)
        replay = await self._get_or_load(command, chosen_id)
        shown = await send_ephemeral_content(command, await self._render_with_picture(command, replay, 0))
        self._ephemeral_messages.replace_previous(command, EphemeralKind.REPLAY, chosen_id, shown)

    async def suggestions(self, command: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest finished games of this place, newest first."""
        try:
            found = await self._community.newest_tables(_history_filter(command), MAX_CHOICES)
        except StoreUnavailable:
            return []
        labels = ((_label(table, self._service.games), str(table.results[0].table_id)) for table in found)
        return make_choices(each for each in labels if typed.strip().casefold() in each[0].casefold())

    async def go_to_step(self, click: Interaction, replay_id: ReplayId) -> None:
        """Go to another step in the message of a replay, or open a replay."""
        replay = await self._get_or_load(click, replay_id.table_id)
        step = _target_step(replay_id, replay.last)
        send = send_ephemeral_content if replay_id.button is ReplayButton.OPEN else edit_or_send_ephemeral
        if shown := await send(click, await self._render_with_picture(click, replay, step)):
            self._ephemeral_messages.replace_previous(click, EphemeralKind.REPLAY, replay_id.table_id, shown)

    async def _render_with_picture(self, interaction: Interaction, replay: Replay, step: int) -> MessageContent:
        return await attach_picture(
            interaction, render_replay(replay, step), self._picture_attacher, place_of(interaction)
        )

    async def _newest_table_id(self, command: Interaction) -> TableId:
        found = await self._community.newest_tables(_history_filter(command), 1)
        if not found:
            raise Refusal(HostReason.NOTHING_TO_REPLAY)
        return found[0].results[0].table_id

    async def _get_or_load(self, interaction: Interaction, table_id: TableId) -> Replay:
        """Return the replay of a table.

        Raises:
            Refusal: The user may not see it here, or its rules have changed.
        """
        if table_id not in self._cache:
            async with self._load_lock:
                # Another request may have loaded it meanwhile.
                if table_id not in self._cache:
                    await self._load(interaction, table_id)
        replay = self._cache[table_id]
        start = replay.stages[0]
        _require_here(interaction, start.header.place, start.seats)
        set_table(table_id, start.header.game)
        return replay

    async def _load(self, interaction: Interaction, table_id: TableId) -> None:
        stored = await self._service.load_stored(table_id)
        header = stored.header
        _require_here(interaction, header.place, stored.seats)
        set_table(table_id, header.game)
        if header.status is not Status.FINISHED:
            raise Refusal(HostReason.NOT_OVER, LinkFacts(message_link(header.place, header.message_id)))
        try:
            # Replaying a long game takes a while, so it is done in time slices.
            replaying = self._service.time_slices.run(replay_entries(stored, self._service.games[header.game]))
            *earlier, end = [stage async for stage in replaying]
        except ReplayDiverged as fault:
            raise Refusal(HostReason.NO_REPLAY) from fault
        self._cache[table_id] = Replay(stored.entries, (*earlier, replace(end, header=header)))


def render_replay(replay: Replay, step: int) -> MessageContent:
    """Render a step of a replay: the table as it was, with buttons to other steps."""
    stage = replay.stages[step]
    content = render_position(stage)
    embed = {
        **content.text_embed_json,
        "description": f"{_heading(replay, step)}\n{content.text_embed_json['description']}",
    }
    rows = (_button_row(stage.id, step, replay.last, leaps=False), _button_row(stage.id, step, replay.last, leaps=True))
    return replace(content, text_embed_json=embed, rows=tuple(row for row in rows if row))


def _heading(replay: Replay, step: int) -> str:
    """Return the number of a step and who made it; steps that are about seats are described as well."""
    if step == 0:
        return _("**Start** · {steps} moves").format(steps=format_number(replay.last))
    entry, before = replay.entries[step - 1], replay.stages[step - 1]
    control_entry = control_entry_of(entry)
    # Seat actions are taken by people, even if a computer player has the seat.
    names = escaped_seat_names(before) if control_entry else past_seat_names(before, before.seat_status.vacated)
    who = f"{seat_emoji(entry.seat)} {names[entry.seat]}"
    step_text = _("**Step {step} of {steps}**").format(step=format_number(step), steps=format_number(replay.last))
    return (
        f"{step_text} · {who}"
        if control_entry is None
        else f"{step_text} · {_control_entry_text(control_entry, who, names)}"
    )


def _control_entry_text(control_entry: control_entries.ControlEntry, who: str, names: tuple[str, ...]) -> str:
    """Describe a seat action."""
    match control_entry:
        case control_entries.Resign():
            return _("{who} resigned").format(who=who)
        case control_entries.AskForSubstitute(absent):
            return _("{who} asked for a computer player to replace {name}").format(who=who, name=names[absent])
        case control_entries.Substitute(absent):
            return _("{who} let a computer player stand in for {name}").format(who=who, name=names[absent])
        case control_entries.ComeBack():
            return _("{who} came back").format(who=who)
        case control_entries.TakeBack():
            return _("{who} took the move back").format(who=who)
        case control_entries.AgreeToClose():
            return _("{who} agreed to close the table").format(who=who)


def _button_row(table_id: TableId, step: int, last: int, *, leaps: bool) -> tuple[Button, ...]:
    """Return the buttons that lead to another step."""
    buttons = (
        (ReplayButton.LEAP_BACK, ReplayButton.LEAP)
        if leaps
        else (ReplayButton.FIRST, ReplayButton.BACK, ReplayButton.FORWARD, ReplayButton.LAST)
    )
    if leaps and last <= _LEAP_MIN_STEPS:
        return ()
    replay_ids = (ReplayId(table_id, step, button) for button in buttons)
    return tuple(Button(_(_LABELS[each.button]), str(each)) for each in replay_ids if _target_step(each, last) != step)


def _target_step(replay_id: ReplayId, last: int) -> int:
    """Return the step that a button leads to, within the replay even if the id is forged."""
    match replay_id.button:
        case ReplayButton.OPEN | ReplayButton.FIRST:
            return 0
        case ReplayButton.LAST:
            return last
        case _:
            return max(0, min(last, replay_id.step + _STRIDES[replay_id.button]))


def _parse_table_id(text: str) -> TableId:
    if not (text.isascii() and text.isdecimal() and len(text) <= 18):
        raise Refusal(HostReason.UNKNOWN_REPLAY)
    return int(text)


def _require_here(interaction: Interaction, place: Place, seats: Sequence[Occupant]) -> None:
    """Raise a Refusal if a game was played elsewhere, unless the user played it and asks in a direct message."""
    is_own = interaction.guild_id is None and any(occupant.user_id == interaction.user.id for occupant in seats)
    if place.channel_id != interaction.channel_id and not is_own:
        raise Refusal(HostReason.UNKNOWN_REPLAY)


def _history_filter(interaction: Interaction) -> HistoryFilter:
    if interaction.guild_id is None:
        return PersonFilter(interaction.user.id, None)
    return ChannelsFilter(interaction.guild_id, frozenset({interaction.channel_id or 0}))


def _label(table: FinishedTable, games: Mapping[str, AnyPackage]) -> str:
    """Return date, game and players in one line without Markdown."""
    people = join_items([sanitize_name(result.name) for result in table.results])
    day = table.results[0].finished_at.date().isoformat()
    return f"{day} · {title_of(games, table.results[0].game)} · {people}"
