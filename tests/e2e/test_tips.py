"""Tips and reading aloud, through the sandbox and with the store."""

from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import TIPS
from bot.sandbox.model.messages import Message
from tests.support.parlour import ROLL, Parlour


def tip_of(message: Message) -> str:
    """Return the tip of a table's message, or an empty text."""
    lines = str(message.embeds[0].get("description", "")).split("\n")
    return next((line for line in lines if line.startswith("-# 💡 ")), "")


async def test_a_beginner_gets_tips_until_they_want_no_more(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin)
    await parlour.sandbox.until(lambda: bool(tip_of(message)) or not message.buttons)
    assert tip_of(message).startswith("-# 💡 ")
    await parlour.press(parlour.robin, message, "No more tips")
    told = "No more tips for you, in any game or server."
    await parlour.sandbox.until(lambda: told in parlour.robin.visible_messages(parlour.here)[-1].text)
    assert parlour.robin.visible_messages(parlour.here)[-1].ephemeral_to == parlour.robin.id
    await parlour.sandbox.until(lambda: not tip_of(message))
    assert "No more tips" not in [button.label for button in message.buttons]
    assert not (await parlour.db.read(setting_storage.find, parlour.robin.id)).get(TIPS)
    await parlour.press(parlour.robin, message, ROLL)
    await parlour.wait_until_settled()
    assert not tip_of(message)
