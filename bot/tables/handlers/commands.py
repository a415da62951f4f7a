"""Slash commands about tables."""

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias, TypeVar

import discord

from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import Interaction, deferred_if_slow, send_ephemeral
from bot.platform.discord.channels import threads_here
from bot.platform.discord.context import (
    channel_of,
    permissions_note,
    person_of,
    require_permissions,
)
from bot.platform.discord.hand_over import acknowledge_if_unanswered
from bot.platform.observability.trace import set_table
from bot.rules.refusals import Refusal, unreadable
from bot.tables import storage
from bot.tables.aside import close_orphan, list_aside_tables
from bot.tables.handlers.answers import TablePosts
from bot.tables.handlers.closing import (
    LogAction,
    MayModerate,
    closed_text,
    closing_questions,
    log_closed_orphan,
    log_closing,
)
from bot.tables.handlers.readings import Readings
from bot.tables.handlers.talk import NewestMessages
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.refusals import DuplicateInteraction, HostReason, NameFacts, OrphanFacts, Stale, TableFacts
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escape_name, table_link
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.table import Table
from bot.words import gettext as _

T = TypeVar("T")

_SEPARATORS = ",;+.&"


def parse_digits(text: str) -> list[int]:
    """Parse the positions of dice, such as `1 3 5`, `1,3,5` or `135`.

    Raises:
        Refusal: The text has another form.
    """
    digits = [character for character in text if not character.isspace() and character not in _SEPARATORS]
    if not digits or not all(digit.isascii() and digit.isdecimal() for digit in digits):
        raise unreadable(text)
    return [int(digit) for digit in digits]


def matches_word(text: str, word: str) -> bool:
    """Return whether a typed text is the word, ignoring case and surrounding spaces."""
    return text.strip().casefold() == word


TypedMove: TypeAlias = str | Callable[[Table], str]
"""A move in its game's notation, or a function that builds it from the table's state."""


