"""The sandbox refuses whatever Discord's own API description refuses."""

import copy
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from bot.sandbox import Channel, Person, Sandbox
from tests.sandbox.message_bodies import button, link, option, row
from tests.sandbox.test_menus import menu
from tests.sandbox.wire_bot import PING, Json, WireBot
from tests.support.openapi import load_description

pytestmark = pytest.mark.slow

Path = tuple[str | int, ...]

EMBED: Json = {
    "title": "T",
    "description": "D",
    "url": "https://example.org",
    "color": 5,
    "footer": {"text": "F", "icon_url": "https://example.org/f.png"},
    "author": {"name": "A", "url": "https://example.org", "icon_url": "https://example.org/a.png"},
    "image": {"url": "https://example.org/i.png"},
    "thumbnail": {"url": "https://example.org/t.png"},
    "fields": [{"name": "N", "value": "V", "inline": True}],
    "timestamp": "2026-01-01T00:00:00+00:00",
}
BUTTONS = row(button("b", disabled=True, emoji={"name": "🎲"}), link(url="https://example.org"))
OPTION = option(description="D", emoji={"name": "🎲"}, default=True)
MESSAGE: Json = {
    "content": "x",
    "tts": False,
    "nonce": "n",
    "enforce_nonce": False,
    "flags": 4096,
    "embeds": [EMBED],
    "allowed_mentions": {"parse": ["users"], "roles": ["1"], "replied_user": False},
    "components": [
        BUTTONS,
        menu(3, options=[OPTION], placeholder="P", min_values=0, max_values=1, disabled=False),
        menu(6, default_values=[{"id": "1", "type": "role"}]) | {"id": 7},
        menu(8, channel_types=[0], min_values=1, max_values=2),
    ],
}
MESSAGE["components"][2]["components"][0]["custom_id"] = "roles"
MESSAGE["components"][3]["components"][0]["custom_id"] = "places"
TYPED: Json = {
    "type": 3,
    "name": "word",
    "description": "D",
    "required": True,
    "min_length": 1,
    "max_length": 9,
    "choices": [{"name": "A", "value": "a"}],
    "name_localizations": {"de": "wort"},
}
COMMAND: Json = {
    "name": "go",
    "type": 1,
    "description": "D",
    "name_localizations": {"de": "los"},
    "description_localizations": {"de": "D"},
    "default_member_permissions": 8,
    "nsfw": False,
    "contexts": [0, 1],
    "integration_types": [0],
    "options": [
        TYPED,
        {"type": 4, "name": "count", "description": "D", "min_value": 1, "max_value": 9, "autocomplete": True},
        {"type": 10, "name": "ratio", "description": "D", "min_value": 0.5, "choices": [{"name": "A", "value": 1.5}]},
        {"type": 7, "name": "where", "description": "D", "channel_types": [0]},
    ],
}
LEAF: Json = {"type": 1, "name": "leaf", "description": "D", "options": [TYPED]}
BRANCH: Json = {"type": 2, "name": "big", "description": "D", "options": [LEAF]}
TREE: Json = {"name": "tree", "description": "D", "options": [BRANCH]}
THREAD: Json = {"name": "T", "type": 11, "auto_archive_duration": 60, "invitable": True, "rate_limit_per_user": 60}
EMOJI: Json = {"name": "die_6", "image": "data:image/png;base64,iVBORw0KGgo="}
CHOICES: Json = {"choices": [{"name": "A", "value": "a", "name_localizations": {"de": "A"}}]}

WRONG_VALUES: tuple[Any, ...] = (None, True, -1, 1.5, "", "x" * 6001, [0], [{}] * 130, {})


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """One that waits: there is much to be refused before the right answer comes."""
    running = Sandbox(deadline=60)
    await running.start()
    yield running
    await running.stop()


def walk_paths(body: Any, here: Path = ()) -> Iterator[Path]:
    """Walk over all places in a body."""
    if here:
        yield here
    parts = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in parts:
        yield from walk_paths(value, (*here, key))


def variants(body: Any) -> Iterator[tuple[str, Any]]:
    """Make a body wrong in every place and in every way; not all of them are."""
    for place in walk_paths(body):
        name = ".".join(map(str, place))
        yield f"without {name}", replace_value(body, place)
        for value in (*WRONG_VALUES, *double_list(body, place)):
            yield f"{name} = {value!r:.20}", replace_value(body, place, value)


