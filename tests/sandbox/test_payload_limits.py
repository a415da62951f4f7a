"""What Discord refuses in messages is refused, with the same code at the same place."""

import io
from typing import Any

from bot.sandbox import Channel, Person, Sandbox, ServerChannel
from bot.sandbox.model.permissions import MEMBER_PERMISSIONS, Permissions
from tests.sandbox.message_bodies import (
    ACCEPTED_BODIES,
    REFUSED_BODIES,
    button,
    components,
    embed,
    form,
    menu,
    messages,
    row,
)
from tests.sandbox.wire_bot import Json, WireBot
from tests.support.each_case import each_case

FILE = "x.bin", b"x"


@each_case("body, place, code", REFUSED_BODIES)
async def test_a_wrong_message_is_refused(wire: WireBot, channel: Channel, body: Json, place: str, code: str) -> None:
    before = list(channel.messages)
    assert (place, code) in await wire.faults("POST", messages(channel), body)
    assert channel.messages == before


@each_case("body", ACCEPTED_BODIES)
async def test_a_message_at_the_limits_is_accepted(wire: WireBot, channel: Channel, body: Json) -> None:
    status, answer = await wire.request("POST", messages(channel), body)
    assert status == 200, answer
    assert str(channel.messages[-1].id) == answer["id"]


@each_case(
    "body",
    [{}, {"content": " \n "}, {"embeds": [{"color": 5}]}, {"embeds": [], "components": []}, []],
)
async def test_an_empty_message_is_refused(wire: WireBot, channel: Channel, body: Any) -> None:
    assert await wire.refusal("POST", messages(channel), body) == (400, 50006)


async def test_an_edit_must_leave_something(wire: WireBot, channel: Channel) -> None:
    _, sent = await wire.request("POST", messages(channel), {"content": "x"})
    assert await wire.refusal("PATCH", f"{messages(channel)}/{sent['id']}", {"content": ""}) == (400, 50006)
    assert channel.messages[0].content == "x"
    assert not channel.messages[0].edited


async def test_components_get_running_numbers_and_empty_fields_are_left_out(wire: WireBot, channel: Channel) -> None:
    controls = components(row(button("a", label=None, emoji={"name": "🎲"}), button("b")), row(menu()))
    _, sent = await wire.request("POST", messages(channel), controls | embed(description=None, fields=None))
    assert "label" not in sent["components"][0]["components"][0]
    assert sent["embeds"] == [{"type": "rich", "title": "T"}]
    numbers = [[each["id"], *(leaf["id"] for leaf in each["components"])] for each in sent["components"]]
    assert numbers == [[1, 2, 3], [4, 5]]


async def test_a_nonce_that_is_enforced_is_posted_once_in_a_channel(wire: WireBot, channel: ServerChannel) -> None:
    body: Json = {"content": "x", "nonce": "n", "enforce_nonce": True}
    (_, first), (status, again) = [await wire.request("POST", messages(channel), body) for _ in range(2)]
    assert (status, again["id"]) == (200, first["id"])
    assert len(channel.messages) == 1
    for other in (body | {"nonce": "m"}, body | {"enforce_nonce": False}):
        assert (await wire.request("POST", messages(channel), other))[1]["id"] != first["id"]
    assert len(channel.messages) == 3


async def test_what_is_too_large_is_refused(wire: WireBot, channel: Channel) -> None:
    for sent in (form({}, ("x.bin", bytes(10 * 1024 * 1024 + 1))), io.BytesIO(bytes(33 * 1024 * 1024))):
        assert await wire.refusal("POST", messages(channel), data=sent) == (413, 40005)
    assert channel.messages == []


async def test_more_than_ten_files_are_refused_even_if_added_one_by_one(wire: WireBot, channel: Channel) -> None:
    assert await wire.refusal("POST", messages(channel), data=form({}, *[FILE] * 11)) == (400, 30015)
    assert channel.messages == []
    status, sent = await wire.request("POST", messages(channel), data=form({}, *[FILE] * 10))
    assert status == 200
    kept = {"attachments": [{"id": each["id"]} for each in sent["attachments"]] + [{"id": "0"}]}
    assert (await wire.request("PATCH", f"{messages(channel)}/{sent['id']}", data=form(kept, FILE)))[0] == 400
    assert len(channel.messages[0].attachments) == 10


async def test_files_come_back_as_they_were_sent(wire: WireBot, channel: Channel) -> None:
    awkward = b"\r\n--x\r\n\r\n\x00"
    _, sent = await wire.request("POST", messages(channel), data=form({}, ("x.bin", awkward)))
    (file,) = sent["attachments"]
    assert (file["filename"], file["size"]) == ("x.bin", len(awkward))
    async with wire.http.get(file["url"]) as answer:
        assert await answer.read() == awkward
        assert answer.headers["Content-Security-Policy"].endswith("sandbox")
    async with wire.http.get(file["url"].replace("x.bin", "y.bin")) as answer:
        assert answer.status == 404


