"""What the bot does when Discord refuses a request for good, route by route, as the architecture page lists it."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from bot.sandbox.rest.failures import OtherAnswer
from bot.tables.notifications import ReminderStage
from bot.tables.runtime.delivery import ChannelUnreachable, RefusesDirectMessages
from bot.ui.client.command_sync import sync_commands_if_possible
from bot.ui.client.emoji_sync import EmojiSync
from bot.ui.delivery.message_client import MessageClient
from bot.ui.delivery.message_sender import DiscordMessageSender
from bot.ui.delivery.rate_limits import RateLimiter
from tests.support.parlour import Parlour, choose_setting
from tests.support.tournaments import begin, everyone, hold_jobs, tables_of, threads_of
from tests.support.waiting import wait_until

PAGE = (Path(__file__).parents[3] / "docs" / "architecture.md").read_text(encoding="utf-8")
REFUSALS = [(400, 50035), (403, 50001), (404, 0)]
Case: TypeAlias = Callable[[Parlour, Callable[[], None]], Awaitable[None]]


async def answer_with_a_table(parlour: Parlour, refuse: Callable[[], None]) -> None:
    refuse()
    command = asyncio.create_task(parlour.robin.slash(parlour.here, "magpie new"))
    await parlour.sandbox.until(lambda: any(each.buttons for each in parlour.here.public_messages))
    command.cancel()


async def post_a_table(parlour: Parlour, refuse: Callable[[], None]) -> None:
    await parlour.open_table(parlour.robin)
    table, publisher = await parlour.table(), parlour.client.host.publisher
    refuse()
    with pytest.raises(ChannelUnreachable):
        await publisher.repost(table.id)
    parlour.sandbox.fault_injector.other_answers.clear()
    await publisher.repost(table.id)


async def edit_a_table(parlour: Parlour, refuse: Callable[[], None]) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover, table = await parlour.mover(), await parlour.table()
    refuse()
    await mover.slash(parlour.here, "magpie roll", dice="1 2 3 4 5")
    await wait_until(lambda: parlour.client.host.publisher.is_stuck(table.id))
    before = message.text
    await parlour.press(await parlour.mover(), message, "Roll all five")
    assert message.text != before, "a click needs no such request"


async def open_a_thread(parlour: Parlour, refuse: Callable[[], None]) -> None:
    await choose_setting(parlour.robin, parlour.here, "threads", "on")
    refuse()
    await parlour.robin.slash(parlour.here, "magpie new")
    await parlour.sandbox.until(lambda: any(each.buttons for each in parlour.here.public_messages))


async def open_a_thread_all_the_same(parlour: Parlour, refuse: Callable[[], None]) -> None:
    await choose_setting(parlour.robin, parlour.here, "threads", "on")
    refuse()
    await parlour.robin.slash(parlour.here, "magpie new")
    await parlour.sandbox.until(lambda: bool(threads_of(parlour)))
    await parlour.sandbox.until(lambda: any(each.buttons for each in threads_of(parlour)[0].public_messages))


async def play_a_tournament(parlour: Parlour, refuse: Callable[[], None]) -> None:
    refuse()
    await begin(parlour, everyone(parlour)[:2])
    (table,) = await tables_of(parlour)
    assert table.header.location.channel_id == parlour.here.id


async def remind_directly(parlour: Parlour, refuse: Callable[[], None]) -> None:
    await parlour.start_game(parlour.robin, parlour.wren)
    messages = MessageClient(RateLimiter())
    messages.open(parlour.client)
    refuse()
    with pytest.raises(RefusesDirectMessages):
        await DiscordMessageSender(messages).send_direct(await parlour.table(), ReminderStage.TURN)
    await messages.close()


async def register_commands(parlour: Parlour, refuse: Callable[[], None]) -> None:
    refuse()
    # Of another application nothing is registered yet.
    await sync_commands_if_possible(parlour.client.tree, parlour.store, 1, None)
    await parlour.open_table(parlour.robin)


async def make_emoji(parlour: Parlour, refuse: Callable[[], None]) -> None:
    refuse()
    await EmojiSync(None, ()).run(parlour.client)  # type: ignore[arg-type]
    await parlour.open_table(parlour.robin)


CASES: Mapping[str, Case] = {
    "POST /interactions/{id}/{token}/callback": answer_with_a_table,
    "POST /channels/{id}/messages": post_a_table,
    "PATCH /channels/{id}/messages/{id}": edit_a_table,
    "POST /channels/{id}/threads": open_a_thread,
    "PUT /channels/{id}/thread-members/{id}": open_a_thread_all_the_same,
    "GET /guilds/{id}/threads/active": open_a_thread_all_the_same,
    "GET /channels/{id}": play_a_tournament,
    "POST /users/@me/channels": remind_directly,
    "PUT /applications/{id}/commands": register_commands,
    "GET /applications/{id}/emojis": make_emoji,
}


def test_the_page_lists_these_requests() -> None:
    _, _, part = PAGE.partition("### What Discord refuses")
    assert re.findall(r"^\| `([A-Z]+ /\S+)` \|", part.partition("\n## ")[0], re.MULTILINE) == list(CASES)


@pytest.mark.parametrize("route", CASES)
@pytest.mark.parametrize("refusal", REFUSALS, ids=str)
async def test_a_refused_request_has_a_way_out(
    parlour: Parlour, caplog: pytest.LogCaptureFixture, route: str, refusal: tuple[int, int]
) -> None:
    method, path = route.split()
    pattern = re.sub(r"\\\{\w+\\\}", r"[^/]+", re.escape(path)) + "$"

    def refuse() -> None:
        status, code = refusal
        parlour.sandbox.fault_injector.refuse(method, pattern, status, code)
        (answer,) = parlour.sandbox.fault_injector.other_answers
        assert isinstance(answer, OtherAnswer)

    with hold_jobs():
        await CASES[route](parlour, refuse)
    caplog.clear()
