"""Several processes of the bot over real databases in one test."""

from collections.abc import Callable
from typing import TypeAlias

from bot.platform.database.database import Database
from tests.support.hosts import Host

MakeHost: TypeAlias = Callable[[Database], Host]
"""Starts one more process of the bot over a store."""
