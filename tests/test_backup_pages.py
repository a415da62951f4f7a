"""What the hosting page says about backups and the way back works as it is written there."""

import asyncio
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.run_command import CommandResult, run_command
from tests.support.postgres import PostgresServer

HOSTING = (Path(__file__).parents[1] / "docs" / "hosting.md").read_text()


def commands(language: str, section: str) -> list[str]:
    """Return the commands of a section of the page, each on a line."""
    text = HOSTING[HOSTING.index(f"\n## {section}\n") :]
    text = text[: text.index("\n## ", 1)]
    blocks = re.findall(rf"^ *```{language}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [line.strip() for block in blocks for line in block.replace("\\\n", " ").splitlines()]


def only(lines: list[str], words: str) -> str:
    """Return the only one that has certain words."""
    (found,) = [line for line in lines if words in line]
    return found


@pytest.fixture
def names(postgres: PostgresServer) -> Iterator[dict[str, str]]:
    """The names of databases on the page, each with the one that it has in a test, which is dropped in the end."""
    found = {"parlour_restored": "page_restored", "parlour": "page"}
    yield found
    with postgres.admin() as admin:
        for name in found.values():
            admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


@pytest.mark.postgres
async def test_a_server_goes_back_to_a_dump_from_before_an_upgrade(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, postgres: PostgresServer, names: dict[str, str]
) -> None:
    def execute(statement: str) -> None:
        for name, own in names.items():
            statement = re.sub(rf"DATABASE {name}\b", f"DATABASE {own}", statement)
        with postgres.admin() as admin:
            admin.execute(statement.encode())

    def run_client(line: str) -> None:
        for name, own in names.items():
            line = re.sub(rf"postgresql://parlour@db.example/{name}\b", postgres.client_address(own), line)
        command, *words = shlex.split(line)
        postgres.run_client(command, *words, cwd=tmp_path)

    def upgrade(name: str) -> CommandResult:
        monkeypatch.setenv("DATABASE_URL", postgres.address(names[name]))
        return run_command("database", "upgrade")

    execute(only(commands("sql", "Moving to PostgreSQL"), "CREATE DATABASE"))
    assert (await asyncio.to_thread(upgrade, "parlour")).code == 0
    run_client(only(commands("sh", "Backups"), "pg_dump"))
    with postgres.admin(names["parlour"]) as admin:
        admin.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "newer version" in (await asyncio.to_thread(upgrade, "parlour")).err
    execute(only(commands("sql", "Backups"), "CREATE DATABASE"))
    run_client(only(commands("sh", "Backups"), "pg_restore"))
    ended = await asyncio.to_thread(upgrade, "parlour_restored")
    assert (ended.code, ended.err) == (0, "")
