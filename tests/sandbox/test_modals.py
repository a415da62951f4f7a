"""Forms: what bots may ask, what people fill in, and how the bot may answer."""

import asyncio
from typing import Any

import pytest

from bot.sandbox import Channel, ClientRefusal, Interaction, Person
from bot.sandbox.model.interactions import InteractionState
from tests.sandbox.message_bodies import messages
from tests.sandbox.wire_bot import GO, PING, Json, WireBot
from tests.support.each_case import each_case

MESSAGE, DEFER_UPDATE, UPDATE, MODAL = 4, 6, 7, 9


def text(custom_id: str = "t", **more: Any) -> Json:
    return {"type": 1, "components": [{"type": 4, "custom_id": custom_id, "style": 1, "label": "Name", **more}]}


def label(component: Json, **more: Any) -> Json:
    return {"type": 18, "label": "Pick", "component": component, **more}


def form(*parts: Json, **more: Any) -> Json:
    return {"custom_id": "form", "title": "A form", "components": list(parts), **more}


COLOURS: Json = {"type": 3, "custom_id": "s", "options": [{"label": each, "value": each} for each in "rg"]}
EVERYTHING = form(
    {"type": 10, "content": "Read this."},
    text(),
    label(COLOURS),
    label({"type": 5, "custom_id": "u", "required": False}),
    label({"type": 4, "custom_id": "long", "style": 2, "required": False, "min_length": 3, "max_length": 9}),
)


async def click(wire: WireBot, person: Person, channel: Channel) -> tuple[asyncio.Task[Interaction], Json]:
    _, sent = await wire.request("POST", messages(channel), {"content": "x", "components": [GO]})
    return await wire.receive(person.click(sent["id"], "go"))


async def open_modal(wire: WireBot, person: Person, channel: Channel, modal: Json) -> Interaction:
    """Press a button that opens a form."""
    task, interaction = await click(wire, person, channel)
    assert await wire.answer(interaction, MODAL, modal) == (204, None)
    return await task


async def test_a_form_is_submitted_with_its_values(wire: WireBot, wren: Person, channel: Channel) -> None:
    opened = await open_modal(wire, wren, channel, EVERYTHING)
    assert (opened.state, opened.replies) == (InteractionState.RESPONDED, ())
    sending, interaction = await wire.receive(wren.submit(opened, {"t": "Wren", "s": ["g"], "u": [wren]}))
    assert (interaction["type"], interaction["data"]["custom_id"]) == (5, "form")
    assert interaction["message"]["content"] == "x"
    words, name, colour, who, long = interaction["data"]["components"]
    assert words == {"type": 10, "id": 1}
    assert name["components"] == [{"type": 4, "id": 3, "custom_id": "t", "value": "Wren"}]
    assert colour["component"] == {"type": 3, "id": 5, "custom_id": "s", "values": ["g"]}
    assert (who["component"]["values"], long["component"]["value"]) == ([str(wren.id)], "")
    assert interaction["data"]["resolved"]["users"][str(wren.id)]["username"] == "wren"
    await wire.answer(interaction, UPDATE, {"content": "thanks"})
    await sending
    assert [message.content for message in channel.messages] == ["thanks"]


async def test_a_command_may_open_a_form(wire: WireBot, wren: Person, channel: Channel) -> None:
    await wire.register(PING)
    using, interaction = await wire.receive(wren.slash(channel, "ping"))
    await wire.answer(interaction, MODAL, form(text(value="as before")))
    sending, filled = await wire.receive(wren.submit(await using, {}))
    assert "message" not in filled
    assert filled["data"]["components"][0]["components"][0]["value"] == "as before"
    for kind in (UPDATE, DEFER_UPDATE, MODAL):
        assert await wire.refuse(filled, kind, form(text())) == (400, 50035)
    assert (await wire.answer(filled, MESSAGE, {"content": "fine", "flags": 64}))[0] == 204
    (reply,) = (await sending).replies
    trigger = reply.payload()["interaction_metadata"]["triggering_interaction_metadata"]
    assert (trigger["id"], trigger["type"]) == (interaction["id"], 2)


