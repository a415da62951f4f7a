"""Hands are shown again as soon as their seats' cards change."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bot.features.settings.commands import SettingsCommands
from bot.games.change.pieces import Stage
from bot.platform.discord.ids import parse_id
from bot.platform.places import Person
from bot.rules.game import Event
from bot.tables.handlers.hands import ShownHands
from bot.tables.handlers.ids import ControlId, HandControlId, HandId
from bot.tables.model import Status
from bot.tables.registry import GameRegistry
from bot.tables.table import MoveNews, Table
from tests.games.change.positions import at, cards
from tests.support.change_tables import CHANGE_REGISTRY, start_change_game
from tests.support.fakes import HERE, ROBIN, WREN, mover_of
from tests.support.languages import add_languages
from tests.support.memory_database import MemoryDatabase
from tests.support.table_positions import TablePositioner
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import (
    UNKNOWN_MESSAGE,
    AnswerMethod,
    FakeInteraction,
    items_of,
    make_click,
    make_command,
)


@pytest.fixture
def games() -> GameRegistry:
    return CHANGE_REGISTRY


@pytest.fixture
async def table(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """A table whose player to move may play a space card."""
    started = await start_change_game(adapter.service, HERE, ROBIN, WREN)
    await adapter.wait_until_shown()
    scene = TablePositioner(adapter.host, started.id, monkeypatch)
    yield await scene.set_position(at("120@3", "120@0", hands=["greed add-1 any", "fear"], stage=Stage.FREE))
    await adapter.app.service(ShownHands).close(30)


def hand_of(who: Person, table: Table) -> FakeInteraction:
    return make_click(who, HandId(table.id), message_id=table.header.message_id)


def other_than(person: Person) -> Person:
    return WREN if person == ROBIN else ROBIN


async def change_hand(adapter: Adapter, table: Table, person: Person, *held: int) -> Table:
    """Notify the host's listeners of a move that changes a hand."""
    seat = table.seat_of(person.id)
    hands = tuple(held if at_seat == seat else hand for at_seat, hand in enumerate(table.state.hands))
    header = replace(table.header, revision=table.header.revision + 1)
    after = adapter.service.cache.put(replace(table, header=header, state=replace(table.state, hands=hands)))
    adapter.service.notify_listeners(after)
    return after


def edits_of(click: FakeInteraction) -> list[Any]:
    """Return the answers that replaced the hand that a click asked for."""
    return click.answers[1:]


def controls_of(answer: Any) -> list[str]:
    """Return the controls of a hand that plays cards, without the table and the step."""
    ids = (parse_id(item.custom_id) for item in items_of(answer.view))
    return [each.pressed.key for each in ids if isinstance(each, HandControlId) and isinstance(each.pressed, ControlId)]


@pytest.mark.parametrize("is_mover", [False, True])
async def test_a_hand_changed_by_others_is_shown_again(adapter: Adapter, table: Table, *, is_mover: bool) -> None:
    mover = mover_of(table)
    who = mover if is_mover else other_than(mover)
    hands = {person.id: await adapter.click(hand_of(person, table)) for person in (ROBIN, WREN)}
    await change_hand(adapter, table, who, *cards("fear greed"))
    await wait_until(lambda: edits_of(hands[who.id]))
    (edit,) = edits_of(hands[who.id])
    assert edit.embed is not None
    assert edit.embed.description.count("🎴") == 2
    assert controls_of(edit) == (["go_fear", "go_greed", "marker"] if is_mover else [])
    assert len(edit.attachments) == 1
    await adapter.app.service(ShownHands).close(30)
    assert edits_of(hands[other_than(who).id]) == []


