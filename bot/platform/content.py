"""Reads and validates the games' content from `data/`, and builds the game packages with it."""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from bot.rules.content import BrokenTables, Tables, first_error, reason_of
from bot.rules.package import ContentT, GameFactory, PackageT
from bot.rules.puzzle import PuzzleBook

DATA = Path(__file__).parents[2] / "data"


class BrokenContent(Exception):
    """Content is invalid; `faults` has a sentence for each fault."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


def build_packages(offers: Mapping[str, PackageT | GameFactory[Any, PackageT]], data: Path = DATA) -> list[PackageT]:
    """Return the game packages, each built with its content.

    Args:
        offers: Each game's package or factory, by the name of its folder.
        data: The folder with the content of all games.

    Raises:
        BrokenContent: The content of some games is invalid; it has the faults of all games.
    """
    packages: list[PackageT] = []
    faults: list[str] = []
    for name, offer in offers.items():
        try:
            packages.append(
                offer.build(read_content(offer.content, data / name)) if isinstance(offer, GameFactory) else offer
            )
        except BrokenContent as broken:
            faults += broken.faults
    if faults:
        raise BrokenContent(tuple(faults))
    return packages


_LARGEST: Final = 1e6
"""The largest stored number. Products of a few such numbers are finite in `float32`, too."""


@dataclass(frozen=True, slots=True)
class NpzTables:
    """The arrays in a NumPy archive."""

    file: Path

    def load(self, dtype: str, shapes: Mapping[str, tuple[int, ...]]) -> Mapping[str, Any]:
        """Read arrays by name, and check their types and shapes."""
        import numpy as np  # noqa: PLC0415 - 20 MiB that most commands do not need

        try:
            with np.load(self.file, allow_pickle=False) as stored:
                arrays: Mapping[str, Any] = {name: np.asarray(stored[name]) for name in shapes if name in stored}
        except OSError as fault:
            raise BrokenTables(f"{_short_path(self.file)} can't be read: {_describe(fault)}.") from fault
        except Exception as fault:  # NumPy, zipfile, zlib and tokenize raise errors of many kinds, some about pickle
            reason = "it is damaged, or no archive of NumPy"
            raise BrokenTables(f"{_short_path(self.file)} can't be read: {reason}.") from fault
        if missing := [name for name in shapes if name not in arrays]:
            raise BrokenTables(f"{_short_path(self.file)} can't be used: it has no {', '.join(missing)}.")
        for name, array in arrays.items():
            if (array.dtype, array.shape) != (np.dtype(dtype), shapes[name]):
                kind = f"{array.dtype} of shape {array.shape}, not {dtype} of shape {shapes[name]}"
                raise BrokenTables(f"{_short_path(self.file)} can't be used: {name} is {kind}.")
            # Infinity and NaN fail, too: they would spread to the values of all moves.
            if not (np.abs(array) <= _LARGEST).all():
                raise BrokenTables(f"{_short_path(self.file)} can't be used: a number of {name} is too large or none.")
        return arrays

    def save(self, arrays: Mapping[str, Any]) -> None:
        """Write the arrays; equal arrays make equal files."""
        import numpy as np  # noqa: PLC0415 - as above

        np.savez_compressed(self.file, **arrays)


def digest_arrays(game: str, data: Path = DATA) -> str:
    """Return a short digest of a game's stored arrays."""
    digest = hashlib.sha256()
    for file in sorted((data / game).glob("*.npz")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class PuzzleFiles:
    """The puzzles of games, in one file per game."""

    data: Path = DATA

    def games(self) -> list[str]:
        """Return the keys of the games that have puzzles, sorted."""
        return sorted(file.parent.name for file in self.data.glob(f"*/{_PUZZLES}"))

    def load(self, game: str) -> PuzzleBook:
        """Read the puzzles of a game.

        Raises:
            BrokenContent: The puzzles can't be read or are invalid.
        """
        file = self.file_of(game)
        try:
            return PuzzleBook.model_validate_json(file.read_bytes())
        except (OSError, ValueError) as fault:
            raise BrokenContent((f"{_short_path(file)} can't be read: {_describe(fault)}.",)) from fault

    def save(self, game: str, book: PuzzleBook) -> None:
        """Write the puzzles of a game, one per line; equal puzzles make equal files."""
        parts = (f"{_to_json(name)}:{_to_lines(value)}" for name, value in book.model_dump(mode="json").items())
        text = ",\n".join(parts)
        self.file_of(game).write_bytes(f"{{{text}}}\n".encode())

    def file_of(self, game: str) -> Path:
        """Return the file of a game's puzzles, which may not exist."""
        return self.data / game / _PUZZLES


_PUZZLES = "puzzles.json"


def _to_lines(value: object) -> str:
    """Return JSON with one line per item of a list."""
    if not isinstance(value, list):
        return _to_json(value)
    lines = ",\n".join(map(_to_json, value))
    return f"[\n{lines}\n]"


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_content(model: type[ContentT], folder: Path) -> ContentT:
    """Read a game's content from its folder, with one TOML file per field of the model; arrays are read on demand.

    Raises:
        BrokenContent: Files are missing, unknown or unreadable, or their values are invalid.
    """
    values: dict[str, object] = {
        name: NpzTables(folder / f"{name}.npz")
        for name, field in model.model_fields.items()
        if field.annotation is Tables
    }
    expected = sorted(f"{field}.toml" for field in model.model_fields if field not in values)
    faults = [f"{_short_path(folder / name)} is missing." for name in expected if not (folder / name).exists()]
    for file in sorted(folder.glob("*.toml")):
        if file.name not in expected:
            faults.append(f"{_short_path(file)} is no file of this game, which needs {', '.join(expected)}.")
            continue
        try:
            values[file.stem] = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as fault:
            faults.append(f"{_short_path(file)} can't be read: {_describe(fault)}.")
    return _validate(model, folder, values, faults)


def _validate(model: type[ContentT], folder: Path, values: Mapping[str, object], faults: list[str]) -> ContentT:
    """Return the validated content; raise BrokenContent if it or any file has faults."""
    try:
        content = model.model_validate(values)
    except ValidationError as invalid:
        raise BrokenContent((*faults, *_describe_errors(invalid, folder, values))) from invalid
    if faults:
        raise BrokenContent(tuple(faults))
    return content


def _describe_errors(invalid: ValidationError, folder: Path, values: Mapping[str, object]) -> Iterator[str]:
    """Yield a sentence for each error in readable files; unreadable files are reported already."""
    for error in invalid.errors(include_url=False):
        name, *path = map(str, error["loc"])
        if name in values:
            where = f", {'.'.join(path)}" if path else ""
            yield f"{_short_path(folder / name)}.toml{where}: {reason_of(error['msg'])}."


def _describe(fault: OSError | ValueError) -> str:
    """Return the reason a file can't be read (the first of several), without its path."""
    if isinstance(fault, ValidationError):
        return ": ".join(filter(None, first_error(fault)))
    return str((isinstance(fault, OSError) and fault.strerror) or fault)


def _short_path(file: Path) -> str:
    """Return a file's path relative to the project: `data/<game>/<file>`."""
    return "/".join(file.parts[-3:])
