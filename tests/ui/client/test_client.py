"""The client: how it is wired, and how it stops."""

import asyncio
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, patch

import discord
import pytest
from discord import app_commands
from discord.ext import commands

import bot.platform.discord.client
from bot.app.bootstrap import build_client
from bot.features.privacy import storage as privacy_storage
from bot.platform.discord.client import ParlourClient
from bot.platform.discord.interaction_responses import CallbackClient
from bot.platform.discord.run import set_api_url
from bot.platform.observability.metrics import Metrics
from bot.platform.observability.trace import get_or_start_trace, start_trace
from bot.platform.places import ShardRange
from bot.platform.registration import ClientEvent
from bot.rules.picture import Theme
from bot.rules.refusals import CommonReason, Refusal
from bot.tables import storage as table_storage
from bot.tables.app import App
from bot.tables.handlers.error_replies import UNEXPECTED
from bot.tables.host import Host
from bot.words import gettext
from tests.support.apps import shared_app
from tests.support.each_case import each_case
from tests.support.fakes import GAMES, NOON, ROBIN, open_lobby
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import DEADLINE_SECONDS, Gate, wait_until
from tests.ui.fake_interactions import make_command
from tests.ui.fake_pictures import FakePictureDrawer


@pytest.fixture
async def client(db: MemoryDatabase) -> ParlourClient:
    made = build_client(db, GAMES)
    await made.__aenter__()
    return made


async def test_no_privileged_intents_and_no_mentions_are_used(client: ParlourClient) -> None:
    assert client.intents == discord.Intents(guilds=True)
    mentions = client.allowed_mentions
    assert mentions is not None
    assert not any((mentions.everyone, mentions.users, mentions.roles, mentions.replied_user))


