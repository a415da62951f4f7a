"""Dice that fall the same way in every run, at tables that are opened and played like any other."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random

import pytest

from bot.features.fairness import verification as checking
from bot.rules.chance import FastChance
from bot.tables import lobby as lobby_actions
from bot.tables.host import Host
from bot.tables.table import salt_of

_SEED = 3


@contextmanager
def fix_randomness(host: Host) -> Iterator[None]:
    """Fix the seeds that are drawn, the salts that are mixed, and what computer players leave to chance."""
    host.service.entropy = Random(_SEED).randbytes
    host.computer_players.chance = FastChance(Random(_SEED))
    with pytest.MonkeyPatch.context() as patch:
        for module in (lobby_actions, checking):
            patch.setattr(module, "salt_of", _fixed_salt_of)
        yield


def _fixed_salt_of(contributions: Iterable[str]) -> str:
    """Let every seat contribute its number, because ids of clicks contain the time."""
    return salt_of(str(seat) for seat, _ in enumerate(contributions))
