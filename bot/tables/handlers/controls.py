"""Handles a click at a table: finds the table and the control of its screen, then makes the move."""

import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeAlias

from cachetools import LRUCache

from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import Interaction, keep_clicked_message, send_ephemeral, speaking_to_everyone
from bot.platform.discord.context import person_of
from bot.platform.discord.ids import Handler
from bot.platform.discord.menus import chosen_value
from bot.platform.observability.trace import set_table
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.rules.screen import Control, Draft, Play, Screen, Toggle
from bot.tables.handlers.answers import TableResponses
from bot.tables.handlers.ids import ControlId, HandControlId, MenuId, ReadOnlyId
from bot.tables.handlers.readings import Readings
from bot.tables.handlers.talk import NewestMessages
from bot.tables.host import Host
from bot.tables.model import Header, Status, TableId
from bot.tables.refusals import DuplicateInteraction, HostReason, Stale
from bot.tables.service import TableService
from bot.tables.shown.screen import Drafts, screen_of
from bot.tables.table import Table
from bot.tables.turns import require_turn

_MAX_DOUBTS: Final = 4096
"""How many doubts are remembered; a player whose doubt is forgotten is asked again."""

TableHandler: TypeAlias = Callable[[Interaction, Table, Any], Awaitable[None]]
"""Answers a click at a table."""


async def clicked_table(
    click: Interaction, service: TableService, table_id: TableId, *, step: int = 0, revision: int = 0
) -> Table:
    """Return a table, at least as new as the step and revision that the message showed.

    Raises:
        Refusal: The table is not in the channel of the click, or a private one of somebody else.
    """
    table = await service.table(table_id, step=step, revision=revision)
    is_own = table.seat_of(click.user.id) is not None
    if not (is_own if table.header.is_private else is_here(click, table.header)):
        raise Refusal(HostReason.UNKNOWN_TABLE)
    shown_in = click.message.id if click.message is not None else 0
    if table.header.location.is_outside and table.header.message_id in (None, shown_in):
        keep_clicked_message(click)
    set_table(table.id, table.header.game)
    return table


def is_here(interaction: Interaction, header: Header) -> bool:
    """Return whether somebody acts where a table belongs: in its channel, or in the server of a private one."""
    location = header.location
    if header.is_private:
        return location.guild_id is not None and location.guild_id == interaction.guild_id
    # Nobody else in the channel sees a table outside.
    is_seen = not location.is_outside or location.solo_id == interaction.user.id
    return is_seen and location.channel_id == interaction.channel_id


class TableClicks:
    """Finds the table of a click for the functions that answer it."""

    def __init__(self, service: TableService, table_responses: TableResponses, newest_messages: NewestMessages) -> None:
        self._service = service
        self._table_responses = table_responses
        self._newest_messages = newest_messages

    def at_table(self, press: TableHandler) -> Handler:
        """Return a handler that finds the table and passes it on."""

        async def handle(click: Interaction, pressed: Any) -> None:
            await press(click, await self._table_of(click, pressed), pressed)

        return handle

    def in_lobby(self, press: TableHandler) -> Handler:
        """Return a handler that retries a refused click if another process has changed the lobby."""
        handle = self.at_table(press)

        async def judge(click: Interaction, pressed: Any) -> None:
            try:
                await handle(click, pressed)
            except Refusal:
                if not await self._has_changed(pressed.table_id):
                    raise
                await handle(click, pressed)

        return judge

    async def refresh_outdated(self, click: Interaction, pressed: ReadOnlyId) -> Table | None:
        """Update the clicked message if it is outdated; a failure does not stop the answer to the click.

        Returns:
            The table, or None if it can't be read.
        """
        table = None
        with contextlib.suppress(Refusal, StoreUnavailable):
            table = await self._table_of(click, pressed)
            await self._table_responses.refresh_if_outdated(click, table, pressed.revision)
        return table

    async def _has_changed(self, table_id: TableId) -> bool:
        """Reload a lobby, and return whether another process has changed it."""
        with contextlib.suppress(Refusal, StoreUnavailable):
            header = (await self._service.table(table_id)).header
            if header.status is Status.LOBBY:
                return (await self._service.reload(table_id)).header.revision != header.revision
        return False

    async def _table_of(self, click: Interaction, pressed: Any) -> Table:
        self._newest_messages.note(click)
        named = pressed.pressed if isinstance(pressed, HandControlId) else pressed
        step, revision = getattr(named, "step", 0), getattr(named, "revision", 0)
        return await clicked_table(click, self._service, named.table_id, step=step, revision=revision)


