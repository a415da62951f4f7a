"""The command `/daily`."""

import contextlib

from discord import app_commands
from discord.ext import commands

from bot.features.daily_bag.messages import (
    DailyBagButton,
    DailyBagId,
    DailyMoment,
    ShownBoard,
    render_daily_board,
    render_daily_panel,
    render_seeds,
)
from bot.features.daily_bag.model import AlreadyAttempted, BoardKey, DailyBagReason
from bot.features.daily_bag.service import DailyBagService, open_daily
from bot.features.settings.service import ServerRules
from bot.platform.discord.answers import Interaction, deferred_if_slow, finish
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import account_of, location_of, person_of, require_permissions
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.trace import set_table
from bot.rules.package import ScoreKind
from bot.rules.refusals import Refusal
from bot.tables.handlers.hands import Hands
from bot.tables.kinds import DAILY_GAME
from bot.tables.refusals import Stale, TableFacts, refused_table
from bot.tables.service import TableService
from bot.tables.table import Table
from bot.words import gettext as _


class DailyBags:
    """Shows the daily bag's panels in ephemeral messages, and opens its tables."""

    def __init__(
        self,
        bags: DailyBagService,
        service: TableService,
        ephemeral_messages: EphemeralMessages,
        *,
        rules: ServerRules,
        hands: Hands,
    ) -> None:
        self.bags = bags
        self._service = service
        self._ephemeral_messages = ephemeral_messages
        self._rules = rules
        self._hands = hands

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Show today's bag.

        Raises:
            Refusal: The game is not installed.
        """
        shown = await send_ephemeral_content(command, await self._render_panel(command))
        self._ephemeral_messages.replace_previous(command, EphemeralKind.DAILY_BAG, command.channel_id, shown)

    async def press(self, click: Interaction, pressed: DailyBagId) -> None:
        """Answer a click on a button about the daily bag.

        Raises:
            Refusal: The id is forged, or the bag can't be played.
        """
        match pressed.button:
            case DailyBagButton.PLAY:
                await self._play(click)
            case DailyBagButton.SHOW:
                await self._show(click, await self._render_panel(click))
            case DailyBagButton.SEEDS:
                await self._show(click, render_seeds(await self.bags.recent_bags(), self.bags.today))
            case DailyBagButton.SERVER:
                if click.guild_id is None:
                    raise Refusal(ClickReason.UNKNOWN_BUTTON)
                await self._show(click, await self._render_board(click, click.guild_id, pressed))
            case DailyBagButton.EVERYWHERE:
                await self._show(click, await self._render_board(click, None, pressed))
            case DailyBagButton.CONSENT | DailyBagButton.WITHDRAW:
                await self.bags.set_consent(account_of(click), consents=pressed.button is DailyBagButton.CONSENT)
                await self._show(click, await self._render_board(click, None, pressed))

    async def _show(self, click: Interaction, content: MessageContent) -> None:
        """Show content in the message that was clicked."""
        if shown := await edit_or_send_ephemeral(click, content):
            self._ephemeral_messages.replace_previous(click, EphemeralKind.DAILY_BAG, click.channel_id, shown)

    async def _render_panel(self, interaction: Interaction) -> MessageContent:
        await self.bags.todays_bag()
        facts = await self.bags.facts(interaction.user.id, interaction.guild_id)
        moment = DailyMoment(self.bags.now, self.bags.today, interaction.guild_id is not None)
        return render_daily_panel(facts, moment, self._score_kind)

    async def _render_board(self, click: Interaction, guild_id: int | None, pressed: DailyBagId) -> MessageContent:
        if pressed.day > self.bags.today:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        key, today = BoardKey(pressed.day, guild_id), self.bags.today
        page, board = await self.bags.board(key, click.user.id, pressed.page)
        return render_daily_board(ShownBoard(board, key, page), today, self._score_kind, click.user.id)

    async def _play(self, click: Interaction) -> None:
        """Open today's bag and show it to its player alone, or show the bag that an earlier click has opened."""
        require_permissions(click)
        await self._rules.require_may_open(click, DAILY_GAME)
        table = None
        with contextlib.suppress(Stale):
            try:
                table = await self._open(click)
                set_table(table.id, table.header.game)
            except Refusal as refusal:
                table = refused_table(refusal)
                just_begun = click.channel_id, self.bags.today, 0
                if (
                    table is None
                    or (table.header.location.channel_id, table.daily_day, table.header.step) != just_begun
                ):
                    raise
        await finish(click, _("Your bag is below."))
        if table is not None and table.is_sealed:
            await self._hands.show(click, table)

    async def _open(self, click: Interaction) -> Table:
        bag = await self.bags.todays_bag()
        if DAILY_GAME not in self._service.games or bag.published_at is not None:
            raise Refusal(DailyBagReason.NO_DAILY_BAG)
        attempt = await self.bags.attempt(click.user.id, bag.day)
        if attempt is not None and attempt.ended_at is None:
            # A second table with the same bag would let the player see what comes.
            raise Refusal(DailyBagReason.DAILY_BAG_OPEN, TableFacts(await self._service.table(attempt.table_id)))
        person, location = person_of(click), location_of(click)
        try:
            return await open_daily(
                self._service, bag, DAILY_GAME, person, location, click.id, is_practice=attempt is not None
            )
        except AlreadyAttempted:
            # A concurrent click has begun the attempt, so try again with it.
            return await self._open(click)

    @property
    def _score_kind(self) -> ScoreKind:
        if DAILY_GAME not in self._service.games:
            raise Refusal(DailyBagReason.NO_DAILY_BAG)
        return self._service.games[DAILY_GAME].results.score_kind


class DailyBagCog(commands.Cog):
    """`/daily`."""

    @app_commands.command(name="daily", description=_("The Magic Bag of the day: the same dice for everyone"))
    async def daily(self, command: ParlourInteraction) -> None:
        """Show the bag of the day."""
        await command.client.app.service(DailyBags).show(command)
