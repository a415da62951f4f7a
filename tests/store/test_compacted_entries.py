"""Entries come out of the compressed text as they were."""

from dataclasses import replace
from datetime import timedelta

from bot.tables.compaction import compress_entries, decompress_entries
from bot.tables.model import FORGOTTEN_CLICK, Entry
from tests.store.samples import IN_NEPAL, NOON
from tests.support.each_case import each_case

ENTRY = Entry(step=1, seat=0, text="roll 1 2", digest="0123456789abcdef", click_id=None, at=NOON)
LATER = timedelta(days=400, microseconds=1)


@each_case(
    "entries",
    [
        (),
        (ENTRY, replace(ENTRY, step=2, seat=5, text="!resign", at=NOON + LATER)),
        # What no game writes, and what a damaged table might have.
        (replace(ENTRY, step=3, text='"é\n🎲\\ \0'), replace(ENTRY, step=7, text="", digest="", at=NOON - LATER)),
        (replace(ENTRY, at=NOON.astimezone(IN_NEPAL)),),
    ],
)
def test_entries_come_back_as_they_were(entries: tuple[Entry, ...]) -> None:
    assert decompress_entries(compress_entries(entries)) == entries


def test_ids_of_clicks_are_forgotten() -> None:
    clicked = replace(ENTRY, click_id=9001)
    assert decompress_entries(compress_entries([clicked, ENTRY])) == (replace(ENTRY, click_id=FORGOTTEN_CLICK), ENTRY)
