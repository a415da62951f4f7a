"""Slash commands about tables."""

import contextlib
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import partial
from inspect import Parameter, Signature
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands

from bot.app.error_messages import TABLE_SAVED
from bot.features.idle_tables.put_aside_offer import open_table_id, with_put_aside_offer
from bot.features.settings.rules import ServerRules
from bot.features.threads import TableThreads, refused_text, thread_text
from bot.platform.discord.answers import Interaction, claim_unless_answered, deferred_if_slow, send_ephemeral
from bot.platform.discord.channels import ThreadRefused
from bot.platform.discord.context import (
    UPLOADS_ARE_LIMITED,
    attach_files_note,
    channel_of,
    location_of,
    permissions_note,
    person_of,
    require_permissions,
)
from bot.platform.discord.menus import make_choices
from bot.platform.observability.trace import set_table
from bot.rules.game import Options
from bot.rules.options import OptionValue, bounds_of, option_texts, option_values
from bot.rules.refusals import Refusal, unreadable
from bot.tables.handlers.answers import TablePosts
from bot.tables.handlers.closing import closing_questions
from bot.tables.handlers.readings import Readings
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.refusals import DuplicateInteraction, HostReason, NameFacts, OrphanFacts, Stale, TableFacts
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escape_name, table_link
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.shown.words import format_value
from bot.tables.table import Table
from bot.words import gettext as _

NewCommand = app_commands.Command[Any, ..., None]


def add_new_commands(tree: app_commands.CommandTree[Any], packages: Iterable[AnyPackage]) -> None:
    """Make `new` the first command of each game's group; a game without a group gets one."""
    for package in packages:
        info = package.game.info
        group = tree.get_command(info.command)
        if not isinstance(group, app_commands.Group):
            group = app_commands.Group(name=info.command, description=_("Play {game}").format(game=info.title))
            tree.add_command(group)
        move_commands = group.commands
        for command in move_commands:
            group.remove_command(command.name)
        for command in (build_new_command(package), *move_commands):
            group.add_command(command)


MAX_DESCRIPTION: Final = 100
"""Discord's limit."""


def build_new_command(package: AnyPackage) -> NewCommand:
    """Build the command that opens a table: a parameter for each option, and one for the computer players."""
    info = package.game.info
    descriptions = {name: _(text.description).removesuffix(".") for name, text in option_texts(info.options).items()}
    parameters = [_option_parameter(info.options, name) for name in info.options.model_fields]
    if not info.is_solo:
        descriptions["computers"] = _("Seats for computer players")
        parameters.append(_parameter("computers", app_commands.Range[int, 0, info.most_seats - 1], 0))

    async def new(command: Interaction, computers: int = 0, **options: object) -> None:
        # What is left out begins as the server has chosen.
        given = {name: value for name, value in options.items() if value is not None}
        await command.client.features.tables.open(command, info.key, given, computers)

    # discord.py reads the parameters of a command from the signature of its callback.
    new.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter("command", Parameter.POSITIONAL_ONLY), *parameters]
    )
    app_commands.describe(**descriptions)(new)
    app_commands.choices(**_choices(info.options))(new)
    return app_commands.Command(name="new", description=_describe(package), callback=new)


def _describe(package: AnyPackage) -> str:
    """Return what the game is about, or if that is too long, what the command does."""
    title = package.game.info.title
    text = _("{game}: {summary}").format(game=title, summary=_(package.guide.summary).removesuffix("."))
    return text if len(text) <= MAX_DESCRIPTION else _("Open a table for {game} in this channel").format(game=title)


def _option_parameter(model: type[Options], name: str) -> Parameter:
    default = _raw(getattr(model(), name))
    bounds = bounds_of(model.model_fields[name])
    return _parameter(name, type(default) if bounds == (None, None) else app_commands.Range[int, *bounds], None)


def _parameter(name: str, annotation: object, default: object) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _choices(model: type[Options]) -> dict[str, list[app_commands.Choice[Any]]]:
    """Return the choices for each option that is neither a switch nor a number, with the names of the values."""
    return {
        name: make_choices((format_value(text, value), _raw(value)) for value in option_values(model(), name))
        for name, text in option_texts(model).items()
        if model.model_fields[name].annotation not in (bool, int)
    }


