"""The command that chooses the daily post; the feature of challenges sends it."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from discord import app_commands
from discord.abc import Snowflake

from bot.features.settings.handlers import SettingsPanels, require_choosable, require_manager, require_server
from bot.features.settings.kinds import Setting, SettingsSection
from bot.features.settings.posts import DAILY_CHANNEL, DAILY_HOUR, DAILY_ROLE, DAILY_ZONE
from bot.features.settings.reasons import SettingReason
from bot.platform.discord.answers import Interaction, deferred_if_slow
from bot.platform.discord.menus import make_choices
from bot.platform.time_zones import UnknownZone, find_zone, search_zones, zone_label
from bot.rules.refusals import Refusal


class DailyPostCommands:
    """Chooses where, when and for which role a server has its daily post."""

    def __init__(self, panels: SettingsPanels, clock: Callable[[], datetime]) -> None:
        self._panels = panels
        self._clock = clock

    @deferred_if_slow
    async def choose(
        self,
        command: Interaction,
        channel: Snowflake | None,
        hour: int | None,
        zone: str | None,
        role: Snowflake | None,
        *,
        is_off: bool,
    ) -> None:
        """Save what is given, and show the page.

        Raises:
            Refusal: The user does not manage the server, the time zone does not exist, or the role can't be chosen.
        """
        require_manager(command)
        require_server(command)
        given: dict[Setting[Any], Any] = {}
        if hour is not None:
            given[DAILY_HOUR] = hour
        if zone is not None:
            try:
                given[DAILY_ZONE] = find_zone(zone)
            except UnknownZone:
                raise Refusal(SettingReason.NO_SUCH_ZONE) from None
        if role is not None:
            given[DAILY_ROLE] = require_choosable(command, DAILY_ROLE.values, frozenset({role.id}))
        if is_off or channel is not None:
            given[DAILY_CHANNEL] = frozenset() if is_off or channel is None else frozenset({channel.id})
        await self._panels.choose_all(command, given, SettingsSection.DAILY)

    def suggest_zones(self, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest time zones, with their present time."""
        now = self._clock()
        return make_choices((zone_label(name, now), name) for name in search_zones(typed))
