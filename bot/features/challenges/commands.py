"""The command `/daily`."""

from datetime import datetime
from typing import Final

from cachetools import LRUCache
from discord import app_commands
from discord.ext import commands
from discord.utils import format_dt

from bot.features.challenges.boards import ShownBoard, render_board, render_seeds
from bot.features.challenges.ids import ChallengeButton, ChallengeId, OthersMenuId
from bot.features.challenges.menu import Choice, choices_of, puzzle_choice, render_menu
from bot.features.challenges.messages import render_shared
from bot.features.challenges.model import AlreadyAttempted, BoardKey, ChallengeReason
from bot.features.challenges.pings import DailyPings
from bot.features.challenges.service import ChallengeService, open_challenge
from bot.features.puzzles.service import PuzzleService
from bot.features.reminders.model import PingReason
from bot.features.replays.messages import ReplayButton, ReplayId
from bot.features.settings.service import ServerRules
from bot.platform.discord.answers import (
    Interaction,
    acknowledge,
    deferred_if_slow,
    is_ephemeral,
    post,
    send_ephemeral,
    speaking_to_everyone,
)
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import account_of, location_of, require_posting
from bot.platform.discord.ids import Handler
from bot.platform.discord.menus import chosen_value
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    attach_picture_if_possible,
    edit_or_send_ephemeral,
)
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.metrics import Ending
from bot.platform.observability.trace import set_table
from bot.platform.time_zones import UnknownZone, find_zone
from bot.rules.package import ScoreKind
from bot.rules.refusals import Refusal
from bot.tables.handlers.hands import Hands
from bot.tables.kinds import Cadence, Edition, edition_on
from bot.tables.model import TableId
from bot.tables.refusals import HostReason, LinkFacts
from bot.tables.service import TableService
from bot.tables.shown.links import message_link
from bot.words import gettext as _

_MAX_REMEMBERED: Final = 4096
"""The number of shared results to remember. Kept in memory only, because sharing one twice does no harm."""

_MAX_DIGITS: Final = 18
"""The most digits of a number in a menu's value."""


