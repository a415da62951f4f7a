"""Replays: a finished game again, step by step, for whoever asks."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import discord
from discord import app_commands

from bot.community.model import ChannelsFilter, FinishedTable, HistoryFilter, PersonFilter
from bot.community.service import ResultsService
from bot.observability.trace import set_table
from bot.rules.refusals import Refusal
from bot.tables.controls import AgreeToClose, AskForSubstitute, ComeBack, ControlEntry, Resign, Substitute, TakeBack
from bot.tables.model import Entry, Occupant, Place, Status, TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.refusal_facts import LinkFacts
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.tables.runtime.service import TableService
from bot.tables.table import ReplayDiverged, Table, control_of, replay_entries
from bot.ui.custom_ids import ReplayButton, ReplayId
from bot.ui.delivery.picture_attachments import PictureAttacher
from bot.ui.interactions.context import place_of
from bot.ui.interactions.ephemeral_content import attach_picture, edit_or_send_ephemeral, send_ephemeral_content
from bot.ui.interactions.ephemeral_messages import EphemeralKind, EphemeralMessages
from bot.ui.interactions.responses import defer_if_slow
from bot.ui.render.absences import past_seat_names
from bot.ui.render.game_names import title_of
from bot.ui.render.links import escaped_seat_names, message_link, sanitize_name
from bot.ui.render.message import Button, MessageContent
from bot.ui.render.suggestions import MAX_CHOICES, make_choices
from bot.ui.render.table_message import position_content
from bot.words import N_, format_number, gettext as _, join_items, seat_emoji

Interaction = discord.Interaction[Any]

LEAP_STEPS: Final = 10
"""So many steps are skipped at once in a long game."""

_LEAP_MIN_STEPS = 2 * LEAP_STEPS
_REPLAYS = 16
"""So many games are kept as they were played again; one of 600 steps takes about half a megabyte."""

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
    """A finished game with every position it went through."""

    entries: tuple[Entry, ...]
    stages: tuple[Table, ...]
    """The table after the set-up, and after each entry."""

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.entries)


class Replays:
    """Leads people through finished games; each is followed once, whatever the number of steps looked at."""

    def __init__(
        self,
        service: TableService,
        community: ResultsService,
        picture_attacher: PictureAttacher,
        ephemeral_messages: EphemeralMessages,
    ) -> None:
        self._service = service
        self._community = community
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages
        self._cache: OrderedDict[TableId, Replay] = OrderedDict()
        self._load_lock = asyncio.Lock()

    async def show_here(self, command: Interaction, wanted: str | None) -> None:
        """Show a finished game of this place from its start: the one with a number, or the newest."""
        await defer_if_slow(command, self._show_here(command, wanted))

    async def _show_here(self, command: Interaction, wanted: str | None) -> None:
        table_id = await self._newest_table_id(command) if wanted is None else _parse_table_id(wanted)
        replay = await self._get_or_load(command, table_id)
        shown = await send_ephemeral_content(command, await self._render_with_picture(command, replay, 0))
        self._ephemeral_messages.replace_previous(command, EphemeralKind.REPLAY, table_id, shown)

    async def suggestions(self, command: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest finished games of this place, the newest first."""
        try:
            found = await self._community.newest_tables(_history_filter(command), MAX_CHOICES)
        except StoreUnavailable:
            return []
        labels = ((_label(played, self._service.games), str(played.results[0].table_id)) for played in found)
        return make_choices(each for each in labels if typed.strip().casefold() in each[0].casefold())

    async def go_to_step(self, click: Interaction, pressed: ReplayId) -> None:
        """Go to another step in the message of a replay; or begin one where there is none yet."""
        replay = await self._get_or_load(click, pressed.table_id)
        step = _target_step(pressed, replay.last)
        show = send_ephemeral_content if pressed.button is ReplayButton.OPEN else edit_or_send_ephemeral
        if shown := await show(click, await self._render_with_picture(click, replay, step)):
            self._ephemeral_messages.replace_previous(click, EphemeralKind.REPLAY, pressed.table_id, shown)

    async def _render_with_picture(self, asked: Interaction, replay: Replay, step: int) -> MessageContent:
        return await attach_picture(asked, render_replay(replay, step), self._picture_attacher, place_of(asked))

    async def _newest_table_id(self, command: Interaction) -> TableId:
        found = await self._community.newest_tables(_history_filter(command), 1)
        if not found:
            raise Refusal(HostReason.NOTHING_TO_REPLAY)
        return found[0].results[0].table_id

    async def _get_or_load(self, asked: Interaction, table_id: TableId) -> Replay:
        """Return a game that whoever asks may see here; refuses any other, and what can't be followed any more."""
        if table_id not in self._cache:
            async with self._load_lock:
                # Who has waited for somebody else who asked finds it followed.
                if table_id not in self._cache:
                    await self._load(asked, table_id)
        replay = self._cache[table_id]
        self._cache.move_to_end(table_id)
        start = replay.stages[0]
        _require_here(asked, start.header.place, start.seats)
        set_table(table_id, start.header.game)
        return replay

    async def _load(self, asked: Interaction, table_id: TableId) -> None:
        record = await self._service.load_stored(table_id)
        header = record.header
        _require_here(asked, header.place, record.seats)
        set_table(table_id, header.game)
        if header.status is not Status.FINISHED:
            raise Refusal(HostReason.NOT_OVER, LinkFacts(message_link(header.place, header.message_id)))
        try:
            # A long game takes a while to be played again, and nobody else should wait for it.
            replaying = self._service.time_slices.run(replay_entries(record, self._service.games[header.game]))
            *before, end = [stage async for stage in replaying]
        except ReplayDiverged as fault:
            raise Refusal(HostReason.NO_REPLAY) from fault
        self._cache[table_id] = Replay(record.entries, (*before, replace(end, header=header)))
        while len(self._cache) > _REPLAYS:
            self._cache.popitem(last=False)


