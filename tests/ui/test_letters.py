"""Letters: what a click is answered with says what the library would say."""

import json
from dataclasses import replace
from email.message import Message
from email.parser import BytesParser
from typing import Any

import discord
import pytest
from discord.webhook.async_ import interaction_message_response_params

from bot.pictures.studio import Drawn
from bot.rules.screen import Field
from bot.tables.model import Status
from bot.ui.frame import Frame
from bot.ui.frames import game_frame
from bot.ui.letters import Letter, letter_of
from bot.ui.lobby import lobby_frame
from bot.ui.menus import Line, Pick
from tests.support.fakes import a_table

DRAWN = Drawn(b"\x89PNG\r\n--\r\n\x00 no end of a part", "table.png", 'Wrens "table", all of it: äöü 🎲')

WITH_MENUS = Frame(
    discord.Embed(title="Menus", description="**bold**\nand more"),
    picks=(Pick("Choose", "c:1:2", (Line("One", "1", "the first"), Line("Two", "2", is_chosen=True))),),
)

FRAMES = {
    "lobby": lobby_frame(a_table()),
    "turn": game_frame(a_table(status=Status.PLAYING), frozenset()),
    "menus": WITH_MENUS,
    "bare": Frame(discord.Embed(title="Nothing to press")),
}


def of_the_library(**sent: Any) -> Any:
    """Return what the library would send."""
    nobody = discord.AllowedMentions.none()
    kind = discord.InteractionResponseType.message_update.value
    params = interaction_message_response_params(type=kind, previous_allowed_mentions=nobody, **sent)
    told: Any = params.payload if params.multipart is None or not params.multipart else None
    told = told or json.loads(params.multipart[0]["value"])  # type: ignore[index]
    assert told["data"].pop("tts") is False
    return told


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
    assert json.loads(letter.body) == of_the_library(**frame.edited())


@pytest.mark.parametrize("brief", [None, (), (Field("Scores", "in short"),)])
async def test_a_frame_with_a_picture_is_told_as_the_library_tells_it(
    frame: Frame, brief: tuple[Field, ...] | None
) -> None:
    drawn = replace(frame, brief=brief).with_picture(DRAWN)
    words, _ = parts_of(letter_of(drawn))
    told = json.loads(words.get_payload(decode=True))  # type: ignore[arg-type]
    assert told == of_the_library(**drawn.edited())
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
    assert told == of_the_library(**drawn.edited(buttons_alone=True))
    assert set(told["data"]) == {"components", "allowed_mentions"}


async def test_nobody_is_notified(frame: Frame) -> None:
    assert json.loads(letter_of(frame).body)["data"]["allowed_mentions"] == {"parse": []}
