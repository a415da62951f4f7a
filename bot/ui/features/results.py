"""Who has won what: leaderboards, profiles and histories, each for the one who asks."""

from collections.abc import Mapping
from typing import Any

import discord

from bot.community.model import Contest, InChannels, OfPerson, Shelf, companies_of
from bot.community.service import Community
from bot.rules.package import GamePackage
from bot.rules.refusals import Refusal
from bot.tables.model import Company, Person
from bot.tables.refusals import HostReason
from bot.ui.custom_ids import HistoryId, Reach, StandingsId
from bot.ui.interactions.context import person_of, readable_channels
from bot.ui.interactions.responses import promptly
from bot.ui.interactions.sending import turn_page, whisper_frame
from bot.ui.render.game_names import game_named
from bot.ui.render.histories import history_frame
from bot.ui.render.leaderboards import leaderboard_frame
from bot.ui.render.message import Frame
from bot.ui.render.profiles import own_frame, profile_frame

Asked = discord.Interaction[Any]


class Scorebook:
    """Answers questions about finished tables: in a server what was played there, elsewhere all of one's own."""

    def __init__(self, community: Community, games: Mapping[str, GamePackage]) -> None:
        self._community = community
        self._games = games

    async def leaderboard(self, command: Asked, game: str) -> None:
        """Answer with a game's leaderboard."""
        await promptly(command, self._leaderboard(command, game))

    async def profile(self, command: Asked, who: Person) -> None:
        """Answer with what somebody has played."""
        await promptly(command, self._profile(command, who))

    async def history(self, command: Asked) -> None:
        """Answer with the finished tables of the channel, or in a direct message with one's own."""
        await promptly(command, self._history(command))

    async def turn(self, click: Asked, pressed: StandingsId | HistoryId) -> None:
        """Show another page in place of the one that was clicked."""
        await turn_page(click, await self._page(click, pressed))

    async def _page(self, click: Asked, pressed: StandingsId | HistoryId) -> Frame:
        match pressed:
            case StandingsId(game, company, page):
                if game not in self._games:
                    raise Refusal(HostReason.UNKNOWN_BUTTON)
                return await self._standings(click, self._games[game], company, page)
            case HistoryId(reach, page):
                return await self._tables(click, reach, page)

    async def _leaderboard(self, command: Asked, game: str) -> None:
        package = game_named(self._games, game)
        first = companies_of(package.game.info)[0]
        await whisper_frame(command, await self._standings(command, package, first))

    async def _profile(self, command: Asked, who: Person) -> None:
        asker = person_of(command)
        if command.guild_id is None:
            if who.id != asker.id:
                raise Refusal(HostReason.ONLY_YOURSELF)
            await whisper_frame(command, own_frame(await self._community.profile(asker.id, None), self._games))
            return
        # People see all games of their own, and of others those in channels they may read, as in `/history`.
        channels = None if who.id == asker.id else readable_channels(command)
        profile = await self._community.profile(who.id, command.guild_id, channels)
        await whisper_frame(command, profile_frame(profile, self._games, who, asker.id))

    async def _history(self, command: Asked) -> None:
        await whisper_frame(command, await self._tables(command, Reach.HERE))

    async def _standings(self, asked: Asked, package: GamePackage, company: Company, page: int = 1) -> Frame:
        info, asker_id = package.game.info, asked.user.id
        if asked.guild_id is None:
            everything = await self._community.profile(asker_id, None)
            return own_frame(everything.of_game(info.key), self._games, info.title)
        contest = Contest(asked.guild_id, info.key, company, package.score.lower_is_better)
        return leaderboard_frame(await self._community.leaderboard(contest, asker_id, page), package, asker_id)

    async def _tables(self, asked: Asked, reach: Reach, page: int = 1) -> Frame:
        reaches = tuple(Reach) if asked.guild_id is not None else (Reach.MINE,)
        if reach not in reaches:
            reach = Reach.MINE
        history = await self._community.history(_shelf(asked, reach), page)
        return history_frame(history, self._games, reach, reaches)


def _shelf(asked: Asked, reach: Reach) -> Shelf:
    if asked.guild_id is None or reach is Reach.MINE:
        return OfPerson(asked.user.id, asked.guild_id)
    if reach is Reach.HERE:
        return InChannels(asked.guild_id, frozenset({asked.channel_id or 0}))
    return InChannels(asked.guild_id, readable_channels(asked))
