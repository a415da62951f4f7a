"""Who has won what: leaderboards, profiles and histories, each for the one who asks."""

from collections.abc import Mapping
from typing import Any

import discord

from bot.community.model import ChannelsFilter, HistoryFilter, LeaderboardKey, PersonFilter, companies_of
from bot.community.service import ResultsService
from bot.rules.refusals import Refusal
from bot.tables.model import Company, Person
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.ui.custom_ids import HistoryId, HistoryScope, LeaderboardId
from bot.ui.interactions.context import person_of, readable_channels
from bot.ui.interactions.ephemeral_content import edit_or_send_ephemeral, send_ephemeral_content
from bot.ui.interactions.responses import defer_if_slow
from bot.ui.render.game_names import find_game
from bot.ui.render.histories import history_content
from bot.ui.render.leaderboards import leaderboard_content
from bot.ui.render.message import MessageContent
from bot.ui.render.profiles import own_profile_content, profile_content

Interaction = discord.Interaction[Any]


class ResultsCommands:
    """Answers questions about finished tables: in a server what was played there, elsewhere all of one's own."""

    def __init__(self, community: ResultsService, games: Mapping[str, AnyPackage]) -> None:
        self._community = community
        self._games = games

    async def leaderboard(self, command: Interaction, game: str) -> None:
        """Answer with a game's leaderboard."""
        await defer_if_slow(command, self._leaderboard(command, game))

    async def profile(self, command: Interaction, who: Person) -> None:
        """Answer with what somebody has played."""
        await defer_if_slow(command, self._profile(command, who))

    async def history(self, command: Interaction) -> None:
        """Answer with the finished tables of the channel, or in a direct message with one's own."""
        await defer_if_slow(command, self._history(command))

    async def show_page(self, click: Interaction, pressed: LeaderboardId | HistoryId) -> None:
        """Show another page in place of the one that was clicked."""
        await edit_or_send_ephemeral(click, await self._render_page(click, pressed))

    async def _render_page(self, click: Interaction, pressed: LeaderboardId | HistoryId) -> MessageContent:
        match pressed:
            case LeaderboardId(game, company, page):
                if game not in self._games:
                    raise Refusal(HostReason.UNKNOWN_BUTTON)
                return await self._render_leaderboard(click, self._games[game], company, page)
            case HistoryId(reach, page):
                return await self._render_history(click, reach, page)

    async def _leaderboard(self, command: Interaction, game: str) -> None:
        package = find_game(self._games, game)
        first = companies_of(package.game.info)[0]
        await send_ephemeral_content(command, await self._render_leaderboard(command, package, first))

    async def _profile(self, command: Interaction, who: Person) -> None:
        asker = person_of(command)
        if command.guild_id is None:
            if who.id != asker.id:
                raise Refusal(HostReason.ONLY_YOURSELF)
            await send_ephemeral_content(
                command, own_profile_content(await self._community.profile(asker.id, None), self._games)
            )
            return
        # People see all games of their own, and of others those in channels they may read, as in `/history`.
        channels = None if who.id == asker.id else readable_channels(command)
        profile = await self._community.profile(who.id, command.guild_id, channels)
        await send_ephemeral_content(command, profile_content(profile, self._games, who, asker.id))

    async def _history(self, command: Interaction) -> None:
        await send_ephemeral_content(command, await self._render_history(command, HistoryScope.HERE))

    async def _render_leaderboard(
        self, asked: Interaction, package: AnyPackage, company: Company, page: int = 1
    ) -> MessageContent:
        info, asker_id = package.game.info, asked.user.id
        if asked.guild_id is None:
            everything = await self._community.profile(asker_id, None)
            return own_profile_content(everything.keep_game(info.key), self._games, info.title)
        contest = LeaderboardKey(asked.guild_id, info.key, company, package.score_kind.lower_is_better)
        return leaderboard_content(await self._community.leaderboard(contest, asker_id, page), package, asker_id)

    async def _render_history(self, asked: Interaction, reach: HistoryScope, page: int = 1) -> MessageContent:
        reaches = tuple(HistoryScope) if asked.guild_id is not None else (HistoryScope.MINE,)
        if reach not in reaches:
            reach = HistoryScope.MINE
        history = await self._community.history(_history_filter(asked, reach), page)
        return history_content(history, self._games, reach, reaches)


def _history_filter(asked: Interaction, reach: HistoryScope) -> HistoryFilter:
    if asked.guild_id is None or reach is HistoryScope.MINE:
        return PersonFilter(asked.user.id, asked.guild_id)
    if reach is HistoryScope.HERE:
        return ChannelsFilter(asked.guild_id, frozenset({asked.channel_id or 0}))
    return ChannelsFilter(asked.guild_id, readable_channels(asked))
