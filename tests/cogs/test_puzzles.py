"""The puzzle command."""

from types import SimpleNamespace
from typing import Any

from bot.features.puzzles.commands import PuzzleCommands
from tests.support.each_case import each_case
from tests.support.fakes import GAMES
from tests.ui.fake_interactions import make_command_context


class RecordingCommand:
    """A command that records what is shown."""

    def __init__(self) -> None:
        self.shown: list[str | None] = []
        rules = SimpleNamespace(games_on=self._games_on)
        self.client = make_command_context(puzzles=SimpleNamespace(show=self._show), rules=rules).client

    async def _games_on(self, command: object) -> object:
        assert command is self
        return GAMES

    async def _show(self, command: object, game: str | None) -> None:
        assert command is self
        self.shown.append(game)


@each_case("game", ["magpie", None])
async def test_the_command_passes_its_game(game: str | None) -> None:
    asked: Any = RecordingCommand()
    cog: Any = PuzzleCommands()
    await cog.puzzle.callback(cog, asked, game)
    assert asked.shown == [game]


async def test_games_are_suggested_by_their_titles() -> None:
    cog: Any = PuzzleCommands()
    for typed, keys in (("mag", ["magpie"]), ("chess", [])):
        assert [choice.value for choice in await cog.suggest(RecordingCommand(), typed)] == keys
