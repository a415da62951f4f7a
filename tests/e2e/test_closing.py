"""Closing a game without a result, through the sandbox."""

from functools import partial

from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.model import Status
from tests.support.parlour import Parlour, button_id, shows_step


async def play_round(parlour: Parlour, message: Message, *, moves: int) -> None:
    """Roll all dice as the player to move, `moves` times."""
    for step in range(moves):
        await parlour.sandbox.until(partial(shows_step, message, step))
        await (await parlour.mover()).slash(parlour.here, "magpie roll", dice="all")


async def confirm_cancel(parlour: Parlour, who: Person) -> Message:
    """Type `/table cancel`, press the one button of the answer, and return what it shows then."""
    question = (await who.slash(parlour.here, "table cancel")).replies[0]
    await who.click(question, button_id(question, 0))
    return question


async def test_the_opener_cannot_close_alone_once_everyone_has_played(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.jay, parlour.wren)
    await play_round(parlour, message, moves=2)
    table = await parlour.table()
    reply = await confirm_cancel(parlour, parlour.jay)
    assert (await parlour.client.host.service.table(table.id)).header.status is Status.PLAYING
    assert "Still missing: Wren" in reply.text
    await parlour.sandbox.until(lambda: "⏳ 🟧 Wren" in message.text)
    await parlour.press(parlour.wren, message, "Agree to close")
    await parlour.sandbox.until(lambda: "All players agreed" in message.text)
    assert (await parlour.client.host.service.table(table.id)).header.status is Status.CANCELLED
    played = await parlour.wren.slash(parlour.here, "history")
    assert "Jay" not in played.text


async def test_a_player_against_computers_resigns_instead(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.jay)
    table = await parlour.table()
    while len((await parlour.client.host.service.load_stored(table.id)).entries) < 2:
        await parlour.sandbox.until(lambda: any((press.custom_id or "").startswith("t:") for press in message.buttons))
        await parlour.jay.slash(parlour.here, "magpie roll", dice="all")
    reply = await confirm_cancel(parlour, parlour.jay)
    assert "You resigned" in reply.text
    now = await parlour.client.host.service.table(table.id)
    assert now.header.status is Status.FINISHED
    assert now.outcome is not None
    assert now.outcome.places == (2, 1)
