"""The cover in a lobby, with the seats that are taken and those that are free."""

import re
from dataclasses import replace

import pytest

from bot.games.magpie import PACKAGE as MAGPIE
from bot.rules.picture import Label, Sprite
from bot.tables.shown.lobby import lobby_picture, render_lobby
from bot.tools.showcases import SHOWCASE_NAMES
from tests.support.fakes import make_table
from tests.support.games import load_games_once
from tests.support.picture_checks import find_flaws

COVERED = {key: package for key, package in load_games_once().items() if package.look.cover is not None}


@pytest.mark.parametrize("key", COVERED)
def test_every_number_of_seats_fits_and_shows_who_sits_where(key: str) -> None:
    package = COVERED[key]
    for taken in range(1, package.game.info.most_seats + 1):
        picture = lobby_picture(package, f"{key}/cover", SHOWCASE_NAMES[:taken])
        assert list(find_flaws(picture)) == []
        assert picture.size[1] <= 640
        tokens = [mark.name for mark in picture.marks if isinstance(mark, Sprite)]
        names = [mark.text for mark in picture.marks if isinstance(mark, Label) and mark.is_name]
        assert tokens == [f"token-{seat + 1}" for seat in range(taken)]
        assert names == list(SHOWCASE_NAMES[:taken])
        assert re.findall(r"\d+", picture.description)[-2:] == [str(taken), str(package.game.info.most_seats)]


def test_beside_the_cover_the_seats_take_one_line() -> None:
    content = render_lobby(make_table())
    alone, beside = (embed["fields"][0]["value"] for embed in (content.text_embed_json, content.picture_embed_json))
    assert beside == alone.replace("\n", " · ")
    assert alone.count("\n") == 2


def test_a_game_without_a_cover_has_a_lobby_in_words() -> None:
    assert render_lobby(make_table(package=replace(MAGPIE, look=replace(MAGPIE.look, cover=None)))).make_picture is None