def _raw(value: OptionValue) -> Any:
    """Return a value as Discord sends it."""
    return value.value if isinstance(value, Enum) else value


_SEPARATORS = ",;+.&"


def parse_digits(text: str) -> list[int]:
    """Parse the places of dice, such as `1 3 5`, `1,3,5` or `135`.

    Raises:
        Refusal: The text is anything else.
    """
    digits = [character for character in text if not character.isspace() and character not in _SEPARATORS]
    if not digits or not all(digit.isascii() and digit.isdecimal() for digit in digits):
        raise unreadable(text)
    return [int(digit) for digit in digits]


def matches_word(text: str, word: str) -> bool:
    """Return whether a typed text is the word, ignoring case and spaces around it."""
    return text.strip().casefold() == word


TypedMove: TypeAlias = str | Callable[[Table], str]
"""A move in its game's notation, or a function that builds it from the table's state."""


class TableCommands:
    """Opens, plays at, shows and closes the table of a channel on behalf of commands."""

    def __init__(
        self,
        host: Host,
        posts: TablePosts,
        table_messages: DiscordTableMessages,
        readings: Readings,
        *,
        rules: ServerRules,
        threads: TableThreads,
    ) -> None:
        self._host = host
        self._posts = posts
        self._table_messages = table_messages
        self._readings = readings
        self._rules = rules
        self._threads = threads

    @property
    def games(self) -> Mapping[str, AnyPackage]:
        """The installed games by key."""
        return self._host.service.games

    @deferred_if_slow
    async def open(self, command: Interaction, game: str, options: Mapping[str, object], computers: int) -> None:
        """Open a table here and respond with its lobby."""
        location = location_of(command)
        require_permissions(command)
        await self._rules.require_may_open(command, game)
        chosen = await self._rules.complete_options(command, game, options)
        note = ""
        if await self._threads.are_wanted(command):
            try:
                table = await self._threads.open(command, game, chosen, computers)
            except Stale:
                return  # another process has claimed the command
            except ThreadRefused as refusal:
                note = refused_text(refusal)
            else:
                await send_ephemeral(command, thread_text(table))
                await self._send_picture_note(command, table)
                return
        clock = (await self._rules.preferences_of(command)).clock
        try:
            table = await self._host.service.open(
                game, chosen, person_of(command), location, click_id=command.id, computers=computers, clock=clock
            )
        except Stale:
            await _leave_to_other_process(command, _(TABLE_SAVED))
            return
        except Refusal as refusal:
            raise with_put_aside_offer(refusal, open_table_id(game, chosen, computers)) from refusal
        set_table(table.id, game)
        await self._posts.answer_with(command, table)
        await self._send_picture_note(command, table)
        if note := note or await self._threads.missing_note(command):
            await send_ephemeral(command, note)

    async def _send_picture_note(self, command: Interaction, table: Table) -> None:
        """Tell the opener of a table which permission its pictures need, or that Discord limits uploads."""
        note = attach_files_note(command)
        if not note and self._table_messages.picture_attacher.pop_news_of_limit(table.header.location):
            note = _(UPLOADS_ARE_LIMITED)
        if (
            note
            and table.package.build_picture
            and await self._table_messages.picture_attacher.shows_pictures(table.header.location)
        ):
            await send_ephemeral(command, note)

    @deferred_if_slow
    async def play(self, command: Interaction, game: str, move: TypedMove) -> None:
        """Make a move at the table here and respond with a link to it."""
        table = await self.table_here(command, game)
        text = move if isinstance(move, str) else move(table)
        try:
            _require_newer(table, command)
            table = await self._host.service.play(table.id, person_of(command), table.header.step, text, command.id)
        except DuplicateInteraction:
            await _leave_to_other_process(command, _("Done: {link}").format(link=table_link(table)))
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
        """Tell what happened at this channel's table, or in the user's own solo game."""
        await self._readings.tell(command, await self.table_here(command))

    @deferred_if_slow
    async def show(self, command: Interaction) -> None:
        """Post the table at the end of the channel."""
        table = await self.table_here(command)
        require_permissions(command)
        await self._posts.answer_with(command, table)

    @deferred_if_slow
    async def cancel(self, command: Interaction, owner: discord.Member | discord.User | None = None) -> None:
        """Close the table here or a person's solo game; asks first if it has started or is one of two."""
        try:
            tables = await (self.tables_here(command) if owner is None else self._solo_game_of(command, owner))
        except Refusal as refusal:
            await self._close_orphan(command, refusal)
            return
        person, is_moderator = person_of(command), await self._rules.may_moderate(command)
        set_table(tables[0].id, tables[0].header.game)
        questions = closing_questions(tables, person, is_moderator=is_moderator)
        if tables[0].header.status is Status.LOBBY and len(questions) == 1:
            await self._host.service.cancel(tables[0].id, person, is_moderator=is_moderator)
            await send_ephemeral(command, _("The table is closed."))
            return
        for question, view in questions:
            await send_ephemeral(command, question, view=view)

    async def _solo_game_of(self, command: Interaction, owner: discord.Member | discord.User) -> list[Table]:
        """Return a person's solo game here, alone; raise a Refusal unless the user is that person or a moderator."""
        if owner.id != command.user.id and not await self._rules.may_moderate(command):
            raise Refusal(HostReason.NOT_MODERATOR)
        table = await self._host.service.open_table_in(channel_of(command), owner.id)
        if table is None:
            raise Refusal(HostReason.NO_SOLO_GAME, NameFacts(escape_name(owner.display_name)))
        return [table]

    async def _close_orphan(self, command: Interaction, refusal: Refusal) -> None:
        """Close the table here if the refusal says that its game is no longer installed, else raise the refusal."""
        if not isinstance(refusal.facts, OrphanFacts):
            raise refusal
        table_id, is_moderator = refusal.facts.table_id, await self._rules.may_moderate(command)
        with contextlib.suppress(Stale):  # another click or process has done it
            header = await self._host.close_orphan(table_id, person_of(command), is_moderator=is_moderator)
            await self._table_messages.mark_closed(header)
        await send_ephemeral(command, _("The table is closed."))

    async def table_here(self, command: Interaction, game: str | None = None) -> Table:
        """Return the first of the user's tables here, or the first of a game.

        Raises:
            Refusal: There is neither, or not of the given game.
        """
        tables = await self.tables_here(command)
        matching = [table for table in tables if game in (None, table.header.game)]
        if not matching:
            raise Refusal(HostReason.OTHER_GAME_HERE, TableFacts(tables[0]))
        set_table(matching[0].id, matching[0].header.game)
        return matching[0]

    async def tables_here(self, command: Interaction) -> list[Table]:
        """Return the user's tables here, those they play first: their solo game, the channel's table, their lesson.

        Those they don't play follow: their own lobby, and the channel's table.

        Raises:
            Refusal: There are none.
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
        if not found and refused.reason is HostReason.NO_TABLE_HERE:
            await self._require_none_aside(command)
        if not found:
            raise refused
        return sorted(found, key=partial(_rank, user_id=command.user.id))

    async def _require_none_aside(self, command: Interaction) -> None:
        """Raise a Refusal that says so if a table was put aside here."""
        if await self._host.service.list_aside_tables(channel_of(command)):
            raise Refusal(HostReason.ONLY_ASIDE_HERE)

    async def common_table(self, command: Interaction) -> Table:
        """Return the channel's table, for what concerns other players; without one, the user's own game there."""
        return await self._host.service.open_table_in(channel_of(command)) or await self.table_here(command)


def _rank(table: Table, user_id: int) -> tuple[bool, bool]:
    is_played = table.header.status is Status.PLAYING and table.seat_of(user_id) is not None
    return not is_played, is_played and table.is_lesson


async def _leave_to_other_process(command: Interaction, text: str) -> None:
    """Leave the answer to the process that has saved a command; give it a text if that has ended meanwhile."""
    if await claim_unless_answered(command):
        await send_ephemeral(command, text)


def _require_newer(table: Table, command: Interaction) -> None:
    """Raise Stale if an entry was made by a later interaction: this process was suspended, and another one went on."""
    if table.click_id is not None and command.id < table.click_id:
        raise Stale(table.id)
