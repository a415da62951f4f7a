"""A minimal sandbox that sends clicks to a bot and receives its answers.

It serves the gateway and the identity of the sandbox, but keeps no messages and checks nothing: what it costs is
measured beside the bot's share.
"""

import asyncio
from dataclasses import dataclass

from bot.sandbox import Sandbox
from bot.sandbox.rest.rates import Rates
from bot.sandbox.rest.routes import ApiRequest, ApiResponse, Route
from bot.sandbox.wire import Json
from tests.support.payloads import message_payload, user_payload

UPDATE = 7
COMPONENT = 3
ANSWER_TIMEOUT_SECONDS = 10.0
ALL_PERMISSIONS = str((1 << 53) - 1)


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """The answer to a click, and its time."""

    at: float
    body: Json


class ClickSandbox(Sandbox):
    """Sends clicks on given messages and waits for the answers."""

    def __init__(self, *, shards: int = 1, rates: Rates | None = None) -> None:
        super().__init__(shards=shards, rates=rates)
        self._clicks: dict[str, tuple[Json, asyncio.Future[TimedAnswer]]] = {}
        """The clicked message and the answer to each click that waits for one, by its token."""
        self._edits: dict[str, asyncio.Future[TimedAnswer]] = {}
        self._member = self.world.server.member_payload(self.world.people[0])
        self._channel = {**self.world.channels[0].payload(), "permissions": ALL_PERMISSIONS}
        callback = r"/interactions/{interaction_id:\d+}/{token}/callback"
        message = r"/channels/{channel_id:\d+}/messages/{message_id:\d+}"
        self.routes = [
            Route("POST", callback, self._on_callback, open_to_all=True),
            Route("PATCH", message, self._on_edit),
            *self.routes,
        ]

    async def click(self, message: Json, user_id: int, name: str, custom_id: str) -> TimedAnswer:
        """Click a button and return the answer that updates the message.

        A busy bot may acknowledge the click, or say that dice roll, and edit the message in another request.
        """
        edit = self._edits[message["id"]] = asyncio.get_running_loop().create_future()
        async with asyncio.timeout(ANSWER_TIMEOUT_SECONDS):
            answered = await self.press(message, user_id, name, custom_id)
            return answered if "components" in answered.body.get("data", {}) else await edit

    def press(self, message: Json, user_id: int, name: str, custom_id: str) -> asyncio.Future[TimedAnswer]:
        """Click a button without waiting, and return a future of the answer."""
        token = f"{message['id']}-{self.world.snowflakes.next_id()}"
        answer: asyncio.Future[TimedAnswer] = asyncio.get_running_loop().create_future()
        self._clicks[token] = message, answer
        click = self._build_click(token, message, user_id, name, custom_id)
        self.gateway.dispatch("INTERACTION_CREATE", click, self.server_of(message))
        return answer

    def _on_callback(self, call: ApiRequest) -> ApiResponse:
        message, answer = self._clicks.pop(call.params["token"])
        if not answer.done():
            answer.set_result(TimedAnswer(asyncio.get_running_loop().time(), call.json_object))
        if "with_response" not in call.query:
            return ApiResponse()
        summary: Json = {"id": call.params["interaction_id"], "type": COMPONENT}
        return ApiResponse({"interaction": summary, "resource": {"type": UPDATE, "message": message}})

    def _on_edit(self, call: ApiRequest) -> ApiResponse:
        edit, data = self._edits.get(call.params["message_id"]), call.json_object
        # A picture or words that follow an earlier answer come without buttons.
        if edit is not None and not edit.done() and "components" in data:
            edit.set_result(TimedAnswer(asyncio.get_running_loop().time(), {"type": UPDATE, "data": data}))
        return ApiResponse(message_payload(int(call.params["message_id"]), int(call.params["channel_id"])))

    def server_of(self, _message: Json) -> int:
        """Return the id of the server that a message is in."""
        return self.world.server.id

    def _build_click(self, token: str, message: Json, user_id: int, name: str, custom_id: str) -> Json:
        server_id, user = str(self.server_of(message)), user_payload(user_id, name)
        member = {**self._member, "user": user, "permissions": ALL_PERMISSIONS}
        return {
            "id": str(self.world.snowflakes.next_id()),
            "application_id": str(self.world.bot.id),
            "type": COMPONENT,
            "data": {"custom_id": custom_id, "component_type": 2},
            "channel_id": message["channel_id"],
            "channel": {**self._channel, "id": message["channel_id"]},
            "guild_id": server_id,
            "guild": {"id": server_id, "locale": "en-US", "features": []},
            "guild_locale": "en-US",
            "member": member,
            "message": message,
            "token": token,
            "version": 1,
            "app_permissions": ALL_PERMISSIONS,
            "locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {"0": server_id},
            "context": 0,
            "attachment_size_limit": 10 * 1024 * 1024,
        }

    def message(self, message_id: int, channel_id: int, data: Json) -> Json:
        """Describe a message of the bot as Discord does."""
        return message_payload(message_id, channel_id, author=self.world.bot.payload(), **data)
