"""`setup` keeps a token that works in `.env`, and only that."""

import asyncio
import os
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from unittest import mock

import pytest
import typer
from typer.testing import CliRunner

from bot.commands.app import app
from bot.commands.console import REFUSED_STATUS
from bot.platform.discord.context import make_invitation
from bot.sandbox import Sandbox
from tests.commands.run_command import CommandResult, run_command
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
    assert stat.S_IMODE(Path(".env").stat().st_mode) == 0o600  # noqa: ASYNC240 - a test's own file
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


async def test_a_file_that_is_made_is_its_owners_alone(sandbox: Sandbox) -> None:
    before = os.umask(0)
    try:
        ended = await type_token(sandbox.token)
    finally:
        os.umask(before)
    assert (ended.code, read_env()) == (0, f"DISCORD_TOKEN={sandbox.token}\n")
    assert stat.S_IMODE(Path(".env").stat().st_mode) == 0o600  # noqa: ASYNC240 - a test's own file


@pytest.mark.parametrize("place", ["typer.prompt", "bot.platform.discord.run.log_in_once"])
def test_an_interruption_ends_in_a_sentence(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.setattr("typer.prompt", mock.Mock(return_value="a.token"))
    # What Typer makes of Ctrl+C at a question.
    interruption = typer.Abort if place == "typer.prompt" else KeyboardInterrupt
    monkeypatch.setattr(place, mock.Mock(side_effect=interruption))
    ended = run_command("setup")
    assert (ended.code, ended.err, read_env()) == (1, "Interrupted: nothing was written.\n", None)


async def test_a_token_that_the_environment_overrides_is_named(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "another.token")
    ended = await type_token(sandbox.token)
    assert ended.code == 0
    assert "DISCORD_TOKEN of .env does not count" in ended.err
