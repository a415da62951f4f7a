"""Reminders, through the sandbox: one message for one person, for as long as it is of use."""

from pathlib import Path

import pytest

import bot.tables.runtime.host
from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.people.person import Person
from bot.tables.ports import StoreUnavailable
from tests.support.fakes import until
from tests.support.parlour import Parlour, connected, id_of

CALL = "it is your turn at Magpie"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chores without long pauses."""
    monkeypatch.setattr(bot.tables.runtime.host, "_FLUSH_SECONDS", 0.01)
    monkeypatch.setattr(bot.tables.runtime.host, "_CHECK_SECONDS", 0.01)


def calls(parlour: Parlour) -> list[Message]:
    """The reminders that are in the channel."""
    return [message for message in parlour.here.messages if CALL in message.text]


def sent(sandbox: Sandbox) -> int:
    """How many messages the bot has posted on its own account."""
    return sum(request.method == "POST" and request.path.endswith("/messages") for request in sandbox.requests)


async def called(parlour: Parlour) -> tuple[Person, Message]:
    """Let time go by until the person to move is called, and return both."""
    parlour.later(minutes=2)
    await parlour.sandbox.until(lambda: calls(parlour))
    (call,) = calls(parlour)
    return await parlour.mover(), call


async def test_one_person_is_called_until_they_play(parlour: Parlour) -> None:
    message = await parlour.started(parlour.robin, parlour.wren)
    mover, call = await called(parlour)
    assert call.text.startswith(f"<@{mover.id}>, it is your turn at Magpie: ")
    assert call.text.endswith(f"/{parlour.here.id}/{message.id}")
    assert [user["id"] for user in call.payload()["mentions"]] == [str(mover.id)]
    await parlour.press(mover, message, "Roll all five")
    await parlour.sandbox.until(lambda: not calls(parlour))
    assert sent(parlour.sandbox) == 1
    assert (await parlour.table()).header.step == 1


async def test_the_others_may_let_a_computer_stand_in(parlour: Parlour) -> None:
    message = await parlour.started(parlour.robin, parlour.wren)
    while await parlour.mover() is not parlour.wren:
        await parlour.press(parlour.robin, message, "Roll all five")
    _, call = await called(parlour)
    button = id_of(call, "Let a computer player stand in")
    assert "your own turn" in (await parlour.wren.click(call, button)).text
    assert "You have no seat" in (await parlour.linnet.click(call, button)).text
    answer = await parlour.robin.click(call, button)
    assert "stands in for Wren" in answer.text
    await parlour.sandbox.until(lambda: not calls(parlour))
    await parlour.sandbox.until(lambda: "Wren 🤖" in message.text)


async def test_a_restart_takes_away_what_was_sent_before_and_calls_nobody_again(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with connected(sandbox, file) as before:
        message = await before.started(before.robin, before.wren)
        mover, _ = await called(before)
    async with connected(sandbox, file) as after:
        after.later(minutes=4)
        await after.client.host.reminders.check()
        assert len(calls(after)) == 1
        await after.press(mover, message, "Roll all five")
        await sandbox.until(lambda: not calls(after))
    assert sent(sandbox) == 1


async def test_a_message_whose_id_was_lost_is_found_and_taken_away(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with connected(sandbox, file) as before:
        message = await before.started(before.robin, before.wren)

        async def killed(_: object) -> bool:
            raise StoreUnavailable("killed")

        with monkeypatch.context() as patch:
            patch.setattr(before.store, "keep_reminder", killed)
            mover, _ = await called(before)
            await before.client.host.reminders.close()
    async with connected(sandbox, file) as after:
        await after.press(mover, message, "Roll all five")
        await sandbox.until(lambda: not calls(after))


async def test_where_the_bot_may_not_write_it_tries_once(parlour: Parlour) -> None:
    await parlour.started(parlour.robin, parlour.wren)
    parlour.here.bot_permissions &= ~Permissions.SEND_MESSAGES
    parlour.later(minutes=2)
    await until(lambda: sent(parlour.sandbox))
    await parlour.client.host.reminders.close()
    parlour.here.bot_permissions |= Permissions.SEND_MESSAGES
    await parlour.client.host.reminders.check()
    await parlour.client.host.reminders.close()
    assert calls(parlour) == []
    assert sent(parlour.sandbox) == 1


async def test_who_plays_alone_against_a_computer_has_nobody_to_ask(parlour: Parlour) -> None:
    message = await parlour.started(parlour.robin)
    await parlour.sandbox.until(lambda: "Robin to roll" in message.text)
    _, call = await called(parlour)
    assert call.buttons == []
