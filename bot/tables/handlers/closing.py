"""Closes games without a result: for the opener at first, later for all players, for a moderator at any time."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

import discord

from bot.platform.discord.answers import Interaction, finish
from bot.platform.discord.content import Button, make_view
from bot.platform.discord.context import person_of
from bot.platform.discord.ids import CustomId
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.closing import cancel, propose_close
from bot.tables.control_entries import update_seat_status
from bot.tables.handlers.ids import CancelTableId, SeatButton, SeatId
from bot.tables.model import Header, Status
from bot.tables.refusals import HostReason
from bot.tables.seats import resign_seat
from bot.tables.service import TableService
from bot.tables.shown.links import (
    escape_name,
    escaped_seat_names,
)
from bot.tables.shown.story import missing_agreements
from bot.tables.table import Table
from bot.words import N_, gettext as _, join_items

MayModerate: TypeAlias = Callable[[Interaction], Awaitable[bool]]
"""Returns whether the user of an interaction may close any table and free any seat."""

LogAction: TypeAlias = Callable[[int | None, Callable[[], str]], None]
"""Adds a line to the log of a server, given its id."""

Question = tuple[str, discord.ui.View]
"""A question and the view with its confirmation button."""

ARRANGED: Final = N_(
    "The games of a tournament get another table: to end them, decide them or cancel the tournament with *Organize*."
)


def closing_questions(
    tables: Sequence[Table], person: Person, reason: str, *, is_moderator: bool
) -> Sequence[Question]:
    """Return a question for each table that a person may close or leave.

    Raises:
        Refusal: There is no such table; the refusal is about the first one.
    """
    questions: list[Question] = []
    refusals: list[Refusal] = []
    for table in tables:
        try:
            questions.append(_closing_question(table, person, reason, is_moderator=is_moderator))
        except Refusal as refusal:
            refusals.append(refusal)
    if not questions:
        raise refusals[0]
    return questions


def _closing_question(table: Table, person: Person, reason: str, *, is_moderator: bool) -> Question:
    """Return the question that fits the person's rights: close the game, agree to close it, or resign.

    Raises:
        Refusal: The person may do none of these.
    """
    if not table.needs_agreement or is_moderator:
        cancel(table, person, is_moderator=is_moderator)
        label = _("Close the table") if table.header.status is Status.LOBBY else _("End the game")
        return with_reason(_close_question(table), reason), _confirmation_view(label, CancelTableId(table.id, reason))
    if len(table.remaining_players) < 2:
        return resign_question(table, person, leaving=True)
    propose_close(table, person)
    names = [name for seat, name in enumerate(escaped_seat_names(table)) if seat in table.remaining_players]
    question = _(
        "Close this game of {game} without a result? Everyone has made a move, so all players must agree: {names}."
    )
    label = _("Agree to close") if table.closers else _("Propose to close")
    return (
        question.format(game=_(table.package.game.info.title), names=join_items(names)),
        _confirmation_view(label, CancelTableId(table.id)),
    )


def _close_question(table: Table) -> str:
    game = _(table.package.game.info.title)
    if table.header.status is Status.LOBBY:
        return _("Close this table of {game}? The game hasn't started yet.").format(game=game)
    if (seat := table.seat_of(table.header.location.solo_id)) is not None:
        return _("End {name}'s game of {game}? It won't count.").format(name=escaped_seat_names(table)[seat], game=game)
    return _("End this game of {game} for everyone? It won't count.").format(game=game)


def resign_question(table: Table, person: Person, *, leaving: bool = False) -> Question:
    """Return the question whether to resign.

    Args:
        leaving: Whether the person wanted to close the game but can only resign.
    """
    seat, entry = resign_seat(table, person)
    after = update_seat_status(table.seat_status, seat, entry)
    question = _("Resign this game of {game}? You'll rank last, and a computer player plays on for you.")
    if replace(table, seat_status=after).is_decided_by_resignation:
        question = _("Resign this game of {game}? You'll rank last, and the game ends.")
    if leaving:
        question = _("Everyone has made a move in this game of {game}, so leaving it now counts as a loss. Resign?")
    resign = SeatId(table.id, table.header.step, SeatButton.RESIGN)
    return question.format(game=_(table.package.game.info.title)), _confirmation_view(_("Resign"), resign)


def _confirmation_view(label: str, custom_id: CustomId) -> discord.ui.View:
    return make_view(Button(label, str(custom_id), discord.ButtonStyle.danger))


async def close_or_agree(
    click: Interaction, service: TableService, table: Table, reason: str, log_action: LogAction, *, is_moderator: bool
) -> None:
    """Close the game or agree to close it, whichever the rules allow at the time of the click."""
    try:
        table = await _close(click, service, table, is_moderator=is_moderator)
        log_closing(log_action, table, click.user.id, reason)
    except Refusal as refusal:
        table = await service.table(table.id)
        if refusal.reason is HostReason.ONLY_RESIGN:
            question, view = resign_question(table, person_of(click), leaving=True)
            await finish(click, question, view=view)
            return
        if refusal.reason is not HostReason.ALREADY_AGREED and table.header.status is not Status.CANCELLED:
            raise
    if table.header.status is Status.CANCELLED:
        await finish(click, closed_text(is_arranged=table.kind.is_arranged))
        return
    agreed_text = _("You agreed to close this game. Still missing: {names}. If anyone moves first, the game goes on.")
    await finish(click, agreed_text.format(names=missing_agreements(table)))


def closed_text(*, is_arranged: bool) -> str:
    """Return the sentence that a table is closed, and what follows if a tournament has opened it."""
    text = _("The table is closed.")
    return " ".join((text, _(ARRANGED))) if is_arranged else text


def with_reason(line: str, reason: str) -> str:
    """Return a line of the log with the reason that a moderator has given, if there is one."""
    return _("{line} Reason: {reason}").format(line=line, reason=escape_name(reason)) if reason.strip() else line


def log_closing(log_action: LogAction, table: Table, closer_id: int, reason: str = "") -> None:
    """Add a line to the server's log if a person has closed a table without a result."""
    if table.header.status is not Status.CANCELLED:
        return
    log_action(table.header.location.guild_id, partial(_describe_closing, table, closer_id, reason))


