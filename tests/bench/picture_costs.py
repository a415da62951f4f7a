"""Costs of pictures: CPU time, file size, preparation of the art, delays of the event loop."""

import asyncio
import gc
import pickle
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice, pairwise
from pathlib import Path

from bot.pictures.rolls import RollPainter
from bot.pictures.service import PictureService
from bot.pictures.themes import palette_colours
from bot.platform.content import DATA
from bot.platform.observability.event_loop import tune_gc
from bot.rules.game import visible_events
from bot.rules.motion import Motion, Played
from bot.rules.package import on_surface
from bot.rules.picture import Picture, Theme
from bot.rules.story import HIGHLIGHT_WEIGHTS
from bot.tables.registry import AnyPackage, load_games
from bot.tools.showcase_search import picture_of, play_through
from bot.tools.showcases import SHOWCASE_NAMEPLATES
from tests.bench.rows import Figure, Round, Row, Taken

PICTURES = 400
ROLLS = 160
ROLL_ROWS = {
    "routine": (Row.ROUTINE_ROLL, Row.LARGEST_ROUTINE_ROLL),
    "moment": (Row.MOMENT, Row.LARGEST_MOMENT),
}
_TICK_SECONDS = 0.001


@dataclass(frozen=True, slots=True)
class DrawingCosts:
    """The costs of a game's pictures, drawn one after another."""

    p50: float
    """CPU time per picture, in milliseconds."""
    p99: float
    largest_kib: float
    at_once: float
    """The longest drawing in the event loop, in milliseconds of CPU time."""
    held: float
    """The longest delay of the event loop while this process worked, in milliseconds."""
    collected: float
    """The longest garbage collection, in milliseconds; collections are tuned as in the bot."""


@asynccontextmanager
async def measure_pictures() -> AsyncIterator[Round]:
    """Measure the pictures of every game."""
    pictures = {package.game.info.title: sample_pictures(package) for package in _packages_with_pictures()}

    async def measure() -> Taken:
        costs = {title: await _measure_pictures(sample) for title, sample in pictures.items()}
        rows = {
            Row.PICTURE_P50: Figure(max(cost.p50 for cost in costs.values())),
            Row.PICTURE_P99: Figure(max(cost.p99 for cost in costs.values())),
            Row.LARGEST_PICTURE: Figure(max(cost.largest_kib for cost in costs.values())),
            Row.LOOP_HELD: Figure(max(max(cost.held, cost.at_once) for cost in costs.values())),
            Row.COLLECTION: Figure(max(cost.collected for cost in costs.values())),
        }
        return Taken(rows, costs)

    yield measure


def _packages_with_pictures() -> list[AnyPackage]:
    return [package for package in load_games().values() if package.look.build_picture is not None]


@dataclass(frozen=True, slots=True)
class RollCosts:
    """The costs of a game's routine rolls, or of its moments."""

    p50: float
    """Milliseconds of CPU time that motion adds to the still."""
    still: float
    """Milliseconds of CPU time of the still."""
    largest_kib: float


def measure_rolls() -> AbstractAsyncContextManager[Round]:
    """Measure the animated rolls of every game that has them, beside their stills."""

    async def measure() -> Taken:
        packages = [package for package in load_games().values() if package.look.find_motion is not None]
        rolls = {package.game.info.title: await _measure_rolls_of(package) for package in packages}
        rows: dict[Row, Figure] = {}
        for kind, (beyond, largest) in ROLL_ROWS.items():
            costs = [kinds[kind] for kinds in rolls.values() if kind in kinds]
            slowest = max(costs, key=lambda cost: cost.p50)
            rows[beyond] = Figure(slowest.p50, slowest.still)
            rows[largest] = Figure(max(cost.largest_kib for cost in costs))
        return Taken(rows, rolls)

    return nullcontext(measure)


@dataclass(frozen=True, slots=True)
class _Roll:
    """What a roll cost: milliseconds of processor time, and KiB."""

    is_moment: bool
    still: float
    beyond: float
    """All that motion adds: laying it out, passing it to another process, and drawing it there."""
    kib: float


async def _measure_rolls_of(package: AnyPackage) -> dict[str, RollCosts]:
    """Return the costs of routine rolls and of moments, in a game with all seats taken."""
    surfaces = {key: each.look.surface for key, each in load_games().items()}
    rolls = list[_Roll]()
    with PictureService(DATA, surfaces=surfaces) as studio:
        await studio.prepare()
        painter = RollPainter(DATA, surfaces=surfaces)
        for number, (picture, laying_out) in enumerate(islice(_find_rolls(package), ROLLS)):
            motion = picture.motion
            assert motion is not None
            busy = time.process_time()
            still = (await studio.draw(picture)).data
            drawn = time.process_time()
            draw = partial(RollPainter.draw, still=still, picture=picture, motion=motion, theme=Theme.STANDARD)
            file = pickle.loads(pickle.dumps(draw))(painter)  # noqa: S301 - as between processes
            beyond = laying_out + time.process_time() - drawn
            # The first rolls wait for art that is loaded once.
            if number >= ROLLS // 4 and isinstance(file, bytes):
                rolls.append(_Roll(motion.is_moment, 1000 * (drawn - busy), 1000 * beyond, len(file) / 1024))
    return {
        kind: RollCosts(
            p50=round(statistics.median(roll.beyond for roll in found), 1),
            still=round(statistics.median(roll.still for roll in found), 1),
            largest_kib=round(max(roll.kib for roll in found), 1),
        )
        for kind, is_moment in (("routine", False), ("moment", True))
        if (found := [roll for roll in rolls if roll.is_moment is is_moment])
    }


