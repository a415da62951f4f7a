"""Badges in memory."""

from collections.abc import Sequence

from bot.features.badges.model import ShownAward
from bot.tables.model import Award, Location, TableUpdate


class FakeBadges:
    """Gives each badge once; knows nothing of badges that results over time earn."""

    def __init__(self) -> None:
        self.awards: dict[tuple[int, str], Award] = {}

    def award(self, change: TableUpdate) -> tuple[Award, ...]:
        """Keep the awards that are new, and return them."""
        new = tuple(each for each in change.awards if (each.user_id, each.badge) not in self.awards)
        self.awards.update({(each.user_id, each.badge): each for each in new})
        return new

    async def badges_of(self, user_id: int, guild_id: int | None = None) -> Sequence[ShownAward]:
        own = sorted((each for each in self.awards.values() if each.user_id == user_id), key=lambda each: each.badge)
        return [ShownAward(each, Location(each.guild_id, 1), None) for each in own if guild_id in (None, each.guild_id)]
