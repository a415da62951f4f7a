"""Hands: the private view of a seat, in an ephemeral message with controls."""

import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeAlias

from cachetools import LRUCache

from bot.languages import ENGLISH, Language, speak, speaking
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import (
    EphemeralMessage,
    Interaction,
    add_when_drawn,
    deferred_if_slow,
    drop_late_picture,
    finish,
)
from bot.platform.discord.content import MessageContent, Roll
from bot.platform.discord.context import person_of
from bot.platform.discord.http import NETWORK_ERRORS
from bot.platform.discord.picture_attachments import PictureAttacher, send_with_fallback
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    attach_picture,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.platform.tasks import TaskSet
from bot.rules.game import Event, Seat
from bot.rules.refusals import Refusal
from bot.rules.screen import EMPTY_DRAFT, Draft, Play, Screen, ScreenBuilder, Toggle
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.controls import Doubts, find_offered_control, pressed_control
from bot.tables.handlers.ids import HandControlId, HandId
from bot.tables.handlers.readings import Readings
from bot.tables.host import Host
from bot.tables.model import TableId
from bot.tables.refusals import HostReason, Stale, TableFacts
from bot.tables.service import TableService
from bot.tables.shown.links import table_link
from bot.tables.shown.message import render_ended_hand, render_hand, render_private_result, render_private_table
from bot.tables.shown.parts import TableParts
from bot.tables.shown.screen import Drafts, screen_of
from bot.tables.shown.story import news_for, seat_names
from bot.tables.table import Table
from bot.tables.turns import require_player, require_turn
from bot.words import gettext as _

log = logging.getLogger(__name__)

_MAX_HANDS: Final = 500

_Key: TypeAlias = tuple[int, TableId]
"""A person and a table."""


@dataclass(slots=True)
class _ShownHand:
    """The contents of a user's newest hand at a table."""

    held: Hashable
    events: tuple[Event, ...]
    """The events of the newest move."""
    newer: Table | None = None
    """The newest table, if its hand is not shown yet."""


class ShownHands:
    """Shows a hand again in its message when its contents change or its seat gets a private event.

    It edits only hands that this process has shown, while their interactions allow it, and only once the process learns
    of the change. It edits no hand while a click refreshes it. Each change is one request, and changes that come while
    a picture is drawn are one together. A click on a button that such an edit replaced makes no move, because its step
    is over.
    """

    def __init__(
        self,
        service: TableService,
        ephemeral_messages: EphemeralMessages,
        picture_attacher: PictureAttacher,
        parts: TableParts,
        language_of: Callable[[int], Awaitable[Language]],
    ) -> None:
        self._service = service
        self._ephemeral_messages = ephemeral_messages
        self._picture_attacher = picture_attacher
        self._parts = parts
        self._language_of = language_of
        self._shown: LRUCache[_Key, _ShownHand] = LRUCache(_MAX_HANDS)
        self._clicked: Counter[_Key] = Counter()
        self._tasks = TaskSet("shown hand")
        service.add_listener(self._on_change)

    def clear(self) -> None:
        """Forget all shown hands, so that they stay as they are."""
        self._shown.clear()

    def record_shown(self, user_id: int, table: Table, seat: Seat) -> None:
        """Note that a user's newest hand shows this state of a table."""
        self._shown[user_id, table.id] = _ShownHand(_hand_contents(table, seat), _latest_events(table))

    async def show_again(self, user_id: int) -> None:
        """Show a user's hands again, because their language has changed."""
        for key in list(self._shown):
            with contextlib.suppress(Refusal, StoreUnavailable):
                if key[0] == user_id and (shown := self._shown.get(key)) is not None:
                    table = await self._service.table(key[1])
                    shown.held = None
                    self.check(table)

    def _on_change(self, table: Table) -> None:
        try:
            self.check(table)
        except Exception:
            # The change is saved, so the remaining listeners must run.
            log.exception("the hands at table %s could not be compared", table.id)

    def check(self, table: Table) -> None:
        """Show the changed hands at a table again, in the background; those of a table put aside stay."""
        if table.state is None or table.header.status.is_aside:
            return
        for seat, occupant in enumerate(table.seats):
            shown = self._shown.get(key := (occupant.user_id or 0, table.id))
            if shown is not None:
                events, shown.events = shown.events, _latest_events(table)
                has_private_events = events != shown.events and any(event.audience == seat for event in shown.events)
                has_changed = _hand_contents(table, seat) != shown.held
                if shown.newer is not None or has_private_events or has_changed:
                    shown.newer = table
                self._schedule_edit(key)

    @contextmanager
    def suspend_edits(self, user_id: int, table_id: TableId) -> Iterator[None]:
        """Leave a user's hand alone while their own click refreshes it."""
        key = (user_id, table_id)
        self._tasks.cancel_running(key)
        self._clicked[key] += 1
        try:
            yield
        finally:
            self._clicked[key] -= 1
            if not self._clicked[key]:
                del self._clicked[key]
                self._schedule_edit(key)

    async def close(self, seconds: float) -> None:
        """Finish running edits, within some seconds."""
        await self._tasks.close(seconds)

    def _schedule_edit(self, key: _Key) -> None:
        shown = self._shown.get(key)
        if shown is not None and shown.newer is not None and key not in self._clicked:
            self._tasks.start(key, self._show_newest(key, shown))

    async def _show_newest(self, key: _Key, shown: _ShownHand) -> None:
        """Edit a hand until it shows the newest table; forget it if it can't be edited."""
        user_id, table_id = key
        # Not the language of the task: the change may be somebody else's.
        speak(await self._language_of(user_id))
        while (table := shown.newer) is not None and self._shown.get(key) is shown:
            seat, messages = (
                table.seat_of(user_id),
                self._ephemeral_messages.newest(user_id, EphemeralKind.HAND, table_id),
            )
            if seat is None or not messages:
                del self._shown[key]
                return
            await self._parts.load(table)
            content = await self._picture_attacher.attach(_render(table, seat, self._parts), table.header.location)
            if shown.newer is not table:
                continue
            try:
                for message in messages:
                    await _edit(message, content)
            except NETWORK_ERRORS as fault:
                log.debug("a hand could not be shown again: %s", fault)
                if self._shown.get(key) is shown:
                    del self._shown[key]
                return
            shown.held = _hand_contents(table, seat)
            if shown.newer is table:
                shown.newer = None