def pressed_control(click: Interaction, pressed: ControlId | MenuId) -> ControlId:
    """Return the id of the control that was pressed or chosen in a menu."""
    return pressed.control_id(chosen_value(click)) if isinstance(pressed, MenuId) else pressed


def find_offered_control(
    table: Table, person: Person, control_id: ControlId, build_screen: Callable[[], Screen]
) -> Control:
    """Return the clicked control. This check decides whether a click at a table or in a hand is stale.

    Under the table's lock, `require_turn` checks step and seat once more.

    Args:
        table: The table.
        person: The person who clicked.
        control_id: The id of the control.
        build_screen: Builds the current state of the clicked screen.

    Raises:
        Stale: The screen no longer offers the control.
        Refusal: The person is not to move.
    """
    if table.header.status is Status.PLAYING and table.header.step == control_id.step:
        control = build_screen().find_control(control_id.key)
        if control is not None and not control.is_disabled:
            return control
    require_turn(table, person, control_id.step)
    raise Stale(table.id)


def _shown_screen(click: Interaction, table: Table, draft: Draft) -> Screen:
    """Return a table's screen in the language of its place, in which it was shown and is in the cache."""
    with speaking_to_everyone(click):
        return screen_of(table, draft)


class Doubts:
    """Tells players, once in a step, what speaks against the moves that they are about to make."""

    def __init__(self) -> None:
        self._raised: LRUCache[tuple[TableId, int], bool] = LRUCache(_MAX_DOUBTS)

    def raise_once(self, table: Table, person: Person, step: int, move: str) -> str:
        """Return what speaks against a move of the person who is to move; empty if nothing does, or they know it.

        Raises:
            Stale: The person clicked on an earlier step.
            Refusal: The person is not to move.
        """
        find, key = table.package.words.find_doubt, (table.id, step)
        if find is None or key in self._raised:
            return ""
        require_turn(table, person, step)
        doubt = find(table.package.game.view(table.state, table.header.to_move), move)
        if doubt:
            self._raised[key] = True
        return doubt


class TableControls:
    """Makes moves and picks tokens for clicks on the message of a table."""

    def __init__(
        self, host: Host, drafts: Drafts, doubts: Doubts, table_responses: TableResponses, readings: Readings
    ) -> None:
        self._host = host
        self._drafts = drafts
        self._doubts = doubts
        self._table_responses = table_responses
        self._readings = readings

    async def press(self, click: Interaction, table: Table, pressed: ControlId | MenuId) -> None:
        """Apply a control and show the table; a late or double click only shows it."""
        person, control_id = person_of(click), pressed_control(click, pressed)
        screen = partial(_shown_screen, click, table, self._drafts.of(table, control_id.draft))
        try:
            match find_offered_control(table, person, control_id, screen).effect:
                case Toggle() as toggle:
                    require_turn(table, person, control_id.step)
                    before = screen()
                    after = _shown_screen(click, table, self._drafts.toggle(table, toggle, control_id.draft))
                    self._host.service.touch(table.id)
                    is_reworded = (before.title, before.rule) != (after.title, after.rule)
                    await self._table_responses.show(
                        click, table, drafted_at=table.header.revision, is_reworded=is_reworded
                    )
                case Play(move) if doubt := self._doubts.raise_once(table, person, control_id.step, move):
                    await send_ephemeral(click, doubt)
                case Play(move):
                    with self._host.publisher.claim(table.id):
                        table = await self._host.service.play(table.id, person, control_id.step, move, click.id)
                        await self._table_responses.show(click, table)
                    self._readings.after_action(click, table)
        except DuplicateInteraction:
            await self._table_responses.let_other_process_answer(click, table.id)
        except Stale:
            await self._table_responses.show(click, table)
