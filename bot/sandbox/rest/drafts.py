"""Turns what a bot sends into messages."""

import mimetypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import PurePosixPath
from typing import Any, TypeAlias
from urllib.parse import quote

from bot.sandbox.errors import Code, api_error
from bot.sandbox.model.attachments import Attachment
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import PICTURES, SELECTS, Message, MessageFlags, at_least, at_most
from bot.sandbox.model.world import World
from bot.sandbox.rest.uploads import Body, Upload
from bot.sandbox.validation.faults import Faults, Place
from bot.sandbox.validation.messages import FILES, check_message, has_something_to_show
from bot.sandbox.wire import Json

Url: TypeAlias = Callable[[], str]

_FREE_FLAGS = MessageFlags.SUPPRESS_EMBEDS | MessageFlags.SUPPRESS_NOTIFICATIONS


@dataclass(frozen=True, slots=True)
class Draft:
    """The checked parts of a message that a bot sent."""

    body: Json
    uploads: tuple[Upload, ...]
    root: Place = ()

    @property
    def ephemeral(self) -> bool:
        """Whether it is meant for one reader."""
        return bool((self.body.get("flags") or 0) & MessageFlags.EPHEMERAL)

    @property
    def needs_embeds(self) -> bool:
        """Whether it carries embeds."""
        return bool(self.body.get("embeds"))

    @property
    def needs_files(self) -> bool:
        """Whether it carries files."""
        return bool(self.uploads)


def draft(json: Any, uploads: tuple[Upload, ...], root: Place = ()) -> Draft:
    """Check what a bot sent as a message, at some place of the request."""
    body = json if isinstance(json, dict) else {}
    check_message(body, root)
    return Draft(body, uploads, root)


def draft_of(body: Body) -> Draft:
    """Check the body of a request as a message."""
    return draft(body.json, body.uploads)


class Writer:
    """Writes drafts into messages."""

    def __init__(self, world: World, url: Url) -> None:
        self._world = world
        self._url = url

    def create(self, message: Message, source: Draft) -> None:
        """Give a new message its content, and put it into its channel."""
        self._fill(message, source)
        self._world.add(message)

    def edit(self, message: Message, source: Draft) -> None:
        """Change the parts of a message that the draft names."""
        before = message.attachments
        self._fill(message, source)
        if message.loading:
            # It is new to its readers: nothing they saw was changed.
            message.flags &= ~MessageFlags.LOADING
        else:
            message.edited_at = self._world.now()
        self._world.changed(message, before)

    def _fill(self, message: Message, source: Draft) -> None:
        body = source.body
        content = (body.get("content") or "").strip() if "content" in body else message.content
        embeds = message.embeds
        if "embeds" in body:
            embeds = [embed for embed in body["embeds"] or () if has_something_to_show(embed)]
        components = message.components
        if "components" in body:
            components = number_components(body["components"])
        files = self._files(message, source)
        if len(files) > FILES:
            raise api_error(Code.TOO_MANY_FILES)
        if not (content or embeds or components or files):
            raise api_error(Code.EMPTY_MESSAGE)
        message.content, message.components, message.attachments = content, components, files
        message.embeds = [_resolve(embed, files) for embed in embeds]
        if body.get("flags") is not None:
            message.flags = (message.flags & ~_FREE_FLAGS) | (body["flags"] & _FREE_FLAGS)

    def _files(self, message: Message, source: Draft) -> tuple[Attachment, ...]:
        listed = source.body.get("attachments")
        if listed is None:
            # New files without a list take the place of the old ones.
            return self._stored(message, source, {}) if source.uploads else message.attachments
        notes = {str(entry["id"]): entry for entry in listed}
        _check_present(message, source, notes)
        kept = (file for file in message.attachments if str(file.id) in notes)
        described = (_described(file, notes[str(file.id)]) for file in kept)
        return (*described, *self._stored(message, source, notes))

    def _stored(self, message: Message, source: Draft, notes: dict[str, Json]) -> tuple[Attachment, ...]:
        return tuple(self._store(message.channel, file, notes.get(str(file.number), {})) for file in source.uploads)

    def _store(self, channel: Channel, upload: Upload, note: Json) -> Attachment:
        file_id = self._world.snowflakes.new()
        name = PurePosixPath(note.get("filename") or upload.filename).name or "unknown"
        guess = mimetypes.guess_type(name)[0]
        url = f"{self._url()}/cdn/attachments/{channel.id}/{file_id}/{quote(name)}"
        return Attachment(file_id, name, guess or upload.content_type, upload.content, url, note.get("description"))


def _check_present(message: Message, source: Draft, notes: dict[str, Json]) -> None:
    present = {str(each.id) for each in message.attachments} | {str(each.number) for each in source.uploads}
    faults = Faults(source.root)
    for place, wanted in enumerate(notes):
        if wanted not in present:
            faults.add(("attachments", place), "ATTACHMENT_NOT_FOUND", "Attachment data not found")
    faults.complain()


def _described(file: Attachment, note: Json) -> Attachment:
    return replace(file, description=note["description"]) if "description" in note else file


def number_components(parts: list[Json] | None) -> list[Json]:
    """Return components with the running numbers that Discord gives them, in the order in which they are read."""
    numbers = count(1)
    return [_numbered(part, numbers) for part in parts or ()]


def _numbered(part: Json, numbers: Iterator[int]) -> Json:
    body = {**_without_gaps(part), "id": next(numbers)}
    if body["type"] in SELECTS:
        body |= {"min_values": at_least(part), "max_values": at_most(part)}
    if "default_values" in body:
        body["default_values"] = [{**each, "id": str(each["id"])} for each in body["default_values"]]
    if "components" in body:
        body["components"] = [_numbered(each, numbers) for each in body["components"]]
    if "component" in body:
        body["component"] = _numbered(body["component"], numbers)
    return body


def _without_gaps(part: Json) -> Json:
    # What was sent as null is absent from what comes back.
    kept = {key: value for key, value in part.items() if value is not None}
    return {key: _without_gaps(value) if isinstance(value, dict) else value for key, value in kept.items()}


def _resolve(embed: Json, files: tuple[Attachment, ...]) -> Json:
    resolved = {"type": "rich", **_without_gaps(embed)}
    if "fields" in resolved:
        resolved["fields"] = [{**row, "inline": bool(row.get("inline"))} for row in resolved["fields"]]
    for part in PICTURES:
        file = _named((embed.get(part) or {}).get("url"), files)
        if file is not None:
            resolved[part] = {"url": file.url, "proxy_url": file.url, **file.dimensions(), **file.notes()}
    for part in ("author", "footer"):
        file = _named((embed.get(part) or {}).get("icon_url"), files)
        if file is not None:
            resolved[part] = {**resolved[part], "icon_url": file.url, "proxy_icon_url": file.url}
    return resolved


def _named(url: str | None, files: tuple[Attachment, ...]) -> Attachment | None:
    # Of two files with one name the new one is meant.
    return next((file for file in reversed(files) if url == f"attachment://{file.filename}"), None)
