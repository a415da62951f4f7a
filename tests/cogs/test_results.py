"""The commands about finished tables."""

from types import SimpleNamespace
from typing import Any

from discord import app_commands

from bot.features.boards.commands import Leaderboard
from bot.features.boards.model import BoardOrder, Span
from bot.features.profiles.commands import Profile
from bot.platform.places import Person
from tests.support.each_case import each_case
from tests.support.fakes import GAMES
from tests.ui.fake_interactions import make_command_context


class RecordingCommand:
    """A command that records the calls of the results feature."""

    def __init__(self) -> None:
        self.questions: list[tuple[Any, ...]] = []
        self.user = SimpleNamespace(id=11, display_name="Robin")
        results = SimpleNamespace(**{name: self._record(name) for name in ("profile", "history", "versus")})
        boards = SimpleNamespace(**{name: self._record(name) for name in ("show", "show_season")})
        tables = SimpleNamespace(games=GAMES)
        self.client = make_command_context(results=results, boards=boards, tables=tables).client

    def _record(self, name: str) -> Any:
        async def note(command: object, *rest: object) -> None:
            assert command is self
            self.questions.append((name, *rest))

        return note


async def test_the_leaderboard_command_passes_what_was_chosen() -> None:
    asked: Any = RecordingCommand()
    cog: Any = Leaderboard()
    by, period = (app_commands.Choice(name="", value=value) for value in ("points", "week"))
    await cog.leaderboard.callback(cog, asked, "magpie")
    await cog.leaderboard.callback(cog, asked, "magpie", by, period)
    await cog.season.callback(cog, asked)
    assert asked.questions == [
        ("show", "magpie", None, Span.ALL),
        ("show", "magpie", BoardOrder.POINTS, Span.WEEK),
        ("show_season",),
    ]


def test_every_order_and_period_can_be_chosen() -> None:
    cog: Any = Leaderboard()
    for name, kind in (("by", BoardOrder), ("period", Span)):
        assert [choice.value for choice in cog.leaderboard.get_parameter(name).choices] == list(kind)


async def test_a_duel_is_with_the_member_who_is_named() -> None:
    asked: Any = RecordingCommand()
    cog: Any = Profile()
    await cog.versus.callback(cog, asked, SimpleNamespace(id=12, display_name="Wren"))
    assert asked.questions == [("versus", Person(12, "Wren"))]


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
