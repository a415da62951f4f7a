"""Routes clicks to the features: every click is answered, whatever its id says."""

import contextlib
from collections.abc import Mapping
from typing import cast

import discord

from bot.rules.refusals import Refusal
from bot.tables.model import TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import (
    CancelTableId,
    CheckDiceId,
    ComponentId,
    ControlId,
    GuideId,
    HandControlId,
    HandId,
    HistoryId,
    InvitationId,
    LeaderboardId,
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
    ReadTableId,
    ReplayId,
    ResumeId,
    SeatId,
    StillPlayingId,
)
from bot.ui.features.closing import close_or_agree
from bot.ui.features.dice_proof import check_dice
from bot.ui.features.features import Features
from bot.ui.interactions.clicked_table import clicked_table
from bot.ui.interactions.error_replies import ErrorReplies
from bot.ui.interactions.responses import Interaction, defer_if_slow
from bot.ui.interactions.table_responses import TableResponses
from bot.ui.render.menus import chosen_value

CLICK_TYPES = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""The interactions that are answered here: clicks and forms."""


class Dispatcher:
    """Finds the table that a click is about and hands both to the feature that its id names."""

    def __init__(
        self, service: TableService, features: Features, table_responses: TableResponses, error_replies: ErrorReplies
    ) -> None:
        self._service = service
        self._features = features
        self._table_responses = table_responses
        self._error_replies = error_replies

    async def on_interaction(self, click: Interaction) -> None:
        """Answer a click, or a form, which must be forged; ignore other interactions."""
        if click.type not in CLICK_TYPES:
            return
        try:
            await defer_if_slow(click, self._route(click, parse_id(_custom_id(click))))
        except Exception as fault:  # noqa: BLE001 - whatever went wrong, the person who clicked gets an answer
            await self._error_replies.send(click, fault)

    async def _refresh_outdated(self, click: Interaction, pressed: ReadOnlyId) -> None:
        """Update the message that was clicked, if it is outdated; the click is answered even if that fails."""
        with contextlib.suppress(Refusal, StoreUnavailable):
            table = await self._table(click, pressed.table_id, revision=pressed.revision)
            await self._table_responses.refresh_if_outdated(click, table, pressed.revision)

    async def _route(self, click: Interaction, pressed: ComponentId) -> None:
        features = self._features
        match pressed:
            case ControlId() | MenuId():
                control_id = _control_id_of(click, pressed)
                table = await self._table(click, control_id.table_id, step=control_id.step)
                await features.controls.press(click, table, control_id)
            case HandId() | HandControlId():
                await self._route_to_hand(click, pressed)
            case LobbyId(table_id):
                await features.lobbies.press(click, await self._table(click, table_id), pressed)
            case OptionPanelId(table_id) | OptionPageId(table_id) | OptionMenuId(table_id):
                await features.options.press(click, await self._table(click, table_id), pressed)
            case SeatId(table_id, step):
                await features.seats.press(click, await self._table(click, table_id, step=step), pressed)
            case CancelTableId(table_id):
                await close_or_agree(click, self._service, await self._table(click, table_id))
            case InvitationId(table_id):
                await features.invitations.press(click, await self._table(click, table_id), pressed)
            case PlayAgainId() | NextTableId() | OpenTableId() | PutAsideId() | ResumeId() | StillPlayingId():
                await features.requests.press(click, pressed)
            case ReadOnlyId():
                await self._refresh_outdated(click, pressed)
                await self._route(click, pressed.pressed)
            case _:
                await self._show_information(click, pressed)

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

    async def _show_information(
        self, click: Interaction, pressed: GuideId | CheckDiceId | ReadTableId | ReplayId | LeaderboardId | HistoryId
    ) -> None:
        features = self._features
        match pressed:
            case LeaderboardId() | HistoryId():
                await features.results.show_page(click, pressed)
            case ReadTableId(table_id):
                await features.readings.read(click, await self._table(click, table_id))
            case ReplayId():
                await features.replays.go_to_step(click, pressed)
            case CheckDiceId(table_id):
                await check_dice(click, self._service, table_id)
            case GuideId(game):
                await features.guides.show(click, game)

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
