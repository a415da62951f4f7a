"""Why a setting, or what it forbids, is refused."""

from collections.abc import Mapping
from typing import Final

from bot.rules.refusals import RefusalReason
from bot.words import N_


class SettingReason(RefusalReason):
    """Why a setting, or what it forbids, is refused."""

    NO_SUCH_SETTING = "no_such_setting"
    TOO_MANY_CHOSEN = "too_many_chosen"
    EVERYONE_OPENS = "everyone_opens"
    EVERYONE_MODERATES = "everyone_moderates"
    PLAYED_ELSEWHERE = "played_elsewhere"
    NOT_PLAYED_HERE = "not_played_here"
    MAY_NOT_OPEN = "may_not_open"
    GAME_OFF = "game_off"
    NOT_MANAGER = "not_manager"


SETTING_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    SettingReason.NO_SUCH_SETTING: N_("You can't change that here. `/settings show` shows what you can."),
    SettingReason.TOO_MANY_CHOSEN: N_("That would be more than 25, which is the limit. Remove one first."),
    SettingReason.EVERYONE_OPENS: N_(
        "Everyone has that role, and everyone may open tables while no role is chosen. Leave the list empty instead."
    ),
    SettingReason.EVERYONE_MODERATES: N_(
        "Everyone has that role, so everyone could close the tables of others. Choose a role that only some have."
    ),
    SettingReason.PLAYED_ELSEWHERE: N_("In this server, games are played in {channels}."),
    SettingReason.NOT_PLAYED_HERE: N_("In this server, no games are played in this channel."),
    SettingReason.MAY_NOT_OPEN: N_(
        "In this server, only some roles open tables: {roles}. You can join the tables of others."
    ),
    SettingReason.GAME_OFF: N_("{game} is switched off in this server. `/play` shows the games to choose from."),
    SettingReason.NOT_MANAGER: N_("Only server managers (Manage Server) can see and change the settings."),
}
"""What is said for each reason."""
