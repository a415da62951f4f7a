"""Tips are shown where they are read last, with a way to turn them off."""

from bot.rules.tips import Tip
from bot.tables.model import Status
from bot.tables.shown.message import render_game
from tests.support.fakes import make_table
from tests.support.magpie_with_picture import MAGPIE_WITH_PICTURE


def test_a_tip_is_below_the_picture_and_can_be_turned_off() -> None:
    table = make_table(status=Status.PLAYING, package=MAGPIE_WITH_PICTURE)
    content = render_game(table, frozenset(), Tip("one", "Roll."))
    _table, tip = content.embeds_json()
    assert tip["description"] == "-# 💡 Roll."
    assert "No more tips" in [button.label for row in content.rows for button in row]
    assert "No more tips" not in [button.label for row in render_game(table, frozenset()).rows for button in row]
