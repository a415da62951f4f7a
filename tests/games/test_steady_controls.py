"""On a phone menus and buttons take the same number of lines whoever is to move, so that a message never jumps."""

from itertools import islice
from random import Random

import pytest

from bot.rules.screen import EMPTY_DRAFT, Toggle
from bot.tools.contract.phone_lines import count_screen_lines
from tests.games.test_recommended_controls import positions
from tests.support.games import load_games_once
from tests.support.picture_checks import project_assets


@pytest.mark.parametrize("key", load_games_once())
def test_controls_take_the_same_lines_in_every_position(key: str, is_long: bool) -> None:
    package, random, lines = load_games_once()[key], Random(key), set[int]()
    for state, seats in islice(positions(key, thought=2), 2000 if is_long else 80):
        view, draft = package.game.view(state, None), EMPTY_DRAFT
        for _pick in range(3):
            screen = package.words.build_screen(view, (), ("Robin",) * seats, draft)
            lines.add(count_screen_lines(screen, project_assets()))
            toggles = [each.effect for each in screen.iter_controls() if isinstance(each.effect, Toggle)]
            draft = random.choice(toggles).apply(draft) if toggles else draft
    assert len(lines) == 1
