"""Registers the tables: their buttons and commands, and the sentences for their refusals."""

import asyncio

from bot.platform.discord.answers import Interaction, clear_late_pictures
from bot.platform.discord.direction import clear_turned_texts
from bot.platform.discord.emoji import OWN_EMOJI
from bot.platform.discord.ids import Handler
from bot.platform.discord.refusals import CLICK_ERROR_MESSAGES
from bot.platform.registration import ClientEvent, JobKind
from bot.tables.app import App, Feature
from bot.tables.compaction import COMPACTION, Compaction
from bot.tables.handlers.closing import close_or_agree
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.controls import Doubts, TableControls
from bot.tables.handlers.error_replies import KERNEL_ERROR_MESSAGES
from bot.tables.handlers.hands import Hands, ShownHands
from bot.tables.handlers.ids import (
    CancelTableId,
    ClockMenuId,
    ControlId,
    GuideId,
    HandControlId,
    HandId,
    HintMenuId,
    LobbyId,
    MenuId,
    MoreId,
    MoveHereId,
    OpponentsId,
    OptionMenuId,
    OptionPageId,
    OptionPanelId,
    PaceMenuId,
    ReadAloudId,
    ReadOnlyId,
    ReadTableId,
    RemovePlayerId,
    SeatId,
    WhatHappenedId,
)
from bot.tables.handlers.lobby import LobbyCommands
from bot.tables.handlers.more import MoreCommands
from bot.tables.handlers.options import OptionPanels
from bot.tables.handlers.readings import Readings
from bot.tables.handlers.seats import SeatCommands
from bot.tables.refusals import HostReason
from bot.tables.shown.host_error_messages import HOST_ERROR_MESSAGES
from bot.tables.shown.links import clear_names
from bot.tables.shown.screen import clear_screens
from bot.tables.table import Table

_ENDING_REASONS = (
    HostReason.UNKNOWN_TABLE,
    HostReason.GAME_GONE,
    HostReason.TABLE_OVER,
    HostReason.ALREADY_STARTED,
    HostReason.NOT_OPENER,
    HostReason.RESIGNED,
)


def register(app: App) -> Feature:
    """Register the tables."""
    # These functions are looked up when they are called, because other features set them later.
    readings = Readings(
        app.tables,
        app.table_messages,
        app.ephemeral_messages,
        app.reading_aloud,
        require_may_see=lambda table, user_id: app.require_may_see(table, user_id),  # noqa: PLW0108 - set later
        more_buttons=lambda table, user_id: app.reading_buttons(table, user_id),  # noqa: PLW0108 - set later
    )
    tables = TableCommands(
        app.host,
        app.posts,
        app.table_messages,
        readings,
        may_moderate=app.may_moderate,
        log_action=app.log_action,
        newest_messages=app.newest_messages,
    )
    shown_hands = ShownHands(
        app.tables, app.ephemeral_messages, app.pictures, app.table_messages.parts, app.languages.of_person
    )
    app.languages.show_again = shown_hands.show_again
    doubts = Doubts()
    hands = Hands(
        app.host,
        tables,
        app.pictures,
        app.ephemeral_messages,
        shown_hands=shown_hands,
        doubts=doubts,
        readings=readings,
        parts=app.table_messages.parts,
    )
    lobbies = LobbyCommands(
        app.host,
        tables,
        app.responses,
        readings,
        may_moderate=app.may_moderate,
        ephemeral_messages=app.ephemeral_messages,
        find_fixed=app.find_fixed,
        log_action=app.log_action,
    )
    seats = SeatCommands(app.host, tables, app.responses, readings, app.log_action)
    more = MoreCommands(
        app.host,
        app.posts,
        app.ephemeral_messages,
        app.table_messages.parts,
        app.may_moderate,
    )
    controls = TableControls(app.host, app.table_messages.drafts, doubts, app.responses, readings)
    options = OptionPanels(
        app.tables,
        app.ephemeral_messages,
        lambda table: app.explain_hints(table),  # noqa: PLW0108 - set later
        app.find_fixed,
    )
    compaction = Compaction(app.db, app.clock)

    async def cancel(click: Interaction, table: Table, pressed: CancelTableId) -> None:
        is_moderator = await app.may_moderate(click)
        await close_or_agree(click, app.tables, table, pressed.reason, app.log_action, is_moderator=is_moderator)

    async def press_read_only(click: Interaction, pressed: ReadOnlyId) -> None:
        """Update the message if it is outdated, then handle the button."""
        table = await app.clicks.refresh_outdated(click, pressed)
        match pressed.pressed:
            case GuideId(game) if table is not None and table.header.game == game:
                await app.explain_game(click, table)
            case other:
                await app.handlers[type(other)](click, other)

    async def close(seconds: float) -> None:
        ending = (shown_hands, readings, app.ephemeral_messages)
        await asyncio.gather(*(service.close(seconds) for service in ending))

    at_table, in_lobby = app.clicks.at_table, app.clicks.in_lobby
    press_options: Handler = in_lobby(options.press)
    return Feature(
        services=(readings, tables, shown_hands, hands, lobbies, seats, more, controls, options),
        buttons={
            **dict.fromkeys((ControlId, MenuId), at_table(controls.press)),
            HandId: at_table(lambda click, table, _: hands.show(click, table)),
            HandControlId: at_table(hands.press),
            ReadOnlyId: press_read_only,
            ReadTableId: at_table(readings.press),
            WhatHappenedId: at_table(readings.press),
            ReadAloudId: readings.switch,
            SeatId: at_table(seats.press),
            MoreId: at_table(more.show),
            MoveHereId: at_table(more.move_here),
            **dict.fromkeys((LobbyId, OpponentsId, RemovePlayerId), in_lobby(lobbies.press)),
            **dict.fromkeys(
                (OptionPanelId, OptionPageId, OptionMenuId, HintMenuId, PaceMenuId, ClockMenuId), press_options
            ),
            CancelTableId: in_lobby(cancel),
        },
        refusals=(
            KERNEL_ERROR_MESSAGES,
            CLICK_ERROR_MESSAGES,
            HOST_ERROR_MESSAGES,
            *(package.words.error_messages for package in app.games.values()),
        ),
        ending_reasons=_ENDING_REASONS,
        jobs=(JobKind(COMPACTION, compaction.run),),
        each_minute=(compaction.check,),
        personal_caches=(
            app.tables.cache.clear,
            app.table_messages.clear,
            app.pictures.clear,
            shown_hands.clear,
            clear_late_pictures,
            clear_screens,
            clear_names,
            OWN_EMOJI.clear_texts,
            clear_turned_texts,
        ),
        listeners={ClientEvent.CONNECTED: app.pictures.prepare_covers, ClientEvent.READY: app.pictures.prepare},
        close=close,
    )
