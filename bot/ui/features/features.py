"""All features of the bot, to which commands and clicks are routed."""

import asyncio
from dataclasses import dataclass

from bot.ui.features.animations import Animations
from bot.ui.features.badges import Badges
from bot.ui.features.blocks import BlockCommands
from bot.ui.features.boards import Boards
from bot.ui.features.daily_bag import DailyBags
from bot.ui.features.game_list import GameList
from bot.ui.features.guides import Guides
from bot.ui.features.hands import Hands
from bot.ui.features.help import Help
from bot.ui.features.hints import HintCommands
from bot.ui.features.idle_tables import IdleTableCommands
from bot.ui.features.invitations import InvitationCommands
from bot.ui.features.lessons import Lessons
from bot.ui.features.lobby_commands import LobbyCommands
from bot.ui.features.my_tables import MyTablesCommands
from bot.ui.features.options import OptionPanels
from bot.ui.features.outdated_hands import OutdatedHands
from bot.ui.features.pings import Pings
from bot.ui.features.privacy import PrivacyCommands
from bot.ui.features.puzzles import Puzzles
from bot.ui.features.readings import Readings
from bot.ui.features.replays import Replays
from bot.ui.features.results import ResultsCommands
from bot.ui.features.reviews import Reviews
from bot.ui.features.seats import SeatCommands
from bot.ui.features.settings import SettingsPanels
from bot.ui.features.settings_commands import SettingsCommands
from bot.ui.features.sharing import Sharing
from bot.ui.features.table_commands import TableCommands
from bot.ui.features.table_controls import TableControls
from bot.ui.features.table_requests import TableRequests
from bot.ui.features.tips import TipCommands
from bot.ui.features.tournaments import Tournaments
from bot.ui.features.turn_clocks import TurnClockCommands
from bot.ui.interactions.ephemeral_messages import EphemeralMessages
from bot.ui.interactions.server_rules import ServerRules


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
    requests: TableRequests
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
