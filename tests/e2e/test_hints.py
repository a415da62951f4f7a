"""Hints through the sandbox, in every game and after a restart."""

from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables import storage as table_storage
from bot.tables.lobby import has_hints
from bot.tables.model import Status
from tests.support.games import load_games_once
from tests.support.parlour import Parlour, run_parlour

COMMANDS = {key: package.game.info.command for key, package in load_games_once().items() if has_hints(package)}
"""How the games with hints are opened."""


def labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


async def start(parlour: Parlour, command: str) -> Message:
    """Open a table of a game and start it, alone or against the computer."""
    opened = await parlour.robin.slash(parlour.here, f"{command} new")
    (message,) = opened.replies
    (button,) = {"Deal", "Play the computer"} & set(labels(message))
    await parlour.press(parlour.robin, message, button)
    return message


async def reach_choice(parlour: Parlour, message: Message) -> None:
    """Do what there is only one of until there is a choice, which brings a hint."""

    def controls() -> list[str]:
        ids = (button.custom_id or "" for button in message.buttons)
        return [each for each in ids if each.startswith("t:")]

    while "Hint" not in labels(message):
        await parlour.sandbox.until(lambda: bool(controls()))
        await parlour.robin.click(message, controls()[0])
        await parlour.wait_until_settled()


async def accept(parlour: Parlour, person: Person, question: Message) -> Message:
    """Accept what a hint costs, and return the hint."""
    assert "With hints, this game counts for you only as one more game played" in question.text
    await parlour.press(person, question, "Show the hint")
    await parlour.sandbox.until(lambda: "You are asked once" not in question.text)
    return question


@pytest.mark.parametrize("game", COMMANDS)
async def test_a_hint_is_private_and_names_moves_odds_and_a_reason(parlour: Parlour, game: str) -> None:
    message = await start(parlour, COMMANDS[game])
    await reach_choice(parlour, message)
    table = await parlour.client.host.service.table(1)
    click = await parlour.press(parlour.robin, message, "Hint")
    await parlour.sandbox.until(lambda: bool(click.replies))
    hint = await accept(parlour, parlour.robin, click.replies[0])
    assert hint.ephemeral_to == parlour.robin.id
    assert "**1. " in hint.text
    assert "💡 " in hint.text
    assert "**2.** " in hint.text
    noted = await parlour.client.host.service.table(1)
    assert sorted(noted.header.hinted) == [table.header.to_move]
    assert noted.header.step == table.header.step, "buttons stay valid"


async def test_the_result_shows_who_used_hints_even_after_a_restart(sandbox: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as before:
        message = await before.start_game(before.robin, before.wren, target=50)
        mover = await before.mover()
        (question,) = (await mover.slash(before.here, "table hint")).replies
        assert "to win" in (await accept(before, mover, question)).text
    async with run_parlour(sandbox, file) as after:
        while (await after.client.host.service.table(1)).header.status is Status.PLAYING:
            await after.press(await after.mover(), message, "Roll all five")
        await after.wait_until_settled()
        assert f"💡 With hints: {mover.name}" in message.text
        shown = await after.linnet.slash(after.here, "history")
        assert "💡" in shown.text
        record = await after.db.read(table_storage.load, 1)
        assert record is not None
        assert len(record.header.hinted) == 1
