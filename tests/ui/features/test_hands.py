"""Hands are shown to their owner and played from; the table's own message is edited through the channel."""

import re
from dataclasses import replace
from functools import partial
from random import Random

import discord
import pytest

from bot.games.change.pieces import Stage, State
from bot.platform.discord.ids import CustomId, parse_id
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.chance import FastChance
from bot.rules.screen import Toggle
from bot.tables.control_entries import Substitute
from bot.tables.handlers.ids import ControlId, HandControlId, HandId, MenuId, ReadOnlyId
from bot.tables.model import Status
from bot.tables.opening import open_game
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry
from bot.tables.seats import ABSENT_AFTER, substitute_absent
from bot.tables.table import Table, apply_control_entry
from bot.tools.showcase_search import play_through
from tests.games.change.hidden import redeal_hidden
from tests.games.change.positions import at
from tests.support.change_tables import CHANGE, CHANGE_REGISTRY, start_change_game
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, ROBIN, STRANGER, WREN, make_table, mover_of, start_game
from tests.support.memory_database import MemoryDatabase
from tests.support.rendering import render_game
from tests.support.table_positions import TablePositioner
from tests.ui.adapter import Adapter, without_picture_maker
from tests.ui.fake_interactions import (
    AnswerMethod,
    FakeInteraction,
    items_of,
    make_click,
    make_menu_choice,
)

IN_HAND_MESSAGE = 31337


@pytest.fixture
def games() -> GameRegistry:
    return CHANGE_REGISTRY


