"""Seasons of which none is over."""

from collections.abc import Sequence

from bot.features.seasons.model import EndedSeason, Season


class FakeSeasons:
    """Keeps no seasons; tests of seasons use the store."""

    async def servers_of_season(self, period: str, after: int, limit: int) -> Sequence[int]:
        return ()

    async def end_season(self, season: EndedSeason) -> bool:
        return False

    async def past_seasons(self, guild_id: int, limit: int) -> Sequence[Season]:
        return ()

    async def prune_totals(self, kept_from: str, limit: int) -> int:
        return 0
