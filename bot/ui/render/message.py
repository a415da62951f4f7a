"""What is sent to Discord of a table or of anything else: an embed, menus, rows of buttons, and perhaps a picture."""

import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import discord

from bot.pictures.service import PictureFile
from bot.rules.picture import Picture
from bot.rules.screen import Field
from bot.ui.render.menus import SelectMenu

Json = dict[str, Any]
"""An object as Discord's API takes it."""

_ACTION_ROW, _BUTTON = discord.ComponentType.action_row.value, discord.ComponentType.button.value


class Button(NamedTuple):
    """A button: what it says, and the id it answers to. Each answer has a dozen, and named tuples are made soonest."""

    label: str
    custom_id: str
    style: discord.ButtonStyle = discord.ButtonStyle.secondary

    def to_dict(self) -> Json:
        """Return the button as Discord's API takes it."""
        return {"type": _BUTTON, "style": self.style.value, "label": self.label, "custom_id": self.custom_id}


class RawView(discord.ui.View):
    """Rows of components that are ready; the view is stopped, because clicks go through the one dispatcher."""

    def __init__(self, rows: list[Json]) -> None:
        super().__init__(timeout=None)
        self._rows = rows
        self.stop()

    def to_components(self) -> list[Json]:
        """Return the rows as they are sent."""
        return self._rows


def embed_fields(blocks: Iterable[Field]) -> list[Json]:
    """Return blocks of text one under the other, as Discord's API takes them."""
    return [{"name": block.title, "value": block.text, "inline": False} for block in blocks]


@dataclass(frozen=True, slots=True)
class MessageContent:
    """What is sent to Discord: an embed, its menus, its buttons under them, and perhaps a picture."""

    text_embed_json: Mapping[str, Any]
    """The embed as Discord's API takes it, without a picture."""
    rows: tuple[tuple[Button, ...], ...] = ()
    menus: tuple[SelectMenu, ...] = ()
    make_picture: Callable[[], Picture] | None = None
    """Makes the picture that belongs to it, if any does."""
    picture: PictureFile | None = None
    """The picture, once it is drawn."""
    picture_fields: tuple[Field, ...] | None = None
    """The fields of the embed beside the picture, if they are others then."""

    @property
    def text_embed(self) -> discord.Embed:
        """The embed as the library has it, without a picture."""
        return discord.Embed.from_dict(self.text_embed_json)

    def with_picture(self, drawn: PictureFile) -> "MessageContent":
        """Return the frame with its picture in the embed."""
        return replace(self, picture=drawn)

    def without_picture(self) -> "MessageContent":
        """Return the frame without its picture."""
        return replace(self, picture=None)

    def embed_json(self) -> Mapping[str, Any]:
        """Return the embed as Discord's API takes it: the table in words, or its picture with the same in fewer."""
        if self.picture is None:
            return self.text_embed_json
        beside: Json = {"image": {"url": f"attachment://{self.picture.name}"}}
        if self.picture_fields is not None:
            beside["fields"] = embed_fields(self.picture_fields)
        return {**self.text_embed_json, **beside}

    def components(self) -> list[Json]:
        """Return menus and buttons as Discord's API takes them."""
        menus = [{"type": _ACTION_ROW, "components": [pick.to_dict()]} for pick in self.menus]
        return menus + [{"type": _ACTION_ROW, "components": [press.to_dict() for press in row]} for row in self.rows]

    def embed_to_send(self) -> discord.Embed:
        """Return the embed as it is sent."""
        return self.text_embed if self.picture is None else discord.Embed.from_dict(self.embed_json())

    def send_kwargs(self) -> dict[str, Any]:
        """Return what a new message is sent with."""
        view, files = self.view(), self._files()
        sent: dict[str, Any] = {"embed": self.embed_to_send()}
        if view is not None:
            sent["view"] = view
        if files:
            sent["file"] = files[0]
        return sent

    def edit_kwargs(self, *, buttons_alone: bool = False) -> dict[str, Any]:
        """Return what a message is edited with: its picture takes the place of any earlier one.

        Where menus and buttons alone are others, the rest stays as it is.
        """
        buttons = {"view": self.view()}
        return buttons if buttons_alone else {"embed": self.embed_to_send(), "attachments": self._files(), **buttons}

    def view(self) -> RawView | None:
        """Wrap menus and buttons up for the library."""
        return RawView(self.components()) if self.rows or self.menus else None

    def _files(self) -> list[discord.File]:
        """Wrap the picture up; what is sent is read to its end, so that each message needs its own."""
        if self.picture is None:
            return []
        return [discord.File(io.BytesIO(self.picture.data), self.picture.name, description=self.picture.description)]