def double_list(body: Any, place: Path) -> list[Any]:
    """Return a list in some place with everything twice; none where no list stands."""
    node: Any = body
    for step in place:
        node = node[step]
    return [node * 2] if isinstance(node, list) else []


def replace_value(body: Any, place: Path, *value: Any) -> Any:
    """Return a copy with another value in a place, or none."""
    other = copy.deepcopy(body)
    *way, last = place
    node: Any = other
    for step in way:
        node = node[step]
    if value:
        node[last] = value[0]
    else:
        del node[last]
    return other


async def send_variants(wire: WireBot, method: str, path: str, body: Any) -> list[str]:
    """Send everything that the description refuses, and at last what it takes; return where the sandbox disagrees."""
    description = load_description()
    assert description.request_faults(method, path, body) == []
    found, sent = [], 0
    for name, variant in variants(body):
        faults = description.request_faults(method, path, variant)
        if faults:
            sent += 1
            found += [f"{name} was taken: {faults}"] if not await is_refused(wire, method, path, variant) else []
    assert sent > len(body), "most of it can be wrong"
    async with wire.http.request(method, wire.sandbox.api_url + path, json=body) as answer:
        assert answer.status < 300, (found[:1], await answer.text())
    return found


async def is_refused(wire: WireBot, method: str, path: str, body: Any) -> bool:
    """Whether a request is refused for its form."""
    async with wire.http.request(method, wire.sandbox.api_url + path, json=body) as answer:
        return answer.status == 400 and (await answer.json())["code"] in (50035, 50006)


async def test_messages_conform(wire: WireBot, channel: Channel) -> None:
    assert await send_variants(wire, "POST", f"/channels/{channel.id}/messages", MESSAGE) == []


async def test_edits_conform(wire: WireBot, channel: Channel) -> None:
    _, sent = await wire.request("POST", f"/channels/{channel.id}/messages", {"content": "x"})
    body = {key: MESSAGE[key] for key in ("content", "embeds", "allowed_mentions", "flags")} | {"components": [BUTTONS]}
    assert await send_variants(wire, "PATCH", f"/channels/{channel.id}/messages/{sent['id']}", body) == []


@pytest.mark.parametrize("command", [COMMAND, TREE], ids=["options", "groups"])
async def test_commands_conform(wire: WireBot, command: Json) -> None:
    assert await send_variants(wire, "PUT", f"/applications/{wire.sandbox.world.bot.id}/commands", [command]) == []


async def test_threads_conform(wire: WireBot, channel: Channel) -> None:
    assert await send_variants(wire, "POST", f"/channels/{channel.id}/threads", THREAD) == []


async def test_emoji_conform(wire: WireBot) -> None:
    emojis = f"/applications/{wire.sandbox.world.bot.id}/emojis"
    assert await send_variants(wire, "POST", emojis, EMOJI) == []


async def test_answers_and_followups_conform(wire: WireBot, wren: Person, channel: Channel) -> None:
    body: Json = {"content": "x", "tts": False, "flags": 64, "embeds": [{"title": "T"}], "components": [BUTTONS]}
    await wire.register(PING)
    using, interaction = await wire.receive(wren.slash(channel, "ping"))
    assert await send_variants(wire, "POST", wire.callback(interaction), {"type": 4, "data": body}) == []
    await using
    # What a message consists of is checked as above.
    del body["components"]
    assert await send_variants(wire, "POST", wire.webhook(interaction), body) == []
    del body["tts"]
    assert await send_variants(wire, "PATCH", wire.webhook(interaction, "/messages/@original"), body) == []


async def test_choices_conform(wire: WireBot, wren: Person, channel: Channel) -> None:
    await wire.register({**PING, "options": [{**TYPED, "choices": [], "autocomplete": True}]})
    typing, interaction = await wire.receive(wren.autocomplete(channel, "ping", {"word": "x"}, focused="word"))
    assert await send_variants(wire, "POST", wire.callback(interaction), {"type": 8, "data": CHOICES}) == []
    assert len(await typing) == 1
