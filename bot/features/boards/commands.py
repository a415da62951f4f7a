"""The command `/leaderboard`."""

from functools import partial
from typing import Final

from cachetools import TTLCache
from discord import app_commands
from discord.ext import commands

from bot.features.boards.messages import (
    BoardButton,
    BoardId,
    BoardMenuId,
    LeaderboardId,
    ShownBoard,
    period_at,
    render_leaderboard,
    render_own_stats,
    render_posted_board,
    spans_of,
)
from bot.features.boards.model import BoardKey, BoardOrder, BoardReason, Span, orders_of
from bot.features.boards.service import find_season_length, load_leaderboard
from bot.features.results.service import ResultsService
from bot.features.results.storage import person_stats
from bot.features.settings.choices import SeasonLength
from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction, acknowledge, deferred_if_slow, post_content, speaking_to_everyone
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import channel_of, location_of, require_permissions, server_of
from bot.platform.discord.ids import parse_id
from bot.platform.discord.menus import chosen_value
from bot.platform.discord.picture_attachments import PictureAttacher, send_with_fallback
from bot.platform.discord.private_messages import attach_picture, edit_or_send_ephemeral, send_ephemeral_content
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import Refusal
from bot.tables.handlers.commands import TableCommands
from bot.tables.model import Company
from bot.tables.refusals import LinkFacts
from bot.tables.registry import AnyPackage
from bot.tables.results import companies_of
from bot.tables.service import TableService
from bot.tables.shown.links import message_link
from bot.tables.shown.words import find_game, suggest_games
from bot.words import gettext as _

_POST_AGAIN_AFTER: Final = 600.0
"""Seconds before the same page can be posted again in a channel. Kept in memory only."""

_MAX_POSTED: Final = 4096


def _boards_of(package: AnyPackage, company: Company | None, by: BoardOrder | None, span: Span) -> list[BoardId]:
    """Return the boards of a game to try in order, starting with those of the given company.

    If the game has the requested order, that board is the only one.
    """
    companies = sorted(companies_of(package.game.info), key=lambda other: other is not company)
    found = [
        BoardId(package.game.info.key, ranked, order, span, 1)
        for ranked in companies
        for order in orders_of(package.results.score_kind, ranked)
    ]
    return [board_id for board_id in found if board_id.by is by][:1] or found


