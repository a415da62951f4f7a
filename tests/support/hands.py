"""A table of Change on its way to a hand with cards in it."""

from collections.abc import Callable

from bot.games.change.pieces import ChangeOptions, Stage, State
from bot.tables.model import Person, Place
from bot.tables.registry import Registry, load_games
from bot.tables.service import TableService
from bot.tables.table import Table

CHANGE = load_games()["change"]
WITH_CHANGE = Registry([CHANGE])

_MOST = 500


async def a_game_of_change(service: TableService, place: Place, *people: Person) -> Table:
    """Start a table of Change."""
    opener, *others = people
    table = await service.open("change", ChangeOptions(), opener, place, click_id=1)
    for at, person in enumerate(others, 2):
        table = await service.join(table.id, person, at)
    return await service.start(table.id, opener, 50)


async def played_until(service: TableService, table: Table, is_there: Callable[[State], bool]) -> Table:
    """Play the least eventful moves, others first at corners, until the position is as wanted."""
    for click_id in range(100, 100 + _MOST):
        if is_there(table.state):
            return table
        who, moves = table.mover, [str(move) for move in table.package.game.moves(table.state)]
        assert who is not None
        assert who.user_id is not None
        wanted = moves[-1]
        table = await service.play(table.id, Person(who.user_id, who.name), table.header.step, wanted, click_id)
    raise AssertionError("the position never came")


def may_play_cards(state: State) -> bool:
    """Tell whether the seat to move has cards, and may play them."""
    return state.public.stage is Stage.FREE and state.public.held[state.public.turn] > 0


def may_travel(state: State) -> bool:
    """Tell whether the seat to move may play a space card that it holds."""
    faces = [state.public.board.cards[card] for card in state.hands[state.public.turn]]
    return may_play_cards(state) and state.public.may_travel and any(face.space is not None for face in faces)
