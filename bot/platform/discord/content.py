"""The content of a message: an embed, menus, rows of buttons and an optional picture."""

import asyncio
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import discord

from bot.pictures.service import PictureFile
from bot.platform.discord.direction import turn_embed, turn_row, turn_text
from bot.platform.discord.emoji import OWN_EMOJI
from bot.platform.discord.limits import MAX_LABEL
from bot.platform.discord.menus import SelectMenu
from bot.platform.paging import Page
from bot.rules.picture import Picture
from bot.rules.refusals import Refusal
from bot.rules.screen import Field
from bot.words import format_number, gettext as _

if TYPE_CHECKING:
    from bot.platform.discord.ids import CustomId

Json = dict[str, Any]
"""A JSON object for Discord's API."""

_ACTION_ROW, _BUTTON = discord.ComponentType.action_row.value, discord.ComponentType.button.value


class Button(NamedTuple):
    """A button; a NamedTuple, because each message creates about a dozen."""

    label: str
    custom_id: str
    style: discord.ButtonStyle = discord.ButtonStyle.secondary
    is_disabled: bool = False

    def to_dict(self) -> Json:
        """Return the button as JSON for Discord's API."""
        button = {"type": _BUTTON, "style": self.style.value, "custom_id": self.custom_id}
        if self.is_disabled:
            button["disabled"] = True
        return button | OWN_EMOJI.in_label(self.label)


class RawView(discord.ui.View):
    """A view of ready-made rows, stopped at once because the dispatcher handles all clicks."""

    def __init__(self, rows: list[Json]) -> None:
        super().__init__(timeout=None)
        self._rows = rows
        self.stop()

    def to_components(self) -> list[Json]:
        """Return the rows of components."""
        return self._rows


def make_view(button: Button) -> discord.ui.View:
    """Return a view with one button, stopped at once because the dispatcher handles all clicks."""
    view = discord.ui.View(timeout=None)
    label = turn_text(button.label, MAX_LABEL)
    view.add_item(discord.ui.Button(label=label, style=button.style, custom_id=button.custom_id))
    view.stop()
    return view


def join_lines(lines: Iterable[str], limit: int) -> str:
    """Join as many lines as there is room for; `…` replaces the rest."""
    shown = list(lines)
    text = "\n".join(shown)
    while len(text) > limit:
        shown.pop()
        text = "\n".join((*shown, "…"))
    return text


def page_buttons(page: Page, page_id: Callable[[int], "CustomId"]) -> tuple[Button, ...]:
    """Return buttons for the previous and next page.

    Args:
        page_id: Returns the custom id of a page by its number.
    """
    row = []
    if page.number > 1:
        label = _("◀ Page {number}").format(number=format_number(page.number - 1))
        row.append(Button(label, str(page_id(page.number - 1))))
    if page.number < page.count:
        label = _("Page {number} ▶").format(number=format_number(page.number + 1))
        row.append(Button(label, str(page_id(page.number + 1))))
    return tuple(row)


def page_note(page: Page) -> str:
    """Return "Page 2 of 3", or an empty string if there is only one page."""
    if page.count == 1:
        return ""
    return _("Page {number} of {count}").format(number=format_number(page.number), count=format_number(page.count))


def drop_empty_rows(*rows: tuple[Button, ...]) -> tuple[tuple[Button, ...], ...]:
    """Return the rows that have buttons."""
    return tuple(row for row in rows if row)


def embed_fields(fields: Iterable[Field]) -> list[Json]:
    """Return the fields of an embed as JSON for Discord's API."""
    return [{"name": each.title, "value": each.text, "inline": False} for each in fields]


class Suspense(NamedTuple):
    """What a message shows until the dice of a moment rest in its picture."""

    embed_json: Mapping[str, Any]
    """The parts of the embed that differ."""
    rows: tuple[tuple[Button, ...], ...] | None = None
    """The buttons; None if they do not differ."""
    menus: tuple[SelectMenu, ...] = ()


class Roll(NamedTuple):
    """A roll that a message shows for the first time."""

    watchers: frozenset[int]
    """The people for whom dice move in the picture, unless all of them want still pictures."""
    make_suspense: Callable[[], Suspense] | None = None
    """Returns what is shown until the dice of a moment rest; None if its words do not wait."""


