"""Games whose computer players can't read what they have learned."""

from dataclasses import replace

from bot.rules.content import BrokenTables
from bot.rules.package import Trainer, without_broken_levels
from bot.tables.registry import AnyPackage

BROKEN_FILE = "data/magpie/race.npz can't be read."


def with_broken_tables(package: AnyPackage) -> AnyPackage:
    """Return a game as it is loaded if its stored arrays are broken."""

    def fail() -> None:
        raise BrokenTables(BROKEN_FILE)

    return without_broken_levels(replace(package, trainer=Trainer("race", lambda _tell: {}, fail)))
