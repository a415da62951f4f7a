"""The studio: what is asked of it comes back as a file, from a thread of its own, or as one exception."""

import asyncio
import threading
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.content import DATA
from bot.pictures import service as rooms
from bot.pictures.renderer import Renderer
from bot.pictures.service import DrawingFailed, PictureService
from bot.rules.picture import Box, ColourRole, Picture, Rect, Sprite, Theme

DIE = Sprite("die-5", Rect(20, 20, 100, 100))


def picture(*marks: Sprite | Box, description: str = "a die") -> Picture:
    return Picture((400, 240), (), marks or (DIE,), description)


@pytest.fixture
async def studio() -> AsyncIterator[PictureService]:
    with PictureService(DATA) as made:
        yield made


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Picture, str]]:
    """Notes what is painted, and by which thread."""
    noted: list[tuple[Picture, str]] = []
    file = Renderer.file

    def note(self: Renderer, wanted: Picture) -> bytes:
        noted.append((wanted, threading.current_thread().name))
        return file(self, wanted)

    monkeypatch.setattr(Renderer, "file", note)
    return noted


async def test_a_picture_comes_back_as_a_png_of_its_size_with_its_description(studio: PictureService) -> None:
    drawn = await studio.draw(picture())
    with Image.open(BytesIO(drawn.data)) as image:
        assert (image.format, image.size) == ("PNG", (400, 240))
    assert (drawn.name, drawn.description) == ("table.png", "a die")


async def test_themes_differ(studio: PictureService) -> None:
    usual, high = [(await studio.draw(picture(), theme)).data for theme in Theme]
    assert usual != high


async def test_it_draws_beside_the_event_loop_and_never_twice(
    studio: PictureService, painted: list[tuple[Picture, str]]
) -> None:
    first = await studio.draw(picture())
    assert await studio.draw(picture()) is first
    assert [wanted for wanted, _ in painted] == [picture()]
    assert painted[0][1] != threading.current_thread().name


async def test_whoever_waits_for_the_same_picture_shares_it(
    studio: PictureService, painted: list[tuple[Picture, str]]
) -> None:
    drawn = await asyncio.gather(*(studio.draw(picture()) for _ in range(5)))
    assert all(each is drawn[0] for each in drawn)
    assert len(painted) == 1