async def test_of_two_files_with_one_name_the_newer_is_shown(wire: WireBot, channel: Channel) -> None:
    picture: Json = {"embeds": [{"image": {"url": "attachment://x.bin"}}]}
    _, sent = await wire.request("POST", messages(channel), data=form(picture, ("x.bin", b"old")))
    (old,) = channel.messages[0].attachments
    assert sent["embeds"][0]["image"]["url"] == old.url
    picture["attachments"] = [{"id": str(old.id)}, {"id": 0}]
    await wire.request("PATCH", f"{messages(channel)}/{sent['id']}", data=form(picture, ("x.bin", b"new")))
    kept, new = channel.messages[0].attachments
    assert (kept, new.content) == (old, b"new")
    assert channel.messages[0].embeds[0]["image"]["url"] == new.url


@each_case(
    "raw",
    [b"{", b'{"content": "\xff"}', b'{"content": "\\uD83C"}', b'{"content": ' + b"[" * 100_000],
)
async def test_broken_json_is_refused(wire: WireBot, channel: Channel, raw: bytes) -> None:
    assert await wire.refusal("POST", messages(channel), data=raw) == (400, 50109)


async def test_a_surrogate_pair_in_json_is_one_character(wire: WireBot, channel: Channel) -> None:
    status, answer = await wire.request("POST", messages(channel), data=b'{"content": "\\ud83c\\udfb2"}')
    assert (status, answer["content"]) == (200, "🎲")


@each_case("digits, code", [("9" * 5000, "NUMBER_TYPE_MAX"), ("٣", "NUMBER_TYPE_COERCE")])
async def test_an_invalid_id_in_a_path_is_refused(wire: WireBot, digits: str, code: str) -> None:
    assert await wire.faults("GET", f"/channels/{digits}") == {("channel_id", code)}


VIEW, SEND, EMBED = Permissions.VIEW_CHANNEL, Permissions.SEND_MESSAGES, Permissions.EMBED_LINKS
READ, MANAGE, NONE = Permissions.READ_MESSAGE_HISTORY, Permissions.MANAGE_MESSAGES, Permissions(0)
WORDS: Json = {"content": "x"}
REPLY: Json = {"content": "x", "message_reference": {"message_id": "1"}}
PICTURE: Json = {"embeds": [{"title": "T"}]}

# The missing permission, the request, and the code of the refusal.
REFUSED: list[tuple[Permissions, str, Json | None, int]] = [
    (VIEW, "POST /messages", WORDS, 50001),
    (VIEW, "GET /messages", None, 50001),
    (VIEW, "GET ", None, 50001),
    (VIEW, "PATCH /messages/{own}", WORDS, 50001),
    (VIEW, "DELETE /messages/{own}", None, 50001),
    (SEND, "POST /messages", WORDS, 50013),
    (EMBED, "POST /messages", PICTURE, 50013),
    (EMBED, "PATCH /messages/{own}", PICTURE, 50013),
    (READ, "GET /messages/{own}", None, 50013),
    (READ, "POST /messages", REPLY, 160002),
    (MANAGE, "DELETE /messages/{other}", None, 50013),
    (NONE, "PATCH /messages/{other}", WORDS, 50005),
    (NONE, "PATCH /messages/1", WORDS, 10008),
    (NONE, "GET /messages/1", None, 10008),
    (NONE, "DELETE /messages/1", None, 10008),
    (NONE, "GET /messages?limit=101", None, 50035),
    (NONE, "GET /messages?before=yesterday", None, 50035),
]


@each_case("case", REFUSED)
async def test_requests_without_the_needed_permission_are_refused(
    wire: WireBot, wren: Person, channel: ServerChannel, case: tuple[Permissions, str, Json | None, int]
) -> None:
    missing, request, body, code = case
    channel.bot_permissions = MEMBER_PERMISSIONS
    _, own = await wire.request("POST", messages(channel), {"content": "mine"})
    other = wren.say(channel, "hers")
    channel.bot_permissions = MEMBER_PERMISSIONS & ~missing
    method, path = request.replace("{own}", own["id"]).replace("{other}", str(other.id)).split(" ")
    _, answer = await wire.request(method, f"/channels/{channel.id}{path}", body)
    assert answer["code"] == code
    assert [message.content for message in channel.messages[-2:]] == ["mine", "hers"]


async def test_permissions_to_read_to_attach_and_to_delete(wire: WireBot, wren: Person, channel: ServerChannel) -> None:
    other = wren.say(channel, "spam")
    channel.bot_permissions = MEMBER_PERMISSIONS & ~READ
    assert await wire.request("GET", messages(channel)) == (200, [])
    channel.bot_permissions = MEMBER_PERMISSIONS & ~Permissions.ATTACH_FILES
    assert await wire.refusal("POST", messages(channel), data=form({}, FILE)) == (403, 50013)
    channel.bot_permissions = MEMBER_PERMISSIONS | MANAGE
    assert await wire.request("DELETE", f"{messages(channel)}/{other.id}") == (204, None)
    assert channel.messages == []


async def test_unknown_channels_and_paths_are_refused(wire: WireBot, sandbox: Sandbox) -> None:
    assert await wire.refusal("GET", "/channels/1") == (404, 10003)
    assert await wire.refusal("GET", "/guilds/1") == (404, 10004)
    async with wire.http.put(f"{sandbox.api_url}/nowhere", json={}) as answer:
        assert await answer.json() == {"message": "404: Not Found", "code": 0}
        assert answer.headers["Content-Type"] == "application/json", "nothing else"
    record = sandbox.requests[-1]
    assert (record.method, record.path, record.json, record.status) == ("PUT", "/api/v10/nowhere", {}, 404)
