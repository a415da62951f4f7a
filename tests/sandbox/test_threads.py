"""Threads: who starts, archives and locks them, and what can be done in them meanwhile."""

import aiohttp
import pytest

from bot.sandbox import ClientRefusal, Person, Sandbox, ServerChannel
from bot.sandbox.model.channels import Thread, ThreadKind
from bot.sandbox.model.permissions import MEMBER_PERMISSIONS, Permissions
from tests.sandbox.message_bodies import messages
from tests.sandbox.wire_bot import PING, Json, WireBot
from tests.support.each_case import each_case

MANAGE = MEMBER_PERMISSIONS | Permissions.MANAGE_THREADS
WORDS: Json = {"content": "x"}


@pytest.fixture
def thread(wren: Person, channel: ServerChannel) -> Thread:
    return wren.start_thread(channel, "aside")


async def refusal_code(wire: WireBot, method: str, path: str, body: Json | None = None) -> int | None:
    """Return the code of a refusal, nothing if there was none."""
    status, answer = await wire.request(method, path, body)
    assert (status >= 400) is (isinstance(answer, dict) and "code" in answer), answer
    return int(answer["code"]) if status >= 400 else None


async def test_the_channel_is_told_of_a_public_thread_without_a_message(
    wire: WireBot, wren: Person, channel: ServerChannel
) -> None:
    path = f"/channels/{channel.id}/threads"
    _, opened = await wire.request("POST", path, {"name": "A short evening", "type": 11})
    await wire.request("POST", path, {"name": "Private", "type": 12})
    _, (line,) = await wire.request("GET", messages(channel))
    assert (line["type"], line["content"]) == (18, "A short evening")
    assert line["message_reference"]["channel_id"] == opened["id"]
    wren.start_thread(channel, "Another")
    assert [message.content for message in channel.public_messages] == ["A short evening", "Another"]


async def test_a_message_reopens_an_archived_thread(wire: WireBot, wren: Person, thread: Thread) -> None:
    _, sent = await wire.request("POST", messages(thread), WORDS)
    for write in ("bot", "person"):
        thread.edit(archived=True)
        assert await refusal_code(wire, "PATCH", f"{messages(thread)}/{sent['id']}", WORDS) == 50083
        assert await refusal_code(wire, "DELETE", f"{messages(thread)}/{sent['id']}") == 50083
        if write == "bot":
            assert await refusal_code(wire, "POST", messages(thread), WORDS) is None
        else:
            wren.say(thread, "hello")
        assert not thread.is_archived
    assert await refusal_code(wire, "PATCH", f"{messages(thread)}/{sent['id']}", WORDS) is None


async def test_only_moderators_write_in_a_locked_thread(
    wire: WireBot, wren: Person, robin: Person, thread: Thread
) -> None:
    thread.edit(locked=True)
    assert await refusal_code(wire, "POST", messages(thread), WORDS) == 160005
    thread.edit(archived=True)
    assert await refusal_code(wire, "POST", messages(thread), WORDS) == 50083
    with pytest.raises(ClientRefusal, match="locked"):
        wren.say(thread, "hello")
    thread.parent.bot_permissions = MANAGE
    assert await refusal_code(wire, "POST", messages(thread), WORDS) is None
    thread.edit(archived=True)
    robin.say(thread, "I may")
    assert (thread.is_archived, thread.is_locked) == (False, True)


async def test_threads_have_a_permission_of_their_own(wire: WireBot, thread: Thread) -> None:
    thread.parent.bot_permissions = MEMBER_PERMISSIONS & ~Permissions.SEND_MESSAGES
    assert await refusal_code(wire, "POST", messages(thread), WORDS) is None
    assert await refusal_code(wire, "POST", messages(thread.parent), WORDS) == 50013
    thread.parent.bot_permissions = MEMBER_PERMISSIONS & ~Permissions.SEND_MESSAGES_IN_THREADS
    assert await refusal_code(wire, "POST", messages(thread), WORDS) == 50013
    thread.parent.bot_permissions = MEMBER_PERMISSIONS & ~Permissions.VIEW_CHANNEL
    assert await refusal_code(wire, "GET", f"/channels/{thread.id}") == 50001


async def test_editing_a_thread_needs_permissions(wire: WireBot, thread: Thread, channel: ServerChannel) -> None:
    path = f"/channels/{thread.id}"
    for change in ({"name": "mine"}, {"locked": True}, {"archived": True}):
        assert await refusal_code(wire, "PATCH", path, change) == 50013
    thread.edit(archived=True)
    assert await refusal_code(wire, "PATCH", path, {"archived": False}) is None
    assert await refusal_code(wire, "DELETE", path) == 50013
    status, own = await wire.request("POST", f"/channels/{channel.id}/threads", {"name": "own", "type": 11})
    assert (status, own["type"]) == (201, 11)
    path = f"/channels/{own['id']}"
    assert await refusal_code(wire, "PATCH", path, {"name": "renamed"}) is None
    assert await refusal_code(wire, "PATCH", path, {"archived": True}) is None
    assert await refusal_code(wire, "PATCH", path, {"name": "again"}) == 50083
    channel.bot_permissions = MANAGE
    assert await refusal_code(wire, "PATCH", path, {"locked": True}) is None
    assert await refusal_code(wire, "DELETE", path) is None
    assert await refusal_code(wire, "GET", path) == 10003


