"""The medals of badges: one family, legible when they are small, and different without their colours."""

from itertools import combinations

from PIL import Image

from bot.features.badges.messages import list_groups
from bot.rules.picture import ColourRole, Picture, Sprite, Theme
from bot.rules.rewards import MEDAL_AREA, Badge, medal
from tests.pictures.golden import games, make_painter
from tests.pictures.test_art import MIN_DIFFERENCE, difference
from tests.pictures.test_art_contrast import OUTLINE, visible_share
from tests.support.each_case import each_case

BADGES = {f"{group.key}/{badge.key}": badge for group in list_groups(games()) for badge in group.badges}
SMALL = (48, 48)


def draw(badge: Badge, theme: Theme, *, is_blank: bool = False) -> Image.Image:
    """Draw a medal, or just its ring, as small as in a list."""
    marks = badge.medal[:1] if is_blank else badge.medal
    return make_painter(theme).paint(Picture(MEDAL_AREA[2:], (), marks, "A medal.")).resize(SMALL)


def test_there_are_thirty_and_each_is_a_medal() -> None:
    assert len(BADGES) == 30
    for badge in BADGES.values():
        ring = badge.medal[0]
        assert isinstance(ring, Sprite)
        assert badge.medal[:1] == medal(ring.colour or ColourRole.TEXT)
        assert all(MEDAL_AREA.contains(mark.at) for mark in badge.medal)


@each_case("theme", Theme)
def test_what_is_on_a_medal_is_visible_when_it_is_small(theme: Theme) -> None:
    shares = {key: visible_share(draw(each, theme, is_blank=True), draw(each, theme)) for key, each in BADGES.items()}
    assert {key: share for key, share in shares.items() if share < OUTLINE} == {}


def test_medals_differ_without_their_colours() -> None:
    drawn = {key: draw(badge, Theme.STANDARD).convert("RGBA") for key, badge in BADGES.items()}
    alike = [pair for pair in combinations(drawn, 2) if difference(*(drawn[key] for key in pair)) < MIN_DIFFERENCE]
    assert alike == []
