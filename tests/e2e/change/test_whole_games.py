"""A whole game of Change through the sandbox."""

import logging
import re

import pytest

from bot.games.change.pieces import Stage
from bot.sandbox.model.messages import Message
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.table import Table
from tests.e2e.change.change_table import open_started_game
from tests.support.parlour import Parlour


async def play_to_end(parlour: Parlour, message: Message, table_id: int, most: int = 200) -> Table:
    """Let everyone choose what comes last in a menu, or first among the buttons, until the game is over."""
    for _ in range(most):
        await parlour.wait_until_settled()
        table = await parlour.client.app.service(Host).service.table(table_id)
        if table.header.status is not Status.PLAYING:
            return table
        assert table.mover is not None
        who = parlour.sandbox.person(table.mover.name)
        stage = table.state.public.stage
        if stage in (Stage.SWAP, Stage.KEEP):
            own = (await parlour.press(who, message, "My hand")).replies[0]
            answer = await parlour.press(who, own, ": ")
        elif stage in (Stage.PLACE, Stage.RETURN, Stage.FREE) and (
            select := next((each for each in message.selects if not each.disabled), None)
        ):
            answer = await who.select(message, select.custom_id, [select.options[-1]["value"]])
        else:
            # At a corner, repeated presses of the first button would only pick and unpick a player.
            if not (moves := find_moves(message)):
                # A turn in which nothing can be done ends by itself.
                await parlour.sandbox.until(lambda: find_moves(message) != [])
                continue
            answer = await who.click(message, moves[0])
        assert not answer.ephemeral, answer.text
    raise AssertionError("the game does not end")


def find_moves(message: Message) -> list[str]:
    """Return the ids of the buttons that make a move."""
    ids = [button.custom_id or "" for button in message.buttons if not button.disabled]
    return [each for each in ids if each.startswith("t:") and ":pick_" not in each]


async def test_a_whole_game_is_played_by_buttons_and_logged_without_cards(
    parlour: Parlour, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="bot"):
        message = await open_started_game(parlour, parlour.robin, parlour.wren, parlour.jay, credits=20)
        finished = await play_to_end(parlour, message, (await parlour.table()).id)
    assert finished.outcome is not None
    winner = finished.seats[finished.outcome.winners[0]].name
    assert winner in message.embeds[0]["title"]
    assert "win" in message.embeds[0]["title"]
    assert not re.search(r"add-\d|replace-\d", caplog.text)