async def test_a_private_thread_is_for_its_members(
    wire: WireBot, wren: Person, sandbox: Sandbox, channel: ServerChannel
) -> None:
    secret = wren.start_thread(channel, "secret", ThreadKind.PRIVATE)
    jay = sandbox.person("Jay")
    assert await refusal_code(wire, "GET", f"/channels/{secret.id}") == 50001
    with pytest.raises(ClientRefusal, match="no such channel"):
        jay.say(secret, "hello")
    secret.join(sandbox.world.bot.id)
    secret.join(jay.id)
    jay.say(secret, "hello")
    _, seen = await wire.request("GET", f"/channels/{secret.id}")
    assert (seen["type"], seen["member_count"], seen["thread_metadata"]["invitable"]) == (12, 3, True)
    _, made = await wire.request("POST", f"/channels/{channel.id}/threads", {"name": "own", "invitable": False})
    assert (made["type"], made["thread_metadata"]["invitable"]) == (12, False)


async def test_members_are_added(wire: WireBot, sandbox: Sandbox, thread: Thread) -> None:
    path, jay = f"/channels/{thread.id}/thread-members", sandbox.person("Jay")
    assert await refusal_code(wire, "PUT", f"{path}/@me") is None
    assert await refusal_code(wire, "PUT", f"{path}/{jay.id}") is None
    assert await refusal_code(wire, "PUT", f"{path}/5") == 10007
    assert list(thread.members) == [thread.owner.id, sandbox.world.bot.id, jay.id]
    thread.edit(archived=True)
    assert await refusal_code(wire, "PUT", f"{path}/@me") == 50083


async def test_active_threads_are_listed(
    wire: WireBot, sandbox: Sandbox, thread: Thread, http: aiohttp.ClientSession
) -> None:
    active = f"/guilds/{sandbox.world.server.id}/threads/active"
    assert [each["id"] for each in (await wire.request("GET", active))[1]["threads"]] == [str(thread.id)]
    newcomer = await WireBot(sandbox, http).connect()
    await newcomer.identify()
    assert [each["name"] for each in (await newcomer.wait_for_event("GUILD_CREATE"))["threads"]] == ["aside"]
    await newcomer.socket.close()
    thread.edit(archived=True)
    assert (await wire.request("GET", active))[1] == {"threads": [], "members": [], "has_more": False}
    assert await refusal_code(wire, "GET", "/guilds/5/threads/active") == 10004


@each_case(
    "body, place, fault",
    [
        ({"type": 11}, "name", "BASE_TYPE_REQUIRED"),
        ({"type": 11, "name": "x" * 101}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"type": 0, "name": "x"}, "type", "BASE_TYPE_CHOICES"),
        ({"name": "x", "auto_archive_duration": 5}, "auto_archive_duration", "BASE_TYPE_CHOICES"),
    ],
)
async def test_wrong_threads_are_refused(
    wire: WireBot, channel: ServerChannel, body: Json, place: str, fault: str
) -> None:
    assert (place, fault) in await wire.faults("POST", f"/channels/{channel.id}/threads", body)


async def test_threads_only_start_in_channels(
    wire: WireBot, wren: Person, thread: Thread, channel: ServerChannel
) -> None:
    for place in (thread, wren.direct_channel):
        assert await refusal_code(wire, "POST", f"/channels/{place.id}/threads", {"name": "x", "type": 11}) == 50024
    assert await refusal_code(wire, "PATCH", f"/channels/{channel.id}", {"name": "x"}) == 50024
    channel.bot_permissions = MEMBER_PERMISSIONS & ~Permissions.CREATE_PUBLIC_THREADS
    assert await refusal_code(wire, "POST", f"/channels/{channel.id}/threads", {"name": "x", "type": 11}) == 50013


async def test_commands_work_in_open_threads(wire: WireBot, wren: Person, thread: Thread) -> None:
    await wire.register(PING)
    using, interaction = await wire.receive(wren.slash(thread, "ping"))
    assert (interaction["channel"]["type"], interaction["channel"]["thread_metadata"]["archived"]) == (11, False)
    await wire.answer(interaction, 4, WORDS)
    assert (await using).replies[0].channel is thread
    thread.edit(archived=True)
    with pytest.raises(ClientRefusal, match="archived"):
        await wren.slash(thread, "ping")


async def test_no_event_tells_of_the_threads_of_a_deleted_channel(
    wire: WireBot, sandbox: Sandbox, channel: ServerChannel, thread: Thread
) -> None:
    kept = sandbox.world.channels[-1]
    other = sandbox.person("Wren").start_thread(kept, "elsewhere")
    sandbox.world.remove_channel(channel)
    sandbox.world.remove_thread(other)
    assert (await wire.wait_for_event("THREAD_DELETE"))["id"] == str(other.id), "the first such event"
    assert await refusal_code(wire, "GET", f"/channels/{thread.id}") == 10003
