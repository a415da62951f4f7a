"""Letters: what a click is answered with says what the library would say."""

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
from bot.rules.screen import Field
from bot.tables.model import Status
from bot.ui.delivery.payloads import Payload, build_update_payload
from bot.ui.render.lobby import render_lobby
from bot.ui.render.menus import SelectMenu, SelectOption
from bot.ui.render.message import Button, MessageContent
from bot.ui.render.table_message import render_game
from tests.support.fakes import make_table

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


def view_of(frame: MessageContent) -> discord.ui.View:
    """Build the components of a frame as the library does."""
    view = discord.ui.View(timeout=None)
    for row, pick in enumerate(frame.menus):
        options = [
            discord.SelectOption(
                label=line.label, value=line.value, description=line.description or None, default=line.is_chosen
            )
            for line in pick.options
        ]
        menu: Any = discord.ui.Select(placeholder=pick.placeholder, custom_id=pick.custom_id, options=options, row=row)
        view.add_item(menu)
    for row, presses in enumerate(frame.rows, len(frame.menus)):
        for press in presses:
            view.add_item(discord.ui.Button(label=press.label, custom_id=press.custom_id, style=press.style, row=row))
    return view


def embed_of(frame: MessageContent) -> discord.Embed:
    """Build the embed of a frame as the library does."""
    embed = frame.text_embed.copy()
    if frame.picture is not None:
        embed.set_image(url=f"attachment://{frame.picture.name}")
        if frame.picture_fields is not None:
            embed.clear_fields()
            for each in frame.picture_fields:
                embed.add_field(name=each.title, value=each.text, inline=False)
    return embed


def library_payload(frame: MessageContent, **sent: Any) -> Any:
    """Return what the library would send for a frame."""
    nobody = discord.AllowedMentions.none()
    kind = discord.InteractionResponseType.message_update.value
    params = interaction_message_response_params(
        type=kind, view=view_of(frame), previous_allowed_mentions=nobody, **sent
    )
    told: Any = json.loads(params.multipart[0]["value"]) if params.multipart else params.payload
    assert told["data"].pop("tts") is False
    for row in told["data"]["components"]:
        row["components"] = [
            {key: value for key, value in each.items() if STATED.get(key) != value} for each in row["components"]
        ]
    return told


def full_library_payload(frame: MessageContent) -> Any:
    """Return what the library would send for all of a frame."""
    files = (
        [discord.File(BytesIO(frame.picture.data), frame.picture.name, description=frame.picture.description)]
        if frame.picture
        else []
    )
    return library_payload(frame, embed=embed_of(frame), attachments=files)


def parse_form(letter: Payload) -> list[Message]:
    """Take a form apart as a mail program would."""
    head = "".join(f"{name}: {value}\r\n" for name, value in letter.headers.items())
    form = BytesParser().parsebytes(head.encode() + b"\r\n" + letter.body)
    assert form.is_multipart()
    assert not form.defects
    found: Any = form.get_payload()
    return list(found)


@pytest.fixture(params=FRAMES)
def frame(request: pytest.FixtureRequest) -> MessageContent:
    return FRAMES[request.param]


async def test_a_message_in_words_has_the_librarys_payload(frame: MessageContent) -> None:
    letter = build_update_payload(frame)
    assert letter.headers == {"Content-Type": "application/json"}
    assert json.loads(letter.body) == full_library_payload(frame)


@pytest.mark.parametrize("brief", [None, (), (Field("Scores", "in short"),)])
async def test_a_message_with_a_picture_has_the_librarys_payload(
    frame: MessageContent, brief: tuple[Field, ...] | None
) -> None:
    drawn = replace(frame, picture_fields=brief).with_picture(DRAWN)
    words, _ = parse_form(build_update_payload(drawn))
    told = json.loads(words.get_payload(decode=True))  # type: ignore[arg-type]
    assert told == full_library_payload(drawn)
    fields = frame.text_embed.to_dict().get("fields", []) if brief is None else brief
    assert len(told["data"]["embeds"][0].get("fields", [])) == len(fields)


async def test_the_picture_is_attached_whole_under_its_name(frame: MessageContent) -> None:
    words, picture = parse_form(build_update_payload(frame.with_picture(DRAWN)))
    assert words.get_param("name", header="Content-Disposition") == "payload_json"
    assert words.get_content_type() == "application/json"
    assert picture.get_param("name", header="Content-Disposition") == "files[0]"
    assert picture.get_filename() == "table.png"
    assert picture.get_content_type() == "image/png"
    assert picture.get_payload(decode=True) == DRAWN.data


async def test_an_update_of_buttons_leaves_the_rest(frame: MessageContent) -> None:
    drawn = frame.with_picture(DRAWN)
    letter = build_update_payload(drawn, buttons_alone=True)
    told = json.loads(letter.body)
    assert told == library_payload(drawn)
    assert set(told["data"]) == {"components", "allowed_mentions"}


async def test_mentions_notify_no_user(frame: MessageContent) -> None:
    assert json.loads(build_update_payload(frame).body)["data"]["allowed_mentions"] == {"parse": []}
