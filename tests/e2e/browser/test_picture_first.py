"""On a phone the picture of a table comes soon after its title, is large, and leaves room for the buttons."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from heapq import nlargest
from io import BytesIO
from random import Random
from typing import TYPE_CHECKING, TypeAlias

import pytest
from PIL import Image

from bot.features.results.messages import rating_line
from bot.features.results.ratings import NEW, Rating, RatingChange, Strength
from bot.pictures.service import PictureFile
from bot.platform.places import Person
from bot.rules.chance import FastChance
from bot.rules.screen import EMPTY_DRAFT
from bot.rules.study import Tip
from bot.tables.lobby import make_occupant
from bot.tables.model import Occupant, Status
from bot.tables.registry import AnyPackage, usual_level
from bot.tables.shown.links import escaped_seat_names
from bot.tables.shown.parts import Place, TextPart
from bot.tables.shown.screen import screen_of
from bot.tables.table import Table, apply_move
from bot.tools.contract.phone_lines import count_screen_lines
from bot.tools.showcases import list_showcases
from tests.pictures.golden import find_moments_once
from tests.support.apps import make_unconnected_app
from tests.support.chromium import PHONE_PICTURE_WIDTH, PHONE_VIEWPORT, BrowserWindows
from tests.support.fakes import make_table
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.moments import longest_tip, table_at
from tests.support.parlour import Parlour
from tests.support.picture_checks import LEAST_PICTURE_SHARE, MAX_PICTURE_TOP, project_assets
from tests.support.rendering import render_game

if TYPE_CHECKING:
    from playwright.async_api import Page
pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

Measures: TypeAlias = dict[str, float]

PICTURED = {key: package for key, package in load_games_once().items() if package.look.build_picture is not None}
"""The games with a picture, which is optional."""

SAMPLE = 2
"""About so many moves of a game are shown, besides those that need the most room."""

NAMES = ("Robin Hartley", "Wren", "Christopherus", "The Great Linnet", "xX_Heron_Xx", "Siskin Maximilianson")
WIDE_NAMES = tuple(f"{letter}{'MW' * 16}"[:32] for letter in "MWQGOD")
"""As long as a name can be, in the widest letters."""

MEASURE = """
async (id) => {
  const message = document.querySelector(`[data-message-id='${id}']`);
  const picture = message.querySelector(".embed-picture img");
  await Promise.all([picture.decode(), document.fonts.ready]);
  const [title, embed, image] = [".embed-title", ".embed", ".embed-picture img"].map(
    (part) => message.querySelector(part).getBoundingClientRect());
  const buttons = [...message.querySelectorAll("[data-custom-id]")].map((each) => each.getBoundingClientRect().bottom);
  return {
    width: image.width,
    top: image.top - message.getBoundingClientRect().top,
    share: image.height / embed.height,
    length: Math.max(embed.bottom, ...buttons) - title.top,
    room: document.querySelector("#feed").clientHeight,
    lines: new Set([...message.querySelectorAll(".row > *")].map((each) => each.getBoundingClientRect().top)).size,
  };
}
"""


def check(measures: Measures) -> None:
    """Check that a message begins with its picture, gives it half of its embed and fits into the window.

    It is as wide as tests of pictures reckon with.
    """
    assert round(measures["width"]) >= PHONE_PICTURE_WIDTH
    top, share, length, room = (measures[name] for name in ("top", "share", "length", "room"))
    assert top <= MAX_PICTURE_TOP, f"the picture begins {top} pixels below the message's top: shorten the summary"
    assert share >= LEAST_PICTURE_SHARE, f"the picture has {share:.0%} of the embed's height: shorten the summary"
    assert length <= room, f"{length} pixels from the title to the buttons, {room} fit: lower picture or summary"


def rate_people(table: Table) -> tuple[RatingChange, ...]:
    """Make a change of the rating of each person at a table."""
    people = [seat for seat, occupant in enumerate(table.seats) if occupant.user_id is not None]
    after = Rating(Strength(45.0, 7.0), 9)
    return tuple(RatingChange(table.id, seat, seat, NEW, after) for seat in people) if len(people) > 1 else ()


def tell_ratings(table: Table) -> tuple[str, ...]:
    """Word these changes, as the result of a table tells them."""
    return (rating_line(rate_people(table), escaped_seat_names(table), ""),)


_PARTS = make_unconnected_app(MemoryDatabase(), load_games_once()).table_messages.parts
_PARTS.add([TextPart(Place.RESULT_RATING, tell_ratings)])


@cache
def make_blank(size: tuple[int, int]) -> bytes:
    """Make the file of a blank picture: where it lies depends on its size alone."""
    file = BytesIO()
    Image.new("1", size).save(file, "png")
    return file.getvalue()


async def show(page: "Page", parlour: Parlour, table: Table, tip: Tip | None = None) -> Measures:
    """Post a table's message, return its measures on the page and delete it, because every message slows the page."""
    content = render_game(table, EMPTY_DRAFT, tip, _PARTS)
    assert content.make_picture is not None
    blank = PictureFile(make_blank(content.make_picture().size), "picture.png", "a blank picture")
    message = content.with_picture(blank).send_kwargs()
    posted = await parlour.client.get_partial_messageable(parlour.here.id).send(**message)
    await page.locator(f"[data-message-id='{posted.id}'] .embed-picture img").wait_for()
    measures: Measures = await page.evaluate(MEASURE, str(posted.id))
    await posted.delete()
    # The contract reckons with so many lines, and below them is one more.
    assert measures["lines"] == count_screen_lines(screen_of(table), project_assets()) + 1
    return measures


