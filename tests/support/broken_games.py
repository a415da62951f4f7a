"""Games whose computer players can't read what they have learned."""

import os
from dataclasses import replace
from pathlib import Path
from shutil import copytree

from bot.games.fortune import PACKAGE as FORTUNE
from bot.platform.content import DATA, build_packages
from bot.tables.registry import AnyPackage, GameRegistry

BROKEN_FILE = "data/magpie/race.npz can't be read."


def with_broken_tables(package: AnyPackage) -> AnyPackage:
    """Return a game whose stored arrays are known to be broken."""
    return replace(package, mind=replace(package.mind, broken=BROKEN_FILE))


def break_fortune(folder: Path) -> None:
    """Copy the content of Fortune into a folder, with a broken file."""
    copytree(DATA / "fortune", folder / "fortune")
    (folder / "fortune" / "race.npz").write_bytes(b"broken")


def load_fortune() -> GameRegistry:
    """Return Fortune with the content of the folder that `CONTENT` names."""
    return GameRegistry(build_packages({"fortune": FORTUNE}, Path(os.environ["CONTENT"])))
