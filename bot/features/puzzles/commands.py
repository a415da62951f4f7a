"""The command `/puzzle`."""

from dataclasses import replace
from typing import Final

import discord
from cachetools import LRUCache
from discord import app_commands
from discord.ext import commands

from bot.features.puzzles.messages import (
    DailyPuzzleButton,
    DailyPuzzleId,
    NextPuzzleId,
    PuzzleChoiceId,
    PuzzleComponentId,
    ShownPuzzle,
    rank_offered,
    render_board,
    render_daily_answer,
    render_lost_answer,
    render_practice_answer,
    render_question,
    render_shared_answer,
)
from bot.features.puzzles.model import ChosenPuzzle, DailyAnswer, DailyStanding, PuzzleReason, replay_puzzle
from bot.features.puzzles.service import PuzzleService
from bot.features.settings.service import ServerRules
from bot.languages import Language, current_language
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import Interaction, acknowledge, deferred_if_slow, post, speaking_to_everyone
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import location_of, person_of, require_permissions, server_of
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    attach_picture_if_possible,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.observability.metrics import Ending
from bot.platform.places import Day
from bot.rules.evaluation import Evaluation
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason, LinkFacts
from bot.tables.registry import AnyPackage
from bot.tables.service import TableService
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import message_link
from bot.tables.shown.words import find_game, suggest_games
from bot.tables.table import Table
from bot.tables.thinker import Question, Thinker
from bot.words import gettext as _

_MAX_CACHED: Final = 64
"""The number of cached positions; replaying one takes a few milliseconds."""

_MAX_REMEMBERED: Final = 4096
"""The number of shared answers to remember. Kept in memory only, because sharing one twice does no harm."""