class Boards:
    """Shows the leaderboards of the server or, in a direct message, the user's own games."""

    def __init__(
        self,
        db: Database,
        service: TableService,
        picture_attacher: PictureAttacher,
        results: ResultsService,
    ) -> None:
        self._db = db
        self._service = service
        self._results = results
        self._games = service.games
        self._picture_attacher = picture_attacher
        self._posted: TTLCache[tuple[int, BoardId], int | None] = TTLCache(_MAX_POSTED, _POST_AGAIN_AFTER)
        """The messages with posted pages, by channel; None while a page is being posted."""

    @deferred_if_slow
    async def show(
        self, command: Interaction, game: str | None, by: BoardOrder | None = None, span: Span = Span.ALL
    ) -> None:
        """Show a board of a game, or of the game that the server played last.

        Without a requested order, show the first board that ranks anyone.

        Raises:
            Refusal: There is no such game, or none was played here yet.
        """
        if game is None:
            package, company = await self._find_newest(command)
        else:
            package, company = find_game(self._games, game), None
        board_ids = _boards_of(package, company, by, span)
        board_id = board_ids[0]
        if command.guild_id is not None and len(board_ids) > 1:
            for other_id in board_ids:
                if (await self._load_board(command, other_id)).board.rows:
                    board_id = other_id
                    break
        await send_ephemeral_content(command, await self._render_board(command, board_id))

    async def _find_newest(self, command: Interaction) -> tuple[AnyPackage, Company]:
        """Return the game that was finished last in the server (in a direct message: by the user), and its company."""
        newest = await self._results.newest_game(command.user.id, command.guild_id)
        package = None if newest is None else self._games.get(newest[0])
        if newest is None or package is None:
            raise Refusal(BoardReason.NO_BOARD_YET)
        return package, newest[1]

    async def press(self, click: Interaction, pressed: BoardId | BoardMenuId | LeaderboardId) -> None:
        """Answer a click on a leaderboard.

        Raises:
            Refusal: The game no longer exists, the id is forged, or the board can't be posted.
        """
        match pressed:
            case LeaderboardId(game, company, page):
                by = BoardOrder.BEST if company is Company.ALONE else BoardOrder.WINS
                await self.press(click, BoardId(game, company, by, Span.ALL, page))
            case BoardMenuId():
                chosen = parse_id(chosen_value(click))
                if not isinstance(chosen, BoardId) or chosen.button is not BoardButton.SHOW:
                    raise Refusal(ClickReason.UNKNOWN_BUTTON)
                await self.press(click, chosen)
            case BoardId(button=BoardButton.POST):
                await self._post(click, pressed)
            case BoardId():
                await edit_or_send_ephemeral(click, await self._render_board(click, pressed))

    async def _render_board(self, interaction: Interaction, board_id: BoardId) -> MessageContent:
        if interaction.guild_id is None:
            package = self._package(board_id)
            stats = await self._db.read(person_stats, interaction.user.id, None)
            return render_own_stats([of_game for of_game in stats if of_game.game == board_id.game], package)
        return render_leaderboard(await self._load_board(interaction, board_id), interaction.user.id)

    async def _load_board(self, interaction: Interaction, board_id: BoardId) -> ShownBoard:
        """Return a page of a board of the interaction's server."""
        package, guild_id = self._package(board_id), interaction.guild_id or 0
        length = await find_season_length(self._db, guild_id)
        span: str = board_id.span
        if span == Span.SEASON and length is SeasonLength.OFF:
            # Seasons were turned off after the button was shown.
            span = Span.ALL
        period = period_at(span, length, self._service.clock())
        lower = package.results.score_kind.lower_is_better
        key = BoardKey(guild_id, board_id.game, board_id.company, board_id.by, period, lower_is_better=lower)
        found = await load_leaderboard(self._db, key, interaction.user.id, board_id.page)
        return ShownBoard(package, found, span, spans_of(length))

    async def _load_filled_board(self, click: Interaction, board_id: BoardId) -> ShownBoard:
        """Return a page of a board.

        Raises:
            Refusal: The page has no rows, so no button offers to post it.
        """
        shown = await self._load_board(click, board_id)
        if not shown.board.rows:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        return shown

    def _package(self, board_id: BoardId) -> AnyPackage:
        """Return the game of a board id.

        Raises:
            Refusal: There is no such game or board.
        """
        package = self._games.get(board_id.game)
        if package is None or board_id.by not in orders_of(package.results.score_kind, board_id.company):
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        return package

    async def _post(self, click: Interaction, board_id: BoardId) -> None:
        """Post the page of a board that the user is looking at, unless it was posted recently."""
        server_of(click, ClickReason.UNKNOWN_BUTTON)
        require_permissions(click)
        location, key = location_of(click), (channel_of(click), board_id)
        if key in self._posted:
            raise Refusal(BoardReason.BOARD_POSTED, LinkFacts(message_link(location, self._posted[key])))
        self._posted[key] = None
        try:
            shown = await self._load_filled_board(click, board_id)
            await acknowledge(click)
            place = "" if click.guild is None else click.guild.name
            with speaking_to_everyone(click):
                content = render_posted_board(shown, click.user.display_name, place)
                content = await attach_picture(click, content, self._picture_attacher, location)
            note_refusal = partial(self._picture_attacher.note_refusal, location)
            self._posted[key] = await send_with_fallback(content, partial(post_content, click), note_refusal)
        except BaseException:
            self._posted.pop(key, None)
            raise


_ORDERS: Final = (
    app_commands.Choice(name=_("Rating"), value=BoardOrder.RATING.value),
    app_commands.Choice(name=_("Wins"), value=BoardOrder.WINS.value),
    app_commands.Choice(name=_("Points"), value=BoardOrder.POINTS.value),
    app_commands.Choice(name=_("Best score"), value=BoardOrder.BEST.value),
)
_SPANS: Final = (
    app_commands.Choice(name=_("All time"), value=Span.ALL.value),
    app_commands.Choice(name=_("This season"), value=Span.SEASON.value),
    app_commands.Choice(name=_("This month"), value=Span.MONTH.value),
    app_commands.Choice(name=_("This week"), value=Span.WEEK.value),
)


class BoardsCog(commands.Cog):
    """`/leaderboard`."""

    @app_commands.command(name="leaderboard", description=_("Who is best at a game in this server"))
    @app_commands.describe(
        game=_("Which game; the one played last if left out"),
        by=_("What counts; usually the rating"),
        period=_("Which period"),
    )
    @app_commands.choices(by=[*_ORDERS], period=[*_SPANS])
    async def leaderboard(
        self,
        command: ParlourInteraction,
        game: app_commands.Range[str, 1, 40] | None = None,
        by: app_commands.Choice[str] | None = None,
        period: app_commands.Choice[str] | None = None,
    ) -> None:
        """Show a game's leaderboard."""
        order = None if by is None else BoardOrder(by.value)
        span = Span.ALL if period is None else Span(period.value)
        await command.client.app.service(Boards).show(command, game, order, span)

    @leaderboard.autocomplete("game")
    async def suggest(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by their titles."""
        return suggest_games(command.client.app.service(TableCommands).games, current)