async def _edit(message: EphemeralMessage, content: MessageContent) -> None:
    async def send(each: MessageContent) -> None:
        await message.edit(**each.edit_kwargs())

    drop_late_picture(message.message_id)
    await send_with_fallback(content, send)
    add_when_drawn(content, message.message_id, message.edit)


def _render(table: Table, seat: Seat, parts: TableParts, draft: Draft = EMPTY_DRAFT) -> MessageContent:
    """Render the hand of a seat; at a private table the whole table, and at its end the result."""
    if not table.header.status.is_open:
        has_result = table.header.is_private and table.outcome is not None
        return render_private_result(table, parts) if has_result else render_ended_hand(table)
    if table.header.is_private:
        return render_private_table(table, draft)
    return render_hand(table, seat, _require_hand(table), draft)


def _hand_contents(table: Table, seat: Seat) -> Hashable:
    """Return the contents of a seat's hand: the game's own value, or else the hand's text without news."""
    if not table.header.status.is_open:
        return table.header.status
    if table.header.is_private:
        return table.header.step
    package, view = table.package, table.package.game.view(table.state, seat)
    if package.words.hand_contents is not None:
        return package.words.hand_contents(view)
    if package.words.build_hand_screen is None:
        return None
    with speaking(ENGLISH):
        screen = package.words.build_hand_screen(view, (), seat_names(table), frozenset())
    return screen.title, screen.text


def _latest_events(table: Table) -> tuple[Event, ...]:
    return table.news[-1].events if table.news else ()


