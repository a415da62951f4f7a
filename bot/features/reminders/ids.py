"""Custom ids of what makes waiting easier: pings, turn clocks and the list of one's tables."""

from dataclasses import dataclass
from enum import StrEnum

from bot.platform.discord.ids import CustomId, TableButtonId
from bot.tables.model import TableId


class PingMenu(StrEnum):
    """The menus about pings."""

    HOW = "how"
    WHEN = "when"


class PingPanelId(TableButtonId, prefix="PP"):
    """The button that shows a player how they are pinged at a table."""


@dataclass(frozen=True)
class PingMenuId(CustomId, prefix="PM"):
    """A menu about pings at a table, or at all others (0)."""

    table_id: TableId
    menu: PingMenu


class TimeUpButton(StrEnum):
    """What the others can decide about a player whose time is up."""

    WAIT = "wait"
    COMPUTER = "computer"


@dataclass(frozen=True)
class TimeUpId(CustomId, prefix="TU"):
    """A button about a player whose time is up; the period is the time that ended."""

    table_id: TableId
    period: int
    button: TimeUpButton


@dataclass(frozen=True)
class MyTablesId(CustomId, prefix="MT"):
    """A page of the list of one's own tables."""

    page: int
