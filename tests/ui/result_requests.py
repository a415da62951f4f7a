"""Leaderboards, profiles and histories as people ask for them."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import discord

from bot.features.boards.commands import Boards
from bot.features.boards.model import BoardOrder, Span
from bot.features.profiles.commands import Profiles
from bot.platform.places import Person
from bot.tables.model import PublishedRevision, Result
from bot.tables.storage import mark_published
from tests.support.fakes import ROBIN
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, FakeInteraction, make_click, make_command, make_guest

PRIVATELY: dict[str, Any] = {"guild_id": None, "channel_id": 5}

MEMBER = make_guest(discord.Member, id=ROBIN.id)


def add_shown_results(db: MemoryDatabase, *results: Result) -> None:
    """Add the results of a table, which message 1000 and its number shows."""
    db.add_results(*results)
    table_id = results[0].table_id
    db.run(mark_published, [PublishedRevision(table_id, 1, 1000 + table_id)])


def embed_of(asked: FakeInteraction) -> discord.Embed:
    """Return the embed of the only answer, which only the asker sees."""
    (answer,) = asked.answers
    assert answer.ephemeral
    assert answer.embed is not None
    return answer.embed


def text_of(embed: discord.Embed) -> str:
    parts = [embed.title, embed.description, embed.footer.text]
    parts += [text for field in embed.fields for text in (field.name, field.value)]
    return "\n".join(part for part in parts if part)


async def leaderboard(
    adapter: Adapter,
    who: Person = ROBIN,
    game: str | None = "magpie",
    by: BoardOrder | None = BoardOrder.WINS,
    span: Span = Span.ALL,
    **more: Any,
) -> FakeInteraction:
    asked = make_command(who, **more)
    await adapter.app.service(Boards).show(asked, game, by, span)  # type: ignore[arg-type]
    return asked


async def profile(adapter: Adapter, who: Person = ROBIN, of: Person | None = None, **more: Any) -> FakeInteraction:
    asked = make_command(who, **more)
    await adapter.app.service(Profiles).profile(asked, of or who)  # type: ignore[arg-type]
    return asked


async def history(adapter: Adapter, who: Person = ROBIN, **more: Any) -> FakeInteraction:
    asked = make_command(who, **more)
    await adapter.app.service(Profiles).history(asked)  # type: ignore[arg-type]
    return asked


async def press_page_button(adapter: Adapter, custom_id: object, who: Person = ROBIN, **more: Any) -> discord.Embed:
    """Click a page's button and return what is shown in its place."""
    click = await adapter.click(make_click(who, custom_id, in_whisper=True, **more))
    (answer,) = click.answers
    assert answer.how is AnswerMethod.EDIT
    assert answer.embed is not None
    return answer.embed


def make_guild(
    *,
    readable: tuple[int, ...] = (),
    closed: tuple[int, ...] = (),
    managed: tuple[int, ...] = (),
    threads: Any = (),
) -> Any:
    """A server as far as its channels are concerned: in managed ones the member also manages threads."""

    def channel(channel_id: int) -> Any:
        permissions = discord.Permissions(view_channel=channel_id not in closed, manage_threads=channel_id in managed)
        return SimpleNamespace(id=channel_id, permissions_for=lambda _: permissions)

    channels = [channel(each) for each in (*readable, *closed, *managed)]
    return SimpleNamespace(
        fetch_channels=AsyncMock(return_value=channels),
        active_threads=AsyncMock(return_value=list(threads)),
        fetch_channel=AsyncMock(side_effect=discord.InvalidData),
    )


def make_thread(thread_id: int, parent_id: int, *, private: bool = False) -> Any:
    return MagicMock(discord.Thread, id=thread_id, parent_id=parent_id, is_private=lambda: private)
