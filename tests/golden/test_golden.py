"""What people, Discord and the database see is what the golden files say."""

from difflib import unified_diff
from itertools import islice

import pytest

from tests.golden.files import FOLDER, GOLDENS, existing_files, read

ANEW = "write the golden files again with `python -m tests.golden`, and read what has changed"
MOST_SHOWN_LINES = 60
MOST_BYTES, MOST_BYTES_TOGETHER = 150_000, 600_000


@pytest.mark.parametrize("name", GOLDENS)
def test_nothing_has_changed(name: str) -> None:
    made, golden = GOLDENS[name](), read(name)
    lines = unified_diff(golden.splitlines(), made.splitlines(), name, "made now", n=2, lineterm="")
    assert made == golden, "\n".join((ANEW, *islice(lines, MOST_SHOWN_LINES)))


def test_the_files_are_few_and_small() -> None:
    assert existing_files() == GOLDENS.keys(), ANEW
    sizes = {name: (FOLDER / name).stat().st_size for name in GOLDENS}
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}
    assert sum(sizes.values()) <= MOST_BYTES_TOGETHER
