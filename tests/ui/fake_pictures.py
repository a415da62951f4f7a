"""A picture drawer whose pictures are a few bytes; it fails or takes its time if a test says so."""

from typing import Any, NamedTuple

from bot.app.table_parts import TableKnowledge, make_table_knowledge, make_table_parts
from bot.features.settings.people import PreferenceCache
from bot.pictures.service import PictureFile
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.observability.metrics import Metrics
from bot.rules.picture import Picture, Theme
from bot.tables.handlers.drafts import Drafts
from bot.tables.shown.table_messages import DiscordTableMessages
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate
from tests.ui.fake_interactions import FakeMessageClient


class FakePictureDrawer:
    """Records the pictures it was asked to draw."""

    def __init__(self) -> None:
        self.drawn_pictures: list[tuple[Picture, Theme]] = []
        self.prepared: list[Theme] = []
        self.fault: Exception | None = None
        """What all drawings fail with."""
        self.attempts: list[Picture] = []
        """The pictures requested without waiting."""
        self.ready: PictureFile | None = None
        """What need not be drawn."""
        self.gate: Gate | None = None
        """Holds drawings up."""
        self.clearings = 0

    async def prepare(self, theme: Theme) -> None:
        self._fail()
        self.prepared.append(theme)

    def draw_if_quick(self, picture: Picture, _theme: Theme) -> PictureFile | None:
        self.attempts.append(picture)
        self._fail()
        return self.ready

    async def draw(self, picture: Picture, theme: Theme) -> PictureFile:
        if self.gate is not None:
            await self.gate.wait()
        self._fail()
        self.drawn_pictures.append((picture, theme))
        return PictureFile(f"picture {len(self.drawn_pictures)}".encode(), "table.png", picture.description)

    def clear(self) -> None:
        self.clearings += 1

    def _fail(self) -> None:
        if self.fault is not None:
            raise self.fault


class Shown(NamedTuple):
    """What shows tables, and what the features know about them."""

    messages: DiscordTableMessages
    known: TableKnowledge


def make_shown(
    message_client: FakeMessageClient | None = None,
    pictures: FakePictureDrawer | None = None,
    db: MemoryDatabase | None = None,
    metrics: Metrics | None = None,
) -> Shown:
    """Make what shows tables, with fakes around it."""
    client: Any = message_client or FakeMessageClient()
    db = db or MemoryDatabase()
    preferences = PreferenceCache(db)
    attacher = PictureAttacher(pictures, preferences.theme_of, metrics or Metrics())
    known = make_table_knowledge(db, preferences)
    return Shown(
        DiscordTableMessages(client, Drafts(), attacher, make_table_parts(known)),
        known,
    )


def make_table_messages(
    message_client: FakeMessageClient | None = None, pictures: FakePictureDrawer | None = None
) -> DiscordTableMessages:
    """Make what shows tables, with fakes around it."""
    return make_shown(message_client, pictures).messages
