"""Help names everything there is."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.bootstrap import build_client
from bot.tables.registry import AnyPackage
from bot.ui.features.guides import player_count_text
from cogs.help import Help, help_embed
from tests.support.each_case import each_case
from tests.support.fake_store import FakeStore
from tests.support.games import load_games_once
from tests.tables.test_registry import titled
from tests.ui.fake_interactions import make_command, make_command_context

GAMES = load_games_once()


def texts(packages: list[AnyPackage]) -> str:
    embed = help_embed(packages)
    return "\n".join((str(embed.description), *(f"{each.name}\n{each.value}" for each in embed.fields)))


@pytest.mark.parametrize("game", GAMES)
def test_help_lists_every_game_with_summary_players_and_command(game: str) -> None:
    lines = texts(list(GAMES.values()))
    info = GAMES[game].game.info
    assert f"{info.title} · {player_count_text(info)}" in lines
    assert GAMES[game].guide.summary in lines
    assert f"`/{info.command} new`" in lines


async def test_every_command_that_help_names_exists() -> None:
    named = {word for word in texts(list(GAMES.values())).split("`") if word.startswith("/")}
    assert {"/table show", "/table cancel", "/rules"} <= named
    assert named <= set(await build_client(FakeStore(), GAMES).list_commands())


def test_help_fits_discords_limits() -> None:
    embed = help_embed(list(GAMES.values()))
    assert len(embed) <= 6000
    assert len(embed.fields) <= 25
    assert all(len(str(each.name)) <= 256 and len(str(each.value)) <= 1024 for each in embed.fields)


def make_help_command(games: dict[str, AnyPackage]) -> Any:
    command = make_command(SimpleNamespace(id=1, name="Robin"))  # type: ignore[arg-type]
    command.client = make_command_context(tables=SimpleNamespace(games=games)).client
    return command


async def test_help_is_private() -> None:
    command, cog = make_help_command(dict(GAMES)), Help()
    await cog.help.callback(cog, command)  # type: ignore[call-arg, arg-type]
    (answer,) = command.answers
    assert answer.ephemeral
    assert answer.embed == help_embed(list(GAMES.values()))


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
