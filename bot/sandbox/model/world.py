"""The model: servers, channels, people, the bot with its commands, and listeners for changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from bot.sandbox.model.application import CommandRegistry, EmojiRegistry, InstallationType
from bot.sandbox.model.channels import Channel, DirectChannel, PeopleChannel, ServerChannel, Thread, ThreadKind
from bot.sandbox.model.clock import Clock, SnowflakeGenerator, format_iso
from bot.sandbox.model.messages import Attachment, Message, MessageType
from bot.sandbox.model.servers import Role, Server, User
from bot.sandbox.wire import Json


class Op(Enum):
    """What happened to a message, a channel or a thread."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class MessageChange:
    """A message was created, edited or deleted."""

    op: Op
    message: Message


@dataclass(frozen=True, slots=True)
class CommandsChange:
    """The bot's commands have changed."""


@dataclass(frozen=True, slots=True)
class EmojisChange:
    """The bot's own emoji have changed."""


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """The bot has connected or disconnected."""

    online: bool


@dataclass(frozen=True, slots=True)
class ChannelChange:
    """The permissions of a channel have changed, or it was deleted."""

    op: Op
    channel: ServerChannel


@dataclass(frozen=True, slots=True)
class MembershipChange:
    """The bot was removed from a server or added to it."""

    server: Server


@dataclass(frozen=True, slots=True)
class LocaleChange:
    """A person or a server has another language."""

    owner: User | Server


@dataclass(frozen=True, slots=True)
class ThreadChange:
    """A thread was created, edited or deleted."""

    op: Op
    thread: Thread


@dataclass(frozen=True, slots=True)
class InteractionChange:
    """An interaction got its response or has failed."""

    id: int


@dataclass(frozen=True, slots=True)
class TroubleChange:
    """The state of the trouble panel has changed."""


Change: TypeAlias = (
    MessageChange
    | CommandsChange
    | EmojisChange
    | PresenceChange
    | ChannelChange
    | MembershipChange
    | LocaleChange
    | ThreadChange
    | InteractionChange
    | TroubleChange
)
Listener: TypeAlias = Callable[[Change], None]


MAX_RETIRED_FILES = 200
"""Files of deleted or edited messages that can still be downloaded."""


