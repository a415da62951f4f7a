"""`announce` leaves a job for the running bot."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.features.host_news import HOST_NEWS, HostNews
from bot.platform.clock import utc_now
from bot.platform.database.database import open_database
from bot.platform.jobs import storage as job_storage
from tests.commands.run_command import run_command
from tests.support.databases import create_schema
from tests.support.each_case import each_case


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    create_schema(tmp_path / "parlour.sqlite3")
    address = f"sqlite+aiosqlite:///{tmp_path}/parlour.sqlite3"
    monkeypatch.setenv("DATABASE_URL", address)
    return address


async def find_news(address: str) -> list[HostNews]:
    db = open_database(address)
    jobs = await db.maintain(job_storage.claim, db.shards, [HOST_NEWS], utc_now(), utc_now(), 10)
    await db.close()
    return [HostNews.parse(job.key) for job in jobs]


def test_the_text_and_the_time_are_left_for_the_bot(address: str) -> None:
    before = utc_now()
    ended = run_command("announce", 'I\'m "updated".', "--in", "10m")
    assert ended.code == 0, ended.err
    with asyncio.Runner() as runner:
        (news,) = runner.run(find_news(address))
    assert news.text == 'I\'m "updated".'
    assert news.at is not None
    assert timedelta(minutes=10) <= news.at - before < timedelta(minutes=11)
    assert news.until == news.at + timedelta(minutes=5)


@each_case("wrong", [("soon", "--in", "tomorrow"), (" ",), ("x" * 501,), ("soon", "--in", "10")])
def test_nonsense_is_refused_in_a_sentence(address: str, wrong: tuple[str, ...]) -> None:
    ended = run_command("announce", *wrong)
    assert ended.code == 1
    assert "must" in ended.err
    with asyncio.Runner() as runner:
        assert runner.run(find_news(address)) == []
