"""The adapter without a connection."""

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.community.preferences import PreferenceCache
from bot.community.service import Community
from bot.observability.metrics import Watch
from bot.observability.trace import begun
from bot.rules.picture import Picture
from bot.rules.refusals import Refusal
from bot.tables.model import Invitation, Person
from bot.tables.refusals import HostReason
from bot.tables.registry import Registry
from bot.tables.runtime.host import Host
from bot.tables.table import Table
from bot.ui.delivery.picture_attachments import Easel
from bot.ui.delivery.reminder_messages import DiscordBell
from bot.ui.delivery.table_messages import DiscordBoard
from bot.ui.dispatcher import Clicks
from bot.ui.drafts import Drafts
from bot.ui.features.hands import Hands
from bot.ui.features.idle_tables import SilentTables
from bot.ui.features.invitations import InvitationDesk
from bot.ui.features.lobby_commands import Lobbies
from bot.ui.features.outdated_hands import OutdatedHands
from bot.ui.features.readings import Readers
from bot.ui.features.replays import Replays
from bot.ui.features.results import Scorebook
from bot.ui.features.seats import Seats
from bot.ui.features.settings import PreferenceDesk
from bot.ui.features.table_commands import Desk
from bot.ui.interactions.ephemeral_messages import Whispers
from bot.ui.interactions.responses import Apologies
from bot.ui.render.error_messages import Sentences
from bot.ui.render.message import Frame
from tests.support.bell import FakeBell
from tests.support.fakes import GAMES, ROBIN, Clock, FakeBoard, FakeStore
from tests.ui.fake_interactions import FakeInteraction, FakeMessenger, command_of
from tests.ui.painter import FakePainter


def visible(frame: Frame) -> tuple[Frame, Picture | None]:
    """Return what a frame shows, with its picture in place of what makes it."""
    return replace(frame, sketch=None), frame.sketch and frame.sketch()


class LibraryPostman:
    """Leaves answers to the library, so that interactions note them."""

    async def update(self, click: discord.Interaction[Any], frame: Frame, *, buttons_alone: bool = False) -> None:
        await click.response.edit_message(**frame.edited(buttons_alone=buttons_alone))

    async def update_later(self, click: discord.Interaction[Any], frame: Frame, *, buttons_alone: bool = False) -> None:
        await click.edit_original_response(**frame.edited(buttons_alone=buttons_alone))

    async def replace(self, click: discord.Interaction[Any], text: str) -> None:
        await click.response.edit_message(content=text, embed=None, view=None, attachments=[])

    async def post(self, command: discord.Interaction[Any], frame: Frame) -> int:
        answer = await command.response.send_message(**frame.posted())
        return answer.message_id or 0


class InvitingBell(FakeBell):
    """Invites people as Discord would have it, and only notes everything else."""

    def __init__(self, messenger: Any) -> None:
        super().__init__()
        self._real = DiscordBell(messenger, messenger)

    async def invite(self, table: Table, host: Person, guest: Person) -> int:
        return await self._real.invite(table, host, guest)

    async def remove_invitation(self, invitation: Invitation) -> None:
        await self._real.remove_invitation(invitation)


class Adapter:
    """The adapter's parts around one host; what is not carried by an answer shows on a fake board."""

    def __init__(self, store: FakeStore, shown: FakeBoard, games: Registry = GAMES) -> None:
        self.store = store
        self.drafts = Drafts()
        self.watch = Watch()
        self.preferences = PreferenceCache(store)
        self.painter = FakePainter()
        self.easel = Easel(self.painter, self.preferences, self.watch)
        self.board = DiscordBoard(self.drafts, self.easel)
        self.discord = FakeMessenger()
        self.board.connect(self.discord)  # type: ignore[arg-type]
        postman = LibraryPostman()
        self.shown = shown
        self.clock = Clock()
        self.bell = InvitingBell(self.discord)
        self.host = Host(store, games, shown, self.bell, pause=0, clock=self.clock)
        self.service = self.host.service
        self.service.prepare_by(self.board.prepare)
        self.apologies = Apologies(Sentences(games))
        self.community = Community(store)
        self.scorebook = Scorebook(self.community, games)
        self.desk = Desk(self.host, self.board, postman)
        self.seats = Seats(self.host, self.desk)
        self.silent_tables = SilentTables(self.host, self.desk, self.board)
        self.whispers = Whispers()
        self.outdated_hands = OutdatedHands(self.service, self.whispers)
        self.hands = Hands(self.host, self.desk, self.easel, self.whispers, self.outdated_hands)
        self.lobbies = Lobbies(self.host, self.desk)
        self.invitations = InvitationDesk(self.host.invitations, self.service, self.desk)
        self.readers = Readers(self.host, self.desk, self.board, self.whispers)
        self.replays = Replays(self.service, self.community, self.easel, self.whispers)
        self.preference_desk = PreferenceDesk(self.host, self.preferences)
        self.clicks = Clicks(
            self.host,
            self.board,
            self.drafts,
            postman,
            seats=self.seats,
            silent_tables=self.silent_tables,
            hands=self.hands,
            invitations=self.invitations,
            readers=self.readers,
            replays=self.replays,
            scorebook=self.scorebook,
            whispers=self.whispers,
            apologies=self.apologies,
        )

    async def click(self, click: FakeInteraction) -> FakeInteraction:
        """Dispatch a click and return it with its answers."""
        begun()
        await self.clicks.on_interaction(click)  # type: ignore[arg-type]
        return click

    async def settled(self) -> None:
        """Wait until everything is shown."""
        await self.host.publisher.close()


def command(person: Any = ROBIN, **more: Any) -> Any:
    """Make a slash command that passes for one of discord.py."""
    return command_of(person, **more)


async def refused(work: Awaitable[object]) -> HostReason:
    """Return why the host refuses to do something."""
    with pytest.raises(Refusal) as caught:
        await work
    assert isinstance(caught.value.reason, HostReason)
    return caught.value.reason


async def posted(board: DiscordBoard, table: Table) -> int:
    """Post a table as the publisher does, and return the id of its message."""
    async with board.posting(table) as post:
        return await post(table)


async def edited(board: DiscordBoard, table: Table) -> int:
    """Edit a table's message as the publisher does after a change."""
    async with board.editing(table, is_new=True) as edit:
        return await edit(table)
