"""Every change of a server's settings is recorded and told."""

import pytest
from discord.utils import format_dt

from bot.features.settings.changes import describe_change
from bot.features.settings.ids import Setting, SettingsSection
from bot.features.settings.preferences import SettingsChange
from tests.support.fake_store import FakeStore
from tests.support.fakes import NOON, STRANGER
from tests.support.magpie_with_picture import PICTURE_REGISTRY
from tests.ui.adapter import Adapter
from tests.ui.features.settings.panels import DIRECT, choose, turn_to


async def test_changes_are_recorded_with_who_made_them(adapter: Adapter, store: FakeStore) -> None:
    await choose(adapter, Setting.CLOCK, "one_day")
    click = await turn_to(adapter, SettingsSection.CHANGES)
    (text,) = [click.answers[-1].embed.description]
    assert text == f"{format_dt(adapter.clock(), 'R')} · <@{STRANGER.id}> set **Turn clock** to 1 day"
    await choose(adapter, Setting.PICTURES, "dark", **DIRECT)
    assert [list(changes) for changes in store.settings_changes.values()] == [
        [SettingsChange(STRANGER.id, adapter.clock(), "clock", "one_day")]
    ]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("theme", None, "**Pictures** to Off, words only"),
        ("hints", "off", "**Hints** to Off"),
        ("channels", "70 81", "**Channels** to <#70> and <#81>"),
        ("opener_roles", "", "**Who opens tables** to no choice"),
        ("games_off", "fortune magpie", "**Games** to all but Fortune and Magpie"),
        ("options", '{"magpie": {}}', "**Default options** to others for Magpie"),
        ("gone_since", "*x*", "**gone\\_since** to \\*x\\*"),
    ],
)
def test_each_change_is_told_in_words(field: str, value: str | None, words: str) -> None:
    change = SettingsChange(None, NOON, field, value)
    assert describe_change(change, PICTURE_REGISTRY) == f"someone set {words}"


async def test_long_lists_fit_the_message(adapter: Adapter, store: FakeStore) -> None:
    ids = " ".join(str(10**18 + number) for number in range(25))
    store.settings_changes[3] = [SettingsChange(10**18, NOON, "channels", ids)] * 10
    click = await turn_to(adapter, SettingsSection.CHANGES)
    text = click.answers[-1].embed.description
    assert len(text) <= 4096
    assert text.endswith("\n…")
    assert text.startswith(format_dt(NOON, "R"))
