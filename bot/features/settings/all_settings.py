"""Declares settings, and lists all. To add one, declare it here, list it in `SETTINGS`, and read it with `Chosen.get`.

Everything else follows from the declaration: its place in the panel, its menu and custom id, `/settings`, and what is
stored, recorded, exported and erased.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from discord import ChannelType

from bot.features.settings.choices import (
    AloneChoice,
    ArchiveChoice,
    MotionChoice,
    PictureChoice,
    SeasonLength,
    TablesChoice,
)
from bot.features.settings.kinds import (
    DISCORDS_LANGUAGE,
    Channels,
    Choice,
    Chosen,
    GamesOff,
    LanguageChoice,
    OptionsByGame,
    Setting,
    SettingsSection,
    Switch,
    Values,
)
from bot.features.settings.posts import (
    DAILY_CHANNEL,
    DAILY_HOUR,
    DAILY_ROLE,
    DAILY_ZONE,
    LOG,
    TOURNAMENT_CHANNEL,
    TOURNAMENT_ROLE,
)
from bot.features.settings.rights import COOL_DOWN, FIXED, MEMBER_TABLES, MODERATORS, OPENERS, ORGANIZERS, SERVER_TABLES
from bot.languages import ENGLISH
from bot.platform.catalogues import Catalogues
from bot.platform.discord.answers import Interaction
from bot.platform.discord.channels import missing_for_own_threads
from bot.platform.discord.context import attach_files_note
from bot.tables.model import TurnClock
from bot.words import N_, NC_, gettext as _, join_items


def _note_pictures(interaction: Interaction, chosen: Chosen) -> str:
    return "" if chosen.get(PICTURES).theme is None else attach_files_note(interaction)


def _note_threads(interaction: Interaction, chosen: Chosen) -> str:
    if chosen.get(TABLES) is not TablesChoice.THREAD:
        return ""
    kind, opens_private = getattr(interaction.channel, "type", None), chosen.get(ALONE) is AloneChoice.FREE
    missing = missing_for_own_threads(interaction.app_permissions, kind, opens_private=opens_private)
    text = _("⚠️ In this channel I lack **{permissions}** for that.")
    return text.format(permissions=join_items(missing)) if missing else ""


TABLE_CHANNELS: Final = (
    ChannelType.text,
    ChannelType.news,
    ChannelType.voice,
    ChannelType.stage_voice,
    ChannelType.forum,
)
"""The types of channels in which tables, or threads with tables, can be.