def render_replay(replay: Replay, step: int) -> MessageContent:
    """Frame a step of a replay: what the table showed then, with buttons to the other steps."""
    stage = replay.stages[step]
    frame = position_content(stage)
    words = {
        **frame.text_embed_json,
        "description": f"{_heading(replay, step)}\n{frame.text_embed_json['description']}",
    }
    rows = (_button_row(stage.id, step, replay.last, leaps=False), _button_row(stage.id, step, replay.last, leaps=True))
    return replace(frame, text_embed_json=words, rows=tuple(row for row in rows if row))


def _heading(replay: Replay, step: int) -> str:
    """Say which step it is and who held the seat that made it; what nobody sees in the game is told here too."""
    if step == 0:
        return _("**Start** · {steps} steps follow").format(steps=format_number(replay.last))
    entry, before = replay.entries[step - 1], replay.stages[step - 1]
    control = control_of(entry)
    # What is done about a seat is done by the people, whoever plays in it.
    names = escaped_seat_names(before) if control else past_seat_names(before, before.seat_status.vacated)
    who = f"{seat_emoji(entry.seat)} {names[entry.seat]}"
    where = _("**Step {step} of {steps}**").format(step=format_number(step), steps=format_number(replay.last))
    return f"{where} · {who}" if control is None else f"{where} · {_control_text(control, who, names)}"


def _control_text(control: ControlEntry, who: str, names: tuple[str, ...]) -> str:
    """Tell what somebody did about a seat."""
    match control:
        case Resign():
            return _("{who} resigned").format(who=who)
        case AskForSubstitute(absent):
            return _("{who} asked for a computer player in {name}'s place").format(who=who, name=names[absent])
        case Substitute(absent):
            return _("{who} let a computer player stand in for {name}").format(who=who, name=names[absent])
        case ComeBack():
            return _("{who} came back").format(who=who)
        case TakeBack():
            return _("{who} took the move back").format(who=who)
        case AgreeToClose():
            return _("{who} agreed to close the table").format(who=who)


def _button_row(table_id: TableId, step: int, last: int, *, leaps: bool) -> tuple[Button, ...]:
    """Return the buttons that lead elsewhere."""
    turns = (
        (ReplayButton.LEAP_BACK, ReplayButton.LEAP)
        if leaps
        else (ReplayButton.FIRST, ReplayButton.BACK, ReplayButton.FORWARD, ReplayButton.LAST)
    )
    if leaps and last <= _LEAP_MIN_STEPS:
        return ()
    ids = (ReplayId(table_id, step, turn) for turn in turns)
    return tuple(Button(_(_LABELS[each.button]), str(each)) for each in ids if _target_step(each, last) != step)


def _target_step(pressed: ReplayId, last: int) -> int:
    """Return the step that a button leads to; one that was forged leads to the nearest there is."""
    match pressed.button:
        case ReplayButton.OPEN | ReplayButton.FIRST:
            return 0
        case ReplayButton.LAST:
            return last
        case _:
            return max(0, min(last, pressed.step + _STRIDES[pressed.button]))


def _parse_table_id(wanted: str) -> TableId:
    if not (wanted.isascii() and wanted.isdecimal() and len(wanted) <= 18):
        raise Refusal(HostReason.UNKNOWN_REPLAY)
    return int(wanted)


def _require_here(asked: Interaction, place: Place, seats: Sequence[Occupant]) -> None:
    """Refuse a game that was played elsewhere; in a direct message one's own may be seen, wherever they were played."""
    own = asked.guild_id is None and any(who.user_id == asked.user.id for who in seats)
    if place.channel_id != asked.channel_id and not own:
        raise Refusal(HostReason.UNKNOWN_REPLAY)


def _history_filter(asked: Interaction) -> HistoryFilter:
    if asked.guild_id is None:
        return PersonFilter(asked.user.id, None)
    return ChannelsFilter(asked.guild_id, frozenset({asked.channel_id or 0}))


def _label(played: FinishedTable, games: Mapping[str, AnyPackage]) -> str:
    """Name a finished game in one line without Markdown."""
    people = join_items([sanitize_name(result.name) for result in played.results])
    day = played.results[0].finished_at.date().isoformat()
    return f"{day} · {title_of(games, played.results[0].game)} · {people}"
