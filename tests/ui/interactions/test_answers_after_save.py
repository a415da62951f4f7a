"""Once an action is saved, a failing answer is not reported as an error."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest

from bot.features.new_tables.handlers import NewTables
from bot.games.change.pieces import Stage
from bot.platform.database.errors import StoreUnavailable
from bot.platform.observability.trace import note_table_saved, start_trace
from bot.rules.refusals import Refusal
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import (
    CancelTableId,
    ControlId,
    HandControlId,
    LobbyButton,
    OptionMenuId,
    PlayAgainId,
    SeatButton,
    SeatId,
)
from bot.tables.handlers.seats import SeatCommands
from bot.tables.lobby import digest_of_options
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry
from bot.tables.seats import substitute_absent
from bot.tables.table import Table
from tests.games.change.positions import at
from tests.support.change_tables import CHANGE, start_change_game
from tests.support.fakes import GAMES, HERE, ROBIN, STRANGER, WREN, mover_of
from tests.support.memory_database import MemoryDatabase
from tests.support.table_positions import TablePositioner
from tests.ui.adapter import Adapter, is_apology
from tests.ui.fake_interactions import (
    BAD_REQUEST,
    SERVER_ERROR,
    UNKNOWN_MESSAGE,
    AnswerMethod,
    FakeInteraction,
    make_click,
    make_command,
    make_menu_choice,
)
from tests.ui.table_clicks import (
    finish_shown_game,
    make_control_click,
    make_lobby_click,
    make_opponent_choice,
    open_shown_lobby,
    start_shown_game,
    waiting_person,
)

Start = Callable[[Adapter], Awaitable[Table]]
Click = Callable[[Table], FakeInteraction]
Typed = Callable[[Adapter, Any], Awaitable[None]]

FAULTS = [BAD_REQUEST, StoreUnavailable("the disk is gone"), RuntimeError("of ours")]


@pytest.fixture
def games() -> GameRegistry:
    return GameRegistry([*GAMES.values(), CHANGE])


def open_two(adapter: Adapter) -> Awaitable[Table]:
    return open_shown_lobby(adapter, ROBIN, WREN)


def start_two(adapter: Adapter) -> Awaitable[Table]:
    return start_shown_game(adapter, ROBIN, WREN)


async def make_absent_table(adapter: Adapter) -> Table:
    """A player has been silent for long enough to be substituted."""
    table = await start_two(adapter)
    adapter.clock.tick(180)
    return table


async def make_substituted_table(adapter: Adapter) -> Table:
    """A computer player substitutes the player to move."""
    table = await make_absent_table(adapter)
    return await adapter.service.apply_seat_action(
        table.id, waiting_person(table), lambda now, person: substitute_absent(now, person, adapter.clock()), 800
    )


def who_was_replaced(table: Table) -> Any:
    (seat,) = table.seat_status.substituted
    return ROBIN if table.seat_of(ROBIN.id) == seat else WREN


def option_of(table: Table) -> FakeInteraction:
    custom_id = OptionMenuId(table.id, digest_of_options(table), "target")
    return make_menu_choice(ROBIN, custom_id, "250", message_id=5, in_whisper=True)


CLICKS: dict[str, tuple[Start, Click]] = {
    "join": (open_two, lambda table: make_lobby_click(table, STRANGER, LobbyButton.JOIN)),
    "leave": (open_two, lambda table: make_lobby_click(table, WREN, LobbyButton.LEAVE)),
    "start": (open_two, lambda table: make_lobby_click(table, ROBIN, LobbyButton.START)),
    "computer": (open_two, lambda table: make_opponent_choice(table, ROBIN, "easy")),
    "option": (open_two, option_of),
    "move": (start_two, lambda table: make_control_click(table, mover_of(table), "roll")),
    "resign": (
        start_two,
        lambda table: make_click(ROBIN, SeatId(table.id, 0, SeatButton.RESIGN), message_id=5, in_whisper=True),
    ),
    "substitute": (
        make_absent_table,
        lambda table: make_click(
            waiting_person(table),
            SeatId(table.id, table.header.step, SeatButton.SUBSTITUTE),
            mentioned=(mover_of(table).id,),
        ),
    ),
    "back": (
        make_substituted_table,
        lambda table: make_click(
            who_was_replaced(table),
            SeatId(table.id, table.header.step, SeatButton.COME_BACK),
            message_id=table.header.message_id,
        ),
    ),
    "cancel": (
        start_two,
        lambda table: make_click(ROBIN, CancelTableId(table.id), message_id=5, in_whisper=True),
    ),
    "again": (
        finish_shown_game,
        lambda table: make_click(ROBIN, PlayAgainId(table.id), message_id=table.header.message_id),
    ),
}


def count_changes(db: MemoryDatabase) -> list[tuple[int, int]]:
    return sorted((table_id, record.header.revision) for table_id, record in db.records.items())


def each_with_one_fault(names: Iterable[str]) -> list[tuple[str, Exception]]:
    """Pair each of some names with a fault, and a move with all faults: how an answer fails is the same everywhere."""
    return [*((name, SERVER_ERROR) for name in names), *(("move", fault) for fault in FAULTS)]


@pytest.mark.parametrize(("name", "fault"), each_with_one_fault(CLICKS))
async def test_a_saved_click_is_acknowledged(
    adapter: Adapter, db: MemoryDatabase, name: str, fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    start, click_on = CLICKS[name]
    click = click_on(await start(adapter))
    click.fault, before = fault, count_changes(db)
    await adapter.click(click)
    assert count_changes(db) != before
    assert len(click.answers) == 1
    assert not is_apology(click.text)
    caplog.clear()


async def test_a_played_card_is_not_apologised_for(
    adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scene = TablePositioner(adapter.host, (await start_change_game(adapter.service, HERE, ROBIN, WREN)).id, monkeypatch)
    table = await scene.set_position(at("120@3", "120@0", hands=["greed add-1 add-2", "fear"], stage=Stage.FREE))
    custom_id = HandControlId(ControlId(table.id, table.header.step, "go_greed", frozenset()))
    click = make_click(mover_of(table), custom_id, message_id=5, in_whisper=True)
    click.fault = SERVER_ERROR
    await adapter.click(click)
    assert any(text.startswith("card greed") for text in db.texts(table.id))
    assert not is_apology(click.text)
    caplog.clear()


COMMANDS: dict[str, tuple[Start | None, Typed]] = {
    "new": (None, lambda adapter, command: adapter.app.service(NewTables).open(command, "magpie", {}, 0)),
    "move": (
        start_two,
        lambda adapter, command: adapter.app.service(TableCommands).play(command, "magpie", "roll 1 2 3 4 5"),
    ),
    "cancel": (open_two, lambda adapter, command: adapter.app.service(TableCommands).cancel(command)),
    "substitute": (make_absent_table, lambda adapter, command: adapter.app.service(SeatCommands).substitute(command)),
    "back": (make_substituted_table, lambda adapter, command: adapter.app.service(SeatCommands).come_back(command)),
}


@pytest.mark.parametrize(("name", "fault"), each_with_one_fault(COMMANDS))
async def test_a_saved_command_is_confirmed(
    adapter: Adapter, db: MemoryDatabase, name: str, fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    start, typed = COMMANDS[name]
    table = None if start is None else await start(adapter)
    command = make_command(_person_typing(name, table))
    command.fault, before = fault, count_changes(db)
    start_trace()
    try:
        await typed(adapter, command)
    except Exception as raised:  # noqa: BLE001 - as discord.py hands on whatever a command raises
        await adapter.error_replies.send(command, raised)  # type: ignore[arg-type]
    assert count_changes(db) != before
    assert [answer.how for answer in command.answers] == [AnswerMethod.SEND]
    assert not is_apology(command.text)
    caplog.clear()


def _person_typing(name: str, table: Table | None) -> Any:
    match name:
        case "move":
            return mover_of(table)  # type: ignore[arg-type]
        case "substitute":
            return waiting_person(table)  # type: ignore[arg-type]
        case "back":
            return who_was_replaced(table)  # type: ignore[arg-type]
        case _:
            return ROBIN


@pytest.mark.parametrize("raised", [RuntimeError("of ours"), Refusal(HostReason.NOT_YOUR_TURN)], ids=repr)
async def test_no_response_stays_of_a_saved_click_whose_message_is_gone(
    adapter: Adapter, raised: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """Not even of a refusal, which only follows from the click's own change."""
    click: Any = make_click(ROBIN, "c:1", fault=UNKNOWN_MESSAGE)
    start_trace()
    note_table_saved()
    await adapter.error_replies.send(click, raised)
    assert [answer.how for answer in click.answers] == [AnswerMethod.ANNOUNCE]
    assert click.deleted == [click.answer_id]
    assert f"interaction {click.id} was saved, but the response failed" in caplog.text
    caplog.clear()
