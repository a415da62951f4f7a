"""Private content stays in private messages, even if a forged button names a public one."""

import asyncio

import pytest

import bot.platform.discord.answers
from bot.features.boards.messages import LeaderboardId
from bot.features.profiles.messages import HistoryId, HistoryScope
from bot.platform.discord.ids import CustomId
from bot.tables import storage as table_storage
from bot.tables.handlers.ids import CancelTableId, OptionMenuId, OptionPageId, SeatButton, SeatId
from bot.tables.lobby import digest_of_options
from bot.tables.model import Company
from tests.support.fakes import ROBIN
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, FakeInteraction, make_click, make_menu_choice
from tests.ui.table_clicks import open_shown_lobby, start_shown_game

PRIVATE: list[CustomId] = [
    CancelTableId(1),
    SeatId(1, 0, SeatButton.RESIGN),
    OptionPageId(1, 1),
    LeaderboardId("magpie", Company.PEOPLE, 1),
    HistoryId(HistoryScope.HERE, 1),
]
"""Buttons that occur only on private messages, and edit them."""


def answers_of(click: FakeInteraction) -> list[tuple[AnswerMethod, bool]]:
    return [(answer.how, answer.ephemeral) for answer in click.answers]


@pytest.mark.parametrize(
    ("in_whisper", "answers"),
    [(True, [(AnswerMethod.EDIT, False)]), (False, [(AnswerMethod.SEND, True)])],
    ids=["private", "public"],
)
class TestOnlyAPrivateMessageIsRewritten:
    @pytest.mark.parametrize("pressed", PRIVATE, ids=str)
    async def test_a_public_message_is_never_rewritten_during_a_game(
        self, adapter: Adapter, pressed: CustomId, *, in_whisper: bool, answers: list[tuple[AnswerMethod, bool]]
    ) -> None:
        await start_shown_game(adapter)
        click = await adapter.click(make_click(ROBIN, pressed, in_whisper=in_whisper))
        assert answers_of(click) == answers

    async def test_a_public_message_is_never_rewritten_by_a_choice_in_the_lobby(
        self, adapter: Adapter, *, in_whisper: bool, answers: list[tuple[AnswerMethod, bool]]
    ) -> None:
        chosen = OptionMenuId(1, digest_of_options(await open_shown_lobby(adapter, ROBIN)), "target")
        click = await adapter.click(make_menu_choice(ROBIN, chosen, "250", in_whisper=in_whisper))
        assert answers_of(click) == answers


@pytest.mark.parametrize(
    ("in_whisper", "later"),
    [(True, AnswerMethod.EDIT_ANSWER), (False, AnswerMethod.FOLLOW_UP)],
    ids=["private", "public"],
)
@pytest.mark.parametrize("pressed", [CancelTableId(1), SeatId(1, 0, SeatButton.RESIGN), OptionPageId(1, 1)], ids=str)
async def test_slow_work_is_shown_in_the_same_place_as_fast_work(
    adapter: Adapter,
    db: MemoryDatabase,
    monkeypatch: pytest.MonkeyPatch,
    pressed: CustomId,
    *,
    in_whisper: bool,
    later: AnswerMethod,
) -> None:
    monkeypatch.setattr(bot.platform.discord.answers, "DEFER_AFTER_SECONDS", 0.01)
    table = await start_shown_game(adapter)
    adapter.service.cache.evict(table.id)
    db.after[table_storage.load] = gate = Gate()
    click = make_click(ROBIN, pressed, in_whisper=in_whisper)
    clicking = asyncio.create_task(adapter.click(click))
    await wait_until(lambda: click.answers)
    gate.open()
    await clicking
    assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER, later]
