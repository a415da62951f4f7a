"""Every change of a server's settings is recorded and told."""

import pytest
from discord.utils import format_dt

from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import CHANNELS, SettingsSection
from bot.features.settings.messages import describe_change
from bot.features.settings.storage import SettingsAuthor, SettingsChange
from tests.support.fakes import HERE, NOON
from tests.support.magpie_with_picture import PICTURE_REGISTRY
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.features.settings.panels import turn_to


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("pictures", "off", "**Pictures** to Off, words only"),
        ("hints", "off", "**Hints** to Off"),
        ("channels", "70 81", "**Channels** to <#70> and <#81>"),
        ("openers", "", "**Who opens tables** to no choice"),
        ("games", "fortune magpie", "**Games** to all but Fortune and Magpie"),
        ("options", '{"magpie": {}}', "**Default options** to others for Magpie"),
        ("gone_since", "*x*", "**gone\\_since** to \\*x\\*"),
    ],
)
def test_each_change_is_told_in_words(key: str, value: str, words: str) -> None:
    change = SettingsChange(None, NOON, key, value)
    assert describe_change(change, PICTURE_REGISTRY) == f"someone set {words}"


async def test_long_lists_fit_the_message(adapter: Adapter, db: MemoryDatabase) -> None:
    for first in range(10):
        ids = frozenset(10**18 + first + number for number in range(25))
        author = SettingsAuthor(10**18, NOON)
        await db.write(setting_storage.change, HERE.scope_id, CHANNELS, lambda _, ids=ids: ids, author)
    click = await turn_to(adapter, SettingsSection.CHANGES)
    text = click.answers[-1].embed.description
    assert len(text) <= 4096
    assert text.endswith("\n…")
    assert text.startswith(format_dt(NOON, "R"))
