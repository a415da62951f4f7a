"""What the bot does when Discord refuses a request for good, route by route, as the architecture page lists it."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from hashlib import sha256
from itertools import cycle
from typing import TypeAlias
from unittest.mock import patch

import pytest

from bot.app.bootstrap import build_client
from bot.features.invitations.messages import is_invitation
from bot.features.invitations.model import Invitation
from bot.features.reminders.messages import remind_player
from bot.features.reminders.model import Reminder, ReminderStage
from bot.features.settings.kinds import SettingsSection
from bot.features.settings.messages import SettingsPagesId
from bot.pictures.symbols import SymbolPainter
from bot.platform.catalogues import Catalogues
from bot.platform.clock import utc_now
from bot.platform.discord.command_sync import sync_commands_if_possible
from bot.platform.discord.emoji import OWN_EMOJI
from bot.platform.discord.emoji_sync import KEPT_AFTER_UPDATE, EmojiSync
from bot.platform.discord.errors import ChannelUnreachable, RefusesDirectMessages
from bot.platform.discord.http import MessageClient
from bot.platform.discord.languages import Languages
from bot.platform.discord.rate_limits import RateLimiter
from bot.platform.discord.refusals import ClickReason
from bot.platform.discord.run import CannotConnect, ConnectionSettings
from bot.platform.notices.sending import MessageSender
from bot.platform.places import Location
from bot.rules.picture import Symbol
from bot.rules.refusals import Refusal
from bot.tables.host import Host
from tests.support.fakes import GAMES, FakeClockAhead
from tests.support.memory_database import MemoryDatabase
from tests.support.parlour import ROLL, Parlour, choose_setting
from tests.support.refusals_page import listed_routes
from tests.support.serving import serve_until_stopped
from tests.support.tournaments import begin, everyone, hold_jobs, tables_of, threads_of
from tests.support.waiting import wait_until

REFUSALS = [(400, 50035), (403, 50001), (404, 0)]
"""How Discord refuses: one route after another gets the next, as `tests/ui` proves that all are taken alike."""
Refuse: TypeAlias = Callable[[], None]
Log: TypeAlias = pytest.LogCaptureFixture
Case: TypeAlias = Callable[[Parlour, Refuse, Log], Awaitable[None]]
SYMBOLS = (Symbol("die_5", "⚄", ()),)


class FakeDrawer(SymbolPainter):
    """Draws symbols in some style."""

    def __init__(self, style: str) -> None:
        self._style = style

    def digest(self, symbol: Symbol) -> str:
        return sha256(self._style.encode()).hexdigest()

    def draw(self, symbol: Symbol) -> bytes:
        return b"\x89PNG\r\n\x1a\n" + self._style.encode()


@pytest.fixture(autouse=True)
def _no_emoji_afterwards() -> Iterator[None]:
    yield
    OWN_EMOJI.forget()


@asynccontextmanager
async def sender_of(parlour: Parlour) -> AsyncIterator[MessageSender]:
    messages = MessageClient(RateLimiter())
    messages.open(parlour.client)
    yield MessageSender(messages, Languages(Catalogues()))
    await messages.close()


async def answer_with_a_table(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    refuse()
    command = asyncio.create_task(parlour.robin.slash(parlour.here, "magpie new"))
    await parlour.sandbox.until(lambda: any(each.buttons for each in parlour.here.public_messages))
    command.cancel()


async def answer_later(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    await choose_setting(parlour.robin, parlour.here, "tables", "thread")
    refuse()
    command = asyncio.create_task(parlour.robin.slash(parlour.here, "magpie new"))
    await parlour.sandbox.until(lambda: bool(threads_of(parlour)))
    await parlour.sandbox.until(lambda: any(each.buttons for each in threads_of(parlour)[0].public_messages))
    await wait_until(lambda: parlour.sandbox.fault_injector.other_answers_given)
    command.cancel()


async def replace_a_private_message(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    first = await parlour.press(parlour.robin, message, "How to play")
    refuse()
    second = await parlour.press(parlour.robin, message, "How to play")
    await wait_until(lambda: parlour.sandbox.fault_injector.other_answers_given)
    shown = parlour.robin.visible_messages(parlour.here)
    assert {first.replies[0], second.replies[0]} <= set(shown)


async def change_a_private_message_late(parlour: Parlour, refuse: Refuse, log: Log) -> None:
    (panel,) = (await parlour.robin.slash(parlour.here, "settings show")).replies
    before = panel.text
    refuse()
    with patch("bot.platform.discord.answers.DEFER_AFTER_SECONDS", 0):
        click = parlour.robin.select(panel, str(SettingsPagesId(SettingsSection.TABLES)), ["games"])
        running = asyncio.create_task(click)
        await wait_until(lambda: parlour.sandbox.fault_injector.other_answers_given)
        await asyncio.wait({running})
        # The click is answered before that has failed.
        await wait_until(lambda: "failed" in log.text)
    assert panel.text == before


async def post_a_table(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    await parlour.open_table(parlour.robin)
    table, publisher = await parlour.table(), parlour.client.app.service(Host).publisher
    refuse()
    with pytest.raises(ChannelUnreachable):
        await publisher.repost(table.id)
    parlour.sandbox.fault_injector.other_answers.clear()
    await publisher.repost(table.id)


async def edit_a_table(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover, table = await parlour.mover(), await parlour.table()
    refuse()
    await mover.slash(parlour.here, "magpie roll", dice="1 2 3 4 5")
    await wait_until(lambda: parlour.client.app.service(Host).publisher.is_stuck(table.id))
    before = message.text
    await parlour.press(await parlour.mover(), message, ROLL)
    assert message.text != before, "a click needs no such request"


async def move_a_table(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    old = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_shown()
    old.is_edit_limited = True
    refuse()
    await (await parlour.mover()).slash(parlour.here, "magpie roll", dice="all")
    await wait_until(lambda: parlour.sandbox.fault_injector.other_answers_given)
    first, second = parlour.here.public_messages
    assert first is old
    assert second.buttons


async def look_for_messages(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    location = Location(parlour.here.server_id, parlour.here.id)
    lost = Invitation(1, location.channel_id, parlour.robin.id, parlour.wren.id, 1, 2, noted_at=utc_now())
    refuse()
    async with sender_of(parlour) as sender:
        assert await sender.has_channel(parlour.here.id)
        assert await sender.find(lost, partial(is_invitation, lost)) is None


async def open_a_thread(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    await choose_setting(parlour.robin, parlour.here, "tables", "thread")
    refuse()
    answer = await parlour.robin.slash(parlour.here, "magpie new")
    await parlour.sandbox.until(lambda: any(each.buttons for each in parlour.here.public_messages))
    await parlour.sandbox.until(lambda: any("in this channel instead" in each.text for each in answer.replies))


async def open_a_thread_all_the_same(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    await choose_setting(parlour.robin, parlour.here, "tables", "thread")
    refuse()
    answer = await parlour.robin.slash(parlour.here, "magpie new")
    await parlour.sandbox.until(lambda: bool(threads_of(parlour)))
    (thread,) = threads_of(parlour)
    await parlour.sandbox.until(lambda: any(each.buttons for each in thread.public_messages))
    await parlour.sandbox.until(lambda: any(f"<#{thread.id}>" in each.text for each in answer.replies))


async def give_a_thread_up(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    await choose_setting(parlour.robin, parlour.here, "tables", "thread")
    parlour.sandbox.fault_injector.refuse("DELETE", r"/channels/\d+$", 403, 50013)
    refuse()
    with patch("bot.features.new_tables.threads.open_game", side_effect=Refusal(ClickReason.TOO_QUICK)):
        await parlour.robin.slash(parlour.here, "magpie new")
        given = parlour.sandbox.fault_injector.other_answers_given
        await wait_until(lambda: given and parlour.client.in_flight.is_empty())
    assert len(threads_of(parlour)) == 1


async def read_channels(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    await parlour.robin.slash(parlour.elsewhere, "magpie new")
    listed = await parlour.robin.slash(parlour.here, "mytables")
    assert f"<#{parlour.elsewhere.id}>" in listed.text
    refuse()
    listed = await parlour.robin.slash(parlour.here, "mytables")
    assert f"<#{parlour.elsewhere.id}>" not in listed.text


async def play_a_tournament(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    refuse()
    await begin(parlour, everyone(parlour)[:2])
    (table,) = await tables_of(parlour)
    assert table.header.location.channel_id == parlour.here.id


async def play_a_tournament_in_threads(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    refuse()
    await begin(parlour, everyone(parlour)[:2])
    assert len(threads_of(parlour)) == 1


async def remind_directly(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    await parlour.start_game(parlour.robin, parlour.wren)
    refuse()
    async with sender_of(parlour) as sender:
        table, now = await parlour.table(), utc_now()
        reminder = Reminder(table.id, parlour.here.id, 0, 0, now, noted_at=now)
        with pytest.raises(RefusesDirectMessages):
            await sender.post_direct(reminder, remind_player(table, ReminderStage.TURN))


def register_commands_of(guild: bool) -> Case:
    async def register(parlour: Parlour, refuse: Refuse, log: Log) -> None:
        commands, server = parlour.sandbox.world.commands, parlour.sandbox.world.server
        commands.replace(None, commands.slash_commands(None)[1:])
        old = commands.slash_commands(server.id)
        refuse()
        application_id, place = parlour.client.application_id or 0, server.id if guild else None
        await sync_commands_if_possible(parlour.client.tree, parlour.db, application_id, place, Catalogues())
        assert commands.slash_commands(server.id) == old
        assert sum("Discord rejected the bot's commands" in each for each in log.messages) == 1

    return register


async def make_emoji(parlour: Parlour, refuse: Refuse, log: Log) -> None:
    refuse()
    await EmojiSync(FakeDrawer("plain"), SYMBOLS).run(parlour.client)
    assert OWN_EMOJI.in_label("⚄ 5") == {"label": "⚄ 5"}
    assert sum("symbols are Unicode" in each for each in log.messages) == 1


async def remove_emoji(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    for style in ("plain", "bold"):
        await EmojiSync(FakeDrawer(style), SYMBOLS).run(parlour.client)
    refuse()
    later = FakeClockAhead(KEPT_AFTER_UPDATE + timedelta(minutes=1))
    await EmojiSync(FakeDrawer("bold"), SYMBOLS, later).run(parlour.client)
    newest = parlour.sandbox.world.emojis.list_all()[-1]
    assert len(parlour.sandbox.world.emojis.list_all()) == 2
    assert OWN_EMOJI.in_label("⚄ 5")["emoji"]["id"] == str(newest.id)


async def start_a_bot(parlour: Parlour, refuse: Refuse, _: Log) -> None:
    connection = ConnectionSettings(parlour.sandbox.token, parlour.sandbox.api_url)
    refuse()
    with pytest.raises(CannotConnect):
        await serve_until_stopped(build_client(MemoryDatabase(), GAMES), connection)


async def start_a_bot_or_a_session(parlour: Parlour, refuse: Refuse, log: Log) -> None:
    await start_a_bot(parlour, refuse, log)
    begun = parlour.sandbox.gateway.identify_count
    parlour.sandbox.gateway.invalidate_sessions()
    await wait_until(lambda: parlour.sandbox.gateway.identify_count > begun)


CASES: Mapping[str, Case] = {
    "POST /interactions/{id}/{token}/callback": answer_with_a_table,
    "POST /webhooks/{id}/{token}": answer_later,
    "PATCH /webhooks/{id}/{token}/messages/{id}": change_a_private_message_late,
    "DELETE /webhooks/{id}/{token}/messages/{id}": replace_a_private_message,
    "POST /channels/{id}/messages": post_a_table,
    "PATCH /channels/{id}/messages/{id}": edit_a_table,
    "DELETE /channels/{id}/messages/{id}": move_a_table,
    "GET /channels/{id}/messages": look_for_messages,
    "POST /channels/{id}/threads": open_a_thread,
    "PUT /channels/{id}/thread-members/{id}": open_a_thread_all_the_same,
    "DELETE /channels/{id}": give_a_thread_up,
    "PATCH /channels/{id}": give_a_thread_up,
    "GET /guilds/{id}/threads/active": play_a_tournament_in_threads,
    "GET /guilds/{id}/channels": read_channels,
    "GET /channels/{id}": play_a_tournament,
    "POST /users/@me/channels": remind_directly,
    "GET /applications/{id}/commands": register_commands_of(guild=False),
    "PUT /applications/{id}/commands": register_commands_of(guild=False),
    "GET /applications/{id}/guilds/{id}/commands": register_commands_of(guild=True),
    "PUT /applications/{id}/guilds/{id}/commands": register_commands_of(guild=True),
    "GET /applications/{id}/emojis": make_emoji,
    "POST /applications/{id}/emojis": make_emoji,
    "DELETE /applications/{id}/emojis/{id}": remove_emoji,
    "GET /users/@me": start_a_bot,
    "GET /oauth2/applications/@me": start_a_bot,
    "GET /gateway/bot": start_a_bot_or_a_session,
}


def test_the_page_lists_these_requests() -> None:
    assert listed_routes() == list(CASES)


@pytest.mark.parametrize(("route", "refusal"), list(zip(CASES, cycle(REFUSALS), strict=False)), ids=str)
async def test_a_refused_request_has_a_way_out(
    parlour: Parlour, caplog: pytest.LogCaptureFixture, route: str, refusal: tuple[int, int]
) -> None:
    method, path = route.split()
    pattern = "/api/v10" + re.sub(r"\\\{\w+\\\}", r"[^/]+", re.escape(path)) + "$"

    def refuse() -> None:
        parlour.sandbox.fault_injector.refuse(method, pattern, *refusal)
        parlour.sandbox.fault_injector.other_answers.reverse()

    with hold_jobs():
        await CASES[route](parlour, refuse, caplog)
    assert parlour.sandbox.fault_injector.other_answers_given[method]
    caplog.clear()
