"""What the whole bot asks of Discord fits Discord's own description of its interface.

Every test here ends with that question (see `conftest.py`); this one makes sure that there is something to ask about.
"""

import pytest

from bot.sandbox.rest.routes import RequestRecord
from bot.sandbox.server import API
from tests.support.described import breaches, described
from tests.support.openapi import Description
from tests.support.parlour import Parlour, id_of

DESCRIPTION = described()

SPOKEN = {
    "PUT /applications/{application_id}/commands",
    "POST /channels/{channel_id}/messages",
    "PATCH /channels/{channel_id}/messages/{message_id}",
    "DELETE /channels/{channel_id}/messages/{message_id}",
    "POST /interactions/{interaction_id}/{interaction_token}/callback",
}


@pytest.mark.skipif(
    DESCRIPTION is None, reason="Discord's description is not here; tests/support/openapi.py says where to put it"
)
async def test_an_evening_of_everything(parlour: Parlour) -> None:
    assert isinstance(DESCRIPTION, Description)
    message = await parlour.started(parlour.robin, parlour.wren)
    await roll_by_command(parlour)
    await spoken_of(parlour, DESCRIPTION, "PATCH")
    await parlour.press(await parlour.mover(), message, "Roll all five")
    # Somebody deletes the table's message: the bot writes another one.
    parlour.sandbox.world.remove(message)
    await roll_by_command(parlour)
    await spoken_of(parlour, DESCRIPTION, "POST")
    await parlour.robin.slash(parlour.here, "table show")
    for command in ("leaderboard", "rules"):
        await parlour.jay.slash(parlour.here, command, game="magpie")
    closing = await parlour.robin.slash(parlour.here, "table cancel")
    await parlour.robin.click(closing.replies[0], id_of(closing.replies[0], 0))
    await parlour.robin.slash(parlour.here, "table verify")
    await parlour.wren.slash(parlour.elsewhere, "magic-bag new")
    await parlour.settled()
    requests = parlour.sandbox.requests
    assert {address(DESCRIPTION, each) for each in requests} >= SPOKEN
    assert breaches(requests, of_the_bot=True) == []


async def roll_by_command(parlour: Parlour) -> None:
    answer = await (await parlour.mover()).slash(parlour.here, "magpie roll", dice="all")
    assert "Done" in answer.text


async def spoken_of(parlour: Parlour, description: Description, method: str) -> None:
    """Wait until the bot has sent such a request about the messages of a channel."""
    wanted = {each for each in SPOKEN if each.startswith(f"{method} /channels")}
    await parlour.sandbox.until(lambda: wanted & {address(description, each) for each in parlour.sandbox.requests})


def address(description: Description, record: RequestRecord) -> str:
    return f"{record.method} {description.address(record.path.removeprefix(API))}"
