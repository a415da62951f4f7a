"""Permissions are missing: players learn which, their moves count, and the table catches up."""

import pytest

from bot.features.set_up.messages import SetUpId, SetUpStep
from bot.sandbox import ClientRefusal
from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.model.permissions import Permissions
from bot.tables.host import Host
from tests.support.parlour import ROLL, Parlour, find_button
from tests.support.paused_computer_players import ComputerPlayerPause, start_against_paused_computer
from tests.support.waiting import wait_until


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be shown is tried again soon."""
    monkeypatch.setattr("bot.tables.retries.SOON_SECONDS", 0.05)


async def test_a_typed_move_names_missing_permissions_and_is_shown_once_they_are_granted(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    parlour.here.bot_permissions &= ~Permissions.EMBED_LINKS
    answer = await (await parlour.mover()).slash(parlour.here, "magpie roll", dice="all")
    assert answer.ephemeral
    assert answer.text.startswith("Done: ")
    assert "**Embed Links**. Ask someone who runs this server" in answer.text
    assert (await parlour.table()).header.step == 1
    await wait_until(lambda: parlour.client.app.service(Host).publisher.is_stuck(1))
    assert find_button(message, ROLL).custom_id == "t:1:0:roll:0"
    parlour.here.bot_permissions |= Permissions.EMBED_LINKS
    await parlour.sandbox.until(lambda: find_button(message, ROLL).custom_id == "t:1:1:roll:0")
    assert parlour.here.public_messages == [message]


async def test_a_click_on_a_table_that_could_not_be_shown_shows_it_and_names_what_is_missing(
    parlour: Parlour, thinking: ComputerPlayerPause
) -> None:
    message = await start_against_paused_computer(parlour, thinking, parlour.here)
    parlour.here.bot_permissions &= ~Permissions.VIEW_CHANNEL
    thinking.resume()
    await wait_until(lambda: parlour.client.app.service(Host).publisher.is_stuck(1))
    assert "Rusty is rolling" in message.text
    click = await parlour.robin.click(message, "t:1:0:roll:0", forged=True)
    assert click.state is InteractionState.RESPONDED
    (reply,) = await parlour.sandbox.until(lambda: click.replies)
    assert reply.text.startswith("I'm missing permissions in this channel: **View Channel**")
    assert reply.ephemeral_to == parlour.robin.id
    assert "Robin, roll the dice" in message.text


async def test_a_bot_that_was_removed_and_invited_again_goes_on(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    world, mover = parlour.sandbox.world, await parlour.mover()
    world.remove_bot(world.server)
    await wait_until(lambda: not parlour.client.guilds)
    parlour.client.app.service(Host).publisher.wake(1, again=True)
    await wait_until(lambda: parlour.client.app.service(Host).publisher.is_stuck(1))
    unheard = await parlour.press(mover, message, ROLL)
    assert unheard.failure == "Parlour does not belong to this server any more."
    with pytest.raises(ClientRefusal, match="no command"):
        await mover.slash(parlour.here, "magpie new")
    assert parlour.here.public_messages == [message], "the table stands there still, as it was"
    assert not (await parlour.robin.slash(parlour.robin.direct_channel, "magic-bag new")).ephemeral, (
        "elsewhere all goes on"
    )
    world.add_bot(world.server)
    await wait_until(lambda: parlour.client.guilds and not parlour.client.app.service(Host).publisher.is_stuck(1))
    answer = await parlour.press(mover, message, ROLL)
    assert answer.state is InteractionState.RESPONDED
    assert (await parlour.table()).header.step == 1
    await wait_until(lambda: len(parlour.here.public_messages) > 1)
    table, greeting = parlour.here.public_messages
    assert table == message
    assert str(SetUpId(SetUpStep.PLACES)) in [button.custom_id for button in greeting.buttons]
