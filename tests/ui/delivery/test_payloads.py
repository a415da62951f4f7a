"""Payloads of answers to clicks equal those that discord.py would send."""

import json
from dataclasses import replace
from email.message import Message
from email.parser import BytesParser
from io import BytesIO
from typing import Any

import discord
import pytest
from discord.webhook.async_ import interaction_message_response_params

from bot.pictures.service import PictureFile
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.http import UPDATE_MESSAGE, Payload, build_payload
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.tables.model import Status
from bot.tables.shown.lobby import render_lobby
from tests.support.fakes import make_table
from tests.support.rendering import render_game

DRAWN = PictureFile(b"\x89PNG\r\n--\r\n\x00 no end of a part", "table.png", 'Wrens "table", all of it: äöü 🎲')

WITH_MENUS = MessageContent(
    discord.Embed(title="Menus", description="**bold**\nand more").to_dict(),
    menus=(
        SelectMenu(
            "Choose", "c:1:2", (SelectOption("One", "1", "the first"), SelectOption("Two", "2", is_chosen=True))
        ),
    ),
)

STYLES = (discord.ButtonStyle.primary, discord.ButtonStyle.secondary, discord.ButtonStyle.success)
WITH_BUTTONS = MessageContent(
    discord.Embed(title="Buttons").add_field(name="A field", value="beside others", inline=True).to_dict(),
    rows=(tuple(Button(style.name, f"c:1:2:{style.name}", style) for style in STYLES), (Button("🎲 Roll", "c:1:2:r"),)),
)

FRAMES = {
    "buttons": WITH_BUTTONS,
    "lobby": render_lobby(make_table()),
    "turn": render_game(make_table(status=Status.PLAYING), frozenset()),
    "menus": WITH_MENUS,
    "bare": MessageContent(discord.Embed(title="Nothing to press").to_dict()),
}


STATED = {"disabled": False, "min_values": 1, "max_values": 1, "required": True}
"""What the library says of components, though it goes without saying."""


def view_of(content: MessageContent) -> discord.ui.View:
    """Build the components of a message as discord.py does."""
    view = discord.ui.View(timeout=None)
    for row, pick in enumerate(content.menus):
        options = [
            discord.SelectOption(
                label=line.label, value=line.value, description=line.description or None, default=line.is_chosen
            )
            for line in pick.options
        ]
        menu: Any = discord.ui.Select(placeholder=pick.placeholder, custom_id=pick.custom_id, options=options, row=row)
        view.add_item(menu)
    for row, presses in enumerate(content.rows, len(content.menus)):
        for press in presses:
            button: Any = discord.ui.Button(label=press.label, custom_id=press.custom_id, style=press.style, row=row)
            button.disabled = press.is_disabled
            view.add_item(button)
    return view


def embed_of(content: MessageContent) -> discord.Embed:
    """Build the embed of a message as discord.py does."""
    if content.picture is None:
        return content.text_embed.copy()
    embed = discord.Embed.from_dict({**content.text_embed_json, **content.picture_embed_json})
    return embed.set_image(url=f"attachment://{content.picture.name}")


def library_payload(content: MessageContent, **sent: Any) -> Any:
    """Return the payload that discord.py would send for a message."""
    no_mentions = discord.AllowedMentions.none()
    kind = discord.InteractionResponseType.message_update.value
    params = interaction_message_response_params(
        type=kind, view=view_of(content), previous_allowed_mentions=no_mentions, **sent
    )
    payload: Any = json.loads(params.multipart[0]["value"]) if params.multipart else params.payload
    assert payload["data"].pop("tts") is False
    for row in payload["data"]["components"]:
        row["components"] = [
            {key: value for key, value in each.items() if STATED.get(key) != value} for each in row["components"]
        ]
    return payload


def full_library_payload(content: MessageContent) -> Any:
    """Return the payload that discord.py would send for a whole message."""
    files = (
        [discord.File(BytesIO(content.picture.data), content.picture.name, description=content.picture.description)]
        if content.picture
        else []
    )
    return library_payload(content, embed=embed_of(content), attachments=files)


def parse_form(sent: Payload) -> list[Message]:
    """Take a form apart as a mail program would."""
    head = "".join(f"{name}: {value}\r\n" for name, value in sent.headers.items())
    form = BytesParser().parsebytes(head.encode() + b"\r\n" + sent.body)
    assert form.is_multipart()
    assert not form.defects
    found: Any = form.get_payload()
    return list(found)


@pytest.fixture(params=FRAMES)
def content(request: pytest.FixtureRequest) -> MessageContent:
    return FRAMES[request.param]


async def test_a_message_in_words_has_the_librarys_payload(content: MessageContent) -> None:
    sent = build_payload(content, UPDATE_MESSAGE)
    assert sent.headers == {"Content-Type": "application/json"}
    assert json.loads(sent.body) == full_library_payload(content)


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"description": "In short.", "fields": [], "footer": {"text": "1 Robin"}},
        {"fields": [{"name": "Tally", "value": "In full", "inline": False}]},
    ],
)
async def test_a_message_with_a_picture_has_the_librarys_payload(
    content: MessageContent, parts: dict[str, Any]
) -> None:
    drawn = replace(content, picture_embed_json=parts).with_picture(DRAWN)
    words, _ = parse_form(build_payload(drawn, UPDATE_MESSAGE))
    payload = json.loads(words.get_payload(decode=True))  # type: ignore[arg-type]
    assert payload == full_library_payload(drawn)
    for name, value in parts.items():
        assert payload["data"]["embeds"][0].get(name, []) == value


async def test_the_picture_is_attached_whole_under_its_name(content: MessageContent) -> None:
    words, picture = parse_form(build_payload(content.with_picture(DRAWN), UPDATE_MESSAGE))
    assert words.get_param("name", header="Content-Disposition") == "payload_json"
    assert words.get_content_type() == "application/json"
    assert picture.get_param("name", header="Content-Disposition") == "files[0]"
    assert picture.get_filename() == "table.png"
    assert picture.get_content_type() == "image/png"
    assert picture.get_payload(decode=True) == DRAWN.data


async def test_an_update_of_buttons_leaves_the_rest(content: MessageContent) -> None:
    drawn = content.with_picture(DRAWN)
    sent = build_payload(drawn, UPDATE_MESSAGE, buttons_alone=True)
    payload = json.loads(sent.body)
    assert payload == library_payload(drawn)
    assert set(payload["data"]) == {"components", "allowed_mentions"}


async def test_mentions_notify_no_user(content: MessageContent) -> None:
    assert json.loads(build_payload(content, UPDATE_MESSAGE).body)["data"]["allowed_mentions"] == {"parse": []}
