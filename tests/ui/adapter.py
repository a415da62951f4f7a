"""The adapter without a connection."""

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.community.preferences import PreferenceCache
from bot.community.service import ResultsService
from bot.observability.metrics import Metrics
from bot.observability.trace import start_trace
from bot.rules.picture import Picture
from bot.rules.refusals import Refusal
from bot.tables.model import Person
from bot.tables.notifications import Invitation
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry
from bot.tables.runtime.host import Host
from bot.tables.table import Table
from bot.ui.delivery.message_sender import DiscordMessageSender
from bot.ui.delivery.picture_attachments import PictureAttacher
from bot.ui.delivery.table_messages import DiscordTableMessages
from bot.ui.dispatcher import Dispatcher
from bot.ui.drafts import Drafts
from bot.ui.features.hands import Hands
from bot.ui.features.idle_tables import IdleTableCommands
from bot.ui.features.invitations import InvitationCommands
from bot.ui.features.lobby_commands import LobbyCommands
from bot.ui.features.outdated_hands import OutdatedHands
from bot.ui.features.readings import Readings
from bot.ui.features.replays import Replays
from bot.ui.features.results import ResultsCommands
from bot.ui.features.seats import SeatCommands
from bot.ui.features.settings import SettingsCommands
from bot.ui.features.table_commands import TableCommands
from bot.ui.interactions.ephemeral_messages import EphemeralMessages
from bot.ui.interactions.error_replies import ErrorReplies
from bot.ui.render.error_messages import ErrorMessages
from bot.ui.render.message import MessageContent
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fakes import GAMES, ROBIN, FakeClock, FakeStore, FakeTableMessages
from tests.ui.fake_interactions import FakeInteraction, FakeMessageClient, make_command
from tests.ui.fake_pictures import FakePictureDrawer


def without_picture_maker(frame: MessageContent) -> tuple[MessageContent, Picture | None]:
    """Return what a frame shows, with its picture in place of what makes it."""
    return replace(frame, make_picture=None), frame.make_picture and frame.make_picture()


class LibraryCallbackClient:
    """Leaves answers to the library, so that interactions note them."""

    async def update(
        self, click: discord.Interaction[Any], frame: MessageContent, *, buttons_alone: bool = False
    ) -> None:
        await click.response.edit_message(**frame.edit_kwargs(buttons_alone=buttons_alone))

    async def edit_original(
        self, click: discord.Interaction[Any], frame: MessageContent, *, buttons_alone: bool = False
    ) -> None:
        await click.edit_original_response(**frame.edit_kwargs(buttons_alone=buttons_alone))

    async def replace_with_text(self, click: discord.Interaction[Any], text: str) -> None:
        await click.response.edit_message(content=text, embed=None, view=None, attachments=[])

    async def post(self, command: discord.Interaction[Any], frame: MessageContent) -> int:
        answer = await command.response.send_message(**frame.send_kwargs())
        return answer.message_id or 0


class InvitingMessageSender(FakeMessageSender):
    """Invites people as Discord would have it, and only notes everything else."""

    def __init__(self, messenger: Any) -> None:
        super().__init__()
        self._real = DiscordMessageSender(messenger, messenger)

    async def invite(self, table: Table, host: Person, guest: Person) -> int:
        return await self._real.invite(table, host, guest)

    async def remove_invitation(self, invitation: Invitation) -> None:
        await self._real.remove_invitation(invitation)


class Adapter:
    """The adapter's parts around one host; what is not carried by an answer shows on a fake board."""

    def __init__(self, store: FakeStore, shown: FakeTableMessages, games: GameRegistry = GAMES) -> None:
        self.store = store
        self.drafts = Drafts()
        self.metrics = Metrics()
        self.preferences = PreferenceCache(store)
        self.picture_drawer = FakePictureDrawer()
        self.pictures = PictureAttacher(self.picture_drawer, self.preferences, self.metrics)
        self.table_messages = DiscordTableMessages(self.drafts, self.pictures)
        self.messenger = FakeMessageClient()
        self.table_messages.connect(self.messenger)  # type: ignore[arg-type]
        postman = LibraryCallbackClient()
        self.fake_table_messages = shown
        self.clock = FakeClock()
        self.message_sender = InvitingMessageSender(self.messenger)
        self.host = Host(store, games, shown, self.message_sender, pause=0, clock=self.clock)
        self.service = self.host.service
        self.service.add_preparer(self.table_messages.prepare)
        self.error_replies = ErrorReplies(ErrorMessages(games))
        self.community = ResultsService(store)
        self.results_commands = ResultsCommands(self.community, games)
        self.table_commands = TableCommands(self.host, self.table_messages, postman)
        self.seats = SeatCommands(self.host, self.table_commands)
        self.idle_table_commands = IdleTableCommands(self.host, self.table_commands, self.table_messages)
        self.ephemeral_messages = EphemeralMessages()
        self.outdated_hands = OutdatedHands(self.service, self.ephemeral_messages)
        self.hands = Hands(self.host, self.table_commands, self.pictures, self.ephemeral_messages, self.outdated_hands)
        self.lobby_commands = LobbyCommands(self.host, self.table_commands)
        self.invitation_commands = InvitationCommands(self.host.invitations, self.service, self.table_commands)
        self.readings = Readings(self.host, self.table_commands, self.table_messages, self.ephemeral_messages)
        self.replays = Replays(self.service, self.community, self.pictures, self.ephemeral_messages)
        self.settings_commands = SettingsCommands(self.host, self.preferences)
        self.dispatcher = Dispatcher(
            self.host,
            self.table_messages,
            self.drafts,
            postman,
            seats=self.seats,
            idle_table_commands=self.idle_table_commands,
            hands=self.hands,
            invitations=self.invitation_commands,
            readings=self.readings,
            replays=self.replays,
            results_commands=self.results_commands,
            ephemeral_messages=self.ephemeral_messages,
            error_replies=self.error_replies,
        )

    async def click(self, click: FakeInteraction) -> FakeInteraction:
        """Dispatch a click and return it with its answers."""
        start_trace()
        await self.dispatcher.on_interaction(click)  # type: ignore[arg-type]
        return click

    async def wait_until_shown(self) -> None:
        """Wait until everything is shown."""
        await self.host.publisher.close()


def command(person: Any = ROBIN, **more: Any) -> Any:
    """Make a slash command that passes for one of discord.py."""
    return make_command(person, **more)


async def refusal_reason(work: Awaitable[object]) -> HostReason:
    """Return why the host refuses to do something."""
    with pytest.raises(Refusal) as caught:
        await work
    assert isinstance(caught.value.reason, HostReason)
    return caught.value.reason


async def post_table(board: DiscordTableMessages, table: Table) -> int:
    """Post a table as the publisher does, and return the id of its message."""
    async with board.reserve_post(table) as post:
        return await post(table)


async def edit_table(board: DiscordTableMessages, table: Table) -> int:
    """Edit a table's message as the publisher does after a change."""
    async with board.reserve_edit(table, is_new=True) as edit:
        return await edit(table)
