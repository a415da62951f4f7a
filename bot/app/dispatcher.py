"""Routes clicks to the features: every click is answered, whatever its id says."""

import contextlib
from collections.abc import Mapping
from typing import Final, cast

import discord

from bot.app.clicks_beside_tables import ClicksBesideTables
from bot.app.custom_id_parser import parse_id
from bot.app.features import Features
from bot.features.help.ids import GameMenuId, LessonId
from bot.features.reminders.ids import ClockMenuId
from bot.platform.discord.answers import Interaction, defer_if_slow
from bot.platform.discord.error_replies import ErrorReplies
from bot.platform.discord.menus import chosen_value
from bot.rules.refusals import Refusal
from bot.tables.handlers.answers import TableResponses
from bot.tables.handlers.clicked_table import clicked_table
from bot.tables.handlers.closing import close_or_agree
from bot.tables.handlers.ids import (
    CancelTableId,
    ComponentId,
    ControlId,
    GuideId,
    HandControlId,
    HandId,
    HintId,
    HintMenuId,
    InvitationId,
    LobbyId,
    MenuId,
    NextTableId,
    OpenTableId,
    OptionMenuId,
    OptionPageId,
    OptionPanelId,
    PlayAgainId,
    PutAsideId,
    ReadOnlyId,
    RemovePlayerId,
    ResumeId,
    SeatId,
    ShowHintId,
    StillPlayingId,
)
from bot.tables.model import Status, TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.refusals import HostReason
from bot.tables.service import TableService
from bot.tables.table import Table

