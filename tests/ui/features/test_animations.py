"""The pictures of an animation fill its frames, and neither they nor the file take long."""

from random import Random

from bot.features.replays.animations import lay_out_frames
from bot.pictures.animation import AnimationDrawing, Frame, arrange_frames
from bot.platform.content import DATA
from bot.rules.chance import FastChance
from bot.rules.picture import Theme
from bot.tables.registry import usual_level
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.stored_games import choose_by_level, play_stored, replay_of

GAMES = load_games_once()
TABLES = sorted(
    {
        (key, seats)
        for key, package in GAMES.items()
        for seats in (package.game.info.least_seats, package.game.info.most_seats)
        if package.look.build_picture is not None
    }
)

MOST_EMPTY, MOST_EMPTY_AT_START = 0.15, 0.22
"""The shares of a frame that may be empty below its picture. The first lacks a banner, and in Mr. Houdini's
Baggage the row of bonuses that are earned later.
"""

NARROWEST = 0.75
"""The least width of the last frame, the result, which is higher than the low pictures of two seats."""


MOST_SECONDS = 20
MOST_BYTES = 720 * 1024
"""Less than a fifth of the limit: the most that was seen are 643 KiB, in Mr. Houdini's Baggage."""


def lay_out(key: str, seats: int) -> list[Frame]:
    """Return the frames of a whole game."""
    package = GAMES[key]
    choose = choose_by_level(package, [usual_level(package)], FastChance(Random(seats)))
    stored = play_stored(package, seats, choose, options=package.game.info.options(), seed=seats)
    return list(lay_out_frames(replay_of(stored, package), "The Birds"))


@each_case("key, seats", TABLES)
def test_no_frame_is_empty_below_its_picture(key: str, seats: int) -> None:
    frames = lay_out(key, seats)
    (_width, height), areas = arrange_frames([frame.picture.size for frame in frames], 720)
    assert len(areas) > 3
    start, *others = [(height - area.bottom) / height for area in areas]
    assert start <= MOST_EMPTY_AT_START
    assert max(others) <= MOST_EMPTY
    assert all(area.width >= NARROWEST * 720 for area in areas), "nor narrow"
    assert sum(frame.seconds for frame in frames) < MOST_SECONDS


def test_the_file_of_the_game_that_takes_most_is_small() -> None:
    frames, drawing = lay_out("houdinis_baggage", 4), AnimationDrawing(DATA, Theme.STANDARD)
    for frame in frames:
        drawing.draw(frame.picture)
    assert len(drawing.encode([frame.seconds for frame in frames], 720)) <= MOST_BYTES