def _describe_closing(table: Table, closer_id: int, reason: str) -> str:
    text = _("{who} closed {game} in {place} as a moderator. Players: {names}.")
    if table.is_closed_by_agreement:
        text = _("All players agreed to close {game} in {place}: {names}.")
    elif closer_id == table.header.opener_id:
        text = _("{who} closed {game} in {place} as its host. Players: {names}.")
    line = text.format(
        who=f"<@{closer_id}>",
        game=_(table.package.game.info.title),
        place=f"<#{table.header.location.channel_id}>",
        names=join_items(list(escaped_seat_names(table))),
    )
    return with_reason(line, reason)


def log_closed_orphan(log_action: LogAction, orphan: Header, closer_id: int, reason: str = "") -> None:
    """Add a line to the server's log about a person who has closed a table whose game is not installed."""
    line = N_("{who} closed a table in {place} whose game I no longer have.")
    place = f"<#{orphan.location.channel_id}>"
    log_action(
        orphan.location.guild_id, lambda: with_reason(_(line).format(who=f"<@{closer_id}>", place=place), reason)
    )


async def _close(click: Interaction, service: TableService, table: Table, *, is_moderator: bool) -> Table:
    person = person_of(click)
    try:
        return await service.cancel(table.id, person, is_moderator=is_moderator)
    except Refusal as refusal:
        if refusal.reason is not HostReason.NEEDS_AGREEMENT:
            raise
        return await service.apply_seat_action(table.id, person, propose_close, click.id)
