"""The help: its topics, the guides, the list of games and the table of a lesson."""

import re
from dataclasses import replace
from string import ascii_lowercase

import discord
import pytest

from bot.app.bootstrap import build_client
from bot.features.help.messages import (
    MAX_BUTTONS,
    GuidePageId,
    HelpId,
    HelpTopic,
    LessonId,
    render_about,
    render_commands,
    render_game_list,
    render_guide_list,
    render_guide_page,
    render_help,
    render_lesson_list,
)
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.ids import parse_id
from bot.rules.game import Options
from bot.rules.picture import Box, ColourRole, Label
from bot.tables.handlers.ids import GuideId, open_table_id
from bot.tables.registry import AnyPackage
from bot.tools.contract import find_flaws
from bot.words import gettext
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.picture_checks import project_assets
from tests.tables.test_registry import titled

GAMES = load_games_once()

PACKAGES = list(GAMES.values())

TOPICS = (
    render_help(PACKAGES, is_direct=False),
    render_commands(),
    render_about(PACKAGES),
    render_guide_list(PACKAGES),
    render_lesson_list(PACKAGES),
)


def text_of(content: MessageContent) -> str:
    embed = content.text_embed
    return "\n".join((str(embed.description), *(str(field.value) for field in embed.fields)))


async def test_every_command_that_help_names_exists() -> None:
    named = {word for content in TOPICS for word in text_of(content).split("`") if word.startswith("/")}
    assert {"/table show", "/table cancel", "/settings show"} <= named
    assert named <= set(await build_client(MemoryDatabase(), GAMES).list_commands())


def test_credits_of_all_games_are_in_about_only() -> None:
    for package in PACKAGES:
        assert gettext(package.game.info.credits) in text_of(render_about(PACKAGES))
        assert not any(
            gettext(package.game.info.credits) in text_of(content) for content in (TOPICS[0], TOPICS[1], TOPICS[3])
        )


def test_credits_without_room_are_counted() -> None:
    shown = text_of(render_about(PACKAGES * 20)).splitlines()
    assert len("\n".join(shown)) <= 4096
    left = 20 * len(PACKAGES) - sum(line.startswith("**") for line in shown)
    assert re.findall(r"…\D+(\d+)", shown[-1]) == [str(left)]


MAGPIE = GAMES["magpie"]


def titles_of(package: AnyPackage, options: Options) -> list[str]:
    return [page.title for page in package.study.guide.build_pages(options)]


@pytest.mark.parametrize("game", GAMES)
def test_the_buttons_lead_through_every_page_and_back(game: str) -> None:
    package = GAMES[game]
    options = package.game.info.options()
    titles = titles_of(package, options)
    there: list[str] = []
    number = 1
    while len(there) < len(titles):
        content = render_guide_page(package, options, number)
        there.append(str(content.text_embed.title))
        ids = [parse_id(button.custom_id) for row in content.rows for button in row]
        leads_on = any(button.style is discord.ButtonStyle.primary for button in content.rows[0])
        assert leads_on == (number < len(titles))
        assert (LessonId(game) in ids) == (package.study.lesson is not None and number in (1, len(titles)))
        pages = [each.page for each in ids if isinstance(each, GuidePageId)]
        assert pages == [page for page in (number - 1, number + 1) if 1 <= page <= len(titles)]
        number += 1
    assert there == [f"{gettext(package.game.info.title)} · {title}" for title in titles]


@each_case("number, at", [(0, 0), (99, -1), (999_999, -1)])
def test_a_page_beyond_the_last_is_the_nearest(number: int, at: int) -> None:
    options = MAGPIE.game.info.options()
    title = str(render_guide_page(MAGPIE, options, number).text_embed.title)
    assert title.endswith(f" · {titles_of(MAGPIE, options)[at]}")


def test_an_option_adds_its_page_and_stays_in_the_ids() -> None:
    options = MAGPIE.game.info.options(reroll_fours=True, target=150)
    assert len(titles_of(MAGPIE, options)) == len(titles_of(MAGPIE, MAGPIE.game.info.options())) + 1
    content = render_guide_page(MAGPIE, options, 1)
    assert "**150**" in str(content.text_embed.description)
    chosen = open_table_id("magpie", options, computers=0).options
    assert parse_id(content.rows[0][0].custom_id) == GuidePageId("magpie", 2, chosen)
    assert chosen[:3] == ("150", "false", "true")


