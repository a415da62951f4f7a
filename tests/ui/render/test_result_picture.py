"""The pictures of a result are about one seat, show all others, and are legible however a game ended."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, product

import pytest

from bot.rules.components import Nameplate
from bot.rules.game import Outcome, Seat, places_by_score
from bot.rules.hero import BUILT_AREA, HERO_AREA, Hero
from bot.rules.package import ScoreKind
from bot.rules.picture import FELT, MIN_TEXT_SIZE, Box, ColourRole, Label, Picture, Rect, Sprite
from bot.tables.control_entries import TableEndReason, rank_resigned_last
from bot.tables.registry import AnyPackage
from bot.tables.shown.result import FinalResult, describe_result
from bot.tables.shown.result_picture import CARD_SIZE, Dare, result_picture, share_card
from bot.tools.gallery_pictures import play_table
from bot.words import format_number, format_points
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.picture_checks import find_flaws

GAMES = load_games_once()
POINTS = ScoreKind(format_points)
DARE = Dare("Will you do better than 12,300?", "/houdinis-baggage in Parlour")

LARGEST = Hero((Box(HERO_AREA, ColourRole.GOLD),), "+12,300", (Box(BUILT_AREA.inset(20), ColourRole.GOLD),))


def result_of(
    places: tuple[int, ...],
    scores: tuple[int, ...] | None = None,
    people: frozenset[Seat] | None = None,
    resigned: frozenset[Seat] = frozenset(),
    names: tuple[str, ...] = (),
) -> FinalResult:
    present = frozenset(range(len(places))) - resigned if people is None else people
    return FinalResult("Magpie", places, scores, POINTS, present, resigned, tuple(map(Nameplate, names)))


def both(result: FinalResult, hero: Hero | None = None, cover: str | None = None) -> tuple[Picture, Picture]:
    told = describe_result(result)
    return result_picture(result, hero, cover, FELT, told), share_card(result, hero, cover, FELT, DARE, told)


def all_endings() -> Iterator[tuple[tuple[int, ...], frozenset[int]]]:
    """Yield all places that up to six seats may have, and every end that resignations give them."""
    yield (1,), frozenset()
    for seats in range(2, 7):
        for resigned in chain(*(combinations(range(seats), count) for count in range(1, seats))):
            yield rank_resigned_last(None, frozenset(resigned), seats).places, frozenset(resigned)
    for scores in product(range(3), repeat=3):
        places = places_by_score(scores)
        yield places, frozenset()
        for gone in range(3):
            outcome = rank_resigned_last(Outcome(places, scores, TableEndReason.RESIGNED), frozenset({gone}), 3)
            yield outcome.places, frozenset({gone})


@each_case("cover", [None, "magpie/cover"])
def test_every_ending_fits_and_can_be_read(cover: str | None) -> None:
    for places, resigned in all_endings():
        for scores, hero in product((None, (-12_300,) * len(places), (7,) * len(places)), (None, LARGEST)):
            names = ("W" * 16,) * len(places)
            for picture in both(result_of(places, scores, resigned=resigned, names=names), hero, cover):
                assert list(find_flaws(picture)) == []
                assert all(mark.size >= MIN_TEXT_SIZE for mark in picture.marks if isinstance(mark, Label))


@each_case(
    "people, featured, crowns, has_confetti",
    [
        ({0, 1, 2}, "Wren", 1, True),
        ({1}, "Wren", 1, True),
        # The computer player that has won wears the crown in its row.
        ({0}, "Robin", 1, False),
        ({0, 2}, "Jay", 1, False),
        (set(), "Wren", 1, False),
    ],
)
def test_the_picture_is_about_the_best_person(
    people: set[Seat], featured: str, crowns: int, *, has_confetti: bool
) -> None:
    result = result_of((3, 1, 2), (60, 100, 88), frozenset(people), names=("Robin", "Wren", "Jay"))
    picture, _card = both(result, LARGEST)
    labels = [mark for mark in picture.marks if isinstance(mark, Label)]
    largest = max(labels, key=lambda mark: mark.size)
    assert largest.text == str({"Robin": 60, "Wren": 100, "Jay": 88}[featured])
    # The winner stands above whom the picture is about.
    others = [name for name in ("Jay", "Robin") if name != featured]
    assert [mark.text for mark in labels if mark.is_name] == [*dict.fromkeys(("Wren", featured, *others))]
    sprites = [mark.name for mark in picture.iter_marks() if isinstance(mark, Sprite)]
    assert sprites.count("crown") == crowns
    assert ("confetti" in sprites) is has_confetti


@each_case("score, is_triumph", [(0, False), (7, True)])
def test_a_win_without_a_point_because_others_left_is_no_triumph(score: int, *, is_triumph: bool) -> None:
    result = replace(result_of((2, 1), (0, score), resigned=frozenset({0})), ended_by_resignation=True)
    picture, _card = both(result, LARGEST)
    sprites = {mark.name for mark in picture.iter_marks() if isinstance(mark, Sprite)}
    assert {"crown", "confetti"} & sprites == ({"crown", "confetti"} if is_triumph else set())


def test_every_winner_of_a_shared_win_has_a_crown() -> None:
    picture, card = both(result_of((1, 3, 1), resigned=frozenset({1})))
    assert [mark.name for mark in picture.marks if isinstance(mark, Sprite)].count("crown") == 2
    assert re.findall(r"\D (\d)", picture.description)[:3] == ["1", "3", "2"]
    assert card.size == CARD_SIZE


@pytest.mark.parametrize("key", sorted(GAMES))
@pytest.mark.slow
def test_what_somebody_did_best_lies_in_its_area(key: str) -> None:
    for seats in range(GAMES[key].game.info.least_seats, GAMES[key].game.info.most_seats + 1):
        for hero, result in heroes_of(GAMES[key], seats):
            assert all(HERO_AREA.contains(mark.bounds if isinstance(mark, Sprite) else mark.at) for mark in hero.marks)
            assert all(Rect(0, 0, *BUILT_AREA[2:]).contains(mark.at) for mark in hero.built)
            for picture in both(result, hero):
                assert list(find_flaws(picture)) == []


def heroes_of(package: AnyPackage, seats: int) -> Iterator[tuple[Hero, FinalResult]]:
    """Yield what each seat did best in a game, with a result that is about that seat."""
    build = package.look.build_hero
    *_, table = play_table(package, seats)
    assert table.outcome is not None
    for seat in range(seats):
        best = table.best_turns[seat] if table.best_turns else None
        hero = None if build is None else build(package.game.view(table.state, None), seat, best)
        if hero is not None:
            yield hero, result_of(table.outcome.places, table.outcome.scores, frozenset({seat}))
            assert best is None or not hero.gain or format_number(abs(best.change)) in hero.gain
