"""The card of a person and their badges: what they have done fits, however much or little that is."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.features.badges.messages import (
    OVERALL_BADGES,
    award_lines,
    badge_line,
    badge_picture,
    list_groups,
    render_badges,
)
from bot.features.badges.model import RULES, PlayRecord, Progress, ShownAward, find_nearest, overall_progress
from bot.features.profiles.card import profile_card
from bot.features.profiles.messages import render_profile
from bot.features.profiles.model import PersonRecord, Profile, SoloScores
from bot.features.results.model import GameStats, PlayerStats
from bot.features.results.ratings import CURVE_POINTS, PersonRating, Rating, RatingPoint, Strength
from bot.platform.places import Location, Person
from bot.rules.picture import Box, ColourRole, Label, Rect, Sprite
from bot.rules.screen import EMPTY_DRAFT, LONGEST_DESCRIPTION
from bot.tables.model import Award, Company, Occupant, Result, Status
from bot.tables.results import companies_of
from bot.tables.table import Table
from bot.words import gettext
from tests.support.each_case import each_case
from tests.support.fakes import NOON, ROBIN, make_table
from tests.support.games import load_games_once
from tests.support.picture_checks import find_flaws
from tests.support.rendering import render_game
from tests.support.sample_results import make_result

GAMES = load_games_once()


TOGETHER = [key for key, package in GAMES.items() if not package.game.info.is_solo]


BADGES = [badge for group in list_groups(GAMES) for badge in group.badges]


def make_rating(game: str, games: int, shown: Sequence[int]) -> PersonRating:
    curve = tuple(RatingPoint(games - len(shown) + at, NOON, each) for at, each in enumerate(shown, 1))
    return PersonRating(game, Rating(Strength(3 + (shown[-1] - 1000) / 25, 1.0), games), curve)


def make_stats(
    game: str, company: Company, games: int, wins: int = 0, *, streak: int = 0, longest: int = 0
) -> GameStats:
    return GameStats(game, company, PlayerStats(games, wins, 0, games * 100, 640, 100), streak, longest)


def make_profile(
    *stats: GameStats,
    ratings: Sequence[PersonRating] = (),
    solo: Sequence[SoloScores] = (),
    form: Sequence[Result] = (),
) -> Profile:
    return Profile(ROBIN.id, PersonRecord(stats, tuple(ratings), tuple(solo), tuple(form)), ())


def curve_boxes(profile: Profile) -> list[Rect]:
    """Return the areas of the curves on a card, from top to bottom."""
    marks = profile_card("Robin", profile, GAMES, ()).marks
    return [mark.at for mark in marks if isinstance(mark, Box) and mark.fill is ColourRole.SURFACE_SHADE]


def busy_profile() -> Profile:
    """Somebody who has played everything, often."""
    stats = [
        replace(make_stats(key, company, 123_456, 61_728, streak=7, longest=999), with_hints=1234)
        for key, package in GAMES.items()
        for company in companies_of(package.game.info)
    ]
    ratings = [make_rating(key, 4000, [900 + at * 37 % 700 for at in range(CURVE_POINTS)]) for key in TOGETHER]
    form = [make_result(at, place=1 + at % 3, is_shared=at % 2 == 0) for at in range(9)]
    form.append(make_result(10, company=Company.ALONE))
    return make_profile(*stats, ratings=ratings, solo=[SoloScores("magic_bag", 1234.5678, 20)], form=form)


SMALL_PROFILES = {
    "one game alone": make_profile(
        make_stats("magic_bag", Company.ALONE, 1),
        solo=[SoloScores("magic_bag", 30, 1)],
        form=[make_result(1, company=Company.ALONE)],
    ),
    "one rated game": make_profile(
        make_stats("change", Company.PEOPLE, 1), ratings=[make_rating("change", 1, [1066])], form=[make_result(1)]
    ),
    "a rating that never changed": make_profile(
        make_stats("change", Company.PEOPLE, 3), ratings=[make_rating("change", 3, [1000, 1000, 1000])]
    ),
    "a game with hints alone": make_profile(
        GameStats("magic_bag", Company.ALONE, PlayerStats(0, 0, 0, 0, None, None), with_hints=1)
    ),
    "a game that is gone": make_profile(
        make_stats("old_maid", Company.PEOPLE, 4), ratings=[make_rating("old_maid", 4, [1010, 990, 995, 999])]
    ),
}


@pytest.mark.parametrize("name", ["Robin", "W" * 32, "李雷", "محمد عبد الله"])
def test_a_busy_persons_card_has_no_flaws(name: str) -> None:
    assert list(find_flaws(profile_card(name, busy_profile(), GAMES, BADGES))) == []


@each_case("what", SMALL_PROFILES)
def test_a_small_card_has_no_flaws(what: str) -> None:
    assert list(find_flaws(profile_card("Robin", SMALL_PROFILES[what], GAMES, BADGES[:1]))) == []


def test_the_curve_of_the_favourite_game_is_the_largest() -> None:
    profile = make_profile(
        make_stats("magpie", Company.PEOPLE, 40),
        make_stats("change", Company.PEOPLE, 12),
        ratings=[make_rating("change", 12, [1000, 1010, 1020]), make_rating("magpie", 20, [1000, 990, 980])],
    )
    magpie, change = curve_boxes(profile)
    assert magpie.height > change.height


@each_case("count", range(1, len(TOGETHER) + 1))
def test_curves_leave_no_row_half_empty(count: int) -> None:
    stats = [make_stats(key, Company.PEOPLE, 40) for key in TOGETHER[:count]]
    ratings = [make_rating(key, 12, [1000, 1010, 1020]) for key in TOGETHER[:count]]
    boxes = curve_boxes(make_profile(*stats, ratings=ratings))
    assert len(boxes) == count
    rights = {box.y: max(each.right for each in boxes if each.y == box.y) for box in boxes}
    assert len(set(rights.values())) == 1


def test_the_alternative_text_of_a_busy_person_fits() -> None:
    assert len(profile_card("W" * 32, busy_profile(), GAMES, BADGES).description) <= LONGEST_DESCRIPTION


@each_case("count, more", [(1, None), (6, None), (7, "+1"), (30, "+24")])
def test_the_newest_badges_are_medals_on_the_card_and_named_in_its_text(count: int, more: str | None) -> None:
    profile = make_profile(make_stats("magpie", Company.PEOPLE, 1))
    keys = [f"{group.key}/{badge.key}" for group in list_groups(GAMES) for badge in group.badges][:count]
    earned = [ShownAward(Award(ROBIN.id, key, 1, 3, NOON), None, None) for key in keys]
    make_picture = render_profile(profile, GAMES, Person(ROBIN.id, "Robin"), ROBIN.id, earned).make_picture
    assert make_picture is not None
    card = make_picture()
    assert list(find_flaws(card)) == []
    medals = [mark for mark in card.marks if isinstance(mark, Sprite) and mark.name == "badge"]
    assert len(medals) == min(count, 6)
    assert [mark.text for mark in card.marks if isinstance(mark, Label) and mark.text.startswith("+")] == (
        [] if more is None else [more]
    )
    names = [badge.name for badge in BADGES[:count][::-1]][:6]
    places = [card.description.index(gettext(name)) for name in names]
    assert places == sorted(places)


def test_without_badges_there_is_no_place_for_them() -> None:
    profile = make_profile(make_stats("magpie", Company.PEOPLE, 1))
    card = profile_card("Robin", profile, GAMES, ())
    assert not any(isinstance(mark, Sprite) and mark.name == "badge" for mark in card.marks)


GROUPS = list_groups(GAMES)


ALL = [f"{group.key}/{badge.key}" for group in GROUPS for badge in group.badges]


LARGEST_ID = 2**63 - 1


def make_awards(*pairs: tuple[Person, str]) -> tuple[Award, ...]:
    return tuple(Award(person.id, badge, 1, 3, NOON) for person, badge in pairs)


def finished(*pairs: tuple[Person, str]) -> Table:
    table = make_table(status=Status.PLAYING, package=GAMES["magpie"])
    state = replace(table.state, scores=(104, 9, 30), trigger=0, mover=None)
    header = replace(table.header, status=Status.FINISHED, to_move=None)
    return replace(table, state=state, header=header, awards=make_awards(*pairs))


def show(*keys: str, guild_id: int | None = 3) -> list[ShownAward]:
    at = NOON + timedelta(days=9999)
    location = Location(guild_id, LARGEST_ID)
    return [ShownAward(Award(ROBIN.id, key, LARGEST_ID, guild_id, at), location, LARGEST_ID) for key in keys]


def test_every_overall_badge_has_a_rule() -> None:
    assert [badge.key for badge in OVERALL_BADGES] == list(RULES)


def test_the_line_is_in_the_message_with_and_without_its_picture() -> None:
    content = render_game(finished((ROBIN, "magpie/snatched")), EMPTY_DRAFT)
    (line,) = award_lines(finished((ROBIN, "magpie/snatched")))
    for embed in (content.text_embed_json, content.picture_embed_json):
        assert [field["value"] for field in embed["fields"]].count(line) == 1


def test_names_in_the_line_are_escaped() -> None:
    table = finished((ROBIN, "magpie/snatched"))
    table = replace(table, seats=(Occupant("@everyone **x**", ROBIN.id), *table.seats[1:]))
    (line,) = award_lines(table)
    assert line.startswith("🏅 @\u200beveryone")
    assert "**" not in line


def test_the_line_that_all_can_read_leaves_out_what_took_games_in_other_servers() -> None:
    table = finished((ROBIN, "magpie/snatched"), (ROBIN, "overall/grand_tour"))
    here, elsewhere = table.awards
    table = replace(table, awards=(here, replace(elsewhere, guild_id=None)))
    assert award_lines(table) == award_lines(replace(table, awards=(here,))) != []
    assert award_lines(replace(table, awards=table.awards[1:])) == []
    alone = replace(table.header, location=Location(None, 1))
    assert award_lines(replace(table, header=alone, awards=table.awards[1:])) != []


def test_badges_of_others_show_neither_their_tables_nor_what_is_left() -> None:
    embed = render_badges(show("magpie/snatched"), GAMES, ROBIN, is_own=False).text_embed
    assert [field.name for field in embed.fields] == [gettext("Magpie")]
    assert "discord.com" not in str(embed.to_dict())
    assert "▫️" not in str(embed.to_dict())


def test_the_owner_is_told_which_missing_badge_is_the_nearest() -> None:
    records = [
        PlayRecord(game, Company.COMPUTERS, has_won, NOON, NOON)
        for game, has_won in (("magpie", True), ("change", True), ("fortune", False), ("magic_bag", False))
    ]
    reached = list(overall_progress(records))
    assert find_nearest(reached, ()) == ("overall/grand_tour", Progress(4, 5))
    assert find_nearest(reached, ["overall/grand_tour"]) == ("overall/all_rounder", Progress(2, 4))
    assert find_nearest(overall_progress(()), ()) is None
    for best, told in ((559, ["4", "5"]), (561, ["561", "700"]), (700, ["4", "5"])):
        shown = render_badges(
            [], GAMES, ROBIN, is_own=True, records=records, best_scores={"magic_bag": best, "gone": 1}
        )
        assert re.findall(r"\d+", str(shown.text_embed.description)) == told
    steps = show("magpie/snatched/1", "magpie/snatched/2")
    shown = render_badges(steps, GAMES, ROBIN, is_own=True, records=records[:2])
    assert re.findall(r"\d+", str(shown.text_embed.title)) == ["0", str(len(ALL))]
    assert re.findall(r"\d+", str(shown.text_embed.description)) == ["2", "3"]
    (line,) = award_lines(finished((ROBIN, "magpie/snatched/1")))
    assert re.findall(r"\d+", line) == ["1", "3"]


def test_nobody_has_to_have_one() -> None:
    assert render_badges([], GAMES, ROBIN, is_own=False).make_picture is None
    assert badge_line([], GAMES) == ""


@each_case("count", range(len(ALL) + 1))
def test_any_number_of_badges_fits_into_a_message(count: int) -> None:
    shown = show(*ALL[:count], guild_id=LARGEST_ID)
    embed = render_badges(shown, GAMES, Person(1, "_" * 32), is_own=True).text_embed
    assert len(embed) <= 6000
    assert all(len(str(field.value)) <= 1024 for field in embed.fields)


@each_case("earned", [[], ALL, ALL[:1], ALL[4:7], ALL[::3]])
def test_the_picture_has_no_flaws_and_names_what_is_in_it(earned: list[str]) -> None:
    picture = badge_picture(GROUPS, earned)
    assert not list(find_flaws(picture))
    names = [gettext(badge.name) for group in GROUPS for badge in group.badges if f"{group.key}/{badge.key}" in earned]
    assert all(name in picture.description for name in names)
