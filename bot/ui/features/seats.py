"""What slash commands and buttons ask about the seats of a game that is played."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

import discord

from bot.observability.trace import concerning
from bot.rules.refusals import Refusal
from bot.tables.actions.seats import (
    ABSENT_AFTER,
    Controlled,
    SeatWish,
    coming_back,
    resigning,
    substituting,
    taking_back,
)
from bot.tables.model import Person
from bot.tables.refusals import HostReason
from bot.tables.runtime.host import Host
from bot.tables.table import Table
from bot.ui.features.closing import resign_question
from bot.ui.features.table_commands import Desk
from bot.ui.interactions.context import person_of
from bot.ui.interactions.responses import acknowledge, conclude, promptly, whisper
from bot.ui.render.links import jump_link, safe
from bot.words import gettext as _

Interaction = discord.Interaction[Any]

_OVERTAKEN = (HostReason.OWN_TURN, HostReason.NOBODY_AWAITED, HostReason.NOT_ABSENT, HostReason.TABLE_OVER)
"""Why nobody can be replaced any more once they have played, or are replaced."""


class Seats:
    """Lets people give their seats up, leave them to computer players, and take seats and moves back."""

    def __init__(self, host: Host, desk: Desk) -> None:
        self._host = host
        self._desk = desk

    async def ask_to_resign(self, command: Interaction) -> None:
        """Let a player give up the game here, after a second click."""
        await promptly(command, self._ask_to_resign(command))

    async def _ask_to_resign(self, command: Interaction) -> None:
        table = await self._desk.common_table(command)
        question, view = resign_question(table, person_of(command))
        await whisper(command, question, view=view)

    async def resign(self, click: Interaction, table: Table) -> None:
        """Resign; who has done so already is told the same again."""
        person = person_of(click)
        try:
            await self._host.service.control(table.id, person, resigning, click.id)
        except Refusal:
            now = await self._host.service.table(table.id)
            if now.seat_of(person.id) not in now.standing.resigned:
                raise
        await conclude(click, _("You have resigned."))

    async def substitute(self, command: Interaction) -> None:
        """Put a computer player into the seat of whoever is to move and is absent, or ask for it."""
        await promptly(command, self._substitute(command))

    async def _substitute(self, command: Interaction) -> None:
        table = await self._desk.common_table(command)
        await self._replace(command, table, partial(substituting, since=self._absent_since()))

    async def _replace(self, asking: Interaction, table: Table, wish: SeatWish) -> None:
        after = await self._host.service.control(table.id, person_of(asking), wish, asking.id)
        if after.standing.askers:
            await whisper(asking, _("You have asked for a computer player. It sits down when another player asks too."))
            return
        done = _("A computer player stands in for {name} until they are back: {link}")
        mover = after.mover.name if after.mover else ""
        await whisper(asking, done.format(name=safe(mover), link=jump_link(after)))

    def _absent_since(self) -> datetime:
        return self._host.service.clock.ago(ABSENT_AFTER)

    async def replace_reminded(self, click: Interaction, table: Table, step: int) -> None:
        """Do as a reminder's button says, which was shown at a step; one that is overtaken does nothing."""
        called = click.message.raw_mentions if click.message is not None else []
        try:
            await self._replace(click, table, partial(_replacing, called=called, since=self._absent_since()))
        except Refusal as refusal:
            now = await self._host.service.table(table.id)
            if refusal.reason not in _OVERTAKEN or now.header.step == step:
                raise
            await acknowledge(click)

    async def come_back(self, command: Interaction) -> None:
        """Give a person the seat back in which a computer player stands in for them."""
        await promptly(command, self._come_back(command))

    async def _come_back(self, command: Interaction) -> None:
        table = await self._desk.common_table(command)
        after = await self._host.service.control(table.id, person_of(command), coming_back, command.id)
        await whisper(command, _("Welcome back, the seat is yours again: {link}").format(link=jump_link(after)))

    async def take_back(self, command: Interaction) -> None:
        """Take back the newest move of whoever asks."""
        await promptly(command, self._take_back(command))

    async def _take_back(self, command: Interaction) -> None:
        person, tables = person_of(command), await self._desk.tables_here(command)
        fitting = (table for table in tables if table.click_id == command.id or _may_take_back(table, person))
        table = next(fitting, tables[0])
        concerning(table.id, table.header.game)
        after = await self._host.service.control(table.id, person, taking_back, command.id)
        await whisper(command, _("Your move is taken back: {link}").format(link=jump_link(after)))


def _replacing(table: Table, person: Person, *, called: Sequence[int], since: datetime) -> Controlled:
    """Let others replace somebody who was called, and nobody who is to move since."""
    wished = substituting(table, person, since)
    if table.mover is None or table.mover.user_id not in called:
        raise Refusal(HostReason.NOBODY_AWAITED, table=table)
    return wished


def _may_take_back(table: Table, person: Person) -> bool:
    try:
        taking_back(table, person)
    except Refusal:
        return False
    return True
