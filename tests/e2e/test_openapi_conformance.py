"""What the whole bot asks of Discord fits Discord's own description of its interface.

Every test here ends with that question (see `conftest.py`); this one makes sure that there is something to ask about.
"""

from bot.sandbox.rest.routes import RequestRecord
from bot.sandbox.server import API_PATH
from tests.support.openapi import load_description
from tests.support.openapi_conformance import find_breaches
from tests.support.parlour import ROLL, Parlour, button_id

REQUIRED_REQUESTS = {
    "PUT /applications/{application_id}/commands",
    "POST /channels/{channel_id}/messages",
    "PATCH /channels/{channel_id}/messages/{message_id}",
    "DELETE /channels/{channel_id}/messages/{message_id}",
    "POST /interactions/{interaction_id}/{interaction_token}/callback",
}


async def test_every_feature_keeps_to_discords_specification(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await roll_by_command(parlour)
    await wait_for_request(parlour, "PATCH")
    await parlour.press(await parlour.mover(), message, ROLL)
    # The table's message is deleted, so the bot posts another one.
    parlour.sandbox.world.remove_message(message)
    await roll_by_command(parlour)
    await wait_for_request(parlour, "POST")
    await parlour.robin.slash(parlour.here, "table show")
    for command in ("leaderboard", "rules"):
        await parlour.jay.slash(parlour.here, command, game="magpie")
    closing = await parlour.robin.slash(parlour.here, "table cancel")
    await parlour.robin.click(closing.replies[0], button_id(closing.replies[0], 0))
    await parlour.robin.slash(parlour.here, "table verify")
    await parlour.wren.slash(parlour.elsewhere, "magic-bag new")
    await parlour.wait_until_settled()
    requests = parlour.sandbox.requests
    assert {address(each) for each in requests} >= REQUIRED_REQUESTS
    assert find_breaches(requests, of_the_bot=True) == []


async def roll_by_command(parlour: Parlour) -> None:
    answer = await (await parlour.mover()).slash(parlour.here, "magpie roll", dice="all")
    assert "Done" in answer.text


async def wait_for_request(parlour: Parlour, method: str) -> None:
    """Wait until the bot has sent such a request about the messages of a channel."""
    wanted = {each for each in REQUIRED_REQUESTS if each.startswith(f"{method} /channels")}
    await parlour.sandbox.until(lambda: wanted & {address(each) for each in parlour.sandbox.requests})


def address(record: RequestRecord) -> str:
    return f"{record.method} {load_description().address(record.path.removeprefix(API_PATH))}"
