"""Discord takes no files in a server: everything that is shown there is shown in words."""

import pytest

from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from tests.support.each_case import each_case
from tests.support.parlour import Parlour

LIMITED, LIMITED_WORDS = 400001, "Discord limits uploads in this server"


def files_sent(sandbox: Sandbox) -> int:
    """Return how many files the bot has tried to send; each is refused."""
    return sandbox.fault_injector.files_refused


async def test_where_uploads_are_limited_tables_are_in_words_and_that_is_said_once(
    parlour: Parlour, caplog: pytest.LogCaptureFixture
) -> None:
    parlour.sandbox.fault_injector.refuse_files(403, LIMITED)
    opened = await parlour.robin.slash(parlour.here, "magpie new")
    await parlour.sandbox.until(lambda: len(opened.replies) == 2)
    message, note = opened.replies
    assert LIMITED_WORDS in note.text
    assert not message.attachments
    assert files_sent(parlour.sandbox) == 1
    await parlour.press(parlour.robin, message, "Start with Rusty")
    await parlour.sandbox.until(lambda: "Robin, roll the dice" in message.text)
    elsewhere = await parlour.wren.slash(parlour.elsewhere, "magpie new")
    await parlour.wait_until_settled()
    assert len(elsewhere.replies) == 1
    assert files_sent(parlour.sandbox) == 1, "the server is remembered, not only the channel"
    assert sum("limits uploads in server" in each for each in caplog.messages) == 1


@each_case("refusal", [(413, 0), (413, 40005), (400, 50045), (403, 20009), (400, 50046), (400, 50138)])
async def test_a_picture_that_discord_does_not_take_is_left_out(
    parlour: Parlour, caplog: pytest.LogCaptureFixture, refusal: tuple[int, int]
) -> None:
    caplog.clear()
    parlour.sandbox.fault_injector.refuse_files(*refusal)
    message: Message = await parlour.open_table(parlour.robin)
    assert not message.attachments
    assert message.buttons
    assert any("does not take a picture" in each for each in caplog.messages)
    parlour.sandbox.fault_injector.other_answers.clear()
    await parlour.robin.slash(parlour.here, "table cancel")
    (again,) = [each for each in (await parlour.robin.slash(parlour.here, "magpie new")).replies if each.buttons]
    assert again.attachments, "another one is tried"
    await parlour.robin.slash(parlour.here, "table cancel")


async def test_a_file_that_is_all_there_is_to_send_is_refused_in_a_sentence(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin)
    await parlour.sandbox.until(lambda: "Robin, roll the dice" in message.text)
    parlour.sandbox.fault_injector.refuse_files(400, LIMITED)
    (warning,) = (await parlour.robin.slash(parlour.here, "privacy")).replies
    answer = await parlour.robin.click(warning, warning.buttons[0].custom_id or "")
    assert "accept the file here" in answer.text