async def test_sprites_are_prepared_once_connected_unless_closing(
    db: MemoryDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bot.platform.discord.client")
    drawer = FakePictureDrawer()
    async with build_client(db, GAMES, pictures=drawer) as client:
        await client.on_ready()
        assert drawer.prepared == [Theme.STANDARD]
    await client.on_ready()
    assert drawer.prepared == [Theme.STANDARD]
    assert "ready as None; servers: 0" in caplog.text


async def test_metrics_cover_the_client_and_its_requests(db: MemoryDatabase) -> None:
    metrics = Metrics()
    client = build_client(db, GAMES, metrics=metrics)
    assert metrics.sources.latencies == client.latencies_by_shard
    text = metrics.export_text(NOON, None)
    assert b"parlour_requests_waiting 0.0" in text
    assert {b'parlour_queue_age_seconds{queue="%s"} 0.0' % queue for queue in (b"click", b"request", b"reminder")} <= {
        *text.splitlines()
    }


async def test_a_process_takes_half_its_requests_while_another_one_may_serve_the_same_shards(
    db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.platform.discord.client, "OVERLAP_SECONDS", 0.01)
    async with build_client(db, GAMES) as client:

        def is_halved() -> bool:
            return client.limits.is_halved

        assert not is_halved()
        client.use_shards(ShardRange(0, 1, 4))
        assert client.limits.share == 0.5
        with patch.object(ParlourClient, "shards", {0: None, 1: None}):
            await client.on_ready()
            assert is_halved(), "the other one has yet to find that this one is connected"
            await wait_until(lambda: not is_halved())
            client.share_requests()
            # It may connect anew while it hands over.
            await client.on_ready()
            await asyncio.sleep(0.02)
            assert is_halved()


async def test_what_another_process_deletes_after_the_start_is_forgotten_even_before_the_first_check(
    client: ParlourClient, db: MemoryDatabase
) -> None:
    service = client.app.service(Host).service
    table = await open_lobby(service)
    await client.setup_hook()
    await db.maintain(privacy_storage.raise_deletion_count)
    await wait_until(lambda: service.cache.get(table.id) is None)
    await client.close()


async def test_servers_that_come_back_together_are_noted_together(
    client: ParlourClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[list[int]] = []

    async def note(event: ClientEvent, *facts: Any) -> None:
        if event is ClientEvent.SERVERS_JOINED:
            noted.append(*facts)

    monkeypatch.setattr(client.app, "tell", note)
    guilds: list[Any] = [SimpleNamespace(id=number) for number in (1, 2, 3)]
    await client.on_guild_available(guilds[0])
    client.connected.set()
    for guild in guilds[1:]:
        await client.on_guild_available(guild)
    await wait_until(lambda: bool(noted))
    assert list(map(sorted, noted)) == [[2, 3]], "the first was there at the start"
    await client.on_guild_join(guilds[0])
    await wait_until(lambda: len(noted) > 1)
    assert noted[1] == [1]


async def test_requests_of_the_library_are_limited_and_observed(client: ParlourClient) -> None:
    listener = client.http.http_trace
    assert listener is not None
    assert (len(listener.on_request_start), len(listener.on_request_end)) == (1, 2)


@each_case("user_install, contexts, installs", [(False, [0, 1], [0]), (True, [0, 1, 2], [0, 1])])
async def test_commands_are_for_all_places_only_if_people_can_install_the_bot(
    db: MemoryDatabase, user_install: bool, contexts: list[int], installs: list[int]
) -> None:
    client = build_client(db, load_games_once(), user_install=user_install)
    await client.load_cogs()
    for command in client.tree.get_commands():
        described = command.to_dict(client.tree)
        assert sorted(described["contexts"]) == contexts
        assert sorted(described["integration_types"]) == installs


@each_case("user_install, is_outside, is_admitted", [(False, False, True), (False, True, False), (True, True, True)])
async def test_the_host_decides_whether_people_use_the_bot_outside(
    db: MemoryDatabase, user_install: bool, is_outside: bool, is_admitted: bool
) -> None:
    client = build_client(db, load_games_once(), user_install=user_install)
    command: Any = make_command(ROBIN, guild_id=None, is_outside=is_outside)
    assert await client.admit(command) is is_admitted
    assert bool(command.text) is not is_admitted


async def test_the_catalogue_needs_no_connection_and_no_database(db: MemoryDatabase) -> None:
    games = load_games_once()
    names = await build_client(db, games).list_commands()
    assert names == sorted(names)
    assert set(names) >= {
        "/help",
        "/rules",
        "/magpie new",
        "/magpie roll",
        "/table show",
        "/table kick",
        "/table resign",
        "/table substitute",
        "/table back",
        "/table undo",
        "/table cancel",
        "/table verify",
        "/leaderboard",
        "/profile",
        "/history",
    }
    assert set(names) >= {f"/{package.game.info.command} new" for package in games.values()}
    assert "/table" not in names, "a group is no command"
    assert db.calls == []


class TestErrors:
    async def answer_error(self, client: ParlourClient, fault: app_commands.AppCommandError, **more: Any) -> Any:
        command: Any = make_command(ROBIN, client=client)
        for name, value in more.items():
            setattr(command, name, value)
        await client.tree.on_error(command, fault)
        return command

    async def test_a_failed_command_is_answered_with_a_sentence(
        self, client: ParlourClient, caplog: pytest.LogCaptureFixture
    ) -> None:
        invoked: Any = type("Command", (), {"name": "new"})()
        refused = Refusal(CommonReason.NOT_TO_MOVE)
        refusal = app_commands.CommandInvokeError(invoked, refused)
        assert (await self.answer_error(client, refusal)).text == shared_app().error_replies.explain(refused)
        broken = app_commands.CommandInvokeError(invoked, ValueError("secret detail"))
        assert (await self.answer_error(client, broken)).text == gettext(UNEXPECTED).format(
            trace=get_or_start_trace().id
        )
        for outcome in ("refused", "failed"):
            counted = f'parlour_interactions_total{{kind="command",outcome="{outcome}"}} 1.0'
            assert counted.encode() in client.metrics.export_text(NOON, None)
        caplog.clear()

    async def test_failed_suggestions_are_logged_and_empty(
        self, client: ParlourClient, caplog: pytest.LogCaptureFixture
    ) -> None:
        kind = discord.InteractionType.autocomplete
        command = await self.answer_error(client, app_commands.AppCommandError("no database"), type=kind)
        assert command.answers == []
        assert "suggestions failed" in caplog.text


async def test_every_command_has_a_trace_of_its_own(client: ParlourClient) -> None:
    before = start_trace()
    assert await client.tree.interaction_check(make_command(ROBIN, client=client))  # type: ignore[arg-type]
    assert get_or_start_trace() is not before


class TestClosing:
    async def test_closing_finishes_running_interactions(self, client: ParlourClient, db: MemoryDatabase) -> None:
        table = await open_lobby(client.app.service(Host).service, ROBIN)
        client.app.service(Host).service.note_published(table, 70)
        await client.close()
        assert client.is_closed()
        assert db.header(table.id).message_id == 70

    async def test_closing_closes_the_callback_client_and_the_features(
        self, client: ParlourClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        closed: list[CallbackClient] = []

        async def close(callback_client: CallbackClient) -> None:
            closed.append(callback_client)

        monkeypatch.setattr(CallbackClient, "close", close)
        monkeypatch.setattr(App, "close_features", close_features := AsyncMock())
        await client.close()
        assert len(closed) == 1
        assert close_features.await_count == 1

    async def test_a_failed_database_does_not_keep_the_connection_open(
        self, client: ParlourClient, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await open_lobby(client.app.service(Host).service, ROBIN)
        client.app.service(Host).service.note_published(table, 70)
        db.broken = {table_storage.mark_published}
        await client.close()
        assert client.is_closed()
        caplog.clear()

    async def test_closing_twice_is_harmless(self, client: ParlourClient, monkeypatch: pytest.MonkeyPatch) -> None:
        closed: list[str] = []

        async def close(*_others: object) -> None:
            closed.append("host")

        monkeypatch.setattr(client.app.service(Host), "close", close)
        await client.close()
        await client.close()
        assert client.is_closed()
        assert closed == ["host"]

    async def test_a_cancelled_caller_does_not_interrupt_closing(
        self, client: ParlourClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gate = Gate()
        monkeypatch.setattr(client.app.service(Host), "close", lambda _close_notices: gate.wait())
        caller = asyncio.create_task(client.close())
        await gate.reached.wait()
        caller.cancel()
        await asyncio.wait([caller])
        gate.open()
        await client.close()
        assert client.is_closed()

    async def test_a_connection_that_does_not_close_in_time_is_cancelled(
        self, client: ParlourClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cancelled = asyncio.Event()

        async def hang(_: discord.Client) -> None:
            try:
                await asyncio.sleep(DEADLINE_SECONDS)
            except asyncio.CancelledError:
                cancelled.set()
                raise

        monkeypatch.setattr(bot.platform.discord.client, "_DISCONNECT_SECONDS", 0.01)
        monkeypatch.setattr(commands.AutoShardedBot, "close", hang)
        await client.close()
        async with asyncio.timeout(1):
            await cancelled.wait()


@pytest.mark.parametrize(
    ("address", "base", "gateway", "assets"),
    [
        (
            "http://127.0.0.1:8000/api/v10",
            "http://127.0.0.1:8000/api/v10",
            "ws://127.0.0.1:8000/gateway",
            "http://127.0.0.1:8000/cdn",
        ),
        (
            "http://[::1]:8000/api/v10/",
            "http://[::1]:8000/api/v10",
            "ws://[::1]:8000/gateway",
            "http://[::1]:8000/cdn",
        ),
    ],
)
def test_every_request_goes_to_the_configured_address(
    monkeypatch: pytest.MonkeyPatch, address: str, base: str, gateway: str, assets: str
) -> None:
    socket = discord.gateway.DiscordWebSocket
    for owner, name in (
        (discord.http.Route, "BASE"),
        (socket, "DEFAULT_GATEWAY"),
        (discord.asset.Asset, "BASE"),
    ):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    set_api_url(address)
    assert (base, assets) == (discord.http.Route.BASE, discord.asset.Asset.BASE)
    assert str(socket.DEFAULT_GATEWAY) == gateway
