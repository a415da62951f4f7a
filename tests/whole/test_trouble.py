"""The whole bot in trouble, as the sandbox's page causes it: a click is answered, and the table shows it."""

from typing import Any, TypeAlias

import aiohttp
import pytest

from bot.sandbox import InteractionState
from tests.support.parlour import Parlour
from tests.support.patience import DEADLINE_SECONDS

Json: TypeAlias = dict[str, Any]


async def cause(parlour: Parlour, *troubles: Json) -> None:
    """Cause trouble on the page, in the channel that it opens first."""
    async with aiohttp.ClientSession() as http, http.ws_connect(f"{parlour.sandbox.url}/page/socket") as page:
        for number, trouble in enumerate(troubles):
            await page.send_json({"do": "trouble", "nonce": number, **trouble})
            while (frame := await page.receive_json())["t"] != "interaction":
                pass
            assert frame["state"] == "done", frame


@pytest.mark.parametrize(
    "trouble",
    [
        {"trouble": "fail", "status": 429, "count": 3},
        {"trouble": "fail", "status": 500, "count": 1},
        {"trouble": "fail", "status": 502, "count": 1},
        {"trouble": "slow", "ms": 300},
        {"trouble": "drop"},
        {"trouble": "permit", "permission": "SEND_MESSAGES", "held": False},
        {"trouble": "permit", "permission": "VIEW_CHANNEL", "held": False},
    ],
    ids=lambda trouble: "-".join(str(part) for part in trouble.values()),
)
async def test_a_click_in_trouble_is_answered_and_shown(
    parlour: Parlour, trouble: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sandbox.troubles.RETRY_AFTER_SECONDS", 0.05)
    message = await parlour.opened(parlour.robin)
    await cause(parlour, trouble)
    if trouble["trouble"] == "permit":
        # Nothing but the click's own answer can show the table: the edit must not be under way before it.
        monkeypatch.setattr("bot.tables.publisher._GATHER_SECONDS", DEADLINE_SECONDS)
    joined = await parlour.press(parlour.wren, message, "Join")
    assert joined.state is InteractionState.ANSWERED
    await parlour.sandbox.until(lambda: "Wren" in message.text)
    assert [seat.name for seat in (await parlour.table()).seats] == ["Robin", "Wren"]


async def test_a_deleted_table_is_shown_anew(parlour: Parlour) -> None:
    message = await parlour.opened(parlour.robin)
    await cause(parlour, {"trouble": "delete"})
    assert message.deleted
    await parlour.robin.slash(parlour.here, "table show")
    await parlour.sandbox.until(lambda: any("Robin" in each.text for each in parlour.here.public))
    (anew,) = parlour.here.public
    await parlour.press(parlour.wren, anew, "Join")
    await parlour.sandbox.until(lambda: "Wren" in anew.text)
