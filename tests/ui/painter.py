"""A painter whose pictures are a few bytes, and which fails or takes its time where a test says so."""

from bot.community.preferences import PreferenceCache
from bot.observability.metrics import Watch
from bot.pictures.service import Drawn
from bot.rules.picture import Picture, Theme
from bot.ui.delivery.picture_attachments import Easel
from tests.support.fakes import FakeStore, Gate


class FakePainter:
    """Notes what it was asked to draw."""

    def __init__(self) -> None:
        self.drew: list[tuple[Picture, Theme]] = []
        self.prepared: list[Theme] = []
        self.fault: Exception | None = None
        """What all drawings fail with."""
        self.tried: list[Picture] = []
        """What was asked for at once."""
        self.ready: Drawn | None = None
        """What need not be drawn."""
        self.gate: Gate | None = None
        """Holds drawings up."""

    async def prepare(self, theme: Theme) -> None:
        self._fail()
        self.prepared.append(theme)

    def at_once(self, picture: Picture, _theme: Theme) -> Drawn | None:
        self.tried.append(picture)
        self._fail()
        return self.ready

    async def draw(self, picture: Picture, theme: Theme) -> Drawn:
        if self.gate is not None:
            await self.gate.wait()
        self._fail()
        self.drew.append((picture, theme))
        return Drawn(f"picture {len(self.drew)}".encode(), "table.png", picture.description)

    def _fail(self) -> None:
        if self.fault is not None:
            raise self.fault


def an_easel(painter: FakePainter | None = None, store: FakeStore | None = None) -> Easel:
    """An easel for a board that stands alone."""
    return Easel(painter, PreferenceCache(store or FakeStore()), Watch())
