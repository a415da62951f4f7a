"""Special situations of Mr. Houdini's Baggage, played through the service and reloaded from the store."""

from collections.abc import Sequence
from dataclasses import replace

from bot.games.houdinis_baggage.cards import EMPTY_PILE, add_to_pile
from bot.games.houdinis_baggage.pieces import BaggageEnd, BaggageOptions, Phase, State
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.platform.places import Person
from bot.rules.chance import Chance
from bot.tables.model import Status
from bot.tables.registry import GameRegistry
from bot.tables.table import Table
from tests.games.houdinis_baggage.positions import BOX, at, cards, describe_tasks, names, player
from tests.support.each_case import each_case
from tests.support.fakes import HERE, PEOPLE, make_service
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase

HOUDINI = load_games_once()["houdinis_baggage"]


class PreparedBaggage(HoudinisBaggage):
    """The game, which begins with a position that is set up."""

    def __init__(self, position: State) -> None:
        super().__init__(BOX)
        self._position = position

    def start(self, options: BaggageOptions, seats: int, chance: Chance) -> State:
        """Begin there."""
        return self._position


async def play_moves(position: State, *moves: str) -> Table:
    """Play moves from a position, each by whose turn it is, and reload the table from the store."""
    db = MemoryDatabase()
    games = GameRegistry([replace(HOUDINI, game=PreparedBaggage(position))])
    service = make_service(db, games)
    people: Sequence[Person] = PEOPLE[: len(position.players)]
    table = await service.open("houdinis_baggage", BaggageOptions(), people[0], HERE, click_id=500, computers=0)
    for at_click, person in enumerate(people[1:], 501):
        await service.join(table.id, person, at_click)
    table = await service.start(table.id, people[0], 599)
    for click, move in enumerate(moves, 600):
        seat = table.header.to_move or 0
        table = await service.play(table.id, people[seat], table.header.step, move, click)
    again = await make_service(db, games).table(table.id)
    assert again.state == table.state
    assert again.header.status is not Status.HELD
    return again


def set_heaps(state: State, baggage: str, discards: str = "") -> State:
    """Leave just these cards in the deck, so that the next ones are known."""
    return state._replace(
        baggage=add_to_pile(EMPTY_PILE, cards(baggage)), discards=add_to_pile(EMPTY_PILE, cards(discards))
    )


async def test_after_a_twin_a_card_to_keep_is_chosen() -> None:
    """HB-4."""
    state = set_heaps(at(player("1; 2"), opened="red-star blue-star", phase=Phase.SEARCH), "red-star red-star")
    table = await play_moves(state, "open", "keep blue-star")
    assert (names(table.state.players[0].bank), table.state.mover) == ("blue-star", 1)


async def test_an_empty_deck_is_reshuffled() -> None:
    """HB-5."""
    state = set_heaps(at(player("1; 2"), opened="red-star", phase=Phase.SEARCH), "", "blue-star blue-star")
    table = await play_moves(state, "open", "stop")
    assert names(table.state.open) == "red-star blue-star"
    assert (sum(table.state.baggage), sum(table.state.discards)) == (1, 0)


async def test_cards_are_added_from_the_bank() -> None:
    """HB-7."""
    state = at(player("3; 1", bank="red-square blue-star"), opened="blue-square")
    table = await play_moves(state, "bank red-square", "bank blue-star", "place red-square on 3a", "done")
    assert describe_tasks(table.state)[0] == "3 red-square - -"
    assert table.state.players[0].bank == ()


async def test_changes_can_be_chained() -> None:
    """HB-B1."""
    table = await play_moves(
        at(player("2", "4 7"), opened="yellow-circle green-circle"), "place yellow-circle on 2a with 7 4"
    )
    assert describe_tasks(table.state) == ["2 yellow-circle - -"]


async def test_a_plus_one_counts_for_a_changed_colour() -> None:
    """HB-B3."""
    table = await play_moves(at(player("1", "4 5"), opened="red-circle red-star"), "place red-star on 1b with 4 5")
    assert (describe_tasks(table.state), table.state.spent) == (["1 - red-star - -"], (4, 5))


@each_case(
    "move, after",
    [
        ("move 9a to 9c with 12", ["9 - - red-circle", "17 - - - - -"]),
        ("move 9a to 17e with 12", ["9 - - -", "17 - - - - red-circle"]),
    ],
)
async def test_baggage_moves_within_an_assignment_and_across(move: str, after: list[str]) -> None:
    """HB-B4."""
    assert describe_tasks((await play_moves(at(player("9 red-circle - -; 17", "12")), move)).state) == after


async def test_another_players_bonus_is_copied() -> None:
    """HB-B5."""
    state = at(player("2", "3"), player("", "4"), opened="red-star red-circle")
    table = await play_moves(state, "place red-star on 2a with 3:4")
    assert describe_tasks(table.state) == ["2 red-star - -"]


async def test_the_last_round_is_played_out() -> None:
    """HB-E1."""
    ready = player("4 red-circle blue-star; 2", "14 15 17 13 5")
    state = set_heaps(at(player("7"), ready, player("8"), mover=1, row="", deck=""), "red-star", "")
    table = await play_moves(state, "done", "open", "stop", "done")
    assert table.header.status is Status.FINISHED
    assert table.outcome is not None
    assert (table.outcome.winners, table.outcome.reason) == ((1,), BaggageEnd.TARGET_REACHED)


@each_case(
    "first, second, places",
    [
        ("14 15", "17 13 4", (1, 2)),  # sixes
        ("14 13", "15 1 4", (1, 2)),  # fives
        ("1 20 2", "13 3 7", (2, 1)),  # a five beats two fours
        ("1", "3 4", (1, 2)),  # fours
        ("2 7", "3 5", (2, 1)),  # threes
        ("2", "4 5", (1, 2)),  # twos
        ("14 4", "15 5", (1, 1)),  # shared
    ],
)
async def test_every_tie_break_is_applied(first: str, second: str, places: tuple[int, ...]) -> None:
    """HB-E2."""
    state = at(player("", first), player("", second), mover=1, end=BaggageEnd.NOTHING_LEFT, row="", deck="")
    table = await play_moves(state, "done")
    assert table.outcome is not None
    assert table.outcome.places == places
