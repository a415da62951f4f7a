"""Content files are read, and all faults in them are reported at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import Field

from bot.platform.content import (
    DATA,
    BrokenContent,
    NpzTables,
    PuzzleFiles,
    build_packages,
    digest_arrays,
    read_content,
)
from bot.rules.content import BrokenTables, ContentModel
from bot.rules.package import GameContent, GameFactory
from bot.tables.registry import AnyPackage
from tests.rules.heap_game import PACKAGE
from tests.support.games import load_games_once


class Deck(ContentModel):
    cards: tuple[str, ...] = Field(min_length=2)
    jokers: int = Field(default=0, ge=0)


class Board(ContentModel):
    spaces: int


class ToyContent(GameContent):
    deck: Deck
    board: Board


GOOD = {"deck.toml": 'cards = ["ace", "king"]\njokers = 2\n', "board.toml": "spaces = 12\n"}


def folder(data: Path, **files: str | None) -> Path:
    """Fill a folder with good files, except for those that are named: other texts, or none."""
    toys = data / "toy"
    toys.mkdir(parents=True, exist_ok=True)
    for name, text in (GOOD | {f"{key}.toml": text for key, text in files.items()}).items():
        if text is not None:
            (toys / name).write_text(text, encoding="utf-8")
    return toys


def content_faults(place: Path) -> tuple[str, ...]:
    with pytest.raises(BrokenContent) as broken:
        read_content(ToyContent, place)
    return broken.value.faults


def test_every_file_becomes_a_field(tmp_path: Path) -> None:
    content = read_content(ToyContent, folder(tmp_path))
    assert content == ToyContent(deck=Deck(cards=("ace", "king"), jokers=2), board=Board(spaces=12))


def test_other_kinds_of_files_are_ignored(tmp_path: Path) -> None:
    place = folder(tmp_path)
    (place / "README.md").write_text("Where it is from.", encoding="utf-8")
    (place / "art.svg").write_bytes(b"\xff")
    assert read_content(ToyContent, place).board.spaces == 12


@pytest.mark.parametrize(
    ("files", "faults"),
    [
        ({"board": None}, ["data/toy/board.toml is missing."]),
        ({"borad": "spaces = 12"}, ["data/toy/borad.toml is no file of this game, which needs board.toml, deck.toml."]),
        ({"board": "spaces = "}, ["data/toy/board.toml can't be read: "]),
        ({"board": "spaces = 'twelve'"}, ["data/toy/board.toml, spaces: Input should be a valid integer"]),
        ({"board": ""}, ["data/toy/board.toml, spaces: Field required."]),
        ({"board": "spaces = 1\nplaces = 2"}, ["data/toy/board.toml, places: Extra inputs are not permitted."]),
        ({"deck": 'cards = ["ace", 7, "ten"]\njokers = -1'}, ["deck.toml, cards.1: ", "deck.toml, jokers: "]),
        (
            {"board": None, "deck": 'cards = ["ace"]'},
            ["data/toy/board.toml is missing.", "data/toy/deck.toml, cards: "],
        ),
    ],
)
def test_all_faults_are_reported(tmp_path: Path, files: dict[str, str | None], faults: list[str]) -> None:
    found = content_faults(folder(tmp_path / "data", **files))
    assert len(found) == len(faults)
    assert [sentence for sentence, part in zip(found, faults, strict=True) if part not in sentence] == []
    assert all(sentence.endswith(".") for sentence in found)


def test_a_file_in_another_encoding_is_reported(tmp_path: Path) -> None:
    place = folder(tmp_path / "data")
    (place / "board.toml").write_bytes(b"spaces = 12 # \xff")
    (sentence,) = content_faults(place)
    assert sentence.startswith("data/toy/board.toml can't be read: ")


def test_a_missing_folder_means_missing_files(tmp_path: Path) -> None:
    assert len(content_faults(tmp_path / "data" / "toy")) == 2


def build_content(build: Callable[[ToyContent], AnyPackage]) -> GameFactory[ToyContent, AnyPackage]:
    return GameFactory(ToyContent, build)


class TestAssembling:
    def test_a_factory_gets_its_content_and_a_package_needs_none(self, tmp_path: Path) -> None:
        folder(tmp_path)
        seen: list[ToyContent] = []

        def build(content: ToyContent) -> AnyPackage:
            seen.append(content)
            return PACKAGE

        offers: dict[str, Any] = {"plain": PACKAGE, "toy": build_content(build)}
        assert build_packages(offers, tmp_path) == [PACKAGE, PACKAGE]
        assert seen == [read_content(ToyContent, tmp_path / "toy")]

    def test_the_faults_of_all_games_are_reported_together(self, tmp_path: Path) -> None:
        folder(tmp_path, board=None)
        offers: dict[str, Any] = {name: build_content(lambda _: PACKAGE) for name in ("toy", "other")}
        with pytest.raises(BrokenContent) as broken:
            build_packages(offers, tmp_path)
        assert len(broken.value.faults) == 3
        assert str(broken.value) == " ".join(broken.value.faults)


def test_every_folder_of_content_belongs_to_a_game_or_to_all() -> None:
    assert {each.name for each in DATA.iterdir() if each.is_dir()} <= {"art", "locales", *load_games_once()}


def test_the_digest_of_a_games_arrays_is_theirs_alone(tmp_path: Path) -> None:
    folder = tmp_path / "magpie"
    folder.mkdir()
    digests = [digest_arrays("magpie", tmp_path)]
    for name, content in (("race.npz", b"1"), ("race.npz", b"2"), ("other.npz", b"3")):
        (folder / name).write_bytes(content)
        digests.append(digest_arrays("magpie", tmp_path))
    assert len({*digests}) == len(digests)
    (folder / "puzzles.json").write_bytes(b"{}")
    assert digest_arrays("magpie", tmp_path) == digests[-1]


SHAPES = {"units": (2, 3), "bias": (3,)}
SOUND = {name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()}


class TestArrays:
    @pytest.mark.parametrize("content", [None, b"", b"no archive", b"PK"])
    def test_a_file_that_cannot_be_read_is_named(self, tmp_path: Path, content: bytes | None) -> None:
        tables = NpzTables(tmp_path / "arrays.npz")
        if content is not None:
            tables.file.write_bytes(content)
        with pytest.raises(BrokenTables, match=r"arrays\.npz"):
            tables.load("float32", SHAPES)

    @pytest.mark.parametrize(
        "units",
        [
            np.zeros((3, 3), np.float32),
            *(SOUND["units"].astype(kind) for kind in (str, bytes, complex, "datetime64[s]", np.float64, np.int32)),
            *(np.full((2, 3), number, np.float32) for number in (np.nan, np.inf, -np.inf, 3e38, -3e38)),
        ],
    )
    def test_arrays_of_something_else_are_named(self, tmp_path: Path, units: np.ndarray) -> None:
        tables = NpzTables(tmp_path / "arrays.npz")
        tables.save({**SOUND, "units": units})
        with pytest.raises(BrokenTables, match="units"):
            tables.load("float32", SHAPES)

    def test_arrays_that_are_missing_are_named(self, tmp_path: Path) -> None:
        tables = NpzTables(tmp_path / "arrays.npz")
        tables.save({"units": SOUND["units"]})
        with pytest.raises(BrokenTables, match="bias"):
            tables.load("float32", SHAPES)
        tables.save(SOUND)
        assert tables.load("float32", SHAPES).keys() == SHAPES.keys()

    def test_a_damaged_byte_is_noticed(self, tmp_path: Path) -> None:
        tables = NpzTables(tmp_path / "arrays.npz")
        tables.save(SOUND)
        sound = tables.file.read_bytes()
        for at in (30, 80, len(sound) // 2):
            tables.file.write_bytes(sound[:at] + bytes([sound[at] ^ 0xFF]) + sound[at + 1 :])
            with pytest.raises(BrokenTables, match=r"arrays\.npz"):
                tables.load("float32", SHAPES)

    def test_equal_arrays_make_equal_files(self, tmp_path: Path) -> None:
        one, other = (NpzTables(tmp_path / name) for name in ("one.npz", "other.npz"))
        for tables in (one, other):
            tables.save(SOUND)
        assert one.file.read_bytes() == other.file.read_bytes()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"no JSON", "Invalid JSON: "),
        (b'{"rules": 1, "games": "none"}', "seed: Field required."),
        (b"[]", "Input should be "),
    ],
)
def test_of_broken_puzzles_the_first_fault_is_told(tmp_path: Path, text: bytes, fault: str) -> None:
    files = PuzzleFiles(tmp_path / "data")
    files.file_of("toy").parent.mkdir(parents=True)
    files.file_of("toy").write_bytes(text)
    with pytest.raises(BrokenContent) as broken:
        files.load("toy")
    (sentence,) = broken.value.faults
    assert sentence.startswith(f"data/toy/puzzles.json can't be read: {fault}")
    assert "\n" not in sentence
    assert "http" not in sentence
