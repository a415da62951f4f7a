"""Routes clicks on what is shown beside tables: help, results, boards, settings, puzzles, tournaments."""

from typing import TypeAlias

from bot.app.features import Features
from bot.features.daily_bag.ids import DailyBagId
from bot.features.fairness.dice_proof import check_dice
from bot.features.help.ids import GuidePageId, HelpId, NoTipsId, ReadAloudId
from bot.features.privacy.ids import PrivacyId
from bot.features.puzzles.ids import DailyPuzzleId, NextPuzzleId, PuzzleChoiceId, PuzzleComponentId
from bot.features.reminders.ids import MyTablesId, PingMenuId, PingPanelId, TimeUpId
from bot.features.results.ids import (
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
from bot.features.settings.ids import (
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    SettingId,
    SettingsComponentId,
    SettingsSectionId,
    UnblockId,
)
from bot.features.tournaments.ids import DecisionId, TournamentButtonId, TournamentComponentId
from bot.platform.discord.answers import Interaction
from bot.tables.handlers.clicked_table import clicked_table
from bot.tables.handlers.ids import GuideId, ReadTableId, WhatHappenedId
from bot.tables.model import TableId
from bot.tables.service import TableService
from bot.tables.table import Table

_HelpClickId: TypeAlias = GuidePageId | HelpId | NoTipsId | ReadAloudId
"""What helps; menus of games are left out, because their lines name other ids."""


class ClicksBesideTables:
    """Hands a click that is not made at a table's message to the feature that its id names."""

    def __init__(self, service: TableService, features: Features) -> None:
        self._service = service
        self._features = features

    async def route(
        self,
        click: Interaction,
        pressed: GuideId
        | _HelpClickId
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
        pressed: TournamentComponentId | _HelpClickId | TimeUpId | PingPanelId | PingMenuId | MyTablesId | PrivacyId,
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
        pressed: _HelpClickId | TimeUpId | PingPanelId | PingMenuId | MyTablesId | PrivacyId,
    ) -> None:
        features = self._features
        match pressed:
            case PrivacyId():
                await features.privacy.press(click, pressed)
            case GuidePageId():
                await features.guides.turn_page(click, pressed)
            case HelpId():
                await features.help.press(click, pressed)
            case ReadAloudId():
                await features.readings.switch(click, pressed)
            case NoTipsId(table_id):
                await features.tips.turn_off(click, await self._table(click, table_id))
            case TimeUpId() | PingPanelId() | PingMenuId() | MyTablesId():
                await self._route_waiting(click, pressed)

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
        """Check that a table was fair, or post its result."""
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

    async def _table(self, click: Interaction, table_id: TableId) -> Table:
        return await clicked_table(click, self._service, table_id)
