"""The slash commands of the features; those of the games are in the folder `cogs`."""

from discord.ext.commands import Cog

from bot.features.badges.commands import BadgeCommands
from bot.features.blocks.commands import BlockCog
from bot.features.boards.commands import Leaderboard
from bot.features.daily_bag.commands import DailyBagCommands
from bot.features.help.commands import Help
from bot.features.my_tables.commands import MyTables
from bot.features.privacy.commands import Privacy
from bot.features.profiles.commands import Profile
from bot.features.puzzles.commands import PuzzleCommands
from bot.features.reminders.commands import Ping
from bot.features.settings.commands import Settings
from bot.features.table_commands import Tables
from bot.features.tournaments.commands import TournamentCommands


def build_cogs() -> list[Cog]:
    """Make the commands anew, for one client."""
    return [
        BadgeCommands(),
        BlockCog(),
        Leaderboard(),
        DailyBagCommands(),
        Help(),
        MyTables(),
        Privacy(),
        Profile(),
        PuzzleCommands(),
        Ping(),
        Settings(),
        TournamentCommands(),
        Tables(),
    ]
