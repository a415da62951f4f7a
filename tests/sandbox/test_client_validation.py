"""What Discord's own client would not send, the sandbox's people cannot send either."""

from typing import Any

import pytest

from bot.sandbox import Channel, ClientRefusal, Person, Sandbox
from tests.sandbox.message_bodies import button, menu, row
from tests.sandbox.wire_bot import Json, WireBot
from tests.support.each_case import each_case


def option(kind: int, name: str, **parts: Any) -> Json:
    return {"type": kind, "name": name, "description": "Option", **parts}


OPTIONS = [
    option(3, "word", required=True, min_length=2, max_length=5),
    option(4, "count", min_value=1, max_value=9),
    option(10, "ratio", max_value=1),
    option(5, "loud"),
    option(3, "hue", choices=[{"name": "Red", "value": "r"}, {"name": "Blue", "value": "b"}]),
    option(6, "friend"),
    option(7, "where"),
    option(9, "mentionable"),
    option(8, "role"),
    option(11, "file"),
    option(3, "hint", autocomplete=True),
]
TRY: Json = {"name": "try", "description": "Try", "options": OPTIONS}
LEAF = option(1, "leaf", options=[option(4, "n")])
TREE: Json = {"name": "tree", "description": "Tree", "options": [option(2, "big", options=[LEAF])]}


@pytest.fixture
async def ready(wire: WireBot) -> WireBot:
    await wire.register(TRY, TREE)
    return wire


async def run_command(wire: WireBot, person: Person, command: str, **options: Any) -> Json:
    """Use a command and return what the bot gets."""
    used, interaction = await wire.receive(person.slash(wire.sandbox.channel("lounge"), command, **options))
    await wire.answer(interaction, 4, {"content": "fine"})
    await used
    data: Json = interaction["data"]
    return data


async def test_values_arrive_with_their_types(ready: WireBot, wren: Person, sandbox: Sandbox) -> None:
    jay, lounge = sandbox.person("Jay"), sandbox.channel("lounge")
    values = {"word": "abc", "count": 3, "ratio": 0.5, "loud": False, "hue": "b"}
    data = await run_command(ready, wren, "try", **values, friend=jay, where=str(lounge.id), mentionable=wren.id)
    sent = {each["name"]: each["value"] for each in data["options"]}
    assert sent == {**values, "friend": str(jay.id), "where": str(lounge.id), "mentionable": str(wren.id)}
    assert data["resolved"]["users"][str(jay.id)]["global_name"] == "Jay"
    assert set(data["resolved"]["members"]) == {str(jay.id), str(wren.id)}
    assert data["resolved"]["channels"][str(lounge.id)]["name"] == "lounge"


async def test_groups_are_nested(ready: WireBot, wren: Person) -> None:
    data = await run_command(ready, wren, "tree big leaf", n=4)
    assert data["name"] == "tree"
    leaf = {"type": 1, "name": "leaf", "options": [{"name": "n", "type": 4, "value": 4}]}
    assert data["options"] == [{"type": 2, "name": "big", "options": [leaf]}]
    assert "resolved" not in data


@each_case(
    "command, options, why",
    [
        ("nothing", {}, "no command"),
        ("", {}, "no command"),
        ("tree", {}, "no command"),
        ("tree big", {}, "no command"),
        ("tree big leaf more", {}, "no command"),
        ("try", {}, "Still missing: word"),
        ("try", {"word": "abc", "colour": "b"}, "no option colour"),
        ("try", {"word": "a"}, "word: .*2 to 5"),
        ("try", {"word": "abcdef"}, "word: .*2 to 5"),
        ("try", {"word": 7}, "word: .*a text"),
        ("try", {"word": "abc", "count": 0}, "count: .*at least 1"),
        ("try", {"word": "abc", "count": 10}, "count: .*at most 9"),
        ("try", {"word": "abc", "count": "3"}, "count: .*a whole number"),
        ("try", {"word": "abc", "count": 2.5}, "count: .*a whole number"),
        ("try", {"word": "abc", "count": True}, "count: .*a whole number"),
        ("try", {"word": "abc", "ratio": 2}, "ratio: .*at most 1"),
        ("try", {"word": "abc", "loud": 1}, "loud: .*yes or no"),
        ("try", {"word": "abc", "hue": "Red"}, "hue: .*one of Red, Blue"),
        ("try", {"word": "abc", "friend": "Jay"}, "friend: nobody"),
        ("try", {"word": "abc", "where": 5}, "where: no channel of the right kind"),
        ("try", {"word": "abc", "role": 5}, "role: no role"),
        ("try", {"word": "abc", "file": 5}, "file: .*nothing of this kind"),
    ],
)
async def test_wrong_options_are_refused(ready: WireBot, wren: Person, command: str, options: Json, why: str) -> None:
    with pytest.raises(ClientRefusal, match=why):
        await wren.slash(ready.sandbox.channel("lounge"), command, **options)


