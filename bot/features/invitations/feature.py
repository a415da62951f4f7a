"""Registers invitations."""

from bot.features.invitations.handlers import InvitationCommands
from bot.features.invitations.messages import InvitationId
from bot.features.invitations.model import INVITATION_ERROR_MESSAGES
from bot.features.invitations.service import Invitations
from bot.features.settings.all_settings import INVITATIONS
from bot.features.settings.service import ServerRules, SettingsCache
from bot.tables.app import App, Feature
from bot.tables.handlers.commands import TableCommands


def register(app: App) -> Feature:
    """Register invitations."""
    invitations = Invitations(app.tables, app.db, app.sender, app.host.publisher.restore)
    settings = app.service(SettingsCache)
    settings.follow(INVITATIONS, invitations.check_early)
    commands = InvitationCommands(
        invitations, app.tables, app.service(TableCommands), rules=app.service(ServerRules), settings=settings
    )
    return Feature(
        services=(invitations, commands),
        buttons={InvitationId: app.clicks.in_lobby(commands.press)},
        refusals=(INVITATION_ERROR_MESSAGES,),
        looks=(invitations.look(),),
        each_minute=(invitations.prune,),
        follows=(invitations.on_table_changed,),
        close=invitations.close,
    )
