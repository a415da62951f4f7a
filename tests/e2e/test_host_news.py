"""What a host announces from the command line is told once in every channel with an open table, and removed."""

import asyncio
from datetime import timedelta

import pytest

from bot.features import host_news
from bot.features.host_news import HOST_NEWS, TRY_AGAIN, announce
from bot.platform.clock import utc_now
from bot.platform.database.database import Database
from bot.platform.database.sql import set_value
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message
from tests.support.parlour import Parlour

pytestmark = pytest.mark.usefixtures("frequent_checks")

TEXT = "I'm being updated."


def lines_in(channel: Channel) -> list[Message]:
    return [message for message in channel.messages if TEXT in message.text]


async def wait_until_noted(db: Database) -> dict[str, str]:
    """Wait until it is noted where the news was told, and return the notes."""
    while not any((noted := dict(await db.read(host_news.find_notes, HOST_NEWS))).values()):  # noqa: ASYNC110 - the database tells nobody
        await asyncio.sleep(0.01)
    return noted


async def test_it_is_told_once_where_a_table_is_open_and_removed_afterwards(parlour: Parlour) -> None:
    await parlour.open_table(parlour.robin)
    await announce(parlour.db, TEXT, utc_now(), timedelta(minutes=10))
    await parlour.sandbox.until(lambda: lines_in(parlour.here))
    (line,) = lines_in(parlour.here)
    assert "It happens <t:" in line.text
    await wait_until_noted(parlour.db)
    assert lines_in(parlour.here) == [line]
    assert lines_in(parlour.elsewhere) == []
    parlour.advance_clock(minutes=16)
    await parlour.sandbox.until(lambda: not lines_in(parlour.here))
    while await parlour.db.read(host_news.find_notes, "host announcement"):  # noqa: ASYNC110 - the database tells nobody
        await asyncio.sleep(0.01)


async def test_an_attempt_whose_answer_was_lost_is_not_posted_again(parlour: Parlour) -> None:
    await parlour.open_table(parlour.robin)
    news = await announce(parlour.db, TEXT, utc_now(), timedelta(minutes=10))
    noted = await wait_until_noted(parlour.db)
    for key in noted:
        await parlour.db.maintain(set_value, key, TRY_AGAIN)
    await parlour.db.maintain(job_storage.put, Job(HOST_NEWS, str(news), utc_now()))
    while await parlour.db.read(host_news.find_notes, HOST_NEWS) != noted:  # noqa: ASYNC110 - the database tells nobody
        await asyncio.sleep(0.01)
    assert len(lines_in(parlour.here)) == 1