async def test_only_some_options_can_be_completed(ready: WireBot, wren: Person, channel: Channel) -> None:
    for name in ("word", "nowhere"):
        with pytest.raises(ClientRefusal, match="nothing to complete"):
            await wren.autocomplete(channel, "try", {}, focused=name)
    typing = wren.autocomplete(channel, "try", {"count": 2, "hint": "x"}, focused="hint")
    offered, interaction = await ready.receive(typing)
    assert interaction["data"]["options"] == [
        {"name": "count", "type": 4, "value": 2},
        {"name": "hint", "type": 3, "value": "x", "focused": True},
    ]
    await ready.answer(interaction, 8, {"choices": [{"name": "X", "value": "x"}]})
    assert [choice.value for choice in await offered] == ["x"]


CONTROLS = [row(button("go"), button("off", disabled=True)), row(menu("menu", 3, min_values=1, max_values=2))]


async def post_controls(wire: WireBot, channel: Channel) -> str:
    body = {"content": "x", "components": CONTROLS}
    _, sent = await wire.request("POST", f"/channels/{channel.id}/messages", body)
    return str(sent["id"])


async def test_only_existing_components_can_be_pressed(wire: WireBot, wren: Person, channel: Channel) -> None:
    message = await post_controls(wire, channel)
    for custom_id, why in (("off", "disabled"), ("gone", "no such button"), ("menu", "no such button")):
        with pytest.raises(ClientRefusal, match=why):
            await wren.click(message, custom_id)
    for values in ([], ["v0", "v1", "v2"], ["v0", "v0"], ["v3"]):
        with pytest.raises(ClientRefusal):
            await wren.select(message, "menu", values)
    with pytest.raises(ClientRefusal, match="no such select"):
        await wren.select(message, "go", ["v0"])
    with pytest.raises(ClientRefusal, match="gone"):
        await wren.click(1, "go")


async def test_an_ephemeral_message_is_out_of_reach_for_others(ready: WireBot, wren: Person, robin: Person) -> None:
    lounge = ready.sandbox.channel("lounge")
    used, interaction = await ready.receive(wren.slash(lounge, "try", word="abc"))
    await ready.answer(interaction, 4, {"content": "psst", "flags": 64, "components": CONTROLS})
    (message,) = (await used).replies
    with pytest.raises(ClientRefusal, match="gone"):
        await robin.click(message, "go", forged=True)
    wren.dismiss(message)
    assert lounge.messages == wren.visible_messages(lounge) == []
    with pytest.raises(ClientRefusal, match="gone"):
        await wren.click(message, "go")


async def test_ephemeral_messages_leave_history_after_a_while(ready: WireBot, wren: Person, sandbox: Sandbox) -> None:
    lounge = sandbox.channel("lounge")
    aloud = wren.say(lounge, "hello")
    used, interaction = await ready.receive(wren.slash(lounge, "try", word="abc"))
    await ready.answer(interaction, 4, {"content": "psst", "flags": 64})
    (psst,) = (await used).replies
    assert wren.visible_messages(lounge) == wren.visible_messages(lounge, psst.id) == [aloud, psst]
    assert wren.visible_messages(lounge, sandbox.world.snowflakes.next_id()) == [aloud]
    path = f"/channels/{lounge.id}/messages"
    for method, body in (("GET", None), ("PATCH", {"content": "x"}), ("DELETE", None)):
        assert await ready.refusal(method, f"{path}/{psst.id}", body) == (404, 10008)
    assert [each["content"] for each in (await ready.request("GET", path))[1]] == ["hello"]
