"""`/help`, `/play` and `/rules`."""

from types import SimpleNamespace
from typing import Any

from bot.features.help.commands import Help
from bot.tables.registry import AnyPackage
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.tables.test_registry import titled
from tests.ui.fake_interactions import make_command, make_command_context

GAMES = load_games_once()


def make_help_command(games: dict[str, AnyPackage]) -> Any:
    command = make_command(SimpleNamespace(id=1, name="Robin"))  # type: ignore[arg-type]

    async def games_on(_: object) -> dict[str, AnyPackage]:
        return games

    command.client = make_command_context(rules=SimpleNamespace(games_on=games_on)).client
    return command


@each_case(
    "typed, keys",
    [
        ("", ["m", "b", "z"]),
        ("MAG", ["m", "b"]),
        ("bag", ["b"]),
        ("zeb", ["z"]),
        ("chess", []),
    ],
)
async def test_games_are_suggested_by_their_titles(typed: str, keys: list[str]) -> None:
    games = {"m": titled("m", "Magpie"), "b": titled("b", "Magic Bag"), "z": titled("z", "Zebra")}
    cog: Any = Help()
    choices = await cog.suggest(make_help_command(games), typed)
    assert [choice.value for choice in choices] == keys


async def test_every_game_there_is_can_be_suggested() -> None:
    cog: Any = Help()
    choices = await cog.suggest(make_help_command(dict(GAMES)), "")
    assert [choice.value for choice in choices] == list(GAMES)
    assert len(choices) <= 25
