"""The pictures of a result: the winner highest, all scores, the race, all of it legible."""

import re
from collections.abc import Iterator
from itertools import chain, combinations, product
from random import Random

import pytest

from bot.platform.places import Person
from bot.rules.game import Outcome, places_by_score
from bot.rules.grades import Grade
from bot.rules.package import ScoreKind
from bot.rules.picture import MIN_SHEET_TEXT_SIZE, Align, Box, Label, Picture, Sprite, isolate_name, seat_colour
from bot.rules.race import Race
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.control_entries import TableEndReason, rank_resigned_last
from bot.tables.shown.message import render_shared_result
from bot.tables.shown.result import FinalResult, ResultWords, describe_result
from bot.tables.shown.result_picture import result_picture
from bot.words import NO_BREAK_SPACE, format_points, gettext
from tests.support.each_case import each_case
from tests.support.fakes import HERE, make_service
from tests.support.finished_games import play_to_end
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.picture_checks import find_flaws

GAMES = load_games_once()

POINTS = ScoreKind(format_points)

PLAYED = "Somewhere · May 1, 2026"

NO_WORDS = ResultWords("", (), PLAYED)


def picture_of(result: FinalResult, cover: str | None = None, words: ResultWords = NO_WORDS) -> Picture:
    return result_picture(result, cover, words, describe_result(result))


def draw(places: tuple[int, ...], *resigned: int, scores: tuple[int, ...] | None = None, race: Race = ()) -> Picture:
    return picture_of(FinalResult("Magpie", places, scores, POINTS, race, frozenset(resigned)))


def texts(picture: Picture) -> list[str]:
    return [mark.text for mark in picture.marks if isinstance(mark, Label)]


def all_endings() -> Iterator[tuple[tuple[int, ...], frozenset[int]]]:
    """Yield all places that up to six seats may have, and every end that resignations give them."""
    for seats in range(2, 7):
        for resigned in chain(*(combinations(range(seats), count) for count in range(1, seats))):
            yield rank_resigned_last(None, frozenset(resigned), seats).places, frozenset(resigned)
    for scores in product(range(3), repeat=3):
        places = places_by_score(scores)
        yield places, frozenset()
        for gone in range(3):
            outcome = rank_resigned_last(Outcome(places, scores, TableEndReason.RESIGNED), frozenset({gone}), 3)
            yield outcome.places, frozenset({gone})


def random_race(seats: int, turns: int, most: int) -> Race:
    """Return scores that go up and down."""
    random, scores, race = Random(seats), [0] * seats, [(0,) * seats]
    for turn in range(turns):
        scores[turn % seats] += random.randrange(-most, 2 * most)
        race.append(tuple(scores))
    return tuple(race)


@each_case("key", GAMES)
def test_every_ending_fits_into_the_picture(key: str) -> None:
    title, cover = GAMES[key].game.info.title, GAMES[key].look.cover
    for places, resigned in all_endings():
        for scores in (None, (-12_300,) * len(places)):
            picture = picture_of(FinalResult(title, places, scores, POINTS, (), resigned), cover)
            assert list(find_flaws(picture)) == []


@each_case("key", [key for key, package in GAMES.items() if package.look.cover is not None])
def test_an_ending_shows_the_art_of_its_game_beside_its_title(key: str) -> None:
    for places in ((1,), (1, 2), (2, 1, 3, 4)):
        result = FinalResult(GAMES[key].game.info.title, places, None, POINTS)
        picture = picture_of(result, GAMES[key].look.cover)
        (cover,) = (
            mark for mark in picture.backdrop if isinstance(mark, Sprite) and mark.name == GAMES[key].look.cover
        )
        title = picture.marks[0].at
        assert title.x > cover.at.right
        assert cover.at.y <= title.y < title.bottom <= cover.at.bottom
        assert cover.at.width * cover.at.height > 60_000


