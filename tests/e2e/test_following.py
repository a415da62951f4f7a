"""A table follows the talk in its channel, once a turn, and never from under a thumb."""

from pathlib import Path

import pytest

from bot.features.following import Following
from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from bot.sandbox.model.permissions import Permissions
from bot.tables.host import Host
from bot.tables.publisher import Publisher
from tests.e2e.test_table_messages import link_to
from tests.support.each_case import each_case
from tests.support.fakes import STRANGER
from tests.support.parlour import ROLL, Parlour, choose_setting, find_button, run_parlour


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No roll takes long."""
    monkeypatch.setattr("bot.features.following.FOLLOW_SECONDS", 0.05)


async def play_a_turn(parlour: Parlour, message: Message) -> None:
    """Let whose turn it is roll, and the bot do what follows."""
    await parlour.press(await parlour.mover(), message, ROLL)
    await parlour.client.app.service(Following).close(5)
    await parlour.wait_until_settled()


async def talk_below(parlour: Parlour) -> Message:
    """Start a game, and let time go by until somebody says something below its table."""
    message = await parlour.start_game(parlour.robin, parlour.wren)
    parlour.sandbox.world.clock.advance(6 * 60)
    parlour.jay.say(parlour.here, "Who is winning?")
    return message


async def test_a_table_moves_below_the_talk_when_the_next_turn_begins(parlour: Parlour) -> None:
    message = await talk_below(parlour)
    await play_a_turn(parlour, message)
    said, moved = parlour.here.public_messages
    assert message.deleted
    assert said.text == "Who is winning?"
    await parlour.press(await parlour.mover(), moved, ROLL)
    assert (await parlour.table()).header.step == 2


async def test_a_message_that_cannot_be_deleted_becomes_a_link(parlour: Parlour) -> None:
    message = await talk_below(parlour)
    parlour.sandbox.fault_injector.refuse("DELETE", r"/messages/\d+$", 403, 50013)
    await play_a_turn(parlour, message)
    moved = parlour.here.public_messages[-1]
    await parlour.sandbox.until(lambda: not message.buttons)
    assert link_to(moved) in message.text
    assert not message.attachments


async def do_nothing(*_given: object) -> None:
    """Stand for a deletion before which the process was killed."""


async def test_after_a_kill_before_the_old_message_is_deleted_a_click_turns_it_into_a_link(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as before:
        with pytest.MonkeyPatch.context() as killed:
            killed.setattr(Publisher, "remove_replaced", do_nothing)
            await play_a_turn(before, await talk_below(before))
    async with run_parlour(sandbox, file) as after:
        old, _said, moved = after.here.public_messages
        for step, message in ((2, old), (3, moved)):
            await after.press(await after.mover(), message, ROLL)
            assert (await after.table()).header.step == step
            await after.wait_until_shown()
        await sandbox.until(lambda: not old.buttons)
        assert link_to(moved) in old.text
        assert after.here.public_messages[-1] is moved


@each_case("reason", ["nobody talks", "the table is new", "the bot may not post", "the server wants it to stay"])
async def test_a_table_stays(parlour: Parlour, reason: str) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    allowed = parlour.here.bot_permissions
    if reason != "the table is new":
        parlour.sandbox.world.clock.advance(6 * 60)
    if reason == "the server wants it to stay":
        await choose_setting(parlour.robin, parlour.here, "tables", "stay")
    if reason == "the bot may not post":
        parlour.here.bot_permissions &= ~Permissions.SEND_MESSAGES
    if reason != "nobody talks":
        parlour.jay.say(parlour.here, "Who is winning?")
    await play_a_turn(parlour, message)
    parlour.here.bot_permissions = allowed
    assert not message.deleted
    find_button(message, ROLL)
    await parlour.client.app.service(Host).service.cancel((await parlour.table()).id, STRANGER, is_moderator=True)
