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


async def test_a_click_takes_each_of_the_listed_hops_once(adapter: Adapter) -> None:
    hops = listed_hops()
    table = await start_shown_game(adapter)
    click = make_control_click(table, mover_of(table), "roll")
    watched = (*(hop.split(".")[-1] for hop in hops), "parse_move")
    begun = list[FrameType]()

    def note(frame: FrameType, event: str, _: object) -> None:
        # A coroutine is called anew each time it goes on.
        if event == "call" and frame.f_code.co_qualname.endswith(watched) and frame not in begun:
            begun.append(frame)

    sys.setprofile(note)
    try:
        await adapter.click(click)
    finally:
        sys.setprofile(None)
    taken = [frame.f_code.co_qualname for frame in begun]
    again = hops.index("Publisher.responding") + 1
    assert [name for name in taken if name in hops] == [*hops[:again], "TableRepository.table", *hops[again:]]
    assert sum(name.endswith(".parse_move") for name in taken) == 1


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
