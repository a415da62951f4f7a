"""The shared card: what people typed never takes the rest of it away, and its alternative text tells it all."""

import pytest

from bot.platform.places import Person
from bot.rules.picture import Align, Label, Picture, isolate_name
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.shown.message import render_shared_result
from bot.words import NO_BREAK_SPACE, gettext
from tests.support.fakes import HERE, make_service
from tests.support.finished_games import play_to_end
from tests.support.memory_database import MemoryDatabase
from tests.support.picture_checks import find_flaws


async def draw_card(place: str, *names: str) -> Picture:
    table = await play_to_end(
        make_service(MemoryDatabase()), HERE, *(Person(at, name) for at, name in enumerate(names, 1)), target=100
    )
    make_picture = render_shared_result(table, place).make_picture
    assert make_picture is not None
    return make_picture()


def sentences(card: Picture) -> list[str]:
    """Return what is written at the left edge, where everything that is typed is part of a sentence."""
    typed = (mark for mark in card.marks if isinstance(mark, Label) and mark.is_name)
    return [mark.text for mark in typed if mark.align is Align.LEFT]


async def test_a_name_that_the_font_lacks_is_replaced_by_the_number_of_its_token() -> None:
    latin, strange = [sentences(await draw_card("Birds", *names)) for names in (("Ann", "Bob"), ("美咲", "🎲" * 7))]
    for number, name in enumerate(("Ann", "Bob"), 1):
        numbered = gettext("Player {number}").format(number=number).replace(" ", NO_BREAK_SPACE)
        latin = [line.replace(isolate_name(name), numbered) for line in latin]
    assert strange == latin
    assert any(NO_BREAK_SPACE in line for line in strange)


async def test_the_name_of_a_server_that_the_font_lacks_leaves_the_date() -> None:
    played = sentences(await draw_card("", "Ann", "Bob"))[-1]
    assert played.strip()
    assert sentences(await draw_card("遊び部 Tables", "Ann", "Bob"))[-1] == played
    assert sentences(await draw_card("Birds", "Ann", "Bob"))[-1] == f"{isolate_name('Birds')} · {played}"


async def test_the_name_of_a_server_does_not_change_the_direction_of_the_date() -> None:
    played = sentences(await draw_card("", "Ann", "Bob"))[-1]
    for place in ("\u2068Birds", "Birds\u2069", "\u202eBirds\u2067"):
        assert sentences(await draw_card(place, "Ann", "Bob"))[-1] == f"{isolate_name('Birds')} · {played}"


@pytest.mark.parametrize("place", ["Birds", "遊び部 Tables"])
async def test_the_alternative_text_tells_names_facts_place_and_date(place: str) -> None:
    card = await draw_card(place, "Ann", "美咲")
    played = sentences(await draw_card("", "Ann", "美咲"))[-1]
    for word in ("Ann", "美咲", place, played):
        assert word in card.description
    facts = sentences(card)[1:-1]
    assert facts
    told = card.description.replace("美咲", gettext("Player {number}").format(number=2))
    for fact in facts:
        assert fact.removesuffix(".").replace("\u2068", "").replace("\u2069", "") in told
    assert len(card.description) <= LONGEST_DESCRIPTION


async def test_a_card_has_no_flaws_whatever_people_typed() -> None:
    for place, *names in (("x" * 100, "W" * 32, "شيرين" * 6), ("שחקני הלוח", "שירה", "Zo\u0489e")):
        assert list(find_flaws(await draw_card(place, *names))) == []
