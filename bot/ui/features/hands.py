"""Hands: what one seat alone may see, in a message for one person, and the moves that are made there."""

import contextlib
from typing import Any

import discord

from bot.rules.refusals import Refusal
from bot.rules.screen import Control, Play, ScreenMaker, Toggle
from bot.tables.actions.lobby import require_player, require_turn
from bot.tables.model import Person
from bot.tables.ports import StoreUnavailable
from bot.tables.refusals import HostReason, Stale
from bot.tables.runtime.host import Host
from bot.tables.table import Table
from bot.ui.custom_ids import ControlId
from bot.ui.delivery.picture_attachments import Easel
from bot.ui.drafts import Drafts
from bot.ui.features.outdated_hands import OutdatedHands
from bot.ui.features.table_commands import Desk
from bot.ui.interactions.context import person_of
from bot.ui.interactions.ephemeral_messages import Kind, Whispers
from bot.ui.interactions.responses import Whispered, conclude, promptly
from bot.ui.interactions.sending import drawn_for, turn_page, whisper_frame
from bot.ui.render.absences import news_for, seat_names
from bot.ui.render.links import jump_link
from bot.ui.render.message import Frame
from bot.ui.render.table_message import hand_frame
from bot.words import gettext as _

Interaction = discord.Interaction[Any]


class Hands:
    """Shows people their hands, and lets them play from there.

    The table's own message can't be edited through such a click: the publisher shows what came of it.
    """

    def __init__(self, host: Host, desk: Desk, easel: Easel, whispers: Whispers, outdated: OutdatedHands) -> None:
        self._host = host
        self._desk = desk
        self._easel = easel
        self._whispers = whispers
        self._outdated = outdated
        # What is picked in a hand must not show on the table.
        self._drafts = Drafts()

    async def show_here(self, command: Interaction, game: str) -> None:
        """Show whoever typed a command their hand at the table of a game here."""
        await promptly(command, self._show_here(command, game))

    async def _show_here(self, command: Interaction, game: str) -> None:
        await self.show(command, await self._desk.table_here(command, game))

    async def show(self, asking: Interaction, table: Table) -> None:
        """Show somebody their hand in a new message, in place of any earlier one."""
        with self._outdated.refreshing(asking.user.id, table.id):
            shown = await whisper_frame(asking, await self._framed(asking, table))
            await self._note(asking, table, shown)

    async def show_again(self, click: Interaction, table: Table) -> None:
        """Show the hand as it is now in the message that showed it before; once the game is over there is none."""
        if table.header.status.is_open:
            with self._outdated.refreshing(click.user.id, table.id):
                if shown := await turn_page(click, await self._framed(click, table)):
                    await self._note(click, table, shown)
            return
        if table.header.status.is_aside:
            raise Refusal(HostReason.SET_ASIDE, table=table)
        await conclude(click, _("The game is over: {link}").format(link=jump_link(table)))

    async def _note(self, asking: Interaction, table: Table, shown: Whispered) -> None:
        """Note what somebody's hand shows now; the table may have gone on meanwhile."""
        if self._whispers.renew(asking, Kind.HAND, table.id, shown):
            self._outdated.note(asking.user.id, table, require_player(table, person_of(asking)))
            with contextlib.suppress(Refusal, StoreUnavailable):
                self._outdated.check(await self._host.service.table(table.id))

    async def press(self, click: Interaction, table: Table, pressed: ControlId) -> None:
        """Do what a control of the hand does; a late or double click only shows the hand as it is now."""
        with self._outdated.refreshing(click.user.id, table.id):
            await self._press(click, table, pressed)

    async def _press(self, click: Interaction, table: Table, pressed: ControlId) -> None:
        person = person_of(click)
        if not table.header.status.is_open:
            await self.show_again(click, table)
            return
        try:
            effect = self._pressed(table, person, pressed).effect
            match effect:
                case Toggle():
                    self._drafts.toggle(table, effect, pressed.draft)
                    self._host.service.hear(table.id)
                case Play(move):
                    table = await self._host.service.play(table.id, person, pressed.step, move, click.id)
        except Stale:
            table = await self._host.service.table(table.id)
        await self.show_again(click, table)

    def _pressed(self, table: Table, person: Person, pressed: ControlId) -> Control:
        """Find the control that a click means now; raises Stale when the hand does not offer it any more."""
        show = _maker(table)
        require_turn(table, person, pressed.step)
        seat = require_player(table, person)
        view, draft = table.package.game.view(table.state, seat), self._drafts.of(table, pressed.draft)
        control = show(view, news_for(table, seat), seat_names(table), draft).control(pressed.key)
        if control is None:
            raise Stale(table.id)
        return control

    async def _framed(self, asking: Interaction, table: Table) -> Frame:
        """Frame somebody's hand, with its picture if that is drawn in time."""
        frame = self._frame(table, person_of(asking))
        return await drawn_for(asking, frame, self._easel, table.header.place)

    def _frame(self, table: Table, person: Person) -> Frame:
        show, seat = _maker(table), require_player(table, person)
        draft = self._drafts.of(table) if seat == table.header.to_move else frozenset[int]()
        return hand_frame(table, seat, show, draft)


def _maker(table: Table) -> ScreenMaker[Any]:
    """Return what draws the hands of a game; refuses one in which nothing is hidden."""
    if table.package.hand is None:
        raise Refusal(HostReason.UNKNOWN_BUTTON)
    return table.package.hand
