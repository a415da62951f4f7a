"""The store that badges need."""

from collections.abc import Sequence
from typing import Protocol

from bot.features.badges.model import ShownAward


class BadgeStore(Protocol):
    """Reads badges; the store awards them when a table ends. Each is a transaction and may raise StoreUnavailable."""

    async def badges_of(self, user_id: int, guild_id: int | None = None) -> Sequence[ShownAward]:
        """Return the badges that a person earned in a server, or (None, for themselves) anywhere; oldest first."""
