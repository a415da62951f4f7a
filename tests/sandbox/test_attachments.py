"""The files of a message when it is edited, and the pictures of embeds that show them."""

from io import BytesIO
from unittest import mock

import aiohttp
import pytest
from aiohttp.test_utils import make_mocked_request
from PIL import Image

from bot.sandbox import Channel
from bot.sandbox.errors import ApiError
from bot.sandbox.rest.routes import read_body
from tests.sandbox.message_bodies import form, messages
from tests.sandbox.wire_bot import Json, WireBot


async def post_message(wire: WireBot, channel: Channel, payload: Json, *files: tuple[str, bytes]) -> Json:
    status, answer = await wire.request("POST", messages(channel), data=form(payload, *files))
    assert status == 200, answer
    made: Json = answer
    return made


def names(message: Json) -> list[str]:
    return [file["filename"] for file in message["attachments"]]


async def test_a_file_of_another_message_is_refused(wire: WireBot, channel: Channel) -> None:
    other = await post_message(wire, channel, {}, ("a.txt", b"a"))
    message = await post_message(wire, channel, {}, ("b.txt", b"b"))
    path, kept = f"{messages(channel)}/{message['id']}", {"attachments": [{"id": other["attachments"][0]["id"]}]}
    assert await wire.faults("PATCH", path, kept) == {("attachments.0", "ATTACHMENT_NOT_FOUND")}
    assert names(channel.messages[1].payload()) == ["b.txt"]


async def test_embeds_show_files_in_four_places(wire: WireBot, channel: Channel) -> None:
    embed = {
        "title": "T",
        "image": {"url": "attachment://a.png"},
        "thumbnail": {"url": "attachment://a.png"},
        "author": {"name": "A", "icon_url": "attachment://b.png"},
        "footer": {"text": "F", "icon_url": "attachment://b.png"},
    }
    message = await post_message(wire, channel, {"embeds": [embed]}, ("a.png", b"a"), ("b.png", b"b"), ("c.png", b"c"))
    (shown,) = message["embeds"]
    large, small, _ = channel.messages[0].attachments
    assert (shown["image"]["url"], shown["thumbnail"]["url"]) == (large.url, large.url)
    assert (shown["author"]["icon_url"], shown["footer"]["icon_url"]) == (small.url, small.url)
    assert (shown["author"]["name"], names(message)) == ("A", ["c.png"])


async def test_a_picture_of_an_embed_has_the_description_of_its_file(wire: WireBot, channel: Channel) -> None:
    embed = {"image": {"url": "attachment://a.png"}, "thumbnail": {"url": "attachment://b.png"}}
    notes = [{"id": 0, "filename": "a.png", "description": "Two dice: 3 and 5."}, {"id": 1, "filename": "b.png"}]
    message = await post_message(
        wire, channel, {"embeds": [embed], "attachments": notes}, ("a.png", b"a"), ("b.png", b"b")
    )
    (shown,) = message["embeds"]
    assert (shown["image"]["description"], "description" in shown["thumbnail"]) == ("Two dice: 3 and 5.", False)


async def test_an_upload_that_breaks_off_is_refused_without_an_error() -> None:
    request = make_mocked_request("POST", "/")
    with mock.patch.object(request, "read", side_effect=ConnectionResetError), pytest.raises(ApiError):
        await read_body(request)


async def test_an_edit_of_the_words_alone_keeps_the_file_that_an_embed_shows(wire: WireBot, channel: Channel) -> None:
    embed = {"title": "Rolling", "image": {"url": "attachment://a.gif"}}
    message = await post_message(wire, channel, {"embeds": [embed]}, ("a.gif", b"a"))
    status, edited = await wire.request(
        "PATCH", f"{messages(channel)}/{message['id']}", {"embeds": [{**embed, "title": "Bust"}]}
    )
    assert (status, edited["embeds"][0]["title"]) == (200, "Bust")
    assert edited["embeds"][0]["image"]["url"] == message["embeds"][0]["image"]["url"]


async def test_of_an_animation_that_should_not_move_the_first_frame_is_served(
    wire: WireBot, channel: Channel, http: aiohttp.ClientSession
) -> None:
    frames = [Image.new("RGB", (40, 30), colour) for colour in ("red", "blue")]
    file = BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=50)
    (shown,) = (await post_message(wire, channel, {}, ("roll.gif", file.getvalue())))["attachments"]
    assert (shown["width"], shown["height"]) == (40, 30)
    counts = []
    for query in ("", "?animated=false"):
        async with http.get(shown["url"] + query) as answer:
            with Image.open(BytesIO(await answer.read())) as image:
                counts.append(getattr(image, "n_frames", 0))
                assert image.convert("RGB").getpixel((5, 5)) == (255, 0, 0)
    assert counts == [2, 1]
