"""Animated rolls: what their frames show, how large their files are, and when a roll lies still."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageChops

from bot.pictures import rolls
from bot.pictures.gif import (
    MAX_COLOURS,
    Block,
    encode_change,
    encode_lines,
    encode_parts,
    find_parts,
    join_gif,
    join_strips,
)
from bot.pictures.rolls import NotAnimated, RollPainter, RollService, fit_blocks
from bot.pictures.service import PictureFile, PictureService
from bot.platform.content import DATA
from bot.rules.components import die_marks
from bot.rules.motion import Motion, MovingPiece, RollOutcome, tumble
from bot.rules.picture import Box, ColourRole, Picture, Rect, Theme
from bot.workers import WorkerLost, WorkerPool

AREAS = Rect(20, 20, 400, 160).split_columns(2, 20)
SCORE = Rect(20, 240, 200, 40)
BEFORE = Picture((440, 300), (), (Box(SCORE, ColourRole.GOLD),), "before")


def die(face: int, at: Rect, turn: int) -> Any:
    return die_marks(face, at, ColourRole.PAPER, turn)


def make_picture(*, is_moment: bool = False) -> Picture:
    """Return two dice that were rolled, and a score that they changed."""
    pieces = tuple(
        MovingPiece(area, tumble(area, place, range(1, 7), die), die(3 + place, area.center(120, 120), 0))
        for place, area in enumerate(AREAS)
    )
    marks = (*(mark for piece in pieces for mark in piece.rest), Box(SCORE, ColourRole.NEW))
    staged = replace(BEFORE, marks=(*BEFORE.marks, *(mark for piece in pieces for mark in piece.rest)))
    motion = Motion(BEFORE, pieces, (staged,) if is_moment else (), is_moment)
    return Picture(BEFORE.size, (), marks, "after", motion=motion)


@pytest.fixture(scope="module")
def painter() -> RollPainter:
    return RollPainter(DATA)


@pytest.fixture
def pictures() -> Iterator[PictureService]:
    with PictureService(DATA) as made:
        yield made


def frames_of(file: bytes) -> list[tuple[Image.Image, int]]:
    with Image.open(BytesIO(file)) as image:
        assert (image.format, "loop" in image.info) == ("GIF", False), "it plays once"
        found = []
        for at in range(getattr(image, "n_frames", 1)):
            image.seek(at)
            found.append((image.convert("RGB"), int(image.info["duration"])))
        return found


def differ(one: Image.Image, other: Image.Image) -> tuple[int, int, int, int] | None:
    return ImageChops.difference(one, other).getbbox()


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("is_moment", [False, True])
async def test_a_roll_begins_and_ends_with_the_still_and_shows_no_result_in_between(
    painter: RollPainter, pictures: PictureService, theme: Theme, *, is_moment: bool
) -> None:
    picture = make_picture(is_moment=is_moment)
    still = (await pictures.draw(picture, theme)).data
    motion = picture.motion
    assert motion is not None
    file = painter.draw(still, picture, motion, theme)
    assert isinstance(file, bytes)
    (first, preview), *between, (last, stay) = frames_of(file)
    with Image.open(BytesIO(still)) as image:
        result = image.convert("RGB")
    assert differ(first, result) is None
    assert differ(last, result) is None
    assert (preview, stay) == (20, 60_000)
    assert sum(milliseconds for _, milliseconds in between) == round(1000 * motion.seconds)
    with Image.open(BytesIO((await pictures.draw(BEFORE, theme)).data)) as image:
        before = image.convert("RGB")
    for frame, _ in between:
        for area in AREAS:
            frame.paste(before.crop((area.x, area.y, area.right, area.bottom)), (area.x, area.y))
        assert differ(frame, before) is None, "everything but the dice is as it was"


async def test_the_dice_rest_as_painted_before_the_result(painter: RollPainter, pictures: PictureService) -> None:
    picture = make_picture()
    assert picture.motion is not None
    file = painter.draw((await pictures.draw(picture)).data, picture, picture.motion, Theme.STANDARD)
    assert isinstance(file, bytes)
    marks = (*BEFORE.marks, *(mark for piece in picture.motion.pieces for mark in piece.rest))
    rest = (await pictures.draw(replace(BEFORE, marks=marks))).data
    with Image.open(BytesIO(rest)) as image:
        assert differ(frames_of(file)[-2][0], image.convert("RGB")) is None


async def test_what_earlier_stills_had_is_cut_out_of_them_and_looks_the_same(pictures: PictureService) -> None:
    earlier = make_picture()
    assert earlier.motion is not None
    score = Box(SCORE.shift(40), ColourRole.GOOD)
    motion = replace(earlier.motion, before=replace(BEFORE, marks=(Box(SCORE, ColourRole.NEW),)))
    picture = replace(earlier, marks=(*earlier.marks[:-1], score), motion=motion)
    still = (await pictures.draw(picture)).data
    painter = RollPainter(DATA)
    painter.draw((await pictures.draw(earlier)).data, earlier, earlier.motion, Theme.STANDARD)
    file = painter.draw(still, picture, motion, Theme.STANDARD)
    assert isinstance(file, bytes)
    assert file == RollPainter(DATA).draw(still, picture, motion, Theme.STANDARD)


@pytest.mark.parametrize("length", [1, 254, 255, 256, 767, 1791, 3838, 3839, 3840, 9000])
def test_strips_of_any_length_follow_one_another_as_if_encoded_together(length: int) -> None:
    # In noise each pixel is a code of its own, and the lengths are those at which codes become longer.
    lines = np.random.default_rng(length).integers(0, MAX_COLOURS, (3, length), np.uint8)
    pixels = join_strips(encode_lines(lines[at : at + 1]) for at in range(3))
    file = join_gif(
        (length, 3), [(red, 0, 0) for red in range(MAX_COLOURS)], [Block(Rect(0, 0, length, 3), pixels, 20)]
    )
    with Image.open(BytesIO(file)) as image:
        assert np.array_equal(np.asarray(image), lines)


@pytest.mark.parametrize(
    ("changes", "count"),
    [
        ((), 1),
        ((Rect(40, 40, 16, 300),), 1),
        ((Rect(3, 2, 2, 2), Rect(490, 395, 10, 5)), 1),
        ((Rect(40, 40, 16, 300), Rect(450, 60, 9, 300)), 2),
        ((Rect(0, 0, 500, 20), Rect(40, 90, 16, 300)), 2),
    ],
    ids=["nothing", "one place", "few lines", "left and right", "above and below"],
)
@pytest.mark.parametrize("width", [504, 501])
def test_a_change_at_places_far_apart_takes_two_blocks(changes: tuple[Rect, ...], count: int, width: int) -> None:
    before = np.random.default_rng(1).integers(0, MAX_COLOURS, (400, width), np.uint8)
    after = before.copy()
    for at in changes:
        after[at.y : at.bottom, at.x : at.right] = (before[at.y : at.bottom, at.x : at.right] + 1) % MAX_COLOURS
    blocks = encode_change(before, after, 120)
    assert (len(blocks), sum(block.milliseconds for block in blocks)) == (count, 120)
    whole = Block(Rect(0, 0, width, 400), join_strips([encode_lines(before)]), 20)
    file = join_gif((width, 400), [(red, 0, 0) for red in range(MAX_COLOURS)], [whole, *blocks])
    with Image.open(BytesIO(file)) as image:
        image.seek(len(blocks))
        assert np.array_equal(np.asarray(image.convert("RGB"))[..., 0], after)


def test_parts_hold_areas_that_differ_in_other_states() -> None:
    before = np.random.default_rng(1).integers(0, MAX_COLOURS, (403, 504), np.uint8)
    after, die = before.copy(), Rect(311, 201, 90, 90)
    after[10:30, 20:40] = 7
    tumbling = after.copy()
    tumbling[die.y : die.bottom, die.x : die.right] = 9
    parts = find_parts(before, after, [die])
    way = [*encode_parts(before, tumbling, parts, 60), *encode_parts(tumbling, after, parts, 60)]
    whole = Block(Rect(0, 0, 504, 403), join_strips([encode_lines(before)]), 20)
    file = join_gif((504, 403), [(red, 0, 0) for red in range(MAX_COLOURS)], [whole, *way])
    with Image.open(BytesIO(file)) as image:
        for at, shown in ((len(parts), tumbling), (2 * len(parts), after)):
            image.seek(at)
            assert np.array_equal(np.asarray(image.convert("RGB"))[..., 0], shown)


def make_blocks(*sizes: int, steps: int) -> list[tuple[Block, bool]]:
    """Return blocks of some sizes, of which the second and those after it are steps."""
    return [(Block(Rect(0, 0, 1, 1), bytes(size), 20), 0 < at <= steps) for at, size in enumerate(sizes)]


def test_a_file_that_is_too_large_loses_its_first_steps_and_then_all_motion() -> None:
    blocks = make_blocks(4000, 100, 200, 300, 4000, steps=3)
    sizes = [[len(block.pixels) for block in fit_blocks(blocks, 12_000 - less) or ()] for less in (0, 1360, 1500, 1700)]
    assert sizes == [[4000, 100, 200, 300, 4000], [4000, 200, 300, 4000], [4000, 300, 4000], [4000, 4000]]
    assert fit_blocks(blocks, 8000) is None


async def test_a_palette_without_a_free_entry_lies_still(
    painter: RollPainter, pictures: PictureService, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = make_picture()
    assert picture.motion is not None
    monkeypatch.setattr(rolls, "palette_colours", lambda *_: ((0, 0, 0),) * 256)
    drawn = painter.draw((await pictures.draw(picture)).data, picture, picture.motion, Theme.STANDARD)
    assert drawn is RollOutcome.TOO_MANY_COLOURS


class FakeWorkers:
    """Workers that draw at once, never, or not at all."""

    def __init__(self, answer: Callable[[], Any]) -> None:
        self.answer = answer
        self.is_running = True

    async def call(self, function: Any, **_: Any) -> Any:
        return await self.answer() if function.func is RollPainter.draw else None

    async def close(self) -> None:
        """Do nothing."""


async def answer_at_once() -> bytes:
    return b"GIF"


async def answer_never() -> None:
    await asyncio.Event().wait()


async def die_meanwhile() -> None:
    raise WorkerLost("a worker died")


def make_service(pictures: PictureService, answer: Callable[[], Any]) -> RollService:
    workers: Any = FakeWorkers(answer)
    return RollService(pictures, workers)


@pytest.mark.parametrize(
    ("answer", "outcome"), [(answer_never, RollOutcome.LATE), (die_meanwhile, RollOutcome.FAILED)], ids=["late", "lost"]
)
async def test_a_roll_lies_still_if_it_is_not_drawn_soon(
    pictures: PictureService, answer: Callable[[], Any], outcome: RollOutcome
) -> None:
    still = PictureFile(b"PNG", "table.png", "after")
    with pytest.raises(NotAnimated) as lying:
        await make_service(pictures, answer).animate(still, make_picture(), Theme.STANDARD)
    assert lying.value.reason is outcome


@pytest.mark.parametrize(("waiting", "moving"), [(8, (True, True)), (9, (False, True)), (17, (False, False))])
async def test_when_many_pictures_wait_only_moments_move_and_then_nothing(
    pictures: PictureService, monkeypatch: pytest.MonkeyPatch, waiting: int, moving: tuple[bool, bool]
) -> None:
    monkeypatch.setattr(PictureService, "waiting", waiting)
    service, still = make_service(pictures, answer_at_once), PictureFile(b"PNG", "table.png", "after")
    for is_moment, moves in zip((False, True), moving, strict=True):
        animating = service.animate(still, make_picture(is_moment=is_moment), Theme.STANDARD)
        if moves:
            moved = await animating
            assert (moved.data, moved.media_type, moved.is_moment) == (b"GIF", "image/gif", is_moment)
        else:
            with pytest.raises(NotAnimated) as lying:
                await animating
            assert lying.value.reason is RollOutcome.BUSY


async def test_another_process_draws_a_roll(pictures: PictureService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rolls, "LATEST_SECONDS", 60.0)
    service = RollService(pictures, WorkerPool(partial(RollPainter, DATA), size=1))
    try:
        picture = make_picture()
        moved = await service.animate(await pictures.draw(picture), picture, Theme.STANDARD)
        assert moved.rolling_seconds == pytest.approx(picture.motion.seconds if picture.motion else 0)
        assert len(frames_of(moved.data)) > 10
    finally:
        await service.close()
