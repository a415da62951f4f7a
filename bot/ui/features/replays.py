"""Replays: a finished game again, step by step, for whoever asks."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import discord
from discord import app_commands

from bot.community.model import InChannels, OfPerson, PlayedTable, Shelf
from bot.community.service import Community
from bot.observability.trace import concerning
from bot.rules.package import GamePackage
from bot.rules.refusals import Refusal
from bot.tables.controls import Ask, Close, ComeBack, ControlEntry, Resign, Substitute, TakeBack
from bot.tables.model import Entry, Occupant, Place, Status, TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.refusals import HostReason
from bot.tables.runtime.service import TableService
from bot.tables.table import Diverged, Table, control_of, replayed
from bot.ui.custom_ids import ReplayId, Turn
from bot.ui.delivery.picture_attachments import Easel
from bot.ui.interactions.context import place_of
from bot.ui.interactions.ephemeral_messages import Kind, Whispers
from bot.ui.interactions.responses import promptly
from bot.ui.interactions.sending import drawn_for, turn_page, whisper_frame
from bot.ui.render.absences import holder_names
from bot.ui.render.game_names import title_of
from bot.ui.render.links import link_to, plain, safe_names
from bot.ui.render.message import Frame, Press
from bot.ui.render.suggestions import MOST, offered
from bot.ui.render.table_message import still_frame
from bot.words import N_, gettext as _, listed, number, seat_mark

Asked = discord.Interaction[Any]

LEAP: Final = 10
"""So many steps are skipped at once in a long game."""

_LONG = 2 * LEAP
_REPLAYS = 16
"""So many games are kept as they were played again; one of 600 steps takes about half a megabyte."""

_LABELS: Mapping[Turn, str] = {
    Turn.FIRST: N_("⏮ First"),
    Turn.LEAP_BACK: N_("◀◀ 10"),
    Turn.BACK: N_("◀ Back"),
    Turn.FORWARD: N_("Forward ▶"),
    Turn.LEAP: N_("10 ▶▶"),
    Turn.LAST: N_("Last ⏭"),
}


_STRIDES: Mapping[Turn, int] = {Turn.LEAP_BACK: -LEAP, Turn.BACK: -1, Turn.FORWARD: 1, Turn.LEAP: LEAP}


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

    def __init__(self, service: TableService, community: Community, easel: Easel, whispers: Whispers) -> None:
        self._service = service
        self._community = community
        self._easel = easel
        self._whispers = whispers
        self._kept: OrderedDict[TableId, Replay] = OrderedDict()
        self._following = asyncio.Lock()

    async def show_here(self, command: Asked, wanted: str | None) -> None:
        """Show a finished game of this place from its start: the one with a number, or the newest."""
        await promptly(command, self._show_here(command, wanted))

    async def _show_here(self, command: Asked, wanted: str | None) -> None:
        table_id = await self._newest(command) if wanted is None else _number_in(wanted)
        replay = await self._replay(command, table_id)
        shown = await whisper_frame(command, await self._framed(command, replay, 0))
        self._whispers.renew(command, Kind.REPLAY, table_id, shown)

    async def suggestions(self, command: Asked, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest finished games of this place, the newest first."""
        try:
            found = await self._community.newest(_shelf(command), MOST)
        except StoreUnavailable:
            return []
        labels = ((_label(played, self._service.games), str(played.results[0].table_id)) for played in found)
        return offered(each for each in labels if typed.strip().casefold() in each[0].casefold())

    async def turn(self, click: Asked, pressed: ReplayId) -> None:
        """Go to another step in the message of a replay; or begin one where there is none yet."""
        replay = await self._replay(click, pressed.table_id)
        step = _target(pressed, replay.last)
        show = whisper_frame if pressed.turn is Turn.OPEN else turn_page
        if shown := await show(click, await self._framed(click, replay, step)):
            self._whispers.renew(click, Kind.REPLAY, pressed.table_id, shown)

    async def _framed(self, asked: Asked, replay: Replay, step: int) -> Frame:
        return await drawn_for(asked, replay_frame(replay, step), self._easel, place_of(asked))

    async def _newest(self, command: Asked) -> TableId:
        found = await self._community.newest(_shelf(command), 1)
        if not found:
            raise Refusal(HostReason.NOTHING_TO_REPLAY)
        return found[0].results[0].table_id

    async def _replay(self, asked: Asked, table_id: TableId) -> Replay:
        """Return a game that whoever asks may see here; refuses any other, and what can't be followed any more."""
        if table_id not in self._kept:
            async with self._following:
                # Who has waited for somebody else who asked finds it followed.
                if table_id not in self._kept:
                    await self._follow(asked, table_id)
        replay = self._kept[table_id]
        self._kept.move_to_end(table_id)
        start = replay.stages[0]
        _require_here(asked, start.header.place, start.seats)
        concerning(table_id, start.header.game)
        return replay

    async def _follow(self, asked: Asked, table_id: TableId) -> None:
        record = await self._service.record(table_id)
        header = record.header
        _require_here(asked, header.place, record.seats)
        concerning(table_id, header.game)
        if header.status is not Status.FINISHED:
            raise Refusal(HostReason.NOT_OVER, link=link_to(header.place, header.message_id))
        try:
            # A long game takes a while to be played again, and nobody else should wait for it.
            replaying = self._service.slices.run(replayed(record, self._service.games[header.game]))
            *before, end = [stage async for stage in replaying]
        except Diverged as fault:
            raise Refusal(HostReason.NO_REPLAY) from fault
        self._kept[table_id] = Replay(record.entries, (*before, replace(end, header=header)))
        while len(self._kept) > _REPLAYS:
            self._kept.popitem(last=False)


