"""`/settings` is for server managers, and its commands pass on what was chosen."""

from types import SimpleNamespace
from typing import Any

from bot.features.settings.commands import Settings
from bot.features.settings.ids import Setting, SettingsSection
from tests.support.each_case import each_case
from tests.ui.fake_interactions import make_command_context

CHANNEL, ROLE = SimpleNamespace(id=81), SimpleNamespace(id=501)


class Recorder:
    """Records which of its methods are called with what."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        async def note(_: object, *given: object, **named: object) -> None:
            self.asked.append((name, *given, *named.values()))

        return note


@each_case(
    "name, given, asked",
    [
        ("show", (), ("open",)),
        ("set_value", ("clock", "one_day"), ("set_value", "clock", "one_day")),
        ("channels", (CHANNEL, None), ("change_ids", Setting.CHANNELS, CHANNEL, None)),
        ("roles", ("openers", None, ROLE), ("change_ids", "openers", None, ROLE)),
        ("game", ("fortune", False), ("switch_game", "fortune", False)),
        ("options", ("magpie", "target", "5000"), ("set_option", "magpie", "target", "5000")),
        ("changes", (), ("open", SettingsSection.CHANGES)),
    ],
)
async def test_each_command_passes_on_what_was_chosen(
    name: str, given: tuple[object, ...], asked: tuple[object, ...]
) -> None:
    recorder, cog = Recorder(), Settings()
    command: Any = make_command_context(settings=recorder, settings_commands=recorder)
    await getattr(cog, name).callback(cog, command, *given)
    assert recorder.asked == [asked]


def test_the_commands_are_for_server_managers() -> None:
    group = Settings().app_command
    assert group is not None
    assert group.default_permissions is not None
    assert [name for name, needed in group.default_permissions if needed] == ["manage_guild"]
