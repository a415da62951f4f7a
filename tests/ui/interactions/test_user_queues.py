"""However fast one person clicks, others are answered in between."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest

from bot.app.bootstrap import build_client
from bot.platform.discord.answers import begin_long_answer
from bot.platform.discord.client import ParlourClient
from bot.platform.discord.queues import MAX_LONG, MAX_RUNNING, MAX_WAITING, UserQueues
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.refusals import Refusal, RefusalReason
from tests.support.apps import shared_app
from tests.support.fakes import GAMES, ROBIN, WREN
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import wait_until
from tests.ui.fake_interactions import AnswerMethod, FakeInteraction, make_click, make_command

BACKLOG = MAX_RUNNING + MAX_WAITING
"""The number of one person's clicks that run or wait."""

LAPS = 20
"""How often others may run while one click is worked on."""


class RecordingWork:
    """Takes the same effort for every click, and notes in which order they are done."""

    def __init__(self) -> None:
        self.done: list[int] = []
        self.busy: dict[int, int] = {}
        self.busiest: dict[int, int] = {}

    async def __call__(self, click: Any) -> None:
        person_id = click.user.id
        self.busy[person_id] = self.busy.get(person_id, 0) + 1
        self.busiest[person_id] = max(self.busiest.get(person_id, 0), self.busy[person_id])
        for _ in range(LAPS):
            await asyncio.sleep(0)
        self.busy[person_id] -= 1
        self.done.append(person_id)


@pytest.fixture
async def client(db: MemoryDatabase) -> AsyncIterator[ParlourClient]:
    made = build_client(db, GAMES)
    await made.__aenter__()
    # Languages are read once, and are in memory from then on.
    await made.app.languages.of_interaction(make_click(ROBIN, "g:magpie"))  # type: ignore[arg-type]
    yield made
    await made.close()


@pytest.fixture
def work(client: ParlourClient, monkeypatch: pytest.MonkeyPatch) -> RecordingWork:
    made = RecordingWork()
    monkeypatch.setattr(client.app.dispatcher, "on_interaction", made)
    return made


def clicks(person: Person, count: int) -> list[FakeInteraction]:
    return [make_click(person, "g:magpie") for _ in range(count)]


def send(client: ParlourClient, *sent: FakeInteraction) -> list[asyncio.Task[None]]:
    """Hand clicks over as the library does: all at once, each in a task of its own."""
    return [asyncio.create_task(client.on_interaction(click)) for click in sent]  # type: ignore[arg-type]


async def test_other_people_are_served_before_an_earlier_backlog(client: ParlourClient, work: RecordingWork) -> None:
    flood = send(client, *clicks(ROBIN, BACKLOG))
    others = send(client, *(make_click(Person(100 + at, "P"), "g:magpie") for at in range(5)))
    await asyncio.gather(*flood, *others)
    assert sorted(work.done[: MAX_RUNNING + len(others)]) == [ROBIN.id] * MAX_RUNNING + [100, 101, 102, 103, 104]
    assert work.busiest == {ROBIN.id: MAX_RUNNING} | dict.fromkeys(range(100, 105), 1)
    assert work.done.count(ROBIN.id) == BACKLOG, "everything is done in the end"


async def test_during_a_backlog_a_new_person_waits_only_for_running_work(
    client: ParlourClient, work: RecordingWork
) -> None:
    flood = send(client, *clicks(ROBIN, BACKLOG))
    while len(work.done) < MAX_RUNNING:  # noqa: ASYNC110 - by turns of the loop, not by the clock
        await asyncio.sleep(0)
    before = len(work.done)
    assert before < BACKLOG / 2, "most of the backlog still waits"
    other = send(client, *clicks(WREN, 1))
    await asyncio.gather(*other)
    assert len(work.done) - before <= 2 * MAX_RUNNING + 1
    await asyncio.gather(*flood)


