"""The card of a result: everything fits for every number of seats, and what people typed stays in its place."""

import pytest

from bot.rules.components import Nameplate
from bot.rules.game import places_by_score
from bot.rules.grades import Grade
from bot.rules.picture import Box, ColourRole, Label, Rect, Sprite, Theme, isolate_name
from bot.tables.shown.result import FinalResult, ResultWords
from bot.tables.shown.result_picture import CARD_SIZE, victory_card
from bot.tools.showcases import SHOWCASE_NAMEPLATES
from tests.support.games import load_games_once
from tests.support.picture_checks import covered_area, find_flaws, load_art

GAMES = load_games_once()
WORDS = ResultWords(
    "Robin wins with 12,300 points.",
    ("Best turn: Wren, +1,200", "Robin led from start to finish.", "Decided by 20."),
    "Somewhere · May 1, 2026",
)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_result_fits_on_the_card(key: str) -> None:
    package = GAMES[key]
    for seats in range(package.game.info.least_seats, package.game.info.most_seats + 1):
        race = tuple(tuple(turn * (seat + 3) * 40 for seat in range(seats)) for turn in range(30))
        for scores in (race[-1], (-12_300,) * seats):
            result = FinalResult(
                package.game.info.title,
                places_by_score(scores),
                scores,
                package.results.score_kind,
                race,
                nameplates=SHOWCASE_NAMEPLATES[:seats],
                grade=Grade("normal", 60) if seats == 1 else None,
            )
            card = victory_card(result, package.look.surface, package.look.cover, WORDS, "a test")
            assert card.size == CARD_SIZE == (1200, 630)
            assert list(find_flaws(card)) == []
            (turns,) = (mark for mark in card.marks if isinstance(mark, Label) and mark.text.startswith("29 "))
            near = covered_area(turns).inset(-3)
            assert not any(isinstance(mark, Box) and mark.at.overlaps(near) for mark in card.marks)


def test_what_people_typed_is_marked_as_typed() -> None:
    package = GAMES["magpie"]
    result = FinalResult(
        "Magpie", (1, 2), (100, 80), package.results.score_kind, nameplates=(Nameplate("Robin"), Nameplate("Wren"))
    )
    card = victory_card(result, package.look.surface, None, WORDS, "a test")
    typed = {mark.text for mark in card.marks if isinstance(mark, Label) and mark.is_name}
    assert {"Robin", "Wren", WORDS.winner, *WORDS.facts, WORDS.footer} <= typed


@pytest.mark.parametrize("name", ["Maxi von der Heide", "Marie-Claire-Antoinette"])
def test_facts_too_long_for_a_line_take_two_but_names_are_not_split(name: str) -> None:
    package = GAMES["magpie"]
    result = FinalResult("Magpie", (1, 2), (100, 80), package.results.score_kind)
    name = isolate_name(name)
    words = WORDS._replace(facts=(f"Luckiest roll: {name}, four and a pair (<1%)", "Decided by 20."))
    card = victory_card(result, package.look.surface, None, words, "a test")
    lines = [mark.text for mark in card.marks if isinstance(mark, Label) and mark.is_name][1:-1]
    assert " ".join(lines).replace("\u00a0", " ") == " ".join(words.facts)
    assert sum(name in line.replace("\u00a0", " ") for line in lines) == 1
    assert len(lines) == 3


def test_many_winners_take_a_second_line() -> None:
    package = GAMES["change"]
    result = FinalResult("Change", (1, 1, 1), (0, 0, 0), package.results.score_kind)
    winners = ", ".join(map(isolate_name, ("Robin", "Siskin", "Linnet")))
    words = WORDS._replace(winner=f"{winners} share the win with 0 credits.")
    card = victory_card(result, package.look.surface, package.look.cover, words, "a test")
    lines = [mark.text for mark in card.marks if isinstance(mark, Label) and mark.size == 34 and mark.is_name]
    assert len(lines) == 2
    assert " ".join(lines) == words.winner
    assert list(find_flaws(card)) == []


def test_the_scenery_of_a_card_is_not_cut_off() -> None:
    package = GAMES["magpie"]
    result = FinalResult("Magpie", (1, 2), (100, 80), package.results.score_kind)
    card = victory_card(result, package.look.surface, package.look.cover, WORDS, "a test")
    confetti = load_art()["confetti"].draw(Theme.STANDARD, None).getbbox(alpha_only=True)
    assert confetti is not None
    assert min(confetti[:2]) > 0, "its pieces are whole"
    assert all(Rect(0, 0, *CARD_SIZE).contains(mark.at) for mark in card.backdrop)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("winners", [1, 2, 3])
def test_confetti_falls_on_the_podium_and_on_no_text(seats: int, winners: int) -> None:
    package = GAMES["change"]
    places = (*[1] * min(seats, winners), *range(winners + 1, seats + 1))
    card = victory_card(
        FinalResult("Change", places, (7,) * seats, package.results.score_kind, nameplates=SHOWCASE_NAMEPLATES[:seats]),
        package.look.surface,
        package.look.cover,
        WORDS,
        "a test",
    )
    (confetti,) = (mark.at for mark in card.backdrop if isinstance(mark, Sprite) and mark.name == "confetti")
    assert [mark for mark in card.marks if isinstance(mark, Label) and mark.at.overlaps(confetti)] == []
    assert [mark for mark in card.marks if isinstance(mark, Box) and mark.at.overlaps(confetti)] == []
    if winners == 1:
        (crown,) = (mark.at for mark in card.marks if isinstance(mark, Sprite) and mark.name == "crown")
        pieces = load_art()["confetti"].draw(Theme.STANDARD, None, (confetti.width, confetti.height))
        beside = crown.shift(right=-confetti.x, down=-confetti.y)
        assert pieces.crop((beside.x, max(0, beside.y), beside.right, beside.bottom)).getbbox(alpha_only=True) is None
    tokens = [mark.at for mark in card.marks if isinstance(mark, Sprite) and mark.at.width == 72]
    assert all(confetti.x <= token.x and token.right <= confetti.right and confetti.y < token.y for token in tokens)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_podium_has_the_winner_highest_and_in_the_middle(seats: int) -> None:
    package = GAMES["change"]
    scores = tuple(100 * seat for seat in range(seats))
    result = FinalResult("Change", places_by_score([-score for score in scores]), scores, package.results.score_kind)
    card = victory_card(result, package.look.surface, package.look.cover, WORDS, "a test")
    steps = [mark.at for mark in card.marks if isinstance(mark, Box) and mark.fill is ColourRole.SURFACE_SHADE]
    tokens = {mark.name: mark.at for mark in card.marks if isinstance(mark, Sprite) and mark.name.startswith("token")}
    assert len(tokens) == seats
    assert tokens["token-1"].y < min(at.y for name, at in tokens.items() if name != "token-1" and at.width == 72)
    best = next(step for step in steps if step.x < tokens["token-1"].x < step.right and step.y > tokens["token-1"].y)
    assert all(best.height > step.height for step in steps if step != best)
    if seats > 2:
        assert tokens["token-2"].x < tokens["token-1"].x < tokens["token-3"].x
