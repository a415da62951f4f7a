"""Registers reminders."""

from bot.features.reminders import storage
from bot.features.reminders.commands import PingCog
from bot.features.reminders.handlers import Pings
from bot.features.reminders.messages import PingMenuId, PingPanelId, ping_button
from bot.features.reminders.model import PING_ERROR_MESSAGES, PingReason
from bot.features.reminders.service import Reminders
from bot.platform.discord.answers import Interaction
from bot.platform.registration import ClientEvent
from bot.tables.app import App, Feature
from bot.tables.handlers.commands import TableCommands


def register(app: App) -> Feature:
    """Register reminders."""
    reminders = Reminders(app.tables, app.db, app.sender, is_enabled=app.tables.settings.reminders)
    pings = Pings(app.tables, reminders, app.db, app.service(TableCommands), app.ephemeral_messages)

    async def press_menu(click: Interaction, pressed: PingMenuId) -> None:
        if pressed.table_id:
            await app.clicks.at_table(pings.press)(click, pressed)
        else:
            await pings.press(click, None, pressed)

    app.reading_buttons = ping_button
    return Feature(
        services=(reminders, pings),
        cogs=(PingCog(),),
        buttons={
            PingPanelId: app.clicks.at_table(lambda click, table, _: pings.open(click, table)),
            PingMenuId: press_menu,
        },
        refusals=(PING_ERROR_MESSAGES,),
        ending_reasons=(PingReason.NO_PINGS_HERE,),
        looks=(reminders.look(),),
        follows=(reminders.on_table_changed,),
        listeners={
            ClientEvent.CHANNEL_DELETED: reminders.note_channel_deleted,
            ClientEvent.CHANNELS_LOST: reminders.look_for_lost_channels,
        },
        forget_server=storage.forget_in_server,
        close=reminders.close,
    )