class Challenges:
    """Shows the menu of the day, plays challenges in private messages, and shows boards and seeds."""

    def __init__(
        self,
        challenges: ChallengeService,
        service: TableService,
        ephemeral_messages: EphemeralMessages,
        picture_attacher: PictureAttacher,
        *,
        puzzles: PuzzleService,
        open_replay: Handler,
        daily_pings: DailyPings,
        rules: ServerRules,
        hands: Hands,
    ) -> None:
        self.challenges = challenges
        self._service = service
        self._ephemeral_messages = ephemeral_messages
        self._picture_attacher = picture_attacher
        self._puzzles = puzzles
        self._open_replay = open_replay
        self._pings = daily_pings
        self._rules = rules
        self._hands = hands
        self._shared: LRUCache[tuple[int, Edition], int | None] = LRUCache(_MAX_REMEMBERED)
        """The messages with results, by person and edition; None while a result is being posted."""

    def clear(self) -> None:
        """Forget the results that people have shared."""
        self._shared.clear()

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Go on with today's ten rolls if they are begun; otherwise show the menu."""
        attempt = await self.challenges.attempt(command.user.id, edition_on(Cadence.DAILY, self.challenges.today))
        if attempt is not None and attempt.ended_at is None:
            await self._show_table(command, attempt.table_id)
        else:
            await self._show(command, await self._render_menu(command))

    async def press(self, click: Interaction, pressed: ChallengeId) -> None:
        """Answer a click on a button about a challenge.

        Raises:
            Refusal: The id is forged, or the edition can't be played or seen.
        """
        edition = pressed.edition
        if edition != edition_on(edition.cadence, edition.day) or edition.day > self.challenges.today:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        match pressed.button:
            case ChallengeButton.MENU:
                await self._show(click, await self._render_menu(click))
            case ChallengeButton.PLAY:
                await self._play(click, edition, is_dare=not is_ephemeral(click))
            case ChallengeButton.TODAY:
                await self._play(click, edition_on(edition.cadence, self.challenges.today), is_dare=False)
            case ChallengeButton.SEEDS:
                seeds = await self.challenges.recent_seeds()
                await self._show(click, render_seeds(seeds, self.challenges.today))
            case ChallengeButton.SHARE:
                await self._share(click, edition)
            case ChallengeButton.PING:
                await self._switch_pings(click)
            case _:
                await self._show(click, await self._press_board(click, pressed))

    async def open_game(self, click: Interaction, pressed: OthersMenuId) -> None:
        """Open the replay of somebody on a board, which decides whether the user may see it."""
        value = chosen_value(click)
        if not (value.isascii() and value.isdecimal() and len(value) <= _MAX_DIGITS):
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        await self._open_replay(click, ReplayId(int(value), 0, ReplayButton.OPEN))

    async def _show(self, interaction: Interaction, content: MessageContent) -> None:
        """Show content in the private message that was clicked, or in a new one."""
        content = await attach_picture_if_possible(interaction, content, self._picture_attacher)
        if shown := await edit_or_send_ephemeral(interaction, content):
            self._ephemeral_messages.replace_previous(
                interaction, EphemeralKind.CHALLENGES, interaction.channel_id, shown
            )

    async def _render_menu(self, interaction: Interaction) -> MessageContent:
        today, user_id = self.challenges.today, interaction.user.id
        menu = await self.challenges.menu(user_id, interaction.guild_id)
        games = await self._rules.games_on(interaction)
        choices = choices_of(menu, today, games, await self._puzzle_choice(user_id))
        return render_menu(menu, today, choices, is_pinged=await self._pings.is_on(user_id))

    async def _puzzle_choice(self, user_id: int) -> Choice | None:
        """Return the choice of today's puzzle; None without puzzles."""
        today = self.challenges.today
        try:
            puzzle = await self._puzzles.daily(today)
        except Refusal:
            return None
        return puzzle_choice(self._service.games[puzzle.game], today, await self._puzzles.daily_answer(user_id, today))

    async def _press_board(self, click: Interaction, pressed: ChallengeId) -> MessageContent:
        """Show or hide the user on boards, and render a page of the server's board or of all servers' board."""
        edition, guild_id = pressed.edition, click.guild_id
        if pressed.button is not ChallengeButton.SERVER:
            guild_id = None
        await self.challenges.require_open(edition, click.user.id)
        if pressed.button in (ChallengeButton.CONSENT, ChallengeButton.WITHDRAW):
            consents = pressed.button is ChallengeButton.CONSENT
            await self.challenges.set_consent(account_of(click), consents=consents)
        key = BoardKey(edition, guild_id)
        page, board = await self.challenges.board(key, click.user.id, pressed.page)
        shown = ShownBoard(board, key, page)
        return render_board(shown, self.challenges.today, self._score_kind(edition), click.user.id)

    async def _play(self, click: Interaction, edition: Edition, *, is_dare: bool) -> None:
        """Show the user's table of an edition that goes on for them, or else of the present edition.

        Its result is shown if it is over; if there is no table yet, it is opened.
        """
        attempt = await self.challenges.attempt(click.user.id, edition)
        if attempt is None or attempt.ended_at is not None:
            edition = edition_on(edition.cadence, self.challenges.today)
            attempt = await self.challenges.attempt(click.user.id, edition)
        table_id = await self._open(click, edition) if attempt is None else attempt.table_id
        if attempt is None and is_dare:
            # The button of a result that somebody has shared.
            self.challenges.count_ending(edition, Ending.DARED)
        # The clicked message may show a menu, which must not be deleted when a newer menu replaces it.
        self._ephemeral_messages.forget_clicked(click, EphemeralKind.CHALLENGES, click.channel_id)
        await self._show_table(click, table_id)

    async def _open(self, click: Interaction, edition: Edition) -> TableId:
        if edition.game not in await self._rules.games_on(click):
            raise Refusal(ChallengeReason.NO_CHALLENGE)
        shared = await self.challenges.playable_seed(edition)
        try:
            table = await open_challenge(self._service, shared, account_of(click), location_of(click), click.id)
        except AlreadyAttempted:
            # A concurrent click has begun the attempt.
            attempt = await self.challenges.attempt(click.user.id, edition)
            if attempt is None:
                raise Refusal(ChallengeReason.NO_CHALLENGE) from None
            return attempt.table_id
        return table.id

    async def _show_table(self, interaction: Interaction, table_id: TableId) -> None:
        table = await self._service.table(table_id)
        set_table(table.id, table.header.game)
        await self._hands.refresh(interaction, table)

    @deferred_if_slow
    async def choose_ping(self, command: Interaction, hour: int, zone: str) -> None:
        """Ping the user each day at a full hour in a time zone.

        Raises:
            Refusal: The time zone does not exist.
        """
        try:
            name = find_zone(zone)
        except UnknownZone:
            raise Refusal(PingReason.UNKNOWN_ZONE) from None
        await send_ephemeral(command, pinged_text(await self._pings.start(command.user.id, hour, name)))

    async def _share(self, click: Interaction, edition: Edition) -> None:
        """Post the user's result of an edition, once."""
        attempt = await self.challenges.attempt(click.user.id, edition)
        standing = None if attempt is None else await self.challenges.standing(attempt)
        if attempt is None or standing is None or not standing.counts:
            raise Refusal(ChallengeReason.NOT_FINISHED)
        require_posting(click)
        await self._rules.require_place(click)
        key = (click.user.id, edition)
        if key in self._shared:
            raise Refusal(HostReason.ALREADY_SHARED, LinkFacts(message_link(location_of(click), self._shared[key])))
        self._shared[key] = None
        try:
            await acknowledge(click)
            streak = await self.challenges.streak_at(attempt, click.guild_id)
            with speaking_to_everyone(click):
                text, below = render_shared(await self._service.table(attempt.table_id), streak)
            self._shared[key] = await post(click, text, **below.send_kwargs())
        except BaseException:
            self._shared.pop(key, None)
            raise
        self.challenges.count_ending(edition, Ending.SHARED)

    async def _switch_pings(self, click: Interaction) -> None:
        """Start or end the user's pings."""
        if await self._pings.is_on(click.user.id):
            await self._pings.end(click.user.id)
            await send_ephemeral(click, _("I won't ping you about the daily any more."))
            return
        due_at = await self._pings.start_at_this_hour(click.user.id)
        await send_ephemeral(click, pinged_text(due_at))

    def _score_kind(self, edition: Edition) -> ScoreKind:
        package = self._service.games.get(edition.game)
        if package is None:
            raise Refusal(ChallengeReason.NO_CHALLENGE)
        return package.results.score_kind


def pinged_text(due_at: datetime) -> str:
    """Return the confirmation of pings of the day."""
    line = _(
        "I'll send you a direct message each day at {time}, unless you have played by then. `/ping daily` chooses "
        "another hour, and *No more pings* in `/daily` ends them."
    )
    return line.format(time=format_dt(due_at, "t"))


class ChallengesCog(commands.Cog):
    """`/daily`."""

    @app_commands.command(name="daily", description=_("Today's ten rolls, today's puzzle and the week's bag"))
    async def daily(self, command: ParlourInteraction) -> None:
        """Show the menu of today's challenges."""
        await command.client.app.service(Challenges).show(command)
