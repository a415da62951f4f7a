"""Hands that are marked as soon as they show something else than their seats hold."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bot.games.change.pieces import Stage
from bot.rules.game import Event
from bot.tables.model import Person
from bot.tables.registry import Registry
from bot.tables.table import MoveNews, Table
from bot.ui.custom_ids import ControlId, HandId, InHandId
from tests.games.change.positions import at
from tests.support.fakes import HERE, ROBIN, WREN, FakeStore, Gate, mover_of, until
from tests.support.hands import WITH_CHANGE, a_game_of_change
from tests.support.positions import Scene
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import UNKNOWN_MESSAGE, FakeInteraction, How, click_of, items_of

MARKED = "Your hand has changed."


@pytest.fixture
def games() -> Registry:
    return WITH_CHANGE


@pytest.fixture
async def table(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """A table at which whoever is to move may play the card of a space."""
    started = await a_game_of_change(adapter.service, HERE, ROBIN, WREN)
    await adapter.settled()
    scene = Scene(adapter.service, started.id, monkeypatch)
    yield await scene.set(at("120@3", "120@0", hands=["greed add-1", "fear"], stage=Stage.FREE))
    await adapter.outdated_hands.close(30)


def hand_of(who: Person, table: Table) -> FakeInteraction:
    return click_of(who, HandId(table.id), message_id=table.header.message_id)


def other_than(person: Person) -> Person:
    return WREN if person == ROBIN else ROBIN


async def changed(adapter: Adapter, table: Table, person: Person, *cards: int) -> Table:
    """Tell the host's listeners of a move that leaves somebody with other cards."""
    seat = table.seat_of(person.id)
    hands = tuple(cards if at_seat == seat else hand for at_seat, hand in enumerate(table.state.hands))
    header = replace(table.header, revision=table.header.revision + 1)
    after = adapter.service._cache.keep(replace(table, header=header, state=replace(table.state, hands=hands)))
    adapter.service._tell(after)
    return after


def marks(click: FakeInteraction) -> list[Any]:
    return [each for each in click.answers if each.embed is not None and each.embed.description == MARKED]


@pytest.mark.parametrize("is_mover", [False, True])
async def test_a_hand_that_others_change_is_marked_with_look_again_alone(
    adapter: Adapter, table: Table, *, is_mover: bool
) -> None:
    mover = mover_of(table)
    who = mover if is_mover else other_than(mover)
    hands = {person.id: await adapter.click(hand_of(person, table)) for person in (ROBIN, WREN)}
    await changed(adapter, table, who, 0)
    await until(lambda: marks(hands[who.id]))
    (mark,) = marks(hands[who.id])
    assert [item.custom_id for item in items_of(mark.view)] == [str(InHandId(HandId(table.id)))]
    assert mark.attachments == []
    await adapter.outdated_hands.close(30)
    assert marks(hands[other_than(who).id]) == []


async def test_a_hand_that_is_as_it_was_stays(adapter: Adapter, table: Table) -> None:
    shown = await adapter.click(hand_of(ROBIN, table))
    adapter.service._tell(table)
    adapter.service._tell(replace(table, header=replace(table.header, to_move=1 - (table.header.to_move or 0))))
    await adapter.outdated_hands.close(30)
    assert len(shown.answers) == 1


async def test_it_is_marked_once(adapter: Adapter, table: Table) -> None:
    shown = await adapter.click(hand_of(ROBIN, table))
    for card in (0, 1, 2):
        table = await changed(adapter, table, ROBIN, card)
        await adapter.outdated_hands.close(30)
    assert len(marks(shown)) == 1


async def test_looking_again_shows_the_hand_and_has_it_watched_anew(adapter: Adapter, table: Table) -> None:
    shown = await adapter.click(hand_of(ROBIN, table))
    table = await changed(adapter, table, ROBIN, 0)
    await until(lambda: marks(shown))
    again = await adapter.click(
        click_of(ROBIN, InHandId(HandId(table.id)), message_id=shown.answer_id, in_whisper=True)
    )
    assert [answer.how for answer in again.answers] == [How.EDIT]
    await changed(adapter, table, ROBIN, 1)
    await until(lambda: marks(again))


async def test_whoever_plays_from_their_hand_sees_it_anew_and_unmarked(
    adapter: Adapter, table: Table, store: FakeStore
) -> None:
    mover = mover_of(table)
    shown = await adapter.click(hand_of(mover, table))
    go = InHandId(ControlId(table.id, table.header.step, "go_greed", frozenset()))
    played = await adapter.click(click_of(mover, go, message_id=shown.answer_id, in_whisper=True))
    assert store.texts(table.id)[-1].startswith("card greed")
    await adapter.outdated_hands.close(30)
    assert [answer.how for answer in played.answers] == [How.EDIT]
    assert marks(shown) == marks(played) == []


async def test_a_card_that_is_played_from_an_older_hand_marks_the_newer_one(adapter: Adapter, table: Table) -> None:
    mover = mover_of(table)
    newer = await adapter.click(hand_of(mover, table))
    go = InHandId(ControlId(table.id, table.header.step, "go_greed", frozenset()))
    older = click_of(mover, go, message_id=555, in_whisper=True)
    older.fault = UNKNOWN_MESSAGE
    await adapter.click(older)
    await until(lambda: marks(newer))


async def test_a_hand_that_changes_while_it_is_on_its_way_is_marked_after_it(adapter: Adapter, table: Table) -> None:
    asking = hand_of(ROBIN, table)
    asking.gate = gate = Gate()
    clicking = asyncio.create_task(adapter.click(asking))
    await gate.reached.wait()
    await changed(adapter, table, ROBIN, 0)
    gate.open()
    await clicking
    await until(lambda: marks(asking))
    assert asking.answers[0].how is How.SEND


async def test_a_hand_that_is_gone_is_forgotten_in_silence(
    adapter: Adapter, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    shown = await adapter.click(hand_of(ROBIN, table))
    shown.fault = UNKNOWN_MESSAGE
    await changed(adapter, table, ROBIN, 0)
    await adapter.outdated_hands.close(30)
    assert adapter.outdated_hands._shown == {}
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []


async def test_private_news_alone_mark_a_hand(adapter: Adapter, table: Table) -> None:
    """A seat that was told something, such as another's cards, has to look again though it holds the same."""
    shown = {person.id: await adapter.click(hand_of(person, table)) for person in (ROBIN, WREN)}
    seat = table.seat_of(ROBIN.id)
    news = (*table.news, MoveNews((Told(seat or 0),), frozenset()))
    adapter.service._tell(replace(table, news=news))
    await until(lambda: marks(shown[ROBIN.id]))
    await adapter.outdated_hands.close(30)
    assert marks(shown[WREN.id]) == []


@dataclass(frozen=True, slots=True)
class Told(Event):
    seat: int

    @property
    def audience(self) -> int | None:
        return self.seat


async def test_a_change_is_saved_and_shown_though_hands_can_not_be_compared(
    adapter: Adapter, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await adapter.click(hand_of(ROBIN, table))

    def fail(_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(adapter.outdated_hands, "check", fail)
    adapter.service._tell(table)
    assert "could not be compared" in caplog.text
    caplog.clear()