@each_case(
    "entries, why",
    [
        ({"s": ["r"]}, "t: .*1 to 4000"),
        ({"t": "", "s": ["r"]}, "t: .*1 to 4000"),
        ({"t": "x", "s": []}, "Choose 1 to 1"),
        ({"t": "x", "s": ["z"]}, "what is offered"),
        ({"t": "x", "s": "r"}, "s: .*menu"),
        ({"t": ["x"], "s": ["r"]}, "t: .*a text"),
        ({"t": "x", "s": ["r"], "long": "xx"}, "long: .*3 to 9"),
        ({"t": "x", "s": ["r"], "more": "x"}, "no field more"),
    ],
)
async def test_invalid_values_and_others_forms_are_refused(
    wire: WireBot, wren: Person, robin: Person, channel: Channel, entries: Json, why: str
) -> None:
    opened = await open_modal(wire, wren, channel, EVERYTHING)
    with pytest.raises(ClientRefusal, match=why):
        await wren.submit(opened, entries)
    with pytest.raises(ClientRefusal, match="no form"):
        await robin.submit(opened, {"t": "x", "s": ["r"]})


LONG, BAD, REQUIRED = "BASE_TYPE_MAX_LENGTH", "BASE_TYPE_BAD_LENGTH", "BASE_TYPE_REQUIRED"


@each_case(
    "modal, place, code",
    [
        (form(text(), title="x" * 46), "title", BAD),
        (form(text(), custom_id=""), "custom_id", REQUIRED),
        (form(), "components", BAD),
        (form(*(text(str(n)) for n in range(6))), "components", BAD),
        (form(text(), text()), "components.1.components.0.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"),
        (form(text(label="x" * 46)), "components.0.components.0.label", BAD),
        (form(text(style=3)), "components.0.components.0.style", "BASE_TYPE_CHOICES"),
        (form(text(max_length=4001)), "components.0.components.0.max_length", "NUMBER_TYPE_MAX"),
        (form(text(min_length=5, max_length=4)), "components.0.components.0.min_length", "NUMBER_TYPE_MAX"),
        (form(text(value="x" * 6, max_length=5)), "components.0.components.0.value", "BASE_TYPE_MAX_LENGTH"),
        (form(text(value="x", min_length=2)), "components.0.components.0.value", BAD),
        (form(text(value=7)), "components.0.components.0.value", "BASE_TYPE_BAD_TYPE"),
        (form(text(value=0)), "components.0.components.0.value", "BASE_TYPE_BAD_TYPE"),
        (form(text(required=1)), "components.0.components.0.required", "BASE_TYPE_BAD_TYPE"),
        (form({"type": 1, "components": [COLOURS]}), "components.0.components.0.type", "BASE_TYPE_CHOICES"),
        (form({"type": 1, "components": []}), "components.0.components", BAD),
        (form(GO), "components.0.components.0.type", "BASE_TYPE_CHOICES"),
        (form(label({"type": 2})), "components.0.component.type", "BASE_TYPE_CHOICES"),
        (form(label({**COLOURS, "disabled": True})), "components.0.component.disabled", "BASE_TYPE_CHOICES"),
        (form(label(COLOURS, description="x" * 101)), "components.0.description", LONG),
        (form({"type": 10}), "components.0.content", REQUIRED),
    ],
)
async def test_wrong_forms_are_refused(
    wire: WireBot, wren: Person, channel: Channel, modal: Json, place: str, *, code: str
) -> None:
    task, interaction = await click(wire, wren, channel)
    faults = await wire.faults("POST", wire.callback(interaction), {"type": MODAL, "data": modal})
    assert (f"data.{place}", code) in faults
    await wire.answer(interaction, MESSAGE, {"content": "sorry"})
    await task
