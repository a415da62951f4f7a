"""What people, Discord and the database see is what the golden files say."""

from collections.abc import Callable, Sequence
from difflib import unified_diff
from itertools import islice

import pytest

from bot.languages import speaking
from bot.platform.catalogues import Catalogues
from bot.platform.discord.content import MessageContent
from bot.sandbox import Message
from tests.golden import scene
from tests.golden.due_scenes import challenges_and_tournaments
from tests.golden.files import FOLDER, GOLDENS, existing_files, read
from tests.golden.panel_scenes import panels
from tests.golden.renderings import render_all
from tests.golden.table_scenes import special_tables
from tests.support.parlour import button_id
from tests.support.two_languages import speaking_two_languages
from tests.ui.render.test_error_messages import assert_is_for_people
from tests.ui.test_languages import find_excess_of

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


@pytest.mark.slow
@pytest.mark.parametrize(
    "locales", [["fr"], pytest.param(["ru", "he", "de", "es-ES", "pt-BR"], marks=pytest.mark.long)], ids=",".join
)
@pytest.mark.parametrize("play", [challenges_and_tournaments, panels, special_tables])
def test_discord_takes_messages_and_commands_in_every_language(
    play: Callable[[str], str], locales: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sandbox refuses what Discord would, and no scene ends well in which anything was refused.

    French has the longest texts.
    """
    pressed = list[str]()

    def note_id(message: Message, button: str | int) -> str:
        pressed.append(button_id(message, button))
        return pressed[-1]

    monkeypatch.setattr(scene, "button_id", note_id)
    play("en-US")
    for locale in locales:
        ids = iter(pressed)
        monkeypatch.setattr(scene, "button_id", lambda *_, ids=ids: next(ids))
        play(locale)


def test_discord_takes_what_is_rarely_shown_in_every_language() -> None:
    for code in Catalogues().codes:
        with speaking(Catalogues().find(code)):
            contents = [shown for _, shown in render_all() if isinstance(shown, MessageContent)]
            assert [excess for content in contents for excess in find_excess_of(content)] == []


def test_every_refusal_is_a_complete_sentence() -> None:
    for sentence in read("refusals_raised.txt").splitlines():
        assert_is_for_people(sentence)


def test_the_files_are_few_and_small() -> None:
    assert existing_files() == GOLDENS.keys(), ANEW
    sizes = {name: (FOLDER / name).stat().st_size for name in GOLDENS}
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}
    assert sum(sizes.values()) <= MOST_BYTES_TOGETHER
