"""Fake interactions, without a connection, which record their answers."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any

import discord

from bot.platform.discord.answers import acknowledge
from bot.platform.discord.content import Json
from bot.platform.discord.http import Request
from bot.platform.discord.rate_limits import Permit, Urgency
from bot.platform.places import Person
from bot.rules.refusals import Refusal, RefusalReason
from bot.sandbox.validation.components import check_components
from bot.sandbox.validation.request_part import RequestPart
from bot.tables.handlers.commands import TypedMove
from bot.tables.refusals import HostReason, TableFacts
from bot.tables.table import Table
from tests.support.fakes import HERE, NEW_CLICKS, WREN
from tests.support.waiting import Gate
from tests.ui.fake_servers import make_server

MESSAGE_ID = 1001
"""The id of the first message that FakeTableMessages posts."""

NEW_MESSAGES = count(20_000)
"""Unused ids of messages."""

BUTTON, MENU = discord.ComponentType.button.value, discord.ComponentType.select.value

POSTED_ID = 4711
"""The message that a fake client posts."""


def make_http_error(kind: type[discord.HTTPException], status: int, code: int) -> discord.HTTPException:
    """Make an error as discord.py makes it from a response."""
    response: Any = SimpleNamespace(status=status, reason="reason", headers={})
    return kind(response, {"code": code, "message": "told by Discord"})


UNKNOWN_MESSAGE = make_http_error(discord.NotFound, 404, 10008)
UNKNOWN_CHANNEL = make_http_error(discord.NotFound, 404, 10003)
MISSING_ACCESS = make_http_error(discord.Forbidden, 403, 50001)
MISSING_PERMISSIONS = make_http_error(discord.Forbidden, 403, 50013)
SERVER_ERROR = make_http_error(discord.DiscordServerError, 503, 0)
BAD_REQUEST = make_http_error(discord.HTTPException, 400, 50035)
ARCHIVED = make_http_error(discord.HTTPException, 400, 50083)
TOO_LARGE = make_http_error(discord.HTTPException, 413, 40005)
TOO_LATE = make_http_error(discord.NotFound, 404, 10062)
ALREADY_ANSWERED = make_http_error(discord.HTTPException, 400, 40060)


class AnswerMethod(Enum):
    """The ways to answer an interaction."""

    EDIT = "edit_message"
    DEFER = "defer"
    ANNOUNCE = "defer(thinking=True)"
    SEND = "send_message"
    SUGGEST = "autocomplete"
    FOLLOW_UP = "followup"
    EDIT_ANSWER = "edit_original_response"


@dataclass
class Answer:
    """One answer as it was sent."""

    how: AnswerMethod
    content: str | None = None
    embed: discord.Embed | None = None
    view: discord.ui.View | None = None
    attachments: list[discord.File] = field(default_factory=list)
    file: discord.File | None = None
    ephemeral: bool = False
    sent: frozenset[str] = frozenset()
    """The names of the given arguments."""


@dataclass
class FakeInteraction:
    """The part of `discord.Interaction` that the adapter may use."""

    user_id: int
    user_name: str
    id: int = field(default_factory=partial(next, NEW_CLICKS))
    type: discord.InteractionType = discord.InteractionType.component
    data: dict[str, Any] | None = None
    channel_id: int | None = HERE.channel_id
    guild_id: int | None = HERE.guild_id
    message_id: int | None = MESSAGE_ID
    mentioned: tuple[int, ...] = ()
    """The users that the clicked message mentions."""
    in_whisper: bool = False
    """Whether the message that was clicked is for its reader alone."""
    permissions: discord.Permissions = field(default_factory=discord.Permissions.none)
    app_permissions: discord.Permissions = field(default_factory=discord.Permissions.all)
    locale: discord.Locale = discord.Locale.american_english
    channel: Any = None
    guild: Any = None
    member: Any = None
    """Who acts as a member of the server, for what asks for one."""
    client: Any = None
    namespace: Any = None
    command: Any = "a command that is known"
    is_outside: bool = False
    """Whether the bot is not in the channel, and the user has installed it for themselves."""
    token: str = "token"
    application_id: int = 77
    extras: dict[Any, Any] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)
    refusal: RefusalReason | None = None
    """Why the dispatcher refused it."""
    fault: Exception | None = None
    """What the next answer fails with."""
    gate: Gate | None = None
    """Holds the answers up."""
    answer_id: int = field(default_factory=partial(next, NEW_MESSAGES))
    """The id of the message that the first answer is."""
    deleted: list[int] = field(default_factory=list)
    """The private messages that were deleted through this interaction."""
    deleting: Gate | None = None
    """Holds deletions up."""
    undeletable: Exception | None = None
    """What deletions fail with."""

    @property
    def user(self) -> Any:
        if self.member is not None:
            return self.member
        account = {"name": self.user_name.casefold(), "global_name": f"{self.user_name} everywhere"}
        return SimpleNamespace(id=self.user_id, display_name=self.user_name, **account)

    @property
    def message(self) -> Any:
        if self.message_id is None:
            return None
        flags = discord.MessageFlags(ephemeral=self.in_whisper)
        return SimpleNamespace(id=self.message_id, raw_mentions=list(self.mentioned), flags=flags)

    @property
    def context(self) -> Any:
        return SimpleNamespace(
            dm_channel=self.guild_id is None and not self.is_outside, guild=self.guild_id is not None
        )

    def is_guild_integration(self) -> bool:
        return self.guild_id is not None and not self.is_outside

    async def acknowledge(self) -> None:
        """Acknowledge it as the bot does when the answer takes long."""
        interaction: Any = self
        await acknowledge(interaction)

    @property
    def response(self) -> Any:
        return _Response(self)

    @property
    def followup(self) -> Any:
        return _Followup(self)

    async def original_response(self) -> Any:
        return SimpleNamespace(id=self.answer_id)

    async def edit_original_response(self, **sent: Any) -> None:
        assert self.answers, "there is no answer to edit"
        await self.note(AnswerMethod.EDIT_ANSWER, **sent)

    async def delete_original_response(self) -> None:
        first = self.answers[0]
        is_command = self.type is discord.InteractionType.application_command
        if first.how in (AnswerMethod.SEND, AnswerMethod.ANNOUNCE) or (first.how is AnswerMethod.DEFER and is_command):
            await self.delete(self.answer_id)
        else:
            assert first.how in (AnswerMethod.EDIT, AnswerMethod.DEFER), "there is nothing that could be deleted"
            assert self.in_whisper, "a table would be deleted"
            await self.delete(self.message_id or 0)

    async def delete(self, message_id: int) -> None:
        if self.deleting is not None:
            await self.deleting.wait()
        if self.undeletable is not None:
            raise self.undeletable
        self.deleted.append(message_id)

    async def note(self, how: AnswerMethod, **sent: Any) -> None:
        if self.gate is not None:
            await self.gate.wait()
        if self.fault is not None:
            fault, self.fault = self.fault, None
            raise fault
        given = {name: value for name, value in sent.items() if value is not discord.utils.MISSING}
        view = given.get("view")
        require_valid_components(None if view is None else {"components": view.to_components()})
        known = {name: value for name, value in given.items() if name in Answer.__dataclass_fields__}
        self.answers.append(Answer(how, **known, sent=frozenset(given)))

    @property
    def text(self) -> str:
        """The private answers to the person; what replaces a private message is one."""
        private = [each for each in self.answers if each.ephemeral or self.in_whisper]
        return "\n".join(answer.content for answer in private if answer.content)

    def buttons(self) -> list[str]:
        """Return the ids of the buttons of the newest answer."""
        return [item.custom_id for item in items_of(self.answers[-1].view) if item.type == BUTTON]

    def labels(self) -> list[str]:
        """Return what the buttons of the newest answer say."""
        return [item.label for item in items_of(self.answers[-1].view) if item.type == BUTTON]


def require_valid_components(components: Json | None) -> None:
    """Demand that Discord takes the components of a message."""
    rows = RequestPart((components or {}).get("components"))
    check_components(rows)
    rows.raise_if_any()


def items_of(view: discord.ui.View | None) -> list[Any]:
    """Return the buttons and menus of a view as they are sent, with an attribute for each key."""
    assert view is not None
    rows = json.loads(json.dumps(view.to_components()), object_hook=lambda found: SimpleNamespace(**found))
    return [item for row in rows for item in row.components]


class _Response:
    def __init__(self, interaction: FakeInteraction) -> None:
        self._interaction = interaction

    def is_done(self) -> bool:
        return bool(self._interaction.answers)

    async def edit_message(self, **sent: Any) -> None:
        self._require_unanswered()
        await self._interaction.note(AnswerMethod.EDIT, **sent)

    async def defer(self, *, ephemeral: bool = False, thinking: bool = False) -> None:
        self._require_unanswered()
        await self._interaction.note(AnswerMethod.ANNOUNCE if thinking else AnswerMethod.DEFER, ephemeral=ephemeral)

    async def autocomplete(self, choices: list[Any]) -> None:
        self._require_unanswered()
        await self._interaction.note(AnswerMethod.SUGGEST, content=str(choices))

    async def send_message(self, content: str | None = None, **sent: Any) -> Any:
        self._require_unanswered()
        await self._interaction.note(AnswerMethod.SEND, content=content, **sent)
        return SimpleNamespace(message_id=self._interaction.answer_id)

    def _require_unanswered(self) -> None:
        if self.is_done():
            interaction: Any = self._interaction
            raise discord.InteractionResponded(interaction)


class _Followup:
    def __init__(self, interaction: FakeInteraction) -> None:
        self._interaction = interaction

    async def send(self, content: str | None = None, *, wait: bool = False, **sent: Any) -> Any:
        assert wait, "Discord tells the id of a message only to who waits for it"
        assert self._interaction.answers, "nothing to follow up on"
        await self._interaction.note(AnswerMethod.FOLLOW_UP, content=content, **sent)
        return SimpleNamespace(id=next(NEW_MESSAGES))

    async def edit_message(self, _message_id: int | str, **sent: Any) -> None:
        await self._interaction.edit_original_response(**sent)

    async def delete_message(self, message_id: int | str) -> None:
        if isinstance(message_id, int):
            await self._interaction.delete(message_id)
        else:
            assert message_id == "@original"
            await self._interaction.delete_original_response()


def make_click(person: Person, custom_id: object, **more: Any) -> FakeInteraction:
    """Make a click on a button."""
    return FakeInteraction(person.id, person.name, data={"custom_id": str(custom_id)}, **more)


def make_menu_choice(person: Person, custom_id: object, *values: str, **more: Any) -> FakeInteraction:
    """Make a choice in a menu."""
    return FakeInteraction(person.id, person.name, data={"custom_id": str(custom_id), "values": list(values)}, **more)


def make_command(person: Person, **more: Any) -> FakeInteraction:
    """Make a slash command."""
    more = {"message_id": None, **more}
    return FakeInteraction(person.id, person.name, type=discord.InteractionType.application_command, data={}, **more)


def make_guest(kind: type[Any], *, permissions: discord.Permissions | None = None, **more: Any) -> Any:
    """A member as resolved for a command, without a connection."""
    user: Any = discord.User.__new__(discord.User)
    user.id, user.name, user.global_name, user.bot = more.get("id", WREN.id), "wren", "Wren", more.get("bot", False)
    if kind is discord.User:
        return user
    payload: Any = {"user": {}, "nick": "Wren of the server", "roles": [], "flags": 0}
    if permissions is not None:
        payload["permissions"] = str(permissions.value)
    state: Any = SimpleNamespace(store_user=lambda _: user)
    return discord.Member(data=payload, guild=make_server(), state=state)


class FakeMessageClient:
    """Records the requests that would be sent with the bot's token."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.urgencies: list[Urgency] = []
        """How urgent they were."""
        self.fault: Exception | None = None
        """The error that requests raise."""
        self.history: list[Json] = []
        """The messages of every channel, newest first."""
        self.bot_id: int | None = None
        self.client: Any = None
        """The client that has logged in."""

    @asynccontextmanager
    async def permit(self, _method: str, _channel_id: int, urgency: Urgency) -> AsyncIterator[Permit]:
        self.urgencies.append(urgency)
        yield Permit()

    async def send(self, request: Request, _permit: Permit) -> Any:
        if self.fault is not None:
            raise self.fault
        require_valid_components(request.json)
        self.requests.append(request)
        return self.history if request.method == "GET" else {"id": str(POSTED_ID)}

    async def open_direct_channel(self, user_id: int) -> int:
        return 900 + user_id

    async def send_with_retries(self, request: Request, urgency: Urgency) -> Any:
        async with self.permit(request.method, request.channel_id, urgency) as permit:
            return await self.send(request, permit)


def make_command_context(service: object) -> Any:
    """Make what a cog reads of a command: the service that it asks its client for."""
    return SimpleNamespace(client=SimpleNamespace(app=SimpleNamespace(service=lambda _kind: service)))


class FakeTableCommands:
    """A fake of the table commands that finds this table if it is of the requested game."""

    def __init__(self, table: Table | None) -> None:
        self._table = table
        self.command: Any = make_command_context(self)
        """A command that reaches these table commands."""

    async def table_here(self, command: object, game: str) -> Table:
        if self._table is None:
            raise Refusal(HostReason.NO_TABLE_HERE)
        if self._table.header.game != game:
            raise Refusal(HostReason.OTHER_GAME_HERE, TableFacts(self._table))
        return self._table


class RecordingTableCommands(FakeTableCommands):
    """Records its calls, optionally at a table."""

    def __init__(self, table: Table | None = None) -> None:
        super().__init__(table)
        self.asked: list[tuple[Any, ...]] = []

    async def open(self, _command: object, *asked: Any) -> None:
        self.asked.append(asked)

    async def play(self, command: object, game: str, move: TypedMove) -> None:
        self.asked.append((game, move if isinstance(move, str) else move(await self.table_here(command, game))))
