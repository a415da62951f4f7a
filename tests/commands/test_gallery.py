"""`gallery` draws the telling moments of the games."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.pictures.service import DrawingFailed, PictureFile, PictureService
from bot.rules.components import Nameplate
from bot.rules.game import Event
from bot.rules.picture import Picture, Theme
from bot.tables.registry import GameRegistry
from bot.tools import gallery
from bot.tools.gallery_tournaments import draw_tournaments
from bot.tools.picture_names import (
    BADGES,
    CARD,
    DAY,
    GAME_LIST,
    LEADERBOARD,
    LOBBY,
    PROFILE,
    RESIGNED,
    RESULT,
    picture_names,
)
from bot.tools.showcase_search import find_moments, picture_of
from bot.tools.showcases import Showcase, list_showcases
from tests.commands.run_command import run_command
from tests.pictures.test_showcase import MOST_BYTES
from tests.support.each_case import each_case
from tests.support.games import load_games_once


def test_draws_every_scene_in_every_theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = use_few_scenes(monkeypatch, "magpie", "magic_bag")
    monkeypatch.setattr(PictureService, "draw", draw_nothing)
    ended = run_command("gallery", str(tmp_path / "new" / "folder"))
    further = (LOBBY, CARD, LEADERBOARD)
    pictures = [f"{key}-{name}" for key, game in drawn.items() for name in (*picture_names(game), *further)]
    expected = {
        f"{name}-{theme}.png"
        for name in (*pictures, GAME_LIST, BADGES, PROFILE, DAY, *dict(draw_tournaments()))
        for theme in ("standard", "dark", "high-contrast")
    }
    assert {file.name for file in (tmp_path / "new" / "folder").iterdir()} == expected
    assert (ended.code, ended.err) == (0, "")
    assert f"{len(expected)} pictures" in ended.out
    assert len(Theme) == 3


def use_few_scenes(monkeypatch: pytest.MonkeyPatch, *keys: str) -> GameRegistry:
    """Let the gallery know some games, and of each its first scene only: finding and drawing the others takes long."""
    few = GameRegistry([load_games_once()[key] for key in keys])
    monkeypatch.setattr(gallery, "load_whole_games", lambda: few)
    for module in ("gallery", "picture_names"):
        monkeypatch.setattr(f"bot.tools.{module}.list_showcases", lambda key: list_showcases(key)[:1])
    return few


async def draw_nothing(_service: PictureService, picture: Picture, _theme: Theme) -> PictureFile:
    return PictureFile(b"picture", "table.png", picture.description)


def test_draws_one_game_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What its pictures look like, the golden ones show, so one is enough: that of the lobby."""
    magpie, magic_bag = (
        replace(load_games_once()[key], look=replace(load_games_once()[key].look, build_picture=None))
        for key in ("magpie", "magic_bag")
    )
    monkeypatch.setattr(gallery, "load_whole_games", lambda: GameRegistry([magpie, magic_bag]))
    assert run_command("gallery", str(tmp_path), "--game", "magpie").code == 0
    assert {file.name.rpartition("-")[0] for file in tmp_path.iterdir()} == {f"magpie-{LOBBY}", f"magpie-{LOBBY}-high"}
    assert len({file.read_bytes() for file in tmp_path.iterdir()}) == len(Theme)
    for file in tmp_path.iterdir():
        assert file.stat().st_size <= MOST_BYTES
        with Image.open(file) as image:
            assert image.width >= 400


def test_an_unknown_game_lists_the_known_ones(tmp_path: Path) -> None:
    ended = run_command("gallery", str(tmp_path / "new"), "--game", "chess")
    assert ended.code == 1
    assert "There is no game called chess. The games are: " in ended.err
    assert not (tmp_path / "new").exists()


def test_an_unwritable_folder_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    use_few_scenes(monkeypatch, "magpie")
    ended = run_command("gallery", str(tmp_path / "file"))
    assert ended.code == 1
    assert ended.err.startswith(f"The pictures can't be saved in {tmp_path / 'file'}: ")


def test_a_failed_drawing_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object) -> None:
        raise DrawingFailed("There is no art called magpie")

    monkeypatch.setattr(PictureService, "draw", fails)
    use_few_scenes(monkeypatch, "magpie")
    ended = run_command("gallery", str(tmp_path), "--game", "magpie")
    assert (ended.code, ended.err) == (1, "There is no art called magpie.\n")


def test_a_scene_that_never_occurs_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_few_scenes(monkeypatch, "magpie")
    monkeypatch.setattr(gallery, "list_showcases", lambda _key: (Showcase("never", 2, lambda _moment: False),))
    ended = run_command("gallery", str(tmp_path))
    assert (ended.code, ended.err) == (1, "Magpie did not come to 'never' in 60 games.\n")


@each_case("key, drawn", [("magpie", [RESULT, RESIGNED]), ("magic_bag", [RESULT])])
def test_only_a_table_that_can_be_resigned_is_drawn_resigned(
    monkeypatch: pytest.MonkeyPatch, key: str, drawn: list[str]
) -> None:
    monkeypatch.setattr(gallery, "list_showcases", lambda _key: ())
    assert [name for name, _ in gallery.showcase_pictures(load_games_once()[key])] == drawn


def test_a_hand_is_drawn_as_its_owner_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    change = load_games_once()["change"]
    hand = next(each for each in list_showcases("change") if each.hand_seat is not None)
    monkeypatch.setattr(gallery, "list_showcases", lambda _key: (hand,))
    drawn = dict(gallery.showcase_pictures(change))
    assert drawn[hand.name] == picture_of(change, find_moments(change, [hand])[hand.name], hand.hand_seat)


def test_flaws_are_named_and_end_with_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    magpie = use_few_scenes(monkeypatch, "magpie")["magpie"]

    def build_flawed(view: Any, events: Sequence[Event], nameplates: Sequence[Nameplate]) -> Picture:
        assert magpie.look.build_picture is not None
        return replace(magpie.look.build_picture(view, events, nameplates), description="")

    flawed = replace(magpie, look=replace(magpie.look, build_picture=build_flawed))
    monkeypatch.setattr(gallery, "load_whole_games", lambda: GameRegistry([flawed]))
    monkeypatch.setattr(PictureService, "draw", draw_nothing)
    ended = run_command("gallery", str(tmp_path))
    assert ended.code == 1
    assert ended.err.startswith(f"magpie-{list_showcases('magpie')[0].name} the description is empty")
    assert len(list(tmp_path.iterdir())) == 6 * len(Theme), "they can be looked at all the same"
