"""Select menus: their JSON, and the values that a user chose."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, TypeVar, cast

import discord
from discord import app_commands

from bot.platform.discord.direction import turn_text
from bot.platform.discord.emoji import OWN_EMOJI
from bot.platform.discord.limits import MAX_LINE, MAX_PLACEHOLDER
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import Refusal
from bot.rules.screen import Menu, Tone
from bot.words import truncate

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
        description = {"description": turn_text(self.description, MAX_LINE)} if self.description else {}
        face = {"label": self.label, **OWN_EMOJI.in_label(self.label, MAX_LINE)}
        return {"value": self.value, "default": self.is_chosen, **face, **description}


@dataclass(frozen=True, slots=True)
class SelectMenu:
    """A menu with its options and custom id."""

    placeholder: str
    """The placeholder while no option is chosen."""
    custom_id: str
    options: tuple[SelectOption, ...]
    takes_any_number: bool = False
    """Whether any number of options can be chosen, including none; otherwise exactly one."""
    is_disabled: bool = False

    @classmethod
    def from_menu(cls, menu: Menu, custom_id: str) -> "SelectMenu":
        """Return the menu of a game's screen, with keys of controls as values."""
        options = (
            SelectOption(each.label, each.key, each.description, is_chosen=each.tone is Tone.CHOSEN)
            for each in menu.controls
        )
        # Discord wants a line even in a menu that can't be opened.
        lines = tuple(options) or (SelectOption(menu.label, menu.key),)
        return cls(menu.label, custom_id, lines, is_disabled=not menu.controls)

    def to_dict(self) -> dict[str, Any]:
        """Return the menu as JSON for Discord's API."""
        options = [line.to_dict() for line in self.options]
        counts = {"min_values": 0, "max_values": len(options)} if self.takes_any_number else {}
        disabled = {"disabled": True} if self.is_disabled else {}
        return {
            "type": _SELECT,
            "custom_id": self.custom_id,
            "placeholder": turn_text(self.placeholder, MAX_PLACEHOLDER),
            "options": options,
            **counts,
            **disabled,
        }


MAX_CHOSEN: Final = 25
"""The most roles or channels that can be chosen in a menu: Discord's limit."""


@dataclass(frozen=True, slots=True)
class RoleMenu(SelectMenu):
    """A menu of the server's roles, filled by Discord, in which any number can be chosen."""

    options: tuple[SelectOption, ...] = ()
    chosen: tuple[int, ...] = ()
    """The chosen roles: at most 25, which must exist."""
    most: int = MAX_CHOSEN
    """The most roles that can be chosen."""

    def to_dict(self) -> dict[str, Any]:
        """Return the menu as JSON for Discord's API."""
        return _entity_menu(discord.ComponentType.role_select, "role", self)


@dataclass(frozen=True, slots=True)
class ChannelMenu(SelectMenu):
    """A menu of the server's channels, filled by Discord, in which any number can be chosen."""

    options: tuple[SelectOption, ...] = ()
    chosen: tuple[int, ...] = ()
    types: tuple[discord.ChannelType, ...] = ()
    """The types of channels to offer."""
    most: int = MAX_CHOSEN
    """The most channels that can be chosen."""

    def to_dict(self) -> dict[str, Any]:
        """Return the menu as JSON for Discord's API."""
        types = [each.value for each in self.types]
        return {
            **_entity_menu(discord.ComponentType.channel_select, "channel", self),
            "channel_types": types,
        }


def _entity_menu(component: discord.ComponentType, kind: str, menu: RoleMenu | ChannelMenu) -> dict[str, Any]:
    return {
        "type": component.value,
        "custom_id": menu.custom_id,
        "placeholder": turn_text(menu.placeholder, MAX_PLACEHOLDER),
        "min_values": 0,
        "max_values": menu.most,
        "default_values": [{"id": str(each), "type": kind} for each in menu.chosen],
    }


def chosen_value(click: discord.Interaction[Any]) -> str:
    """Return the value chosen in a menu.

    Raises:
        Refusal: No menu of ours sends such data.
    """
    values = chosen_values(click)
    if len(values) != 1:
        raise Refusal(ClickReason.UNKNOWN_BUTTON)
    return values[0]


def chosen_values(click: discord.Interaction[Any]) -> list[str]:
    """Return the values chosen in a menu with any number of choices; raise like `chosen_value`."""
    values = cast("Mapping[str, Any]", click.data or {}).get("values")
    if not isinstance(values, list) or len(values) > MAX_CHOSEN:
        raise Refusal(ClickReason.UNKNOWN_BUTTON)
    return list(map(str, values))


ValueT = TypeVar("ValueT", str, int)

MAX_CHOICES: Final = 25
"""Discord's limit for suggestions."""


def make_choices(found: Iterable[tuple[str, ValueT]]) -> list[app_commands.Choice[ValueT]]:
    """Return choices for the first names and values, with names in the right direction, cut to Discord's limit."""
    return [
        app_commands.Choice(name=turn_text(truncate(name, MAX_LINE), MAX_LINE), value=value)
        for name, value in islice(found, MAX_CHOICES)
    ]
