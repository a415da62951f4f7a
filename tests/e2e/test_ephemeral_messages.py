"""Private messages through the sandbox: the newest stays, what it replaces is deleted by its interaction's token."""

import pytest

from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from tests.support.parlour import Parlour


def ephemeral_messages(parlour: Parlour, who: Person) -> list[Message]:
    """Return the channel's messages that only this person sees."""
    return [message for message in who.visible_messages(parlour.here) if message.ephemeral_to == who.id]


async def wait_for_only_message(parlour: Parlour, who: Person, answer: Interaction) -> None:
    """Wait until an answer is the only message that only this person sees."""
    await parlour.sandbox.until(lambda: answer.replies and ephemeral_messages(parlour, who) == list(answer.replies))


@pytest.mark.parametrize("label", ["Read the table", "How to play"])
async def test_a_repeated_request_replaces_the_earlier_message(parlour: Parlour, label: str) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    theirs = await parlour.press(parlour.wren, message, label)
    for _ in range(3):
        await wait_for_only_message(parlour, parlour.robin, await parlour.press(parlour.robin, message, label))
    assert ephemeral_messages(parlour, parlour.wren) == list(theirs.replies)
    assert message in parlour.robin.visible_messages(parlour.here)


async def test_replacing_a_private_message_never_deletes_the_table(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    behind = "u:1:1:r:1"
    for _ in range(2):
        await wait_for_only_message(parlour, parlour.robin, await parlour.robin.click(message, behind, forged=True))
    assert message in parlour.robin.visible_messages(parlour.here)
    assert not message.deleted
