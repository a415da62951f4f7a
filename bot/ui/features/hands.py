"""Hands: what one seat alone may see, in a message for one person, and the moves that are made there."""

import contextlib
from typing import Any

import discord

from bot.rules.refusals import Refusal
from bot.rules.screen import Control, Play, ScreenBuilder, Toggle
from bot.tables.actions.lobby import require_player, require_turn
from bot.tables.model import Person
from bot.tables.ports import StoreUnavailable
from bot.tables.refusal_facts import TableFacts
from bot.tables.refusals import HostReason, Stale
from bot.tables.runtime.host import Host
from bot.tables.table import Table
from bot.ui.custom_ids import ControlId
from bot.ui.delivery.picture_attachments import PictureAttacher
from bot.ui.drafts import Drafts
from bot.ui.features.outdated_hands import OutdatedHands
from bot.ui.features.table_commands import TableCommands
from bot.ui.interactions.context import person_of
from bot.ui.interactions.ephemeral_content import attach_picture, edit_or_send_ephemeral, send_ephemeral_content
from bot.ui.interactions.ephemeral_messages import EphemeralKind, EphemeralMessages
from bot.ui.interactions.responses import EphemeralMessage, defer_if_slow, finish
from bot.ui.render.absences import news_for, seat_names
from bot.ui.render.links import table_link
from bot.ui.render.message import MessageContent
from bot.ui.render.table_message import hand_content
from bot.words import gettext as _

Interaction = discord.Interaction[Any]


class Hands:
    """Shows people their hands, and lets them play from there.

    The table's own message can't be edited through such a click: the publisher shows what came of it.
    """

    def __init__(
        self,
        host: Host,
        table_commands: TableCommands,
        picture_attacher: PictureAttacher,
        ephemeral_messages: EphemeralMessages,
        outdated: OutdatedHands,
    ) -> None:
        self._host = host
        self._table_commands = table_commands
        self._picture_attacher = picture_attacher
        self._ephemeral_messages = ephemeral_messages
        self._outdated_hands = outdated
        # What is picked in a hand must not show on the table.
        self._drafts = Drafts()

    async def show_here(self, command: Interaction, game: str) -> None:
        """Show whoever typed a command their hand at the table of a game here."""
        await defer_if_slow(command, self._show_here(command, game))

    async def _show_here(self, command: Interaction, game: str) -> None:
        await self.show(command, await self._table_commands.table_here(command, game))

    async def show(self, asking: Interaction, table: Table) -> None:
        """Show somebody their hand in a new message, in place of any earlier one."""
        with self._outdated_hands.suspend_marking(asking.user.id, table.id):
            shown = await send_ephemeral_content(asking, await self._render_with_picture(asking, table))
            await self._record_shown(asking, table, shown)

    async def refresh(self, click: Interaction, table: Table) -> None:
        """Show the hand as it is now in the message that showed it before; once the game is over there is none."""
        if table.header.status.is_open:
            with self._outdated_hands.suspend_marking(click.user.id, table.id):
                if shown := await edit_or_send_ephemeral(click, await self._render_with_picture(click, table)):
                    await self._record_shown(click, table, shown)
            return
        if table.header.status.is_aside:
            raise Refusal(HostReason.SET_ASIDE, TableFacts(table))
        await finish(click, _("The game is over: {link}").format(link=table_link(table)))

    async def _record_shown(self, asking: Interaction, table: Table, shown: EphemeralMessage) -> None:
        """Note what somebody's hand shows now; the table may have gone on meanwhile."""
        if self._ephemeral_messages.replace_previous(asking, EphemeralKind.HAND, table.id, shown):
            self._outdated_hands.record_shown(asking.user.id, table, require_player(table, person_of(asking)))
            with contextlib.suppress(Refusal, StoreUnavailable):
                self._outdated_hands.check(await self._host.service.table(table.id))

    async def press(self, click: Interaction, table: Table, pressed: ControlId) -> None:
        """Do what a control of the hand does; a late or double click only shows the hand as it is now."""
        with self._outdated_hands.suspend_marking(click.user.id, table.id):
            await self._press(click, table, pressed)

    async def _press(self, click: Interaction, table: Table, pressed: ControlId) -> None:
        person = person_of(click)
        if not table.header.status.is_open:
            await self.refresh(click, table)
            return
        try:
            effect = self._find_control(table, person, pressed).effect
            match effect:
                case Toggle():
                    self._drafts.toggle(table, effect, pressed.draft)
                    self._host.service.touch(table.id)
                case Play(move):
                    table = await self._host.service.play(table.id, person, pressed.step, move, click.id)
        except Stale:
            table = await self._host.service.table(table.id)
        await self.refresh(click, table)

    def _find_control(self, table: Table, person: Person, pressed: ControlId) -> Control:
        """Find the control that a click means now; raises Stale when the hand does not offer it any more."""
        show = _require_hand(table)
        require_turn(table, person, pressed.step)
        seat = require_player(table, person)
        view, draft = table.package.game.view(table.state, seat), self._drafts.of(table, pressed.draft)
        control = show(view, news_for(table, seat), seat_names(table), draft).find_control(pressed.key)
        if control is None:
            raise Stale(table.id)
        return control

    async def _render_with_picture(self, asking: Interaction, table: Table) -> MessageContent:
        """Frame somebody's hand, with its picture if that is drawn in time."""
        frame = self._render(table, person_of(asking))
        return await attach_picture(asking, frame, self._picture_attacher, table.header.place)

    def _render(self, table: Table, person: Person) -> MessageContent:
        show, seat = _require_hand(table), require_player(table, person)
        draft = self._drafts.of(table) if seat == table.header.to_move else frozenset[int]()
        return hand_content(table, seat, show, draft)


def _require_hand(table: Table) -> ScreenBuilder[Any]:
    """Return what draws the hands of a game; refuses one in which nothing is hidden."""
    if table.package.build_hand_screen is None:
        raise Refusal(HostReason.UNKNOWN_BUTTON)
    return table.package.build_hand_screen
