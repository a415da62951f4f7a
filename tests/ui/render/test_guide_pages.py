"""The pages of guides."""

import discord
import pytest

from bot.features.help.messages import GuidePageId, HelpId, HelpTopic, LessonId, render_guide_page
from bot.platform.discord.ids import parse_id
from bot.rules.game import Options
from bot.tables.handlers.ids import open_table_id
from bot.tables.registry import AnyPackage
from tests.support.each_case import each_case
from tests.support.games import load_games_once

GAMES = load_games_once()
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
    assert there == [f"{package.game.info.title} · {title}" for title in titles]


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
