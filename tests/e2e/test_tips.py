"""Tips and reading aloud, through the sandbox and with the store."""

from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import TIPS
from bot.sandbox.model.messages import Message
from tests.support.parlour import Parlour


def tip_of(message: Message) -> str:
    """Return the tip of a table's message, or an empty text."""
    _table, *tips = message.embeds
    return str(tips[0]["description"]) if tips else ""


async def test_a_beginner_gets_tips_until_they_want_no_more(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin)
    await parlour.sandbox.until(lambda: bool(tip_of(message)) or not message.buttons)
    assert tip_of(message).startswith("-# 💡 ")
    click = await parlour.press(parlour.robin, message, "No more tips")
    await parlour.sandbox.until(lambda: bool(click.replies))
    (answer,) = click.replies
    assert answer.ephemeral_to == parlour.robin.id
    assert "No more tips for you, in any game or server. Others here may still get them." in answer.text
    await parlour.sandbox.until(lambda: not tip_of(message))
    assert "No more tips" not in [button.label for button in message.buttons]
    assert not (await parlour.db.read(setting_storage.find, parlour.robin.id)).get(TIPS)
    await parlour.press(parlour.robin, message, "Roll all five")
    await parlour.wait_until_settled()
    assert not tip_of(message)


async def test_the_table_is_read_to_those_who_want_it_after_each_move(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    (reading,) = (await parlour.press(parlour.robin, message, "Read the table")).replies
    await parlour.press(parlour.robin, reading, "Read to me after each move")
    assert "after each of your moves" in reading.text
    for _ in range(2):
        mover = await parlour.mover()
        click = await parlour.press(mover, message, "Roll all five")
        if mover is parlour.robin:
            await parlour.sandbox.until(lambda: len(click.replies) == 1)  # noqa: B023 - awaited at once
            assert "It's Wren's turn" in click.replies[0].text
        await parlour.wait_until_settled()
    readings = [each for each in parlour.robin.visible_messages(parlour.here) if "It's Wren's turn" in each.text]
    assert len(readings) == 1, "a newer reading replaces the older"
