"""The Magic Bag through the sandbox: a whole game by buttons."""

from bot.sandbox.model.messages import Message
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.table import Table
from tests.support.parlour import Parlour


async def open_started_game(parlour: Parlour) -> Message:
    """Open a table and start the game."""
    answer = await parlour.robin.slash(parlour.here, "magic-bag new")
    assert not answer.ephemeral, answer.text
    message = answer.replies[0]
    await parlour.press(parlour.robin, message, "Deal")
    await parlour.sandbox.until(lambda: any(str(button.custom_id).startswith("t:") for button in message.buttons))
    return message


async def robins_table(parlour: Parlour) -> Table:
    """Return Robin's solo game as the host has it."""
    table = await parlour.client.app.service(Host).service.open_table_in(parlour.here.id, parlour.robin.id)
    assert table is not None
    return table


CHOICES = ("row", "no_tile", "coin", "all", "play_on", "finish")
"""The beginnings of the keys of controls: which of those that are offered is pressed first."""


def choose_button(message: Message) -> str:
    """Return the id of the button to press."""
    offered = [str(button.custom_id) for button in message.buttons if str(button.custom_id).startswith("t:")]
    keys = {custom_id: custom_id.split(":")[3] for custom_id in offered}
    return next(custom_id for choice in CHOICES for custom_id in offered if keys[custom_id].startswith(choice))


async def test_a_whole_game_is_played_by_buttons(parlour: Parlour) -> None:
    message = await open_started_game(parlour)
    table, pressed = await robins_table(parlour), set[str]()
    for _ in range(200):
        now = await parlour.client.app.service(Host).service.table(table.id)
        if now.header.status is not Status.PLAYING:
            break
        custom_id, title = choose_button(message), message.embeds[0]["title"]
        pressed.add(custom_id.split(":")[3].split("_")[0])
        answer = await parlour.robin.click(message, custom_id)
        assert not answer.replies, answer.text
        await parlour.wait_until_settled()
        has_moved = (await parlour.client.app.service(Host).service.table(table.id)).header.step > now.header.step
        assert has_moved or message.embeds[0]["title"] != title, "a step without a move has a title of its own"
    assert {"all", "coin", "no"} < pressed
    finished = await parlour.client.app.service(Host).service.table(table.id)
    assert finished.header.status is Status.FINISHED
    assert finished.outcome is not None
    score = f"{finished.outcome.scores[0]:,} point"
    assert score in message.text
    assert score in (message.attachments[0].description or "")
    more = await parlour.press(parlour.robin, message, "More …")
    assert more.ephemeral
    (private,) = more.replies
    await parlour.press(parlour.robin, private, "Best scores")
    assert f"best **{score}" in private.text