Threads can't be chosen themselves, because an archived thread looks like a deleted one, which would be ignored.
"""

_LOOKS: Final = Choice(
    {
        PictureChoice.STANDARD: N_("Standard"),
        PictureChoice.DARK: N_("Dark"),
        PictureChoice.HIGH_CONTRAST: N_("High contrast"),
        PictureChoice.OFF: N_("Off, words only"),
    },
    N_("How tables look: **{choice}**. *Read the table* tells you what a picture shows."),
)

PICTURES: Final = Setting(
    "pictures",
    SettingsSection.LOOK,
    N_("Pictures"),
    PictureChoice.STANDARD,
    _LOOKS,
    direct=_LOOKS,
    note=_note_pictures,
    is_shown_at_tables=True,
)
MOTION: Final = Setting(
    "motion",
    SettingsSection.LOOK,
    N_("Moving dice"),
    MotionChoice.USUAL,
    Choice(
        {
            MotionChoice.USUAL: NC_("moving dice", "Usual"),
            MotionChoice.ALL: NC_("moving dice", "All"),
            MotionChoice.MOMENTS: NC_("moving dice", "Moments"),
            MotionChoice.OFF: NC_("moving dice", "Off"),
        },
        "",
        {
            MotionChoice.USUAL: N_("**Usual**: dice roll in pictures, but lie still in high contrast."),
            MotionChoice.ALL: N_("**All**: dice roll in all pictures, in high contrast too."),
            MotionChoice.MOMENTS: N_("**Moments**: dice roll only for big moments."),
            MotionChoice.OFF: N_("**Off**: pictures are still."),
        },
    ),
    direct=Choice(
        {MotionChoice.USUAL: NC_("moving dice", "On"), MotionChoice.OFF: N_("Still pictures")},
        "",
        {
            MotionChoice.USUAL: N_("**On**: dice roll in pictures, but lie still in high contrast."),
            MotionChoice.OFF: N_(
                "**Still pictures** in your private messages, and at tables where everybody has chosen this."
            ),
        },
    ),
    is_personal=True,
)
REMINDERS: Final = Setting(
    "reminders",
    SettingsSection.PLAY,
    N_("Reminders"),
    default=True,
    values=Switch(N_("**On**: ping players after two minutes, once per turn."), N_("**Off**: no one gets a ping.")),
    direct=N_("**Off** in direct messages, always: no one else is waiting here."),
    unavailable=N_("**Off** everywhere: they are turned off for the whole bot."),
)
INVITATIONS: Final = Setting(
    "invitations",
    SettingsSection.PLAY,
    N_("Invitations"),
    default=True,
    values=Switch(
        N_("**On**: players can invite others to their table, each person at most once a day."),
        N_("**Off**: no one is invited to tables here."),
    ),
    direct=Switch(
        N_("**On**: players can invite you to their table, each of them at most once a day."),
        N_("**Off**: no one can invite you to a table, in any server."),
    ),
    is_personal=True,
)
HINTS: Final = Setting(
    "hints",
    SettingsSection.PLAY,
    N_("Hints"),
    default=True,
    values=Switch(
        N_(
            "**On**: the player to move can ask for the best moves, unless the table's host turns that off. A "
            "game with hints is unranked."
        ),
        N_("**Off**: no hints at tables here."),
    ),
    # Games in direct messages are never rated.
    direct=Switch(
        N_("**On**: you can ask for the best moves. A game with hints sets no record."),
        N_("**Off**: no hints here."),
    ),
    is_shown_at_tables=True,
)
TIPS: Final = Setting(
    "tips",
    SettingsSection.LOOK,
    N_("Tips"),
    default=True,
    values=Switch(
        N_("**On**: tables show tips to players who are new to a game, until they finish it once."),
        N_("**Off**: no tips at tables here."),
    ),
    direct=Switch(
        N_("**On**: you get tips in games that are new to you, until you finish them once."),
        N_("**Off**: you get no tips, in any server."),
    ),
    is_personal=True,
)
QUIET: Final = Setting(
    "quiet",
    SettingsSection.GAMES,
    N_("Quiet computers"),
    default=False,
    values=Switch(
        N_("**On**: computer players say nothing."),
        N_("**Off**: computer players say a few words at the start, after a big turn and at the end."),
    ),
    is_shown_at_tables=True,
)
_LANGUAGES: Final = {DISCORDS_LANGUAGE: N_("As in Discord"), **Catalogues().names}
"""The languages under their own names, which no catalogue translates."""

LANGUAGE: Final = Setting(
    "language",
    SettingsSection.LOOK,
    N_("Language"),
    DISCORDS_LANGUAGE,
    LanguageChoice(
        _LANGUAGES,
        N_("**{choice}**, in all that everyone reads here. What only one person reads is in that person's language."),
        {
            DISCORDS_LANGUAGE: N_(
                "**{choice}**, in all that everyone reads here: the main language of a community server, or else "
                "English. What only one person reads is in that person's language."
            )
        },
    ),
    direct=LanguageChoice(
        _LANGUAGES,
        N_("**{choice}**, in our direct messages and in all that only you read in servers."),
        {DISCORDS_LANGUAGE: N_("**{choice}**: the language in which you use Discord, if I know it, or else English.")},
    ),
    is_personal=True,
    is_shown_at_tables=True,
)
SEEN_LANGUAGE: Final = Setting(
    "seen_language",
    None,
    "",
    ENGLISH.code,
    LanguageChoice(_LANGUAGES, ""),
    is_personal=True,
)
"""The language of a person's Discord at their last interaction, or of a server when Discord last described it."""