async def test_interactions_of_a_person_are_served_in_order(
    client: ParlourClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[int] = []

    async def note(click: Any) -> None:
        order.append(click.id)
        await asyncio.sleep(0)

    monkeypatch.setattr(client.app.dispatcher, "on_interaction", note)
    sent = [make_click(ROBIN, "g:magpie", id=number) for number in range(1, BACKLOG)]
    await asyncio.gather(*send(client, *sent))
    assert order == list(range(1, BACKLOG))


@pytest.mark.usefixtures("work")
async def test_commands_and_clicks_of_a_person_share_a_queue(client: ParlourClient) -> None:
    flood = send(client, *clicks(ROBIN, BACKLOG - 1))
    command: Any = make_command(ROBIN, client=client)
    admitting = asyncio.create_task(client.tree.interaction_check(command))
    other: Any = make_command(WREN, client=client)
    assert await client.tree.interaction_check(other)
    assert not admitting.done()
    await asyncio.gather(*flood)
    assert await admitting


async def test_a_command_is_in_flight_until_its_task_ends(client: ParlourClient) -> None:
    command: Any = make_command(ROBIN, client=client)
    admitting = asyncio.create_task(client.tree.interaction_check(command))
    await asyncio.sleep(0)
    assert not client.in_flight.is_empty()
    await admitting
    await asyncio.sleep(0)
    assert client.in_flight.is_empty()


@pytest.mark.usefixtures("work")
async def test_finished_people_leave_nothing_behind(client: ParlourClient) -> None:
    await asyncio.gather(*send(client, *clicks(ROBIN, BACKLOG), *clicks(WREN, 3)))
    await asyncio.sleep(0)
    assert client.user_queues.active_users == 0


@pytest.mark.usefixtures("work")
async def test_a_user_with_fewer_interactions_than_may_run_is_free(client: ParlourClient) -> None:
    free, tasks = [], []
    for click in clicks(ROBIN, MAX_RUNNING):
        tasks += send(client, click)
        await asyncio.sleep(0)
        free.append(client.user_queues.is_free(ROBIN.id))
    assert free == [True] * (MAX_RUNNING - 1) + [False]
    await asyncio.gather(*tasks)


async def test_too_many_interactions_are_refused_once(
    client: ParlourClient, work: RecordingWork, caplog: pytest.LogCaptureFixture
) -> None:
    sent = clicks(ROBIN, MAX_RUNNING + MAX_WAITING + 50)
    tasks = send(client, *sent)
    await asyncio.sleep(0)
    assert client.user_queues.is_full(ROBIN.id)
    await asyncio.gather(*tasks)
    assert len(work.done) == MAX_RUNNING + MAX_WAITING
    texts = [click.text for click in sent if click.answers]
    assert texts == [shared_app().error_replies.explain(Refusal(ClickReason.TOO_QUICK))]
    await asyncio.gather(*send(client, *clicks(ROBIN, 1)))
    assert len(work.done) == MAX_RUNNING + MAX_WAITING + 1, "afterwards all is as before"
    assert "more are not answered" in caplog.text


async def test_long_waits_are_acknowledged(client: ParlourClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.platform.discord.answers.DEFER_AFTER_SECONDS", 0)
    stuck = asyncio.Event()

    async def wait(_click: Any) -> None:
        await stuck.wait()

    monkeypatch.setattr(client.app.dispatcher, "on_interaction", wait)
    sent = clicks(ROBIN, MAX_RUNNING + 3)
    tasks = send(client, *sent)
    await wait_until(lambda: all(click.answers for click in sent[MAX_RUNNING:]))
    assert {answer.how for click in sent[MAX_RUNNING:] for answer in click.answers} == {AnswerMethod.DEFER}
    stuck.set()
    await asyncio.gather(*tasks)


async def test_answers_that_take_long_leave_a_person_their_places_for_clicks(
    client: ParlourClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, done, refused = asyncio.Event(), list[int](), list[RefusalReason]()

    async def answer(click: Any) -> None:
        if click.data["custom_id"] == "long":
            try:
                begin_long_answer(click)
            except Refusal as refusal:
                refused.append(refusal.reason)
                return
            await made.wait()
        done.append(click.id)

    monkeypatch.setattr(client.app.dispatcher, "on_interaction", answer)
    long = [make_click(ROBIN, "long") for _ in range(MAX_LONG + 1)]
    waiting = send(client, *long)
    quick = clicks(ROBIN, MAX_WAITING)
    await asyncio.gather(*send(client, *quick))
    assert done == [click.id for click in quick], "while the long ones are being made"
    assert [each.done() for each in waiting] == [False] * MAX_LONG + [True]
    assert refused == [ClickReason.TOO_MANY_LONG_ANSWERS]
    made.set()
    await asyncio.gather(*waiting)
    assert done[len(quick) :] == [click.id for click in long[:MAX_LONG]]
    await asyncio.sleep(0)
    assert client.user_queues.active_users == 0


@pytest.mark.usefixtures("work")
async def test_suggestions_do_not_wait(client: ParlourClient) -> None:
    tasks = send(client, *clicks(ROBIN, MAX_RUNNING + 1))
    await asyncio.sleep(0)
    typing: Any = make_command(ROBIN, client=client)
    typing.type = discord.InteractionType.autocomplete
    assert not await client.admit(typing)
    assert [(answer.how, answer.content) for answer in typing.answers] == [(AnswerMethod.SUGGEST, "[]")]
    await asyncio.gather(*tasks)
    assert await client.admit(typing)


class TestStopping:
    async def test_a_cancelled_waiter_releases_nothing(self) -> None:
        turns, order = UserQueues(), []

        async def work(number: int) -> None:
            await turns.acquire(1)
            order.append(number)
            for _ in range(LAPS):
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(work(number)) for number in range(6)]
        await asyncio.sleep(0)
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)
        assert order == [0, 1, 3, 4, 5]
        assert turns.active_users == 0

    async def test_a_task_cancelled_at_its_turn_passes_it_on(self) -> None:
        turns, order = UserQueues(), []
        go = asyncio.Event()

        async def work(number: int) -> None:
            await turns.acquire(1)
            order.append(number)
            await go.wait()

        tasks = [asyncio.create_task(work(number)) for number in range(4)]
        await asyncio.sleep(0)
        # The slot of the first has been handed on by then.
        tasks[0].add_done_callback(lambda _: tasks[2].cancel())
        go.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)
        assert 3 in order
        assert turns.active_users == 0
