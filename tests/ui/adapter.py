"""The Discord adapter without a connection."""

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.features.invitations.model import Invitation
from bot.features.settings.service import SettingsCache
from bot.platform.catalogues import Catalogues
from bot.platform.discord.answers import mark_responded
from bot.platform.discord.content import MessageContent
from bot.platform.discord.interaction_responses import CallbackClient
from bot.platform.discord.languages import Languages
from bot.platform.notices.sending import Line, MessageSender
from bot.platform.notices.storage import NoticeT
from bot.platform.observability.trace import start_trace
from bot.rules.picture import Picture
from bot.rules.refusals import Refusal, RefusalReason
from bot.tables.handlers.error_replies import BEGUN, OUTCOME_UNKNOWN, STORE_UNAVAILABLE, UNEXPECTED
from bot.tables.host import Host
from bot.tables.registry import GameRegistry
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.table import Table
from bot.words import gettext
from tests.support.apps import make_app, make_table_messages
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, ROBIN, FakeClock, fixed_entropy
from tests.support.memory_database import MemoryDatabase
from tests.ui.fake_interactions import ALREADY_ANSWERED, FakeInteraction, FakeMessageClient, make_command
from tests.ui.fake_pictures import FakePictureDrawer


def without_picture_maker(content: MessageContent) -> tuple[MessageContent, Picture | None]:
    """Return the content of a message with its picture drawn."""
    return replace(content, make_picture=None), content.make_picture and content.make_picture()


def edit_kwargs_of(content: MessageContent, *, buttons_alone: bool) -> dict[str, Any]:
    return {"view": content.view()} if buttons_alone else content.edit_kwargs()


def require_unanswered(interaction: discord.Interaction[Any]) -> None:
    """Refuse a second initial response as Discord does, instead of as the library does."""
    if interaction.response.is_done():
        raise ALREADY_ANSWERED


class LibraryCallbackClient(CallbackClient):
    """Leaves answers to the library, so that interactions note them."""

    def __init__(self) -> None:
        pass

    async def update(
        self, click: discord.Interaction[Any], content: MessageContent, *, buttons_alone: bool = False
    ) -> None:
        require_unanswered(click)
        await click.response.edit_message(**edit_kwargs_of(content, buttons_alone=buttons_alone))
        mark_responded(click)

    async def edit_original(
        self, click: discord.Interaction[Any], content: MessageContent, *, buttons_alone: bool = False
    ) -> None:
        await click.edit_original_response(**edit_kwargs_of(content, buttons_alone=buttons_alone))

    async def replace_with_text(self, click: discord.Interaction[Any], text: str) -> None:
        require_unanswered(click)
        await click.response.edit_message(content=text, embed=None, view=None, attachments=[])
        mark_responded(click)

    async def post(self, command: discord.Interaction[Any], content: MessageContent) -> int:
        require_unanswered(command)
        answer = await command.response.send_message(**content.send_kwargs())
        mark_responded(command)
        return answer.message_id or 0


class InvitingMessageSender(FakeMessageSender):
    """Invites people as Discord would have it, and only notes everything else."""

    def __init__(self, message_client: Any) -> None:
        super().__init__()
        self._real = MessageSender(message_client, Languages(Catalogues()))

    async def post(self, notice: NoticeT, line: Line) -> NoticeT:
        if isinstance(notice, Invitation):
            return await self._real.post(notice, line)
        return await super().post(notice, line)

    async def delete(self, channel_id: int, message_id: int) -> None:
        if message_id in self.messages:
            await super().delete(channel_id, message_id)
        else:
            await self._real.delete(channel_id, message_id)


class Adapter:
    """The services around one host. The publisher shows tables on a FakeTableMessages."""

    def __init__(self, db: MemoryDatabase, shown: FakeTableMessages, games: GameRegistry = GAMES) -> None:
        self.db = db
        self.metrics = db.metrics
        self.picture_drawer = FakePictureDrawer()
        self.message_client = FakeMessageClient()
        self.settings = SettingsCache(db)
        self.table_messages = make_table_messages(self.settings, self.message_client, self.picture_drawer, self.metrics)
        self.drafts, self.pictures = self.table_messages.drafts, self.table_messages.picture_attacher
        self.fake_table_messages = shown
        self.clock = FakeClock()
        self.message_sender = InvitingMessageSender(self.message_client)
        self.host = Host(db, games, shown, clock=self.clock)
        self.service = self.host.service
        self.service.entropy = fixed_entropy
        self.app = make_app(
            self.host,
            db,
            self.settings,
            self.table_messages,
            callbacks=LibraryCallbackClient(),
            sender=self.message_sender,
        )
        self.dispatcher, self.error_replies = self.app.dispatcher, self.app.error_replies
        self._note_refusals()

    def _note_refusals(self) -> None:
        """Let interactions know why they are refused, so that no test looks for a sentence."""
        send = self.error_replies.send

        async def note_and_send(interaction: Any, fault: BaseException) -> None:
            if isinstance(fault, Refusal):
                interaction.refusal = fault.reason
            await send(interaction, fault)

        self.error_replies.send = note_and_send  # type: ignore[method-assign]

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


def is_apology(text: str) -> bool:
    """Tell whether a text says that nothing was done, or may not have been."""
    apologies = (UNEXPECTED, STORE_UNAVAILABLE, OUTCOME_UNKNOWN, BEGUN)
    return any(gettext(each).partition("{")[0] in text for each in apologies)


async def refusal_reason(work: Awaitable[object]) -> RefusalReason:
    """Return why the host refuses to do something."""
    with pytest.raises(Refusal) as caught:
        await work
    return caught.value.reason


async def post_table(table_messages: DiscordTableMessages, table: Table) -> int:
    """Post a table as the publisher does, and return the id of its message."""
    async with table_messages.reserve_post(table) as post:
        return await post(table)


async def edit_table(table_messages: DiscordTableMessages, table: Table) -> int:
    """Edit a table's message as the publisher does after a change."""
    async with table_messages.reserve_edit(table, is_new=True) as edit:
        return await edit(table)
