"""Hands: what only one seat may see, in an ephemeral message with controls."""

import contextlib
from dataclasses import replace
from typing import Any

from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import EphemeralMessage, Interaction, deferred_if_slow, finish
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import person_of
from bot.platform.discord.ephemeral_content import attach_picture, edit_or_send_ephemeral, send_ephemeral_content
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import EphemeralKind, EphemeralMessages
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.game import Seat
from bot.rules.refusals import Refusal
from bot.rules.screen import Control, Draft, Play, Screen, ScreenBuilder, Toggle
from bot.tables.guards import require_player, require_turn
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.drafts import Drafts
from bot.tables.handlers.ids import ControlId
from bot.tables.handlers.outdated_hands import OutdatedHands
from bot.tables.handlers.readings import Readings
from bot.tables.host import Host
from bot.tables.refusal_facts import TableFacts
from bot.tables.refusals import HostReason, Stale
from bot.tables.shown.absences import news_for, seat_names
from bot.tables.shown.links import table_link
from bot.tables.shown.message import render_hand, render_result
from bot.tables.shown.screen_cache import screen_of
from bot.tables.shown.sealed_table import render_private_table
from bot.tables.table import Table
from bot.words import gettext as _


class Hands:
    """Shows players their hands and handles the controls there.

    A click on a hand can't edit the table's message, so the publisher does.
    """

    def __init__(
        self,
        host: Host,
        table_commands: TableCommands,
        picture_attacher: PictureAttacher,
        ephemeral_messages: EphemeralMessages,
        *,
        outdated_hands: OutdatedHands,
        readings: Readings,
    ) -> None:
        self._host = host
        self._table_commands = table_commands
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages
        self._outdated_hands = outdated_hands
        self._readings = readings
        # Tokens picked in a hand must not show on the table.
        self._drafts = Drafts()

    @deferred_if_slow
    async def show_here(self, command: Interaction, game: str) -> None:
        """Show the user of a command their hand at this channel's table of a game."""
        await self.show(command, await self._table_commands.table_here(command, game))

    async def show(self, interaction: Interaction, table: Table) -> None:
        """Show the user's hand in a new message, which replaces any earlier one."""
        with self._outdated_hands.suspend_marking(interaction.user.id, table.id):
            shown = await send_ephemeral_content(interaction, await self._render_with_picture(interaction, table))
            await self._record_shown(interaction, table, shown)

    async def refresh(self, click: Interaction, table: Table, note: str = "") -> None:
        """Show the current hand in the clicked message, below a note; once the game is over there is none.

        Only the player sees the end of a sealed table.
        """
        if table.header.status.is_open:
            with self._outdated_hands.suspend_marking(click.user.id, table.id):
                if shown := await edit_or_send_ephemeral(click, await self._render_with_picture(click, table, note)):
                    await self._record_shown(click, table, shown)
            return
        if table.header.status.is_aside:
            raise Refusal(HostReason.PUT_ASIDE, TableFacts(table))
        if table.is_sealed and table.outcome is not None and (seat := table.seat_of(click.user.id)) is not None:
            content = await attach_picture(click, render_result(table), self._picture_attacher, table.header.location)
            await edit_or_send_ephemeral(click, content)
            # Otherwise the move that ended the game would mark it as changed.
            self._outdated_hands.record_shown(click.user.id, table, seat)
            return
        await finish(click, _("The game is over: {link}").format(link=table_link(table)))

    async def _record_shown(self, interaction: Interaction, table: Table, shown: EphemeralMessage) -> None:
        """Note what the user's hand shows, and check it at once: the table may have changed meanwhile."""
        if self._ephemeral_messages.replace_previous(interaction, EphemeralKind.HAND, table.id, shown):
            self._outdated_hands.record_shown(interaction.user.id, table, require_player(table, person_of(interaction)))
            with contextlib.suppress(Refusal, StoreUnavailable):
                self._outdated_hands.check(await self._host.service.table(table.id))

    async def press(self, click: Interaction, table: Table, control_id: ControlId) -> None:
        """Apply a control of the hand; a late or double click only refreshes the hand."""
        with self._outdated_hands.suspend_marking(click.user.id, table.id):
            await self._press(click, table, control_id)

    async def _press(self, click: Interaction, table: Table, control_id: ControlId) -> None:
        person = person_of(click)
        if not table.header.status.is_open:
            await self.refresh(click, table)
            return
        has_moved, note = False, ""
        try:
            effect = self._find_control(table, person, control_id).effect
            match effect:
                case Toggle():
                    self._drafts.toggle(table, effect, control_id.draft)
                    self._host.service.touch(table.id)
                case Play(move):
                    table = await self._host.service.play(table.id, person, control_id.step, move, click.id)
                    has_moved = True
        except Stale:
            table = await self._host.service.table(table.id)
            if table.header.step > control_id.step + 1:  # a double click is only one step late
                note = _("That button was from an earlier turn. This is your hand now.")
        await self.refresh(click, table, note)
        if has_moved:
            self._readings.after_action(click, table)

    def _find_control(self, table: Table, person: Person, control_id: ControlId) -> Control:
        """Return the control that was clicked.

        Raises:
            Stale: The hand no longer offers it.
        """
        require_turn(table, person, control_id.step)
        seat, draft = require_player(table, person), self._drafts.of(table, control_id.draft)
        control = _private_screen(table, seat, draft).find_control(control_id.key)
        if control is None:
            raise Stale(table.id)
        return control

    async def _render_with_picture(self, interaction: Interaction, table: Table, note: str = "") -> MessageContent:
        """Render a hand below a note, with its picture if that is drawn in time."""
        content = self._render(table, person_of(interaction))
        if note:
            embed = content.text_embed_json
            content = replace(content, text_embed_json={**embed, "description": f"{note}\n{embed['description']}"})
        return await attach_picture(interaction, content, self._picture_attacher, table.header.location)

    def _render(self, table: Table, person: Person) -> MessageContent:
        build_screen, seat = None if table.is_sealed else _require_hand(table), require_player(table, person)
        draft = self._drafts.of(table) if seat == table.header.to_move else frozenset[int]()
        if build_screen is None:
            return render_private_table(table, draft)
        return render_hand(table, seat, build_screen, draft)


def _private_screen(table: Table, seat: Seat, draft: Draft) -> Screen:
    """Return the screen of a seat's hand; that of a sealed table has everything."""
    if table.is_sealed:
        return screen_of(table, draft)
    view = table.package.game.view(table.state, seat)
    return _require_hand(table)(view, news_for(table, seat), seat_names(table), draft)


def _require_hand(table: Table) -> ScreenBuilder[Any, Any]:
    """Return the builder of a game's hand screens; raise a Refusal if the game has no hands."""
    if table.package.build_hand_screen is None:
        raise Refusal(ClickReason.UNKNOWN_BUTTON)
    return table.package.build_hand_screen
