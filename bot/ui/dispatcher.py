"""Routes clicks to the features: every click is answered, whatever its id says."""

import contextlib
from collections.abc import Mapping
from typing import cast

import discord

from bot.rules.refusals import Refusal
from bot.tables.model import TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.refusals import HostReason
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import (
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
    ReadTableId,
    RemovePlayerId,
    ResumeId,
    SeatId,
    StillPlayingId,
    WhatHappenedId,
)
from bot.ui.daily_ids import DailyBagId
from bot.ui.features.closing import close_or_agree
from bot.ui.features.dice_proof import check_dice
from bot.ui.features.features import Features
from bot.ui.help_ids import GameMenuId, GuidePageId, HelpComponentId, HelpId, LessonId, NoTipsId, ReadAloudId
from bot.ui.interactions.clicked_table import clicked_table
from bot.ui.interactions.error_replies import ErrorReplies
from bot.ui.interactions.responses import Interaction, defer_if_slow
from bot.ui.interactions.table_responses import TableResponses
from bot.ui.privacy_ids import PrivacyId
from bot.ui.puzzle_ids import DailyPuzzleId, NextPuzzleId, PuzzleChoiceId, PuzzleComponentId
from bot.ui.render.menus import chosen_value
from bot.ui.result_ids import (
    BoardId,
    BoardMenuId,
    CheckDiceId,
    HistoryId,
    LeaderboardId,
    ReplayId,
    ReviewId,
    SeasonId,
    ShareId,
)
from bot.ui.settings_ids import (
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    SettingId,
    SettingsComponentId,
    SettingsSectionId,
    UnblockId,
)
from bot.ui.tournament_ids import DecisionId, TournamentButtonId, TournamentComponentId
from bot.ui.waiting_ids import ClockMenuId, MyTablesId, PingMenuId, PingPanelId, TimeUpId

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
            case LobbyId(table_id) | RemovePlayerId(table_id):
                await features.lobbies.press(click, await self._table(click, table_id), pressed)
            case (
                OptionPanelId(table_id)
                | OptionPageId(table_id)
                | OptionMenuId(table_id)
                | HintMenuId(table_id)
                | ClockMenuId(table_id)
            ):
                await features.options.press(click, await self._table(click, table_id), pressed)
            case HintId(table_id, step) | SeatId(table_id, step):
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
            case ReadOnlyId():
                await self._route_read_only(click, pressed)
            case _:
                await self._route_beside_tables(click, pressed)

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

    async def _route_to_seat(self, click: Interaction, table: Table, pressed: HintId | SeatId) -> None:
        """Give a hint, or act on a seat."""
        if isinstance(pressed, HintId):
            await self._features.hints.press(click, table, pressed)
        else:
            await self._features.seats.press(click, table, pressed)

    async def _route_waiting(
        self, click: Interaction, pressed: TimeUpId | PingPanelId | PingMenuId | MyTablesId
    ) -> None:
        """Route a click on what makes waiting easier."""
        features = self._features
        match pressed:
            case TimeUpId(table_id):
                await features.clocks.press(click, await self._table(click, table_id), pressed)
            case PingPanelId(table_id):
                await features.pings.open(click, await self._table(click, table_id))
            case PingMenuId(table_id):
                await features.pings.press(click, await self._table(click, table_id) if table_id else None, pressed)
            case MyTablesId():
                await features.my_tables.turn_page(click, pressed)

    async def _route_result(self, click: Interaction, pressed: CheckDiceId | ShareId) -> None:
        """Check the dice of a table, or post its result."""
        if isinstance(pressed, CheckDiceId):
            await check_dice(click, self._service, pressed.table_id, self._features.daily_bags.bags.bag)
        else:
            await self._features.sharing.share(click, await self._table(click, pressed.table_id))

    async def _route_board(
        self, click: Interaction, pressed: LeaderboardId | BoardId | BoardMenuId | SeasonId | HistoryId
    ) -> None:
        """Show a page of a history, or something about boards and seasons."""
        if isinstance(pressed, HistoryId):
            await self._features.results.show_page(click, pressed)
        else:
            await self._features.boards.press(click, pressed)

    async def _route_beside_tables(
        self,
        click: Interaction,
        pressed: GuideId
        | HelpComponentId
        | CheckDiceId
        | ShareId
        | ReadTableId
        | WhatHappenedId
        | ReviewId
        | ReplayId
        | LeaderboardId
        | BoardId
        | BoardMenuId
        | SeasonId
        | HistoryId
        | SettingsComponentId
        | PuzzleComponentId
        | DailyBagId
        | TimeUpId
        | PingPanelId
        | PingMenuId
        | MyTablesId
        | TournamentComponentId
        | PrivacyId,
    ) -> None:
        """Route a click that is not made at a table's message."""
        features = self._features
        match pressed:
            case LeaderboardId() | BoardId() | BoardMenuId() | SeasonId() | HistoryId():
                await self._route_board(click, pressed)
            case ReadTableId(table_id) | WhatHappenedId(table_id):
                await features.readings.press(click, await self._table(click, table_id), pressed)
            case ReviewId(table_id):
                await features.reviews.show(click, table_id)
            case ReplayId():
                await features.replays.go_to_step(click, pressed)
            case CheckDiceId() | ShareId():
                await self._route_result(click, pressed)
            case GuideId(game):
                await features.guides.show(click, game)
            case SettingId() | SettingsSectionId() | DefaultsPageId() | DefaultOptionId() | ResetDefaultsId():
                await features.settings.press(click, pressed)
            case UnblockId():
                await features.blocks.unblock_chosen(click)
            case PuzzleChoiceId() | NextPuzzleId() | DailyPuzzleId() | DailyBagId():
                await self._route_of_day(click, pressed)
            case _:
                await self._route_others(click, pressed)

    async def _route_others(
        self,
        click: Interaction,
        pressed: TournamentComponentId | HelpComponentId | TimeUpId | PingPanelId | PingMenuId | MyTablesId | PrivacyId,
    ) -> None:
        """Route a click about tournaments, data, waiting or help."""
        if isinstance(pressed, TournamentButtonId | DecisionId):
            await self._features.tournaments.press(click, pressed)
        else:
            await self._route_help(click, pressed)

    async def _route_of_day(self, click: Interaction, pressed: PuzzleComponentId | DailyBagId) -> None:
        """Route a click on a puzzle, or about the bag of the day."""
        if isinstance(pressed, DailyBagId):
            await self._features.daily_bags.press(click, pressed)
        else:
            await self._features.puzzles.press(click, pressed)

    async def _route_help(
        self,
        click: Interaction,
        pressed: HelpComponentId | TimeUpId | PingPanelId | PingMenuId | MyTablesId | PrivacyId,
    ) -> None:
        features = self._features
        match pressed:
            case PrivacyId():
                await features.privacy.press(click, pressed)
            case GuidePageId():
                await features.guides.turn_page(click, pressed)
            case HelpId():
                await features.help.press(click, pressed)
            case GameMenuId():
                await self._route_game_menu(click)
            case ReadAloudId():
                await features.readings.switch(click, pressed)
            case NoTipsId(table_id):
                await features.tips.turn_off(click, await self._table(click, table_id))
            case TimeUpId() | PingPanelId() | PingMenuId() | MyTablesId():
                await self._route_waiting(click, pressed)

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