@pytest.mark.parametrize("key", PICTURED)
async def test_the_picture_comes_first(windows: BrowserWindows, parlour: Parlour, key: str) -> None:
    package = load_games_once()[key]
    async with windows.use() as window:
        page = await window.open(parlour.sandbox.url, PHONE_VIEWPORT)
        for showcase in list_showcases(package.game.info.key):
            if showcase.hand_seat is None:
                table = table_at(package, showcase, find_moments_once(key)[showcase.name], NAMES)
                # A tip makes a message longer, and takes nothing from its picture.
                check(await show(page, parlour, table, longest_tip(table)))


def steps_of_game(
    package: AnyPackage, seats: int, people: int, seed: int, people_names: Sequence[str]
) -> Iterator[Table]:
    """Yield a table at each move, with computer players at the seats that people do not have, and at the end."""
    level = usual_level(package)
    players = (make_occupant(Person(each, name), each) for each, name in enumerate(people_names[:people], 1))
    occupants = (*players, *[Occupant(level=level)] * (seats - people))
    table, chance = make_table(*occupants, status=Status.PLAYING, package=package), FastChance(Random(seed))
    table = replace(table, header=replace(table.header, seed=bytes([seed] * 32)))
    while table.header.to_move is not None:
        yield table
        view, moves = package.game.view(table.state, table.header.to_move), package.game.legal_moves(table.state)
        table = apply_move(table, table.header.to_move, package.mind.strategies[level](view, moves, chance))
    yield table


def controls_size(table: Table) -> int:
    """Return roughly how much room the controls of a table take: the length of their labels."""
    screen = screen_of(table)
    return sum(len(each.label) for row in screen.controls for each in row) + sum(40 for _ in screen.menus)


def news_length(table: Table) -> int:
    """Return roughly how many lines the news next to the picture take."""
    news = render_game(table, EMPTY_DRAFT).picture_embed_json.get("description", "")
    return sum(1 + len(line) // 36 for line in news.splitlines())


def find_fullest(turns: Sequence[Table], count: int = 1) -> tuple[Table, ...]:
    """Return the tables with the most controls, the most news, and the most of both."""
    sizes = [(controls_size(table), news_length(table)) for table in turns]
    weights = ((1, 0), (0, 1), (1, 36))
    ranked = ([one * size + other * news for size, news in sizes] for one, other in weights)
    places = {place for rank in ranked for place in nlargest(count, range(len(turns)), key=rank.__getitem__)}
    return tuple(turns[place] for place in sorted(places))


@pytest.mark.parametrize("key", PICTURED)
async def test_a_whole_game_leaves_the_picture_in_view(windows: BrowserWindows, parlour: Parlour, key: str) -> None:
    package = load_games_once()[key]
    most = package.game.info.most_seats
    async with windows.use() as window:
        page = await window.open(parlour.sandbox.url, PHONE_VIEWPORT)
        tops = list[float]()
        for people, seed, names in ((1, 9, ("Robin",)), (most, 5, WIDE_NAMES)):
            *steps, end = steps_of_game(package, most, people, seed, names)
            turns = [table for table in steps if not table.header.awaits_computer]
            for table in (*turns[:: max(1, len(turns) // SAMPLE)], *find_fullest(turns), end):
                check(measures := await show(page, parlour, table, longest_tip(table)))
                if people == 1 and table is not end:
                    tops.append(measures["top"])
            if people == 1:
                waiting = [table for table in steps if table.header.awaits_computer]
                tops += [(await show(page, parlour, table))["top"] for table in waiting[:40:20]]
        # Small print is a little lower.
        assert max(tops) - min(tops) <= 3, "nothing above the picture moves"
