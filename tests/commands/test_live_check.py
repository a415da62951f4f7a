"""`live-check` tries the bot on Discord, says what it found, and leaves nothing behind."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.commands.live_check import checks as live_checks, command, session as live_session
from bot.commands.live_check.checks import CHECKS, LONG_CHECKS
from bot.commands.live_check.command import open_session, run_live_check
from bot.commands.live_check.session import Check, Session
from bot.platform.discord.content import MessageContent
from bot.platform.discord.run import CannotConnect
from bot.sandbox import DISCORD, Rate, Rates, Sandbox
from bot.sandbox.model.permissions import Overwrite, OverwriteKind, Permissions
from bot.sandbox.rest.failures import OtherAnswer
from bot.settings import Settings
from bot.words import gettext
from tests.commands.run_command import run_command
from tests.support.forked_process import Command, fork_command
from tests.support.games import load_games_once
from tests.support.parlour import import_cogs_once, point_discord_at
from tests.support.processes import QUICK_START
from tests.support.waiting import wait_until

ALL = (*CHECKS, *LONG_CHECKS)
MESSAGES = r"/channels/\d+/messages$"


def allow_deletion_of_threads(sandbox: Sandbox, *, allow: int = Permissions.MANAGE_THREADS) -> None:
    world = sandbox.world
    sandbox.channel("table-one").set_overwrite(Overwrite(world.bot.id, OverwriteKind.MEMBER, allow=allow))


@pytest.fixture
async def sandbox(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    monkeypatch.setattr(command, "load_whole_games", load_games_once)
    monkeypatch.setattr("bot.platform.discord.gateway.SERVERS_SECONDS", 0.01)
    running = Sandbox(rates=Rates(routes=dict.fromkeys(DISCORD.routes, Rate(1000, 5.0))))
    await running.start()
    allow_deletion_of_threads(running)
    monkeypatch.setenv("DISCORD_TOKEN", running.token)
    monkeypatch.setenv("DISCORD_API_URL", running.api_url)
    with point_discord_at(running), import_cogs_once():
        yield running
    await running.stop()


@asynccontextmanager
async def operate(sandbox: Sandbox) -> AsyncIterator[None]:
    """Have a person press every button that asks for it."""
    robin, pressed = sandbox.person("Robin"), set[int]()

    def find_new() -> Any:
        shown = [each for each in sandbox.channel("table-one").messages if each.id not in pressed and each.buttons]
        return next((each for each in shown if each.buttons[0].custom_id != "live-check:emoji"), None)

    async def press() -> None:
        async with asyncio.TaskGroup() as clicks:
            while True:
                message = await sandbox.until(find_new, timeout=60)
                pressed.add(message.id)
                clicks.create_task(robin.click(message, message.buttons[0].custom_id))

    pressing = asyncio.create_task(press())
    yield
    pressing.cancel()


def find_left(sandbox: Sandbox) -> list[object]:
    """Return what the checks have left in the server."""
    world = sandbox.world
    shown = sandbox.channel("table-one").messages
    # Discord keeps its own line about a thread.
    public = [each for each in shown if each.ephemeral_to is None and each.created_thread is None]
    return [*public, *world.threads.values(), *world.emojis.list_all(), *world.commands.list_scope(world.server.id)]


async def run(sandbox: Sandbox, *checks: Check, said: list[str]) -> Any:
    async def sleep(seconds: float) -> None:
        sandbox.world.clock.advance(seconds)
        if seconds > live_checks.LATE_SECONDS:
            sandbox.fault_injector.refuse("POST", "/threads$", 400, 160006)

    channel = sandbox.channel("table-one")
    return await run_live_check(Settings(), channel.server.id, channel.id, checks, said.append, sleep)


async def test_everything_is_tried_reported_and_removed(sandbox: Sandbox) -> None:
    said: list[str] = []
    async with operate(sandbox):
        results = await run(sandbox, *ALL, said=said)
    assert [result for result in results if not result.is_passed] == []
    assert find_left(sandbox) == []
    report = Settings().live_check_report.read_text()
    first, *_ = report.splitlines()
    assert re.fullmatch(rf"Parlour \S+ on \S+ at \S+ UTC: {len(ALL)} checks passed, 0 failed\.", first)
    assert [check.name for check in ALL if f"ok      {check.name}: " not in report] == []
    assert not [text for text in (*said, report) if sandbox.token in text]


def answer(path: str, body: str | bytes, method: str = "POST") -> Callable[[Sandbox], None]:
    """Give requests another answer."""
    other = OtherAnswer(method, re.compile(path), 200, body if isinstance(body, bytes) else body.encode())
    return lambda sandbox: sandbox.fault_injector.other_answers.append(other)


def refuse(method: str, path: str, code: int) -> Callable[[Sandbox], None]:
    return lambda sandbox: sandbox.fault_injector.refuse(method, path, 400, code)


def refuse_files(sandbox: Sandbox) -> None:
    sandbox.fault_injector.refuse_files(400, 40005)


def deny_embeds(sandbox: Sandbox, *, deny: int = Permissions.EMBED_LINKS) -> None:
    denied = Overwrite(sandbox.world.server.id, OverwriteKind.ROLE, deny=deny)
    sandbox.channel("table-one").set_overwrite(denied)


def make_still() -> bytes:
    Image.new("RGB", (4, 4), "red").save(file := BytesIO(), "GIF")
    return file.getvalue()


def do_nothing(_sandbox: Sandbox) -> None:
    pass


FAULTS = [
    ("permissions", deny_embeds, "lacks permissions in this channel"),
    ("commands", answer("/guilds/.*/commands$", "[]", "GET"), "not kept these commands"),
    ("messages", refuse("PATCH", "/messages/", 50035), "refused the request"),
    ("rate limits", answer(MESSAGES, '{"id": "1"}'), "no rate limit for POST"),
    ("a picture", refuse_files, "refused the request"),
    ("a picture", answer("^/media/", "words", "GET"), "sends no picture"),
    ("a picture", answer(MESSAGES, '{"id": "1", "embeds": [{}]}'), "does not show the file"),
    ("an animation", answer("^/media/", make_still(), "GET"), "clients show no motion"),
    ("an alternative text", answer(MESSAGES, '{"id": "1", "attachments": [{}]}'), "has not arrived"),
    ("own emoji", refuse("POST", "/emojis$", 30008), "refused the request"),
    ("a thread", refuse("POST", "/threads$", 160006), "This server has as many active threads as Discord allows."),
    ("a click that changes its message", refuse("POST", "/callback$", 40060), "stop the bot"),
    ("a click with a private answer", refuse("POST", "/callback$", 10062), "refused the request"),
    ("a click with a late answer", refuse("PATCH", "/@original$", 10015), "refused the request"),
    ("a click that rolls dice", refuse_files, "refused the request"),
    ("a private message after 15 minutes", do_nothing, "still edits"),
    ("a server full of threads", do_nothing, "without refusing"),
    ("a message after an hour", refuse("PATCH", "/messages/", 50035), "refused the request"),
]
"""Of each check: what goes wrong, and what is said about it."""


async def test_each_check_reports_its_failure_and_leaves_nothing(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = {check.name: check for check in ALL}
    assert {name for name, _, _ in FAULTS} == checks.keys()
    monkeypatch.setattr(live_checks, "MOST_THREADS", 2)

    async def do_not_sleep(_seconds: float) -> None:
        pass

    channel = sandbox.channel("table-one")
    opened = open_session(Settings(), channel.server.id, channel.id, lambda _: None, do_not_sleep)
    async with operate(sandbox), opened as session:
        for name, inject, sentence in FAULTS:
            inject(sandbox)
            ((_, is_passed, text),) = await session.run([checks[name]])
            assert (is_passed, sentence in text or gettext(sentence) in text) == (False, True), f"{name}: {text}"
            sandbox.fault_injector.other_answers.clear()
            deny_embeds(sandbox, deny=0)
            assert (await session.clean_up(), find_left(sandbox)) == ([], []), name


async def test_a_button_is_not_waited_for_forever(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_session, "CLICK_SECONDS", 0.0)
    (result,) = await run(sandbox, next(check for check in ALL if "click" in check.name), said=[])
    assert "No click" in result.text


async def test_an_interruption_removes_everything_and_says_what_it_could_not(sandbox: Sandbox) -> None:
    allow_deletion_of_threads(sandbox, allow=0)
    said: list[str] = []
    checks = [check for check in ALL if check.name in ("a thread", "a click that changes its message")]
    running = asyncio.create_task(run(sandbox, *checks, said=said))
    await wait_until(lambda: any("Press" in text for text in said) or running.done())
    os.kill(os.getpid(), signal.SIGTERM)
    assert await running is None
    ((_, thread),) = sandbox.world.threads.items()
    assert (find_left(sandbox), thread.is_archived) == ([thread], True)
    assert said[-1].startswith(f"Left behind: the thread {thread.id}, which is archived (403")
    assert not Settings().live_check_report.exists()


async def test_the_command_says_what_a_second_interruption_has_left(sandbox: Sandbox, tmp_path: Path) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    channel = sandbox.channel("table-one")
    arguments = ("live-check", "--server", str(channel.server.id), "--channel", str(channel.id))
    process = fork_command(Command(arguments, dict(os.environ), err, out, tmp_path, QUICK_START))
    try:
        await wait_until(lambda: out.exists() and "Press “1 of 4" in out.read_text(), 60)
        removal = sandbox.fault_injector.hold("DELETE", "/messages/")
        os.kill(process.pid, signal.SIGINT)
        await asyncio.wait_for(removal.reached.wait(), 60)
        os.kill(process.pid, signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), 60) == 1
    finally:
        process.kill()
        removal.release()
    said = out.read_text().partition("Removing what the checks have made …\n")[2]
    shown = [each.id for each in sandbox.channel("table-one").messages if each.created_thread is None]
    assert said.count("(interrupted)") == said.count("Left behind: ") == len(said.splitlines())
    assert [message for message in shown if f"Left behind: the message {message} (" not in said] == []
    assert shown
    assert "Left behind: the commands of this server (" in said
    assert err.read_text() == "Interrupted: there is no report.\n"


async def test_a_removal_that_fails_in_any_way_keeps_neither_the_others_nor_the_report_back(sandbox: Sandbox) -> None:
    async def leave_two(session: Session) -> str:
        await session.post(MessageContent({"description": "Left."}))
        session.remove_later("something", fail_unexpectedly)
        return "Done."

    async def fail_unexpectedly() -> None:
        raise ValueError("no idea")

    said: list[str] = []
    assert await run(sandbox, Check("leftovers", leave_two), said=said)
    assert find_left(sandbox) == []
    (left,) = [line for line in Settings().live_check_report.read_text().splitlines() if line.startswith("Left behind")]
    assert left == "Left behind: something (no idea)."


async def test_commands_that_the_server_had_come_back(sandbox: Sandbox) -> None:
    world = sandbox.world
    own = {"name": "own", "description": "Its own.", "description_localizations": {"de": "Ihr eigener."}}
    world.commands.replace(world.server.id, [own])
    (result,) = await run(sandbox, *(check for check in CHECKS if check.name == "commands"), said=[])
    assert result.is_passed
    (kept,) = world.commands.list_scope(world.server.id)
    assert kept.items() >= own.items()
    assert "the long ones did not run" in Settings().live_check_report.read_text().partition("\n")[0]


@pytest.mark.parametrize("place", ["channel", "server"])
async def test_a_wrong_place_is_named(sandbox: Sandbox, place: str) -> None:
    channel = sandbox.channel("table-one")
    ids = (channel.server.id, 1) if place == "channel" else (1, channel.id)
    with pytest.raises(CannotConnect, match=f"{place} 1"):
        await run_live_check(Settings(), *ids, [])


def test_the_command_needs_a_token_and_discord(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("live-check", "--server", "1", "--channel", "2")
    assert run_command(*arguments).err.startswith("DISCORD_TOKEN is missing")
    monkeypatch.setenv("DISCORD_TOKEN", "a.secret.token")
    monkeypatch.setenv("DISCORD_API_URL", "http://127.0.0.1:1")
    ended = run_command(*arguments)
    assert (ended.code, "127.0.0.1:1" in ended.err, "secret" in ended.err) == (1, True, False)
