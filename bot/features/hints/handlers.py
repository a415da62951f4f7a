"""Gives hints to the player to move, privately."""

from bot.features.hints.messages import HintId, ShowHintId, explain_hints, render_hint, render_hint_question
from bot.features.hints.service import HintReason, require_hint, use_hint
from bot.features.settings.all_settings import HINTS
from bot.features.settings.service import SettingsCache
from bot.platform.discord.answers import (
    EphemeralMessage,
    Interaction,
    begin_long_answer,
    deferred_if_slow,
    finish,
    is_ephemeral,
    send_ephemeral,
)
from bot.platform.discord.context import person_of
from bot.platform.discord.private_messages import EphemeralKind, EphemeralMessages, edit_or_send_ephemeral
from bot.rules.refusals import Refusal
from bot.tables.handlers.answers import TableResponses
from bot.tables.handlers.commands import TableCommands
from bot.tables.model import Status
from bot.tables.refusals import Stale, TableFacts
from bot.tables.service import TableService
from bot.tables.shown.links import table_link
from bot.tables.table import Table
from bot.tables.thinker import Question, Thinker
from bot.words import gettext as _


class HintCommands:
    """Shows the best moves to the player to move, once they have accepted the price.

    The table stores that the seat uses hints before a hint is shown.
    """

    def __init__(
        self,
        service: TableService,
        thinker: Thinker,
        settings: SettingsCache,
        table_commands: TableCommands,
        *,
        table_responses: TableResponses,
        ephemeral_messages: EphemeralMessages,
    ) -> None:
        self._service = service
        self._thinker = thinker
        self._settings = settings
        self._table_commands = table_commands
        self._table_responses = table_responses
        self._ephemeral_messages = ephemeral_messages

    async def explain(self, table: Table) -> str:
        """Return an explanation of hints and their cost at a table; an empty text where its server forbids hints."""
        return explain_hints(table) if (await self._settings.get(table.header.location.scope_id)).get(HINTS) else ""

    @deferred_if_slow
    async def give_here(self, command: Interaction) -> None:
        """Give a hint at this channel's table, or in the user's own solo game."""
        table = await self._table_commands.table_here(command)
        try:
            await self._give(command, table, table.header.step)
        except Stale:
            await send_ephemeral(command, _moved_on_text(table))

    async def press(self, click: Interaction, table: Table, pressed: HintId | ShowHintId) -> None:
        """Give a hint. A click that comes too late only shows the table, or its link."""
        try:
            await self._give(click, table, pressed.step, is_accepted=isinstance(pressed, ShowHintId))
        except Stale:
            if is_ephemeral(click):
                await finish(click, _moved_on_text(table))
            else:
                await self._table_responses.show(click, await self._service.table(table.id))

    async def _give(self, interaction: Interaction, table: Table, step: int, *, is_accepted: bool = False) -> None:
        """Send a hint for a step; if the player has not accepted the price in this game, ask first.

        Raises:
            Stale: The table is at another step.
            Refusal: The user may not have a hint now, or none can be calculated.
        """
        person, package = person_of(interaction), table.package
        chosen = await self._settings.get(table.header.location.scope_id)
        if table.header.status is Status.PLAYING and not chosen.get(HINTS):
            raise Refusal(HintReason.HINTS_OFF_IN_SERVER, TableFacts(table))
        seat = require_hint(table, person, step)
        view, moves = package.game.view(table.state, seat), package.game.legal_moves(table.state)
        describe, hints = package.study.describe_move, package.study.hints
        if describe is None or hints is None:
            raise Refusal(HintReason.NO_HINTS, TableFacts(table))
        if len(moves) == 1:
            only = _("There is only one thing to do: *{move}*.").format(move=describe(view, moves[0]))
            shown: EphemeralMessage | None = await send_ephemeral(interaction, only)
        elif not is_accepted and seat not in table.header.hinted:
            shown = await edit_or_send_ephemeral(interaction, render_hint_question(table))
        else:
            begin_long_answer(interaction)
            thought = await self._thinker.hint(Question(table.header.game, view, moves))
            if thought.result is None:
                raise Refusal(HintReason.HINT_FAILED, TableFacts(table))
            await use_hint(self._service, table.id, person, step)
            content = render_hint(table, hints, thought.result, is_rough=not thought.is_first_choice)
            shown = await edit_or_send_ephemeral(interaction, content)
        if shown is not None:
            self._ephemeral_messages.replace_previous(interaction, EphemeralKind.HINT, table.id, shown)


def _moved_on_text(table: Table) -> str:
    return _("The table just moved on. Look again: {link}").format(link=table_link(table))
