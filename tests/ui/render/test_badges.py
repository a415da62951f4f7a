"""Badges as they are told and shown."""

from dataclasses import replace
from datetime import timedelta

from bot.features.badges.messages import (
    OVERALL_BADGES,
    award_line,
    badge_line,
    badge_picture,
    list_groups,
    render_badges,
)
from bot.features.badges.model import RULES, ShownAward
from bot.platform.places import Location, Person
from bot.rules.screen import EMPTY_DRAFT
from bot.tables.model import Award, Occupant, Status
from bot.tables.table import Table
from bot.words import gettext
from tests.support.each_case import each_case
from tests.support.fakes import NOON, ROBIN, make_table
from tests.support.games import load_games_once
from tests.support.picture_checks import find_flaws
from tests.support.rendering import render_game

GAMES = load_games_once()
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
    for text in (content.text_embed.description, content.picture_embed_json["description"]):
        assert str(text).splitlines().count(award_line(finished((ROBIN, "magpie/snatched")))) == 1


def test_names_in_the_line_are_escaped() -> None:
    table = finished((ROBIN, "magpie/snatched"))
    table = replace(table, seats=(Occupant("@everyone **x**", ROBIN.id), *table.seats[1:]))
    assert award_line(table).startswith("🏅 @\u200beveryone")
    assert "**" not in award_line(table)


def test_the_line_that_all_can_read_leaves_out_what_took_games_in_other_servers() -> None:
    table = finished((ROBIN, "magpie/snatched"), (ROBIN, "overall/grand_tour"))
    here, elsewhere = table.awards
    table = replace(table, awards=(here, replace(elsewhere, guild_id=None)))
    assert award_line(table) == award_line(replace(table, awards=(here,))) != ""
    assert award_line(replace(table, awards=table.awards[1:])) == ""
    alone = replace(table.header, location=Location(None, 1))
    assert award_line(replace(table, header=alone, awards=table.awards[1:])) != ""


def test_badges_of_others_show_neither_their_tables_nor_what_is_left() -> None:
    embed = render_badges(show("magpie/snatched"), GAMES, ROBIN, is_own=False).text_embed
    assert [field.name for field in embed.fields] == ["Magpie"]
    assert "discord.com" not in str(embed.to_dict())
    assert "▫️" not in str(embed.to_dict())


def test_nobody_has_to_have_one() -> None:
    assert render_badges([], GAMES, ROBIN, is_own=False).make_picture is None
    assert badge_line([], GAMES) == ""


@each_case("count", range(len(ALL) + 1))
def test_any_number_of_badges_fits_into_a_message(count: int) -> None:
    shown = show(*ALL[:count], guild_id=LARGEST_ID)
    embed = render_badges(shown, GAMES, Person(1, "_" * 32), is_own=True).text_embed
    assert len(embed) <= 6000
    assert all(len(str(field.value)) <= 1024 for field in embed.fields)


@each_case("earned", [ALL, ALL[:1], ALL[4:7], ALL[::3]])
def test_the_picture_has_no_flaws_and_names_what_is_in_it(earned: list[str]) -> None:
    picture = badge_picture(GROUPS, earned)
    assert not list(find_flaws(picture))
    names = [gettext(badge.name) for group in GROUPS for badge in group.badges if f"{group.key}/{badge.key}" in earned]
    assert all(name in picture.description for name in names)
