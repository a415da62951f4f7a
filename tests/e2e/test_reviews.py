"""`/table review`: luck and skill of a finished game, made once, stored, and shown to whoever asks."""

import asyncio
import json
import re
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.features.reviews import storage as review_storage
from bot.features.reviews.handlers import Reviewer
from bot.rules.review import Assessment
from bot.sandbox.model.interactions import Interaction
from bot.tables.host import Host
from bot.tables.model import TableId
from bot.tables.thinker import Question, Thinker, Thought
from tests.e2e.test_results import play_to_end
from tests.support.parlour import Parlour


async def test_the_button_of_the_table_shows_it_and_its_menu_leads_into_the_replay(parlour: Parlour) -> None:
    await play_to_end(parlour, parlour.robin, parlour.wren)
    (board,) = parlour.robin.visible_messages(parlour.here)
    answer = await parlour.press(parlour.linnet, board, "Review")
    await parlour.sandbox.until(lambda: "Review · Magpie" in answer.text)
    ended = await parlour.client.app.service(Host).service.table(1)
    (review,) = answer.replies
    await parlour.press(parlour.linnet, review, "All decisions")
    await parlour.sandbox.until(lambda: bool(review.selects))
    (first, *_) = review.selects[0].options
    await parlour.linnet.select(review, f"b:{ended.id}:0:highlights", [first["value"]])
    await parlour.sandbox.until(lambda: "Replay · " in review.text)


async def load_review(parlour: Parlour, table_id: TableId) -> Any:
    stored = await parlour.db.read(review_storage.find, table_id)
    assert stored is not None
    return json.loads(stored)


async def test_a_review_is_made_again_only_if_it_was_made_with_other_arrays(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await play_to_end(parlour, parlour.robin, parlour.wren)
    first = await parlour.robin.slash(parlour.here, "table review")
    await parlour.sandbox.until(partial(shows_review, first))
    with monkeypatch.context() as patch:
        patch.delattr(Reviewer, "start")
        assert shows_review(await parlour.wren.slash(parlour.here, "table review"))
    stored = await load_review(parlour, table.id)
    await parlour.db.maintain(review_storage.put, table.id, json.dumps({**stored, "version": "another"}))
    second = await parlour.wren.slash(parlour.here, "table review")
    await parlour.sandbox.until(partial(shows_review, second))
    assert await load_review(parlour, table.id) == stored


async def test_a_review_by_a_weaker_evaluator_is_shown_but_not_stored(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    assess = Thinker.assess

    async def miss_arrays(self: Thinker, question: Question, chosen: int) -> Thought[Assessment]:
        return replace(await assess(self, question, chosen), broken="data/magpie/race.npz can't be read.")

    monkeypatch.setattr(Thinker, "assess", miss_arrays)
    table = await play_to_end(parlour, parlour.robin, parlour.wren)
    answer = await parlour.robin.slash(parlour.here, "table review")
    await parlour.sandbox.until(lambda: "Review · Magpie" in answer.text)
    assert "The strongest computer player isn't available, so these values are rougher than usual." in answer.text
    assert await parlour.db.read(review_storage.find, table.id) is None


async def test_the_progress_is_told_and_two_who_ask_share_the_work(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on, asked = asyncio.Event(), list[str]()
    assess = Thinker.assess

    async def wait(self: Thinker, question: Question, chosen: int) -> Thought[Assessment]:
        asked.append(question.game)
        await may_go_on.wait()
        return await assess(self, question, chosen)

    monkeypatch.setattr(Thinker, "assess", wait)
    monkeypatch.setattr("bot.features.reviews.handlers.PROGRESS_SECONDS", 0.01)
    await play_to_end(parlour, parlour.robin, parlour.wren)
    answers = [await each.slash(parlour.here, "table review") for each in (parlour.robin, parlour.wren)]
    await parlour.sandbox.until(lambda: all(re.search(r"Decisions: 0 of \d+", answer.text) for answer in answers))
    assert len(asked) == 1
    may_go_on.set()
    for answer in answers:
        await parlour.sandbox.until(partial(shows_review, answer))


def shows_review(answer: Interaction) -> bool:
    return "Review · Magpie" in answer.text