def test_words_of_any_length_stand_around_the_podium() -> None:
    name = isolate_name("Maximilian von der Heide")
    facts = (f"Luckiest roll: {name}, four of a kind by rolling a single die (<1%)", "Decided by 20.", "With hints")
    for winner in ("", f"{name} wins with 12,300 points.", f"{name} and {name} share the win with 12,300 points."):
        for key in GAMES:
            result = FinalResult(GAMES[key].game.info.title, (1, 2), (12_300, -12_300), POINTS)
            picture = picture_of(result, GAMES[key].look.cover, ResultWords(winner, facts, PLAYED))
            assert list(find_flaws(picture)) == []
            typed = [mark for mark in picture.marks if isinstance(mark, Label) and mark.is_name]
            told = " ".join(mark.text for mark in typed).replace(NO_BREAK_SPACE, " ")
            assert told == " ".join(filter(None, (winner, PLAYED, *facts)))
            assert all(mark.size >= MIN_SHEET_TEXT_SIZE for mark in typed)


@each_case("seats", range(1, 7))
def test_every_race_fits_into_the_picture(seats: int) -> None:
    for turns, most in ((2, 1), (40, 3_000), (900, 10)):
        race = random_race(seats, turns, most)
        grade = Grade("normal", turns % 100)
        for kind in (POINTS, ScoreKind(format_points, lower_is_better=True)):
            result = FinalResult("Magpie", places_by_score(race[-1]), race[-1], kind, race, grade=grade)
            picture = picture_of(result, GAMES["magpie"].look.cover)
            assert list(find_flaws(picture)) == []
            assert picture.size[1] <= 860
            # Each seat has a token on its step and at the end of its line.
            tokens = [mark.name for mark in picture.marks if isinstance(mark, Sprite) and mark.name != "crown"]
            assert sorted(tokens) == sorted(2 * [f"token-{seat + 1}" for seat in range(seats)])


def test_lines_differ_in_more_than_their_colour() -> None:
    race = tuple((turn,) * 6 for turn in range(11))
    picture = draw((1,) * 6, scores=race[-1], race=race)
    pieces = [
        [mark.at for mark in picture.marks if isinstance(mark, Box) and mark.fill is seat_colour(seat)]
        for seat in range(6)
    ]
    assert len({tuple(each) for each in pieces}) == 6


def test_up_is_better_even_if_low_scores_win() -> None:
    race = ((100, 100), (60, 120), (0, 150))
    for lower_is_better, top in ((True, 0), (False, 1)):
        kind = ScoreKind(format_points, lower_is_better=lower_is_better)
        picture = picture_of(FinalResult("Change", (1, 2), race[-1], kind, race))
        tokens = {mark.name: mark.at.y for mark in picture.marks[-4:] if isinstance(mark, Sprite)}
        assert min(tokens, key=tokens.__getitem__) == f"token-{top + 1}"


def test_every_winner_of_a_shared_win_has_a_crown() -> None:
    picture = draw((1, 3, 1), 1)
    assert [mark.name for mark in picture.marks if isinstance(mark, Sprite)].count("crown") == 2
    assert re.findall(r"\D (\d)", picture.description)[:3] == ["1", "3", "2"]


@each_case(
    "grade, figure",
    [
        (Grade("normal", 99), "99%"),
        (Grade("easy", 68), "68%"),
    ],
)
def test_a_solo_game_shows_its_score_and_its_grade(grade: Grade, figure: str) -> None:
    picture = picture_of(FinalResult("The Magic Bag", (1,), (323,), POINTS, grade=grade))
    (sentence,) = (text for text in texts(picture) if figure in text)
    assert format_points(323) in texts(picture)
    assert picture.description.endswith(f" {format_points(323)}. {sentence}.")
    assert list(find_flaws(picture)) == []


def test_a_solo_game_without_a_grade_shows_its_score_alone() -> None:
    picture = picture_of(FinalResult("The Magic Bag", (1,), (323,), POINTS))
    assert texts(picture)[2:] == ["1", format_points(323)]
    assert picture.description.endswith(f" {format_points(323)}.")


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