async def test_who_goes_away_takes_the_picture_from_nobody(studio: PictureService) -> None:
    gone, stays = (asyncio.ensure_future(studio.draw(picture())) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    assert (await stays).description == "a die"
    assert gone.cancelled()


async def test_the_newest_pictures_stay_ready(
    studio: PictureService, painted: list[tuple[Picture, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MOST_FINISHED", 2)
    one, two, three = (picture(description=name) for name in ("one", "two", "three"))
    for wanted in (one, two, one, three):
        await studio.draw(wanted)
    assert len(painted) == 3
    await studio.draw(one)
    assert len(painted) == 3
    await studio.draw(two)
    assert len(painted) == 4


async def test_a_cancelled_caller_is_cancelled(studio: PictureService) -> None:
    preparing = asyncio.create_task(studio.prepare())
    await asyncio.sleep(0)
    preparing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await preparing


async def test_a_picture_that_can_t_be_drawn_is_one_exception_that_says_why(studio: PictureService) -> None:
    nowhere = picture(Sprite("nowhere", Rect(0, 0, 10, 10)))
    for _ in range(2):
        with pytest.raises(DrawingFailed, match="There is no art called nowhere"):
            await studio.draw(nowhere)
    assert (await studio.draw(picture())).data


@pytest.mark.parametrize("size", [(0, 0), (-1, 10)])
async def test_so_is_one_of_no_size(studio: PictureService, size: tuple[int, int]) -> None:
    with pytest.raises(DrawingFailed):
        await studio.draw(Picture(size, (), (), "nothing"))


async def test_art_that_can_t_be_read_is_the_same_exception(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "die-5.svg").write_text("<svg>")
    with PictureService(tmp_path) as studio:
        with pytest.raises(DrawingFailed, match=r"die-5\.svg does not say how wide"):
            await studio.prepare()
        with pytest.raises(DrawingFailed):
            await studio.draw(picture())


async def test_what_differs_only_in_its_marks_is_another_picture(studio: PictureService) -> None:
    two = (DIE, Sprite("die-5", Rect(200, 20, 100, 100)))
    alike = [await studio.draw(picture(*marks, description="dice")) for marks in (two, two[:1], two)]
    assert alike[0] is alike[2]
    assert alike[0].data != alike[1].data


class TestAtOnce:
    async def test_what_is_small_is_drawn_at_once_and_stays_ready(
        self, studio: PictureService, painted: list[tuple[Picture, str]]
    ) -> None:
        await studio.draw(picture())
        small = picture(DIE, Box(Rect(200, 20, 50, 50), ColourRole.PAPER), description="a die and a card")
        drawn = studio.draw_if_quick(small)
        assert drawn is not None
        assert drawn.description == "a die and a card"
        assert studio.draw_if_quick(small) is drawn
        assert await studio.draw(small) is drawn
        assert [wanted for wanted, _ in painted] == [picture()]
        with PictureService(DATA) as other:
            assert (await other.draw(small)).data == drawn.data

    async def test_what_is_ready_is_handed_out_at_once(self, studio: PictureService) -> None:
        drawn = await studio.draw(picture())
        assert studio.draw_if_quick(picture()) is drawn

    @pytest.mark.parametrize(
        "other", [picture(Sprite("die-6", Rect(20, 20, 100, 100))), Picture((400, 250), (), (DIE,), "a die")]
    )
    async def test_what_has_to_be_drawn_at_length_is_not(self, studio: PictureService, other: Picture) -> None:
        assert studio.draw_if_quick(picture()) is None
        await studio.draw(picture())
        assert studio.draw_if_quick(picture(), Theme.HIGH_CONTRAST) is None
        assert studio.draw_if_quick(other) is None

    async def test_nobody_waits_for_the_thread(self, studio: PictureService, monkeypatch: pytest.MonkeyPatch) -> None:
        await studio.draw(picture())
        drawing, done, file = threading.Event(), threading.Event(), Renderer.file

        def slow(self: Renderer, wanted: Picture) -> bytes:
            drawing.set()
            done.wait(30)
            return file(self, wanted)

        monkeypatch.setattr(Renderer, "file", slow)
        small = picture(DIE, Box(Rect(200, 20, 50, 50), ColourRole.PAPER), description="a die and a card")
        under_way = asyncio.ensure_future(studio.draw(picture(Sprite("die-6", Rect(20, 20, 100, 100)))))
        await asyncio.to_thread(drawing.wait, 30)
        assert studio.draw_if_quick(small) is None
        assert studio.draw_if_quick(picture()) is not None
        done.set()
        await under_way
        assert studio.draw_if_quick(small) is not None

    async def test_a_fault_is_the_same_exception(self, studio: PictureService) -> None:
        await studio.prepare()
        for _ in range(2):
            with pytest.raises(DrawingFailed, match="shows nothing"):
                studio.draw_if_quick(Picture((0, 0), (), (), "nothing"))
        assert (await studio.draw(picture())).data


async def test_a_closed_studio_draws_nothing_more() -> None:
    studio = PictureService(DATA)
    await studio.prepare()
    studio.close()
    with pytest.raises(DrawingFailed):
        await studio.draw(picture())


async def test_backdrops_are_drawn_once_and_stay_clean(studio: PictureService) -> None:
    backdrop = (Box(Rect(0, 0, 200, 240), ColourRole.PAPER),)
    with_die = Picture((400, 240), backdrop, (DIE,), "a die")
    without = Picture((400, 240), backdrop, (), "no die")
    before = (await studio.draw(without, Theme.HIGH_CONTRAST)).data
    await studio.draw(with_die, Theme.HIGH_CONTRAST)
    again = Picture((400, 240), backdrop, (), "no die either")
    assert (await studio.draw(again, Theme.HIGH_CONTRAST)).data == before
