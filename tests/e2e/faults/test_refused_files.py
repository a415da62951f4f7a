"""Discord takes no file: a picture is left out, and what is nothing but a file is refused in a sentence."""

import pytest

from bot.sandbox.model.messages import Message
from tests.support.each_case import each_case
from tests.support.parlour import Parlour

LIMITED = 400001
"""Discord's code for a server with limited uploads."""


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
