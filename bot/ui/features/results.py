"""Leaderboards, profiles and histories, each as an ephemeral message."""

from collections.abc import Mapping

from bot.community.best_scores import BestScores
from bot.community.boards.model import BoardKey, BoardOrder
from bot.community.model import ChannelsFilter, HistoryFilter, PersonFilter, companies_of
from bot.community.service import ResultsService
from bot.rules.refusals import Refusal
from bot.tables.model import Company, Person
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.ui.interactions.context import channel_of, person_of, readable_channels
from bot.ui.interactions.ephemeral_content import edit_or_send_ephemeral, send_ephemeral_content
from bot.ui.interactions.responses import Interaction, deferred_if_slow
from bot.ui.render.game_names import find_game
from bot.ui.render.histories import render_history
from bot.ui.render.leaderboards import render_leaderboard
from bot.ui.render.message import MessageContent
from bot.ui.render.profiles import render_own_profile, render_profile
from bot.ui.result_ids import HistoryId, HistoryScope, LeaderboardId


class ResultsCommands:
    """Shows results: in a server what was played there, in a direct message all games of the user."""

    def __init__(self, community: ResultsService, games: Mapping[str, AnyPackage], best_scores: BestScores) -> None:
        self._community = community
        self._games = games
        self._best_scores = best_scores

    @deferred_if_slow
    async def leaderboard(self, command: Interaction, game: str) -> None:
        """Show a game's leaderboard."""
        package = find_game(self._games, game)
        company = companies_of(package.game.info)[0]
        await send_ephemeral_content(command, await self._render_leaderboard(command, package, company))

    @deferred_if_slow
    async def profile(self, command: Interaction, person: Person) -> None:
        """Show the profile of a person."""
        asker = person_of(command)
        if command.guild_id is None:
            if person.id != asker.id:
                raise Refusal(HostReason.ONLY_YOURSELF)
            await send_ephemeral_content(
                command, render_own_profile(await self._community.profile(asker.id, None), self._games)
            )
            return
        # Users see all games of their own, and those of others in channels that they may read, as in `/history`.
        channels = None if person.id == asker.id else readable_channels(command)
        profile = await self._community.profile(person.id, command.guild_id, channels)
        await send_ephemeral_content(command, render_profile(profile, self._games, person, asker.id))

    @deferred_if_slow
    async def history(self, command: Interaction) -> None:
        """Show the finished tables of the channel, or in a direct message those of the user."""
        await send_ephemeral_content(command, await self._render_history(command, HistoryScope.HERE))

    async def show_page(self, click: Interaction, page_id: LeaderboardId | HistoryId) -> None:
        """Show another page in the clicked message."""
        await edit_or_send_ephemeral(click, await self._render_page(click, page_id))

    async def close(self, seconds: float) -> None:
        """Finish loading the best scores, within some seconds."""
        await self._best_scores.close(seconds)

    async def _render_page(self, click: Interaction, page_id: LeaderboardId | HistoryId) -> MessageContent:
        match page_id:
            case LeaderboardId(game, company, page):
                if game not in self._games:
                    raise Refusal(HostReason.UNKNOWN_BUTTON)
                return await self._render_leaderboard(click, self._games[game], company, page)
            case HistoryId(scope, page):
                return await self._render_history(click, scope, page)

    async def _render_leaderboard(
        self, interaction: Interaction, package: AnyPackage, company: Company, page: int = 1
    ) -> MessageContent:
        info, asker_id = package.game.info, interaction.user.id
        if interaction.guild_id is None:
            profile = await self._community.profile(asker_id, None)
            return render_own_profile(profile.keep_game(info.key), self._games, info.title)
        by = BoardOrder.BEST if company is Company.ALONE else BoardOrder.WINS
        lower = package.score_kind.lower_is_better
        key = BoardKey(interaction.guild_id, info.key, company, by, lower_is_better=lower)
        return render_leaderboard(await self._community.leaderboard(key, asker_id, page), package, asker_id)

    async def _render_history(self, interaction: Interaction, scope: HistoryScope, page: int = 1) -> MessageContent:
        scopes = tuple(HistoryScope) if interaction.guild_id is not None else (HistoryScope.MINE,)
        if scope not in scopes:
            scope = HistoryScope.MINE
        history = await self._community.history(_history_filter(interaction, scope), page)
        return render_history(history, self._games, scope, scopes)


def _history_filter(interaction: Interaction, scope: HistoryScope) -> HistoryFilter:
    if interaction.guild_id is None or scope is HistoryScope.MINE:
        return PersonFilter(interaction.user.id, interaction.guild_id)
    if scope is HistoryScope.HERE:
        return ChannelsFilter(interaction.guild_id, frozenset({channel_of(interaction)}))
    return ChannelsFilter(interaction.guild_id, readable_channels(interaction))
