"""Component ids: what a button is for, in at most 100 characters that survive restarts.

An id only names something; whether and what it does is looked up on the host, so a forged one gains nothing.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from bot.rules.refusals import Refusal
from bot.rules.screen import Draft
from bot.tables.model import TableId
from bot.tables.refusals import HostReason


class LobbyAction(StrEnum):
    """What the buttons of a lobby do."""

    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    ADD_COMPUTER = "add"
    REMOVE_COMPUTER = "remove"


@dataclass(frozen=True, slots=True)
class ControlId:
    """A control of a game's screen at a step, with the draft it was shown with."""

    table_id: TableId
    step: int
    key: str
    draft: Draft

    def __str__(self) -> str:
        mask = sum(1 << token for token in self.draft)
        return f"t:{self.table_id}:{self.step}:{self.key}:{mask:x}"


@dataclass(frozen=True, slots=True)
class LobbyId:
    """A button of a table's lobby."""

    table_id: TableId
    revision: int
    action: LobbyAction

    def __str__(self) -> str:
        return f"l:{self.table_id}:{self.revision}:{self.action}"


@dataclass(frozen=True, slots=True)
class GuideId:
    """The button that explains a game."""

    game: str

    def __str__(self) -> str:
        return f"g:{self.game}"


@dataclass(frozen=True, slots=True)
class CancelId:
    """The button that confirms the end of a table."""

    table_id: TableId

    def __str__(self) -> str:
        return f"c:{self.table_id}"


@dataclass(frozen=True, slots=True)
class CheckId:
    """The button that lets anybody check a table's dice."""

    table_id: TableId

    def __str__(self) -> str:
        return f"v:{self.table_id}"


ComponentId: TypeAlias = ControlId | LobbyId | GuideId | CancelId | CheckId

_NUMBER = r"(\d{1,18})"
_PATTERNS = {
    "t": re.compile(rf"{_NUMBER}:{_NUMBER}:([a-z0-9_]{{1,24}}):([0-9a-f]{{1,16}})", re.ASCII),
    "l": re.compile(rf"{_NUMBER}:{_NUMBER}:({'|'.join(LobbyAction)})", re.ASCII),
    "g": re.compile(r"([a-z_]{1,32})", re.ASCII),
    "c": re.compile(_NUMBER, re.ASCII),
    "v": re.compile(_NUMBER, re.ASCII),
}


def parse_id(text: str) -> ComponentId:
    """Read a component id; refuses what none of our buttons has."""
    kind, _, rest = text.partition(":")
    found = _PATTERNS[kind].fullmatch(rest) if kind in _PATTERNS else None
    if found is None:
        raise Refusal(HostReason.UNKNOWN_BUTTON)
    match kind:
        case "t":
            table_id, step, key, mask = found.groups()
            return ControlId(int(table_id), int(step), key, _draft(int(mask, 16)))
        case "l":
            return LobbyId(int(found[1]), int(found[2]), LobbyAction(found[3]))
        case "g":
            return GuideId(found[1])
        case "v":
            return CheckId(int(found[1]))
        case _:
            return CancelId(int(found[1]))


def _draft(mask: int) -> Draft:
    return frozenset(token for token in range(mask.bit_length()) if mask >> token & 1)
