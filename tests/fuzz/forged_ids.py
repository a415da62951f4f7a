"""Ids of buttons that the bot has not made."""

from collections.abc import Collection, Sequence
from functools import cache
from random import Random

from bot.platform.discord.ids import kinds_of_ids
from bot.tables.model import TableId
from tests.fuzz.command_generator import ODD_WORDS

NO_PREFIX = "Z"
"""A letter that no id begins with."""


@cache
def prefixes() -> tuple[str, ...]:
    """Return what the ids of buttons begin with, and what none begins with."""
    return *(kind.prefix for kind in kinds_of_ids()), NO_PREFIX


@cache
def odd_ids() -> tuple[str, ...]:
    """Return ids of every kind, and of none, that no button has."""
    return tuple(f"{prefix}:{word}"[:100] for prefix in prefixes() for word in ODD_WORDS) + ODD_WORDS


def mutate_id(random: Random, custom_id: str, tables: Collection[TableId], others: Sequence[str]) -> str:
    """Return an id that differs in a part, perhaps by one that another id has or that leads to another table."""
    parts = custom_id.split(":")
    match random.randrange(6):
        case 0:
            parts[0] = random.choice(prefixes())
        case 1:
            at = random.randrange(len(parts))
            parts[at] = random.choice(ODD_WORDS)
        case 2 if len(parts) > 1:
            table_ids = [str(table_id) for table_id in tables]
            parts[1] = random.choice((*table_ids[-60:], "0", "999999"))
        case 3 if len(parts) > 2:
            number = int(parts[2]) if parts[2].isdecimal() else 0
            parts[2] = str(max(0, number + random.choice((-2, -1, 1, 2, 50))))
        case 4 if len(parts) > 3:
            keys = [other.split(":")[3:4] for other in others]
            parts[3] = random.choice([key[0] for key in keys if key] or ["roll"])
        case _:
            parts[-1] = f"{random.getrandbits(random.choice((4, 16, 64))):x}"
    return ":".join(parts)[:100]
