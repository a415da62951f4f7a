"""Gives hints to the player to move, privately."""

from bot.community.preferences import PreferenceCache
from bot.rules.refusals import Refusal
from bot.tables.actions.hints import require_hint
from bot.tables.model import Status
from bot.tables.refusal_facts import TableFacts
from bot.tables.refusals import HostReason, Stale
from bot.tables.runtime.service import TableService
from bot.tables.runtime.thinker import Thinker
from bot.tables.table import Table
from bot.tables.thinking import Question
from bot.ui.custom_ids import HintId
from bot.ui.features.table_commands import TableCommands
from bot.ui.interactions.context import person_of
from bot.ui.interactions.ephemeral_content import send_ephemeral_content
from bot.ui.interactions.ephemeral_messages import EphemeralKind, EphemeralMessages
from bot.ui.interactions.responses import Interaction, deferred_if_slow, send_ephemeral
from bot.ui.interactions.table_responses import TableResponses
from bot.ui.render.hint import render_hint
from bot.ui.render.links import table_link
from bot.words import gettext as _


class HintCommands:
    """Shows the player to move the best moves. The table notes it before the hint is shown."""

    def __init__(
        self,
        service: TableService,
        thinker: Thinker,
        preferences: PreferenceCache,
        table_commands: TableCommands,
        *,
        table_responses: TableResponses,
        ephemeral_messages: EphemeralMessages,
    ) -> None:
        self._service = service
        self._thinker = thinker
        self._preferences = preferences
        self._table_commands = table_commands
        self._table_responses = table_responses
        self._ephemeral_messages = ephemeral_messages

    @deferred_if_slow
    async def give_here(self, command: Interaction) -> None:
        """Give a hint at this channel's table, or in the user's own solo game."""
        table = await self._table_commands.table_here(command)
        try:
            await self._give(command, table, table.header.step)
        except Stale:
            text = _("The table just moved on. Look again: {link}").format(link=table_link(table))
            await send_ephemeral(command, text)

    async def press(self, click: Interaction, table: Table, pressed: HintId) -> None:
        """Give a hint; a late click only shows the table."""
        try:
            await self._give(click, table, pressed.step)
        except Stale:
            await self._table_responses.show(click, await self._service.table(table.id))

    async def _give(self, interaction: Interaction, table: Table, step: int) -> None:
        """Send a hint for a step.

        Raises:
            Stale: The table is at another step.
            Refusal: The user may not have a hint now, or none can be calculated.
        """
        person, package = person_of(interaction), table.package
        if table.header.status is Status.PLAYING and not (await self._preferences.get(table.header.location)).hints:
            raise Refusal(HostReason.HINTS_OFF_IN_SERVER, TableFacts(table))
        seat = require_hint(table, person, step)
        view, moves = package.game.view(table.state, seat), package.game.legal_moves(table.state)
        describe, hints = package.describe_move, package.hints
        if describe is None or hints is None:
            raise Refusal(HostReason.NO_HINTS, TableFacts(table))
        if len(moves) == 1:
            only = _("There is only one thing to do: {move}.").format(move=describe(view, moves[0]))
            shown = await send_ephemeral(interaction, only)
        else:
            thought = await self._thinker.hint(Question(table.header.game, view, moves))
            if thought.result is None:
                raise Refusal(HostReason.HINT_FAILED, TableFacts(table))
            await self._service.use_hint(table.id, person, step)
            content = render_hint(table, hints, thought.result, is_rough=not thought.is_first_choice)
            shown = await send_ephemeral_content(interaction, content)
        self._ephemeral_messages.replace_previous(interaction, EphemeralKind.HINT, table.id, shown)
