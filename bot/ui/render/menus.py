"""Menus: what is sent to Discord for one, and what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import discord

from bot.rules.refusals import Refusal
from bot.rules.screen import Menu, Tone
from bot.tables.refusals import HostReason

_SELECT = discord.ComponentType.select.value


@dataclass(frozen=True, slots=True)
class SelectOption:
    """One line of a menu, and the value that comes back when it is chosen."""

    label: str
    value: str
    description: str = ""
    is_chosen: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the line as Discord's API takes it."""
        described = {"description": self.description} if self.description else {}
        return {"label": self.label, "value": self.value, "default": self.is_chosen, **described}


@dataclass(frozen=True, slots=True)
class SelectMenu:
    """A menu with its lines, and the id it answers to."""

    placeholder: str
    """What stands there as long as no line is chosen."""
    custom_id: str
    options: tuple[SelectOption, ...]

    @classmethod
    def from_menu(cls, menu: Menu, custom_id: object) -> "SelectMenu":
        """Make the menu of a game's screen; what is chosen comes back as a control's key."""
        lines = (
            SelectOption(each.label, each.key, each.description, is_chosen=each.tone is Tone.CHOSEN)
            for each in menu.controls
        )
        return cls(menu.label, str(custom_id), tuple(lines))

    def to_dict(self) -> dict[str, Any]:
        """Return the menu as Discord's API takes it."""
        options = [line.to_dict() for line in self.options]
        return {"type": _SELECT, "custom_id": self.custom_id, "placeholder": self.placeholder, "options": options}


def chosen_value(click: discord.Interaction[Any]) -> str:
    """Return the one value that was chosen in a menu; refuses what no menu of ours sends."""
    values = cast("Mapping[str, Any]", click.data or {}).get("values")
    if not isinstance(values, list) or len(values) != 1:
        raise Refusal(HostReason.UNKNOWN_BUTTON)
    return str(values[0])
