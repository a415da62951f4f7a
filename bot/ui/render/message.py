"""What is sent to Discord of a table or of anything else: an embed, menus, rows of buttons, and perhaps a picture."""

import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import discord

from bot.pictures.service import Drawn
from bot.rules.picture import Picture
from bot.rules.screen import Field
from bot.ui.render.menus import Pick

Json = dict[str, Any]
"""An object as Discord's API takes it."""

_ROW, _BUTTON = discord.ComponentType.action_row.value, discord.ComponentType.button.value


class Press(NamedTuple):
    """A button: what it says, and the id it answers to. Each answer has a dozen, and named tuples are made soonest."""

    label: str
    custom_id: str
    style: discord.ButtonStyle = discord.ButtonStyle.secondary

    def component(self) -> Json:
        """Return the button as Discord's API takes it."""
        return {"type": _BUTTON, "style": self.style.value, "label": self.label, "custom_id": self.custom_id}


class Rows(discord.ui.View):
    """Rows of components that are ready; the view is stopped, because clicks go through the one dispatcher."""

    def __init__(self, rows: list[Json]) -> None:
        super().__init__(timeout=None)
        self._rows = rows
        self.stop()

    def to_components(self) -> list[Json]:
        """Return the rows as they are sent."""
        return self._rows


def fields_of(blocks: Iterable[Field]) -> list[Json]:
    """Return blocks of text one under the other, as Discord's API takes them."""
    return [{"name": block.title, "value": block.text, "inline": False} for block in blocks]


@dataclass(frozen=True, slots=True)
class Frame:
    """What is sent to Discord: an embed, its menus, its buttons under them, and perhaps a picture."""

    words: Mapping[str, Any]
    """The embed as Discord's API takes it, without a picture."""
    rows: tuple[tuple[Press, ...], ...] = ()
    picks: tuple[Pick, ...] = ()
    sketch: Callable[[], Picture] | None = None
    """Makes the picture that belongs to it, if any does."""
    drawn: Drawn | None = None
    """The picture, once it is drawn."""
    brief: tuple[Field, ...] | None = None
    """The fields of the embed beside the picture, if they are others then."""

    @property
    def embed(self) -> discord.Embed:
        """The embed as the library has it, without a picture."""
        return discord.Embed.from_dict(self.words)

    def with_picture(self, drawn: Drawn) -> "Frame":
        """Return the frame with its picture in the embed."""
        return replace(self, drawn=drawn)

    def in_words(self) -> "Frame":
        """Return the frame without its picture."""
        return replace(self, drawn=None)

    def told(self) -> Mapping[str, Any]:
        """Return the embed as Discord's API takes it: the table in words, or its picture with the same in fewer."""
        if self.drawn is None:
            return self.words
        beside: Json = {"image": {"url": f"attachment://{self.drawn.name}"}}
        if self.brief is not None:
            beside["fields"] = fields_of(self.brief)
        return {**self.words, **beside}

    def components(self) -> list[Json]:
        """Return menus and buttons as Discord's API takes them."""
        menus = [{"type": _ROW, "components": [pick.component()]} for pick in self.picks]
        return menus + [{"type": _ROW, "components": [press.component() for press in row]} for row in self.rows]

    def shown(self) -> discord.Embed:
        """Return the embed as it is sent."""
        return self.embed if self.drawn is None else discord.Embed.from_dict(self.told())

    def posted(self) -> dict[str, Any]:
        """Return what a new message is sent with."""
        view, files = self.view(), self._files()
        sent: dict[str, Any] = {"embed": self.shown()}
        if view is not None:
            sent["view"] = view
        if files:
            sent["file"] = files[0]
        return sent

    def edited(self, *, buttons_alone: bool = False) -> dict[str, Any]:
        """Return what a message is edited with: its picture takes the place of any earlier one.

        Where menus and buttons alone are others, the rest stays as it is.
        """
        buttons = {"view": self.view()}
        return buttons if buttons_alone else {"embed": self.shown(), "attachments": self._files(), **buttons}

    def view(self) -> Rows | None:
        """Wrap menus and buttons up for the library."""
        return Rows(self.components()) if self.rows or self.picks else None

    def _files(self) -> list[discord.File]:
        """Wrap the picture up; what is sent is read to its end, so that each message needs its own."""
        if self.drawn is None:
            return []
        return [discord.File(io.BytesIO(self.drawn.data), self.drawn.name, description=self.drawn.description)]