class World:
    """The state of the sandbox."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.snowflakes = SnowflakeGenerator(self.clock.wall_time)
        self.people = (
            User(1100000000000000011, "Robin", "#e0655f"),
            User(1100000000000000012, "Wren", "#4f9d69"),
            User(1100000000000000013, "Jay", "#4a83d4"),
            User(1100000000000000014, "Linnet", "#b07cd8"),
            User(1100000000000000015, "Finch", "#d9a441"),
        )
        self.bot = User(1100000000000000010, "Parlour", "#8a7a5c", bot=True)
        self.servers: dict[int, Server] = {}
        self.threads: dict[int, Thread] = {}
        self.direct_channels = {
            user.id: DirectChannel(self, 1100000000000000031 + place, user) for place, user in enumerate(self.people)
        }
        self.commands = CommandRegistry(self.bot.id, self.snowflakes)
        self.emojis = EmojiRegistry(self.bot, self.snowflakes)
        self.installers = set[int]()
        """The people who have installed the bot for themselves."""
        self.people_channels: list[PeopleChannel] = []
        self.suggested_command: str | None = None
        """The command that the page suggests to try first."""
        self.locales = {user.id: "en-US" for user in self.people}
        """Discord's tags of people's languages."""
        self.bot_online = False
        self._users = {user.id: user for user in (*self.people, self.bot)}
        self._channels: dict[int, Channel] = {channel.id: channel for channel in self.direct_channels.values()}
        self._messages: dict[int, Message] = {}
        self._files: dict[int, Attachment] = {}
        self._retired: dict[int, Attachment] = {}
        self._listeners: list[Listener] = []
        self._waiters: list[asyncio.Future[None]] = []
        self.server = self._add_first_server()

    def _add_first_server(self) -> Server:
        server = self.add_server(1100000000000000001, "Parlour Sandbox")
        for place, name in enumerate(("table-one", "table-two", "lounge")):
            self.add_channel(server, name, 1100000000000000021 + place)
        server.add_role(Role(1100000000000000041, "Players", color=0x4A83D4), *self.people[1:3])
        return server

    @property
    def channels(self) -> tuple[ServerChannel, ...]:
        """The channels of the first server."""
        return tuple(self.server.channels)

    def add_server(self, server_id: int, name: str) -> Server:
        """Add a server with all users; the bot learns of it when it connects."""
        server = Server(server_id, name, self.people[0], (*self.people, self.bot))
        self.servers[server_id] = server
        return server

    @property
    def bot_servers(self) -> dict[int, Server]:
        """The bot's servers by id."""
        return {server.id: server for server in self.servers.values() if server.has_member(self.bot.id)}

    def remove_bot(self, server: Server) -> None:
        """Remove the bot from a server: its commands go, its messages stay."""
        server.remove_member(self.bot)
        self.notify(MembershipChange(server))

    def add_bot(self, server: Server) -> None:
        """Add the bot to a server again."""
        server.add_member(self.bot, format_iso(self.clock.wall_time()))
        self.notify(MembershipChange(server))

    def set_locale(self, owner: User | Server, locale: str) -> None:
        """Change the language of a person or a server; the bot is told of a server's."""
        if isinstance(owner, Server):
            owner.locale = locale
        else:
            self.locales[owner.id] = locale
        self.notify(LocaleChange(owner))

    def installations(self, channel: Channel, user: User) -> dict[InstallationType, int]:
        """Return for which server (0 for direct messages with the bot) and person the bot is installed in a channel."""
        found: dict[InstallationType, int] = {}
        if isinstance(channel, DirectChannel) or channel.server_id in self.bot_servers:
            found[InstallationType.SERVER] = channel.server_id or 0
        if user.id in self.installers:
            found[InstallationType.USER] = user.id
        return found

    def commands_in(self, channel: Channel, user: User) -> list[Json]:
        """Return the slash commands that a person can use in a channel."""
        return self.commands.slash_commands(channel.server_id, channel.context, self.installations(channel, user))

    def add_people_channel(self, *people: User) -> PeopleChannel:
        """Add direct messages among people, without the bot."""
        channel = PeopleChannel(self, self.snowflakes.next_id(), people)
        self.people_channels.append(channel)
        self._channels[channel.id] = channel
        return channel

    def add_channel(self, server: Server, name: str, channel_id: int | None = None) -> ServerChannel:
        """Add a channel to a server; the bot learns of it when it connects."""
        channel = ServerChannel(self, server, channel_id or self.snowflakes.next_id(), name)
        server.channels.append(channel)
        self._channels[channel.id] = channel
        return channel

    def remove_channel(self, channel: ServerChannel) -> None:
        """Delete a channel with its threads and messages; as on Discord, no event tells of the threads."""
        for thread in [each for each in self.threads.values() if each.parent is channel]:
            self._drop_thread(thread)
        for message in channel.messages:
            self.remove_message(message)
        del self._channels[channel.id]
        channel.server.channels.remove(channel)
        self.notify(ChannelChange(Op.DELETE, channel))

    def add_thread(self, thread: Thread) -> None:
        """Add a thread."""
        self._channels[thread.id] = self.threads[thread.id] = thread
        self.notify(ThreadChange(Op.CREATE, thread))

    def announce_thread(self, thread: Thread) -> None:
        """Add Discord's own line about a public thread without a message to its channel."""
        if thread.kind is not ThreadKind.PRIVATE:
            line = Message(self.snowflakes.next_id(), thread.parent, thread.owner, thread.name)
            line.kind, line.created_thread = MessageType.THREAD_CREATED, thread
            self.add_message(line)

    def remove_thread(self, thread: Thread) -> None:
        """Delete a thread with its messages."""
        self._drop_thread(thread)
        self.notify(ThreadChange(Op.DELETE, thread))

    def _drop_thread(self, thread: Thread) -> None:
        for message in thread.messages:
            self.remove_message(message)
        del self._channels[thread.id], self.threads[thread.id]

    def active_threads(self, server: Server) -> list[Thread]:
        """Return the threads of a server that are not archived and visible to the bot."""
        found = (thread for thread in self.threads.values() if thread.server is server and not thread.is_archived)
        return [thread for thread in found if thread.visible_to(self.bot.id)]

    def notify_thread_changed(self, thread: Thread) -> None:
        """Notify listeners that a thread has changed."""
        self.notify(ThreadChange(Op.UPDATE, thread))

    def user(self, user_id: int) -> User | None:
        """Return an account by its id."""
        return self._users.get(user_id)

    def channel(self, channel_id: int) -> Channel | None:
        """Return a channel by its id."""
        return self._channels.get(channel_id)

    def message(self, message_id: int) -> Message | None:
        """Return a message by its id, unless it is deleted."""
        return self._messages.get(message_id)

    def file(self, file_id: int) -> Attachment | None:
        """Return a file by its id; files of deleted messages stay for a while."""
        return self._files.get(file_id) or self._retired.get(file_id)

    def add_message(self, message: Message) -> None:
        """Add a message to its channel."""
        self._messages[message.id] = message
        self._files |= {file.id: file for file in message.attachments}
        evicted = message.channel.add_message(message)
        self.notify(MessageChange(Op.CREATE, message))
        if evicted is not None:
            self.remove_message(evicted)

    def notify_message_changed(self, message: Message, files_before: Iterable[Attachment] = ()) -> None:
        """Notify listeners that a message has changed."""
        message.invalidate_payload()
        current = {file.id: file for file in message.attachments}
        self._files |= current
        self._retire(file for file in files_before if file.id not in current)
        self.notify(MessageChange(Op.UPDATE, message))

    def remove_message(self, message: Message) -> None:
        """Delete a message."""
        message.deleted = True
        message.channel.remove_message(message)
        self._messages.pop(message.id, None)
        self._retire(message.attachments)
        self.notify(MessageChange(Op.DELETE, message))

    def notify_permissions_changed(self, channel: ServerChannel) -> None:
        """Notify listeners that the permissions of a channel have changed."""
        self.notify(ChannelChange(Op.UPDATE, channel))

    def dismiss_message(self, message: Message) -> None:
        """Dismiss an ephemeral message."""
        message.dismissed = True
        self.notify(MessageChange(Op.DELETE, message))

    def set_online(self, online: bool) -> None:  # noqa: FBT001 - a setter with a listener
        """Note whether the bot is connected."""
        if online is not self.bot_online:
            self.bot_online = online
            self.notify(PresenceChange(online))

    def now(self) -> str:
        """Return the current time in ISO 8601."""
        return format_iso(self.clock.wall_time())

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call a listener at each change; return a function that unsubscribes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def notify(self, change: Change) -> None:
        """Call all listeners and wake the tasks that wait for a change."""
        for listener in tuple(self._listeners):
            listener(change)
        waiting, self._waiters = self._waiters, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def next_change(self) -> None:
        """Wait until something changes."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(future)
        await future

    def _retire(self, files: Iterable[Attachment]) -> None:
        for file in files:
            self._files.pop(file.id, None)
            self._retired[file.id] = file
        while len(self._retired) > MAX_RETIRED_FILES:
            del self._retired[next(iter(self._retired))]
