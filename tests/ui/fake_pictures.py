"""A picture drawer whose pictures are a few bytes; it fails or takes its time if a test says so."""

from bot.features.settings.service import SettingsCache
from bot.pictures.service import PictureFile, PictureService
from bot.rules.picture import Picture, Theme
from bot.tables.host import Host
from bot.tables.shown.table_messages import DiscordTableMessages
from tests.support import apps
from tests.support.fakes import GAMES
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate
from tests.ui.fake_interactions import FakeMessageClient


class FakePictureDrawer(PictureService):
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

    @property
    def waiting(self) -> int:
        return 0

    async def prepare_covers(self, theme: Theme = Theme.STANDARD) -> None:
        self._fail()

    async def prepare(self, theme: Theme = Theme.STANDARD) -> None:
        self._fail()
        self.prepared.append(theme)

    def draw_if_quick(self, picture: Picture, theme: Theme = Theme.STANDARD) -> PictureFile | None:
        self.attempts.append(picture)
        self._fail()
        return self.ready

    async def draw(self, picture: Picture, theme: Theme = Theme.STANDARD) -> PictureFile:
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


def make_table_messages(
    message_client: FakeMessageClient | None = None, pictures: FakePictureDrawer | None = None
) -> DiscordTableMessages:
    """Make what shows tables, with fakes around it and with all features."""
    db = MemoryDatabase()
    settings = SettingsCache(db)
    table_messages = apps.make_table_messages(settings, message_client or FakeMessageClient(), pictures)
    apps.make_app(Host(db, GAMES, table_messages), db, settings, table_messages)
    return table_messages
