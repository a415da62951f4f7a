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

from bot.pictures.service import Drawn
from bot.rules.screen import Field
from bot.tables.model import Status
from bot.ui.delivery.payloads import Letter, letter_of
from bot.ui.render.lobby import lobby_frame
from bot.ui.render.menus import Line, Pick
from bot.ui.render.message import Frame, Press
from bot.ui.render.table_message import game_frame
from tests.support.fakes import a_table

DRAWN = Drawn(b"\x89PNG\r\n--\r\n\x00 no end of a part", "table.png", 'Wrens "table", all of it: äöü 🎲')

WITH_MENUS = Frame(
    discord.Embed(title="Menus", description="**bold**\nand more").to_dict(),
    picks=(Pick("Choose", "c:1:2", (Line("One", "1", "the first"), Line("Two", "2", is_chosen=True))),),
)

STYLES = (discord.ButtonStyle.primary, discord.ButtonStyle.secondary, discord.ButtonStyle.success)
WITH_BUTTONS = Frame(
    discord.Embed(title="Buttons").add_field(name="A field", value="beside others", inline=True).to_dict(),
    rows=(tuple(Press(style.name, f"c:1:2:{style.name}", style) for style in STYLES), (Press("🎲 Roll", "c:1:2:r"),)),
)

FRAMES = {
    "buttons": WITH_BUTTONS,
    "lobby": lobby_frame(a_table()),
    "turn": game_frame(a_table(status=Status.PLAYING), frozenset()),
    "menus": WITH_MENUS,
    "bare": Frame(discord.Embed(title="Nothing to press").to_dict()),
}


STATED = {"disabled": False, "min_values": 1, "max_values": 1, "required": True}
"""What the library says of components, though it goes without saying."""


def view_of(frame: Frame) -> discord.ui.View:
    """Build the components of a frame as the library does."""
    view = discord.ui.View(timeout=None)
    for row, pick in enumerate(frame.picks):
        options = [
            discord.SelectOption(
                label=line.label, value=line.value, description=line.description or None, default=line.is_chosen
            )
            for line in pick.lines
        ]
        menu: Any = discord.ui.Select(placeholder=pick.label, custom_id=pick.custom_id, options=options, row=row)
        view.add_item(menu)
    for row, presses in enumerate(frame.rows, len(frame.picks)):
        for press in presses:
            view.add_item(discord.ui.Button(label=press.label, custom_id=press.custom_id, style=press.style, row=row))
    return view


def embed_of(frame: Frame) -> discord.Embed:
    """Build the embed of a frame as the library does."""
    embed = frame.embed.copy()
    if frame.drawn is not None:
        embed.set_image(url=f"attachment://{frame.drawn.name}")
        if frame.brief is not None:
            embed.clear_fields()
            for each in frame.brief:
                embed.add_field(name=each.title, value=each.text, inline=False)
    return embed


def of_the_library(frame: Frame, **sent: Any) -> Any:
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


def whole(frame: Frame) -> Any:
    """Return what the library would send for all of a frame."""
    files = (
        [discord.File(BytesIO(frame.drawn.data), frame.drawn.name, description=frame.drawn.description)]
        if frame.drawn
        else []
    )
    return of_the_library(frame, embed=embed_of(frame), attachments=files)


def parts_of(letter: Letter) -> list[Message]:
    """Take a form apart as a mail program would."""
    head = "".join(f"{name}: {value}\r\n" for name, value in letter.headers.items())
    form = BytesParser().parsebytes(head.encode() + b"\r\n" + letter.body)
    assert form.is_multipart()
    assert not form.defects
    found: Any = form.get_payload()
    return list(found)


@pytest.fixture(params=FRAMES)
def frame(request: pytest.FixtureRequest) -> Frame:
    return FRAMES[request.param]


async def test_a_frame_in_words_is_told_as_the_library_tells_it(frame: Frame) -> None:
    letter = letter_of(frame)
    assert letter.headers == {"Content-Type": "application/json"}
    assert json.loads(letter.body) == whole(frame)


@pytest.mark.parametrize("brief", [None, (), (Field("Scores", "in short"),)])
async def test_a_frame_with_a_picture_is_told_as_the_library_tells_it(
    frame: Frame, brief: tuple[Field, ...] | None
) -> None:
    drawn = replace(frame, brief=brief).with_picture(DRAWN)
    words, _ = parts_of(letter_of(drawn))
    told = json.loads(words.get_payload(decode=True))  # type: ignore[arg-type]
    assert told == whole(drawn)
    fields = frame.embed.to_dict().get("fields", []) if brief is None else brief
    assert len(told["data"]["embeds"][0].get("fields", [])) == len(fields)


async def test_the_picture_comes_whole_and_by_its_name(frame: Frame) -> None:
    words, picture = parts_of(letter_of(frame.with_picture(DRAWN)))
    assert words.get_param("name", header="Content-Disposition") == "payload_json"
    assert words.get_content_type() == "application/json"
    assert picture.get_param("name", header="Content-Disposition") == "files[0]"
    assert picture.get_filename() == "table.png"
    assert picture.get_content_type() == "image/png"
    assert picture.get_payload(decode=True) == DRAWN.data


async def test_buttons_alone_leave_the_rest_as_it_is(frame: Frame) -> None:
    drawn = frame.with_picture(DRAWN)
    letter = letter_of(drawn, buttons_alone=True)
    told = json.loads(letter.body)
    assert told == of_the_library(drawn)
    assert set(told["data"]) == {"components", "allowed_mentions"}


async def test_nobody_is_notified(frame: Frame) -> None:
    assert json.loads(letter_of(frame).body)["data"]["allowed_mentions"] == {"parse": []}
