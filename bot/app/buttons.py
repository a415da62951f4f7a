"""The functions that answer buttons and menus, by the kinds of their ids."""

from bot.app.features import Features
from bot.features.daily_bag.ids import DailyBagId
from bot.features.help.ids import GameMenuId, GuidePageId, HelpId, LessonId, NoTipsId
from bot.features.idle_tables.ids import PutAsideId, StillPlayingId
from bot.features.privacy.ids import PrivacyId
from bot.features.puzzles.ids import DailyPuzzleId, NextPuzzleId, PuzzleChoiceId
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
    SettingsSectionId,
    UnblockId,
)
from bot.features.tournaments.ids import DecisionId, TournamentButtonId
from bot.platform.discord.answers import Interaction
from bot.platform.discord.ids import CustomId, Handler, Handlers, UnknownId, parse_id
from bot.platform.discord.menus import chosen_value
from bot.tables.handlers.buttons import TableButtons
from bot.tables.handlers.closing import close_or_agree
from bot.tables.handlers.ids import (
    CancelTableId,
    ClockMenuId,
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
    ReadAloudId,
    ReadOnlyId,
    ReadTableId,
    RemovePlayerId,
    ResumeId,
    SeatId,
    ShowHintId,
    WhatHappenedId,
)
from bot.tables.service import TableService
from bot.tables.table import Table


def build_handlers(service: TableService, features: Features, buttons: TableButtons) -> Handlers:
    """Return the function that answers each kind of id."""
    at_table, in_lobby = buttons.at_table, buttons.in_lobby
    handlers: dict[type[CustomId], Handler] = {}

    async def cancel(click: Interaction, table: Table, _pressed: CancelTableId) -> None:
        await close_or_agree(click, service, table, is_moderator=await features.rules.may_moderate(click))

    async def show_guide(click: Interaction, pressed: GuideId) -> None:
        await features.guides.show(click, pressed.game)

    async def choose_game(click: Interaction, _pressed: GameMenuId) -> None:
        chosen = parse_id(chosen_value(click))
        if not isinstance(chosen, OpenTableId | GuideId | LessonId):
            raise UnknownId(str(chosen))
        await handlers[type(chosen)](click, chosen)

    async def press_read_only(click: Interaction, pressed: ReadOnlyId) -> None:
        """Update the message if it is outdated, then do what the button asks for."""
        table = await buttons.refresh_outdated(click, pressed)
        match pressed.pressed:
            # The guide explains the options that the table uses.
            case GuideId(game) if table is not None and table.header.game == game:
                await features.guides.show(click, game, table.options)
            case others:
                await handlers[type(others)](click, others)

    async def press_ping(click: Interaction, pressed: PingMenuId) -> None:
        if pressed.table_id:
            await at_table(features.pings.press)(click, pressed)
        else:
            await features.pings.press(click, None, pressed)

    handlers |= {
        ControlId: buttons.press_control,
        MenuId: buttons.press_control,
        HandId: at_table(lambda click, table, _: features.hands.show(click, table)),
        HandControlId: buttons.press_hand,
        ReadOnlyId: press_read_only,
        ReadTableId: at_table(features.readings.press),
        WhatHappenedId: at_table(features.readings.press),
        ReadAloudId: features.readings.switch,
        SeatId: at_table(features.seats.press),
        **_each((LobbyId, RemovePlayerId), in_lobby(features.lobbies.press)),
        **_each((OptionPanelId, OptionPageId, OptionMenuId, HintMenuId, ClockMenuId), in_lobby(features.options.press)),
        CancelTableId: in_lobby(cancel),
        InvitationId: in_lobby(features.invitations.press),
        OpenTableId: features.new_tables.press,
        **_each((PlayAgainId, NextTableId), features.new_tables.press_next),
        PutAsideId: features.new_tables.press_put_aside,
        ResumeId: at_table(lambda click, table, _: features.idle_tables.resume(click, table)),
        StillPlayingId: at_table(lambda click, table, _: features.idle_tables.keep_open(click, table)),
        LessonId: lambda click, pressed: features.lessons.press(click, pressed.game),
        **_each((HintId, ShowHintId), at_table(features.hints.press)),
        NoTipsId: at_table(lambda click, table, _: features.tips.turn_off(click, table)),
        GuideId: show_guide,
        GuidePageId: features.guides.turn_page,
        GameMenuId: choose_game,
        HelpId: features.help.press,
        CheckDiceId: features.dice_proofs.press,
        ShareId: at_table(lambda click, table, _: features.sharing.share(click, table)),
        ReviewId: lambda click, pressed: features.reviews.show(click, pressed.table_id),
        ReplayId: features.replays.go_to_step,
        HistoryId: features.results.show_page,
        **_each((LeaderboardId, BoardId, BoardMenuId, SeasonId), features.boards.press),
        **_each(
            (SettingId, SettingsSectionId, DefaultsPageId, DefaultOptionId, ResetDefaultsId), features.settings.press
        ),
        UnblockId: lambda click, _: features.blocks.unblock_chosen(click),
        **_each((PuzzleChoiceId, NextPuzzleId, DailyPuzzleId), features.puzzles.press),
        DailyBagId: features.daily_bags.press,
        TimeUpId: at_table(features.clocks.press),
        PingPanelId: at_table(lambda click, table, _: features.pings.open(click, table)),
        PingMenuId: press_ping,
        MyTablesId: features.my_tables.turn_page,
        **_each((TournamentButtonId, DecisionId), features.tournaments.press),
        PrivacyId: features.privacy.press,
    }
    return handlers


def _each(kinds: tuple[type[CustomId], ...], handler: Handler) -> Handlers:
    return dict.fromkeys(kinds, handler)