@dataclass(frozen=True, slots=True)
class MessageContent:
    """The content of a message, not yet sent."""

    text_embed_json: Mapping[str, Any]
    """The embed without a picture, as JSON for Discord's API."""
    rows: tuple[tuple[Button, ...], ...] = ()
    menus: tuple[SelectMenu, ...] = ()
    make_picture: Callable[[], Picture] | None = None
    """Lays out the picture, if there is one."""
    picture: PictureFile | None = None
    """The drawn picture, once it is attached."""
    picture_embed_json: Mapping[str, Any] = field(default_factory=dict)
    """The parts of the embed that differ when it has a picture."""
    roll: Roll | None = field(default=None, compare=False, repr=False)
    """None if the picture has no motion, or was shown before."""
    suspense: Suspense | None = None
    """What differs while the dice of a moment move in the picture."""
    late_picture: asyncio.Future[PictureFile] | None = field(default=None, compare=False, repr=False)
    """The unfinished picture of a message that is sent without waiting any longer."""

    @property
    def text_embed(self) -> discord.Embed:
        """The embed without a picture."""
        return discord.Embed.from_dict(self.text_embed_json)

    def with_picture(self, picture: PictureFile) -> "MessageContent":
        """Return a copy with the picture in its embed."""
        make = self.roll.make_suspense if self.roll is not None and picture.is_moment else None
        return replace(self, picture=picture, suspense=None if make is None else make(), late_picture=None)

    def without_picture(self) -> "MessageContent":
        """Return a copy without picture."""
        return replace(self, picture=None)

    def embed_json(self) -> Mapping[str, Any]:
        """Return the embed, with the picture if there is one, as JSON for Discord's API."""
        if self.picture is None:
            return OWN_EMOJI.in_embed(turn_embed(self.text_embed_json))
        image = {"url": f"attachment://{self.picture.name}"}
        meanwhile = {} if self.suspense is None else self.suspense.embed_json
        embed = {**self.text_embed_json, **self.picture_embed_json, **meanwhile, "image": image}
        if not embed.get("footer", image):
            del embed["footer"]
        return OWN_EMOJI.in_embed(turn_embed(embed))

    def components(self) -> list[Json]:
        """Return the rows of menus and buttons as JSON for Discord's API."""
        menus, rows = self.menus, self.rows
        if self.suspense is not None and self.suspense.rows is not None and self.picture is not None:
            menus, rows = self.suspense.menus, self.suspense.rows
        return [
            *({"type": _ACTION_ROW, "components": [menu.to_dict()]} for menu in menus),
            *({"type": _ACTION_ROW, "components": [button.to_dict() for button in turn_row(row)]} for row in rows),
        ]

    def embed_to_send(self) -> discord.Embed:
        """Return the embed, with the picture if there is one."""
        return discord.Embed.from_dict(self.embed_json())

    def send_kwargs(self) -> dict[str, Any]:
        """Return the keyword arguments for sending a new message."""
        given = {"embed": self.embed_to_send(), "view": self.view(), "file": next(iter(self._files()), None)}
        # discord.py takes None for a value, not for nothing.
        return {name: value for name, value in given.items() if value is not None}

    def edit_kwargs(self) -> dict[str, Any]:
        """Return the keyword arguments for editing a message; the picture replaces any earlier one."""
        return {"embed": self.embed_to_send(), "view": self.view(), "attachments": self._files()}

    def view(self) -> RawView | None:
        """Return menus and buttons as a view."""
        return RawView(self.components()) if self.rows or self.menus else None

    def _files(self) -> list[discord.File]:
        """Return the picture as a new file, because sending a file uses it up."""
        if self.picture is None:
            return []
        return [discord.File(io.BytesIO(self.picture.data), self.picture.name, description=self.picture.description)]


class RefusalWithButton(Refusal):
    """A refusal with a helpful button."""

    def __init__(self, refusal: Refusal, button: Button) -> None:
        super().__init__(refusal.reason, refusal.facts)
        self.button = button
