"""A table of Change in the sandbox, and ways to set its position."""

import pytest

from bot.games.change.pieces import State
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.host import Host
from bot.tables.table import Table
from tests.support.parlour import Parlour
from tests.support.table_positions import TablePositioner


async def open_started_game(parlour: Parlour, *players: Person, **options: object) -> Message:
    """Open a table of Change, seat everyone and start."""
    answer = await players[0].slash(parlour.here, "change new", **options)
    assert not answer.ephemeral, answer.text
    message = answer.replies[0]
    for player in players[1:]:
        await parlour.press(player, message, "Join")
    await parlour.wait_until_tips_are_loaded()
    await parlour.press(players[0], message, "Start" if len(players) > 1 else "Start with Rusty")
    await parlour.sandbox.until(lambda: "Change · " in message.text and "waiting" not in message.text)
    return message


class ChangeTable:
    """A table of Robin and Wren that is put into positions."""

    def __init__(self, parlour: Parlour, message: Message, table: Table, patch: pytest.MonkeyPatch) -> None:
        self.parlour = parlour
        self.message = message
        self.table_id = table.id
        self.positioner = TablePositioner(parlour.client.app.service(Host), table.id, patch)

    async def set_position(self, state: State, dice: str = "") -> None:
        """Put the table into a position."""
        await self.positioner.set_position(state, dice)

    async def state(self) -> State:
        """Return the position as the host has it."""
        state: State = (await self.parlour.client.app.service(Host).service.table(self.table_id)).state
        return state

    async def press(self, who: Person, label: str) -> Interaction:
        """Press a button of the table as it is now."""
        self.parlour.client.app.service(Host).publisher.wake(self.table_id, again=True)
        await self.parlour.wait_until_settled()
        answer = await self.parlour.press(who, self.message, label)
        assert not answer.replies, answer.text
        return answer

    async def open_hand(self, who: Person) -> Message:
        """Open a person's hand."""
        self.parlour.client.app.service(Host).publisher.wake(self.table_id, again=True)
        await self.parlour.wait_until_settled()
        answer = await self.parlour.press(who, self.message, "My hand")
        assert answer.ephemeral
        return answer.replies[0]