async def test_a_hand_follows_its_players_language(
    adapter: Adapter, table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    who = other_than(mover_of(table))
    hand = await adapter.click(hand_of(who, table))
    title = "Your hand · {count} of 5 cards"
    languages = adapter.app.languages
    monkeypatch.setattr(languages, "catalogues", add_languages(monkeypatch, tmp_path, {title: {"de": "Karten"}}))
    await languages.show_again(who.id)
    await wait_until(lambda: edits_of(hand))
    assert edits_of(hand)[0].embed.title != "Karten"
    click: Any = make_command(who, guild_id=None)
    await adapter.app.service(SettingsCommands).set_value(click, "language", "de")
    await wait_until(lambda: edits_of(hand)[1:])
    assert edits_of(hand)[1].embed.title == "Karten"


async def test_a_hand_of_a_table_that_is_closed_offers_nothing(adapter: Adapter, table: Table) -> None:
    mover = mover_of(table)
    hand = await adapter.click(hand_of(mover, table))
    assert controls_of(hand.answers[0])
    await adapter.service.cancel(table.id, mover, is_moderator=True)
    await wait_until(lambda: edits_of(hand))
    await adapter.app.service(ShownHands).close(30)
    assert edits_of(hand)[-1].view is None


async def test_the_buttons_of_a_hand_follow_the_table(adapter: Adapter, table: Table) -> None:
    """The end of a turn takes them away; the next player has to roll before a hand offers any."""
    mover = mover_of(table)
    hands = {person.id: await adapter.click(hand_of(person, table)) for person in (ROBIN, WREN)}
    assert controls_of(hands[mover.id].answers[0])
    done = ControlId(table.id, table.header.step, "done", frozenset())
    await adapter.click(make_click(mover, done, message_id=table.header.message_id))
    await wait_until(lambda: edits_of(hands[mover.id]))
    assert [controls_of(edit) for edit in edits_of(hands[mover.id])] == [[]]
    await adapter.app.service(ShownHands).close(30)
    assert edits_of(hands[other_than(mover).id]) == []


async def test_changes_in_a_row_are_shown_by_one_edit(adapter: Adapter, table: Table) -> None:
    shown = await adapter.click(hand_of(ROBIN, table))
    for held in ((0,), (0, 1), (0, 1, 2)):
        table = await change_hand(adapter, table, ROBIN, *held)
    await adapter.app.service(ShownHands).close(30)
    (edit,) = edits_of(shown)
    assert edit.embed.description.count("🎴") == 3


async def test_a_change_during_an_edit_is_shown_by_another_one(adapter: Adapter, table: Table) -> None:
    shown = await adapter.click(hand_of(ROBIN, table))
    shown.gate = gate = Gate()
    table = await change_hand(adapter, table, ROBIN, 0)
    await gate.reached.wait()
    await change_hand(adapter, table, ROBIN, 0, 1)
    gate.open()
    await adapter.app.service(ShownHands).close(30)
    assert [edit.embed.description.count("🎴") for edit in edits_of(shown)] == [1, 2]


async def test_a_hand_changed_by_the_end_leads_to_the_table(adapter: Adapter, table: Table) -> None:
    shown = await adapter.click(hand_of(ROBIN, table))
    over = replace(table.header, status=Status.FINISHED, to_move=None)
    await change_hand(adapter, replace(table, header=over), ROBIN, 0)
    await wait_until(lambda: edits_of(shown))
    (edit,) = edits_of(shown)
    assert str(table.header.message_id) in edit.embed.description
    assert edit.view is None


async def test_an_unchanged_hand_is_not_edited(adapter: Adapter, table: Table) -> None:
    """Not even if its newest events, which it shows, are private."""
    news = (*table.news, MoveNews(0, (PrivateEvent(table.seat_of(ROBIN.id) or 0),)))
    header = replace(table.header, revision=table.header.revision + 1)
    table = adapter.service.cache.put(replace(table, header=header, news=news))
    shown = await adapter.click(hand_of(ROBIN, table))
    adapter.service.notify_listeners(table)
    adapter.service.notify_listeners(
        replace(table, header=replace(table.header, to_move=1 - (table.header.to_move or 0)))
    )
    adapter.service.notify_listeners(replace(table, state=None))
    await adapter.app.service(ShownHands).close(30)
    assert len(shown.answers) == 1


async def test_looking_again_shows_the_hand_and_watches_it_again(adapter: Adapter, table: Table) -> None:
    shown = await adapter.click(hand_of(ROBIN, table))
    table = await change_hand(adapter, table, ROBIN, 0)
    await wait_until(lambda: edits_of(shown))
    again = await adapter.click(
        make_click(ROBIN, HandControlId(HandId(table.id)), message_id=shown.answer_id, in_whisper=True)
    )
    assert [answer.how for answer in again.answers] == [AnswerMethod.EDIT]
    await change_hand(adapter, table, ROBIN, 1)
    await wait_until(lambda: edits_of(again))


async def test_a_card_played_from_a_hand_refreshes_it_once(adapter: Adapter, table: Table, db: MemoryDatabase) -> None:
    mover = mover_of(table)
    shown = await adapter.click(hand_of(mover, table))
    go = HandControlId(ControlId(table.id, table.header.step, "go_greed", frozenset()))
    played = await adapter.click(make_click(mover, go, message_id=shown.answer_id, in_whisper=True))
    assert db.texts(table.id)[-1] == "card greed place"
    await adapter.app.service(ShownHands).close(30)
    assert [answer.how for answer in played.answers] == [AnswerMethod.EDIT]
    assert edits_of(shown) == edits_of(played) == []


async def test_a_card_played_from_an_older_hand_changes_the_newer_one(adapter: Adapter, table: Table) -> None:
    mover = mover_of(table)
    newer = await adapter.click(hand_of(mover, table))
    go = HandControlId(ControlId(table.id, table.header.step, "go_greed", frozenset()))
    older = make_click(mover, go, message_id=555, in_whisper=True)
    older.fault = UNKNOWN_MESSAGE
    await adapter.click(older)
    await wait_until(lambda: edits_of(newer))


async def test_an_edit_being_sent_does_not_overtake_a_click(adapter: Adapter, table: Table) -> None:
    shown = await adapter.click(hand_of(ROBIN, table))
    shown.gate = gate = Gate()
    await change_hand(adapter, table, ROBIN, 0)
    await gate.reached.wait()
    with adapter.app.service(ShownHands).suspend_edits(ROBIN.id, table.id):
        gate.open()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert edits_of(shown) == []
    await wait_until(lambda: edits_of(shown))


async def test_a_hand_that_changes_while_it_is_sent_is_edited_afterwards(adapter: Adapter, table: Table) -> None:
    asking = hand_of(ROBIN, table)
    asking.gate = gate = Gate()
    clicking = asyncio.create_task(adapter.click(asking))
    await gate.reached.wait()
    await change_hand(adapter, table, ROBIN, 0)
    gate.open()
    await clicking
    await wait_until(lambda: edits_of(asking))
    assert asking.answers[0].how is AnswerMethod.SEND


async def test_closing_waits_for_an_edit_being_sent(adapter: Adapter, table: Table) -> None:
    shown = await adapter.click(hand_of(ROBIN, table))
    shown.gate = gate = Gate()
    await change_hand(adapter, table, ROBIN, 0)
    await gate.reached.wait()
    closing = asyncio.create_task(adapter.app.close_features(30))
    for _ in range(5):
        await asyncio.sleep(0)
    assert not closing.done()
    gate.open()
    await closing
    assert edits_of(shown)


async def test_a_deleted_hand_is_forgotten_silently(
    adapter: Adapter, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot.tables.handlers.hands")
    shown = await adapter.click(hand_of(ROBIN, table))
    shown.fault = UNKNOWN_MESSAGE
    await change_hand(adapter, table, ROBIN, 0)
    await adapter.app.service(ShownHands).close(30)
    shown.fault = None
    await change_hand(adapter, table, ROBIN, 0)
    await adapter.app.service(ShownHands).close(30)
    assert edits_of(shown) == []
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []
    assert "a hand could not be shown again" in caplog.text


async def test_private_news_alone_are_shown_in_a_hand(adapter: Adapter, table: Table) -> None:
    """A seat with private news, such as another's cards, is shown its hand again even with the same cards."""
    shown = {person.id: await adapter.click(hand_of(person, table)) for person in (ROBIN, WREN)}
    seat = table.seat_of(ROBIN.id)
    news = (*table.news, MoveNews(0, (PrivateEvent(seat or 0),)))
    adapter.service.notify_listeners(replace(table, news=news))
    await wait_until(lambda: edits_of(shown[ROBIN.id]))
    await adapter.app.service(ShownHands).close(30)
    assert edits_of(shown[WREN.id]) == []


async def test_news_that_came_during_a_refresh_are_shown_afterwards(adapter: Adapter, table: Table) -> None:
    shown = await adapter.click(hand_of(ROBIN, table))
    private = MoveNews(0, (PrivateEvent(table.seat_of(ROBIN.id) or 0),))
    with adapter.app.service(ShownHands).suspend_edits(ROBIN.id, table.id):
        for news in ((private,), (private, MoveNews(0, ()))):
            adapter.service.notify_listeners(replace(table, news=(*table.news, *news)))
    await wait_until(lambda: edits_of(shown))


@dataclass(frozen=True, slots=True)
class PrivateEvent(Event):
    seat: int

    @property
    def audience(self) -> int | None:
        return self.seat


async def test_a_change_is_saved_and_shown_even_if_hands_cannot_be_compared(
    adapter: Adapter, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await adapter.click(hand_of(ROBIN, table))

    def fail(_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(adapter.app.service(ShownHands), "check", fail)
    adapter.service.notify_listeners(table)
    assert "could not be compared" in caplog.text
    caplog.clear()
