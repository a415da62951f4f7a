"""What people, Discord and the database see is what the golden files say."""

from difflib import unified_diff
from itertools import islice

import pytest

from tests.golden.files import FOLDER, GOLDENS, existing_files, read
from tests.support.two_languages import speaking_two_languages
from tests.ui.render.test_error_messages import assert_is_for_people

ANEW = "write the golden files again with `python -m tests.golden`, and read what has changed"
MOST_SHOWN_LINES = 60
MOST_BYTES, MOST_BYTES_TOGETHER = 150_000, 1_000_000


@pytest.mark.parametrize("name", GOLDENS)
def test_nothing_has_changed(name: str) -> None:
    made, golden = GOLDENS[name](), read(name)
    lines = unified_diff(golden.splitlines(), made.splitlines(), name, "made now", n=2, lineterm="")
    assert made == golden, "\n".join((ANEW, *islice(lines, MOST_SHOWN_LINES)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["messages_due.txt", "messages_panels.txt", "messages_tables.txt"])
def test_every_line_is_in_the_language_of_its_reader(name: str) -> None:
    """In private answers that of the person, elsewhere that of the server; and no word is in neither."""
    with speaking_two_languages() as found:
        GOLDENS[name]()
    assert found == set()


def test_every_refusal_is_a_complete_sentence() -> None:
    for sentence in read("refusals_raised.txt").splitlines():
        assert_is_for_people(sentence)


def test_the_files_are_few_and_small() -> None:
    assert existing_files() == GOLDENS.keys(), ANEW
    sizes = {name: (FOLDER / name).stat().st_size for name in GOLDENS}
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}
    assert sum(sizes.values()) <= MOST_BYTES_TOGETHER
