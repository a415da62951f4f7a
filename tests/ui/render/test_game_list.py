"""The list of games, with any number of games."""

from dataclasses import replace
from io import BytesIO
from string import ascii_lowercase

import pytest
from PIL import Image

from bot.features.help.messages import MAX_BUTTONS, render_game_list
from bot.pictures.renderer import Renderer
from bot.pictures.themes import colour_of
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.ids import parse_id
from bot.rules.picture import Box, ColourRole, Label, Theme
from bot.tables.handlers.ids import GuideId
from bot.tables.registry import AnyPackage
from bot.tools.contract import find_flaws
from bot.words import gettext
from tests.pictures.golden import make_painter
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.picture_checks import project_assets
from tests.tables.test_registry import titled

GAMES = list(load_games_once().values())
MORE = Button("Help", "f:start")


def draw(packages: list[AnyPackage]) -> MessageContent:
    return render_game_list(packages, lambda package: GuideId(package.game.info.key), "Which game?", MORE)


def many(count: int) -> list[AnyPackage]:
    return [titled(f"game_{ascii_lowercase[n // 10]}{ascii_lowercase[n % 10]}", f"Game {n}") for n in range(count)]


def test_every_game_has_a_sentence_and_a_button() -> None:
    content = draw(GAMES)
    text = str(content.text_embed.fields[0].value)
    buttons = [button for row in content.rows for button in row]
    for package in GAMES:
        assert [gettext(package.study.guide.summary) in line for line in text.splitlines()].count(True) == 1
        assert package.game.info.title in [button.label for button in buttons]
    assert content.make_picture is not None
    assert content.menus == ()
    assert buttons[-1] == MORE


def test_the_picture_has_no_flaws() -> None:
    for packages in (GAMES, [*GAMES, titled("sixth", "A Sixth Game")], GAMES[:1], many(MAX_BUTTONS)):
        make_picture = draw(packages).make_picture
        assert make_picture is not None
        assert list(find_flaws(make_picture(), project_assets())) == []


@pytest.mark.parametrize("theme", Theme)
def test_each_row_has_the_colours_of_its_game(theme: Theme) -> None:
    make_picture = draw(GAMES).make_picture
    assert make_picture is not None
    picture = make_picture()
    file = Renderer(make_painter(theme), theme).render(picture)
    drawn = Image.open(BytesIO(file)).convert("RGB")
    rows = [mark.at for mark in picture.marks if isinstance(mark, Box) and mark.fill is not None]
    for package, row in zip(GAMES, rows, strict=True):
        right_of_words = row.right - 20, row.y + row.height // 2
        assert drawn.getpixel(right_of_words) == colour_of(theme, ColourRole.SURFACE, package.look.surface)


def test_the_last_row_is_as_far_from_the_edge_as_the_first() -> None:
    for packages in (GAMES[:1], GAMES):
        make_picture = draw(packages).make_picture
        assert make_picture is not None
        picture = make_picture()
        boxes = [mark.at for mark in picture.marks if isinstance(mark, Box)]
        assert picture.size[1] - max(box.bottom for box in boxes) == min(box.y for box in boxes)


def test_a_game_without_a_cover_is_shown_by_its_title() -> None:
    bare = replace(GAMES[0], look=replace(GAMES[0].look, cover=None))
    make_picture = draw([bare]).make_picture
    assert make_picture is not None
    assert bare.game.info.title in make_picture().description


def test_every_sentence_is_whole_in_the_picture() -> None:
    make_picture = draw(GAMES).make_picture
    assert make_picture is not None
    labels = [mark.text for mark in make_picture().iter_marks() if isinstance(mark, Label)]
    for package in GAMES:
        assert gettext(package.study.guide.summary) in " ".join(labels)


def test_the_words_are_left_out_beside_the_picture() -> None:
    assert draw(GAMES).picture_embed_json == {"fields": []}


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
    assert str(last.placeholder).count("Game 25") == 2
    summary = gettext(load_games_once()["magpie"].study.guide.summary)
    assert [(line.label, line.description) for line in last.options] == [("Game 25", summary)]
