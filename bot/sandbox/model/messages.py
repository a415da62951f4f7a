"""Messages, their files and their components."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING

from bot.sandbox.model.clock import creation_timestamp
from bot.sandbox.wire import Json

if TYPE_CHECKING:
    from bot.sandbox.model.channels import Channel, Thread
    from bot.sandbox.model.servers import User


MEDIA_PATH = "/media/"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message."""

    id: int
    filename: str
    content_type: str
    content: bytes = field(repr=False)
    url: str
    description: str | None = None

    @property
    def size(self) -> int:
        """Number of bytes."""
        return len(self.content)

    @property
    def proxy_url(self) -> str:
        """Where the media proxy has it, which is where Discord's clients look."""
        return self.url.replace("/cdn/", MEDIA_PATH, 1)

    def payload(self) -> Json:
        """Return it in Discord's format."""
        return {
            "id": str(self.id),
            "filename": self.filename,
            "size": self.size,
            "url": self.url,
            "proxy_url": self.proxy_url,
            "content_type": self.content_type,
            **self.dimensions(),
            **self.description_fields(),
        }

    def description_fields(self) -> Json:
        """Return the description (alternative text), if it has one."""
        return {} if self.description is None else {"description": self.description}

    def dimensions(self) -> Json:
        """Return width and height of a PNG or a GIF; empty for other files."""
        if self.content.startswith(b"\x89PNG\r\n\x1a\n") and self.size >= 24:
            width, height = struct.unpack(">II", self.content[16:24])
        elif self.content.startswith(b"GIF89a") and self.size >= 10:
            width, height = struct.unpack("<HH", self.content[6:10])
        else:
            return {}
        return {"width": width, "height": height}


class ComponentType(IntEnum):
    """The types of components that the sandbox supports."""

    ROW = 1
    BUTTON = 2
    SELECT = 3
    ROLE_SELECT = 6
    CHANNEL_SELECT = 8


SELECT_TYPES = frozenset({ComponentType.SELECT, ComponentType.ROLE_SELECT, ComponentType.CHANNEL_SELECT})
"""The types of select menus."""


class ButtonStyle(IntEnum):
    """Button styles; a link button sends no interaction."""

    PRIMARY = 1
    SECONDARY = 2
    SUCCESS = 3
    DANGER = 4
    LINK = 5


class MessageType(IntEnum):
    """Types of messages."""

    DEFAULT = 0
    THREAD_CREATED = 18
    """Discord's own line in a channel about a public thread without a message; its content is the thread's name."""
    REPLY = 19
    COMMAND = 20


class MessageFlags(IntFlag):
    """The message flags that the sandbox supports."""

    SUPPRESS_EMBEDS = 1 << 2
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


@dataclass(frozen=True, slots=True)
class Button:
    """A button of a message."""

    custom_id: str | None
    label: str
    disabled: bool
    style: ButtonStyle
    emoji: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class SelectMenu:
    """A select menu of a message."""

    kind: ComponentType
    custom_id: str
    placeholder: str
    options: tuple[Json, ...]
    min_values: int
    max_values: int
    disabled: bool


