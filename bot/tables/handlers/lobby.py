"""Commands and buttons about the seats of a lobby."""

from collections.abc import Awaitable

import discord

from bot.platform.discord.answers import Interaction, deferred_if_slow, finish, is_ephemeral, send_ephemeral
from bot.platform.discord.context import person_of, require_presence
from bot.platform.discord.menus import chosen_value
from bot.platform.discord.private_messages import EphemeralKind, EphemeralMessages, edit_or_send_ephemeral
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.handlers.answers import TableResponses
from bot.tables.handlers.closing import (
    LogAction,
    MayModerate,
    resign_question,
    with_reason,
)
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import PEOPLE_ONLY, LobbyButton, LobbyId, OpponentsId, RemovePlayerId
from bot.tables.handlers.options import FindFixed
from bot.tables.handlers.readings import Readings
from bot.tables.host import Host
from bot.tables.lobby import require_seat_for_person
from bot.tables.model import (
    HostChoice,
    Status,
    people_in,
)
from bot.tables.refusals import HostReason, Stale
from bot.tables.registry import usual_level
from bot.tables.removal import take_out
from bot.tables.shown.links import escape_name, table_link
from bot.tables.shown.lobby import render_removal
from bot.tables.table import Table
from bot.tables.turns import require_editable_lobby, require_opener
from bot.words import gettext as _


def is_double_click(reason: object, pressed: LobbyId | OpponentsId, table: Table, person: Person) -> bool:
    """Return whether a refused click on a lobby only repeats an action of the same person."""
    if pressed.revision == table.header.revision:
        return False
    is_seated = table.seat_of(person.id) is not None
    match reason:
        case HostReason.ALREADY_SEATED:
            return True
        case HostReason.NOT_SEATED:
            return _leaves(pressed)
        case HostReason.ALREADY_STARTED:
            return is_seated
        case HostReason.TABLE_OVER:
            return is_seated and table.header.status is Status.CANCELLED
        case _:
            return False


def _leaves(pressed: LobbyId | OpponentsId) -> bool:
    return isinstance(pressed, LobbyId) and pressed.button is LobbyButton.LEAVE


