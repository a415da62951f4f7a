"""What is for one person alone stays in a message for them alone, whatever message a button is said to stand on."""

import asyncio

import pytest

import bot.ui.interactions.responses
from bot.tables.model import Company
from bot.tables.table import digest_of_options
from bot.ui.custom_ids import (
    CancelId,
    ChoiceId,
    ComponentId,
    HistoryId,
    OptionPageId,
    Reach,
    SeatAction,
    SeatId,
    StandingsId,
)
from tests.support.fakes import ROBIN, FakeStore, Gate, until
from tests.ui.adapter import Adapter
from tests.ui.clicking import shown_game, shown_lobby
from tests.ui.fake_interactions import FakeInteraction, How, choice_of, click_of

PRIVATE: list[ComponentId] = [
    CancelId(1),
    SeatId(1, 0, SeatAction.RESIGN),
    OptionPageId(1, 1),
    StandingsId("magpie", Company.PEOPLE, 1),
    HistoryId(Reach.HERE, 1),
]
"""Buttons that stand only on private messages, and change these."""


def answers_of(click: FakeInteraction) -> list[tuple[How, bool]]:
    return [(answer.how, answer.ephemeral) for answer in click.answers]


@pytest.mark.parametrize(
    ("in_whisper", "answers"), [(True, [(How.EDIT, False)]), (False, [(How.SEND, True)])], ids=["private", "public"]
)
class TestOnlyAPrivateMessageIsRewritten:
    @pytest.mark.parametrize("pressed", PRIVATE, ids=str)
    async def test_during_a_game(
        self, adapter: Adapter, pressed: ComponentId, *, in_whisper: bool, answers: list[tuple[How, bool]]
    ) -> None:
        await shown_game(adapter)
        click = await adapter.click(click_of(ROBIN, pressed, in_whisper=in_whisper))
        assert answers_of(click) == answers

    async def test_by_a_choice_in_the_lobby(
        self, adapter: Adapter, *, in_whisper: bool, answers: list[tuple[How, bool]]
    ) -> None:
        chosen = ChoiceId(1, digest_of_options(await shown_lobby(adapter, ROBIN)), "target")
        click = await adapter.click(choice_of(ROBIN, chosen, "250", in_whisper=in_whisper))
        assert answers_of(click) == answers


@pytest.mark.parametrize(
    ("in_whisper", "later"), [(True, How.EDIT_ANSWER), (False, How.FOLLOW_UP)], ids=["private", "public"]
)
@pytest.mark.parametrize("pressed", [CancelId(1), SeatId(1, 0, SeatAction.RESIGN), OptionPageId(1, 1)], ids=str)
async def test_what_takes_long_is_shown_where_it_would_have_been_shown_at_once(
    adapter: Adapter,
    store: FakeStore,
    monkeypatch: pytest.MonkeyPatch,
    pressed: ComponentId,
    *,
    in_whisper: bool,
    later: How,
) -> None:
    monkeypatch.setattr(bot.ui.interactions.responses, "_PATIENCE_SECONDS", 0.01)
    table = await shown_game(adapter)
    adapter.service._cache.forget(table.id)
    store.after["load"] = gate = Gate()
    click = click_of(ROBIN, pressed, in_whisper=in_whisper)
    clicking = asyncio.create_task(adapter.click(click))
    await until(lambda: click.answers)
    gate.open()
    await clicking
    assert [answer.how for answer in click.answers] == [How.DEFER, later]