class TableCommands:
    """Plays at, shows and closes the table of a channel on behalf of commands."""

    def __init__(
        self,
        host: Host,
        posts: TablePosts,
        table_messages: DiscordTableMessages,
        readings: Readings,
        *,
        may_moderate: MayModerate,
        log_action: LogAction,
        newest_messages: NewestMessages,
    ) -> None:
        self._newest_messages = newest_messages
        self._log_action = log_action
        self._host = host
        self._posts = posts
        self._table_messages = table_messages
        self._readings = readings
        self._may_moderate = may_moderate

    @property
    def games(self) -> Mapping[str, AnyPackage]:
        """The installed games by key."""
        return self._host.service.games

    @deferred_if_slow
    async def play(self, command: Interaction, game: str, move: TypedMove) -> None:
        """Make a move at the table here and respond with a link to it."""
        table = await self.table_here(command, game)
        text = move if isinstance(move, str) else move(table)
        try:
            _require_newer(table, command)
            table = await self._host.service.play(table.id, person_of(command), table.header.step, text, command.id)
        except DuplicateInteraction:
            await let_other_process_answer(command, _("Done: {link}").format(link=table_link(table)))
            return
        except Stale:
            await send_ephemeral(
                command, _("The table just moved on. Look again: {link}").format(link=table_link(table))
            )
            return
        done = _("Done: {link}").format(link=table_link(table))
        await send_ephemeral(command, "\n".join(filter(None, (done, permissions_note(command)))))
        self._readings.after_action(command, table)

    @deferred_if_slow
    async def read(self, command: Interaction) -> None:
        """Describe this channel's table, or the user's own solo game."""
        await self._readings.read(command, await self.table_here(command))

    @deferred_if_slow
    async def tell(self, command: Interaction) -> None:
        """Tell the news of this channel's table, or of the user's own solo game."""
        await self._readings.tell(command, await self.table_here(command))

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Post the table at the end of the channel."""
        table = await self.table_here(command)
        require_permissions(command)
        await self._posts.answer_with(command, table)

    @deferred_if_slow
    async def cancel(
        self, command: Interaction, owner: discord.Member | discord.User | None = None, reason: str = ""
    ) -> None:
        """Close the table here or a person's solo games. Ask first if the game has started or there are two tables.

        A moderator who gives a reason closes the table of others at once.
        """
        self._newest_messages.note(command)
        try:
            tables = await (self.tables_here(command) if owner is None else self._solo_games_of(command, owner))
        except Refusal as refusal:
            await self._close_orphan(command, refusal, reason)
            return
        person, is_moderator = person_of(command), await self._may_moderate(command)
        reason = reason.strip()
        is_explained = is_moderator and bool(reason)
        if is_explained:
            tables = [table for table in tables if table.header.opener_id != person.id] or tables
        set_table(tables[0].id, tables[0].header.game)
        questions = closing_questions(tables, person, reason, is_moderator=is_moderator)
        if len(questions) == 1 and (is_explained or tables[0].header.status is Status.LOBBY):
            closed = await self._host.service.cancel(tables[0].id, person, is_moderator=is_moderator)
            log_closing(self._log_action, closed, person.id, reason)
            await send_ephemeral(command, closed_text(is_arranged=closed.kind.is_arranged))
            return
        for question, view in questions:
            await send_ephemeral(command, question, view=view)

    async def _solo_games_of(self, command: Interaction, owner: discord.Member | discord.User) -> list[Table]:
        """Return a person's solo game here, or else those in threads of this channel, which may be private.

        Raises:
            Refusal: There is none, or the user is neither that person nor a moderator.
        """
        if owner.id != command.user.id and not await self._may_moderate(command):
            raise Refusal(HostReason.NOT_MODERATOR)
        service = self._host.service
        if (table := await service.open_table_in(channel_of(command), owner.id)) is not None:
            return [table]
        threads = await service.db.read(storage.find_in_own_threads, command.guild_id or 0, owner.id)
        here = await threads_here(command, set(threads.values()))
        found = [await service.table(table_id) for table_id, thread_id in threads.items() if thread_id in here]
        if not found:
            raise Refusal(HostReason.NO_SOLO_GAME, NameFacts(escape_name(owner.display_name)))
        return found

    async def _close_orphan(self, command: Interaction, refusal: Refusal, reason: str) -> None:
        """Close the table here if the refusal says that its game is not installed; otherwise raise the refusal."""
        if not isinstance(refusal.facts, OrphanFacts):
            raise refusal
        table_id, is_moderator = refusal.facts.table_id, await self._may_moderate(command)
        with contextlib.suppress(Stale):  # another click or process has closed it
            header = await close_orphan(self._host.service, table_id, person_of(command), is_moderator=is_moderator)
            log_closed_orphan(self._log_action, header, command.user.id, reason)
            await self._table_messages.mark_closed(header)
        await send_ephemeral(command, _("The table is closed."))

    async def table_here(self, command: Interaction, game: str | None = None) -> Table:
        """Return the first of the user's tables here, or the first one of a game.

        Raises:
            Refusal: There is no table, or none of the given game.
        """
        tables = await self.tables_here(command)
        matching = [table for table in tables if game in (None, table.header.game)]
        if not matching:
            raise Refusal(HostReason.OTHER_GAME_HERE, TableFacts(tables[0]))
        set_table(matching[0].id, matching[0].header.game)
        return matching[0]

    async def tables_here(self, command: Interaction) -> list[Table]:
        """Return the user's tables here. First come tables they play at: solo game, channel's table.

        Then come tables they don't play at: their own lobby, and the channel's table.

        Raises:
            Refusal: There are no tables.
        """
        found: list[Table] = []
        refused = Refusal(HostReason.NO_TABLE_HERE)
        for solo_id in (command.user.id, 0):
            try:
                table = await self._host.service.open_table_in(channel_of(command), solo_id)
            except Refusal as refusal:
                refused = refusal
            else:
                found += [table] if table is not None else []
        if found:
            return sorted(found, key=partial(_is_not_played, user_id=command.user.id))
        if refused.reason is HostReason.NO_TABLE_HERE and await list_aside_tables(
            self._host.service, channel_of(command)
        ):
            raise Refusal(HostReason.ONLY_ASIDE_HERE)
        raise refused

    async def common_table(self, command: Interaction) -> Table:
        """Return the channel's table for commands about other players; without one, the user's own game there."""
        return await self._host.service.open_table_in(channel_of(command)) or await self.table_here(command)


def _is_not_played(table: Table, user_id: int) -> bool:
    return table.header.status is not Status.PLAYING or table.seat_of(user_id) is None


async def let_other_process_answer(command: Interaction, text: str) -> None:
    """Leave the answer to the process that has saved a command; if that process has ended, answer with a text."""
    if await acknowledge_if_unanswered(command):
        await send_ephemeral(command, text)


def _require_newer(table: Table, command: Interaction) -> None:
    """Raise Stale if a later interaction has made an entry: another process went on while this one was suspended."""
    if table.click_id is not None and command.id < table.click_id:
        raise Stale(table.id)


def legal_move_texts(table: Table) -> list[str]:
    """Return the legal moves in the game's notation; none before the game starts."""
    return [] if table.state is None else [str(move) for move in table.package.game.legal_moves(table.state)]


async def find_playing_table(command: Interaction, game: str) -> Table | None:
    """Return the table at which a game's command would play, or None if no such table is being played."""
    try:
        table: Table = await command.client.app.service(TableCommands).table_here(command, game)
    except (Refusal, StoreUnavailable):
        return None
    return table if table.header.status is Status.PLAYING else None


async def suggest(command: Interaction, game: str, build: Callable[[Table], list[T]]) -> list[T]:
    """Return a function's suggestions for the table at which a game's command would play; empty without a table."""
    table = await find_playing_table(command, game)
    return [] if table is None else build(table)
