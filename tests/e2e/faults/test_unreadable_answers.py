"""What Discord answers to requests that can't be read is like no answer: the bot goes on, and says so in words."""

import re
from pathlib import Path

import pytest

from bot.app.bootstrap import build_client
from bot.platform.discord.run import CannotConnect, ConnectionSettings
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.rest.failures import OtherAnswer
from tests.support.each_case import each_case
from tests.support.fakes import GAMES
from tests.support.memory_database import MemoryDatabase
from tests.support.parlour import Parlour, point_discord_at, run_parlour
from tests.support.serving import serve_until_stopped

GARBAGE = [b"", b"null", b"[]", b"{}", b'{"id', b'"text"', b"[[1]]"]
START = ["/users/@me$", "/oauth2/applications/@me$"]


@each_case("path", START)
@each_case("body", GARBAGE)
async def test_a_login_that_cannot_be_read_ends_in_a_sentence(sandbox: Sandbox, path: str, body: bytes) -> None:
    sandbox.fault_injector.other_answers = [OtherAnswer("GET", re.compile(path), 200, body)]
    with point_discord_at(sandbox), pytest.raises(CannotConnect, match="can't be read"):
        await serve_until_stopped(
            build_client(MemoryDatabase(), GAMES), ConnectionSettings(sandbox.token, sandbox.api_url)
        )


REFUSAL = b'{"code": 50035, "message": "Invalid Form Body", "errors": {"7": 1}}'
UNUSABLE_COMMANDS = [("GET", 200, b"null"), ("GET", 400, REFUSAL), ("PUT", 200, b'[{"id"')]


async def test_a_bot_whose_commands_are_not_taken_starts_with_the_old_ones(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file):
        pass
    for method, status, body in UNUSABLE_COMMANDS:
        if method == "PUT":
            sandbox.world.commands.replace(None, sandbox.world.commands.slash_commands(None)[1:])
        refusal = OtherAnswer(method, re.compile(r"/applications/\d+/commands$"), status, body)
        sandbox.fault_injector.other_answers = [refusal]
        async with run_parlour(sandbox, file) as parlour:
            assert (await parlour.robin.slash(parlour.here, "help")).replies
        assert sum("Discord rejected the bot's commands" in each for each in caplog.messages) == 1, refusal
        caplog.clear()


@each_case("body", GARBAGE)
async def test_a_private_answer_that_cannot_be_read_was_shown_all_the_same(
    parlour: Parlour, caplog: pytest.LogCaptureFixture, body: bytes
) -> None:
    callback = OtherAnswer("POST", re.compile("/callback$"), 200, body, handles=True)
    parlour.sandbox.fault_injector.other_answers = [callback]
    answer = await parlour.robin.slash(parlour.here, "help")
    assert answer.state is InteractionState.RESPONDED
    assert len(answer.replies) == 1
    caplog.clear()