class LobbyCommands:
    """Seats people and computer players in lobbies, removes them and starts games."""

    def __init__(
        self,
        host: Host,
        table_commands: TableCommands,
        table_responses: TableResponses,
        readings: Readings,
        *,
        may_moderate: MayModerate,
        ephemeral_messages: EphemeralMessages,
        find_fixed: FindFixed,
        log_action: LogAction,
    ) -> None:
        self._log_action = log_action
        self._find_fixed = find_fixed
        self._host = host
        self._table_commands = table_commands
        self._table_responses = table_responses
        self._readings = readings
        self._may_moderate = may_moderate
        self._ephemeral_messages = ephemeral_messages

    async def press(self, click: Interaction, table: Table, pressed: LobbyId | OpponentsId | RemovePlayerId) -> None:
        """Apply a button of a lobby, or a choice in one of its menus."""
        if isinstance(pressed, RemovePlayerId):
            await self._remove_player(click, table, pressed)
        elif isinstance(pressed, LobbyId) and pressed.button is LobbyButton.REMOVE_PLAYER:
            await self._ask_whom_to_remove(click, table)
        else:
            await self._apply_and_show(click, table, pressed)

    async def _apply_and_show(self, click: Interaction, table: Table, pressed: LobbyId | OpponentsId) -> None:
        """Apply a click and show the table; a late or double click only shows it."""
        person, after = person_of(click), None
        if click.message is not None and not is_ephemeral(click):
            self._host.service.note_message(table, click.message.id)
        with self._host.publisher.claim(table.id):
            try:
                await self._require_unfixed(click, table, pressed)
                is_joining = isinstance(pressed, LobbyId) and pressed.button is LobbyButton.JOIN
                if is_joining and table.is_for_one_person and table.seat_of(person.id) is None:
                    require_seat_for_person(table)
                after = await self._apply(click, pressed, person)
            except Stale:
                pass
            except Refusal as refusal:
                if not is_double_click(refusal.reason, pressed, await self._host.service.table(table.id), person):
                    raise
            now = table if after is None else after
            if is_ephemeral(click) and _leaves(pressed) and now.seat_of(person.id) is None:
                await finish(click, _("You have left this table."))
            else:
                await self._table_responses.show(click, now)
        if after is not None and after.header.status is Status.PLAYING:
            self._readings.after_action(click, after)

    async def _require_unfixed(self, click: Interaction, table: Table, pressed: LobbyId | OpponentsId) -> None:
        """Refuse another level of computer players than the usual one if the server has fixed it."""
        if not isinstance(pressed, OpponentsId) or chosen_value(click) in (PEOPLE_ONLY, usual_level(table.package)):
            return
        if HostChoice.LEVELS in await self._find_fixed(table.header.location):
            raise Refusal(HostReason.FIXED_BY_SERVER)

    def _apply(self, click: Interaction, pressed: LobbyId | OpponentsId, person: Person) -> Awaitable[Table]:
        service, table_id = self._host.service, pressed.table_id
        if isinstance(pressed, OpponentsId):
            level = chosen_value(click)
            if level == PEOPLE_ONLY:
                return service.remove_computers(table_id, person, pressed.revision)
            return service.add_computer(table_id, person, pressed.revision, level)
        match pressed.button:
            case LobbyButton.JOIN:
                return service.join(table_id, person, click.id)
            case LobbyButton.LEAVE:
                return service.leave(table_id, person)
            case LobbyButton.START:
                return service.start(table_id, person, click.id)
            case LobbyButton.REMOVE_PLAYER:
                raise ValueError("this button only opens a menu")

    @deferred_if_slow
    async def kick(self, command: Interaction, person: discord.Member | discord.User, reason: str = "") -> None:
        """Remove a person from this channel's table: from the lobby, or as a moderator from the game."""
        require_presence(command)
        table = await self._table_commands.common_table(command)
        is_moderator = await self._may_moderate(command)
        if is_moderator and table.header.status is Status.PLAYING:
            if person.id == command.user.id:
                # Leaving one's own game is a loss for moderators, too.
                question, view = resign_question(table, person_of(command))
                await send_ephemeral(command, question, view=view)
                return
            await self._take_out(command, table, person, reason)
            return
        await self._host.service.kick(table.id, person_of(command), person.id, command.id, is_moderator=is_moderator)
        self._log_removal(command, table, person.id, reason)
        done = _("{name} was removed, and can't take a seat here again unless the host invites them: {link}")
        await send_ephemeral(command, done.format(name=escape_name(person.display_name), link=table_link(table)))

    async def _take_out(
        self, command: Interaction, table: Table, person: discord.Member | discord.User, reason: str
    ) -> None:
        """Give the seat of a person who plays to a computer player."""
        after = await take_out(self._host.service, table.id, person.id, command.id)
        self._log_removal(command, table, person.id, reason)
        done = _("A computer player plays on for {name}, who can't come back to this game: {link}")
        if after.header.status is Status.CANCELLED:
            done = _("{name} was the last person at this table, so it is closed: {link}")
        await send_ephemeral(command, done.format(name=escape_name(person.display_name), link=table_link(after)))
        self._readings.after_action(command, after)

    async def _remove_player(self, click: Interaction, table: Table, menu_id: RemovePlayerId) -> None:
        """Free the seat chosen in a menu; only refresh an outdated menu."""
        chosen, is_moderator = chosen_value(click), await self._may_moderate(click)
        if not (chosen.isascii() and chosen.isdecimal() and len(chosen) == 1):
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        seat = int(chosen)
        try:
            await self._host.service.remove_player(
                table.id, person_of(click), menu_id.revision, seat, is_moderator=is_moderator
            )
        except Stale:
            await self._ask_whom_to_remove(click, await self._host.service.table(table.id))
        else:
            text = _("That seat is free now: {link}")
            for removed_id in people_in(table.seats[seat : seat + 1]):
                self._log_removal(click, table, removed_id)
                text = _(
                    "That seat is free now. The player who had it can't sit down here again unless the host invites "
                    "them: {link}"
                )
            await finish(click, text.format(link=table_link(table)))

    def _log_removal(self, interaction: Interaction, table: Table, removed_id: int, reason: str = "") -> None:
        def describe() -> str:
            line = _("{who} removed {other} from {game} in {place}.").format(
                who=f"<@{interaction.user.id}>",
                other=f"<@{removed_id}>",
                game=_(table.package.game.info.title),
                place=f"<#{table.header.location.channel_id}>",
            )
            return with_reason(line, reason)

        self._log_action(table.header.location.guild_id, describe)

    async def _ask_whom_to_remove(self, click: Interaction, table: Table) -> None:
        """Show the opener or a moderator a menu of the other players; raise a Refusal for anyone else."""
        require_editable_lobby(table)
        if not await self._may_moderate(click):
            require_opener(table, person_of(click))
        self._ephemeral_messages.forget_clicked(click, EphemeralKind.MORE, table.id)
        if all(occupant.user_id == click.user.id for occupant in table.seats):
            await finish(click, _("No one else is at this table."))
        else:
            await edit_or_send_ephemeral(click, render_removal(table, click.user.id))
