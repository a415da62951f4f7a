"""The picture service: a request ends in a file, drawn in a thread or at once, or in one exception."""

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.pictures import encoding, service as service_module
from bot.pictures.art import ArtFile
from bot.pictures.renderer import Renderer
from bot.pictures.service import DrawingFailed, PictureService
from bot.platform.content import DATA
from bot.rules.picture import Box, ColourRole, Picture, Rect, Sprite, Surface, SurfaceColours, Theme

DIE = Sprite("token-5", Rect(20, 20, 100, 100))


def picture(*marks: Sprite | Box, description: str = "a die") -> Picture:
    return Picture((400, 240), (), marks or (DIE,), description)


@pytest.fixture(scope="module")
def bitmaps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where all services keep the bitmaps of the art, which take long to make."""
    return tmp_path_factory.mktemp("bitmaps")


@pytest.fixture
async def service(bitmaps: Path) -> AsyncIterator[PictureService]:
    with PictureService(DATA, bitmaps) as made:
        yield made


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Picture, str]]:
    """Record the drawn pictures, and in which thread."""
    noted: list[tuple[Picture, str]] = []
    render = Renderer.render

    def note(self: Renderer, wanted: Picture) -> bytes:
        noted.append((wanted, threading.current_thread().name))
        return render(self, wanted)

    monkeypatch.setattr(Renderer, "render", note)
    return noted


async def test_a_picture_comes_back_as_a_png_of_its_size_with_its_description(service: PictureService) -> None:
    drawn = await service.draw(picture())
    with Image.open(BytesIO(drawn.data)) as image:
        assert (image.format, image.size) == ("PNG", (400, 240))
    assert (drawn.name, drawn.description) == ("table.png", "a die")


async def test_themes_differ(service: PictureService) -> None:
    assert len({(await service.draw(picture(), theme)).data for theme in Theme}) == len(Theme)


async def test_surfaces_differ_though_their_pictures_are_alike(service: PictureService) -> None:
    surface = SurfaceColours("#3b2150", "#27133a", "#9f80b8", "#faf2ea", "#d3c2dd")
    other = replace(picture(), surface=Surface(surface, surface))
    first = [(await service.draw(each)).data for each in (picture(), other)]
    assert first[0] != first[1]
    with Image.open(BytesIO(first[1])) as image:
        assert image.convert("RGB").getpixel((0, 0)) == (0x3B, 0x21, 0x50)
    assert [service.draw_if_quick(each) is not None for each in (picture(), other)] == [True, True]


async def test_it_draws_beside_the_event_loop_and_never_twice(
    service: PictureService, painted: list[tuple[Picture, str]]
) -> None:
    first = await service.draw(picture())
    assert await service.draw(picture()) is first
    assert [wanted for wanted, _ in painted] == [picture()]
    assert painted[0][1] != threading.current_thread().name


async def test_callers_who_await_the_same_picture_share_it_and_it_counts_what_was_drawn(
    service: PictureService, painted: list[tuple[Picture, str]]
) -> None:
    drawn = await asyncio.gather(*(service.draw(picture()) for _ in range(5)))
    assert all(each is drawn[0] for each in drawn)
    assert len(painted) == 1
    await service.draw(picture(description="another"))
    assert (service.hits, service.misses) == (0, 2)
    assert service.draw_if_quick(picture()) is await service.draw(picture())
    assert (service.hits, service.misses) == (2, 2)


async def test_cancelling_one_caller_leaves_the_picture_to_the_others(service: PictureService) -> None:
    gone, stays = (asyncio.ensure_future(service.draw(picture())) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    assert (await stays).description == "a die"
    assert gone.cancelled()


async def test_the_newest_pictures_stay_cached(
    painted: list[tuple[Picture, str]], bitmaps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "MAX_FINISHED", 2)
    one, two, three = (picture(description=name) for name in ("one", "two", "three"))
    with PictureService(DATA, bitmaps) as service:
        for wanted in (one, two, one, three):
            await service.draw(wanted)
        assert len(painted) == 3
        await service.draw(one)
        assert len(painted) == 3
        await service.draw(two)
        assert len(painted) == 4


async def test_forgotten_pictures_are_drawn_anew(service: PictureService, painted: list[tuple[Picture, str]]) -> None:
    await service.draw(picture())
    service.clear()
    await service.draw(picture())
    assert len(painted) == 2


async def test_a_picture_that_was_being_drawn_is_not_kept(
    service: PictureService, painted: list[tuple[Picture, str]]
) -> None:
    drawing = asyncio.ensure_future(service.draw(picture()))
    await asyncio.sleep(0)
    service.clear()
    await drawing
    await service.draw(picture())
    assert len(painted) == 2


async def test_a_cancelled_caller_is_cancelled(service: PictureService) -> None:
    preparing = asyncio.create_task(service.prepare())
    await asyncio.sleep(0)
    preparing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await preparing


async def test_pillow_writes_the_files_without_isa_l(
    service: PictureService, painted: list[tuple[Picture, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = await service.draw(picture())
    painted.clear()
    monkeypatch.setattr(encoding, "isal_zlib", None)
    with PictureService(DATA) as fallback:
        drawn = await fallback.draw(picture())
        assert fallback.draw_if_quick(picture()) is drawn
        assert fallback.draw_if_quick(picture(description="another")) is None
    assert painted == []
    assert (drawn.name, drawn.description) == (expected.name, expected.description)
    with Image.open(BytesIO(drawn.data)) as one, Image.open(BytesIO(expected.data)) as other:
        assert (one.format, one.mode, one.size) == ("PNG", "P", other.size)
        assert one.convert("RGB").tobytes() == other.convert("RGB").tobytes()


async def test_a_picture_that_can_t_be_drawn_is_one_exception_that_says_why(service: PictureService) -> None:
    nowhere = picture(Sprite("nowhere", Rect(0, 0, 10, 10)))
    for _ in range(2):
        with pytest.raises(DrawingFailed, match="There is no art called nowhere"):
            await service.draw(nowhere)
    assert (await service.draw(picture())).data


@pytest.mark.parametrize("size", [(0, 10), (10, -1)])
async def test_an_invalid_size_raises_drawing_failed(service: PictureService, size: tuple[int, int]) -> None:
    with pytest.raises(DrawingFailed, match="shows nothing"):
        await service.draw(Picture(size, (), (), "nothing"))


async def test_unreadable_art_raises_drawing_failed(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "token-5.svg").write_text("<svg>")
    with PictureService(tmp_path) as service:
        with pytest.raises(DrawingFailed, match=r"token-5\.svg does not say how wide"):
            await service.prepare()
        with pytest.raises(DrawingFailed):
            await service.draw(picture())


async def test_covers_are_prepared_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toss" / "art").mkdir(parents=True)
    for name in ("cover", "other"):
        (tmp_path / "toss" / "art" / f"{name}.svg").write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
        )
    drawn: list[str] = []

    def draw_png(art: ArtFile, *_arguments: object, **_more: object) -> bytes:
        drawn.append(art.name)
        return b""

    monkeypatch.setattr(ArtFile, "draw_png", draw_png)
    with PictureService(tmp_path) as service:
        await service.prepare_covers()
    assert drawn == ["toss/cover"]


async def test_preparing_draws_the_art(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "token-5.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    with PictureService(tmp_path, tmp_path / "cache") as service:
        await service.prepare(Theme.HIGH_CONTRAST)
        assert [file.name.split("-")[0] for file in (tmp_path / "cache").iterdir()] == ["high_contrast"]


async def test_pictures_that_differ_only_in_marks_are_different(service: PictureService) -> None:
    two = (DIE, Sprite("token-5", Rect(200, 20, 100, 100)))
    alike = [await service.draw(picture(*marks, description="dice")) for marks in (two, two[:1], two)]
    assert alike[0] is alike[2]
    assert alike[0].data != alike[1].data


class TestDrawingWithoutThread:
    async def test_a_small_picture_is_drawn_at_once_and_cached(
        self, service: PictureService, painted: list[tuple[Picture, str]]
    ) -> None:
        await service.draw(picture())
        small = picture(DIE, Box(Rect(200, 20, 50, 50), ColourRole.PAPER), description="a die and a card")
        drawn = service.draw_if_quick(small)
        assert drawn is not None
        assert drawn.description == "a die and a card"
        assert service.draw_if_quick(small) is drawn
        assert await service.draw(small) is drawn
        assert [wanted for wanted, _ in painted] == [picture()]
        with PictureService(DATA) as other:
            assert (await other.draw(small)).data == drawn.data

    @pytest.mark.parametrize(
        "other", [picture(Sprite("token-6", Rect(20, 20, 100, 100))), Picture((400, 250), (), (DIE,), "a die")]
    )
    async def test_a_large_change_is_not_drawn_at_once(self, service: PictureService, other: Picture) -> None:
        assert service.draw_if_quick(picture()) is None
        await service.draw(picture())
        assert service.draw_if_quick(picture(), Theme.HIGH_CONTRAST) is None
        assert service.draw_if_quick(other) is None

    async def test_a_busy_thread_is_not_awaited(self, service: PictureService, monkeypatch: pytest.MonkeyPatch) -> None:
        await service.draw(picture())
        drawing, done, render = threading.Event(), threading.Event(), Renderer.render

        def slow(self: Renderer, wanted: Picture) -> bytes:
            drawing.set()
            done.wait(30)
            return render(self, wanted)

        monkeypatch.setattr(Renderer, "render", slow)
        small = picture(DIE, Box(Rect(200, 20, 50, 50), ColourRole.PAPER), description="a die and a card")
        under_way = asyncio.ensure_future(service.draw(picture(Sprite("token-6", Rect(20, 20, 100, 100)))))
        await asyncio.to_thread(drawing.wait, 30)
        assert service.draw_if_quick(small) is None
        assert service.draw_if_quick(picture()) is not None
        done.set()
        await under_way
        assert service.draw_if_quick(small) is not None

    async def test_a_fault_raises_drawing_failed(self, service: PictureService) -> None:
        await service.draw(picture())
        for _ in range(2):
            with pytest.raises(DrawingFailed, match="shows nothing"):
                service.draw_if_quick(Picture((0, 0), (), (), "nothing"))
        assert (await service.draw(picture())).data


async def test_a_closed_service_draws_nothing() -> None:
    with PictureService(DATA) as service:
        pass
    with pytest.raises(DrawingFailed):
        await service.draw(picture())


async def test_closing_ends_the_preparation() -> None:
    service = PictureService(DATA)
    preparing = asyncio.create_task(service.prepare())
    await asyncio.sleep(0)
    service.close()
    await preparing


async def test_backdrops_are_drawn_once_and_stay_clean(service: PictureService) -> None:
    backdrop = (Box(Rect(0, 0, 200, 240), ColourRole.PAPER),)
    with_die = Picture((400, 240), backdrop, (DIE,), "a die")
    without = Picture((400, 240), backdrop, (), "no die")
    before = (await service.draw(without, Theme.HIGH_CONTRAST)).data
    await service.draw(with_die, Theme.HIGH_CONTRAST)
    again = Picture((400, 240), backdrop, (), "no die either")
    assert (await service.draw(again, Theme.HIGH_CONTRAST)).data == before
