"""Turns the bodies of requests into messages."""

import mimetypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import PurePosixPath
from typing import Any, TypeAlias
from urllib.parse import quote

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import (
    IMAGE_PARTS,
    SELECT_TYPES,
    Attachment,
    Message,
    MessageFlags,
    max_values,
    min_values,
)
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.world import World
from bot.sandbox.rest.routes import RequestBody, Upload, require_permission
from bot.sandbox.validation.emoji import check_emoji_exist
from bot.sandbox.validation.messages import MAX_FILES, check_message, has_visible_content
from bot.sandbox.validation.request_part import JsonPath, RequestPart
from bot.sandbox.wire import Json

Url: TypeAlias = Callable[[], str]

_EDITABLE_FLAGS = MessageFlags.SUPPRESS_EMBEDS | MessageFlags.SUPPRESS_NOTIFICATIONS


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """A validated message body with its uploads."""

    body: Json
    uploads: tuple[Upload, ...]
    root: JsonPath = ()

    @property
    def is_ephemeral(self) -> bool:
        """Whether it has the ephemeral flag."""
        return bool((self.body.get("flags") or 0) & MessageFlags.EPHEMERAL)


def parse_draft(json: Any, uploads: tuple[Upload, ...], root: JsonPath = ()) -> MessageDraft:
    """Validate a message at the path `root` of the request's JSON."""
    body = json if isinstance(json, dict) else {}
    check_message(body, root)
    return MessageDraft(body, uploads, root)


def parse_draft_body(body: RequestBody) -> MessageDraft:
    """Validate the body of a request as a message."""
    return parse_draft(body.json, body.uploads)


def require_draft_permissions(channel: Channel, draft: MessageDraft) -> None:
    """Raise ApiError if the bot lacks the permissions for a message's embeds or files."""
    if draft.body.get("embeds"):
        require_permission(channel, Permissions.EMBED_LINKS)
    if draft.uploads:
        require_permission(channel, Permissions.ATTACH_FILES)


class MessageWriter:
    """Applies drafts to messages."""

    def __init__(self, world: World, url: Url) -> None:
        self._world = world
        self._url = url

    def create(self, message: Message, draft: MessageDraft) -> None:
        """Fill a new message and add it to its channel."""
        self._fill(message, draft)
        self._world.add_message(message)

    def edit(self, message: Message, draft: MessageDraft) -> None:
        """Change the parts of a message that the draft contains."""
        previous = message.attachments
        self._fill(message, draft)
        if message.loading:
            # A deferred response gets its content: that is no edit.
            message.flags &= ~MessageFlags.LOADING
        else:
            message.edited_at = self._world.now()
        self._world.notify_message_changed(message, previous)

    def _fill(self, message: Message, draft: MessageDraft) -> None:
        body = draft.body
        content = (body.get("content") or "").strip() if "content" in body else message.content
        embeds = message.embeds
        if "embeds" in body:
            embeds = [embed for embed in body["embeds"] or () if has_visible_content(embed)]
        components = message.components
        if "components" in body:
            check_emoji_exist(body["components"], self._world.emojis.exists, (*draft.root, "components"))
            components = number_components(body["components"])
        files = self._files(message, draft)
        if len(files) > MAX_FILES:
            raise api_error(ErrorCode.TOO_MANY_FILES)
        if not (content or embeds or components or files):
            raise api_error(ErrorCode.EMPTY_MESSAGE)
        message.content, message.components, message.attachments = content, components, files
        message.embeds = [_resolve_embed(embed, files) for embed in embeds]
        if body.get("flags") is not None:
            message.flags = (message.flags & ~_EDITABLE_FLAGS) | (body["flags"] & _EDITABLE_FLAGS)

    def _files(self, message: Message, draft: MessageDraft) -> tuple[Attachment, ...]:
        listed = draft.body.get("attachments")
        if listed is None:
            # Uploads without a list replace the old files.
            return self._store_uploads(message, draft, {}) if draft.uploads else message.attachments
        entries = {str(entry["id"]): entry for entry in listed}
        _check_present(message, draft, entries)
        kept = [
            replace(file, description=entry.get("description", file.description))
            for file in message.attachments
            if (entry := entries.get(str(file.id))) is not None
        ]
        return (*kept, *self._store_uploads(message, draft, entries))

    def _store_uploads(self, message: Message, draft: MessageDraft, entries: dict[str, Json]) -> tuple[Attachment, ...]:
        return tuple(self._store(message.channel, file, entries.get(str(file.number), {})) for file in draft.uploads)

    def _store(self, channel: Channel, upload: Upload, entry: Json) -> Attachment:
        file_id = self._world.snowflakes.next_id()
        name = PurePosixPath(entry.get("filename") or upload.filename).name or "unknown"
        guess = mimetypes.guess_type(name)[0]
        url = f"{self._url()}/cdn/attachments/{channel.id}/{file_id}/{quote(name)}"
        return Attachment(file_id, name, guess or upload.content_type, upload.content, url, entry.get("description"))


def _check_present(message: Message, draft: MessageDraft, entries: dict[str, Json]) -> None:
    present = {str(each.id) for each in message.attachments} | {str(each.number) for each in draft.uploads}
    kept = RequestPart(list(entries), (*draft.root, "attachments"))
    for file_id in kept:
        if file_id.value not in present:
            file_id.add("ATTACHMENT_NOT_FOUND", "Attachment data not found")
    kept.raise_if_any()


def number_components(parts: list[Json] | None) -> list[Json]:
    """Return components with the ids that Discord assigns in reading order."""
    numbers = count(1)
    return [_number_component(part, numbers) for part in parts or ()]


def _number_component(part: Json, numbers: Iterator[int]) -> Json:
    body = {**_drop_nulls(part), "id": next(numbers)}
    if body["type"] in SELECT_TYPES:
        body |= {"min_values": min_values(part), "max_values": max_values(part)}
    if "default_values" in body:
        body["default_values"] = [{**each, "id": str(each["id"])} for each in body["default_values"]]
    if "components" in body:
        body["components"] = [_number_component(each, numbers) for each in body["components"]]
    return body


def _drop_nulls(part: Json) -> Json:
    # Discord leaves out fields that were sent as null.
    kept = {key: value for key, value in part.items() if value is not None}
    return {key: _drop_nulls(value) if isinstance(value, dict) else value for key, value in kept.items()}


def _resolve_embed(embed: Json, files: tuple[Attachment, ...]) -> Json:
    resolved = {"type": "rich", **_drop_nulls(embed)}
    if "fields" in resolved:
        resolved["fields"] = [{**row, "inline": bool(row.get("inline"))} for row in resolved["fields"]]
    for part in IMAGE_PARTS:
        file = _find_attachment((embed.get(part) or {}).get("url"), files)
        if file is not None:
            urls = {"url": file.url, "proxy_url": file.proxy_url}
            resolved[part] = {**urls, **file.dimensions(), **file.description_fields()}
    for part in ("author", "footer"):
        file = _find_attachment((embed.get(part) or {}).get("icon_url"), files)
        if file is not None:
            resolved[part] = {**resolved[part], "icon_url": file.url, "proxy_icon_url": file.proxy_url}
    return resolved


def _find_attachment(url: str | None, files: tuple[Attachment, ...]) -> Attachment | None:
    # Of two files with the same name the newer one counts.
    return next((file for file in reversed(files) if url == f"attachment://{file.filename}"), None)
