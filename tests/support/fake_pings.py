"""Pings in memory, as the port promises."""

from collections.abc import Mapping

from bot.features.reminders.pings import PersonPings, PingChoice, PingMode, QuietHours
from bot.features.settings.preferences import Preferences
from bot.tables.model import TableId


class FakePings:
    """Keeps how people want to be pinged."""

    def __init__(self, chosen: Mapping[int, Preferences]) -> None:
        self.choices: dict[tuple[int, TableId], PingChoice] = {}
        self.quiet: dict[int, QuietHours | None] = {}
        self.refusers: set[int] = set()
        """Who accepts no direct messages."""
        self._chosen = chosen

    def load(self, user_id: int, table_id: TableId, guild_id: int | None) -> PersonPings:
        return PersonPings(
            self.choices.get((user_id, 0)),
            self.choices.get((user_id, table_id)) if table_id else None,
            self.quiet.get(user_id),
            refuses_direct=user_id in self.refusers,
            may_mention=self._chosen.get(guild_id or 0, Preferences()).reminds,
        )

    def choose(self, user_id: int, table_id: TableId, choice: PingChoice | None) -> None:
        self.choices.pop((user_id, table_id), None)
        if choice is not None:
            self.choices[user_id, table_id] = choice
            if choice.mode is PingMode.DIRECT:
                self.refusers.discard(user_id)
