"""Custom ids of buttons and menus: at most 100 characters that survive restarts and new versions.

An id only names a button and its table. The table's current state decides what a click may do, so a forged id gains
nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.platform.discord.ids import CustomId, TableButtonId
from bot.rules.game import Options
from bot.rules.options import encode_options
from bot.rules.screen import Draft
from bot.tables.model import TableId


class LobbyButton(StrEnum):
    """The buttons of a lobby."""

    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    REMOVE_PLAYER = "kick"
    """Opens the menu of players to remove."""


class SeatButton(StrEnum):
    """The buttons about a seat while a game is played."""

    ASK_TO_RESIGN = "leave"
    RESIGN = "resign"
    COME_BACK = "back"
    TAKE_BACK = "undo"
    SUBSTITUTE = "substitute"
    CLOSE = "close"


@dataclass(frozen=True)
class ScreenControlId(CustomId):
    """A part of a game's screen, shown at a step with a draft."""

    table_id: TableId
    step: int
    key: str
    draft: Draft

    @classmethod
    def formatter(cls, table_id: TableId, step: int, draft: Draft) -> Callable[[str], str]:
        """Return a function that formats the ids of a screen by key; it encodes the draft only once."""
        bits = sum(1 << token for token in draft)
        start, end = f"{cls.prefix}:{table_id}:{step}:", f":{bits:x}"
        return lambda key: f"{start}{key}{end}"

    def __str__(self) -> str:
        return self.formatter(self.table_id, self.step, self.draft)(self.key)


class ControlId(ScreenControlId, prefix="t"):
    """A control."""


class MenuId(ScreenControlId, prefix="m"):
    """A menu, whose values are keys of controls."""

    def control_id(self, key: str) -> ControlId:
        """Return the id of the control that a value of the menu represents."""
        return ControlId(self.table_id, self.step, key, self.draft)


class HandId(TableButtonId, prefix="y"):
    """The button that shows a player their hand."""


@dataclass(frozen=True)
class HandControlId(CustomId, prefix="w"):
    """A control, menu or button in the ephemeral message that shows a hand."""

    pressed: ControlId | MenuId | HandId


@dataclass(frozen=True)
class LobbyId(CustomId, prefix="l"):
    """A button of a lobby at a revision."""

    table_id: TableId
    revision: int
    button: LobbyButton


@dataclass(frozen=True)
class OpponentsId(CustomId, prefix="OP"):
    """The menu of opponents in a lobby at a revision; its values are levels, or `PEOPLE_ONLY`."""

    table_id: TableId
    revision: int


PEOPLE_ONLY: Final = "-"
"""The value of the menu of opponents that removes all computer players; no level has this name."""


@dataclass(frozen=True)
class RemovePlayerId(CustomId, prefix="K"):
    """The menu of players to remove from a lobby at a revision; its values are seats."""

    table_id: TableId
    revision: int


class OptionPanelId(TableButtonId, prefix="o"):
    """The button of a lobby that opens the option panel."""


@dataclass(frozen=True)
class OptionPageId(CustomId, prefix="n"):
    """A page of the option panel."""

    table_id: TableId
    page: int


@dataclass(frozen=True)
class OptionMenuId(CustomId, prefix="d"):
    """The menu of an option, with the digest of the options at the time it was shown."""

    table_id: TableId
    options_digest: str
    option: str


@dataclass(frozen=True)
class SeatId(CustomId, prefix="p"):
    """A button about a seat, shown at a step."""

    table_id: TableId
    step: int
    button: SeatButton


@dataclass(frozen=True)
class GuideId(CustomId, prefix="g"):
    """The button that explains a game."""

    game: str


@dataclass(frozen=True)
class CancelTableId(CustomId, prefix="c"):
    """The button that confirms closing a table, perhaps for a reason."""

    table_id: TableId
    reason: str = ""


class HintMenuId(TableButtonId, prefix="O"):
    """The opener's menu that turns hints at a table on or off."""


class PaceMenuId(TableButtonId, prefix="PA"):
    """The opener's menu of paces of computer players."""


class ClockMenuId(TableButtonId, prefix="CM"):
    """The opener's menu of turn clocks."""


class ReadTableId(TableButtonId, prefix="r"):
    """The button that describes a table in words."""


class Switch(StrEnum):
    """The two positions of a switch."""

    ON = "on"
    OFF = "off"


@dataclass(frozen=True)
class ReadAloudId(CustomId, prefix="R"):
    """The button below the reading of a table that turns reading aloud on or off."""

    table_id: TableId
    switch: Switch


class WhatHappenedId(TableButtonId, prefix="N"):
    """The button that tells what happened at a table."""


class MoreId(TableButtonId, prefix="M"):
    """The button that offers everything else that people can do at a table."""


@dataclass(frozen=True)
class ReadOnlyId(CustomId, prefix="u"):
    """A button that does not change the table, with the revision that the message shows."""

    table_id: TableId
    revision: int
    pressed: HandId | ReadTableId | WhatHappenedId | GuideId | MoreId

    def __str__(self) -> str:
        return f"{self.prefix}:{self.table_id}:{self.revision}:{self.pressed}"


class MoveHereId(TableButtonId, prefix="MV"):
    """The button that posts a table at the end of its channel."""


class PlayAgainId(TableButtonId, prefix="a"):
    """The button that opens another table with the same seats."""


class DareId(TableButtonId, prefix="DA"):
    """The button of a shared result that opens the same game, against the same level, for whoever presses it."""


class NextTableId(TableButtonId, prefix="x"):
    """The button that opens the next table of a series."""


@dataclass(frozen=True)
class OpenTableId(CustomId, prefix="q"):
    """A request for a table; option values are texts in the order of the model's fields."""

    game: str
    computers: int
    level: str
    """The level of the computer players of a game that starts at once; empty if a lobby opens."""
    options: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.prefix}:{self.game}:{self.computers}:{self.level}:{','.join(self.options)}"


def open_table_id(game: str, options: Options, computers: int, level: str = "") -> OpenTableId:
    """Return the id that repeats a request to open a table."""
    return OpenTableId(game, computers, level, encode_options(options))


class ResumeId(TableButtonId, prefix="k"):
    """The button that resumes a table that was put aside."""