def test_only_a_guide_for_the_defaults_leads_to_the_list_of_games() -> None:
    for options, leads in ((MAGPIE.game.info.options(), True), (MAGPIE.game.info.options(target=150), False)):
        for number in (1, 2):
            ids = [parse_id(button.custom_id) for button in render_guide_page(MAGPIE, options, number).rows[0]]
            assert (HelpId(HelpTopic.GUIDES) in ids) == (leads and number == 1)


def test_credits_are_not_in_guides() -> None:
    for package in GAMES.values():
        for page in package.study.guide.build_pages(package.game.info.options()):
            assert package.game.info.credits not in page.text


MORE = Button("Help", "f:start")


def draw(packages: list[AnyPackage]) -> MessageContent:
    return render_game_list(packages, lambda package: GuideId(package.game.info.key), "Which game?", MORE)


def many(count: int) -> list[AnyPackage]:
    return [titled(f"game_{ascii_lowercase[n // 10]}{ascii_lowercase[n % 10]}", f"Game {n}") for n in range(count)]


def test_every_game_has_a_sentence_and_a_button() -> None:
    content = draw(PACKAGES)
    text = str(content.text_embed.fields[0].value)
    buttons = [button for row in content.rows for button in row]
    for package in PACKAGES:
        assert [gettext(package.study.guide.summary) in line for line in text.splitlines()].count(True) == 1
        assert gettext(package.game.info.title) in [button.label for button in buttons]
    assert content.make_picture is not None
    assert content.menus == ()
    assert buttons[-1] == MORE


def test_the_picture_has_no_flaws() -> None:
    for packages in (PACKAGES, [*PACKAGES, titled("sixth", "A Sixth Game")], PACKAGES[:1], many(MAX_BUTTONS)):
        make_picture = draw(packages).make_picture
        assert make_picture is not None
        assert list(find_flaws(make_picture(), project_assets())) == []


def test_each_row_has_the_colours_of_its_game() -> None:
    make_picture = draw(PACKAGES).make_picture
    assert make_picture is not None
    rows = [mark for mark in make_picture().marks if isinstance(mark, Box) and mark.fill is not None]
    assert [row.surface for row in rows] == [package.look.surface for package in PACKAGES]
    assert {row.fill for row in rows} == {ColourRole.SURFACE}


def test_the_last_row_is_as_far_from_the_edge_as_the_first() -> None:
    for packages in (PACKAGES[:1], PACKAGES):
        make_picture = draw(packages).make_picture
        assert make_picture is not None
        picture = make_picture()
        boxes = [mark.at for mark in picture.marks if isinstance(mark, Box)]
        assert picture.size[1] - max(box.bottom for box in boxes) == min(box.y for box in boxes)


def test_a_game_without_a_cover_is_shown_by_its_title() -> None:
    bare = replace(PACKAGES[0], look=replace(PACKAGES[0].look, cover=None))
    make_picture = draw([bare]).make_picture
    assert make_picture is not None
    assert gettext(bare.game.info.title) in make_picture().description


def test_every_sentence_is_whole_in_the_picture() -> None:
    make_picture = draw(PACKAGES).make_picture
    assert make_picture is not None
    labels = [mark.text for mark in make_picture().iter_marks() if isinstance(mark, Label)]
    for package in PACKAGES:
        assert gettext(package.study.guide.summary) in " ".join(labels)


def test_the_words_are_left_out_beside_the_picture() -> None:
    assert draw(PACKAGES).picture_embed_json == {"fields": []}


@each_case("count, rows, menus", [(1, 2, 0), (5, 2, 0), (6, 3, 0), (15, 4, 0), (16, 1, 1), (25, 1, 1), (101, 1, 4)])
def test_many_games_are_in_menus(count: int, rows: int, menus: int) -> None:
    packages = many(count)
    content = draw(packages)
    assert (len(content.rows), len(content.menus)) == (rows, menus)
    assert all(len(row) <= 5 for row in content.rows)
    assert all(1 <= len(menu.options) <= 25 for menu in content.menus)
    ids = [option.value for menu in content.menus for option in menu.options]
    ids += [button.custom_id for row in content.rows for button in row if button != MORE]
    assert [parse_id(text) for text in ids] == [GuideId(package.game.info.key) for package in packages[:100]]
    assert len({menu.custom_id for menu in content.menus}) == menus


def test_menus_say_which_games_they_have() -> None:
    _, last = draw(many(26)).menus
    assert str(last.placeholder).count(gettext("Game 25")) == 2
    summary = gettext(load_games_once()["magpie"].study.guide.summary)
    assert [(line.label, line.description) for line in last.options] == [(gettext("Game 25"), summary)]
