"""Table messages that are moved, deleted or interrupted, and how they recover."""

from pathlib import Path

import pytest

from bot.games.magpie.pieces import MagpieOptions
from bot.platform.places import Location, Person
from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from bot.tables.opening import open_game
from bot.tables.service import TableService
from tests.support.games import load_games_once
from tests.support.parlour import ROLL, Parlour, run_parlour


def link_to(message: Message) -> str:
    return f"https://discord.com/channels/{message.channel.server_id}/{message.channel.id}/{message.id}"


async def test_a_deleted_table_message_is_reposted_for_whoever_wants_to_open_another(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    parlour.sandbox.world.remove_message(message)
    answer = await parlour.jay.slash(parlour.here, "magpie new")
    (reposted,) = parlour.here.public_messages
    assert f"There's a game of Magpie in this channel: {link_to(reposted)}" in answer.text
    await parlour.press(await parlour.mover(), reposted, ROLL)
    assert (await parlour.table()).header.step == 1


async def test_an_invitation_leads_to_a_table_that_is_there(parlour: Parlour) -> None:
    message = await parlour.open_table(parlour.robin)
    await parlour.wait_until_shown()
    parlour.sandbox.world.remove_message(message)
    await parlour.robin.slash(parlour.here, "table invite", person=parlour.wren)
    reposted, invitation = parlour.here.public_messages
    assert link_to(reposted) in invitation.text
    await parlour.press(parlour.wren, reposted, "Join")


@pytest.mark.usefixtures("frequent_checks")
async def test_a_table_that_was_never_posted_is_posted_at_the_next_start(sandbox: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as before:
        # What is left behind by a crash between the commit and the answer.
        silent = TableService(before.db, load_games_once())
        robin = Person(before.robin.id, before.robin.name)
        place = Location(sandbox.world.server.id, before.here.id)
        await open_game(silent, "magpie", MagpieOptions(), robin, place, click_id=1)
    async with run_parlour(sandbox, file) as after:
        # For some seconds the process before may still be about to post it.
        after.advance_clock(minutes=1)
        await sandbox.until(lambda: len(after.here.messages) == 1)
        await after.press(after.wren, after.here.messages[0], "Join")
        assert len((await after.table()).seats) == 2
