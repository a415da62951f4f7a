"""Content: reads what games need from `data/`, checks it, and puts the games together with it."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bot.rules.package import ContentT, GameFactory, PackageT

DATA = Path(__file__).parents[1] / "data"


class BrokenContent(Exception):
    """Content that can't be used, with a sentence for every fault in it."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


def assembled(offers: Mapping[str, PackageT | GameFactory[Any, PackageT]], data: Path = DATA) -> list[PackageT]:
    """Return the games by the names of their folders, each with its content; raises BrokenContent for all at once."""
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


def read_content(model: type[ContentT], folder: Path) -> ContentT:
    """Read a game's content from the files of its folder; raises BrokenContent with all faults."""
    wanted = sorted(f"{field}.toml" for field in model.model_fields)
    faults = [f"{_short_path(folder / name)} is missing." for name in wanted if not (folder / name).exists()]
    found: dict[str, object] = {}
    for file in sorted(folder.glob("*.toml")):
        if file.name not in wanted:
            faults.append(f"{_short_path(file)} is no file of this game, which needs {', '.join(wanted)}.")
            continue
        try:
            found[file.stem] = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as fault:
            faults.append(f"{_short_path(file)} can't be read: {fault}.")
    return _validate(model, folder, found, faults)


def _validate(model: type[ContentT], folder: Path, found: Mapping[str, object], faults: list[str]) -> ContentT:
    """Return the content, unless something is wrong with it or with its files."""
    try:
        content = model.model_validate(found)
    except ValidationError as invalid:
        raise BrokenContent((*faults, *_describe_errors(invalid, folder, found))) from invalid
    if faults:
        raise BrokenContent(tuple(faults))
    return content


def _describe_errors(invalid: ValidationError, folder: Path, found: Mapping[str, object]) -> Iterator[str]:
    """Say what is wrong in the files that could be read; why others could not is said already."""
    for error in invalid.errors(include_url=False):
        name, *path = map(str, error["loc"])
        if name in found:
            where = f", {'.'.join(path)}" if path else ""
            yield f"{_short_path(folder / name)}.toml{where}: {error['msg'].removeprefix('Value error, ')}."


def _short_path(file: Path) -> str:
    """Name a file from the folder of all content on."""
    return "/".join(file.parts[-3:])