CLICK_TYPES = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""The interactions that are answered here: clicks and forms."""

_LOBBY_IDS: Final = (
    LobbyId,
    RemovePlayerId,
    OptionPanelId,
    OptionPageId,
    OptionMenuId,
    HintMenuId,
    ClockMenuId,
    CancelTableId,
    InvitationId,
)
"""What is pressed about a lobby; not all of it says at which revision it was shown."""


class Dispatcher:
    """Finds the table that a click is about and hands both to the feature that its id names."""

    def __init__(
        self, service: TableService, features: Features, table_responses: TableResponses, error_replies: ErrorReplies
    ) -> None:
        self._service = service
        self._features = features
        self._beside_tables = ClicksBesideTables(service, features)
        self._table_responses = table_responses
        self._error_replies = error_replies

    async def on_interaction(self, click: Interaction) -> None:
        """Answer a click, or a form, which must be forged; ignore other interactions."""
        if click.type not in CLICK_TYPES:
            return
        try:
            await defer_if_slow(click, self._judge(click, parse_id(_custom_id(click))))
        except Exception as fault:  # noqa: BLE001 - whatever went wrong, the person who clicked gets an answer
            await self._error_replies.send(click, fault)

    async def _judge(self, click: Interaction, pressed: ComponentId) -> None:
        """Do what a click asks for; if an outdated lobby refuses it, judge it by the lobby as it is now."""
        try:
            await self._route(click, pressed)
        except Refusal:
            if not (isinstance(pressed, _LOBBY_IDS) and await self._has_changed(pressed.table_id)):
                raise
            await self._route(click, pressed)

    async def _has_changed(self, table_id: TableId) -> bool:
        """Return whether another process has changed a lobby since it was read, and read it again."""
        with contextlib.suppress(Refusal, StoreUnavailable):
            header = (await self._service.table(table_id)).header
            if header.status is Status.LOBBY:
                return (await self._service.reload(table_id)).header.revision != header.revision
        return False

    async def _refresh_outdated(self, click: Interaction, pressed: ReadOnlyId) -> Table | None:
        """Update the message that was clicked, if it is outdated; the click is answered even if that fails.

        Returns:
            The table, or None if it can't be read.
        """
        table = None
        with contextlib.suppress(Refusal, StoreUnavailable):
            table = await self._table(click, pressed.table_id, revision=pressed.revision)
            await self._table_responses.refresh_if_outdated(click, table, pressed.revision)
        return table

    async def _route(self, click: Interaction, pressed: ComponentId) -> None:
        features = self._features
        match pressed:
            case ControlId() | MenuId():
                control_id = _control_id_of(click, pressed)
                table = await self._table(click, control_id.table_id, step=control_id.step)
                await features.controls.press(click, table, control_id)
            case HandId() | HandControlId():
                await self._route_to_hand(click, pressed)
            case LobbyId(table_id, revision) | RemovePlayerId(table_id, revision):
                await features.lobbies.press(click, await self._table(click, table_id, revision=revision), pressed)
            case (
                OptionPanelId(table_id)
                | OptionPageId(table_id)
                | OptionMenuId(table_id)
                | HintMenuId(table_id)
                | ClockMenuId(table_id)
            ):
                await features.options.press(click, await self._table(click, table_id), pressed)
            case HintId(table_id, step) | ShowHintId(table_id, step) | SeatId(table_id, step):
                await self._route_to_seat(click, await self._table(click, table_id, step=step), pressed)
            case CancelTableId(table_id):
                is_moderator = await features.rules.may_moderate(click)
                table = await self._table(click, table_id)
                await close_or_agree(click, self._service, table, is_moderator=is_moderator)
            case InvitationId(table_id):
                await features.invitations.press(click, await self._table(click, table_id), pressed)
            case (
                PlayAgainId()
                | NextTableId()
                | OpenTableId()
                | LessonId()
                | PutAsideId()
                | ResumeId()
                | StillPlayingId()
            ):
                await features.requests.press(click, pressed)
            case ReadOnlyId() | GameMenuId():
                await self._route_named(click, pressed)
            case _:
                await self._beside_tables.route(click, pressed)

    async def _route_named(self, click: Interaction, pressed: ReadOnlyId | GameMenuId) -> None:
        """Do what another id asks for, which the button carries or a line of the menu names."""
        if isinstance(pressed, ReadOnlyId):
            await self._route_read_only(click, pressed)
        else:
            await self._route_game_menu(click)

    async def _route_read_only(self, click: Interaction, pressed: ReadOnlyId) -> None:
        """Update the message if it is outdated, then do what the button asks for."""
        table = await self._refresh_outdated(click, pressed)
        match pressed.pressed:
            # The guide explains the options that the table uses.
            case GuideId(game) if table is not None and table.header.game == game:
                await self._features.guides.show(click, game, table.options)
            case others:
                await self._route(click, others)

    async def _route_game_menu(self, click: Interaction) -> None:
        """Do what a line of a menu of games asks for."""
        chosen = parse_id(chosen_value(click))
        if not isinstance(chosen, OpenTableId | GuideId | LessonId):
            raise Refusal(HostReason.UNKNOWN_BUTTON)
        await self._route(click, chosen)

    async def _route_to_hand(self, click: Interaction, pressed: HandId | HandControlId) -> None:
        hands = self._features.hands
        if isinstance(pressed, HandId):
            await hands.show(click, await self._table(click, pressed.table_id))
            return
        control = pressed.pressed
        if isinstance(control, HandId):
            await hands.refresh(click, await self._table(click, control.table_id))
        else:
            table = await self._table(click, control.table_id, step=control.step)
            await hands.press(click, table, _control_id_of(click, control))

    async def _route_to_seat(self, click: Interaction, table: Table, pressed: HintId | ShowHintId | SeatId) -> None:
        """Give a hint, or act on a seat."""
        if isinstance(pressed, HintId | ShowHintId):
            await self._features.hints.press(click, table, pressed)
        else:
            await self._features.seats.press(click, table, pressed)

    async def _table(self, click: Interaction, table_id: TableId, *, step: int = 0, revision: int = 0) -> Table:
        return await clicked_table(click, self._service, table_id, step=step, revision=revision)


def _control_id_of(click: Interaction, pressed: ControlId | MenuId) -> ControlId:
    """Return the control that was pressed, or chosen in a menu."""
    return pressed.control_id(chosen_value(click)) if isinstance(pressed, MenuId) else pressed


def _custom_id(click: Interaction) -> str:
    if click.type is not discord.InteractionType.component:
        # Parlour shows no forms, so this one is forged.
        return ""
    data = cast("Mapping[str, object]", click.data or {})
    return str(data.get("custom_id", ""))
