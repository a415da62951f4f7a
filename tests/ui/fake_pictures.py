"""A painter whose pictures are a few bytes, and which fails or takes its time where a test says so."""

from bot.community.preferences import PreferenceCache
from bot.observability.metrics import Metrics
from bot.pictures.service import PictureFile
from bot.rules.picture import Picture, Theme
from bot.ui.delivery.picture_attachments import PictureAttacher
from tests.support.fakes import FakeStore, Gate


class FakePictureDrawer:
    """Notes what it was asked to draw."""

    def __init__(self) -> None:
        self.drawn_pictures: list[tuple[Picture, Theme]] = []
        self.prepared: list[Theme] = []
        self.fault: Exception | None = None
        """What all drawings fail with."""
        self.attempts: list[Picture] = []
        """What was asked for at once."""
        self.ready: PictureFile | None = None
        """What need not be drawn."""
        self.gate: Gate | None = None
        """Holds drawings up."""

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

    def _fail(self) -> None:
        if self.fault is not None:
            raise self.fault


def a_picture_attacher(painter: FakePictureDrawer | None = None, store: FakeStore | None = None) -> PictureAttacher:
    """An easel for a board that stands alone."""
    return PictureAttacher(painter, PreferenceCache(store or FakeStore()), Metrics())