class Hands:
    """Shows players their hands and handles the controls there.

    A click on a hand can't edit the table's message, so the publisher does.
    """

    def __init__(
        self,
        host: Host,
        table_commands: TableCommands,
        picture_attacher: PictureAttacher,
        ephemeral_messages: EphemeralMessages,
        *,
        shown_hands: ShownHands,
        doubts: Doubts,
        readings: Readings,
        parts: TableParts,
    ) -> None:
        self._host = host
        self._table_commands = table_commands
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages
        self._shown_hands = shown_hands
        self._doubts = doubts
        self._readings = readings
        self._parts = parts
        # Tokens picked in a hand must not show on the table.
        self._drafts = Drafts()

    @deferred_if_slow
    async def show_here(self, command: Interaction, game: str) -> None:
        """Show the user of a command their hand at this channel's table of a game."""
        await self.show(command, await self._table_commands.table_here(command, game))

    async def show(self, interaction: Interaction, table: Table) -> None:
        """Show the user's hand in a new message, which replaces any earlier one."""
        with self._shown_hands.suspend_edits(interaction.user.id, table.id):
            shown = await send_ephemeral_content(interaction, await self._render_with_picture(interaction, table))
            await self._record_shown(interaction, table, shown)

    async def refresh(self, click: Interaction, table: Table, note: str = "", *, has_moved: bool = False) -> None:
        """Show the current hand in the clicked message, below a note; after the game there is no hand.

        Only the player sees the end of a private table.

        Args:
            click: The click.
            table: Its table.
            note: The note.
            has_moved: Whether the click has made a move, whose dice roll at a private table.
        """
        if table.header.status.is_open:
            with self._shown_hands.suspend_edits(click.user.id, table.id):
                content = await self._render_with_picture(click, table, note, has_moved=has_moved)
                if shown := await edit_or_send_ephemeral(click, content):
                    await self._record_shown(click, table, shown)
            return
        if table.header.status.is_aside:
            raise Refusal(HostReason.PUT_ASIDE, TableFacts(table))
        seat = table.seat_of(click.user.id)
        if table.header.is_private and table.outcome is not None and seat is not None:
            await self._parts.load(table)
            content = render_private_result(table, self._parts)
            content = replace(content, roll=_find_roll(click, table) if has_moved else None)
            content = await attach_picture(click, content, self._picture_attacher, table.header.location)
            await edit_or_send_ephemeral(click, content)
            # Without this, the result would be shown twice.
            self._shown_hands.record_shown(click.user.id, table, seat)
            return
        await finish(click, _("The game is over: {link}").format(link=table_link(table)))

    async def _record_shown(self, interaction: Interaction, table: Table, shown: EphemeralMessage) -> None:
        """Record the contents of the user's hand and check them at once, as the table may have changed meanwhile."""
        if self._ephemeral_messages.replace_previous(interaction, EphemeralKind.HAND, table.id, shown):
            self._shown_hands.record_shown(interaction.user.id, table, require_player(table, person_of(interaction)))
            with contextlib.suppress(Refusal, StoreUnavailable):
                self._shown_hands.check(await self._host.service.table(table.id))

    async def press(self, click: Interaction, table: Table, pressed: HandControlId) -> None:
        """Apply a control of the hand, or show the hand again. A late or double click only refreshes it."""
        if isinstance(pressed.pressed, HandId):
            await self.refresh(click, table)
            return
        person, control_id = person_of(click), pressed_control(click, pressed.pressed)
        with self._shown_hands.suspend_edits(person.id, table.id):
            if not table.header.status.is_open:
                await self.refresh(click, table)
                return
            screen = partial(self._screen, table, person, control_id.draft)
            has_moved, note = False, ""
            try:
                match find_offered_control(table, person, control_id, screen).effect:
                    case Toggle() as toggle:
                        require_turn(table, person, control_id.step)
                        self._drafts.toggle(table, toggle, control_id.draft)
                        self._host.service.touch(table.id)
                    case Play(move) if doubt := self._doubts.raise_once(table, person, control_id.step, move):
                        note = doubt
                    case Play(move):
                        table = await self._host.service.play(table.id, person, control_id.step, move, click.id)
                        has_moved = True
            except Stale:
                table = await self._host.service.table(table.id)
                if table.header.step > control_id.step + 1:  # a double click is only one step late
                    note = _("That button was from an earlier turn. This is your hand now.")
            await self.refresh(click, table, note, has_moved=has_moved)
            if has_moved:
                self._readings.after_action(click, table)

    def _screen(self, table: Table, person: Person, shown_draft: Draft) -> Screen:
        """Return the screen of a person's hand; at a private table it shows the whole game."""
        seat = require_player(table, person)
        draft = self._draft_of(table, seat, shown_draft)
        if table.header.is_private:
            return screen_of(table, draft)
        view = table.package.game.view(table.state, seat)
        return _require_hand(table)(view, news_for(table, seat), seat_names(table), draft)

    def _draft_of(self, table: Table, seat: Seat, shown_draft: Draft = EMPTY_DRAFT) -> Draft:
        """Return the tokens that a seat has picked in its hand; only the seat to move can pick any."""
        return self._drafts.of(table, shown_draft) if seat == table.header.to_move else EMPTY_DRAFT

    async def _render_with_picture(
        self, interaction: Interaction, table: Table, note: str = "", *, has_moved: bool = False
    ) -> MessageContent:
        """Render a hand below a note, with its picture if it is drawn in time."""
        if not table.header.is_private:
            _require_hand(table)
        seat = require_player(table, person_of(interaction))
        content = _render(table, seat, self._parts, self._draft_of(table, seat))
        content = replace(content, roll=_find_roll(interaction, table) if has_moved else None)
        if note:
            embed = content.text_embed_json
            content = replace(content, text_embed_json={**embed, "description": f"{note}\n{embed['description']}"})
        return await attach_picture(interaction, content, self._picture_attacher, table.header.location)


def _find_roll(interaction: Interaction, table: Table) -> Roll | None:
    """Return the newest move of a private table as a roll; its words are not edited later, so they come with it."""
    rolls = table.header.is_private and table.before is not None
    return Roll(frozenset((interaction.user.id,))) if rolls else None


def _require_hand(table: Table) -> ScreenBuilder[Any, Any]:
    """Return the builder of a game's hand screens; raise a Refusal if the game has no hands."""
    if table.package.words.build_hand_screen is None:
        raise Refusal(ClickReason.UNKNOWN_BUTTON)
    return table.package.words.build_hand_screen
