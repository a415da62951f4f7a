"""Select menus: their JSON, and the value that a user chose."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import discord

from bot.rules.refusals import Refusal
from bot.rules.screen import Menu, Tone
from bot.tables.refusals import HostReason
from bot.ui.render.emoji import OWN_EMOJI

_SELECT = discord.ComponentType.select.value


@dataclass(frozen=True, slots=True)
class SelectOption:
    """An option of a menu."""

    label: str
    value: str
    description: str = ""
    is_chosen: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the option as JSON for Discord's API."""
        description = {"description": self.description} if self.description else {}
        face = OWN_EMOJI.in_label(self.label)
        return {"value": self.value, "default": self.is_chosen, **face, **description}


@dataclass(frozen=True, slots=True)
class SelectMenu:
    """A menu with its options and custom id."""

    placeholder: str
    """The placeholder while no option is chosen."""
    custom_id: str
    options: tuple[SelectOption, ...]

    @classmethod
    def from_menu(cls, menu: Menu, custom_id: str) -> "SelectMenu":
        """Make the menu of a game's screen; its values are keys of controls."""
        options = (
            SelectOption(each.label, each.key, each.description, is_chosen=each.tone is Tone.CHOSEN)
            for each in menu.controls
        )
        return cls(menu.label, custom_id, tuple(options))

    def to_dict(self) -> dict[str, Any]:
        """Return the menu as JSON for Discord's API."""
        options = [line.to_dict() for line in self.options]
        return {"type": _SELECT, "custom_id": self.custom_id, "placeholder": self.placeholder, "options": options}


def chosen_value(click: discord.Interaction[Any]) -> str:
    """Return the value that was chosen in a menu.

    Raises:
        Refusal: None of our menus sends such data.
    """
    values = cast("Mapping[str, Any]", click.data or {}).get("values")
    if not isinstance(values, list) or len(values) != 1:
        raise Refusal(HostReason.UNKNOWN_BUTTON)
    return str(values[0])