class Puzzles:
    """Shows puzzles in ephemeral messages, records the answers and shares them."""

    def __init__(
        self,
        puzzles: PuzzleService,
        service: TableService,
        thinker: Thinker,
        picture_attacher: PictureAttacher,
        *,
        ephemeral_messages: EphemeralMessages,
        rules: ServerRules,
    ) -> None:
        self._puzzles = puzzles
        self._service = service
        self._thinker = thinker
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages
        self._rules = rules
        self._tables: LRUCache[tuple[str, Language], Table] = LRUCache(_MAX_CACHED)
        """The positions by puzzle and by the language in which their players are named."""
        self._shared: LRUCache[tuple[int, Day], int | None] = LRUCache(_MAX_REMEMBERED)
        """The messages with shared answers, by person and day; None while an answer is being posted."""

    def clear(self) -> None:
        """Forget the answers that people have shared."""
        self._shared.clear()

    @deferred_if_slow
    async def show(self, command: Interaction, game: str | None) -> None:
        """Show the puzzle of the day, or a puzzle of a game that the user has not answered yet.

        Args:
            command: The command.
            game: The key, command or title of the game.

        Raises:
            Refusal: The game does not exist or has no puzzles.
        """
        if game is None:
            content = await self._render_daily(command)
        else:
            content = await self._render_next(command, find_game(self._service.games, game).game.info.key)
        content = await attach_picture_if_possible(command, content, self._picture_attacher)
        shown = await send_ephemeral_content(command, content)
        self._ephemeral_messages.replace_previous(command, EphemeralKind.PUZZLE, command.channel_id, shown)

    async def press(self, click: Interaction, pressed: PuzzleComponentId) -> None:
        """Answer a click on a message with a puzzle.

        Raises:
            Refusal: The puzzle no longer exists, or the id is forged.
        """
        match pressed:
            case PuzzleChoiceId():
                await self._show(click, await self._answer(click, pressed))
            case NextPuzzleId(game, puzzle):
                await self._show(click, await self._render_next(click, game, puzzle))
            case DailyPuzzleId(button, day):
                await self._press_daily(click, button, day)

    async def _press_daily(self, click: Interaction, button: DailyPuzzleButton, day: Day) -> None:
        match button:
            case DailyPuzzleButton.SHOW:
                await self._show(click, await self._render_daily(click))
            case DailyPuzzleButton.BOARD:
                await self._show(click, await self._render_board(click))
            case DailyPuzzleButton.SHARE:
                await self._share(click, day)

    async def _show(self, click: Interaction, content: MessageContent) -> None:
        """Show content in the message that was clicked."""
        content = await attach_picture_if_possible(click, content, self._picture_attacher)
        if shown := await edit_or_send_ephemeral(click, content):
            self._ephemeral_messages.replace_previous(click, EphemeralKind.PUZZLE, click.channel_id, shown)

    async def _render_daily(self, interaction: Interaction) -> MessageContent:
        """Render the puzzle of the day, or the user's answer to it."""
        today = self._puzzles.today
        answer = await self._puzzles.daily_answer(interaction.user.id, today)
        if answer is None:
            asked = await self._puzzles.daily(today)
            return render_question(await self._show_position(asked), in_server=interaction.guild_id is not None)
        # After an upgrade, the day may have a different puzzle than the answered one.
        chosen = await self._puzzles.look_up(answer.game, answer.puzzle, today)
        standing, in_server = await self._standing(interaction), interaction.guild_id is not None
        if chosen is None:
            return render_lost_answer(await self._puzzles.daily(today), answer, standing, in_server=in_server)
        shown = await self._explain(await self._show_position(chosen))
        return render_daily_answer(shown, answer, standing, in_server=in_server)

    async def _render_next(self, interaction: Interaction, game: str, after: str | None = None) -> MessageContent:
        chosen = await self._puzzles.next_puzzle(interaction.user.id, game, after)
        return render_question(await self._show_position(chosen), in_server=interaction.guild_id is not None)

    async def _answer(self, click: Interaction, pressed: PuzzleChoiceId) -> MessageContent:
        """Record an answer and render it."""
        chosen = await self._puzzles.find(pressed.game, pressed.puzzle, pressed.day or None)
        if pressed.choice >= len(chosen.puzzle.offered):
            raise Refusal(PuzzleReason.UNKNOWN_PUZZLE)
        shown, in_server = await self._show_position(chosen), click.guild_id is not None
        if pressed.day == self._puzzles.today:
            answer = await self._puzzles.answer_daily(
                chosen, pressed.day, person_of(click), click.guild_id, pressed.choice
            )
            shown, standing = await self._explain(shown), await self._standing(click)
            return render_daily_answer(shown, answer, standing, in_server=in_server, pressed=pressed.choice)
        await self._puzzles.answer(chosen, click.user.id, pressed.choice)
        try:
            progress = await self._puzzles.progress(click.user.id, chosen.game)
        except StoreUnavailable:
            # The answer is stored already, so a failure here must not hide it.
            progress = None
        shown = await self._explain(shown)
        return render_practice_answer(shown, pressed.choice, progress, is_late=bool(pressed.day), in_server=in_server)

    async def _standing(self, interaction: Interaction) -> DailyStanding:
        """Return the facts shown with an answer, as far as they can be read; the answer is stored already."""
        following_key = (await self._puzzles.daily(self._puzzles.today + 1)).puzzle.key
        try:
            streak = await self._puzzles.streak(interaction.user.id)
            board = None if interaction.guild_id is None else await self._puzzles.board(interaction.guild_id)
        except StoreUnavailable:
            return DailyStanding(None, None, following_key)
        return DailyStanding(streak, board, following_key)

    async def _render_board(self, click: Interaction) -> MessageContent:
        guild_id = server_of(click, PuzzleReason.UNKNOWN_PUZZLE)
        # The number of solvers reveals how difficult the puzzle is.
        if await self._puzzles.daily_answer(click.user.id, self._puzzles.today) is None:
            raise Refusal(PuzzleReason.PUZZLE_NOT_ANSWERED)
        daily = await self._puzzles.daily(self._puzzles.today)
        title = _(self._service.games[daily.game].game.info.title)
        return render_board(await self._puzzles.board(guild_id), title, click.user.id)

    async def _show_position(self, chosen: ChosenPuzzle) -> ShownPuzzle:
        """Return a puzzle with its table, replayed in time slices."""
        key = (chosen.puzzle.key, current_language())
        table = self._tables.get(key)
        if table is None:
            replaying = replay_puzzle(self._service.games[chosen.game], chosen.book, chosen.puzzle)
            *_earlier, table = [stage async for stage in self._service.time_slices.run(replaying)]
            self._tables[key] = table
        return ShownPuzzle(chosen, table)

    async def _explain(self, shown: ShownPuzzle) -> ShownPuzzle:
        """Return a puzzle with the explanation of its best move."""
        table, puzzle = shown.table, shown.chosen.puzzle
        question = Question(shown.chosen.game, table.package.game.view(table.state, table.header.to_move), ())
        best = rank_offered(table, puzzle, shown.texts)
        told = await self._thinker.explain(question, best, Evaluation(puzzle.values, puzzle.unit))
        return replace(shown, told=told)

    async def _share(self, click: Interaction, day: Day) -> None:
        """Post a line about the user's answer to a day's puzzle."""
        answer = await self._puzzles.daily_answer(click.user.id, day)
        server_of(click, PuzzleReason.PUZZLE_NOT_ANSWERED)
        if answer is None:
            raise Refusal(PuzzleReason.PUZZLE_NOT_ANSWERED)
        require_permissions(click)
        await self._rules.require_place(click)
        key = (click.user.id, day)
        if key in self._shared:
            raise Refusal(HostReason.ALREADY_SHARED, LinkFacts(message_link(location_of(click), self._shared[key])))
        package = self._service.games.get(answer.game)
        if package is None:
            raise Refusal(PuzzleReason.UNKNOWN_PUZZLE)
        self._shared[key] = None
        try:
            await acknowledge(click)
            self._shared[key] = await self._post(click, package, answer)
        except BaseException:
            self._shared.pop(key, None)
            raise
        self._puzzles.count_ending(Ending.SHARED)

    async def _post(self, click: Interaction, package: AnyPackage, answer: DailyAnswer) -> int:
        """Post a line about an answer for everyone, without mentions, and return the message's id."""
        chosen = await self._puzzles.look_up(answer.game, answer.puzzle, answer.day)
        difficulty = None if chosen is None else chosen.puzzle.difficulty
        streak = await self._puzzles.streak(click.user.id, click.guild_id)
        with speaking_to_everyone(click):
            title = _(package.game.info.title)
            text = render_shared_answer(click.user.display_name, title, difficulty, answer, streak)
        embed = discord.Embed(description=text, colour=SEAT_COLOURS[0])
        return await post(click, **MessageContent(embed.to_dict()).send_kwargs())


class PuzzlesCog(commands.Cog):
    """`/puzzle`."""

    @app_commands.command(name="puzzle", description=_("Find the best move: today's puzzle, or one of a game"))
    @app_commands.describe(game=_("Which game; today's puzzle if left out"))
    async def puzzle(self, command: ParlourInteraction, game: app_commands.Range[str, 1, 40] | None = None) -> None:
        """Show a puzzle."""
        await command.client.app.service(Puzzles).show(command, game)

    @puzzle.autocomplete("game")
    async def suggest(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by their titles."""
        games = await command.client.app.service(ServerRules).games_on(command)
        return suggest_games({key: package for key, package in games.items() if package.study.puzzles}, current)
