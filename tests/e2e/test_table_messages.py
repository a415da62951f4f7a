"""Table messages that are moved, deleted or interrupted, and how they recover."""

from bot.sandbox.model.messages import Message
from tests.support.parlour import ROLL, Parlour


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
