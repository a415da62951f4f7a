"""The commands about finished tables."""

from types import SimpleNamespace
from typing import Any

from bot.tables.model import Person
from cogs.leaderboard import Leaderboard
from cogs.profile import Profile
from tests.support.each_case import each_case
from tests.support.fakes import GAMES
from tests.ui.fake_interactions import make_command_context


class RecordingCommand:
    """A command that records the calls of the results feature."""

    def __init__(self) -> None:
        self.questions: list[tuple[Any, ...]] = []
        self.user = SimpleNamespace(id=11, display_name="Robin")
        names = ("leaderboard", "profile", "history")
        scorebook = SimpleNamespace(**{name: self._record(name) for name in names})
        self.client = make_command_context(results=scorebook, tables=SimpleNamespace(games=GAMES)).client

    def _record(self, name: str) -> Any:
        async def note(command: object, *rest: object) -> None:
            assert command is self
            self.questions.append((name, *rest))

        return note


async def test_the_leaderboard_command_passes_its_game() -> None:
    asked: Any = RecordingCommand()
    cog: Any = Leaderboard()
    await cog.leaderboard.callback(cog, asked, "magpie")
    assert asked.questions == [("leaderboard", "magpie")]


@each_case(
    "member, who",
    [
        (None, Person(11, "Robin")),
        (SimpleNamespace(id=12, display_name="Wren"), Person(12, "Wren")),
    ],
)
async def test_a_profile_is_the_users_own_unless_a_member_is_named(member: Any, who: Person) -> None:
    asked: Any = RecordingCommand()
    cog: Any = Profile()
    await cog.profile.callback(cog, asked, member)
    assert asked.questions == [("profile", who)]


async def test_the_history_command_needs_no_arguments() -> None:
    asked: Any = RecordingCommand()
    cog: Any = Profile()
    await cog.history.callback(cog, asked)
    assert asked.questions == [("history",)]


async def test_games_are_suggested_by_their_titles() -> None:
    cog: Any = Leaderboard()
    for typed, keys in (("mag", ["magpie"]), ("chess", [])):
        assert [choice.value for choice in await cog.suggest(RecordingCommand(), typed)] == keys
