"""Fortune through the sandbox: a whole game by buttons."""

from bot.tables.host import Host
from bot.tables.model import Status
from tests.support.parlour import Parlour


async def test_a_whole_game_is_played_by_buttons(parlour: Parlour) -> None:
    message = (await parlour.robin.slash(parlour.here, "fortune new", target=1000)).replies[0]
    await parlour.press(parlour.wren, message, "Join")
    await parlour.press(parlour.jay, message, "Join")
    await parlour.press(parlour.robin, message, "Start")
    table = await parlour.table()
    for _ in range(600):
        now = await parlour.client.app.service(Host).service.table(table.id)
        if now.header.status is not Status.PLAYING:
            break
        await parlour.wait_until_settled()
        wanted = ("all", "stop") if not now.state.turn.island else ("advised",)
        label = next(button.label for button in message.buttons if str(button.custom_id).split(":")[3] in wanted)
        answer = await parlour.press(await parlour.mover(), message, label)
        assert not answer.replies, answer.text
    finished = await parlour.client.app.service(Host).service.table(table.id)
    assert finished.header.status is Status.FINISHED
    assert finished.outcome is not None
    assert max(finished.outcome.scores) > 1000
    await parlour.wait_until_settled()
    for seat in finished.outcome.winners:
        assert finished.seats[seat].name in message.embeds[0]["title"]