def _find_rolls(package: AnyPackage) -> Iterator[tuple[Picture, float]]:
    """Yield pictures with motion, as tables show them, with the seconds that laying the motion out took."""
    info, find_motion, narration = package.game.info, package.look.find_motion, package.words.narration
    assert find_motion is not None
    for number in count():
        for before, after in pairwise(play_through(package, info.options(), info.most_seats, number)):
            known = {id(event) for event in before.events}
            events = visible_events(None, [event for event in after.events if id(event) not in known])
            views = (package.game.view(before.state, None), package.game.view(after.state, None))
            played = Played(views[0], visible_events(None, before.events), views[1], events)
            began = time.process_time()
            motion: Motion | None = find_motion(played, SHOWCASE_NAMEPLATES)
            laying_out = time.process_time() - began
            picture = picture_of(package, after)
            if motion is None or picture is None:
                continue
            highlight = None if narration is None else narration.highlight(views[1], events)
            is_moment = motion.is_moment or (highlight is not None and highlight.weight >= HIGHLIGHT_WEIGHTS[1])
            before_on_surface = on_surface(package, motion.before)
            staging = tuple(on_surface(package, staged) for staged in motion.staging)
            motion = replace(motion, before=before_on_surface, staging=staging, is_moment=is_moment)
            yield replace(picture, motion=motion), laying_out


def sample_pictures(package: AnyPackage) -> list[Picture]:
    """Return different pictures of games with all seats taken."""
    info = package.game.info
    moments = (
        moment for number in range(20) for moment in play_through(package, info.options(), info.most_seats, number)
    )
    made = (picture_of(package, moment) for moment in islice(moments, 2 * PICTURES))
    return list(dict.fromkeys(picture for picture in made if picture is not None))[:PICTURES]


async def _measure_pictures(pictures: list[Picture]) -> DrawingCosts:
    """Draw all pictures, the last one first.

    Every other one is measured for its delays alone: ticking takes up to a quarter of a picture's processor time.
    """
    spent: list[float] = []
    in_loop: list[float] = []
    sizes: list[int] = []
    held = 0.0
    surfaces = {key: package.look.surface for key, package in load_games().items()}
    with PictureService(DATA, surfaces=surfaces) as studio, tune_gc(), _time_collections() as collections:
        await studio.prepare()
        await studio.draw(pictures[-1])
        for number, picture in enumerate(pictures[:-1]):
            ticking = asyncio.ensure_future(measure_longest_block()) if number % 2 else None
            # Each picture belongs to its own click: other tasks run in between.
            await asyncio.sleep(_TICK_SECONDS)
            busy, began_in_loop = time.process_time(), time.thread_time()
            at_once = studio.draw_if_quick(picture)
            in_loop.append(time.thread_time() - began_in_loop)
            sizes.append(len((at_once or await studio.draw(picture)).data))
            if ticking is None:
                spent.append(1000 * (time.process_time() - busy))
            else:
                await asyncio.sleep(_TICK_SECONDS)
                ticking.cancel()
                held = max(held, await ticking)
    return DrawingCosts(
        p50=round(statistics.median(spent), 2),
        p99=round(statistics.quantiles(spent, n=100)[98], 2),
        largest_kib=round(max(sizes) / 1024, 1),
        at_once=round(1000 * max(in_loop), 2),
        held=round(1000 * held, 2),
        collected=round(1000 * max(collections, default=0.0), 2),
    )


@contextmanager
def _time_collections() -> Iterator[list[float]]:
    """Record the seconds of CPU time of each garbage collection."""
    taken: list[float] = []
    began = 0.0

    def note(phase: str, _facts: dict[str, int]) -> None:
        nonlocal began
        if phase == "start":
            began = time.thread_time()
        else:
            taken.append(time.thread_time() - began)

    gc.callbacks.append(note)
    try:
        yield taken
    finally:
        gc.callbacks.remove(note)


async def measure_longest_block() -> float:
    """Tick until cancelled; return the greatest delay of a tick, in seconds of CPU time."""
    longest = 0.0
    with suppress(asyncio.CancelledError):
        while True:
            began, busy = time.perf_counter(), time.process_time()
            await asyncio.sleep(_TICK_SECONDS)
            late = time.perf_counter() - began - _TICK_SECONDS
            longest = max(longest, min(late, time.process_time() - busy))
    return longest


def measure_art() -> AbstractAsyncContextManager[Round]:
    """Measure the CPU time until art is ready: of a first picture, of all, and of all read from the disk.

    The first picture is that of the game that takes longest; before it, nothing has been drawn in its colours.
    """
    firsts = [sample_pictures(package)[0] for package in _packages_with_pictures()]
    surfaces = {package.game.info.key: package.look.surface for package in _packages_with_pictures()}

    async def draw(picture: Picture) -> float:
        palette_colours.cache_clear()
        began = time.process_time()
        with PictureService(DATA, surfaces=surfaces) as studio:
            await studio.draw(picture)
            return time.process_time() - began

    async def prepare(folder: Path) -> float:
        began = time.process_time()
        with PictureService(DATA, folder, surfaces) as studio:
            await studio.prepare()
            return time.process_time() - began

    async def measure() -> Taken:
        first = max([await draw(picture) for picture in firsts])
        with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
            cold, warm = [await prepare(Path(folder)) for _ in range(2)]
        return Taken({Row.FIRST_ART: Figure(first), Row.ALL_ART: Figure(cold)}, {"warm": warm})

    return nullcontext(measure)