@dataclass(slots=True, eq=False)
class Message:
    """A message; edits change it in place."""

    id: int
    channel: Channel = field(repr=False)
    author: User
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: tuple[Attachment, ...] = ()
    flags: int = 0
    ephemeral_to: int | None = None
    kind: MessageType = MessageType.DEFAULT
    metadata: Json | None = field(default=None, repr=False)
    reference: Message | None = field(default=None, repr=False)
    created_thread: Thread | None = field(default=None, repr=False)
    """The thread that a line of Discord's own is about."""
    nonce: str | int | None = None
    edited_at: str | None = None
    deleted: bool = False
    is_edit_limited: bool = False
    """Whether edits with the bot's token are refused."""
    is_edit_limited_for_interactions: bool = False
    """Whether edits by interaction responses are refused, too."""
    dismissed: bool = False
    _payload: Json | None = field(default=None, init=False, repr=False)

    @property
    def edited(self) -> bool:
        """Whether it was edited after it was shown."""
        return self.edited_at is not None

    @property
    def loading(self) -> bool:
        """Whether it is a deferred response without content."""
        return bool(self.flags & MessageFlags.LOADING)

    @property
    def text(self) -> str:
        """The content and the text of the embeds."""
        return "\n".join(part for part in (self.content, *embed_texts(self.embeds)) if part)

    @property
    def buttons(self) -> list[Button]:
        """Its buttons in reading order."""
        return [_parse_button(raw) for raw in self.iter_components() if raw["type"] == ComponentType.BUTTON]

    @property
    def selects(self) -> list[SelectMenu]:
        """Its menus in reading order."""
        return [_parse_select(raw) for raw in self.iter_components() if raw["type"] in SELECT_TYPES]

    def button(self, label_part: str) -> Button:
        """Return the first button whose label contains a text or whose emoji equals it."""
        for button in self.buttons:
            if label_part in button.label or label_part == button.emoji:
                return button
        labels = ", ".join(repr(button.label) for button in self.buttons)
        raise LookupError(f"no button says {label_part!r}; there are: {labels or 'none'}")

    def iter_components(self) -> Iterator[Json]:
        """Yield the JSON of buttons and menus."""
        for row in self.components:
            yield from row["components"]

    def is_addressed_to(self, person_id: int) -> bool:
        """Whether a person may see it."""
        return self.channel.visible_to(person_id) and self.ephemeral_to in (None, person_id)

    def visible_to(self, person_id: int) -> bool:
        """Whether a person sees it now."""
        return not (self.deleted or self.dismissed) and self.is_addressed_to(person_id)

    def invalidate_payload(self) -> None:
        """Drop the cached payload after a change."""
        self._payload = None

    def payload(self) -> Json:
        """Return it in Discord's format; the result is shared and must not be changed."""
        if self._payload is None:
            self._payload = self._build_payload()
        if self.reference is None:
            return self._payload
        # Linked objects change by themselves, so their payload is not cached.
        body = dict(self._payload)
        if self.reference is not None:
            body |= self._reply_payload(self.reference)
        return body

    def _build_payload(self) -> Json:
        body = self._base_payload()
        if self.metadata is not None:
            application = str(self.author.id)
            body |= {"interaction_metadata": self.metadata, "webhook_id": application}
            body["application_id"] = application
        if self.created_thread is not None:
            thread = self.created_thread
            reference = {"type": 0, "channel_id": str(thread.id), "guild_id": str(thread.server.id)}
            body["message_reference"] = reference
        if self.nonce is not None:
            body["nonce"] = self.nonce
        return body

    def _base_payload(self) -> Json:
        # Discord does not list a file that an embed shows.
        shown = {embed[part].get(url) for embed in self.embeds for part, url in _FILES_IN_EMBEDS if embed.get(part)}
        return {
            "id": str(self.id),
            "type": int(self.kind),
            "channel_id": str(self.channel.id),
            "author": self.author.payload(),
            "content": self.content,
            "embeds": self.embeds,
            "components": self.components,
            "attachments": [file.payload() for file in self.attachments if file.url not in shown],
            "mentions": self.channel.find_mentions(self.content),
            "mention_roles": [],
            "mention_everyone": False,
            "pinned": False,
            "tts": False,
            "timestamp": creation_timestamp(self.id),
            "edited_timestamp": self.edited_at,
            "flags": self.flags,
        }

    def _reply_payload(self, target: Message) -> Json:
        reference = {"type": 0, "message_id": str(target.id), "channel_id": str(target.channel.id)}
        if target.channel.server_id is not None:
            reference["guild_id"] = str(target.channel.server_id)
        return {
            "message_reference": reference,
            "referenced_message": None if target.deleted else target._base_payload(),
        }


IMAGE_PARTS = ("image", "thumbnail")
"""The parts of an embed that may show an attached picture."""

_FILES_IN_EMBEDS = (*((part, "url") for part in IMAGE_PARTS), ("author", "icon_url"), ("footer", "icon_url"))


def embed_texts(embeds: list[Json]) -> Iterator[str]:
    """Yield the texts of embeds in reading order."""
    for embed in embeds:
        yield (embed.get("author") or {}).get("name") or ""
        yield embed.get("title") or ""
        yield embed.get("description") or ""
        for row in embed.get("fields") or ():
            yield row["name"]
            yield row["value"]
        yield (embed.get("footer") or {}).get("text") or ""


def _parse_button(raw: Json) -> Button:
    return Button(
        custom_id=raw.get("custom_id"),
        label=raw.get("label") or "",
        disabled=bool(raw.get("disabled")),
        style=ButtonStyle(raw["style"]),
        emoji=(raw.get("emoji") or {}).get("name"),
        url=raw.get("url"),
    )


def _parse_select(raw: Json) -> SelectMenu:
    return SelectMenu(
        kind=ComponentType(raw["type"]),
        custom_id=raw["custom_id"],
        placeholder=raw.get("placeholder") or "",
        options=tuple(raw.get("options") or ()),
        min_values=min_values(raw),
        max_values=max_values(raw),
        disabled=bool(raw.get("disabled")),
    )


def min_values(select: Json) -> int:
    """Return how many options of a menu must be chosen."""
    value = select.get("min_values")
    return 1 if value is None else int(value)


def max_values(select: Json) -> int:
    """Return how many options of a menu may be chosen."""
    value = select.get("max_values")
    return 1 if value is None else int(value)
