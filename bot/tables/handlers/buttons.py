"""The buttons at a table's message and at a hand, and the functions that answer them."""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import Interaction
from bot.platform.discord.ids import Handler
from bot.platform.discord.menus import chosen_value
from bot.rules.refusals import Refusal
from bot.tables.handlers.answers import TableResponses, clicked_table
from bot.tables.handlers.controls import TableControls
from bot.tables.handlers.hands import Hands
from bot.tables.handlers.ids import ControlId, HandControlId, HandId, MenuId, ReadOnlyId
from bot.tables.model import Status
from bot.tables.service import TableService
from bot.tables.table import Table

TableHandler: TypeAlias = Callable[[Interaction, Table, Any], Awaitable[None]]
"""Answers a click at a table."""


class TableClicks:
    """Finds the table that a click is about, and hands both to what answers it."""

    def __init__(self, service: TableService) -> None:
        self._service = service

    def at_table(self, press: TableHandler) -> Handler:
        """Return a handler that finds the table first."""

        async def handle(click: Interaction, pressed: Any) -> None:
            await press(click, await self.find_table(click, pressed), pressed)

        return handle

    def in_lobby(self, press: TableHandler) -> Handler:
        """Return a handler that judges a refused click again if another process has changed the lobby meanwhile."""
        handle = self.at_table(press)

        async def judge(click: Interaction, pressed: Any) -> None:
            try:
                await handle(click, pressed)
            except Refusal:
                if not await self._has_changed(pressed.table_id):
                    raise
                await handle(click, pressed)

        return judge

    async def _has_changed(self, table_id: int) -> bool:
        """Return whether another process has changed a lobby since it was read, and read it again."""
        with contextlib.suppress(Refusal, StoreUnavailable):
            header = (await self._service.table(table_id)).header
            if header.status is Status.LOBBY:
                return (await self._service.reload(table_id)).header.revision != header.revision
        return False

    async def find_table(self, click: Interaction, pressed: Any) -> Table:
        """Return the table that a click is about, at the step and revision that the button names, or newer.

        Raises:
            Refusal: The table is not in the channel of the click.
        """
        step, revision = getattr(pressed, "step", 0), getattr(pressed, "revision", 0)
        return await clicked_table(click, self._service, pressed.table_id, step=step, revision=revision)


class TableButtons:
    """Answers the controls of tables and hands."""

    def __init__(
        self, clicks: TableClicks, controls: TableControls, hands: Hands, table_responses: TableResponses
    ) -> None:
        self._clicks = clicks
        self._controls = controls
        self._hands = hands
        self._table_responses = table_responses

    async def press_control(self, click: Interaction, pressed: ControlId | MenuId) -> None:
        """Press a control of the screen."""
        control_id = _control_id_of(click, pressed)
        await self._controls.press(click, await self._clicks.find_table(click, control_id), control_id)

    async def press_hand(self, click: Interaction, pressed: HandControlId) -> None:
        """Press a control of a hand, or show the hand again."""
        control = pressed.pressed
        table = await self._clicks.find_table(click, control)
        if isinstance(control, HandId):
            await self._hands.refresh(click, table)
        else:
            await self._hands.press(click, table, _control_id_of(click, control))

    async def refresh_outdated(self, click: Interaction, pressed: ReadOnlyId) -> Table | None:
        """Update the message that was clicked, if it is outdated; the click is answered even if that fails.

        Returns:
            The table, or None if it can't be read.
        """
        table = None
        with contextlib.suppress(Refusal, StoreUnavailable):
            table = await self._clicks.find_table(click, pressed)
            await self._table_responses.refresh_if_outdated(click, table, pressed.revision)
        return table


def _control_id_of(click: Interaction, pressed: ControlId | MenuId) -> ControlId:
    """Return the control that was pressed, or chosen in a menu."""
    return pressed.control_id(chosen_value(click)) if isinstance(pressed, MenuId) else pressed
