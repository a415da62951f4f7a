"""Why settings, or what they forbid, are refused."""

from collections.abc import Mapping
from typing import Final

from bot.rules.refusals import RefusalReason
from bot.words import N_


class SettingReason(RefusalReason):
    """Why a setting, or something that a setting forbids, is refused."""

    NO_SUCH_SETTING = "no_such_setting"
    TOO_MANY_CHOSEN = "too_many_chosen"
    EVERYONE_OPENS = "everyone_opens"
    EVERYONE_MODERATES = "everyone_moderates"
    EVERYONE_ORGANIZES = "everyone_organizes"
    EVERYONE_MENTIONED = "everyone_mentioned"
    ROLE_NOT_MENTIONABLE = "role_not_mentionable"
    NO_SUCH_ZONE = "no_such_zone"
    PLAYED_ELSEWHERE = "played_elsewhere"
    NOT_PLAYED_HERE = "not_played_here"
    CHANNELS_GONE = "channels_gone"
    MAY_NOT_OPEN = "may_not_open"
    GAME_OFF = "game_off"
    NOT_MANAGER = "not_manager"
    OPENED_JUST_NOW = "opened_just_now"


SETTING_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    SettingReason.NO_SUCH_SETTING: N_("You can't change that here. `/settings show` shows what you can."),
    SettingReason.TOO_MANY_CHOSEN: N_("That would be more than 25, which is the limit. Remove one first."),
    SettingReason.EVERYONE_OPENS: N_(
        "Everyone has that role, and everyone may open tables while no role is chosen. Leave the list empty instead."
    ),
    SettingReason.EVERYONE_MODERATES: N_(
        "Everyone has that role, so everyone could close the tables of others. Choose a role that only some have."
    ),
    SettingReason.EVERYONE_ORGANIZES: N_(
        "Everyone has that role, so everyone could end the tournaments of others. Choose a role that only some have."
    ),
    SettingReason.EVERYONE_MENTIONED: N_("Everyone has that role. Choose a role of people who want to be told."),
    SettingReason.ROLE_NOT_MENTIONABLE: N_(
        "You may not mention that role yourself. Choose another, or allow anyone to mention it in the role's settings."
    ),
    SettingReason.NO_SUCH_ZONE: N_("I don't know that time zone. Choose one from the list, such as `Europe/Berlin`."),
    SettingReason.PLAYED_ELSEWHERE: N_("In this server, games can be played in {channels}."),
    SettingReason.NOT_PLAYED_HERE: N_("In this server, games can't be played in this channel."),
    SettingReason.CHANNELS_GONE: N_(
        "All channels chosen for games were deleted, so no game can be opened in this server. Someone with *Manage "
        "Server* can choose others: `/settings channels`."
    ),
    SettingReason.MAY_NOT_OPEN: N_(
        "In this server, only some roles open tables: {roles}. You can join the tables of others."
    ),
    SettingReason.GAME_OFF: N_("{game} is switched off in this server. `/play` shows the games to choose from."),
    SettingReason.OPENED_JUST_NOW: N_("You have just opened a table or a tournament. You can open another {when}."),
    SettingReason.NOT_MANAGER: N_("Only server managers (Manage Server) can see and change the settings."),
}
"""The message for each reason."""