def replay_frame(replay: Replay, step: int) -> Frame:
    """Frame a step of a replay: what the table showed then, with buttons to the other steps."""
    stage = replay.stages[step]
    frame = still_frame(stage)
    words = {**frame.words, "description": f"{_heading(replay, step)}\n{frame.words['description']}"}
    rows = (_row(stage.id, step, replay.last, leaps=False), _row(stage.id, step, replay.last, leaps=True))
    return replace(frame, words=words, rows=tuple(row for row in rows if row))


def _heading(replay: Replay, step: int) -> str:
    """Say which step it is and who held the seat that made it; what nobody sees in the game is told here too."""
    if step == 0:
        return _("**Start** · {steps} steps follow").format(steps=number(replay.last))
    entry, before = replay.entries[step - 1], replay.stages[step - 1]
    control = control_of(entry)
    # What is done about a seat is done by the people, whoever plays in it.
    names = safe_names(before) if control else holder_names(before, before.standing.left)
    who = f"{seat_mark(entry.seat)} {names[entry.seat]}"
    where = _("**Step {step} of {steps}**").format(step=number(step), steps=number(replay.last))
    return f"{where} · {who}" if control is None else f"{where} · {_deed(control, who, names)}"


def _deed(control: ControlEntry, who: str, names: tuple[str, ...]) -> str:
    """Tell what somebody did about a seat."""
    match control:
        case Resign():
            return _("{who} resigned").format(who=who)
        case Ask(absent):
            return _("{who} asked for a computer player in {name}'s place").format(who=who, name=names[absent])
        case Substitute(absent):
            return _("{who} let a computer player stand in for {name}").format(who=who, name=names[absent])
        case ComeBack():
            return _("{who} came back").format(who=who)
        case TakeBack():
            return _("{who} took the move back").format(who=who)
        case Close():
            return _("{who} agreed to close the table").format(who=who)


def _row(table_id: TableId, step: int, last: int, *, leaps: bool) -> tuple[Press, ...]:
    """Return the buttons that lead elsewhere."""
    turns = (Turn.LEAP_BACK, Turn.LEAP) if leaps else (Turn.FIRST, Turn.BACK, Turn.FORWARD, Turn.LAST)
    if leaps and last <= _LONG:
        return ()
    ids = (ReplayId(table_id, step, turn) for turn in turns)
    return tuple(Press(_(_LABELS[each.turn]), str(each)) for each in ids if _target(each, last) != step)


def _target(pressed: ReplayId, last: int) -> int:
    """Return the step that a button leads to; one that was forged leads to the nearest there is."""
    match pressed.turn:
        case Turn.OPEN | Turn.FIRST:
            return 0
        case Turn.LAST:
            return last
        case _:
            return max(0, min(last, pressed.step + _STRIDES[pressed.turn]))


def _number_in(wanted: str) -> TableId:
    if not (wanted.isascii() and wanted.isdecimal() and len(wanted) <= 18):
        raise Refusal(HostReason.UNKNOWN_REPLAY)
    return int(wanted)


def _require_here(asked: Asked, place: Place, seats: Sequence[Occupant]) -> None:
    """Refuse a game that was played elsewhere; in a direct message one's own may be seen, wherever they were played."""
    own = asked.guild_id is None and any(who.user_id == asked.user.id for who in seats)
    if place.channel_id != asked.channel_id and not own:
        raise Refusal(HostReason.UNKNOWN_REPLAY)


def _shelf(asked: Asked) -> Shelf:
    if asked.guild_id is None:
        return OfPerson(asked.user.id, None)
    return InChannels(asked.guild_id, frozenset({asked.channel_id or 0}))


def _label(played: PlayedTable, games: Mapping[str, GamePackage]) -> str:
    """Name a finished game in one line without Markdown."""
    people = listed([plain(result.name) for result in played.results])
    day = played.results[0].finished_at.date().isoformat()
    return f"{day} · {title_of(games, played.results[0].game)} · {people}"
