"""The Magic Bag through the sandbox: a whole game by buttons."""

from bot.games.magic_bag.pieces import State
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
    await parlour.sandbox.until(lambda: "roll 1 of 3" in message.text)
    return message


async def robins_table(parlour: Parlour) -> Table:
    """Return Robin's solo game as the host has it."""
    table = await parlour.client.app.service(Host).service.open_table_in(parlour.here.id, parlour.robin.id)
    assert table is not None
    return table


def choose_label(state: State, labels: list[str]) -> str:
    """Choose a button: the last row that can be taken, the first coin to discard, or another roll."""
    word = "Row" if state.matching else "Roll" if state.rolls_left else "discarded"
    fitting = [label for label in labels if word in label]
    return fitting[-1] if state.matching else (fitting or [label for label in labels if label.startswith("Finish")])[0]


async def test_a_whole_game_is_played_by_buttons(parlour: Parlour) -> None:
    message = await open_started_game(parlour)
    table = await robins_table(parlour)
    for _ in range(200):
        now = await parlour.client.app.service(Host).service.table(table.id)
        if now.header.status is not Status.PLAYING:
            break
        label = choose_label(now.state, [button.label for button in message.buttons])
        answer = await parlour.press(parlour.robin, message, label)
        assert not answer.replies, answer.text
        await parlour.wait_until_settled()
    finished = await parlour.client.app.service(Host).service.table(table.id)
    assert finished.header.status is Status.FINISHED
    assert finished.outcome is not None
    score = f"{finished.outcome.scores[0]:,} point"
    assert score in message.text
    assert "computer's games" in (message.attachments[0].description or "")
    assert f"🏅 Robin has the server's best: {score}" in message.text
    board = await parlour.press(parlour.robin, message, "Best scores")
    assert board.ephemeral
    assert f"best **{score}" in board.text
