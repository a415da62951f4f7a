"""Faults injected from the sandbox's page: every click is answered, and the table shows it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias
from unittest.mock import patch

import aiohttp
import pytest

from bot.sandbox import InteractionState
from bot.tables.host import Host
from bot.tables.publisher import ShowTable
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.table import Table
from tests.support.parlour import Parlour
from tests.support.waiting import DEADLINE_SECONDS, Gate, wait_until

Json: TypeAlias = dict[str, Any]


async def cause_fault(parlour: Parlour, *troubles: Json) -> None:
    """Cause trouble on the page, in the channel that it opens first."""
    async with aiohttp.ClientSession() as http, http.ws_connect(f"{parlour.sandbox.url}/page/socket") as page:
        for number, trouble in enumerate(troubles):
            await page.send_json({"do": "trouble", "nonce": number, **trouble})
            while (content := await page.receive_json())["t"] != "interaction":
                pass
            assert content["state"] == "done", content


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
async def test_a_click_during_an_injected_fault_is_answered_and_shown(
    parlour: Parlour, trouble: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sandbox.rest.failures.RETRY_AFTER_SECONDS", 0.05)
    message = await parlour.open_table(parlour.robin)
    await cause_fault(parlour, trouble)
    joined = await parlour.press(parlour.wren, message, "Join")
    assert joined.state is InteractionState.RESPONDED
    await parlour.sandbox.until(lambda: "Wren" in message.text)
    assert [seat.name for seat in (await parlour.table()).seats] == ["Robin", "Wren"]


@pytest.mark.parametrize("patience", [0.0, DEADLINE_SECONDS], ids=["after Discord was told to wait", "in its answer"])
async def test_a_click_shows_a_change_that_the_bot_may_not_edit(
    parlour: Parlour, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await parlour.open_table(parlour.robin)
    await cause_fault(parlour, {"trouble": "permit", "permission": "VIEW_CHANNEL", "held": False})
    gate, reserve = Gate(), DiscordTableMessages.reserve_edit

    @asynccontextmanager
    async def reserve_and_wait(
        messages: DiscordTableMessages, table: Table, *, is_new: bool
    ) -> AsyncIterator[ShowTable]:
        async with reserve(messages, table, is_new=is_new) as edit:

            async def edit_later(now: Table) -> int:
                await gate.wait()
                return await edit(now)

            yield edit_later

    monkeypatch.setattr(DiscordTableMessages, "reserve_edit", reserve_and_wait)
    host = parlour.client.app.service(Host)
    host.publisher.wake((await parlour.table()).id, again=True)
    await gate.reached.wait()
    with patch("bot.platform.discord.answers.DEFER_AFTER_SECONDS", patience):
        joining = asyncio.create_task(parlour.press(parlour.wren, message, "Join"))
        if patience:
            await wait_until(lambda: (now := host.service.cache.get(1)) is not None and len(now.seats) == 2)
        else:
            await joining
    gate.open()
    assert (await joining).state is InteractionState.RESPONDED
    await parlour.sandbox.until(lambda: "Wren" in message.text)
