"""Discord refuses threads: play goes on in the channel, and says why."""

from collections.abc import Iterator

import pytest

from bot.platform.places import Location
from bot.sandbox.model.channels import ThreadKind
from tests.support.each_case import each_case
from tests.support.parlour import Parlour, choose_setting
from tests.support.tournaments import (
    begin,
    everyone,
    hold_jobs,
    tables_of,
    threads_of,
)

THREADS = r"/channels/\d+/threads$"
MANY, OTHER = "as many active threads as Discord allows", "Discord doesn't let me open a thread here"
REFUSALS = [(400, 160006, MANY), (400, 160007, MANY), (400, 50024, OTHER)]


@pytest.fixture(autouse=True)
def _held_jobs() -> Iterator[None]:
    with hold_jobs():
        yield


@each_case("status, code, why", REFUSALS)
async def test_a_table_that_can_have_no_thread_is_in_the_channel(
    parlour: Parlour, status: int, code: int, why: str
) -> None:
    await choose_setting(parlour.robin, parlour.here, "tables", "thread")
    parlour.sandbox.fault_injector.refuse("POST", THREADS, status, code)
    answer = await parlour.robin.slash(parlour.here, "magpie new")
    await parlour.sandbox.until(lambda: any(why in each.text for each in answer.replies))
    assert (await parlour.table()).header.location == Location(parlour.here.server_id, parlour.here.id)
    assert parlour.here.public_messages[-1].buttons
    await parlour.robin.slash(parlour.here, "table cancel")
    parlour.sandbox.fault_injector.other_answers.clear()


async def test_a_tournament_that_can_have_no_threads_is_played_in_its_channel(parlour: Parlour) -> None:
    """`test_without_threads_games_are_played_one_after_another` plays such a tournament to its end."""
    parlour.sandbox.fault_injector.refuse("POST", THREADS, 400, 160006)
    message = await begin(parlour, everyone(parlour)[:3])
    await parlour.sandbox.until(lambda: MANY in message.text)
    (table,) = await tables_of(parlour)
    assert table.header.location.channel_id == parlour.here.id


async def test_threads_of_announcement_channels_are_of_their_own_kind(parlour: Parlour) -> None:
    parlour.here.is_announcement = True
    await choose_setting(parlour.robin, parlour.here, "tables", "thread")
    await parlour.robin.slash(parlour.here, "magpie new")
    await parlour.sandbox.until(lambda: len(threads_of(parlour)) == 1)
    message = await begin(parlour, everyone(parlour)[:2])
    assert "one after another" not in message.text
    assert [each.kind for each in threads_of(parlour)] == [ThreadKind.ANNOUNCEMENT] * 2
