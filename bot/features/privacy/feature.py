"""Registers privacy."""

from bot.features.privacy.commands import PrivacyCog, PrivacyCommands
from bot.features.privacy.messages import PrivacyId, delete_server_button
from bot.features.privacy.service import (
    ERASURE,
    LEFT_SERVER,
    RETENTION,
    SERVER_ERASURE,
    PersonalDataService,
    RetentionService,
    ServerDataService,
)
from bot.features.settings.handlers import SettingsPanels
from bot.features.settings.moderator_log import ModeratorLog
from bot.platform.registration import ClientEvent, JobKind
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register privacy."""
    people = PersonalDataService(app.db, app.tables, app.leave, app.clear_personal_caches)
    servers = ServerDataService(app.db, app.tables, app.end_in_server, app.forget_server)
    retention = RetentionService(app.db, lambda: app.tables.clock)
    servers.find_membership = lambda guild_id: app.find_membership(guild_id)  # noqa: PLW0108 - set later
    commands = PrivacyCommands(people, servers, app.ephemeral_messages, app.service(ModeratorLog).note)
    app.service(SettingsPanels).make_data_buttons = lambda: (delete_server_button(),)
    return Feature(
        services=(commands, people, servers, retention),
        cogs=(PrivacyCog(),),
        buttons={PrivacyId: commands.press},
        jobs=(
            JobKind(ERASURE, people.erase),
            JobKind(LEFT_SERVER, servers.erase_left, is_irrevocable=True),
            JobKind(RETENTION, retention.run, is_irrevocable=True),
            JobKind(SERVER_ERASURE, servers.erase_asked),
        ),
        looks=(people.look(),),
        listeners={
            # Before any table is read, so that this process also forgets what others delete from now on.
            ClientEvent.STARTING: people.check,
            ClientEvent.STARTED: retention.schedule,
            ClientEvent.SERVERS_JOINED: servers.note_joined,
            ClientEvent.SERVERS_PRESENT: servers.note_present,
            ClientEvent.SERVER_LEFT: servers.note_left,
        },
    )
