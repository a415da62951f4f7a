"""All features of the bot, to which commands and clicks are routed."""

import asyncio
from dataclasses import dataclass

from bot.ui.features.guides import Guides
from bot.ui.features.hands import Hands
from bot.ui.features.idle_tables import IdleTableCommands
from bot.ui.features.invitations import InvitationCommands
from bot.ui.features.lobby_commands import LobbyCommands
from bot.ui.features.options import OptionPanels
from bot.ui.features.outdated_hands import OutdatedHands
from bot.ui.features.readings import Readings
from bot.ui.features.replays import Replays
from bot.ui.features.results import ResultsCommands
from bot.ui.features.seats import SeatCommands
from bot.ui.features.settings import SettingsCommands
from bot.ui.features.table_commands import TableCommands
from bot.ui.features.table_controls import TableControls
from bot.ui.features.table_requests import TableRequests
from bot.ui.interactions.ephemeral_messages import EphemeralMessages


@dataclass(frozen=True, slots=True)
class Features:
    """What users can do, a feature per subject."""

    tables: TableCommands
    controls: TableControls
    lobbies: LobbyCommands
    options: OptionPanels
    seats: SeatCommands
    hands: Hands
    requests: TableRequests
    idle_tables: IdleTableCommands
    invitations: InvitationCommands
    guides: Guides
    readings: Readings
    replays: Replays
    results: ResultsCommands
    settings: SettingsCommands
    outdated_hands: OutdatedHands
    ephemeral_messages: EphemeralMessages

    async def close(self, seconds: float) -> None:
        """Finish running work on ephemeral messages, within a number of seconds."""
        await asyncio.gather(self.outdated_hands.close(seconds), self.ephemeral_messages.close(seconds))