@pytest.fixture
async def table(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table at which Robin may play the card of a space."""
    return await set_up(adapter, monkeypatch, "greed add-1")


async def set_up(adapter: Adapter, patch: pytest.MonkeyPatch, cards: str) -> Table:
    """Start a game in which Robin holds these cards, and Wren another one."""
    started = await start_change_game(adapter.service, HERE, ROBIN, WREN)
    await adapter.wait_until_shown()
    scene = TablePositioner(adapter.host, started.id, patch)
    return await scene.set_position(at("120@3", "120@0", hands=[cards, "fear"], stage=Stage.FREE))


def hand_of(person: Person, table: Table) -> FakeInteraction:
    return make_click(person, HandId(table.id), message_id=table.header.message_id)


def click_in_hand(person: Person, pressed: ControlId | MenuId | HandId) -> FakeInteraction:
    return make_click(person, HandControlId(pressed), message_id=IN_HAND_MESSAGE, in_whisper=True)


def offered_ids(click: FakeInteraction) -> list[CustomId]:
    return [parse_id(text) for text in click.buttons()]


def other_than(person: Person) -> Person:
    return WREN if person == ROBIN else ROBIN


async def test_a_game_without_hidden_pieces_offers_none(db: MemoryDatabase, shown: FakeTableMessages) -> None:
    plain = Adapter(db, shown)
    table = await start_game(plain.service)
    looks = [parse_id(item.custom_id) for item in items_of(plain.table_messages.build_content(table).view())]
    assert not any(isinstance(each, ReadOnlyId) and isinstance(each.pressed, HandId) for each in looks)
    click = await plain.click(make_click(ROBIN, HandId(table.id)))
    assert click.refusal is ClickReason.UNKNOWN_BUTTON
    await plain.host.close()


async def test_a_hand_is_shown_to_its_owner_only(adapter: Adapter, table: Table) -> None:
    mover = mover_of(table)
    click = await adapter.click(hand_of(mover, table))
    (answer,) = click.answers
    assert (answer.how, answer.ephemeral) == (AnswerMethod.SEND, True)
    assert answer.embed is not None
    assert re.findall(r"\d+", str(answer.embed.title)) == [str(len(table.state.hands[table.header.to_move])), "5"]


async def test_a_player_out_of_turn_can_only_look(adapter: Adapter, table: Table) -> None:
    click = await adapter.click(hand_of(other_than(mover_of(table)), table))
    assert offered_ids(click) == [HandControlId(HandId(table.id))]


async def test_a_substituted_player_can_only_look(adapter: Adapter, table: Table) -> None:
    mover, other = mover_of(table), other_than(mover_of(table))
    assert len(offered_ids(await adapter.click(hand_of(mover, table)))) > 1
    adapter.clock.tick(120)
    hold = partial(substitute_absent, since=adapter.clock.ago(ABSENT_AFTER))
    after = await adapter.service.apply_seat_action(table.id, other, hold, 77)
    assert after.header.awaits_computer
    assert offered_ids(await adapter.click(hand_of(mover, after))) == [HandControlId(HandId(table.id))]


async def test_strangers_have_no_hand(adapter: Adapter, table: Table) -> None:
    click = await adapter.click(hand_of(STRANGER, table))
    assert click.refusal is HostReason.NOT_SEATED


async def test_a_card_is_played_from_the_hand_and_the_channel_shows_the_table(
    adapter: Adapter, table: Table, db: MemoryDatabase
) -> None:
    mover, before = mover_of(table), len(adapter.fake_table_messages.shown)
    click = await adapter.click(hand_of(mover, table))
    go = next(
        each.pressed
        for each in offered_ids(click)
        if isinstance(each, HandControlId)
        and isinstance(each.pressed, ControlId)
        and each.pressed.key.startswith("go_")
    )
    played = await adapter.click(click_in_hand(mover, go))
    assert "card " in " ".join(db.texts(table.id)[-2:]), "the turn may have ended by itself"
    assert [(answer.how, answer.sent) for answer in played.answers] == [
        (AnswerMethod.EDIT, frozenset({"embed", "view", "attachments"}))
    ]
    await adapter.wait_until_shown()
    assert len(adapter.fake_table_messages.shown) > before
    assert {shown.message_id for shown in adapter.fake_table_messages.shown[before:]} == {table.header.message_id}


async def test_whoever_holds_a_winning_card_is_asked_once_and_privately_before_the_turn_ends(
    adapter: Adapter, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = TablePositioner(adapter.host, table.id, monkeypatch)
    table = await scene.set_position(at("10@3 greed", "120@0", hands=["greed", "fear"], stage=Stage.FREE))
    done, shown = ControlId(table.id, table.header.step, "done", frozenset()), adapter.fake_table_messages.shown
    before = len(shown)
    click = partial(make_click, custom_id=done, message_id=table.header.message_id)
    other = await adapter.click(click(other_than(mover_of(table))))
    assert other.refusal is HostReason.NOT_YOUR_TURN
    asked = await adapter.click(click(mover_of(table)))
    assert [(answer.how, answer.ephemeral) for answer in asked.answers] == [(AnswerMethod.SEND, True)]
    assert (await adapter.service.table(table.id)).header.step == table.header.step
    assert len(shown) == before
    await adapter.click(click(mover_of(table)))
    assert (await adapter.service.table(table.id)).header.step > table.header.step


async def test_picks_in_a_hand_are_not_shown_on_the_table(adapter: Adapter, table: Table) -> None:
    mover, before = mover_of(table), without_picture_maker(adapter.table_messages.build_content(table))
    toggle = ControlId(table.id, table.header.step, "marker", frozenset())
    seat = table.header.to_move
    screen = CHANGE.words.build_hand_screen and CHANGE.words.build_hand_screen(
        CHANGE.game.view(table.state, seat), (), ("a", "b"), frozenset()
    )
    assert screen
    control = screen.find_control("marker")
    assert control is not None
    assert isinstance(control.effect, Toggle)
    click = await adapter.click(click_in_hand(mover, toggle))
    assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]
    assert without_picture_maker(adapter.table_messages.build_content(table)) == before
    again = await adapter.click(hand_of(mover, table))
    drafts = {
        each.pressed.draft
        for each in offered_ids(again)
        if isinstance(each, HandControlId) and isinstance(each.pressed, ControlId)
    }
    assert drafts == {frozenset({0})}


async def test_picks_in_a_hand_end_the_silence(adapter: Adapter, table: Table) -> None:
    """Otherwise they would be reminded while they are thinking aloud."""
    adapter.clock.tick(100)
    await adapter.click(click_in_hand(mover_of(table), ControlId(table.id, table.header.step, "marker", frozenset())))
    now = await adapter.service.table(table.id)
    assert now.header.awaited_since == adapter.clock()


async def test_a_late_or_double_click_only_refreshes(
    adapter: Adapter, table: Table, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Otherwise the turn might end by itself between the clicks.
    monkeypatch.setattr("bot.tables.computer_players.find_forced_end", lambda _: None)
    mover = mover_of(table)
    stale = ControlId(table.id, table.header.step, "go_greed", frozenset())
    await adapter.click(click_in_hand(mover, stale))
    missing = ControlId(table.id, table.header.step + 1, "keep_add_1", frozenset())
    for pressed in (stale, missing, HandId(table.id)):
        count = len(db.texts(table.id))
        click = await adapter.click(click_in_hand(mover, pressed))
        assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]
        assert len(db.texts(table.id)) == count


async def test_a_button_of_an_earlier_turn_says_so(adapter: Adapter, table: Table) -> None:
    stale = ControlId(table.id, table.header.step, "go_greed", frozenset())
    later = replace(table, header=replace(table.header, step=table.header.step + 2))
    adapter.host.service.cache.put(later)
    told = []
    for pressed in (HandId(table.id), stale):
        (answer,) = (await adapter.click(click_in_hand(mover_of(table), pressed))).answers
        assert answer.embed is not None
        told.append(str(answer.embed.description).splitlines())
    assert told[1][1:] == told[0], "a line comes before what the hand shows otherwise"


async def test_a_card_cannot_be_played_from_another_players_hand(
    adapter: Adapter, table: Table, db: MemoryDatabase
) -> None:
    """The id names no hand: whose it is comes from who clicks."""
    forged = ControlId(table.id, table.header.step, "go_greed", frozenset())
    click = await adapter.click(click_in_hand(other_than(mover_of(table)), forged))
    assert click.refusal is HostReason.NOT_YOUR_TURN
    assert db.texts(table.id) == []


async def test_a_forged_button_shows_no_hand_publicly(adapter: Adapter, table: Table) -> None:
    mover = mover_of(table)
    for pressed in (HandId(table.id), ControlId(table.id, table.header.step, "no such control", frozenset())):
        click = await adapter.click(make_click(mover, HandControlId(pressed), message_id=table.header.message_id))
        assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]


async def test_a_hand_in_another_channel_is_unknown(adapter: Adapter, table: Table) -> None:
    click = await adapter.click(make_click(mover_of(table), HandId(table.id), channel_id=71))
    assert click.text
    assert click.answers[0].embed is None


async def test_the_winning_card_ends_the_hand(
    adapter: Adapter, table: Table, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = at("30@5", "10@0 greed", hands=["greed add-1"], stage=Stage.FREE)
    there = await TablePositioner(adapter.host, table.id, monkeypatch).set_position(near)
    mover = mover_of(there)
    win = ControlId(table.id, table.header.step, "go_greed", frozenset())
    click = await adapter.click(click_in_hand(mover, win))
    assert db.header(table.id).status is Status.FINISHED
    (ended,) = click.answers
    assert ended.how is AnswerMethod.EDIT
    assert "https://" in str(ended.content)
    for pressed in (win, HandId(table.id)):
        late = await adapter.click(click_in_hand(mover, pressed))
        assert [answer.content for answer in late.answers] == [ended.content]


async def test_a_menu_in_a_hand_plays_a_card(
    adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await set_up(adapter, monkeypatch, "any")
    custom_id = HandControlId(MenuId(table.id, table.header.step, "any", frozenset()))
    await adapter.click(make_menu_choice(ROBIN, custom_id, "go_denial_any", message_id=IN_HAND_MESSAGE))
    assert db.texts(table.id) == ["card any denial place"]


async def test_there_are_no_hands_before_the_start(adapter: Adapter) -> None:
    lobby = await open_game(adapter.service, "change", CHANGE.game.info.options(), ROBIN, HERE, click_id=1)
    assert lobby.header.status is Status.LOBBY
    click = await adapter.click(make_click(ROBIN, HandId(lobby.id)))
    assert click.refusal is HostReason.NOT_STARTED


def style_of_my_hand(table: Table) -> discord.ButtonStyle:
    content = render_game(table, frozenset())
    own = ReadOnlyId(table.id, table.header.revision, HandId(table.id))
    return next(press.style for row in content.rows for press in row if press.custom_id == str(own))


@pytest.mark.parametrize(
    ("state", "is_awaited"),
    [
        (at("120@4", "120@0", hands=["add-1 any", "fear"], stage=Stage.SWAP), True),
        (at("120@22", "120@0", hands=["add-1 any", "fear"], stage=Stage.KEEP), True),
        (at("120@5", "120@0", hands=["greed", "fear"], stage=Stage.FREE, missing=2), True),
        (at("120@5", "120@0", hands=["", "fear"], stage=Stage.FREE, missing=2), False),
        (at("120@5", "120@0", hands=["greed", "fear"], stage=Stage.FREE), False),
        (at("120@5", "120@0", hands=["greed", "fear"]), False),
    ],
)
async def test_my_hand_is_coloured_while_the_turn_waits_for_a_card(
    adapter: Adapter, monkeypatch: pytest.MonkeyPatch, state: State, is_awaited: bool
) -> None:
    started = await start_change_game(adapter.service, HERE, ROBIN, WREN)
    table = await TablePositioner(adapter.host, started.id, monkeypatch).set_position(state)
    assert (style_of_my_hand(table) is discord.ButtonStyle.primary) is is_awaited
    gone = table.header.to_move or 0
    table = apply_control_entry(table, gone, Substitute(gone))
    assert table.header.awaits_computer
    assert style_of_my_hand(table) is discord.ButtonStyle.secondary


def test_the_table_and_its_buttons_do_not_depend_on_hidden_cards() -> None:
    dealing, styles = FastChance(Random(2)), set()
    for moment in play_through(CHANGE, CHANGE.game.info.options(), 3, 1):
        mover = CHANGE.game.seat_to_move(moment.state)
        table = make_table(status=Status.PLAYING, package=CHANGE)
        table = replace(table, state=moment.state, header=replace(table.header, to_move=mover))
        other = replace(table, state=redeal_hidden(moment.state, None, dealing))
        assert without_picture_maker(render_game(other, frozenset())) == without_picture_maker(
            render_game(table, frozenset())
        )
        styles.add(style_of_my_hand(table))
    assert len(styles) == 2
