"""Registers moderation."""

from bot.features.moderation.bans import BanCommands
from bot.features.moderation.messages import BansId, CloseAllId, CloseTableId, LiftBanId, OpenTablesId, PickTableId
from bot.features.moderation.model import MODERATION_ERROR_MESSAGES
from bot.features.moderation.open_tables import OpenTables
from bot.features.moderation.service import Bans
from bot.features.moderation.storage import BAN_KIND, check_seats, plan_removals
from bot.features.settings.handlers import SettingsPanels
from bot.features.settings.kinds import SettingsSection
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.service import ServerRules
from bot.platform.registration import ClientEvent, JobKind
from bot.tables.app import App, Feature
from bot.tables.events import Happened, Hook


def register(app: App) -> Feature:
    """Register moderation."""
    rules, log = app.service(ServerRules), app.service(ModeratorLog)
    bans = Bans(app.db, app.tables, app.clock)
    commands = BanCommands(bans, rules, log, app.clock)
    tables = OpenTables(app.db, app.tables, app.table_messages, rules, log)
    app.find_refusal = bans.find_refusal
    app.service(SettingsPanels).pages[SettingsSection.BANS] = commands.render_page
    return Feature(
        services=(bans, commands, tables),
        buttons={
            **dict.fromkeys((BansId, LiftBanId), commands.press),
            **dict.fromkeys((OpenTablesId, PickTableId, CloseTableId, CloseAllId), tables.press),
        },
        refusals=(MODERATION_ERROR_MESSAGES,),
        hooks=(
            Hook(Happened.OPENED | Happened.SEATED, check=check_seats),
            Hook(Happened.PLAYED, in_transaction=plan_removals),
        ),
        jobs=(JobKind(BAN_KIND, bans.run),),
        looks=(bans.look(),),
        each_minute=(bans.prune,),
        personal_caches=(bans.read_again,),
        # Before the first interaction, so that no banned member slips through after a restart.
        listeners={ClientEvent.STARTING: bans.load},
    )
