"""`setup` keeps a token that works in `.env`, and only that."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.commands.app import app
from bot.commands.console import REFUSED_STATUS
from bot.platform.discord.context import make_invitation
from bot.sandbox import Sandbox
from tests.commands.run_command import CommandResult
from tests.support.parlour import point_discord_at


@pytest.fixture
async def sandbox(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    running = Sandbox()
    await running.start()
    monkeypatch.setenv("DISCORD_API_URL", running.api_url)
    with point_discord_at(running):
        yield running
    await running.stop()


def write_env(text: str) -> None:
    Path(".env").write_text(text)


def read_env() -> str | None:
    env = Path(".env")
    return env.read_text() if env.exists() else None


async def type_token(token: str) -> CommandResult:
    ended = await asyncio.to_thread(CliRunner().invoke, app, ["setup"], input=f"{token}\n")
    return CommandResult(ended.exit_code, ended.stdout, ended.stderr)


async def test_a_working_token_is_kept_and_the_invitation_shown(sandbox: Sandbox) -> None:
    write_env("DISCORD_TOKEN=not a token\nLOG_LEVEL=INFO\n")
    ended = await type_token(f" {sandbox.token} ")
    assert (ended.code, ended.err) == (0, "")
    assert read_env() == f"DISCORD_TOKEN={sandbox.token}\nLOG_LEVEL=INFO\n"
    assert make_invitation(sandbox.world.bot.id) in ended.out
    assert sandbox.world.bot.name in ended.out
    assert sandbox.token not in ended.out, "it is not echoed"


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize("token", ["another.token", "Bot a.token"])
async def test_a_token_that_does_not_work_is_not_kept(token: str) -> None:
    ended = await type_token(token)
    assert ended.code == (REFUSED_STATUS if token == "another.token" else 1)
    assert ended.err
    assert token not in ended.out + ended.err
    assert read_env() is None


async def test_a_token_that_the_environment_overrides_is_named(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "another.token")
    ended = await type_token(sandbox.token)
    assert ended.code == 0
    assert "DISCORD_TOKEN of .env does not count" in ended.err
