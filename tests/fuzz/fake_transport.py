"""Replaces the network: interactions go in as Discord sends them, and requests are recorded."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from typing import Any
from urllib.parse import unquote

import discord
import pytest
from discord.webhook.async_ import AsyncWebhookAdapter
from yarl import URL

from bot.platform.discord.http import LazySession
from bot.platform.places import Location
from tests.fuzz.acts import EPHEMERAL, Act, AnswerKind, Json, Pressable, SentAnswer, ShownMessage
from tests.fuzz.answer_deadline import AnswerDeadline
from tests.fuzz.fake_gateway import FakeGateway
from tests.fuzz.payloads import interaction_payload
from tests.support.payloads import message_payload
from tests.ui.fake_interactions import ALREADY_ANSWERED, UNKNOWN_MESSAGE

_POLL_SECONDS = 0.1
_TABLE_BUTTONS = ("u:", "a:", "x:", "k:")
"""Each table has one of these buttons until it is closed: a read-only one, or for the next game, or to resume it."""
_CLOSINGS = ("This table ", "This game was ", "All players agreed ")
MAX_REMEMBERED = 300
"""The number of remembered messages and their buttons."""


@dataclass(frozen=True, slots=True)
class _Response:
    """What Discord answers, as far as it is looked at."""

    payload: Any
    url: URL
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "application/json"})

    @property
    def content_type(self) -> str:
        """What the body is."""
        return self.headers["content-type"]

    async def text(self, encoding: str) -> str:
        """Return the answer as it is written."""
        return json.dumps(self.payload)

    async def read(self) -> bytes:
        """Return the bytes of the answer."""
        return json.dumps(self.payload).encode()


@dataclass(slots=True)
class FakeTransport:
    """Hands interactions to a client and notes all that it says."""

    gateway: FakeGateway
    deadline: AnswerDeadline
    is_late: bool = False
    """Whether the first answers to the latest acts took longer than Discord would wait."""
    sent: list[SentAnswer] = field(default_factory=list)
    """The answers since they were taken last."""
    sent_texts: list[str] = field(default_factory=list)
    """Everything that was sent since it was taken last, as JSON."""
    refused_acts: list[int] = field(default_factory=list)
    """Interactions that were to be answered once more, at the latest act."""
    shown: OrderedDict[int, ShownMessage] = field(default_factory=OrderedDict)
    deleted_ids: set[int] = field(default_factory=set)
    """The messages that were deleted."""
    refuses_deferrals: bool = False
    """Whether a click on a message that is gone can't be acknowledged by a deferred update."""
    _acts: dict[int, Act] = field(default_factory=dict)
    _firsts: dict[int, asyncio.Event] = field(default_factory=dict)
    _messages: Any = field(default_factory=lambda: count(4_000_000))
    _originals: dict[int, str] = field(default_factory=dict)
    """The messages that first answers are."""
    _own: set[int] = field(default_factory=set)
    """Interactions with messages that only who acted sees."""
    _readers: dict[int, int] = field(default_factory=dict)
    """The only reader of a private message, even after edits."""
    _guilds: dict[int, int | None] = field(default_factory=dict)

    async def __call__(self, *acts: Act) -> None:
        """Let people act at once, and wait for the first answers, as long as Discord would."""
        self.refused_acts.clear()
        for act in acts:
            self._guilds[act.location.channel_id] = act.location.guild_id
            self._acts[act.id], self._firsts[act.id] = act, asyncio.Event()
        self.deadline.restart()
        for act in acts:
            if self._is_own(act):
                self._own.add(act.id)
            described = interaction_payload(act, flags=EPHEMERAL if act.id in self._own else 0)
            await self.gateway.receive_event("INTERACTION_CREATE", described)
        waiting = {asyncio.ensure_future(first.wait()) for first in self._firsts.values()}
        while waiting and not self.deadline.is_over:
            _, waiting = await asyncio.wait(waiting, timeout=_POLL_SECONDS)
        self.is_late = self.deadline.is_over
        for each in waiting:
            each.cancel()
        self._firsts.clear()

    def _is_own(self, act: Act) -> bool:
        """Tell whether a message is pressed that only who presses it sees."""
        return self._readers.get(act.message_id or 0) == act.person.id

    def delete_message(self, message_id: int) -> None:
        """Delete or dismiss a message, as its reader would."""
        self.shown.pop(message_id, None)
        self.deleted_ids.add(message_id)

    def take_sent(self) -> tuple[list[SentAnswer], list[str]]:
        """Return and forget what was sent since the last call."""
        sent, self.sent, said, self.sent_texts = self.sent, [], self.sent_texts, []
        return sent, said

    # --- calls of discord.py and the callback client

    async def webhook(self, _: AsyncWebhookAdapter, route: Any, session: object, **request: Any) -> Any:
        """Take an answer to an interaction, or what follows one."""
        await asyncio.sleep(0)
        body = _body(request)
        self.sent_texts.append(json.dumps(body, ensure_ascii=False))
        act = self._acts[_act_id_from(route.webhook_token)]
        if route.path.endswith("/callback"):
            return self._handle_callback(act, AnswerKind(body["type"]), body.get("data") or {})
        named = route.url.rpartition("/")[2]
        if route.method == "DELETE":
            return self._handle_webhook_delete(act, named)
        if route.method == "PATCH":
            return self._handle_webhook_edit(act, named, body)
        self.sent.append(SentAnswer(act.id, is_first=False, kind=AnswerKind.MESSAGE, data=body))
        return self._record_post(act.location, body, act.person.id)

    @asynccontextmanager
    async def request(self, method: str, address: str, *, data: bytes | None, **_: object) -> AsyncIterator[Any]:
        """Take what the postman and the messenger send past discord.py; refusals are raised as theirs would be."""
        await asyncio.sleep(0)
        self.sent_texts.append((data or b"").decode())
        body = json.loads(data) if data else {}
        yield _Response(self._handle_request(method, address.split("/"), body), URL(address))

    def _handle_request(self, method: str, parts: list[str], body: Json) -> Any:
        match parts:
            case [*_, token, "callback"]:
                answered = self._handle_callback(
                    self._acts[_act_id_from(token)], AnswerKind(body["type"]), body["data"]
                )
                return {"resource": {"message": {"id": answered["interaction"].get("response_message_id")}}}
            case [*_, "webhooks", _, token, "messages", named]:
                return self._handle_webhook_edit(self._acts[_act_id_from(token)], named, body)
            case [*_, "channels", channel_id, "messages"]:
                location = Location(self._guilds[int(channel_id)], int(channel_id))
                return [] if method == "GET" else self._record_post(location, body, None)
            case [*_, "channels", channel_id, "messages", message_id]:
                return self._handle_message_request(method, int(channel_id), int(message_id), body)
            case _:
                raise AssertionError(f"no such endpoint: {parts}")

    def _handle_message_request(self, method: str, channel_id: int, message_id: int, body: Json) -> Any:
        """Edit or delete a message with the bot's own token."""
        self._require_not_deleted(message_id)
        if method == "DELETE":
            self.delete_message(message_id)
            return None
        self._show(message_id, Location(self._guilds[channel_id], channel_id), body, None)
        return message_payload(message_id, channel_id)

    def _handle_callback(self, act: Act, kind: AnswerKind, data: Json) -> Json:
        first = self._firsts.get(act.id)
        if first is None or first.is_set():
            self.refused_acts.append(act.id)
            raise ALREADY_ANSWERED
        changes = kind in (AnswerKind.UPDATE, AnswerKind.DEFERRED_UPDATE)
        if kind is AnswerKind.UPDATE or (kind is AnswerKind.DEFERRED_UPDATE and self.refuses_deferrals):
            self._require_not_deleted(act.message_id or 0)
        first.set()
        self.sent.append(
            SentAnswer(act.id, is_first=True, kind=kind, data=data, in_own_ephemeral=changes and act.id in self._own)
        )
        summary: Json = {"id": str(act.id), "type": int(act.kind)}
        if kind is AnswerKind.MESSAGE:
            reader = act.person.id if data.get("flags", 0) & EPHEMERAL else None
            summary["response_message_id"] = self._originals[act.id] = self._record_post(act.location, data, reader)[
                "id"
            ]
        elif kind is AnswerKind.DEFERRED_MESSAGE:
            self._originals[act.id] = str(next(self._messages))
        elif kind is AnswerKind.UPDATE and act.message_id is not None:
            self._edit(act.message_id, act.location, data)
        return {"interaction": summary}

    def _handle_webhook_edit(self, act: Act, named: str, data: Json) -> Json:
        """Edit a message by the token of an interaction."""
        message_id = self._message_id_named(act, named)
        self._require_not_deleted(message_id)
        self.sent.append(
            SentAnswer(act.id, is_first=False, kind=AnswerKind.UPDATE, data=data, in_own_ephemeral=act.id in self._own)
        )
        self._edit(message_id, act.location, data)
        return message_payload(message_id, act.location.channel_id)

    def _edit(self, message_id: int, location: Location, data: Json) -> None:
        before = self.shown.get(message_id)
        if before is not None and before.reader_id is None:
            assert _is_for_everybody(data), f"{before} has become {data}"
        self._show(message_id, location, data, self._readers.get(message_id))

    def _handle_webhook_delete(self, act: Act, named: str) -> None:
        """Delete a message by the token of an interaction, which must not reach what others see."""
        message_id = self._message_id_named(act, named)
        self._require_not_deleted(message_id)
        found = self.shown.get(message_id)
        self.delete_message(message_id)
        assert found is None or found.reader_id == act.person.id, f"{act} has led to the end of {found}"

    def _require_not_deleted(self, message_id: int) -> None:
        """Refuse to do anything with a message that is gone."""
        if message_id in self.deleted_ids:
            raise UNKNOWN_MESSAGE

    def _message_id_named(self, act: Act, named: str) -> int:
        """Return the message that a token reaches by a name: the first answer, or what was pressed."""
        is_original = unquote(named) == "@original"
        return int(self._originals.get(act.id, act.message_id or 0) if is_original else named)

    def _record_post(self, location: Location, data: Json, reader_id: int | None) -> Json:
        message_id = next(self._messages)
        if reader_id is not None:
            self._readers[message_id] = reader_id
        self._show(message_id, location, data, reader_id)
        return message_payload(message_id, location.channel_id)

    def _show(self, message_id: int, location: Location, data: Json, reader_id: int | None) -> None:
        self.shown.pop(message_id, None)
        leaves = (leaf for row in data.get("components") or () for leaf in row["components"])
        pressables = tuple(
            Pressable(leaf["custom_id"], tuple(each["value"] for each in leaf.get("options") or ())) for leaf in leaves
        )
        if pressables:
            self.shown[message_id] = ShownMessage(message_id, location, pressables, reader_id)
        while len(self.shown) > MAX_REMEMBERED:
            self.shown.popitem(last=False)


