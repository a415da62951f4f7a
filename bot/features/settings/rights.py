"""Declares the settings of who opens tables and how many, who moderates and organizes, and what hosts may choose."""

from typing import Final

from bot.features.settings.choices import CoolDown, Most
from bot.features.settings.kinds import AnyOf, Choice, Roles, Setting, SettingsSection
from bot.features.settings.reasons import SettingReason
from bot.tables.model import HostChoice
from bot.words import N_, NC_

OPENERS: Final = Setting(
    "openers",
    SettingsSection.TABLES,
    N_("Who opens tables"),
    frozenset(),
    Roles(
        N_("Only {choice} and moderators."),
        N_("**Everybody.**"),
        N_("⚠️ None of the chosen roles exists any more, so **everybody** may open tables."),
        N_("Who opens tables: everybody"),
        SettingReason.EVERYONE_OPENS,
    ),
)
_MODERATORS_BY_PERMISSION: Final = N_(
    "Moderators ban members from playing, close any table, remove players and run tournaments: members with *Manage "
    "Messages* or *Manage Server*."
)
MODERATORS: Final = Setting(
    "moderators",
    SettingsSection.MODERATION,
    N_("Who moderates"),
    frozenset(),
    Roles(
        N_(
            "Moderators ban members from playing, close any table, remove players and run tournaments: members with "
            "*Manage Messages* or *Manage Server* or {choice}."
        ),
        _MODERATORS_BY_PERMISSION,
        _MODERATORS_BY_PERMISSION,
        N_("Who moderates: add roles"),
        SettingReason.EVERYONE_MODERATES,
    ),
)
ORGANIZERS: Final = Setting(
    "organizers",
    SettingsSection.MODERATION,
    N_("Who organizes tournaments"),
    frozenset(),
    Roles(
        N_("{choice} and moderators name tournaments, and run those of others, too."),
        N_("**Only moderators** name tournaments and run those of others. Members run the tournaments that they open."),
        N_("⚠️ None of the chosen roles exists any more, so **only moderators** organize the tournaments of others."),
        N_("Who organizes tournaments: only moderators"),
        SettingReason.EVERYONE_ORGANIZES,
    ),
)
HOST_CHOICES: Final = {
    HostChoice.OPTIONS: N_("Options"),
    HostChoice.LEVELS: N_("Levels of computers"),
    HostChoice.CLOCK: N_("Turn clock"),
    HostChoice.PACE: N_("Pace"),
    HostChoice.HINTS: N_("Hints"),
}
FIXED: Final = Setting(
    "fixed",
    SettingsSection.MODERATION,
    N_("Fixed for hosts"),
    frozenset[HostChoice](),
    AnyOf(
        HOST_CHOICES,
        N_("Hosts can't change these at their tables: **{choice}**."),
        N_("**Nothing**: hosts choose everything at their tables."),
        N_("Fixed for hosts: nothing"),
    ),
)
MEMBER_TABLES: Final = Setting(
    "member_tables",
    SettingsSection.LIMITS,
    N_("Tables per member"),
    Most.THREE,
    Choice(
        {
            Most.ONE: NC_("number of tables", "One"),
            Most.TWO: NC_("number of tables", "Two"),
            Most.THREE: NC_("number of tables", "Three"),
            Most.FIVE: NC_("number of tables", "Five"),
            Most.TEN: NC_("number of tables", "Ten"),
            Most.ANY: NC_("number of tables", "Any number"),
        },
        N_("The most tables that a member may have open: **{choice}**. Moderators have no limit."),
    ),
)
COOL_DOWN: Final = Setting(
    "cool_down",
    SettingsSection.LIMITS,
    N_("Wait between tables"),
    CoolDown.TWENTY_SECONDS,
    Choice(
        {
            CoolDown.NONE: NC_("wait", "None"),
            CoolDown.TWENTY_SECONDS: N_("20 seconds"),
            CoolDown.ONE_MINUTE: N_("1 minute"),
            CoolDown.FIVE_MINUTES: N_("5 minutes"),
        },
        N_("A member's wait between opening one table and the next: **{choice}**. Moderators don't wait."),
        {CoolDown.NONE: N_("**None**: members may open tables one after another.")},
    ),
)
SERVER_TABLES: Final = Setting(
    "server_tables",
    SettingsSection.LIMITS,
    N_("Tables in the server"),
    Most.ANY,
    Choice(
        {
            Most.TEN: NC_("number of tables", "Ten"),
            Most.TWENTY_FIVE: "25",
            Most.FIFTY: "50",
            Most.HUNDRED: "100",
            Most.ANY: NC_("number of tables", "Any number"),
        },
        N_("The most open tables in the server: **{choice}**. Moderators and tournaments have no limit."),
    ),
)
