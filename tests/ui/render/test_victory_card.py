"""The card of a result: everything fits for every number of seats, and what people typed stays in its place."""

import pytest

from bot.rules.grades import Grade
from bot.rules.outcome import places_by_score
from bot.rules.picture import Label
from bot.rules.showcase import SHOWCASE_NAMES
from bot.ui.render.podium import FinalResult
from bot.ui.render.victory_card import CARD_SIZE, victory_card
from tests.support.games import load_games_once
from tests.support.picture_checks import find_flaws

GAMES = load_games_once()
LINES = (
    "Robin wins with 12,300 points.",
    "Best turn: Wren, +1,200",
    "Robin led from start to finish.",
    "Decided by 20.",
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
                package.score_kind,
                race,
                names=SHOWCASE_NAMES[:seats],
                grade=Grade("sensible", 60) if seats == 1 else None,
            )
            card = victory_card(result, package.surface, package.cover, LINES, "Somewhere · 1 May 2026")
            assert card.size == CARD_SIZE == (1200, 630)
            assert list(find_flaws(card)) == []


def test_what_people_typed_is_marked_as_typed() -> None:
    package = GAMES["magpie"]
    result = FinalResult("Magpie", (1, 2), (100, 80), package.score_kind, names=("Robin", "Wren"))
    card = victory_card(result, package.surface, None, ("Robin wins.",), "A server of birds · 1 May 2026")
    typed = {mark.text for mark in card.marks if isinstance(mark, Label) and mark.is_name}
    assert {"Robin", "Wren", "Robin wins.", "A server of birds · 1 May 2026"} <= typed