CHANNELS: Final = Setting(
    "channels",
    SettingsSection.TABLES,
    N_("Channels"),
    frozenset(),
    Channels(
        N_("Games can be played in {choice}, and in their threads. Tables elsewhere go on."),
        N_("Games can be played in **every channel**."),
        N_("⚠️ All chosen channels were deleted, so no game can be opened. **Choose others.**"),
        N_("Channels: all"),
        TABLE_CHANNELS,
    ),
)
TABLES: Final = Setting(
    "tables",
    SettingsSection.TABLES,
    N_("Tables"),
    TablesChoice.FOLLOW,
    Choice(
        {
            TablesChoice.STAY: N_("Stay"),
            TablesChoice.FOLLOW: N_("Follow the talk"),
            TablesChoice.THREAD: N_("Own thread"),
        },
        N_("**{choice}**: if people talk below a table, it moves to the end of the channel when a turn begins."),
        {
            TablesChoice.STAY: N_("**{choice}**: a table stays where it was opened until a player moves it."),
            TablesChoice.THREAD: N_(
                "**{choice}**: a new table in a text channel gets a thread, and follows the talk there."
            ),
        },
    ),
    note=_note_threads,
)
ALONE: Final = Setting(
    "alone",
    SettingsSection.THREADS,
    N_("Games against computers"),
    AloneChoice.FREE,
    Choice(
        {AloneChoice.FREE: N_("Leave the channel free"), AloneChoice.TAKE: N_("Take the channel")},
        "",
        {
            AloneChoice.FREE: N_(
                "**{choice}**: while someone plays against computers alone, others can open a table in the channel."
            ),
            AloneChoice.TAKE: N_(
                "**{choice}**: no other table opens in the channel while someone plays against computers there."
            ),
        },
    ),
)
ARCHIVE: Final = Setting(
    "archive",
    SettingsSection.THREADS,
    N_("Finished threads"),
    ArchiveChoice.HOUR,
    Choice(
        {
            ArchiveChoice.NEVER: N_("Stay open"),
            ArchiveChoice.AT_ONCE: N_("Archived at once"),
            ArchiveChoice.HOUR: N_("Archived after an hour"),
            ArchiveChoice.DAY: N_("Archived after a day"),
        },
        "",
        {
            ArchiveChoice.NEVER: N_(
                "**{choice}**: Discord archives the threads of tables after a week in which no one writes there."
            ),
            ArchiveChoice.AT_ONCE: N_("**{choice}**: the thread of a table closes as soon as the game is over."),
            ArchiveChoice.HOUR: N_("**{choice}**: the thread of a table closes an hour after the game is over."),
            ArchiveChoice.DAY: N_("**{choice}**: the thread of a table closes a day after the game is over."),
        },
    ),
)
GAMES: Final = Setting("games", SettingsSection.GAMES, N_("Games"), frozenset(), GamesOff())
OPTIONS: Final = Setting("options", SettingsSection.GAMES, N_("Default options"), {}, OptionsByGame())
SEASON: Final = Setting(
    "season",
    SettingsSection.TIME,
    N_("Season"),
    SeasonLength.QUARTER,
    Choice(
        {
            SeasonLength.OFF: NC_("season", "Off"),
            SeasonLength.MONTH: N_("A month"),
            SeasonLength.QUARTER: N_("A quarter"),
            SeasonLength.YEAR: N_("A year"),
        },
        N_("How long a season of the leaderboards lasts: **{choice}**."),
        {SeasonLength.OFF: N_("**Off**: the leaderboards have no seasons.")},
    ),
)
CLOCK: Final = Setting(
    "clock",
    SettingsSection.TIME,
    N_("Turn clock"),
    TurnClock.NONE,
    Choice(
        {
            TurnClock.NONE: NC_("turn clock", "None"),
            TurnClock.TEN_MINUTES: N_("10 minutes"),
            TurnClock.ONE_DAY: N_("1 day"),
            TurnClock.THREE_DAYS: N_("3 days"),
        },
        N_("A player's time for a turn at new tables: **{choice}**. Their host can change that."),
        {TurnClock.NONE: N_("**None**: new tables give players all the time they like.")},
    ),
)
READING_ALOUD: Final = Setting(
    "reading_aloud",
    None,
    N_("Reading aloud"),
    default=False,
    values=Switch(),
    is_personal=True,
)
"""Whether the table is read to a person after each of their moves. A button below a reading switches it."""

SETTINGS: tuple[Setting[Any], ...] = (
    PICTURES,
    MOTION,
    REMINDERS,
    INVITATIONS,
    HINTS,
    TIPS,
    *((LANGUAGE,) if len(_LANGUAGES) > 2 else ()),
    CHANNELS,
    TABLES,
    OPENERS,
    ALONE,
    ARCHIVE,
    GAMES,
    OPTIONS,
    QUIET,
    SEASON,
    CLOCK,
    MEMBER_TABLES,
    COOL_DOWN,
    SERVER_TABLES,
    MODERATORS,
    ORGANIZERS,
    FIXED,
    LOG,
    TOURNAMENT_CHANNEL,
    TOURNAMENT_ROLE,
    DAILY_CHANNEL,
    DAILY_HOUR,
    DAILY_ROLE,
    DAILY_ZONE,
)
"""The settings of the panel, in the order of their pages and of `/settings set`.

A page has at most four menus, and a menu of the pages below them.
"""


def find_setting(key: str) -> Setting[Any] | None:
    """Return the panel's setting with a key, or None."""
    return next((setting for setting in SETTINGS if setting.key == key), None)


def settings_on(section: SettingsSection, *, in_server: bool = True) -> Sequence[Setting[Any]]:
    """Return the settings on a page; in a direct message those without a choice come last."""
    page = [setting for setting in SETTINGS if setting.section is section]
    if in_server:
        return page
    shown = [setting for setting in page if setting.direct is not None]
    return sorted(shown, key=lambda setting: isinstance(setting.direct, str))


def direct_sections() -> Sequence[SettingsSection]:
    """Return the pages that a direct message has."""
    return [section for section in SettingsSection if settings_on(section, in_server=False)]


def settings_of(*kinds: type[Values[Any]]) -> Iterator[Setting[Any]]:
    """Yield the settings whose values are of some kinds."""
    return (setting for setting in SETTINGS if isinstance(setting.values, kinds))
