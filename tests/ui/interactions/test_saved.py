"""What is saved is never apologised for, however the answer to it fails."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.games.change.pieces import Stage
from bot.observability.trace import begun
from bot.tables.actions.seats import resigning, substituting
from bot.tables.ports import StoreUnavailable
from bot.tables.registry import Registry
from bot.tables.table import Table, digest_of_options
from bot.ui.custom_ids import (
    AgainId,
    CancelId,
    ChoiceId,
    ControlId,
    InHandId,
    LobbyAction,
    OptionsId,
    SeatAction,
    SeatId,
)
from bot.ui.render.error_messages import SAVED
from tests.games.change.positions import at
from tests.support.fakes import GAMES, HERE, ROBIN, STRANGER, WREN, FakeStore, a_lobby, mover_of, under_way
from tests.support.hands import CHANGE, a_game_of_change
from tests.support.positions import Scene
from tests.ui.adapter import Adapter
from tests.ui.clicking import control_click, lobby_click
from tests.ui.fake_interactions import BAD_REQUEST, SERVER_ERROR, FakeInteraction, choice_of, click_of, command_of

Start = Callable[[Adapter], Awaitable[Table]]
Click = Callable[[Table], FakeInteraction]
Typed = Callable[[Adapter, Any], Awaitable[None]]

FAULTS = [BAD_REQUEST, SERVER_ERROR, StoreUnavailable("the disk is gone"), RuntimeError("of ours")]
APOLOGIES = ("Something went wrong", "nothing was done", "try again")


@pytest.fixture
def games() -> Registry:
    return Registry([*GAMES.values(), CHANGE])


async def lobby(adapter: Adapter) -> Table:
    table = await a_lobby(adapter.service, ROBIN, WREN)
    await adapter.settled()
    return await adapter.service.table(table.id)


async def playing(adapter: Adapter) -> Table:
    table = await under_way(adapter.service, ROBIN, WREN)
    await adapter.settled()
    return await adapter.service.table(table.id)


async def absent(adapter: Adapter) -> Table:
    """Somebody has been silent for long enough to be replaced."""
    table = await playing(adapter)
    adapter.clock.tick(180)
    return table


async def replaced(adapter: Adapter) -> Table:
    """A computer player stands in for whoever is to move."""
    table = await absent(adapter)
    other = WREN if mover_of(table) == ROBIN else ROBIN
    return await adapter.service.control(
        table.id, other, lambda now, person: substituting(now, person, adapter.clock()), 800
    )


async def over(adapter: Adapter) -> Table:
    table = await playing(adapter)
    return await adapter.service.control(table.id, WREN, resigning, 801)


def who_was_replaced(table: Table) -> Any:
    (seat,) = table.standing.substituted
    return ROBIN if table.seat_of(ROBIN.id) == seat else WREN


def option_of(table: Table) -> FakeInteraction:
    custom_id = ChoiceId(table.id, digest_of_options(table), "target")
    return choice_of(ROBIN, custom_id, "250", message_id=5, in_whisper=True)


CLICKS: dict[str, tuple[Start, Click]] = {
    "join": (lobby, lambda table: lobby_click(table, STRANGER, LobbyAction.JOIN)),
    "leave": (lobby, lambda table: lobby_click(table, WREN, LobbyAction.LEAVE)),
    "start": (lobby, lambda table: lobby_click(table, ROBIN, LobbyAction.START)),
    "computer": (lobby, lambda table: lobby_click(table, ROBIN, LobbyAction.ADD_COMPUTER)),
    "option": (lobby, option_of),
    "move": (playing, lambda table: control_click(table, mover_of(table), "roll")),
    "resign": (
        playing,
        lambda table: click_of(ROBIN, SeatId(table.id, 0, SeatAction.RESIGN), message_id=5, in_whisper=True),
    ),
    "substitute": (
        absent,
        lambda table: click_of(
            WREN if mover_of(table) == ROBIN else ROBIN,
            SeatId(table.id, table.header.step, SeatAction.SUBSTITUTE),
            mentioned=(mover_of(table).id,),
        ),
    ),
    "back": (
        replaced,
        lambda table: click_of(
            who_was_replaced(table),
            SeatId(table.id, table.header.step, SeatAction.COME_BACK),
            message_id=table.header.message_id,
        ),
    ),
    "cancel": (playing, lambda table: click_of(ROBIN, CancelId(table.id), message_id=5, in_whisper=True)),
    "again": (over, lambda table: click_of(ROBIN, AgainId(table.id), message_id=table.header.message_id)),
}


def unapologetic(interaction: FakeInteraction) -> None:
    assert not [each for each in APOLOGIES if each in interaction.text]


def changes(store: FakeStore) -> list[tuple[int, int]]:
    return sorted((table_id, record.header.revision) for table_id, record in store.records.items())


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
@pytest.mark.parametrize("name", CLICKS)
async def test_a_click_that_was_saved_is_acknowledged(
    adapter: Adapter, store: FakeStore, name: str, fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    start, click_on = CLICKS[name]
    click = click_on(await start(adapter))
    click.fault, before = fault, changes(store)
    await adapter.click(click)
    assert changes(store) != before
    assert len(click.answers) == 1
    unapologetic(click)
    caplog.clear()


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
async def test_a_card_that_was_played_is_not_apologised_for(
    adapter: Adapter,
    store: FakeStore,
    monkeypatch: pytest.MonkeyPatch,
    fault: Exception,
    caplog: pytest.LogCaptureFixture,
) -> None:
    scene = Scene(adapter.service, (await a_game_of_change(adapter.service, HERE, ROBIN, WREN)).id, monkeypatch)
    table = await scene.set(at("120@3", "120@0", hands=["greed add-1", "fear"], stage=Stage.FREE))
    custom_id = InHandId(ControlId(table.id, table.header.step, "go_greed", frozenset()))
    click = click_of(mover_of(table), custom_id, message_id=5, in_whisper=True)
    click.fault = fault
    await adapter.click(click)
    assert store.texts(table.id)[-1].startswith("card greed")
    unapologetic(click)
    caplog.clear()


COMMANDS: dict[str, tuple[Start | None, Typed]] = {
    "new": (None, lambda adapter, command: adapter.desk.open(command, "magpie", {}, 0)),
    "move": (playing, lambda adapter, command: adapter.desk.play(command, "magpie", "roll 1 2 3 4 5")),
    "computer": (lobby, lambda adapter, command: adapter.lobbies.add_computer(command, "random")),
    "cancel": (lobby, lambda adapter, command: adapter.desk.cancel(command)),
    "substitute": (absent, lambda adapter, command: adapter.seats.substitute(command)),
    "back": (replaced, lambda adapter, command: adapter.seats.come_back(command)),
}


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
@pytest.mark.parametrize("name", COMMANDS)
async def test_a_command_that_was_saved_is_confirmed(
    adapter: Adapter, store: FakeStore, name: str, fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    start, typed = COMMANDS[name]
    table = None if start is None else await start(adapter)
    command = command_of(_typist(name, table))
    command.fault, before = fault, changes(store)
    begun()
    try:
        await typed(adapter, command)
    except Exception as raised:  # noqa: BLE001 - as discord.py hands on whatever a command raises
        await adapter.apologies.answer(command, raised)  # type: ignore[arg-type]
    assert changes(store) != before
    assert len(command.answers) == 1
    unapologetic(command)
    caplog.clear()


def _typist(name: str, table: Table | None) -> Any:
    match name:
        case "move":
            return mover_of(table)  # type: ignore[arg-type]
        case "substitute":
            return WREN if mover_of(table) == ROBIN else ROBIN  # type: ignore[arg-type]
        case "back":
            return who_was_replaced(table)  # type: ignore[arg-type]
        case _:
            return ROBIN


async def test_what_was_refused_or_not_saved_is_told_as_ever(
    adapter: Adapter, store: FakeStore, caplog: pytest.LogCaptureFixture
) -> None:
    table = await playing(adapter)
    store.broken = {"save"}
    click = await adapter.click(control_click(table, mover_of(table), "roll"))
    assert "nothing was done" in click.text
    caplog.clear()
    wrong = await adapter.click(click_of(ROBIN, OptionsId(999)))
    assert wrong.text
    assert SAVED not in wrong.text
