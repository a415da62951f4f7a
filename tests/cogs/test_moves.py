"""Typed moves, and suggestions where there is nothing to suggest, in the commands of every game."""

from dataclasses import replace
from typing import Any, Final

from bot.games.change.pieces import Stage
from bot.tables import lobby as lobby_actions
from bot.tables.model import Status
from bot.tables.table import Table
from cogs.change import Change
from cogs.fortune import Fortune
from cogs.houdinis_baggage import HoudinisBaggage
from cogs.magic_bag import MagicBag
from cogs.magpie import Magpie
from tests.games.change.positions import at as at_change
from tests.games.fortune.positions import at as at_fortune
from tests.games.houdinis_baggage.positions import at as at_baggage, player
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, make_table
from tests.support.games import load_games_once
from tests.ui.fake_interactions import FakeTableCommands, RecordingTableCommands, make_command, make_command_context

COGS: Final[dict[str, type[Any]]] = {
    "change": Change,
    "fortune": Fortune,
    "houdinis_baggage": HoudinisBaggage,
    "magic_bag": MagicBag,
    "magpie": Magpie,
}
CORNER: Final = at_change("120@3", "120@0", "120@0", stage=Stage.CORNER)
LYING: Final = at_fortune("gold", "KGMMPPSD")
PLACING: Final = at_baggage(player("1; 2"))
TABLES: Final = {
    game: replace(make_table(status=Status.PLAYING, package=load_games_once()[game]), state=state)
    for game, state in (("change", CORNER), ("fortune", LYING), ("houdinis_baggage", PLACING))
}
"""Tables of the games in which a move may mean something else at another table."""


@each_case(
    "game, name, arguments, move",
    [
        ("change", "roll", {}, "roll"),
        ("change", "challenge", {}, "challenge"),
        ("change", "move", {"space": " Greed"}, "option greed"),
        ("change", "card", {"play": "any greed, place"}, "card any greed place"),
        ("change", "choose", {"what": "Wren, Jay"}, "choose 1 2"),
        ("change", "done", {}, "done"),
        ("fortune", "roll", {"dice": "2 3"}, "roll 2 3"),
        ("fortune", "roll", {"dice": "all"}, "roll 2 3 4 5 6 7 8"),
        ("fortune", "sorceress", {"die": 3}, "sorceress 3"),
        ("fortune", "sorceress", {"die": 3, "dice": "5, 1"}, "sorceress 3 with 5 1"),
        ("fortune", "stop", {}, "stop"),
        ("houdinis_baggage", "open_card", {}, "open"),
        ("houdinis_baggage", "stop", {}, "stop"),
        ("houdinis_baggage", "place", {"what": "green square on 1b with 4 5"}, "place green-square on 1b with 4 5"),
        ("houdinis_baggage", "bank", {"card": "red star"}, "bank red-star"),
        ("houdinis_baggage", "move", {"what": "2b to 1a with 12"}, "move 2b to 1a with 12"),
        ("houdinis_baggage", "done", {}, "done"),
        ("houdinis_baggage", "take", {"what": "7"}, "take 7"),
        ("houdinis_baggage", "take", {"what": "red star"}, "keep red-star"),
        ("magic_bag", "roll", {}, "roll sun moon crown arms"),
        ("magic_bag", "roll", {"keep": "sun"}, "roll moon crown arms"),
        ("magic_bag", "roll", {"keep": "all"}, "stop"),
        ("magic_bag", "claim", {"row": 4}, "claim 4"),
        ("magic_bag", "discard", {"coin": "crown 2"}, "discard crown-2"),
        ("magic_bag", "discard", {"coin": "c2", "tile": "arms 5"}, "discard crown-2 tile arms-5"),
        ("magic_bag", "finish", {}, "finish"),
        ("magpie", "roll", {"dice": "5 1"}, "roll 5 1"),
        ("magpie", "roll", {"dice": "135"}, "roll 1 3 5"),
        ("magpie", "roll", {"dice": "all"}, "roll 1 2 3 4 5"),
    ],
)
async def test_typed_commands_become_moves(game: str, name: str, arguments: dict[str, Any], move: str) -> None:
    table_commands, cog = RecordingTableCommands(TABLES.get(game)), COGS[game]()
    await getattr(cog, name).callback(cog, table_commands.command, **arguments)
    assert table_commands.asked == [(game, move)]
    load_games_once()[game].game.parse_move(move)


def tables_without_suggestions(game: str) -> list[Table | None]:
    """Return no table, tables at which nobody may move, and one of another game."""
    package, other = (load_games_once()[key] for key in (game, "fortune" if game == "magpie" else "magpie"))
    seats = [lobby_actions.make_occupant(ROBIN, 500)] if package.game.info.most_seats == 1 else []
    idle = [make_table(*seats, status=status, package=package) for status in Status if status is not Status.PLAYING]
    return [None, *idle, make_table(status=Status.PLAYING, package=other)]


@each_case("game", COGS)
async def test_nothing_is_suggested_without_a_game_under_way(game: str) -> None:
    suggesters = [name for name in vars(COGS[game]) if name.startswith("suggest")]
    assert suggesters
    for table in tables_without_suggestions(game):
        command: Any = make_command(ROBIN, client=make_command_context(FakeTableCommands(table)).client)
        assert [await getattr(COGS[game](), name)(command, "") for name in suggesters] == [[]] * len(suggesters)