def _act_id_from(token: str) -> int:
    return int(token.rpartition("-")[2])


def _body(request: Json) -> Json:
    for part in request.get("multipart") or request.get("form") or ():
        if part["name"] == "payload_json":
            found: Json = json.loads(part["value"])
            return found
    return request.get("payload") or request.get("json") or {}


def _is_for_everybody(data: Json) -> bool:
    """Tell whether what a message is edited to is a table, its buttons alone, or the way to where it stands now."""
    if data.get("content"):
        return str(data["content"]).startswith("Moved down ↓ ")
    if not data.get("embeds"):
        return True
    ids = [leaf["custom_id"] for row in data.get("components") or () for leaf in row["components"]]
    if any(each.startswith(_TABLE_BUTTONS) for each in ids):
        return True
    texts = [str(embed.get("description")) for embed in data["embeds"]]
    return all(each.startswith("v:") for each in ids) and all(text.startswith(_CLOSINGS) for text in texts)


def install(wire: FakeTransport, client: discord.Client, patch: pytest.MonkeyPatch) -> None:
    """Put the wire in the place of discord.py's requests, and of the postman's."""

    async def webhook(adapter: AsyncWebhookAdapter, route: Any, session: object = None, **request: Any) -> Any:
        return await wire.webhook(adapter, route, session, **request)

    patch.setattr(AsyncWebhookAdapter, "request", webhook)
    patch.setattr(LazySession, "session", lambda _session, _client: wire)
    patch.setattr(client.http, "token", "forged")

    async def list_nothing(_guild: discord.Guild) -> list[object]:
        return []

    for request in ("fetch_channels", "active_threads"):
        patch.setattr(discord.Guild, request, list_nothing)
