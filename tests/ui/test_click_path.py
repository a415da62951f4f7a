"""A click takes the hops that the architecture page lists, in that order."""

import re
import sys
from pathlib import Path
from types import FrameType

from tests.support.fake_store import FakeStore
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import mover_of
from tests.ui.adapter import Adapter
from tests.ui.table_clicks import make_control_click, start_shown_game

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
CLASSES = {"TableStore": "FakeStore", "CallbackClient": "LibraryCallbackClient"}
"""The classes that implement the protocols named on the page."""


def listed_hops() -> list[str]:
    section = PAGE.read_text().split("## A click")[1].split("## ")[0]
    hops = re.findall(r"^\d+\. `([\w.]+)`", section, re.MULTILINE)
    return [".".join([CLASSES.get(part, part) for part in hop.split(".")]) for hop in hops]


async def test_a_click_takes_the_listed_hops(adapter: Adapter) -> None:
    hops, taken = listed_hops(), list[str]()
    table = await start_shown_game(adapter)
    click = make_control_click(table, mover_of(table), "roll")

    def note(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_qualname
        if event == "call" and name in hops and name not in taken:
            taken.append(name)

    sys.setprofile(note)
    try:
        await adapter.click(click)
    finally:
        sys.setprofile(None)
    assert taken == hops


async def test_the_response_of_a_click_leaves_the_publisher_nothing_to_show(
    adapter: Adapter, shown: FakeTableMessages, store: FakeStore
) -> None:
    table = await start_shown_game(adapter)
    edits = len(shown.asked)
    click = await adapter.click(make_control_click(table, mover_of(table), "roll"))
    assert len(store.texts(table.id)) == 1
    assert click.answers
    assert adapter.host.publisher.tasks.is_idle
    assert len(shown.asked) == edits
