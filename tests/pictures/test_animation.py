"""Animations: drawn in another process, in order, small enough, and in the colours of their game."""

import asyncio
from io import BytesIO

import pytest
from PIL import Image

from bot.pictures.animation import AnimationTooLarge, Animator, Frame
from bot.pictures.themes import colour_of
from bot.platform.content import DATA
from bot.rules.picture import Box, ColourRole, Label, Picture, Rect, Theme

INKS = (ColourRole.RED, ColourRole.GREEN, ColourRole.BLUE)
FRAMES = [
    Frame(Picture((1000, 500), (), (Box(Rect(0, 0, 1000, 300), ink),), "a test"), seconds=0.5 + at)
    for at, ink in enumerate(INKS)
]


def colours_and_durations(file: bytes) -> list[tuple[object, int]]:
    with Image.open(BytesIO(file)) as image:
        found: list[tuple[object, int]] = []
        for at in range(getattr(image, "n_frames", 1)):
            image.seek(at)
            found.append((image.convert("RGB").getpixel((300, 100)), image.info["duration"]))
        return found


async def test_the_frames_come_in_order_and_stay_as_long_as_they_should() -> None:
    progress: list[int] = []
    file = await Animator(DATA).animate(FRAMES, Theme.STANDARD, progress.append)
    expected = [colour_of(Theme.STANDARD, ink) for ink in INKS]
    assert colours_and_durations(file) == list(zip(expected, [500, 1500, 2500], strict=True))
    assert progress == [1, 2, 3]
    with Image.open(BytesIO(file)) as image:
        assert image.format == "GIF"
        assert image.size == (720, 360)
        assert "loop" not in image.info, "it plays once and stays at the result"


@pytest.mark.slow
async def test_a_large_animation_gets_smaller_and_at_last_fails() -> None:
    wide = [
        Frame(Picture((1000, 400), (), (Label(str(at) * 30, Rect(0, 0, 1000, 400), ColourRole.PAPER),), "a"), 1.0)
        for at in range(2)
    ]
    file = await Animator(DATA).animate(wide, Theme.DARK, lambda _: None)
    smaller = await Animator(DATA, max_bytes=len(file) - 1).animate(wide, Theme.DARK, lambda _: None)
    assert len(smaller) < len(file)
    with pytest.raises(AnimationTooLarge):
        await Animator(DATA, max_bytes=100).animate(wide, Theme.DARK, lambda _: None)


async def test_the_event_loop_goes_on_meanwhile_and_a_cancelled_animation_ends_its_process() -> None:
    animator, ticks = Animator(DATA), 0
    drawing = asyncio.create_task(animator.animate(FRAMES, Theme.STANDARD, lambda _: None))
    while not drawing.done() and ticks < 10:
        await asyncio.sleep(0.01)
        ticks += 1
    assert ticks == 10
    drawing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drawing
    assert len(colours_and_durations(await animator.animate(FRAMES, Theme.STANDARD, lambda _: None))) == 3
