"""The result of a table says who used hints, through the sandbox."""

from pathlib import Path

from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables import storage as table_storage
from bot.tables.host import Host
from bot.tables.model import Status
from tests.support.parlour import Parlour, run_parlour

"""How the games with hints are opened."""


async def accept(parlour: Parlour, person: Person, question: Message) -> Message:
    """Accept what a hint costs, and return the hint."""
    assert "With hints, this game counts for you only as one more game played" in question.text
    await parlour.press(person, question, "Show the hint")
    await parlour.sandbox.until(lambda: "You are asked once" not in question.text)
    return question


async def test_the_result_shows_who_used_hints_even_after_a_restart(sandbox: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as before:
        message = await before.start_game(before.robin, before.wren, target=50)
        mover = await before.mover()
        (question,) = (await mover.slash(before.here, "table hint")).replies
        assert "to win" in (await accept(before, mover, question)).text
    async with run_parlour(sandbox, file) as after:
        while (await after.client.app.service(Host).service.table(1)).header.status is Status.PLAYING:
            await after.press(await after.mover(), message, "Roll all five")
        await after.wait_until_settled()
        assert f"💡 With hints: {mover.name}" in message.text
        shown = await after.linnet.slash(after.here, "history")
        assert "💡" in shown.text
        record = await after.db.read(table_storage.load, 1)
        assert record is not None
        assert len(record.header.hinted) == 1
