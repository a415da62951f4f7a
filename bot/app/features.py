"""All features of the bot, to which commands and clicks are routed."""

import asyncio
from dataclasses import dataclass

from bot.features.badges.commands import Badges
from bot.features.blocks.commands import BlockCommands
from bot.features.boards.commands import Boards
from bot.features.daily_bag.commands import DailyBags
from bot.features.fairness.dice_proof import DiceProofs
from bot.features.help.handlers import GameList, Guides, Help
from bot.features.hints.handlers import HintCommands
from bot.features.idle_tables.handlers import IdleTableCommands
from bot.features.invitations.handlers import InvitationCommands
from bot.features.lessons.handlers import Lessons
from bot.features.my_tables.commands import MyTablesCommands
from bot.features.new_tables.handlers import NewTables
from bot.features.privacy.commands import PrivacyCommands
from bot.features.profiles.commands import ResultsCommands
from bot.features.puzzles.commands import Puzzles
from bot.features.reminders.handlers import Pings
from bot.features.replays.animations import Animations
from bot.features.replays.handlers import Replays
from bot.features.reviews.handlers import Reviews
from bot.features.settings.handlers import SettingsCommands, SettingsPanels
from bot.features.settings.rules import ServerRules
from bot.features.sharing.handlers import Sharing
from bot.features.tips.handlers import TipCommands
from bot.features.tournaments.handlers import Tournaments
from bot.features.turn_clocks.handlers import TurnClockCommands
from bot.platform.discord.private_messages import EphemeralMessages
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.controls import TableControls
from bot.tables.handlers.hands import Hands, OutdatedHands
from bot.tables.handlers.lobby import LobbyCommands
from bot.tables.handlers.options import OptionPanels
from bot.tables.handlers.readings import Readings
from bot.tables.handlers.seats import SeatCommands


@dataclass(frozen=True, slots=True)
class Features:
    """What users can do, a feature per subject."""

    blocks: BlockCommands
    tables: TableCommands
    controls: TableControls
    lobbies: LobbyCommands
    options: OptionPanels
    seats: SeatCommands
    hands: Hands
    dice_proofs: DiceProofs
    new_tables: NewTables
    idle_tables: IdleTableCommands
    invitations: InvitationCommands
    game_list: GameList
    help: Help
    lessons: Lessons
    guides: Guides
    hints: HintCommands
    readings: Readings
    tips: TipCommands
    replays: Replays
    results: ResultsCommands
    boards: Boards
    rules: ServerRules
    sharing: Sharing
    animations: Animations
    badges: Badges
    reviews: Reviews
    settings: SettingsPanels
    settings_commands: SettingsCommands
    privacy: PrivacyCommands
    puzzles: Puzzles
    daily_bags: DailyBags
    clocks: TurnClockCommands
    my_tables: MyTablesCommands
    pings: Pings
    tournaments: Tournaments
    outdated_hands: OutdatedHands
    ephemeral_messages: EphemeralMessages

    async def close(self, seconds: float) -> None:
        """Finish running work in the background, within a number of seconds."""
        ending = (
            self.outdated_hands,
            self.readings,
            self.tips,
            self.results,
            self.reviews,
            self.daily_bags,
            self.tournaments,
            self.ephemeral_messages,
        )
        await asyncio.gather(*(each.close(seconds) for each in ending))
