"""The pictures of an animation fill its frames."""

from random import Random

from bot.pictures.animation import arrange_frames
from bot.rules.chance import FastChance
from bot.tables.levels import usual_level
from bot.ui.features.animations import lay_out_frames
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.stored_games import choose_by_level, play_stored, replay_of

GAMES = load_games_once()
TABLES = sorted(
    {
        (key, seats)
        for key, package in GAMES.items()
        for seats in (package.game.info.least_seats, package.game.info.most_seats)
    }
)

MOST_EMPTY, MOST_EMPTY_AT_START = 0.15, 0.22
"""The shares of a frame that may be empty below its picture. The first lacks a banner, and in Mr. Houdini's
Baggage the row of bonuses that are earned later.
"""

NARROWEST = 0.75
"""The least width of the last frame, the result, which is higher than the low pictures of two seats."""


@each_case("key, seats", TABLES)
def test_no_frame_is_empty_below_its_picture(key: str, seats: int) -> None:
    package = GAMES[key]
    choose = choose_by_level(package, [usual_level(package)], FastChance(Random(seats)))
    stored = play_stored(package, seats, choose, options=package.game.info.options(), seed=seats)
    frames = list(lay_out_frames(replay_of(stored, package), "The Birds"))
    (_width, height), areas = arrange_frames([frame.picture.size for frame in frames], 720)
    assert len(areas) > 3
    start, *others = [(height - area.bottom) / height for area in areas]
    assert start <= MOST_EMPTY_AT_START
    assert max(others) <= MOST_EMPTY
    assert all(area.width >= NARROWEST * 720 for area in areas), "nor narrow"
